package verdict_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestRenewMakesNothing: the session's directory was taken away under a run, and stays away.
func TestRenewMakesNothing(t *testing.T) {
	p, _ := newWorld(t)
	bootstrap(t, p)
	run := startRun(t, as(p, agentCaller("a", 200)), now).Run.ID
	p.RenewRun(t.Context(), user, run, 0, now.Add(time.Minute))
	if its := holder(p); !its.Seen.Equal(now.Add(time.Minute)) {
		t.Errorf("%+v", its)
	}
	lose(t, p)
	p.RenewRun(t.Context(), user, run, 0, now.Add(2*time.Minute))
	if _, err := os.Stat(filepath.Join(p.Dir, ".planning/sessions")); !os.IsNotExist(err) {
		t.Errorf("it made a directory: %v", err)
	}
	// Nor is the lease of another run kept for it.
	startRun(t, as(p, agentCaller("b", 100)), now)
	p.RenewRun(t.Context(), user, run, 0, now.Add(3*time.Minute))
	if its := holder(p); !its.Seen.Equal(now) {
		t.Errorf("%+v", its)
	}
}
