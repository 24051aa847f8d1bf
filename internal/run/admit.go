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
	TTL  time.Duration // 0 for DefaultTTL
	Join bool          // continue the holder's run if the caller descends from it
	// Supervised means that the caller lives as long as the run, and sees how it ends.
	Supervised bool
	Now        time.Time
}

// Admit decides which run a caller that starts continues, nil for a new one, and whether it may have the lease. A caller
// that joins lives as long as its command: a token alone, which any shell may have inherited, does not make it a part of a
// run. The error, for the lease, is a *[BusyError].
func (a *Assessment) Admit(o StartOptions) (*Run, error) {
	h := a.Holder
	if h != nil && h.State != StateCrashed {
		if o.Join && (h.Above || a.caller.shows(h) && h.Nameless()) || !o.Join && (a.caller.continues(h) || a.lease.isMember(a.caller)) {
			return h, nil
		}
	}
	return a.continued(o), a.available(o)
}

// continued returns the open run without the lease that the caller continues, nil for none. Its process cannot change.
func (a *Assessment) continued(o StartOptions) *Run {
	c := a.caller
	for i := range slices.Backward(a.Runs) {
		r := &a.Runs[i]
		if r.Open() && !r.Holds && r.State != StateCrashed && c.continues(r) && (!o.Join || r.Above) &&
			(c.PID == 0 || r.PID == 0 || c.runs(r.Owner)) {
			return r
		}
	}
	return nil
}

// available returns nil if the caller may take the lease for a run that does not hold it.
func (a *Assessment) available(o StartOptions) error {
	h := a.Holder
	switch {
	case h != nil && h.MayLive():
		if !slices.ContainsFunc(a.Superseded(o), func(r Run) bool { return r.ID == h.ID }) {
			return &BusyError{h}
		}
	case h != nil:
	case a.Lease == LeaseUnreadable:
		if r := a.MayHave(); r != nil {
			return &BusyError{r}
		}
	}
	return nil
}

// MayHave returns the run of somebody else that an unreadable lease may be that of, as far as the journal shows; nil for none.
func (a *Assessment) MayHave() *Run {
	for i := range a.Runs {
		if r := &a.Runs[i]; r.Open() && r.MayLive() && !r.Own {
			return r
		}
	}
	return nil
}

// Superseded returns the open runs that the caller ends by starting another; not one that continues in other processes. If
// the caller's process may have several conversations, and more than one of them is open, it is unknown which.
func (a *Assessment) Superseded(o StartOptions) []Run {
	var left []Run
	for i := range a.Runs {
		r := &a.Runs[i]
		if r.Open() && !o.Join && r.State != StateCrashed && a.caller.replaces(r) && !r.goesOnWithout(a.caller.Owner) {
			left = append(left, *r)
		}
	}
	if a.caller.Shared && len(left) > 1 {
		return nil
	}
	return left
}

// Start returns the start of a new run of the caller on a plan, and that run. found are the tasks that it found in
// progress.
func (a *Assessment) Start(plan string, found []int, o StartOptions, p Processes) (Start, *Run) {
	s := Start{
		ID: NewID(), Token: a.caller.newToken(), Host: a.caller.Host, Plan: plan, Owner: a.caller.Owner, At: o.Now.UTC(),
		TTL: int64(cmp.Or(o.TTL, DefaultTTL) / time.Second), Found: found, Conversation: a.caller.Conversation,
	}
	if s.Owner.PID == 0 { // at least the machine
		s.Owner = p.Here()
		s.Owner.PID, s.Owner.StartTime = 0, ""
	}
	r := assess(&Record{Start: s}, Facts{Now: o.Now, Processes: p, Caller: a.caller})
	return s, &r
}

// Again returns the start of a run of the caller on a plan, and that run, if the caller's latest run was paused and its process goes on; nil
// if not.
func (a *Assessment) Again(plan string, o StartOptions, p Processes) (*Start, *Run) {
	for i := range slices.Backward(a.Runs) {
		was := &a.Runs[i]
		if !was.Own {
			continue
		}
		if was.Status != Paused || was.Owner.Liveness(p) != Alive {
			return nil, nil
		}
		s := &Start{
			ID: NewID(), Token: was.Token, Host: was.Host, Plan: plan, Owner: was.Owner, At: o.Now.UTC(),
			TTL: int64(cmp.Or(o.TTL, DefaultTTL) / time.Second), Conversation: was.Conversation,
		}
		its := assess(&Record{Start: *s}, Facts{Now: o.Now, Processes: p, Caller: a.caller})
		return s, &its
	}
	return nil, nil
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
			l.join(a.caller, a.caller.shows(r))
			l.Conversation = a.conversationWith(r)
		}
	}
	r.Holds, r.Own, r.Seen, r.TTL, r.PID = true, true, o.Now.UTC(), seconds(l.TTL), cmp.Or(r.PID, l.PID)
	if r.State == StateIdle || l.PID > 0 && l.Liveness(a.processes) == Alive {
		r.State = StateActive
	}
	return l
}

// conversationWith returns the host's conversation id of the lease's run once the caller continues it.
func (a *Assessment) conversationWith(r *Run) string {
	was := a.lease
	switch mine := a.caller.Conversation; {
	case mine == "" || a.caller.Host != r.Host: // a part of the run in another program
	case was.Conversation == "" && !slices.ContainsFunc(was.Members, func(m Member) bool { return m.Conversation != "" }):
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
	if h == nil || c.Shared || c.PID <= 0 || c.shows(h) || !slices.ContainsFunc(a.lease.processes(), c.Owner.Same) {
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
	if r.EndResumeID != "" {
		all = append(all, conversationToken(r.EndResumeID))
	}
	return all
}

// Renews reports whether a caller that changes the session renews the lease, because it is that of its run. Unless
// strict, a caller that shows nothing counts as a nameless holder.
func (a *Assessment) Renews(strict bool) bool {
	h := a.Holder
	return h != nil && h.State != StateCrashed && (h.Own || a.caller.Anonymous() && h.Nameless() && !strict)
}

// ToEnd returns the run that the caller ends, nil for none, and whether it may end the whole run. A mere descendant
// ends a run only if it shows nothing else. A caller that shows nothing ends only a nameless run, or one whose process
// is gone: else *[BusyError] if the holder may live. See Abandoned for what such a caller may mean otherwise.
func (a *Assessment) ToEnd() (r *Run, whole bool, err error) {
	c, anonymous := a.caller, a.caller.Anonymous()
	switch h := a.Holder; {
	case h == nil:
	case c.ends(h), anonymous && h.Nameless(), anonymous && h.State == StateCrashed:
		return h, true, nil
	case a.lease.isMember(c):
		return h, false, nil
	case anonymous && h.MayLive():
		return nil, false, &BusyError{h}
	}
	for i := range a.Runs { // the latest open one, else the latest
		if its := &a.Runs[i]; c.ends(its) && (r == nil || its.Open() || !r.Open()) {
			r = its
		}
	}
	return r, true, nil
}

// Abandoned returns the runs that a caller which shows nothing may mean if it ends none of its own: those that are open and that nobody
// has to be asked about, because they are over or have expired.
func (a *Assessment) Abandoned() (runs []*Run) {
	for i := range a.Runs {
		if r := &a.Runs[i]; a.caller.Anonymous() && r.Open() && !r.MayLive() {
			runs = append(runs, r)
		}
	}
	return runs
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
	case status.Resumable():
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
		if a.caller.shows(r) && r.hasConversation() {
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
