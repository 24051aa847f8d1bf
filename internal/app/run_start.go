package app

// run_start.go: runs are started, and what is over is recorded with that. Package run has the rules.

import (
	"context"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// StartRunOptions says how to start a run.
type StartRunOptions struct {
	User string
	TTL  time.Duration // 0 for run.DefaultTTL
	Join bool          // continue the holder's run if the caller descends from it
	// Supervised means that the caller lives as long as the run, and sees how it ends.
	Supervised bool
	Wait       time.Duration // how long to wait for the guard
}

// StartedRun is what StartRun did.
type StartedRun struct {
	Run        run.Run           `json:"run"`        // the run that holds the lease now
	Token      string            `json:"token"`      // the value of GSD_RUN for the run's own programs
	Reentered  bool              `json:"reentered"`  // the run had started before, and continues
	From       *run.Run          `json:"from"`       // the run whose lease was taken over; null if the lease was free or the run continues
	Superseded []run.Run         `json:"superseded"` // earlier runs of the same process, which end with this start
	Crashed    []run.Run         `json:"crashed"`    // runs that had ended, as they were before this start recorded their ends; they are not reported again
	Warnings   []problem.Warning `json:"warnings"`   // what a person should know
}

// StartRun takes the lease of the user's session for the caller's agent. A run that is started again continues. The lease of
// a dead run is taken over, and so is that of a run that cannot be checked from here, once its time to live has expired. The ends of
// runs that are over are recorded. If the holder may be alive, the error is of kind Busy and names it, and nothing is recorded.
func (p *Project) StartRun(ctx context.Context, o StartRunOptions) (*StartedRun, error) {
	p.StateDir.MakeMachine() // without it, no later boot could be distinguished from another machine
	done := &StartedRun{}
	err := p.WithRuns(ctx, o.User, o.Wait, func(c *verdict.RunChange) error {
		_, err := p.startRun(c, o, done, false)
		if err == nil {
			c.RunFile.Change(func(records *run.Records) { done.Crashed, _ = records.Close(&c.Assessment, p.Now) })
		}
		done.Warnings = c.Warned
		return err
	})
	if err != nil {
		return nil, err
	}
	done.Warnings = p.Warnings(done.Warnings)
	return done, nil
}

// HydrateStarting is Hydrate at the start of a conversation, which it also records as a run, even if another run holds the
// lease. It records the end of runs that are over, which only this report tells of. If nothing can be written, only the
// records are missing.
func (p *Project) HydrateStarting(ctx context.Context, o StartRunOptions) (*answer.Report, error) {
	p.StateDir.MakeMachine()
	var l *verdict.Locked
	var before answer.Recovery
	var busy error
	failed := p.WithRuns(ctx, o.User, o.Wait, func(c *verdict.RunChange) (err error) {
		if c.Report.Unread != nil {
			return c.Report.Unread
		}
		before.AddRuns(&c.Assessment, c.Report)
		if busy, err = p.startRun(c, o, &StartedRun{}, true); err != nil {
			return err
		}
		c.RunFile.Change(func(records *run.Records) { records.Close(&c.Assessment, p.Now) })
		l, c.Report.ExtraWarnings = c.Locked, c.Warned
		return nil
	})
	if l == nil || failed != nil {
		r, err := p.Hydrate(o.User)
		if err == nil {
			r.Start = &answer.Start{Busy: busy}
		}
		return r, err
	}
	l.RunFile.Release(p.Session(o.User).WithFile, p.Planning.Budget())
	r := p.ExamineAll(l.Report)
	r.Start = &answer.Start{Before: &before, Busy: busy}
	return r, nil
}

// startRun records that the caller starts, and takes the lease. If the caller may not have that, busy says why; with aside,
// its run is recorded anyway.
func (p *Project) startRun(c *verdict.RunChange, o StartRunOptions, done *StartedRun, aside bool) (busy, err error) {
	rules := run.StartOptions{TTL: o.TTL, Join: o.Join, Supervised: o.Supervised, Now: p.Now}
	if p.Self().Missing() {
		return nil, problem.Fail(problem.MissingInput, "name the agent's own process, such as $PPID", "there is no such process")
	}
	r, err := c.Admit(rules)
	if busy = verdict.RunFailed(err); busy != nil {
		if record, ok := c.Departed(); ok {
			c.RunFile.Change(func(records *run.Records) { records.Put(record) })
		}
		if !aside {
			return nil, busy
		}
	}
	if done.Reentered = r != nil; r == nil {
		r = p.begin(c, rules, done)
	} else {
		c.RunFile.Change(func(records *run.Records) { records.Tell(r.ID) })
	}
	if busy == nil && (!aside || r.Holds || r.Marked || r.Nameless()) {
		c.RunFile.Change(func(records *run.Records) { done.From = records.Take(&c.Assessment, r, rules) })
	}
	c.Then = func() { p.KeepRun(c.Report) }
	done.Run, done.Token = *r, r.Token
	return busy, nil
}

// begin records the end of the runs that the same process abandons, and then a new run, with the tasks that it finds in
// progress and of which no run is known: nobody is known to be at work on them until somebody marks them, although the new run
// is.
func (p *Project) begin(c *verdict.RunChange, o run.StartOptions, done *StartedRun) *run.Run {
	done.Superseded = c.Superseded(o)
	over := func(r *run.Run) bool {
		return r == nil || slices.ContainsFunc(done.Superseded, func(old run.Run) bool { return old.ID == r.ID })
	}
	plan := c.Report.Plan.Path
	var found []int
	for _, n := range answer.TasksInProgress(c.Report.Session) {
		if c.Last(plan, n) == nil && over(c.Worker(plan, n)) {
			found = append(found, n)
		}
	}
	record, agentRun := c.Start(plan, o, p.Table())
	c.RunFile.Change(func(records *run.Records) {
		for i := range done.Superseded {
			records.Conclude(&done.Superseded[i], run.Cancelled, run.CauseSuperseded, o.Now)
		}
		records.Begin(record, found...)
	})
	return agentRun
}
