package hydrate

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
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
	DryRun    bool          `json:"dry_run"`              // nothing was done
	Ended     []run.Run     `json:"ended"`                // the dead runs whose end was recorded, as they were before
	Spared    []run.Run     `json:"spared"`               // the runs that stay open because they may live
	Lease     bool          `json:"lease"`                // the lease was removed: its run is over, or it is unreadable
	Reset     []int         `json:"reset"`                // the tasks that are pending again
	Forgotten int           `json:"forgotten"`            // how many conversation ids were dropped because they are not safe to resume
	Dismissed []LostSession `json:"dismissed"`            // the lost sessions, of all projects, that expired and were dropped
	Crumbs    int           `json:"crumbs"`               // how many breadcrumbs of archived or finished sessions were dropped
	Temps     int           `json:"temps"`                // how many files of crashed writers were removed
	Rotated   string        `json:"rotated" empty:"null"` // where a long or damaged journal was moved; in a dry run, where it is
	Warnings  []Warning     `json:"warnings"`             // what a person should know

	Mended int `json:"-"` // lines of the journal that said nothing
}

// Nothing reports whether there was nothing to do.
func (s *Swept) Nothing() bool {
	return len(s.Ended)+len(s.Reset)+s.Forgotten+len(s.Dismissed)+s.Crumbs+s.Temps == 0 && !s.Lease && s.Rotated == ""
}

// Sweep cleans up after crashed runs: it gives dead runs of the user's session their end, takes their lease
// and their conversation ids away, and drops breadcrumbs that are of no more use. Only what is proven dead is
// ended, whatever the clock says; Force is the word of somebody who knows better. Twice is the same as once; the
// plan stays as it is unless ResetTasks says so.
func (p *Project) Sweep(ctx context.Context, o SweepOptions) (*Swept, error) {
	done := &Swept{DryRun: o.DryRun}
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
	done.Warnings = p.warnings(done.Warnings)
	return done, nil
}

// decide says what is to be done about the runs of a session. It is pure.
func (s *Swept) decide(a *run.Assessment, j *run.Journal, r *Report, o SweepOptions) {
	mayLive := false
	for i := range a.Runs {
		its := &a.Runs[i]
		switch {
		case !its.Open():
			if its.Said != "" && its.ResumeID == "" {
				s.Forgotten++
			}
		case its.Over(o.Force):
			s.Ended = append(s.Ended, *its)
		default:
			mayLive = true
			if its.State == run.StateUnknown {
				s.Spared = append(s.Spared, *its)
			}
		}
	}
	s.Lease = a.Holder != nil && a.Holder.Over(o.Force) || !mayLive && a.Lease == run.LeaseUnreadable || a.Stale()
	died := len(s.Ended) > 0 || a.Latest != nil && a.Latest.Killed()
	if o.ResetTasks && !mayLive && died && r.Verdict != Corrupt {
		s.Reset = inProgress(r.Session)
	}
	s.Mended = j.Bad
}

func (p *Project) wouldSweepRuns(_ context.Context, o SweepOptions, done *Swept) error {
	dir := p.session(o.User)
	src, _, readErr := dir.Read(p.Limit)
	r, unread := p.report(o.User, src, readErr)
	if unread != nil {
		r = &Report{User: o.User}
	}
	files := p.files(o.User)
	journal, journalErr := files.Journal()
	a := p.assess(files, journal, o.Now)
	done.Warnings = p.runWarnings(o.User, &a, files, journal)
	if journalErr != nil {
		done.Warnings = append(done.Warnings, Warning{JournalProblem, cause(dir.JournalFile(), journalErr)})
	}
	done.decide(&a, journal, r, o)
	done.Temps = dir.Temps()
	if journal.Long() || done.Mended > 0 {
		done.Rotated = dir.JournalFile()
	}
	return nil
}

func (p *Project) sweepRuns(ctx context.Context, o SweepOptions, done *Swept) error {
	return p.withRuns(ctx, o.User, o.Wait, o.Now, func(c *runChange) error {
		defer func() { done.Warnings = c.warned }()
		done.Temps = c.g.Swept
		journal, _ := c.files.Journal() // it was read before
		done.decide(&c.Assessment, journal, c.report, o)
		var ends []run.End
		var spoilt []string
		for i := range done.Ended {
			its := &done.Ended[i]
			end := run.End{Of: its.ID, Status: run.Interrupted, Cause: run.CauseSynthetic, At: o.Now}
			if its.State != run.StateOrphaned {
				end.Cause = run.CauseForced
			}
			ends = append(ends, end)
			spoilt = append(spoilt, c.Conversations(its)...)
		}
		err := c.files.End(ends...)
		if err != nil {
			return err
		}
		if o.ResetTasks && c.unread != nil {
			c.warned = append(c.warned, notReset(c.unread))
		}
		if len(done.Reset) > 0 { // before the lease is given back: nobody has begun another task
			if done.Reset, err = p.reset(c, nil, o.Now); err != nil {
				c.warned = append(c.warned, notReset(err))
			}
		}
		if done.Lease {
			if err := c.files.DropLease(); err != nil {
				return err
			}
		}
		if done.Forgotten, err = c.files.ForgetUnsafe(&c.Assessment, spoilt...); err != nil {
			return err
		}
		if done.Rotated, err = c.files.Rotate(o.Now); err == nil && done.Rotated == "" {
			done.Rotated, err = c.files.Mend(o.Now)
		}
		return err
	})
}

// reset puts the tasks of a session that are in progress back to pending but for those to spare, as the guard's
// holder, and gives their numbers. An editor that does not know the guard may come in between: then it is done again.
func (p *Project) reset(c *runChange, spare []int, now time.Time) ([]int, error) {
	const tries = 3
	r, was, failed := c.report, c.was, c.unread
	var err error
	for try := range tries {
		if try > 0 {
			src, is, readErr := c.g.Read(p.Limit)
			r, failed = p.report(c.report.User, src, readErr)
			was = is
		}
		if failed != nil {
			return nil, failed
		}
		r.files = c.files
		numbers := slices.DeleteFunc(inProgress(r.Session), func(n int) bool { return slices.Contains(spare, n) })
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
		if err = c.g.Write(chunks, was); err == nil {
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
	crumbs, err := p.StateDir.Crumbs("")
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
	done.Temps += p.StateDir.SweepTemps(o.Now, o.DryRun) + session.SweepTemps(p.root, o.Now, o.DryRun)
}

// TasksNotReset warns that tasks which a run left in progress stay so.
const TasksNotReset = "tasks-not-reset"

func notReset(err error) Warning {
	return Warning{TasksNotReset, "the tasks in progress were not reset: " + err.Error()}
}
