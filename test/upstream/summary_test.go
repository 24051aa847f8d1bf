package upstream

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/planfile"
)

// A draft of a summary closes no plan, and what gsd done --summary makes of it passes upstream's own checks: of the front matter, of the
// files and the commits that it names, and of the requirements that the audit of a milestone takes from it.
func TestSummary(t *testing.T) {
	c := startCore(t)
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err == nil {
			if err = os.WriteFile(name, []byte(text), 0o666); err == nil {
				return
			}
		}
		t.Fatal(name)
	}
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=larch", "-c", "user.email=l@example.org"}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %s", args, out)
		}
		return strings.TrimSpace(string(out))
	}
	commit := func(subject string, files ...string) {
		t.Helper()
		for _, name := range files {
			write(name, subject+"\n")
		}
		git("add", "-A")
		git("commit", "-q", "-m", subject)
	}
	const (
		phase = ".planning/phases/03-api/"
		task  = "<task type=\"auto\">\n<name>Task %: Part %</name>\n<action>Do it.</action>\n</task>\n"
	)
	one := func(n string) string { return strings.ReplaceAll(task, "%", n) }
	write(phase+"03-01-api-PLAN.md", "---\nphase: 03-api\nplan: 01\nrequirements: [API-01, API-02]\n---\n"+one("1")+one("2"))
	git("init", "-q", "-b", "main")
	commit("docs(03-01): plan")
	before := git("rev-parse", "HEAD")
	commit("feat(03-01): part 1", "src/one.go", "src/old.go")
	if err := os.Remove(filepath.Join(dir, "src/old.go")); err != nil {
		t.Fatal(err)
	}
	commit("feat(03-01): part 2", "src/two.go")

	now := time.Now()
	open := func() *app.Project {
		p, err := app.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.Close() })
		return p
	}
	p := open()
	if _, err := apptest.At(p, now).Bootstrap(t.Context(), app.BootstrapOptions{User: "larch", Plan: phase + "03-01-api-PLAN.md"}); err != nil {
		t.Fatal(err)
	}
	for n := range 2 {
		if _, err := apptest.At(p, now).Mark(t.Context(), app.MarkOptions{User: "larch", Number: n + 1, Status: planfile.Complete}); err != nil {
			t.Fatal(err)
		}
	}
	p = open()
	done, err := apptest.At(p, now).Summarize(t.Context(), app.SummaryOptions{User: "larch", Env: os.Environ()})
	if err != nil || done.Draft == nil {
		t.Fatalf("%+v, %v", done, err)
	}
	if told := c.ask(t, question{Dir: dir, Git: true}); len(told.Live) != 1 || len(told.Live[0].Plans) != 1 || len(told.Live[0].Summaries)+len(told.Live[0].Closed) > 0 {
		t.Errorf("with a draft, upstream sees %+v", told.Live)
	}
	draft := filepath.Join(dir, done.Draft.Path)
	text, err := os.ReadFile(draft)
	if err != nil {
		t.Fatal(err)
	}
	for _, left := range done.Draft.Left {
		text = []byte(strings.ReplaceAll(string(text), left.Text, "An API with two parts"))
	}
	if err := os.WriteFile(draft, text, 0o666); err != nil {
		t.Fatal(err)
	}
	p = open()
	if done, err = apptest.At(p, now).Summarize(t.Context(), app.SummaryOptions{User: "larch", Env: os.Environ()}); err != nil || done.Draft != nil {
		t.Fatalf("%+v, %v", done, err)
	}
	told := c.ask(t, question{Dir: filepath.Clean(dir), Git: true, Summary: done.Summary})
	if len(told.Live[0].Closed) != 1 {
		t.Errorf("with a summary, upstream sees %+v", told.Live)
	}
	j := told.Judged
	if !j.Valid.Valid || len(j.Valid.Missing) > 0 {
		t.Errorf("front matter: %+v", j.Valid)
	}
	if v := j.Verified; !v.Passed || v.Checks.Files.Checked != 2 || !v.Checks.Commits || len(v.Errors) > 0 {
		t.Errorf("verified: %+v\n%s", v, text)
	}
	x := j.Extracted
	if !slices.Equal(x.Completed, []string{"API-01", "API-02"}) || x.OneLiner != "An API with two parts" || !slices.Equal(x.Files.Created, []string{"src/one.go", "src/two.go"}) {
		t.Errorf("extracted: %+v\n%s", x, text)
	}
	if base, claimed, actual := reconcile(t, dir, done.Summary); base != before || claimed != "2" || actual != "2" {
		t.Errorf("reconciled: %q, %q, %q, want %q, 2, 2", base, claimed, actual, before)
	}
	if left := regexp.MustCompile(`(?m)^.*\[[A-Z].*\].*$`).FindString(string(text)); left != "" && !strings.Contains(left, "API-01") {
		t.Errorf("left: %s", left)
	}
}

// reconcile runs what upstream's verify-work does with the commits that a summary claims.
func reconcile(t *testing.T, dir, summary string) (base, claimed, actual string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(os.Getenv("GSD_CORE"), "node_modules", "@opengsd", "gsd-core", "gsd-core", "workflows", "verify-work.md"))
	if err != nil {
		t.Fatal(err)
	}
	script := regexp.MustCompile("(?s)```bash\n(BASE=.*?)```").FindSubmatch(text)
	if script == nil {
		t.Fatal("verify-work does not compare commits")
	}
	cmd := exec.Command("bash", "-c", string(script[1])+`echo "$BASE|$CLAIMED|$ACTUAL"`)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "SUMMARY_FILE="+summary)
	out, err := cmd.CombinedOutput()
	said := strings.Split(strings.TrimSpace(string(out)), "|")
	if err != nil || len(said) != 3 {
		t.Fatalf("%v, %s", err, out)
	}
	return said[0], said[1], said[2]
}
