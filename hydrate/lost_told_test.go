package hydrate_test

import (
	"testing"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/hydratetest"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/work"
	"github.com/gsd-cli/gsd/planfile"
)

// TestLostTold: a lost session is told of for seven days from when its loss was first shown, and listed after that, too.
func TestLostTold(t *testing.T) {
	p := newProject(t)
	bootstrap(t, p)
	mark(t, p, 1, planfile.Complete)
	hydratetest.Lose(t, p)
	told := func(after time.Duration) int { return len(hydratetest.Assessed(t, p, now.Add(after)).Lost) }
	if told(0) != 1 || told(1000*time.Hour) != 1 {
		t.Error("nobody was told of it yet, and now nobody is")
	}
	r, err := work.HydrateStarting(t.Context(), p.Project, work.StartOptions{User: user, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	p.Gather(r, hydrate.Everything, now)
	p.Record(r, now)
	if told(session.CrumbLife) != 1 || told(session.CrumbLife+time.Second) != 0 {
		t.Error("it is not told of for seven days")
	}
	if list := hydratetest.LostSessions(t, p, now.Add(1000*time.Hour)); len(list) != 1 || !list[0].Expired {
		t.Errorf("%+v", list)
	}
}
