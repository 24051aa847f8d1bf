package app_test

import (
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/planfile"
)

// TestAtWork: a conversation without the lease is named as long as it is fresh or works on a task.
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
		for after, want := range map[time.Duration]int{time.Minute: 1, 2 * time.Hour: 1} {
			r, err := apptest.At(as(p, run.Caller{}), now.Add(after)).HydrateAll(user)
			if marked {
				want = 2
			}
			if err != nil || len(r.AtWork) != want || !r.AtWork[0].Holds {
				t.Errorf("marked %v, after %v: %+v, %v", marked, after, r.AtWork, err)
			}
		}
	}
}
