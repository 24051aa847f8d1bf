package work

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// Unlocked is what Unlock did.
type Unlocked struct {
	Unlocked bool              `json:"unlocked"`           // false if there was no lease
	From     *run.Run          `json:"from"`               // the run that held the lease; null if there was none, or it is not known
	Claim    string            `json:"claim" empty:"null"` // the plan whose claim ends at the next gsd sync; null for none
	Warnings []project.Warning `json:"warnings"`           // what a person should know
}

// Unlock drops the lease of a run that is over or is the caller's own, and with force that of one that may be alive. It does
// not end the run: gsd run end and gsd run sweep do.
func Unlock(ctx context.Context, p *verdict.Project, user string, force bool, now time.Time, wait time.Duration,
) (*Unlocked, error) {
	if !p.HasDirectory(user) {
		return &Unlocked{}, nil
	}
	done := &Unlocked{}
	err := p.WithRuns(ctx, user, wait, now, func(c *verdict.RunChange) (err error) {
		done.Warnings = withoutLease(c.Warned)
		defer func() {
			if err == nil {
				done.Claim = team.Release(p, c.Locked, user, now)
			}
		}()
		if h := c.Holder; h != nil && h.MayLive() && !h.Own && !force {
			return verdict.RunFailed(&run.BusyError{Run: h})
		}
		if _, err := c.Files.Lease(); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		done.Unlocked = true
		if done.From = c.Holder; c.Holder != nil { // without its lease, nothing else says which conversation must not be resumed
			_, _ = c.Files.Forget(c.Conversations(c.Holder)...)
		}
		if err := c.Files.DropLease(); err != nil {
			return err
		}
		p.KeepRun(c.Report, now)
		return nil
	})
	if err != nil {
		return nil, err
	}
	done.Warnings = p.Warnings(done.Warnings)
	return done, nil
}

// withoutLease drops the warnings about a lease file that has been replaced or removed.
func withoutLease(warnings []project.Warning) []project.Warning {
	return slices.DeleteFunc(warnings, func(w project.Warning) bool { return w.Code == verdict.LeaseProblem })
}
