package verdict

import (
	"context"
	"errors"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/claim"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
)

// StartFacts returns what decides whether the user of a report, which has been judged, may start on plans, but for what depends on the
// plan. It is gathered once.
func (p *Project) StartFacts(r *Report, now time.Time) *claim.Facts {
	if r.Starts != nil {
		return r.Starts
	}
	f := &claim.Facts{
		Plan: r.Plan.Path, Moved: r.Plan.Moved, File: r.Session != nil || r.Unread != nil, Readable: r.Session != nil && r.corrupt() == "",
		Valid: r.Verdict.Live(), Outdated: r.Fix.Kind != "",
		Unread: r.Unread, Conflict: r.Conflict(), Closed: p.Session(r.User).CheckWritable(), Busy: p.InUseBy(r, now),
	}
	if r.Session != nil {
		f.Summary = r.Session.Header.Summary
	}
	if r.IsStale(OtherStream) { // see SetAside: it is still what a start on its plan continues
		f.Valid, f.Outdated = true, r.IsEdited()
	}
	r.Starts = f
	return f
}

// RefuseOther returns an error of kind Busy if the session of a report is on a plan of another workstream or sub-project than the one that
// the environment names: what the caller marks or puts away is then not what it means. Until sessions belong to workstreams, a user has
// one session for all of them.
func (p *Project) RefuseOther(r *Report) error {
	if r.Session == nil || r.corrupt() != "" {
		return nil
	}
	set, its, differs := p.Planning.OtherWorkstream(r.Plan.Path)
	if !differs {
		return nil
	}
	return project.Fail(project.Busy, "nothing was changed. If you mean that plan, run the command again with "+project.RootSetting(its)+
		"; `gsd bootstrap` starts on a plan of the one that is set, and archives this session, which comes back with bootstrap",
		"the session is that of %s, on %s, and %s is set", project.RootWords(its), r.Plan.Path, project.RootWords(set))
}

// SetAside makes the session of a report on the caller's own session one that is not to be continued, if the environment names another
// workstream than that of its plan: its task is not the one to resume there.
func (p *Project) SetAside(r *Report) {
	if !r.Verdict.Live() {
		return
	}
	set, its, differs := p.Planning.OtherWorkstream(r.Plan.Path)
	if !differs {
		return
	}
	r.Verdict, r.Token, r.Resume, r.Fix, r.Draft = Stale, "STALE", nil, action.Action{}, nil
	r.Stale = append(r.Stale, Staleness{Reason: OtherStream, Root: its, Set: set})
}

// InUseBy returns the run of somebody else that keeps the caller from having the session of a report to itself; nil for none. A
// conversation that marked nothing keeps nobody from it; see run.Assessment.Keeper.
func (p *Project) InUseBy(r *Report, now time.Time) *run.Run {
	if r.RunFiles == nil || r.RunFiles.LeaseState() == run.LeaseNone {
		return nil
	}
	a := p.UnderLease(r, now)
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

// UnderLease assesses the runs of a session that is about to change. The journal may be missing: the lease is enough.
func (p *Project) UnderLease(r *Report, now time.Time) run.Assessment {
	journal, _ := r.RunFiles.Journal()
	return p.assess(r, r.RunFiles, journal, now)
}

// RenewRun renews the lease of a run, if it still holds it, and makes a process that gsd exec has started a member: the run
// lives as long as one of them. After a failure, the next call will do so.
func (p *Project) RenewRun(ctx context.Context, user, id string, command int, now time.Time) {
	if !p.HasDirectory(user) { // it was removed meanwhile, and must not be made again
		return
	}
	l, err := p.lock(ctx, user, time.Second)
	if err != nil {
		return
	}
	defer l.Guard.Unlock() // a lock that cannot be released ends with this process
	if lease, err := l.Files.Lease(); err == nil && lease.Run == id {
		lease.Renewed = now
		lease.AddProcess(run.Caller{PID: command}.Find(p.Table()).Owner)
		_ = l.Files.WriteLease(lease)
	}
}

// Renew renews the caller's lease, or warns that another run holds it; see run.Assessment.Renews for strict. If nobody does
// who may be alive, the caller's own run takes it, or begins again if it was paused. It returns the run at work for which the session
// changes, nil for none.
func (p *Project) Renew(r *Report, strict bool, now time.Time) *run.Run {
	a := p.UnderLease(r, now)
	mine := a.Mine()
	switch {
	case a.Renews(strict):
		lease, _ := r.RunFiles.Lease() // it has a holder
		lease.Renewed = now
		_ = r.RunFiles.WriteLease(lease)
	case a.AtWork() != nil:
		r.ExtraWarnings = append(r.ExtraWarnings, project.Warning{Code: LeaseElsewhere, Run: a.Holder})
	case a.Lease == run.LeaseNone || a.Lease == run.LeaseHeld:
		o := run.StartOptions{Now: now}
		if mine == nil {
			start, again := a.Again(r.Plan.Path, o, p.Table())
			if again == nil || r.RunFiles.Begin(*start) != nil {
				return nil
			}
			mine = again
		}
		_, _ = p.TakeLease(a, r.RunFiles, mine, o)
	}
	if mine == nil {
		return a.AtWork()
	}
	return mine
}

// TakeLease makes a run of the caller the holder of the lease, and returns the run that it takes it from, nil for none.
func (p *Project) TakeLease(a run.Assessment, files *run.Files, its *run.Run, o run.StartOptions) (from *run.Run, err error) {
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

// DropLease takes the lease of the session of a report from whoever has it, unless that is the caller's run. The run that had it continues
// without it.
func (p *Project) DropLease(r *Report, now time.Time) error {
	a := p.UnderLease(r, now)
	h := a.Holder
	switch {
	case a.Lease == run.LeaseNone, h != nil && h.Own:
		return nil
	case h != nil: // without its lease, nothing else says which conversation must not be resumed
		_, _ = r.RunFiles.Forget(a.Conversations(h)...)
	}
	return r.RunFiles.DropLease()
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
	return project.Fail(project.Busy, hint, "%s", busy).Try(action.Action{Kind: action.HowToEnd})
}
