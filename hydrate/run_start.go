package hydrate

import (
	"context"
	"errors"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/run"
)

// StartOptions says how to start a run.
type StartOptions struct {
	User  string
	TTL   time.Duration // 0 for the run's own, else run.DefaultTTL
	Force bool          // take the lease even if another run holds it
	Join  bool          // continue the holder's run if the caller descends from it
	// Supervised means that the caller lives as long as the run, and sees how it ends.
	Supervised bool
	Now        time.Time
	Wait       time.Duration // how long to wait for the guard
}

// Started is what StartRun did.
type Started struct {
	Run        run.Run   `json:"run"`        // the run that holds the lease now
	Token      string    `json:"token"`      // the value of GSD_RUN for the run's own programs
	Reentered  bool      `json:"reentered"`  // the run had started before, and continues
	From       *run.Run  `json:"from"`       // the run whose lease was taken over; null if the lease was free or the run continues
	Superseded []run.Run `json:"superseded"` // earlier runs of the same process, which end with this start
	Warnings   []Warning `json:"warnings"`   // what a person should know
	InProgress []int     `json:"-"`          // tasks that were in progress before
}

// StartRun takes the lease of the user's session for the caller's agent. A run that is started again continues. The lease of
// a dead run is taken over, and so is that of a run that cannot be checked from here, once its time to live is over. If the
// holder may be alive, the error is of kind Busy and names it.
func (p *Project) StartRun(ctx context.Context, o StartOptions) (*Started, error) {
	return p.startRun(ctx, o, nil)
}

// HydrateStarting is Hydrate at the start of a conversation, which it also records as a run. The report shows the session and
// its runs as they were before, because the new run takes the lease of a dead one. busy names the run at work if the new one
// did not get the lease. If nothing can be written, only the record is missing.
func (p *Project) HydrateStarting(ctx context.Context, o StartOptions) (r *Report, busy, err error) {
	var before Report
	var stamp durable.Stamp
	_, failed := p.startRun(ctx, o, func(c *runChange) {
		if c.unread == nil {
			before, stamp = *c.report, c.was
			before.files = c.files.Snapshot()
		}
	})
	if known, ok := errors.AsType[*Error](failed); ok && known.Kind == Busy {
		busy = known
	}
	if before.files == nil {
		r, err = p.Hydrate(o.User)
		return r, busy, err
	}
	return p.hydrated(&before, stamp), busy, nil
}

// startRun is StartRun, but first calls look, unless it is nil.
func (p *Project) startRun(ctx context.Context, o StartOptions, look func(*runChange)) (*Started, error) {
	p.StateDir.MakeMachine() // without it, no later boot could be distinguished from another machine
	rules := run.StartOptions{TTL: o.TTL, Force: o.Force, Join: o.Join, Supervised: o.Supervised, Now: o.Now}
	var done *Started
	err := p.withRuns(ctx, o.User, o.Wait, o.Now, func(c *runChange) error {
		if look != nil {
			if look(c); c.unread != nil {
				return c.unread
			}
		}
		if p.claim().Missing() {
			return fail(MissingInput, "name the agent's own process, such as $PPID", "there is no such process")
		}
		done = &Started{Warnings: c.warned, InProgress: inProgress(c.report.Session)}
		its, err := c.Admit(rules)
		if err != nil {
			if lease, ok := c.Departed(); ok {
				_ = c.files.WriteLease(lease) // an error does no harm: the next start tries again
			}
			return runFailed(err)
		}
		if its != nil {
			done.Reentered = true
		} else if its, err = p.begin(c, rules, done); err != nil {
			return err
		}
		if err := c.files.WriteLease(c.LeaseFor(its, rules)); err != nil {
			if !done.Reentered { // nobody should have to wait for a run that never held the lease
				_ = c.files.End(run.End{Of: its.ID, Status: run.Aborted, Cause: run.CauseUser, At: o.Now})
			}
			return err
		}
		if h := c.Holder; h != nil && h.ID != its.ID { // its end was not recorded, and its conversation may be that of the new run
			from := *h
			done.From = &from
			_, _ = c.files.Forget(c.Conversations(h)...)
		}
		_, _ = c.files.Rotate(o.Now) // the next start will try again
		done.Run, done.Token = *its, its.Token
		return nil
	})
	if err != nil {
		return nil, err
	}
	done.Warnings = p.warnings(done.Warnings)
	return done, nil
}

// begin records the end of the runs that the same process abandons, and then a new run. The journal is written before the
// lease, so that no lease names a run without a start.
func (p *Project) begin(c *runChange, o run.StartOptions, done *Started) (*run.Run, error) {
	for _, old := range c.Superseded(o) {
		if err := c.files.End(run.End{Of: old.ID, Status: run.Cancelled, Cause: run.CauseSuperseded, At: o.Now}); err != nil {
			return nil, err
		}
		done.Superseded = append(done.Superseded, old)
	}
	start, its := c.Start(c.report.Plan.Path, o, p.table())
	return its, c.files.Begin(start)
}

func runFailed(err error) error {
	if errors.Is(err, run.ErrLeaseVersion) {
		return fail(Busy, "upgrade gsd; or, if you know that nobody is at work there, use --force", "%s",
			run.ErrLeaseVersion)
	}
	busy, ok := errors.AsType[*run.BusyError](err)
	if !ok {
		return err
	}
	hint := "wait until it ends; or, if you know that it is over, use --force"
	if r := busy.Run; r.State == run.StateUnknown {
		hint = "it cannot be checked from here whether it is alive; its time to live ends at " +
			r.Seen.Add(r.TTL).UTC().Format(time.RFC3339) + "; if you know that it is over, use --force"
	}
	return fail(Busy, hint, "%s", busy)
}
