package app_test

import (
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/planfile"
)

// TestAtWork: a conversation that only started is not at work, and the one that marks a task is.
func TestAtWork(t *testing.T) {
	for _, marked := range []bool{false, true} {
		p, m := newWorld(t)
		bootstrap(t, p)
		m.Self.PID = 0
		hydrateStarting(t, as(p, agentCaller("a", 200)))
		hydrateStarting(t, as(p, agentCaller("b", 100)))
		if marked {
			if _, err := p.Mark(t.Context(), app.MarkOptions{User: user, Number: 1, Status: planfile.InProgress}); err != nil {
				t.Fatal(err)
			}
		}
		for _, after := range []time.Duration{time.Minute, 2 * time.Hour} {
			r, err := apptest.At(as(p, run.Caller{}), now.Add(after)).HydrateAll(user)
			if err != nil || (len(r.AtWork) == 1) != marked || marked && (!r.AtWork[0].Holds || !r.AtWork[0].Marked) {
				t.Errorf("marked %v, after %v: %+v, %v", marked, after, r.AtWork, err)
			}
		}
	}
}
