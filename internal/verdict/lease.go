package verdict

import (
	"context"
	"errors"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/claim"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
)

// StartFacts returns what decides whether the user of a report, which has been judged, may start on plans, but for what depends on the
// plan. It is gathered once.
func (p *Project) StartFacts(r *answer.Report) *claim.Facts {
	if r.Starts != nil {
		return r.Starts
	}
	f := &claim.Facts{
		Plan: r.Plan.Path, Moved: r.Plan.Moved, File: r.Session != nil || r.Unread != nil, Readable: r.Session != nil && r.Unusable() == "",
		Valid: r.Verdict.Live(), Outdated: r.Fix.Kind != "",
		Unread: r.Unread, Conflict: r.Conflict(), Closed: p.Session(r.User).CheckWritable(), Busy: p.InUseBy(r),
	}
	if r.Session != nil {
		f.Summary = r.Session.Header.Summary
	}
	r.Starts = f
	return f
}

// InUseBy returns the run of somebody else that keeps the caller from having the session of a report to itself; nil for none. A
// conversation that marked nothing keeps nobody from it; see run.Assessment.Keeper.
func (p *Project) InUseBy(r *answer.Report) *run.Run {
	if r.RunFile == nil {
		return nil
	}
	a := p.UnderLease(r)
	if a.Holder != nil && a.Holder.Own {
		return nil
	}
	_, err := a.Admit(run.StartOptions{})
	busy, ok := errors.AsType[*run.BusyError](err)
	if !ok {
		return nil
	}
	return a.Keeper(busy.Run, r.Plan.Path)
}

// UnderLease assesses the runs of a session that is about to change.
func (p *Project) UnderLease(r *answer.Report) run.Assessment {
	records, _ := r.RunFile.Records() // without them, nobody is known to be at work
	return p.assess(r, records)
}

// RenewRun says that a run which holds the lease lives, and makes a process that gsd exec has started a member: the run
// lives as long as one of them. After a failure, the next call will do so.
func (p *Project) RenewRun(ctx context.Context, user, id string, command int) {
	if !p.HasDirectory(user) { // it was removed meanwhile, and must not be made again
		return
	}
	l, err := p.lock(ctx, user, time.Second)
	if err != nil {
		return
	}
	defer l.Guard.Unlock() // a lock that cannot be released ends with this process
	l.RunFile.Change(func(records *run.Records) {
		if record := records.Holding(); record != nil && record.ID == id {
			record.Seen = p.Now.UTC()
			record.AddProcess(run.Caller{PID: command}.Find(p.Table()).Owner)
		}
	})
	_ = l.RunFile.Flush()
}

// Renew says that the caller's run lives, or warns that another run holds the lease. a has the runs as they were before the change; for strict,
// see run.Assessment.Renews. If no run that may be alive holds the lease, the caller's own takes it, or begins again if it was paused. Renew
// returns the run at work for which the session changes, nil for none.
func (p *Project) Renew(r *answer.Report, a run.Assessment, strict bool) *run.Run {
	mine := a.Mine()
	switch {
	case a.Renews(strict):
		r.RunFile.Change(func(records *run.Records) { records.Find(a.Holder.ID).Seen = p.Now.UTC() })
	case a.AtWork() != nil:
		r.ExtraWarnings = append(r.ExtraWarnings, problem.Warning{Code: answer.LeaseElsewhere, Plan: r.Plan.Path, Run: a.Holder})
	default:
		o := run.StartOptions{Now: p.Now}
		if mine == nil {
			record, again := a.Again(r.Plan.Path, p.runsElsewhere(r.User), o, p.Table())
			if again == nil {
				return a.Only()
			}
			r.RunFile.Change(func(records *run.Records) { records.Begin(record) })
			mine = again
		}
		r.RunFile.Change(func(records *run.Records) { records.Take(&a, mine, o) })
	}
	if mine == nil {
		return a.AtWork()
	}
	return mine
}

// DropLease takes the lease of the session of a report from the run that has it, unless that is the caller's run. The run that had it continues
// without it.
func (p *Project) DropLease(r *answer.Report) {
	a := p.UnderLease(r)
	h := a.Holder
	if h == nil || h.Own {
		return
	}
	r.RunFile.Change(func(records *run.Records) { records.Release(h) })
}

// RunFailed makes an error of package run one of gsd, with what a person can do; any other is returned as it is.
func RunFailed(err error) error {
	busy, ok := errors.AsType[*run.BusyError](err)
	if !ok {
		return err
	}
	hint := "wait until it ends"
	if r := busy.Run; r.State == run.StateUnknown {
		hint = "it cannot be checked from here whether it is alive; its time to live ends at " +
			r.Seen.Add(r.TTL).UTC().Format(time.RFC3339)
	}
	return problem.Fail(problem.Busy, hint, "%s", busy).Try(action.Action{Kind: action.HowToEnd})
}
