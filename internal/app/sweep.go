package app

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitexec"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// SweepOptions says how far to clean up.
type SweepOptions struct {
	User       string
	DryRun     bool          // report what would be done, and do nothing
	ResetTasks bool          // set the tasks that a dead run left in progress back to pending
	Wait       time.Duration // how long to wait for the guard
}

// Swept is what Sweep did, or would do.
type Swept struct {
	DryRun    bool                 `json:"dry_run"`   // nothing was done
	Ended     []run.Run            `json:"ended"`     // the dead runs whose end was recorded, as they were before
	Spared    []run.Run            `json:"spared"`    // the runs that stay open because they may live
	Lease     bool                 `json:"lease"`     // the lease is free again: the run that had it has ended
	Reset     []int                `json:"reset"`     // the tasks that are pending again
	Forgotten int                  `json:"forgotten"` // how many conversation ids were dropped because they are not safe to resume
	Dismissed []answer.LostSession `json:"dismissed"` // the lost sessions, of all projects, that expired and were dropped
	Noticed   []answer.LostSession `json:"noticed"`   // those that were shown to nobody before; they are kept for 7 days from now
	Crumbs    int                  `json:"crumbs"`    // how many breadcrumbs of archived or finished sessions were dropped
	Temps     int                  `json:"temps"`     // how many left-over files were removed: of crashed writers, of old conversations, or what lay in the place of the records of the runs
	Do        []action.Action      `json:"do"`        // what can be run next
	Warnings  []problem.Warning    `json:"warnings"`  // what a person should know
}

// Nothing reports whether there was nothing to do.
func (s *Swept) Nothing() bool {
	return len(s.Ended)+len(s.Reset)+s.Forgotten+len(s.Dismissed)+len(s.Noticed)+s.Crumbs+s.Temps == 0
}

// Sweep cleans up after crashed runs: it records the end of dead runs of the user's session, drops their lease and their
// conversation IDs, and drops breadcrumbs that are no longer needed. A run is only ended if it is proven dead, or once it has
// expired if it named no process. A second sweep does nothing. Tasks keep their statuses, unless ResetTasks.
func (p *Project) Sweep(ctx context.Context, o SweepOptions) (*Swept, error) {
	if err := p.RefuseUndecided(); err != nil {
		return nil, err
	}
	done := &Swept{DryRun: o.DryRun}
	switch {
	case !p.HasDirectory(o.User):
	case o.DryRun:
		p.PreviewSweep(o, done)
	default:
		err := p.WithRuns(ctx, o.User, o.Wait, func(c *verdict.RunChange) error { return p.sweepRuns(c, o, done) })
		if err != nil {
			return nil, err
		}
	}
	p.sweepCrumbs(o, done)
	done.Temps += p.SweepTracked(o.DryRun)
	for i := range done.Noticed {
		done.Do = append(done.Do, done.Noticed[i].Restore())
	}
	for i := range done.Spared {
		if end := answer.EndsExpired(&done.Spared[i]); end.Kind != "" {
			done.Do = append(done.Do, end)
		}
	}
	done.Do = action.Distinct(done.Do)
	done.Warnings = p.Warnings(done.Warnings)
	return done, nil
}

// decide fills in what is to be done about the runs of a session. It is pure.
func (s *Swept) decide(a *run.Assessment, r *answer.Report, o SweepOptions) {
	for _, agentRun := range a.Runs {
		switch {
		case !agentRun.Open():
			if agentRun.EndResumeID != "" && agentRun.ResumeID == "" {
				s.Forgotten++
			}
		case agentRun.Sweepable():
			s.Ended = append(s.Ended, agentRun)
		case agentRun.State == run.StateUnknown:
			s.Spared = append(s.Spared, agentRun)
		}
	}
	s.Lease = a.Holder != nil && a.Holder.Sweepable()
	if o.ResetTasks && r.Verdict != answer.Corrupt {
		s.Reset = a.Unfinished(r.Plan.Path, answer.TasksInProgress(r.Session))
	}
}

// PreviewSweep adds what a sweep of the user's runs would do.
func (p *Project) PreviewSweep(o SweepOptions, done *Swept) {
	dir, r := p.Session(o.User), p.Read(o.User)
	a, warnings := p.ReadRuns(o.User, r, r.RunFile)
	done.Warnings = warnings
	done.decide(&a, r, o)
	done.Temps += dir.Temps()
	if _, err := r.RunFile.Records(); errors.Is(err, run.ErrUnreadable) { // it is moved to where the next line finds it
		done.Temps++
	}
	done.sweepOdd(p.Planning.Root(), dir.Path())
}

func (p *Project) sweepRuns(c *verdict.RunChange, o SweepOptions, done *Swept) (err error) {
	done.Temps += c.Guard.Swept
	done.sweepOdd(p.Planning.Root(), p.Session(o.User).Path())
	c.Warned = nil // what was moved has gone, or is warned of
	defer func() { done.Warnings = append(c.Warned, done.Warnings...) }()
	done.decide(&c.Assessment, c.Report, o)
	if o.ResetTasks && c.Report.Unread != nil {
		c.Warned = append(c.Warned, notReset(c.Report.Unread))
	}
	if len(done.Reset) > 0 {
		if done.Reset, err = p.reset(c, done.Reset); err != nil {
			c.Warned = append(c.Warned, notReset(err))
		}
	}
	c.RunFile.Change(func(records *run.Records) {
		_, done.Forgotten = records.Close(&c.Assessment, p.Now)
		done.Forgotten += records.ForgetUnsafe(&c.Assessment)
	})
	if done.Lease {
		c.Then = func() { p.KeepRun(c.Report) }
	}
	return nil
}

// sweepOdd removes what was put aside because it was not a regular file.
func (s *Swept) sweepOdd(root *os.Root, dir string) {
	swept, left := run.SweepOdd(root, dir, s.DryRun)
	s.Temps += swept
	if left > 0 {
		s.Warnings = append(s.Warnings, problem.Warning{Code: OddLeft, Path: dir + "/" + run.OddFiles, Count: left})
	}
}

// OddLeft warns of a directory that lay in the place of the records of the runs, with files in it.
const OddLeft = "odd-left"

// reset sets those of the tasks that are still in progress back to pending, and returns their numbers. If an editor that
// ignores the guard changes the session meanwhile, it tries again.
func (p *Project) reset(c *verdict.RunChange, tasks []int) (numbers []int, err error) {
	for try := range verdict.MaxTries {
		if try > 0 {
			p.ReadLocked(c.Locked, c.Report.User)
		}
		r := c.Report
		if c.Report.Unread != nil {
			return nil, c.Report.Unread
		}
		numbers = slices.DeleteFunc(answer.TasksInProgress(r.Written()), func(n int) bool {
			_, listed := slices.BinarySearch(tasks, n)
			return !listed
		})
		if r.Verdict == answer.Corrupt || len(numbers) == 0 {
			return nil, nil
		}
		chunks, err := r.Written().SetStatus(planfile.Pending, numbers...)
		if err != nil {
			return nil, &problem.Error{Kind: problem.BadData, Text: r.Path + ": " + err.Error(), Hint: "leave one status attribute on that line", Err: err}
		}
		chunks = [][]byte{bytes.Join(chunks, nil)} // two chunks a task would be two writes a task
		if err := p.CheckSize(r.Path, chunks); err != nil {
			return nil, err
		}
		err = c.Guard.Write(chunks, c.Was)
		if err == nil {
			for _, n := range numbers {
				err = errors.Join(err, r.Written().Record(n, planfile.Pending))
			}
			_ = p.WriteCrumb(r, numbers...)
			return numbers, err
		}
		if !errors.Is(err, durable.ErrChanged) || try == verdict.MaxTries-1 {
			return nil, err
		}
	}
	return nil, nil
}

// sweepCrumbs drops the breadcrumbs of all projects that are no longer needed: those of lost sessions once their loss was shown
// for long enough. A failure is a warning: the next sweep will try again.
func (p *Project) sweepCrumbs(o SweepOptions, done *Swept) {
	crumbs, err := p.StateDir.Crumbs("")
	if err != nil {
		done.Warnings = append(done.Warnings, problem.Warning{Code: CrumbsUnreadable, Says: problem.Reason(err)})
		return
	}
	done.Warnings = append(done.Warnings, history.UnreadCrumbs(crumbs)...)
	f := history.CrumbClassifier{World: p.World, Budget: durable.NewBudget(project.CommandFiles * project.DefaultLimit)}
	defer f.Close()
	for _, c := range crumbs.Good {
		why, useless := f.Classify(&c)
		switch {
		case useless || why != "" && !f.LostSession(c, why).Matters():
		case why != "" && c.Shown.IsZero():
			done.Noticed = append(done.Noticed, f.LostSession(c, why))
			continue
		default:
			continue
		}
		if !o.DryRun {
			if err := p.StateDir.RemoveCrumb(p.Write, c.ID); err != nil {
				done.Warnings = append(done.Warnings, problem.Warning{Code: CrumbUnswept, ID: c.ID, Says: problem.Reason(err)})
				continue
			}
		}
		if useless {
			done.Crumbs++
		} else {
			done.Dismissed = append(done.Dismissed, f.LostSession(c, why))
		}
	}
	if !o.DryRun {
		history.ShowLost(p.Project, done.Noticed)
	}
	done.Temps += p.StateDir.SweepTemps(p.Now, o.DryRun) + session.SweepTemps(p.Planning.Root(), p.Base(), p.Now, o.DryRun) +
		p.StateDir.SweepConversations(p.Now, o.DryRun) + p.Session(o.User).SweepCrumbs(p.Now, o.DryRun)
}

// The codes of the warnings about breadcrumbs in a sweep.
const (
	CrumbsUnreadable = "breadcrumbs-unreadable" // none of them
	CrumbUnswept     = "breadcrumb-unswept"     // it cannot be removed
)

// TasksNotReset warns that tasks that a run left in progress could not be reset.
const TasksNotReset = "tasks-not-reset"

func notReset(err error) problem.Warning {
	return problem.Warning{Code: TasksNotReset, Says: err.Error()}
}

// SweepTracked removes the temporaries of all killed writers from directories that git tracks, where "git add -A" would take them: those of
// plans and of the hosts, and the project's own. It returns how many.
func (p *Project) SweepTracked(dryRun bool) (swept int) {
	before := p.Now.Add(-durable.TempLife)
	sweep := func(dirs []string, of func(string) bool) {
		for _, dir := range dirs {
			swept += durable.SweepTempsIf(p.Planning.Root(), dir, of, before, dryRun)
		}
	}
	sweep([]string{"."}, func(base string) bool { return base == ".gitattributes" || gitexec.IsMerged(base) })
	sweep(p.Planning.Directories(planref.Planning, 4), func(base string) bool { return base == "STATE.md" || strings.Contains(base, "SUMMARY") })
	for _, dir := range agent.ProjectDirs() {
		sweep(p.Planning.Directories(dir, 2), func(string) bool { return true })
	}
	return swept
}
