package app_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/internal/view"
	"github.com/gsd-cli/gsd/planfile"
)

// counted gives the statuses of the tasks of ada's session by their letters, as commits show them, too, and what Drift says, without the
// commits' ids.
func counted(t *testing.T, p *app.Project) (letters string, drifts []string) {
	t.Helper()
	p.Forget()
	r, err := p.Hydrate("ada")
	if err != nil {
		t.Fatal(err)
	}
	if r.Session != nil {
		for _, task := range r.Session.Tasks {
			letters += string(cmp.Or(letterOf[task.Status], '?'))
		}
	}
	for _, w := range p.Drift(r) {
		words := strings.Fields(view.WarningText(&w).String())
		if i := slices.Index(words, "commit"); i >= 0 {
			if len(strings.TrimSuffix(words[i+1], ":")) != 7 {
				t.Errorf("%q is no short id", words[i+1])
			}
			words = slices.Delete(words, i+1, i+2)
		}
		drifts = append(drifts, strings.Join(words, " "))
	}
	return letters, drifts
}

var letterOf = map[planfile.Status]rune{planfile.Complete: 'c', planfile.InProgress: 'i', planfile.Skipped: 's', planfile.Pending: '.'}

// sessionAt gives ada a session that began so many minutes after the first commit, with statuses by their letters; p is pending that was set.
func sessionAt(t *testing.T, p *app.Project, minutes int, statuses string) {
	t.Helper()
	at := planned.Add(time.Duration(minutes)*time.Minute - 30*time.Second)
	if _, err := apptest.At(p, at).Bootstrap(t.Context(), app.BootstrapOptions{User: "ada", Plan: kilnPlan, Wait: time.Minute}); err != nil {
		t.Fatal(err)
	}
	for i, letter := range statuses {
		status := map[rune]planfile.Status{'c': planfile.Complete, 'i': planfile.InProgress, 's': planfile.Skipped, 'p': planfile.Pending}[letter]
		if status == "" {
			continue
		}
		if _, err := apptest.At(p, at).Mark(t.Context(), app.MarkOptions{User: "ada", Number: i + 1, Status: status, Wait: time.Minute}); err != nil {
			t.Fatal(err)
		}
	}
}

const (
	dig   = "feat(03-01): dig the deep hollow"
	lay   = "feat(03-01): lay the grate"
	raise = "feat(03-01): raise the chimney"
)

// forgotten is what is said of a task in progress that was committed.
func forgotten(n int, subject string) string {
	return fmt.Sprintf("task %d is in-progress, and commit seems to have carried it out: %q; `gsd done %d`, if it did", n, subject, n)
}

// perhaps is what is said of a task that commits only seem to have started.
func perhaps(n int) string {
	return fmt.Sprintf("task %d may have been started by commit verify before you start it", n)
}

// TestCommitsCount: what nobody has marked is as far as commits show; a status that somebody set counts, and of a task in progress its commit
// is named.
func TestCommitsCount(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		began    int // before the commit of that number; 0 is the plan's
		statuses string
		commits  []string
		want     string
		drifts   []string
	}{
		{"nothing was committed", 1, "c...", nil, "c...", nil},
		{"all as it is", 1, "cc..", []string{dig, lay}, "cc..", nil},
		{"an executor marks nothing", 1, "....", []string{dig, lay}, "cc..", nil},
		{"and carries out all", 1, "....", []string{dig, lay, raise}, "cccc", nil},
		{"in progress", 1, "i...", []string{dig}, "i...", []string{forgotten(1, dig)}},
		{"in progress, and the next is done", 1, "i...", []string{dig, lay}, "ic..", []string{forgotten(1, dig)}},
		{"set back, and done again", 1, "p...", []string{dig}, "....", []string{strings.Replace(forgotten(1, dig), "in-progress", "pending", 1)}},
		{"set back since", 2, "p...", []string{dig}, "....", nil},
		{"one that was skipped", 1, "s...", []string{dig}, "s...", nil},
		{"a mark without a commit", 1, "c...", []string{lay}, "cc..", nil},
		{"committed before, and pulled since", 2, "....", []string{dig}, "c...", nil},
		{"tests alone are not all", 1, "c...", []string{dig, "test(03-01): the grate bears"}, "ci..", nil},
		{"taken back", 1, "....", []string{dig, `Revert "` + dig + `"`}, "....", nil},
		{"on a branch", 1, "....", []string{"side > " + dig, "feat: x"}, "....", nil},
		{"only seems begun", 1, "....", []string{"feat(03-01): Task 9: read the scheme | src/grate.go"}, "....", []string{perhaps(2)}},
		{"only seems begun, and set back since", 2, "cp..", []string{"feat(03-01): Task 9: read the scheme | src/grate.go"}, "c...", nil},
		{"another plan's", 1, "....", []string{"feat(03-02): dig the deep hollow"}, "....", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := kilnProject(t, kiln)
			p.StateDir = session.StateDir(t.TempDir())
			sessionAt(t, p, test.began, test.statuses)
			commits(t, p, "", false, test.commits...)
			before := takePicture(t, p.Dir)
			got, drifts := counted(t, p)
			if got != test.want || !slices.Equal(drifts, test.drifts) {
				t.Errorf("%s, %q; want %s, %q", got, drifts, test.want, test.drifts)
			}
			if after := takePicture(t, p.Dir); !maps.Equal(after, before) {
				t.Error("it wrote something:", after)
			}
			write(t, filepath.Join(p.Dir, ".git", "HEAD"), "nonsense\n")
			if got, drifts := counted(t, p); got != strings.ReplaceAll(test.statuses, "p", ".") || drifts != nil {
				t.Errorf("without a HEAD: %s, %q", got, drifts)
			}
		})
	}
}

// TestCurrentTask: which task is meant by "done", after marks that were made so many minutes after the first commit; each other commit comes
// a minute after the one before.
func TestCurrentTask(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		marked   int
		statuses string
		commits  []string
		want     int
		refused  problem.Kind
	}{
		{"the first", 1, "....", nil, 1, 0},
		{"the first that is open", 1, "csc.", nil, 4, 0},
		{"the one in progress", 1, "...i", nil, 4, 0},
		{"a checkpoint", 1, "..i.", nil, 0, problem.Usage},
		{"one of several", 1, "i.i.", nil, 0, problem.Usage},
		{"none is left", 1, "ccsc", nil, 0, problem.MissingInput},
		{"what was committed last", 1, "....", []string{dig, lay}, 2, 0},
		{"what was committed after a mark", 1, "p...", []string{lay}, 2, 0},
		{"what was committed before a mark", 5, "p...", []string{lay}, 1, 0},
		{"all was committed", 1, "..c.", []string{dig, lay, raise}, 4, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := kilnProject(t, kiln)
			p.StateDir = session.StateDir(t.TempDir())
			sessionAt(t, p, 1, "")
			sessionAt(t, p, test.marked, test.statuses)
			commits(t, p, "", false, test.commits...)
			p.Forget()
			done, err := apptest.At(p, planned.Add(time.Hour)).Mark(t.Context(), app.MarkOptions{User: "ada", Current: true, Status: planfile.Complete, Wait: time.Minute})
			switch {
			case test.refused != 0:
				wantKind(t, err, test.refused)
			case err != nil || done.Task.Number != test.want:
				t.Errorf("%+v, %v; want task %d", done, err, test.want)
			}
		})
	}
}

// TestMarkKeepsTheClock: a mark on a task with a commit of a later time has a later one, too, but the command's own time stays as it is.
func TestMarkKeepsTheClock(t *testing.T) {
	t.Parallel()
	p := kilnProject(t, kiln)
	p.StateDir = session.StateDir(t.TempDir())
	sessionAt(t, p, 1, "....")
	commits(t, p, "", false, dig)
	p.Forget()
	at := planned
	if _, err := apptest.At(p, at).Mark(t.Context(), app.MarkOptions{User: "ada", Number: 1, Status: planfile.Pending, Wait: time.Minute}); err != nil {
		t.Fatal(err)
	}
	r, err := p.Hydrate("ada")
	if err != nil || !p.Now.Equal(at) || !p.Stamped("ada", r.Written(), r.Changed)[0].Set.After(at) {
		t.Errorf("at %v: %+v, %v", p.Now, r, err)
	}
}

// TestCommitsCountAlike: with a session on which nobody has marked anything, the tasks are as far as without one.
func TestCommitsCountAlike(t *testing.T) {
	t.Parallel()
	rapid.Check(testenv.Laws(t), func(rt *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{
			dig, lay, raise, "test(03-01): the grate bears", "fix(03-01): dig the deep hollow", "feat: a hole | src/pit.go", "feat(03-01): go on", `Revert "` + dig + `"`, "wip(03-01): lay the grate",
		}), 0, 5).Draw(rt, "commits")
		without, with := kilnProject(t, kiln), kilnProject(t, kiln)
		sessionAt(t, with, 1, "....")
		commits(t, without, "", false, lines...)
		commits(t, with, "", false, lines...)
		want := ""
		for _, task := range preview(t, reopen(t, without.Dir)).Tasks {
			want += string(letterOf[task.Status])
		}
		if got, _ := counted(t, reopen(t, with.Dir)); got != want {
			rt.Fatalf("%s with a session, and %s without: %q", got, want, lines)
		}
	})
}

// TestCommitsAreHidden: plans that are not in git have commits, too.
func TestCommitsAreHidden(t *testing.T) {
	t.Parallel()
	p := kilnProject(t, kiln)
	sessionAt(t, p, 2, "c..c")
	commits(t, p, "", true, "feat: x", lay, raise)
	if got, drifts := counted(t, p); got != "cc.c" || drifts != nil {
		t.Errorf("%s, %q", got, drifts)
	}
}

// TestCommitsOfNothing: where there is nothing to compare the session says how far it is, and it is never an error.
func TestCommitsOfNothing(t *testing.T) {
	t.Parallel()
	p := kilnProject(t, kiln)
	says := func(what, want string) {
		t.Helper()
		if got, drifts := counted(t, p); got != want || drifts != nil {
			t.Errorf("%s: %s, %q; want %s", what, got, drifts, want)
		}
	}
	says("no session", "")
	sessionAt(t, p, 1, "c...")
	says("no git", "c...")
	commits(t, p, "", false, lay)
	says("a commit", "cc..")
	session := filepath.Join(p.Dir, ".planning", "sessions", "ada", "current-plan.md")
	text := readText(t, session)
	write(t, session, strings.Replace(text, "<!-- Started: ", "<!-- Begun: ", 1))
	says("no time of beginning", "cc..")
	write(t, session, "nonsense\n")
	says("corrupt", "?")
	write(t, session, text)

	// Take away each object in turn: whatever is missing, nothing fails and nothing false is said.
	objects, err := filepath.Glob(filepath.Join(p.Dir, ".git", "objects", "??", "*"))
	if err != nil || len(objects) < 5 {
		t.Fatal(objects, err)
	}
	for _, object := range objects {
		whole := readText(t, object)
		replaceFile(t, object, "nonsense")
		if got, drifts := counted(t, p); drifts != nil || got != "c..." && got != "cc.." {
			t.Errorf("without %s: %s, %q", filepath.Base(object), got, drifts)
		}
		replaceFile(t, object, whole)
	}
	git(t, p.Dir, "", "symbolic-ref", "HEAD", "refs/heads/unborn")
	says("an unborn branch", "c...")
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
