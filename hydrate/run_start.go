package hydrate

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
)

// StartOptions says how to start a run.
type StartOptions struct {
	User  string
	TTL   time.Duration // 0 for run.DefaultTTL
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
}

// StartRun takes the lease of the user's session for the caller's agent. A run that is started again continues. The lease of
// a dead run is taken over, and so is that of a run that cannot be checked from here, once its time to live is over. If the
// holder may be alive, the error is of kind Busy and names it, and no run is recorded.
func (p *Project) StartRun(ctx context.Context, o StartOptions) (*Started, error) {
	p.StateDir.MakeMachine() // without it, no later boot could be distinguished from another machine
	done := &Started{}
	err := p.withRuns(ctx, o.User, o.Wait, o.Now, func(c *runChange) error {
		_, err := p.startRun(c, o, done, false)
		done.Warnings = c.warned
		return err
	})
	if err != nil {
		return nil, err
	}
	done.Warnings = p.warnings(done.Warnings)
	return done, nil
}

// HydrateStarting is Hydrate at the start of a conversation, which it also records as a run, even if another run holds the
// lease: busy names that one. It records the end of runs that are over, which only this report tells of. If nothing can be
// written, only the records are missing.
func (p *Project) HydrateStarting(ctx context.Context, o StartOptions) (r *Report, busy, err error) {
	p.StateDir.MakeMachine()
	var l *locked
	var before Recovery
	failed := p.withRuns(ctx, o.User, o.Wait, o.Now, func(c *runChange) error {
		if c.unread != nil {
			return c.unread
		}
		before.addRuns(&c.Assessment, c.report)
		var err error
		if busy, err = p.startRun(c, o, &Started{}, true); err != nil {
			return err
		}
		p.endDead(c, o.Now)
		l, c.report.aside = c.locked, c.warned
		return nil
	})
	if l == nil || failed != nil {
		r, err = p.Hydrate(o.User)
		return r, busy, err
	}
	l.files.Release(p.session(o.User).Look, p.project.Budget())
	r = p.hydrated(l.report, l.was)
	r.before = &before
	return r, busy, nil
}

// startRun records that the caller starts, and takes the lease. If the caller may not have that, busy says why; with aside,
// its run is recorded anyway.
func (p *Project) startRun(c *runChange, o StartOptions, done *Started, aside bool) (busy, err error) {
	rules := run.StartOptions{TTL: o.TTL, Force: o.Force, Join: o.Join, Supervised: o.Supervised, Now: o.Now}
	if p.caller().Missing() {
		return nil, project.Fail(MissingInput, "name the agent's own process, such as $PPID", "there is no such process")
	}
	its, err := c.Admit(rules)
	if busy = runFailed(err); busy != nil {
		if lease, ok := c.Departed(); ok {
			_ = c.files.WriteLease(lease) // an error does no harm: the next start tries again
		}
		if !aside {
			return nil, busy
		}
	}
	if done.Reentered = its != nil; its == nil {
		if its, err = p.begin(c, rules, done); err != nil {
			return busy, err
		}
	}
	if busy == nil {
		if done.From, err = p.takeLease(c.Assessment, c.files, its, rules); err != nil {
			if !done.Reentered { // nobody should have to wait for a run that never held the lease
				_ = c.files.End(run.End{Of: its.ID, Status: run.Aborted, Cause: run.CauseUser, At: o.Now})
			}
			return nil, err
		}
		c.warned = withoutLease(c.warned)
	}
	_, _ = c.files.Rotate(o.Now) // the next start will try again
	done.Run, done.Token = *its, its.Token
	return busy, nil
}

// takeLease makes a run of the caller the holder of the lease, and returns the run that it takes it from, nil for none.
func (p *Project) takeLease(a run.Assessment, files *run.Files, its *run.Run, o run.StartOptions) (from *run.Run, err error) {
	if err := files.WriteLease(a.LeaseFor(its, o)); err != nil {
		return nil, err
	}
	if h := a.Holder; h != nil && h.ID != its.ID { // its end was not recorded, and its conversation may be that of the new run
		was := *h
		from = &was
		_, _ = files.Forget(a.Conversations(h)...)
	}
	return from, nil
}

// begin records the end of the runs that the same process abandons, and then a new run, with the tasks that it finds in
// progress: they stay interrupted until somebody marks them, although the new run is at work. The journal is written before
// the lease, so that no lease names a run without a start.
func (p *Project) begin(c *runChange, o run.StartOptions, done *Started) (*run.Run, error) {
	done.Superseded = c.Superseded(o)
	over := func(r *run.Run) bool {
		return r == nil || slices.ContainsFunc(done.Superseded, func(old run.Run) bool { return old.ID == r.ID })
	}
	for _, old := range done.Superseded {
		if err := c.files.End(run.End{Of: old.ID, Status: run.Cancelled, Cause: run.CauseSuperseded, At: o.Now}); err != nil {
			return nil, err
		}
	}
	plan := c.report.Plan.Path
	var found []int
	for _, n := range inProgress(c.report.Session) {
		if c.journal.Workers[run.Work{Plan: plan, Task: n}] == "" && over(c.Worker(plan, n)) {
			found = append(found, n)
		}
	}
	start, its := c.Start(plan, found, o, p.table())
	return its, c.files.Begin(start)
}

// endDead records the end of runs that are over, and drops their conversations. After a failure, the next start or sweep
// does it.
func (p *Project) endDead(c *runChange, now time.Time) {
	if ends, unsafe := endsOf(c, false, now); len(ends) > 0 && c.files.End(ends...) == nil {
		_, _ = c.files.Forget(unsafe...)
	}
}

// endsOf returns the ends of runs that are over, see run.Run.Over, and the tokens of their conversations.
func endsOf(c *runChange, force bool, now time.Time) (ends []run.End, unsafe []string) {
	for i := range c.Runs {
		its := &c.Runs[i]
		if !its.Open() || !its.Over(force) {
			continue
		}
		end := run.End{Of: its.ID, Status: run.Interrupted, Cause: run.CauseSynthetic, At: now}
		if its.State != run.StateOrphaned {
			end.Cause = run.CauseExpired
		}
		ends, unsafe = append(ends, end), append(unsafe, c.Conversations(its)...)
	}
	return ends, unsafe
}

func runFailed(err error) error {
	if errors.Is(err, run.ErrLeaseVersion) {
		return project.Fail(Busy, "upgrade gsd; gsd run unlock --help says how to drop it, if you know that nobody is at work there", "%s",
			run.ErrLeaseVersion)
	}
	busy, ok := errors.AsType[*run.BusyError](err)
	if !ok {
		return err
	}
	hint := "wait until it ends; " + howToEndNow
	if r := busy.Run; r.State == run.StateUnknown {
		hint = "it cannot be checked from here whether it is alive; its time to live ends at " +
			r.Seen.Add(r.TTL).UTC().Format(time.RFC3339) + "; " + howToEndNow
	}
	return project.Fail(Busy, hint, "%s", busy)
}
