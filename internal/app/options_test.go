package app_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/planfile"
)

// What a mark may not be is an error, with nothing changed.
func TestMarkRefuses(t *testing.T) {
	p := newProject(t)
	bootstrap(t, p)
	before := textOfFile(p, sessionPath)
	for _, o := range []app.MarkOptions{
		{Number: 1, Status: `x" status="complete`},
		{Number: 1, Status: "banana"},
		{Number: 1},
		{Number: 1, Status: "done"},
		{Status: planfile.Complete},
		{Number: -1, Status: planfile.Complete},
		{Number: 1 << 30, Status: planfile.Complete},
		{Number: 1, Current: true, Status: planfile.Complete},
	} {
		o.User = user
		_, err := p.Mark(t.Context(), o)
		if _, ok := errors.AsType[*problem.Error](err); !ok {
			t.Errorf("%+v: %v", o, err)
		}
		if now := textOfFile(p, sessionPath); now != before {
			t.Fatalf("%+v changed the session", o)
		}
	}
}

// Options of any strings lead to an error with nothing changed, or change the status of the named task alone.
func TestMarkOfAnyStrings(t *testing.T) {
	p := newProject(t)
	bootstrap(t, p)
	rapid.Check(testenv.Laws(t), func(rt *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			user, "complete", "pending", "in-progress", "skipped", "", "..", "../x", "a/b", "a\nb", `complete"`, "Complete", "\x00",
		}))
		o := app.MarkOptions{
			User: text.Draw(rt, "user"), Number: rapid.IntRange(-2, 5).Draw(rt, "number"), Status: planfile.Status(text.Draw(rt, "status")),
		}
		if rapid.Bool().Draw(rt, "own") {
			o.User = user
		}
		before := planfile.Parse([]byte(textOfFile(p, sessionPath)))
		files := everyFile(t, p.Dir)
		_, err := p.Mark(t.Context(), o)
		after := planfile.Parse([]byte(textOfFile(p, sessionPath)))
		for i := range before.Tasks {
			is, was := after.Tasks[i].Status, before.Tasks[i].Status
			if meant := err == nil && o.Number == i+1; !meant && is != was || meant && is != o.Status {
				rt.Fatalf("%+v (%v): task %d is %q, was %q", o, err, i+1, is, was)
			}
		}
		if now := everyFile(t, p.Dir); err != nil && len(now) != len(files) {
			rt.Fatalf("%+v made files: %v", o, now)
		}
	})
}

// The plan to start on is a plan of the project, whatever an outsider calls it.
func TestBootstrapRefuses(t *testing.T) {
	p := newProject(t)
	outside := filepath.Join(p.Dir, "PLAN.md")
	if err := os.WriteFile(outside, []byte("<task>Outside</task>\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, o := range []app.BootstrapOptions{
		{Plan: "PLAN.md"},
		{Plan: "../PLAN.md"},
		{Plan: outside},
		{Plan: ".planning/../PLAN.md"},
		{Plan: planPath + "\n"},
		{Plan: ".planning"},
		{User: "../x", Plan: planPath},
		{User: "a/b", Plan: planPath},
		{User: "a\nb", Plan: planPath},
		{User: "..", Plan: planPath},
	} {
		if o.User == "" {
			o.User = user
		}
		if _, err := p.Bootstrap(t.Context(), o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
		if _, err := os.Stat(filepath.Join(p.Dir, filepath.FromSlash(sessionPath))); err == nil {
			t.Fatalf("%+v made a session", o)
		}
	}
}

// Options without a time mean now, and a project that was just opened has a state directory, so that what is lost comes back.
func TestZeroOptions(t *testing.T) {
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	dir := newProject(t).Dir
	open := func() *app.Project {
		p, err := app.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.Close() })
		return p
	}
	p := open()
	began := time.Now().Add(-time.Minute)
	started, err := p.Bootstrap(t.Context(), app.BootstrapOptions{User: user, Plan: planPath})
	if err != nil {
		t.Fatal(err)
	}
	if started.Started.Before(began) {
		t.Errorf("started %s", started.Started)
	}
	if _, err := p.Mark(t.Context(), app.MarkOptions{User: user, Number: 1, Status: planfile.Complete}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, filepath.FromSlash(sessionPath))); err != nil {
		t.Fatal(err)
	}
	back, err := open().RestoreHere(t.Context(), app.RestoreOptions{User: user})
	if err != nil || progress.Count(back.Tasks, planfile.Complete) != 1 {
		t.Errorf("%+v, %v", back, err)
	}
}

// everyFile lists the files below a directory.
func everyFile(t *testing.T, dir string) (names []string) {
	t.Helper()
	if err := filepath.WalkDir(dir, func(name string, _ os.DirEntry, err error) error {
		names = append(names, name)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return names
}
