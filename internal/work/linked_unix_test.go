//go:build unix

package work_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/work"
	"github.com/gsd-cli/gsd/planfile"
)

// TestLinkedFilesAreRefused: somebody has put a hard link to a file elsewhere into the place of one that gsd changes in
// place. Nothing is changed, here or there.
func TestLinkedFilesAreRefused(t *testing.T) {
	p, _ := newWorld(t)
	bootstrap(t, p)
	victim := filepath.Join(t.TempDir(), "victim")
	write(t, victim, "precious")
	link := func(name string) {
		t.Helper()
		os.Remove(filepath.Join(p.Dir, name))
		if err := os.Link(victim, filepath.Join(p.Dir, name)); err != nil {
			t.Skip("no hard links here:", err)
		}
	}
	link(journalPath)
	_, err := work.StartRun(t.Context(), as(p, agentCaller("a", 200)).Project, work.StartOptions{User: user, Now: now})
	wantKind(t, err, hydrate.Refused)
	if _, err := os.Lstat(filepath.Join(p.Dir, leasePath)); !os.IsNotExist(err) {
		t.Errorf("a run that has not begun has the lease: %v", err)
	}
	mark(t, p, 1, planfile.Complete) // which has nothing to do with the journal

	os.Remove(filepath.Join(p.Dir, journalPath))
	link(sessionsPath + "/.guard")
	before := textOfFile(p, sessionPath)
	_, err = p.Mark(t.Context(), hydrate.MarkOptions{User: user, Number: 2, Status: planfile.Complete, Now: now, Wait: time.Minute})
	if err != nil { // with a guard of its own
		t.Error(err)
	}
	if textOfFile(p, sessionPath) == before {
		t.Error("the session was not changed")
	}
	if text, err := os.ReadFile(victim); err != nil || string(text) != "precious" {
		t.Errorf("%q, %v", text, err)
	}
}
