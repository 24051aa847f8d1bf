package hydrate

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/run"
)

// Unlocked is what Unlock did.
type Unlocked struct {
	Unlocked bool      `json:"unlocked"`           // false if there was no lease
	From     *run.Run  `json:"from"`               // the run that held the lease; null if there was none, or it is not known
	Claim    string    `json:"claim" empty:"null"` // the plan whose claim ends at the next gsd sync; null for none
	Warnings []Warning `json:"warnings"`           // what a person should know
}

// Unlock drops the lease of a run that is over or is the caller's own, and with force that of one that may be alive. It does
// not end the run: gsd run end and gsd run sweep do.
func (p *Project) Unlock(
	ctx context.Context, user string, force bool, now time.Time, wait time.Duration,
) (*Unlocked, error) {
	if !p.hasDirectory(user) {
		return &Unlocked{}, nil
	}
	done := &Unlocked{}
	err := p.withRuns(ctx, user, wait, now, func(c *runChange) (err error) {
		done.Warnings = withoutLease(c.warned)
		defer func() {
			if err == nil {
				done.Claim = p.release(c.locked, user, now)
			}
		}()
		switch h := c.Holder; {
		case c.Lease == run.LeaseLater && !force:
			return runFailed(run.ErrLeaseVersion)
		case h != nil && h.MayLive() && !h.Own && !force:
			return runFailed(&run.BusyError{Run: h})
		}
		if _, err := c.files.Lease(); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		done.Unlocked = true
		if done.From = c.Holder; c.Holder != nil { // without its lease, nothing else says which conversation must not be resumed
			_, _ = c.files.Forget(c.Conversations(c.Holder)...)
		}
		return c.files.DropLease()
	})
	if err != nil {
		return nil, err
	}
	done.Warnings = p.warnings(done.Warnings)
	return done, nil
}

// withoutLease drops the warnings about a lease file that has been replaced or removed.
func withoutLease(warnings []Warning) []Warning {
	return slices.DeleteFunc(warnings, func(w Warning) bool { return w.Code == LeaseProblem || w.Code == LeaseVersion })
}

// guardLiveWork refuses to replace a session by one on plan while another run may be at work on it.
func (p *Project) guardLiveWork(r *Report, plan string, now time.Time) error {
	r.busy = p.admit(r, now)
	return runFailed(r.refusal(plan))
}

// refusal returns why the session of a report may not be replaced by one on plan, nil if it may. If there is none to replace,
// that disturbs no run which is on the same plan, or on none.
func (r *Report) refusal(plan string) error {
	var busy *run.BusyError
	none := r.Session == nil || r.corrupt() != ""
	if none && errors.As(r.busy, &busy) && (busy.Run.Plan == "" || busy.Run.Plan == plan) {
		return nil
	}
	return r.busy
}

// admit returns an error if the caller may not have the session of a report to itself.
func (p *Project) admit(r *Report, now time.Time) error {
	if r.files == nil || r.files.LeaseState() == run.LeaseNone {
		return nil
	}
	a := p.underLease(r, now)
	if a.Holder != nil && a.Holder.Own {
		return nil
	}
	_, err := a.Admit(run.StartOptions{})
	return err
}

// underLease assesses the runs of a session that is about to change. The journal may be missing: the lease is enough.
func (p *Project) underLease(r *Report, now time.Time) run.Assessment {
	journal, _ := r.files.Journal()
	return p.assess(r.files, journal, now)
}

// RenewRun renews the lease of a run, if it still holds it, and makes a process that gsd exec has started a member: the run
// lives as long as one of them. After a failure, the next call will do so.
func (p *Project) RenewRun(ctx context.Context, user, id string, command int, now time.Time) {
	if !p.hasDirectory(user) { // it was removed meanwhile, and must not be made again
		return
	}
	l, err := p.lock(ctx, user, time.Second)
	if err != nil {
		return
	}
	defer l.guard.Unlock() // a lock that cannot be released ends with this process
	if lease, err := l.files.Lease(); err == nil && lease.Run == id {
		lease.Renewed = now
		lease.AddProcess(run.Caller{PID: command}.Find(p.table()).Owner)
		_ = l.files.WriteLease(lease)
	}
}

// renew renews the caller's lease, or warns that another run holds it; see run.Assessment.Renews for strict. If nobody does
// who may be alive, the caller's own run takes it. It returns the run at work for which the session changes, nil for none.
func (p *Project) renew(r *Report, strict bool, now time.Time) *run.Run {
	a := p.underLease(r, now)
	mine := a.Mine()
	switch {
	case a.Renews(strict):
		lease, _ := r.files.Lease() // it has a holder
		lease.Renewed = now
		_ = r.files.WriteLease(lease)
	case a.AtWork() != nil:
		r.aside = append(r.aside, Warning{Code: LeaseElsewhere, Detail: "another run holds the lease of this session: " + a.Holder.Who()})
	case mine != nil && (a.Lease == run.LeaseNone || a.Lease == run.LeaseHeld):
		_, _ = p.takeLease(a, r.files, mine, run.StartOptions{Now: now})
		return mine
	}
	if mine == nil {
		return a.AtWork()
	}
	return mine
}
