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
	Unlocked bool      `json:"unlocked"` // false if there was no lease
	From     *run.Run  `json:"from"`     // the run that held the lease; null if there was none, or it is not known
	Warnings []Warning `json:"warnings"` // what a person should know
}

// Unlock takes the lease away from a run that is over, or that is the caller's; from one that may live only by
// force. The run itself is not ended: whether it is over, gsd run end and gsd run sweep say.
func (p *Project) Unlock(ctx context.Context, user string, force bool, now time.Time, wait time.Duration) (*Unlocked, error) {
	if !p.hasDirectory(user) {
		return &Unlocked{}, nil
	}
	done := &Unlocked{}
	err := p.withRuns(ctx, user, wait, now, func(c *runChange) error {
		done.Warnings = slices.DeleteFunc(c.warned, func(w Warning) bool { return w.Code == LeaseProblem || w.Code == LeaseVersion })
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
		if done.From = c.Holder; c.Holder != nil { // with the lease goes the knowledge of what it was talking about
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

// underLease assesses the runs of a session that is about to change, false where there is no lease. What the journal says
// beside it may be missing: the lease says enough.
func (p *Project) underLease(r *Report, now time.Time) (run.Assessment, bool) {
	if r.files.LeaseState() == run.LeaseNone {
		return run.Assessment{}, false
	}
	journal, _ := r.files.Journal()
	return p.assess(r.files, journal, now), true
}

// guardLiveWork refuses to let a session give way while another's run may be at work on it.
func (p *Project) guardLiveWork(r *Report, now time.Time) error {
	a, held := p.underLease(r, now)
	if !held || a.Holder != nil && a.Holder.Own {
		return nil
	}
	_, err := a.Admit(run.StartOptions{})
	return runFailed(err)
}

// RenewRun renews the lease of a run that still holds it. A failure is made up for at the next time.
func (p *Project) RenewRun(ctx context.Context, user, id string, now time.Time) {
	if !p.hasDirectory(user) { // taken away meanwhile, and not to be made again
		return
	}
	g, files, err := p.lock(ctx, user, time.Second)
	if err != nil {
		return
	}
	defer g.Unlock() // a lock that cannot be given back falls with this process
	if lease, err := files.Lease(); err == nil && lease.Run == id {
		lease.Renewed = now
		_ = files.WriteLease(lease)
	}
}

// renew keeps the caller's lease, or says whose it is. It never fails: what was to be done was done. strict says that a
// caller who shows nothing needs a proof.
func (p *Project) renew(r *Report, strict bool, now time.Time) {
	lease, err := r.files.Lease()
	if err != nil {
		return
	}
	a, _ := p.underLease(r, now)
	switch {
	case a.Renews(strict):
		lease.Renewed = now
		_ = r.files.WriteLease(lease)
	case a.AtWork() != nil:
		r.aside = append(r.aside, Warning{LeaseElsewhere, "another run holds this session: " + a.Holder.Who()})
	}
}
