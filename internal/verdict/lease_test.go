package verdict_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/apptest"
)

// TestRenewMakesNothing: the session's directory was taken away under a run, and stays away.
func TestRenewMakesNothing(t *testing.T) {
	p, _ := newWorld(t)
	bootstrap(t, p)
	run := startRun(t, as(p, agentCaller("a", 200)), now).Run.ID
	apptest.At(p, now.Add(time.Minute)).RenewRun(t.Context(), user, run, 0)
	if record := holder(p); !record.Seen.Equal(now.Add(time.Minute)) {
		t.Errorf("%+v", record)
	}
	lose(t, p)
	apptest.At(p, now.Add(2*time.Minute)).RenewRun(t.Context(), user, run, 0)
	if _, err := os.Stat(filepath.Join(p.Dir, ".planning/sessions")); !os.IsNotExist(err) {
		t.Errorf("it made a directory: %v", err)
	}
	// Nor is the lease of another run kept for it.
	startRun(t, as(p, agentCaller("b", 100)), now)
	apptest.At(p, now.Add(3*time.Minute)).RenewRun(t.Context(), user, run, 0)
	if record := holder(p); !record.Seen.Equal(now) {
		t.Errorf("%+v", record)
	}
}
