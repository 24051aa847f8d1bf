package hydrate_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/project"
)

func TestYAMLWord(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"01-notes": "01-notes", "a/b_c.go": "a/b_c.go", "": `""`, "-x": `"-x"`, "a: b": `"a: b"`, "x\ny: z": `"x y: z"`, `a"b\`: `"a\"b\\"`, "é": `"\u00e9"`, "---": `"---"`,
	} {
		if got := hydrate.YAMLWord(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a `b` <!-- c": "a 'b' &lt;!-- c", "*x* [y](z)": `\*x\* \[y](z)`, "one\n## two": "one ## two",
	} {
		if got := hydrate.Markdown(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestSummarize: what the skeleton leaves out is said in it.
func TestSummarize(t *testing.T) {
	t.Parallel()
	const plan = "phases/03-a/03-01-PLAN.md"
	p := projectOf(t, filesIn(plan))
	commitAll(t, p, 0, "docs: plan")
	for i := range hydrate.MaxSummaryFiles + 7 {
		write(t, filepath.Join(p.Dir, fmt.Sprint(i)), "x")
	}
	commitAll(t, p, 1, "feat(03-01): x")
	old := git(t, p.Dir, "", "rev-parse", "HEAD")
	write(t, filepath.Join(p.Dir, "0"), "y")
	commitAll(t, p, 2, "feat(03-01): y")
	startOn(t, p, "ada", plan, 2)
	name := filepath.Join(p.Dir, project.Planning, "phases", "03-a", "03-01-SUMMARY.md")
	const (
		more    = "\n- and 7 more\n"
		partial = "\n[Not all of the history could be read"
	)
	for _, shallow := range []string{"", old} {
		if shallow != "" {
			write(t, filepath.Join(p.Dir, ".git", "shallow"), shallow)
			p = reopen(t, p.Dir)
		}
		if _, err := p.Summarize(t.Context(), hydrate.SummaryOptions{User: "ada", Now: time.Now()}); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(name)
		if got := string(text); err != nil || !strings.Contains(got, more) || strings.Contains(got, partial) != (shallow != "") {
			t.Errorf("shallow %q: %v, %s", shallow, err, got)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

// A session that somebody changes after it was judged has no summary: a task may be open now.
func TestSummarizeWhatChanges(t *testing.T) {
	t.Parallel()
	const plan = "phases/03-a/03-01-PLAN.md"
	p := projectOf(t, filesIn(plan))
	startOn(t, p, "ada", plan, 2)
	file := filepath.Join(p.Dir, project.Planning, "sessions", "ada", "current-plan.md")
	for _, name := range []string{"ada/.gitignore", "ada/.guard"} { // which are made again when the guard is taken
		if err := os.Remove(filepath.Join(p.Dir, project.Planning, "sessions", name)); err != nil {
			t.Fatal(err)
		}
	}
	p.Write.Before = func(durable.Step) error {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(file, []byte(strings.Replace(string(text), `"complete"`, `"pending"`, 1)), 0o666)
	}
	_, err := p.Summarize(t.Context(), hydrate.SummaryOptions{User: "ada", Now: time.Now()})
	if failed, ok := errors.AsType[*hydrate.Error](err); !ok || failed.Kind != hydrate.Busy {
		t.Errorf("%v", err)
	}
	if _, err := p.Planning.Lstat(project.Planning + "/phases/03-a/03-01-SUMMARY.md"); err == nil {
		t.Error("it was written")
	}
}
