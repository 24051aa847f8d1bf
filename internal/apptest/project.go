// Package apptest has what the tests of app and of the packages around it share: projects on disk, a made-up machine, and processes that
// carry out commands and are killed. Only tests import it.
package apptest

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// The plan of NewProject, one that a test may lay out beside it, and the files of the user's session.
const (
	PlanPath     = ".planning/phases/03-api/03-01-PLAN.md"
	SecondPlan   = ".planning/phases/03-api/03-02-PLAN.md"
	SessionsPath = ".planning/sessions/" + User
	SessionPath  = SessionsPath + "/current-plan.md"
	RunsPath     = SessionsPath + "/runs.json"
)

// NewProject lays out a project with one plan of three tasks and opens it.
func NewProject(t *testing.T) *app.Project {
	t.Helper()
	dir := t.TempDir()
	Write(t, filepath.Join(dir, filepath.FromSlash(PlanPath)), TasksOf("A", "B", "C"))
	return Reopen(t, dir)
}

// NewWorld is NewProject with a state directory and the machine of the tests. The caller is a person's shell. All
// of it is a test's own, never the live records.
func NewWorld(t *testing.T) (*app.Project, *Machine) {
	t.Helper()
	p, m := NewProject(t), NewMachine()
	p.StateDir, p.Processes = session.StateDir(filepath.Join(t.TempDir(), "state")), m
	return p, m
}

// ProjectOf lays out a project and opens it: files below .planning by name; the content of a plan is its front
// matter.
func ProjectOf(t *testing.T, files map[string]string) *app.Project {
	t.Helper()
	dir := planningDir(t)
	for name, text := range files {
		if strings.HasSuffix(name, "PLAN.md") {
			text = OnePlan(text)
		}
		Write(t, filepath.Join(dir, ".planning", filepath.FromSlash(name)), text)
	}
	return Reopen(t, dir)
}

// FilesIn gives each of some names an empty file.
func FilesIn(names string) map[string]string {
	files := map[string]string{}
	for _, name := range strings.Fields(names) {
		files[name] = ""
	}
	return files
}

// TasksOf is a plan of tasks.
func TasksOf(names ...string) string {
	var plan strings.Builder
	for _, name := range names {
		plan.WriteString("<task type=\"auto\">\n  <name>" + name + "</name>\n</task>\n")
	}
	return plan.String()
}

// OnePlan is a plan of two tasks, below the lines of a front matter.
func OnePlan(front string) string {
	return "---\n" + front + "\n---\n\n" + TasksOf("One", "Two")
}

func planningDir(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, planref.Planning), 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Reopen opens a project as the next command does, at the time of the tests.
func Reopen(t *testing.T, dir string) *app.Project {
	t.Helper()
	p, err := app.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	p.Now = Now
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// At sets the clock of a project, for all that follows.
func At(p *app.Project, now time.Time) *app.Project {
	p.Now = now
	return p
}

// Write writes a file, and makes its directory.
func Write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TextOfFile is a file of the project, "" where there is none.
func TextOfFile(p *app.Project, name string) string {
	text, _ := os.ReadFile(filepath.Join(p.Dir, filepath.FromSlash(name)))
	return string(text)
}

// WantKind holds an error against the promise of all packages: an *Error, of this kind, with a hint.
func WantKind(t *testing.T, err error, kind problem.Kind) {
	t.Helper()
	var e *problem.Error
	if !errors.As(err, &e) || e.Kind != kind || e.Hint == "" && e.Do == nil || e.Text == "" {
		t.Errorf("error %#v, want one of kind %d with a hint", err, kind)
	}
}

// KindOfError is 0 where there is no error.
func KindOfError(err error) problem.Kind {
	if failed, ok := err.(*problem.Error); ok { //nolint:errorlint // the very error
		return failed.Kind
	}
	return 0
}

// Bootstrap begins a session on the plan of NewProject.
func Bootstrap(t *testing.T, p *app.Project) *app.Bootstrapped {
	t.Helper()
	defer func(now time.Time) { p.Now = now }(p.Now)
	b, err := At(p, time.Unix(0, 0)).Bootstrap(t.Context(), app.BootstrapOptions{User: User, Plan: PlanPath, Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// BootstrapAt begins a session with --fresh.
func BootstrapAt(t *testing.T, p *app.Project, plan string, at time.Time) *app.Bootstrapped {
	t.Helper()
	done, err := At(p, at).Bootstrap(t.Context(), app.BootstrapOptions{User: User, Plan: plan, Fresh: true})
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// StartOn gives a user a session on a plan below .planning, with some of its first tasks complete.
func StartOn(t *testing.T, p *app.Project, user, plan string, done int) {
	t.Helper()
	defer func(now time.Time) { p.Now = now }(p.Now)
	if _, err := At(p, time.Unix(1e9, 0)).Bootstrap(t.Context(), app.BootstrapOptions{User: user, Plan: ".planning/" + plan, Wait: time.Minute}); err != nil {
		t.Fatal(err)
	}
	for n := range done {
		if _, err := p.Mark(t.Context(), app.MarkOptions{User: user, Number: n + 1, Status: planfile.Complete, Wait: time.Minute}); err != nil {
			t.Fatal(err)
		}
	}
}

// Mark marks a task of the session.
func Mark(t *testing.T, p *app.Project, number int, status planfile.Status) *app.Marked {
	t.Helper()
	done, err := p.Mark(t.Context(), app.MarkOptions{User: User, Number: number, Status: status})
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// Lose is git clean -fdx.
func Lose(t *testing.T, p *app.Project) {
	t.Helper()
	p.Forget()
	if err := os.RemoveAll(filepath.Join(p.Dir, ".planning/sessions")); err != nil {
		t.Fatal(err)
	}
}

// LostSessions are those of all projects.
func LostSessions(t *testing.T, p *app.Project, at time.Time) []answer.LostSession {
	t.Helper()
	list, err := history.Lost(At(p, at).World)
	if err != nil {
		t.Fatal(err)
	}
	return list.Lost
}

// RestoreByID restores the lost session of an id, as gsd restore ID does.
func RestoreByID(ctx context.Context, w verdict.World, id string, o app.RestoreOptions) (*app.Restored, error) {
	o.ID = id
	return app.RestoreByID(ctx, w, o)
}

// CrumbsOf are all breadcrumbs, but for those that only say when the tasks of an archive were set.
func CrumbsOf(t *testing.T, p *app.Project) []session.Crumb {
	t.Helper()
	all, err := p.StateDir.Crumbs("")
	if err != nil || len(all.Bad) > 0 {
		t.Fatal(all, err)
	}
	return slices.DeleteFunc(all.Good, func(c session.Crumb) bool { return c.Continued })
}

// Statuses are the names and statuses of a breadcrumb's tasks.
func Statuses(c session.Crumb) string {
	var words []string
	for _, t := range c.Tasks {
		words = append(words, t.Name+" "+string(t.Status))
	}
	return strings.Join(words, ", ")
}

// Assessed is what gsd restore --list says.
func Assessed(t *testing.T, p *app.Project, at time.Time) *answer.Recovery {
	t.Helper()
	p.Forget()
	r, err := p.Hydrate(User)
	if err != nil {
		t.Fatal(err)
	}
	return Recovery(p, r, at)
}

// Recovery is what was left unfinished, for a report that stays as it is.
func Recovery(p *app.Project, r *answer.Report, at time.Time) *answer.Recovery {
	late := *r
	At(p, at).Gather(&late, answer.Unfinished)
	return late.Recovery
}

// CommitAll makes a commit of all there is but sessions, n minutes after noon of a day in 2026.
func CommitAll(t *testing.T, p *app.Project, n int, subject string) {
	t.Helper()
	p.Forget()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program to make a history with")
	}
	when := time.Date(2026, 3, 6, 12, n, 0, 0, time.UTC).Format(time.RFC3339)
	calls := [][]string{{"add", "-A", "--", ".", ":!.planning/sessions"}, {"commit", "-q", "--allow-empty", "-m", subject}}
	if _, err := os.Stat(filepath.Join(p.Dir, ".git")); err != nil {
		calls = slices.Insert(calls, 0, []string{"init", "-q", "-b", "main"})
	}
	for _, args := range calls {
		cmd := exec.Command("git", args...)
		cmd.Dir = p.Dir
		cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") }),
			"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@x", "GIT_COMMITTER_NAME=A",
			"GIT_COMMITTER_EMAIL=a@x", "GIT_AUTHOR_DATE="+when, "GIT_COMMITTER_DATE="+when)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// Allocated counts the bytes that do allocates: work that is done again and again shows in them.
func Allocated(do func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}
