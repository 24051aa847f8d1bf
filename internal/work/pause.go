package work

import (
	"time"

	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// PauseOwn records that the caller's own run is paused, because its session is archived, with the guard held. It returns the run, nil if
// the caller has none, or gsd exec will see how that ends.
func PauseOwn(p *verdict.Project, c *verdict.RunChange, now time.Time) (*run.Run, error) {
	its := c.Mine()
	if its == nil || its.Supervised {
		return nil, nil
	}
	done, err := endRun(p, c, EndOptions{Run: its.ID, Status: run.Paused, Cause: run.CauseUser, Now: now})
	if err != nil {
		return nil, err
	}
	return &done.Run, nil
}
