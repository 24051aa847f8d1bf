//go:build unix

package app_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/planfile"
)

// TestLinkedFilesStay: somebody has put a hard link to a file elsewhere into the place of one that gsd changes. The file elsewhere is not
// changed.
func TestLinkedFilesStay(t *testing.T) {
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
	link(runsPath)
	if run := startRun(t, as(p, agentCaller("a", 200)), now).Run; holder(p).ID != run.ID {
		t.Errorf("%+v has no record", run)
	}
	link(sessionsPath + "/.guard")
	before := textOfFile(p, sessionPath)
	_, err := p.Mark(t.Context(), app.MarkOptions{User: user, Number: 2, Status: planfile.Complete, Wait: time.Minute})
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
