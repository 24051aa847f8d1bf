package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/planfile"
)

// A session larger than what is read again would lock its user out.
func TestSessionThatCouldNotBeReadAgain(t *testing.T) {
	p := newProject(t)
	info, err := os.Stat(filepath.Join(p.Dir, filepath.FromSlash(planPath)))
	if err != nil {
		t.Fatal(err)
	}
	p.Planning.Limit = info.Size()
	_, err = apptest.At(p, time.Unix(0, 0)).Bootstrap(t.Context(), app.BootstrapOptions{User: "ada", Plan: planPath})
	wantKind(t, err, problem.Refused)
	if r, err := p.Hydrate("ada"); err != nil || r.Verdict != answer.None {
		t.Errorf("then hydrate: %+v, %v", r, err)
	}

	p.Planning.Limit = project.DefaultLimit
	bootstrap(t, p)
	session := filepath.Join(p.Dir, ".planning", "sessions", "ada", "current-plan.md")
	before, err := os.ReadFile(session)
	if err != nil {
		t.Fatal(err)
	}
	p.Planning.Limit = int64(len(before))
	_, err = p.Mark(t.Context(), app.MarkOptions{User: "ada", Number: 1, Status: planfile.InProgress})
	wantKind(t, err, problem.Refused)
	if after, err := os.ReadFile(session); err != nil || string(after) != string(before) {
		t.Errorf("the session changed: %v", err)
	}
}

// TestBootstrapOverAnUnreadableSession: one that is too large is in nobody's way, and is kept.
func TestBootstrapOverAnUnreadableSession(t *testing.T) {
	p := newProject(t)
	bootstrap(t, p)
	session := filepath.Join(p.Dir, sessionPath)
	if err := os.Truncate(session, 20<<30); err != nil {
		t.Skip("no sparse files here:", err)
	}
	_, err := p.Bootstrap(t.Context(), app.BootstrapOptions{User: "ada", Plan: planPath})
	wantKind(t, err, problem.Refused)
	if err == nil || !strings.Contains(err.(*problem.Error).Hint, "--fresh") {
		t.Errorf("%+v", err)
	}
	done, err := p.Bootstrap(t.Context(), app.BootstrapOptions{User: "ada", Plan: planPath, Fresh: true})
	if err != nil || done.Verdict != answer.Resume || done.Was != answer.Corrupt || done.Archived == "" || len(done.Carried)+len(done.Left) > 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	if info, err := os.Stat(filepath.Join(p.Dir, done.Archived)); err != nil || info.Size() != 20<<30 {
		t.Errorf("%+v, %v", info, err)
	}
}
