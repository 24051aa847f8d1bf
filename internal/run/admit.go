package run

import (
	"cmp"
	"slices"
	"time"
)

// DefaultTTL is how long a run on another machine keeps its lease after its latest sign of life.
const DefaultTTL = time.Hour

// A BusyError means that another run works on the session.
type BusyError struct{ Run *Run }

func (e *BusyError) Error() string { return "the session is in use by " + e.Run.Who() }

// StartOptions are the options for starting a run.
type StartOptions struct {
	TTL   time.Duration // 0 for the run's own, else DefaultTTL
	Force bool          // take the lease from its holder
	Join  bool          // continue the holder's run if the caller descends from it
	// Supervised means that the caller lives as long as the run, and sees how it ends.
	Supervised bool
	Now        time.Time
}

// Admit decides whether a caller may have the lease. It returns the run that the caller continues, or nil for a new
// one. A caller that joins lives as long as its command: a token alone, which any shell may have inherited, does not
// make it a part of a run. Errors: *[BusyError], [ErrLeaseVersion].
func (a *Assessment) Admit(o StartOptions) (*Run, error) {
	c, h := a.caller, a.Holder
	if h != nil && h.State != StateOrphaned {
		switch {
		case !o.Join && c.leaves(h):
			if h.goesOnWithout(c.Owner) && !o.Force {
				return nil, &BusyError{h}
			}
		case h.Above && (o.Join || c.Anonymous()), c.shows(h) && (!o.Join || h.Nameless()):
			return h, nil
		case h.Own && c.PID == 0: // a new conversation of the same agent, or a part of it, that names no process
			return h, nil
		case h.MayLive() && !o.Force:
			return nil, &BusyError{h}
		}
	}
	for i := range a.Runs { // runs that lost the lease by a crash or by gsd run unlock
		r := &a.Runs[i]
		if r.Open() && c.shows(r) && r.State != StateOrphaned && !c.leaves(r) && (!o.Join || r.Above) {
			return r, nil
		}
	}
	switch {
	case h != nil || o.Force:
	case a.Lease == LeaseLater:
		return nil, ErrLeaseVersion
	case a.Lease == LeaseUnreadable: // the journal may show whose it is
		for i := range a.Runs {
			if r := &a.Runs[i]; r.Open() && r.MayLive() && !r.Own {
				return nil, &BusyError{r}
			}
		}
	}
	return nil, nil
}

// Superseded returns the open runs that the caller abandons by starting another.
func (a *Assessment) Superseded(o StartOptions) []Run {
	var left []Run
	for i := range a.Runs {
		if r := &a.Runs[i]; r.Open() && r.State != StateOrphaned && !o.Join && a.caller.leaves(r) {
			left = append(left, *r)
		}
	}
	return left
}

// Start returns the start of a new run of the caller on a plan, and that run. It takes over the time to live of a
// nameless run that it supersedes.
func (a *Assessment) Start(plan string, o StartOptions, p Processes) (Start, *Run) {
	for _, r := range a.Superseded(o) {
		if r.Nameless() {
			o.TTL = cmp.Or(o.TTL, r.TTL)
		}
	}
	s := Start{
		ID: NewID(), Host: a.caller.Host, Plan: plan, Owner: a.caller.Owner, At: o.Now.UTC(),
		TTL: int64(cmp.Or(o.TTL, DefaultTTL) / time.Second),
	}
	if s.Owner.PID == 0 { // at least the machine
		s.Owner = p.Here()
		s.Owner.PID, s.Owner.StartTime = 0, ""
	}
	if tokens := a.caller.tokens(); len(tokens) > 0 {
		s.Token = tokens[0]
	} else {
		s.Token = NewID() + NewID()
	}
	r := assess(&Record{Start: s}, Facts{Now: o.Now, Processes: p, Caller: a.caller})
	return s, &r
}

// LeaseFor returns the lease of a run that the caller starts or continues, and makes the run its holder. A caller that
// continues becomes a member, but not the command of a gsd exec that joins: it ends before the run.
func (a *Assessment) LeaseFor(r *Run, o StartOptions) Lease {
	l := Lease{
		Token: r.Token, Run: r.ID, Host: r.Host, Conversation: a.caller.Conversation, Owner: r.Owner,
		Supervised: o.Supervised, Acquired: r.Started, Renewed: o.Now, TTL: int64(cmp.Or(o.TTL, r.TTL, DefaultTTL) / time.Second),
	}
	if was := a.lease; was.Run == r.ID {
		l.Owner, l.Members, l.Conversation, l.Supervised = was.Owner, was.Members, was.Conversation, was.Supervised
		if !o.Join {
			l.join(a.caller)
			l.Conversation = a.conversationWith(r)
		}
	}
	r.Holds, r.Own, r.Seen, r.TTL = true, true, o.Now.UTC(), seconds(l.TTL)
	if r.State == StateIdle {
		r.State = StateActive
	}
	return l
}

// conversationWith returns the host's conversation id of the lease's run once the caller continues it.
func (a *Assessment) conversationWith(r *Run) string {
	was := a.lease
	switch mine := a.caller.Conversation; {
	case mine == "" || a.caller.Host != r.Host: // a part of the run in another program
	case was.Conversation == "" && len(was.Members) == 0:
		return mine
	case was.Conversation != mine && conversationToken(was.Conversation) != r.Token: // which of them it is is unknown
		return ""
	}
	return was.Conversation
}

// Departed returns the lease without the process of a caller that starts another conversation but does not get the
// lease. It reports whether that process was in the lease.
func (a *Assessment) Departed() (Lease, bool) {
	h, c := a.Holder, a.caller
	if h == nil || c.PID <= 0 || c.shows(h) || !slices.ContainsFunc(a.lease.processes(), c.Owner.Same) {
		return Lease{}, false
	}
	l := a.lease
	l.leave(c.Owner, a.processes)
	return l, true
}

// Conversations returns the tokens of a run's conversations, as far as they are known.
func (a *Assessment) Conversations(r *Run) []string {
	all := []string{r.Token}
	if r.Holds {
		all = append(all, a.lease.conversations()...)
	}
	return all
}

// Renews reports whether a caller that changes the session renews the lease, because it is that of its run. Unless
// strict, a caller that shows nothing counts as a nameless holder.
func (a *Assessment) Renews(strict bool) bool {
	h := a.Holder
	return h != nil && h.State != StateOrphaned && (h.Own || a.caller.Anonymous() && h.Nameless() && !strict)
}

// ToEnd returns the run that the caller ends, nil for none, and whether it may end the whole run. A mere descendant
// ends a run only if it shows nothing else. A caller that shows nothing ends only a nameless run, or one whose process
// is gone: else *[BusyError].
func (a *Assessment) ToEnd() (r *Run, whole bool, err error) {
	c, anonymous := a.caller, a.caller.Anonymous()
	switch h := a.Holder; {
	case h == nil:
	case c.is(h), c.part(h), anonymous && h.Nameless(), anonymous && h.State == StateOrphaned:
		return h, true, nil
	case a.lease.isMember(c):
		return h, false, nil
	case anonymous:
		return nil, false, &BusyError{h}
	}
	for i := range a.Runs { // the latest open one, else the latest
		if its := &a.Runs[i]; c.is(its) && (r == nil || its.Open() || !r.Open()) {
			r = its
		}
	}
	return r, true, nil
}

// IsPart reports whether the caller ends only a part of the lease's run: it is a member, one of several processes, or a
// part of a run whose end gsd exec sees.
func (a *Assessment) IsPart(r *Run, whole bool) bool {
	if r.Supervised || !whole {
		return true
	}
	gone, ok := a.lease.leaver(a.caller, a.processes)
	if !ok { // it left before, was never in the lease, or does not name its process
		return len(r.living) > 1 || len(r.living) == 1 && a.caller.PID > 0
	}
	return r.goesOnWithout(gone)
}

// Left returns the lease without the caller, whose part of the run ended with status. It also returns the tokens of the
// conversations that must not be resumed, however the run ends.
func (a *Assessment) Left(status Status) (l Lease, unsafe []string) {
	l = a.lease
	// The process of gsd exec is above all of its parts, and does not leave.
	if gone, ok := l.leaver(a.caller, a.processes); ok && !(l.Supervised && gone.Same(l.Owner)) {
		l.leave(gone, a.processes)
	}
	switch {
	case status == Success:
	case a.caller.Conversation == "" || a.caller.Conversation == l.Conversation:
		unsafe = l.conversations()
		l.Conversation = ""
	default:
		unsafe = []string{conversationToken(a.caller.Conversation)}
	}
	return l, unsafe
}

// Ending returns the host's conversation id of a run that ends, or "" if it must not be resumed. The lease has it
// while the run lasts; without the lease, the caller may know it. Ending also returns the tokens of the run's
// conversations whose processes never reported their end, because they were killed or still work. The caller is not among
// them, and neither is the command of gsd exec.
func (a *Assessment) Ending(r *Run, command int) (conversation string, unreported []string) {
	if a.lease.Run != r.ID {
		if a.caller.isOf(r) {
			conversation = a.caller.Conversation
		}
		return conversation, nil
	}
	reporter, ok := a.lease.leaver(a.caller, a.processes)
	if all := a.lease.processes(); !ok && len(all) == 1 {
		reporter = all[0]
	}
	for _, m := range a.lease.all() {
		if m.PID > 0 && m.PID != command && !m.Same(reporter) {
			unreported = append(unreported, m.Conversation)
		}
	}
	if slices.Contains(unreported, conversationToken(a.lease.Conversation)) {
		return "", unreported
	}
	return a.lease.Conversation, unreported
}

// HasLease reports whether the lease names a run, which may be over.
func (a *Assessment) HasLease(r *Run) bool { return a.lease.Run == r.ID }

// Stale reports whether the lease is that of a run that has ended: it crashed before it could drop the lease.
func (a *Assessment) Stale() bool { return a.lease.Run != "" && a.Lease == LeaseNone }
