package verdict_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
)

// TestUntouched: completing a task of which nothing was done since it was started warns, unless there is any doubt.
func TestUntouched(t *testing.T) {
	t.Parallel()
	commitNow := func(subject string) func(*testing.T, *app.Project) {
		return func(t *testing.T, p *app.Project) { commitAll(t, p, 5, subject) }
	}
	later := func(name string) func(*testing.T, *app.Project) {
		return func(t *testing.T, p *app.Project) {
			file := filepath.Join(p.Dir, filepath.FromSlash(name))
			write(t, file, "changed")
			if err := os.Chtimes(file, now.Add(time.Hour), now.Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, test := range []struct {
		name   string
		task   string // what the plan says of it
		before func(*testing.T, *app.Project)
		begins bool // somebody sets it in progress
		then   func(*testing.T, *app.Project)
		want   bool
	}{
		{name: "nothing was done", task: "<files>a.go</files>", begins: true, want: true},
		{name: "its file was never made", task: "<files>`new.go` (NEW)</files>", begins: true, want: true},
		{name: "never set in progress", task: "<files>a.go</files>"},
		{name: "a commit", task: "<files>a.go</files>", begins: true, then: commitNow("chore: x")},
		{name: "a commit before it was begun", task: "<files>a.go</files>", before: commitNow("feat(03-01): dig the deep hollow"), begins: true},
		{name: "a change", task: "<files>a.go b.go</files>", begins: true, then: later("b.go")},
		{name: "a change before it was begun", task: "<files>a.go</files>", before: func(t *testing.T, p *app.Project) { write(t, filepath.Join(p.Dir, "a.go"), "other") }, begins: true},
		{name: "a new file that git ignores", task: "<files>out/x.bin</files>", begins: true, then: later("out/x.bin")},
		{name: "a change elsewhere", task: "<files>a.go</files>", begins: true, then: later("c.go"), want: true},
		{name: "no files", task: "<action>check that it runs</action>", begins: true},
		{name: "a note in place of files", task: "<files>none (verification)</files>", begins: true},
		{name: "a directory", task: "<files>src/</files>", begins: true},
		{name: "a pattern", task: "<files>a.go, src/*.go</files>", begins: true},
		{name: "outside", task: "<files>../a.go</files>", begins: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for _, kind := range []string{"auto", "checkpoint:human-verify"} {
				p := apptest.NewProject(t)
				p.StateDir = session.StateDir(t.TempDir())
				write(t, filepath.Join(p.Dir, planPath), "<task type=\""+kind+"\"><name>Task 1: Dig the deep hollow</name>"+test.task+"</task>\n<task><name>Task 2: Lay the grate</name></task>\n")
				for _, name := range []string{"a.go", "src/b.go", ".gitignore"} {
					write(t, filepath.Join(p.Dir, name), "out/\n")
				}
				commitAll(t, p, 0, "docs: plan")
				if test.before != nil {
					test.before(t, p)
				}
				old := now.Add(-time.Hour)
				for _, name := range []string{"a.go", "src/b.go"} {
					if err := os.Chtimes(filepath.Join(p.Dir, name), old, old); err != nil {
						t.Fatal(err)
					}
				}
				if _, err := apptest.At(p, now).Bootstrap(t.Context(), app.BootstrapOptions{User: user, Plan: planPath}); err != nil {
					t.Fatal(err)
				}
				mark := func(status planfile.Status, at time.Time) *app.Marked {
					again := reopen(t, p.Dir)
					again.World = p.World
					done, err := apptest.At(again, at).Mark(t.Context(), app.MarkOptions{User: user, Number: 1, Status: status})
					if err != nil {
						t.Fatal(err)
					}
					return done
				}
				if test.begins {
					mark(planfile.InProgress, now)
				}
				if test.then != nil {
					test.then(t, p)
				}
				done := mark(planfile.Complete, now.Add(2*time.Hour))
				told := slices.ContainsFunc(done.Warnings, func(w problem.Warning) bool { return w.Code == answer.TaskUntouched && w.Task == 1 })
				if want := test.want && kind == "auto"; told != want {
					t.Errorf("%s: told %v, want %v: %+v", kind, told, want, done.Warnings)
				}
				if done.Task.Status != planfile.Complete || !done.Changed() {
					t.Errorf("it is not marked: %+v", done.Task)
				}
				if mark(planfile.Complete, now.Add(3*time.Hour)).ExtraWarnings != nil {
					t.Error("who marks it once more is told something")
				}
			}
		})
	}
}
