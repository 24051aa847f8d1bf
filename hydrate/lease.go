package hydrate

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/session"
)

// Unlocked is what Unlock did.
type Unlocked struct {
	From    *Run // who held it; nil where that cannot be told
	Nothing bool // there was no lease

	Warnings []Warning
}

// Unlock takes the lease away from a run that is over, or that is the caller's; from one that may live only by
// force. The run itself is not ended: whether it is over, gsd run end and gsd sweep say.
func (p *Project) Unlock(ctx context.Context, user string, force bool, now time.Time, wait time.Duration) (*Unlocked, error) {
	if !p.hasDirectory(user) {
		return &Unlocked{Nothing: true}, nil
	}
	done := &Unlocked{}
	err := p.withRuns(ctx, user, wait, now, func(c *runChange) error {
		done.Warnings = slices.DeleteFunc(c.warned, func(w Warning) bool { return w.Code == LeaseProblem || w.Code == LeaseVersion })
		switch h := c.Holder; {
		case c.Lease == LeaseLater && !force:
			return laterVersion()
		case h != nil && h.MayLive() && !h.Own && !force:
			return h.busy()
		}
		if _, err := c.g.Lease(); errors.Is(err, fs.ErrNotExist) {
			done.Nothing = true
			return nil
		}
		if done.From = c.Holder; c.Holder != nil { // with the lease goes the knowledge of what it was talking about
			c.forget(conversations(&c.lease)...)
		}
		return c.g.DropLease()
	})
	if err != nil {
		return nil, err
	}
	return done, nil
}

// guardLiveWork refuses to let a session give way while another's run may be at work on it.
func (p *Project) guardLiveWork(g *session.Guard, r *Report, now time.Time) error {
	lease, leaseErr := g.Lease()
	if isMissing(leaseErr) {
		return nil
	}
	journal, _ := p.session(r.User).Journal(lease.Run) // the lease tells enough
	a := p.assess(r, now, lease, leaseErr, journal)
	if a.Holder != nil && a.Holder.Own {
		return nil
	}
	_, err := a.admit(p.claim(), false, false)
	return err
}

func laterVersion() *Error {
	return fail(Busy, "upgrade gsd; or, where you know that nobody works there, repeat it with --force", "%s", session.ErrLeaseVersion)
}

// RenewRun renews the lease of a run that still holds it. A failure is made up for at the next time.
func (p *Project) RenewRun(ctx context.Context, user, run string, now time.Time) {
	if !p.hasDirectory(user) { // taken away meanwhile, and not to be made again
		return
	}
	g, err := p.session(user).Lock(ctx, time.Second)
	if err != nil {
		return
	}
	defer g.Unlock() // a lock that cannot be given back falls with this process
	if lease, err := g.Lease(); err == nil && lease.Run == run {
		lease.Renewed = now
		_ = g.RenewLease(lease)
	}
}

// renew keeps the caller's lease, or tells whose it is. It never fails: what was to be done was done. A caller
// that shows nothing is taken for a holder that named no process, unless strict says that it needs a proof.
func (p *Project) renew(g *session.Guard, r *Report, strict bool, now time.Time) {
	lease, err := g.Lease()
	if err != nil {
		return
	}
	journal, _ := p.session(r.User).Journal(lease.Run)
	a := p.assess(r, now, lease, nil, journal)
	switch h := a.Holder; {
	case h == nil || h.State == RunOrphaned:
	case h.Own || p.claim().Anonymous() && h.nameless() && !strict:
		lease.Renewed = now
		_ = g.RenewLease(lease)
	case h.MayLive():
		r.aside = append(r.aside, Warning{LeaseElsewhere, "another run holds this session: " + h.Who()})
	}
}

// nameless tells a run of this machine that named no process: a caller that shows nothing may well be of it.
func (r *Run) nameless() bool { return r.Owner.PID == 0 && r.Near }
