package hydrate_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/view"
	"github.com/gsd-cli/gsd/planfile"
)

// drifts gives what Drift says of ada's session, without the commits' ids.
func drifts(t *testing.T, p *hydrate.Project) (all []string) {
	t.Helper()
	r, err := p.Hydrate("ada")
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range p.Drift(r) {
		if w.Code != hydrate.Drift && w.Code != hydrate.DriftMore && w.Code != hydrate.DriftUnseen {
			t.Errorf("code %s", w.Code)
		}
		words := strings.Fields(view.WarningText(&w).String())
		if i := slices.Index(words, "commit"); i >= 0 && words[i+1] != "shows" {
			if len(words[i+1]) != 7 {
				t.Errorf("%q is no short id", words[i+1])
			}
			words = slices.Delete(words, i+1, i+2)
		}
		all = append(all, strings.Join(words, " "))
	}
	return all
}

// sessionAt gives ada a session that began so many minutes after the first commit, with statuses by their letters.
func sessionAt(t *testing.T, p *hydrate.Project, minutes int, statuses string) {
	t.Helper()
	if _, err := p.Bootstrap(t.Context(), hydrate.BootstrapOptions{User: "ada", Plan: kilnPlan, Now: planned.Add(time.Duration(minutes)*time.Minute - 30*time.Second), Wait: time.Minute}); err != nil {
		t.Fatal(err)
	}
	for i, letter := range statuses {
		status := map[rune]planfile.Status{'c': planfile.Complete, 'i': planfile.InProgress, 's': planfile.Skipped, '.': planfile.Pending}[letter]
		if _, err := p.Mark(t.Context(), hydrate.MarkOptions{User: "ada", Number: i + 1, Status: status, Wait: time.Minute}); err != nil {
			t.Fatal(err)
		}
	}
}

const (
	dig   = "feat(03-01): dig the deep hollow"
	lay   = "feat(03-01): lay the grate"
	raise = "feat(03-01): raise the chimney"
)

const unseen = " marked complete, and no commit shows it, though a later task has its own"

// forgotten is what is said of a task that was not marked.
func forgotten(n int, status, subject string) string {
	return fmt.Sprintf("task %d is %s, and commit seems to have carried it out: %q; `gsd done %d`, if it did", n, status, subject, n)
}

func TestDrift(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		began    int // before the commit of that number; 0 is the plan's
		statuses string
		commits  []string
		want     []string
	}{
		{"nothing was committed", 1, "c...", nil, nil},
		{"all as it is", 1, "cc..", []string{dig, lay}, nil},
		{"and all of it", 1, "cccc", []string{dig, lay, raise}, nil},
		{"a forgotten mark", 1, "....", []string{dig}, []string{forgotten(1, "pending", dig)}},
		{"one that was begun takes as many as it takes", 1, "i...", []string{dig}, nil},
		{"one that was begun, and the next is done", 1, "i...", []string{dig, lay}, []string{forgotten(1, "in-progress", dig), forgotten(2, "pending", lay)}},
		{"what mends or describes", 1, "....", []string{"fix(03-01): dig the deep hollow", "docs(03-01): lay the grate", "refactor(03-01): raise the chimney"}, nil},
		{"one that was skipped", 1, "s...", []string{dig}, []string{forgotten(1, "skipped", dig)}},
		{"skipped, and no commit shows it", 1, "sc..", []string{lay}, nil},
		{"two", 1, "ci..", []string{dig, lay, raise}, []string{forgotten(2, "in-progress", lay), forgotten(4, "pending", raise)}},
		{"a mark without a commit", 1, "cc..", []string{lay}, []string{"task 1 is" + unseen}},
		{"its file was changed without a word of it", 1, "cc..", []string{"feat: a hole | src/pit.go", lay}, nil},
		{"its file was changed together with another's", 1, "cc..", []string{lay + " | src/pit.go src/grate.go"}, nil},
		{"its file was changed back", 1, "cc..", []string{"feat: a hole | src/pit.go", lay, `Revert "feat: a hole" | -src/pit.go`}, []string{"task 1 is" + unseen}},
		{"two of them", 1, "cc.c", []string{lay, raise}, []string{"task 1 is" + unseen}},
		{"the last one's may still come", 1, "cc..", []string{dig}, nil},
		{"one commit that says it did both", 1, "cc..", []string{"feat(03-01): dig the deep hollow, lay the grate"}, nil},
		{"none has a commit", 1, "cc..", []string{"feat: x"}, nil},
		{"a checkpoint leaves none", 1, "ccc.", []string{dig, lay}, nil},
		{"committed before, and pulled since", 2, "....", []string{dig}, []string{forgotten(1, "pending", dig)}},
		{"carried over", 2, "cc..", []string{dig, lay}, nil},
		{"one of those before was taken back", 2, "cc..", []string{dig, lay, `Revert "` + dig + `"`}, []string{"task 1 is" + unseen}},
		{"tests alone are not all", 1, "c...", []string{dig, "test(03-01): the grate bears"}, nil},
		{"by its place in the order alone", 1, "....", []string{"feat(03-01): go on"}, nil},
		{"taken back", 1, "....", []string{dig, `Revert "` + dig + `"`}, nil},
		{"on a branch", 1, "....", []string{"side > " + dig, "feat: x"}, nil},
		{"another plan's", 1, "....", []string{"feat(03-02): dig the deep hollow"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := kilnProject(t, kiln)
			sessionAt(t, p, test.began, test.statuses)
			commits(t, p, "", false, test.commits...)
			before := takePicture(t, p.Dir)
			if got := drifts(t, p); !slices.Equal(got, test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
			if diff := cmp.Diff(before, takePicture(t, p.Dir)); diff != "" {
				t.Error("it wrote something:", diff)
			}
			if len(test.want) > 0 {
				write(t, filepath.Join(p.Dir, ".git", "HEAD"), "nonsense\n")
				if got := drifts(t, p); got != nil {
					t.Errorf("%q without a HEAD", got)
				}
			}
		})
	}
}

// Plans that are not in git are compared, too.
func TestDriftOfHiddenPlans(t *testing.T) {
	t.Parallel()
	p := kilnProject(t, kiln)
	sessionAt(t, p, 2, "c..c")
	commits(t, p, "", true, "feat: x", lay, raise)
	want := []string{forgotten(2, "pending", lay), "task 1 is" + unseen}
	if got := drifts(t, p); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// What is read at every turn stays short, however much was forgotten.
func TestDriftIsShort(t *testing.T) {
	t.Parallel()
	var plan strings.Builder
	var lines []string
	for n := range 40 {
		fmt.Fprintf(&plan, "<task type=\"auto\">\n<name>Task %d: x</name>\n</task>\n", n+1)
		lines = append(lines, fmt.Sprintf("feat(03-01): task %d: %s", n+1, strings.Repeat("é", 5000)))
	}
	p := kilnProject(t, plan.String())
	sessionAt(t, p, 1, "")
	commits(t, p, "", false, lines...)
	got := drifts(t, p)
	if len(got) != 6 || got[5] != "35 more tasks are not marked complete, although commits seem to have carried them out" {
		t.Errorf("%d: %q", len(got), got[len(got)-1])
	}
	for _, text := range got {
		if len(text) > 300 || strings.ToValidUTF8(text, "?") != text {
			t.Errorf("%d bytes: %q", len(text), text)
		}
	}
}

// Where there is nothing to compare there is no drift, and never an error.
func TestDriftOfNothing(t *testing.T) {
	t.Parallel()
	p := kilnProject(t, kiln)
	silent := func(what string) {
		t.Helper()
		if got := drifts(t, p); got != nil {
			t.Errorf("%s: %q", what, got)
		}
	}
	silent("no session")
	sessionAt(t, p, 1, "cc..")
	silent("no git")
	commits(t, p, "", false, lay)
	if len(drifts(t, p)) != 1 {
		t.Fatal("this one has no drift")
	}
	session := filepath.Join(p.Dir, ".planning", "sessions", "ada", "current-plan.md")
	text := readText(t, session)
	write(t, session, strings.Replace(text, "<!-- Started: ", "<!-- Begun: ", 1))
	silent("no time of beginning")
	write(t, session, strings.Replace(text, "<!-- Started: ", "<!-- Started: on ", 1))
	silent("one that is none")
	write(t, session, "nonsense\n")
	silent("corrupt")
	write(t, session, text)
	write(t, filepath.Join(p.Dir, filepath.FromSlash(kilnPlan)), kiln+kiln)
	silent("stale")
	write(t, filepath.Join(p.Dir, filepath.FromSlash(kilnPlan)), kiln)

	// Take away each object in turn: whatever is missing, nothing fails and nothing false is said.
	want := drifts(t, p)
	objects, err := filepath.Glob(filepath.Join(p.Dir, ".git", "objects", "??", "*"))
	if err != nil || len(objects) < 5 {
		t.Fatal(objects, err)
	}
	for _, object := range objects {
		whole := readText(t, object)
		replaceFile(t, object, "nonsense")
		for _, text := range drifts(t, p) {
			if !slices.Contains(want, text) {
				t.Errorf("without %s: %q", filepath.Base(object), text)
			}
		}
		replaceFile(t, object, whole)
	}
	git(t, p.Dir, "", "symbolic-ref", "HEAD", "refs/heads/unborn")
	silent("an unborn branch")
}

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// replaceFile replaces a file that may be read-only, as git's objects are.
func replaceFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.Chmod(name, 0o666); err != nil {
		t.Fatal(err)
	}
	write(t, name, text)
}
