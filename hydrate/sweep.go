package hydrate

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/session"
)

// SweepOptions says how far to clean up.
type SweepOptions struct {
	User       string
	DryRun     bool // only tell what would be done
	ResetTasks bool // put the tasks that a dead run left in progress back to pending
	Force      bool // also end runs that nobody can tell the life of, once their time is up
	Now        time.Time
	Wait       time.Duration // how long to wait for the guard
}

// Swept is what Sweep did, or would do.
type Swept struct {
	Ended     []Run    // dead runs that got their end
	Spared    []Run    // open runs that could not be proven dead
	Lease     bool     // the lease of a run that is over, or one that says nothing, was taken away
	Reset     []int    // tasks that are pending again
	Forgotten int      // conversation ids that were not safe to resume
	Dismissed []Orphan // lost sessions that nobody asked for in session.CrumbLife
	Crumbs    int      // breadcrumbs of sessions that are archived or whose plan is done
	Temps     int      // files that crashed writers left
	Rotated   string   // where the long journal went, in a dry run where it is; empty where it stays
	Warnings  []Warning
}

// Nothing tells that there was nothing to do.
func (s *Swept) Nothing() bool {
	return len(s.Ended)+len(s.Reset)+s.Forgotten+len(s.Dismissed)+s.Crumbs+s.Temps == 0 && !s.Lease && s.Rotated == ""
}

// Sweep puts right what died in the middle: it gives dead runs of the user's session their end, takes their lease
// and their conversation ids away, and drops breadcrumbs that are of no more use. Only what is proven dead is
// ended, whatever the clock says; Force is the word of somebody who knows better. Twice is the same as once; the
// plan stays as it is unless ResetTasks says so.
func (p *Project) Sweep(ctx context.Context, o SweepOptions) (*Swept, error) {
	done := &Swept{}
	if p.hasDirectory(o.User) {
		sweep := p.sweepRuns
		if o.DryRun {
			sweep = p.wouldSweepRuns
		}
		if err := sweep(ctx, o, done); err != nil {
			return nil, err
		}
	}
	p.sweepCrumbs(o, done)
	return done, nil
}

// decide tells what is to be done about the runs of a session. It is pure.
func (s *Swept) decide(a *Assessment, r *Report, o SweepOptions) {
	mayLive := false
	for i := range a.Runs {
		run := &a.Runs[i]
		switch {
		case !run.Open():
			if run.End.ResumeID != "" && run.ResumeID == "" {
				s.Forgotten++
			}
		case run.over(o.Force):
			s.Ended = append(s.Ended, *run)
		default:
			mayLive = true
			if run.State == RunUnknown {
				s.Spared = append(s.Spared, *run)
			}
		}
	}
	s.Lease = a.Holder != nil && a.Holder.over(o.Force) || !mayLive && a.Lease == LeaseUnreadable
	died := len(s.Ended) > 0 || a.Latest != nil && a.Latest.killed()
	if o.ResetTasks && !mayLive && died && r.Verdict != Corrupt {
		s.Reset = inProgress(r.Session)
	}
}

func (p *Project) wouldSweepRuns(_ context.Context, o SweepOptions, done *Swept) error {
	dir := p.session(o.User)
	src, _, readErr := dir.Read(p.Limit)
	r, _ := p.reportOrEmpty(o.User, src, readErr)
	lease, leaseErr := dir.Lease()
	journal, journalErr := dir.WholeJournal(false)
	a := p.assess(r, o.Now, lease, leaseErr, journal)
	done.Warnings = runWarnings(dir, &a, journal, leaseErr, journalErr)
	done.decide(&a, r, o)
	done.Lease = done.Lease || a.Lease == LeaseNone && leaseErr == nil
	done.Temps = dir.Temps()
	if dir.JournalIsLong() {
		done.Rotated = dir.JournalFile()
	}
	return nil
}

func (p *Project) sweepRuns(ctx context.Context, o SweepOptions, done *Swept) error {
	return p.withRuns(ctx, o.User, o.Wait, o.Now, func(c *runChange) error {
		defer func() { done.Warnings = c.warned }()
		done.Temps = c.g.Swept + c.g.SweepTemps()
		done.decide(c.Assessment, c.report, o)
		var ends []session.End
		for _, run := range done.Ended {
			end := session.End{Of: run.ID, Status: session.Interrupted, Cause: session.CauseSynthetic, At: o.Now.UTC()}
			if run.State != RunOrphaned {
				end.Cause = session.CauseForced
			}
			ends = append(ends, end)
		}
		err := c.g.EndAll(ends)
		if err != nil {
			return err
		}
		if o.ResetTasks && c.unread != nil {
			c.warned = append(c.warned, notReset(c.unread))
		}
		if len(done.Reset) > 0 { // before the lease is given back: nobody has begun another task
			if done.Reset, err = p.reset(c.g, o.User, nil, o.Now); err != nil {
				c.warned = append(c.warned, notReset(err))
			}
		}
		unsafe := map[string]bool{}
		for _, run := range done.Ended {
			for _, token := range append(run.conversations, run.Token) {
				unsafe[token] = true
			}
		}
		if c.lease.Run != "" && c.Lease == LeaseNone {
			done.Lease = true // of a run that ended and was killed before it gave it back
		}
		if done.Lease {
			if err := c.g.DropLease(); err != nil {
				return err
			}
		}
		safe := map[string]bool{}
		for i := range c.Runs {
			safe[c.Runs[i].ID] = c.Runs[i].ResumeID != ""
		}
		done.Forgotten, err = c.g.ForgetConversations(func(run session.Run) bool {
			return !safe[run.ID] || unsafe[conversationToken(run.End.ResumeID)]
		})
		if err != nil && !errors.Is(err, durable.ErrTooLarge) { // one that is too large is put away, and nobody is offered what is in it
			return err
		}
		done.Rotated, err = c.g.RotateJournal(o.Now)
		return err
	})
}

// reset puts the tasks of a session that are in progress back to pending but for those to spare, as the guard's
// holder, and gives their numbers. An editor that does not know the guard may come in between: then it is done again.
func (p *Project) reset(g *session.Guard, user string, spare []int, now time.Time) ([]int, error) {
	const tries = 3
	spared := make(map[int]bool, len(spare))
	for _, n := range spare {
		spared[n] = true
	}
	var err error
	for range tries {
		src, was, readErr := g.Read(p.Limit)
		r, failed := p.report(user, src, readErr)
		if failed != nil {
			return nil, failed
		}
		numbers := slices.DeleteFunc(inProgress(r.Session), func(n int) bool { return spared[n] })
		if r.Verdict == Corrupt || len(numbers) == 0 {
			return nil, nil
		}
		chunks, failed := r.Session.SetStatus(planfile.Pending, numbers...)
		if failed != nil {
			return nil, &Error{Kind: BadData, Text: r.Path + ": " + failed.Error(), Hint: "leave one status attribute on that line", Err: failed}
		}
		chunks = [][]byte{bytes.Join(chunks, nil)} // two a task would be two writes a task
		if err := p.checkSize(r.Path, chunks); err != nil {
			return nil, err
		}
		if err = g.Write(chunks, was); err == nil {
			for _, n := range numbers {
				r.Session.Record(n, planfile.Pending)
			}
			_ = p.leaveCrumb(r, now)
			return numbers, nil
		}
		if !errors.Is(err, durable.ErrChanged) {
			break
		}
	}
	return nil, err
}

// sweepCrumbs drops the breadcrumbs of all projects that are of no more use. A failure is a warning: the next
// sweep will try again.
func (p *Project) sweepCrumbs(o SweepOptions, done *Swept) {
	crumbs, err := p.StateDir.Crumbs()
	if err != nil {
		done.Warnings = append(done.Warnings, Warning{CrumbProblem, cause("breadcrumbs", err)})
		return
	}
	done.Warnings = append(done.Warnings, notRead(crumbs)...)
	f := newFates()
	defer f.close()
	for _, c := range crumbs.Good {
		why, over := f.of(c)
		if why != "" && !c.Expired(o.Now) || why == "" && !over {
			continue
		}
		if !o.DryRun {
			if err := p.StateDir.RemoveCrumb(p.write, c.ID); err != nil {
				done.Warnings = append(done.Warnings, Warning{CrumbProblem, cause("breadcrumb "+c.ID, err)})
				continue
			}
		}
		if why != "" {
			done.Dismissed = append(done.Dismissed, orphanOf(c, why, o.Now))
		} else {
			done.Crumbs++
		}
	}
	if o.DryRun {
		done.Temps += p.StateDir.OldTemps(o.Now) + session.OldTemps(p.root, o.Now)
	} else {
		done.Temps += p.StateDir.SweepTemps(o.Now) + session.SweepTemps(p.root, o.Now)
	}
}

// TasksNotReset warns that tasks which a run left in progress stay so.
const TasksNotReset = "tasks-not-reset"

func notReset(err error) Warning {
	return Warning{TasksNotReset, "the tasks in progress stay so: " + err.Error()}
}
