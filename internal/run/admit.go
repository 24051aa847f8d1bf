package run

import (
	"cmp"
	"slices"
	"strings"
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
		if o.Join && (h.Above || h.relation == shown && h.Nameless()) || !o.Join && a.caller.continues(h) {
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
	if h != nil && h.MayLive() && !h.onlyStarted() && !slices.ContainsFunc(a.Superseded(o), func(r Run) bool { return r.ID == h.ID }) {
		return &BusyError{h}
	}
	return nil
}

// onlyStarted reports whether a run named neither a process nor a conversation, and has done nothing since: whether it lives can never be
// known, and nothing is lost if it does and another one has the lease.
func (r *Run) onlyStarted() bool {
	return r.Nameless() && !r.hasConversation() && !r.Marked && len(r.InProgress) == 0
}

// Superseded returns the open runs that the caller ends by starting another; not one that continues in other processes. If
// the caller's process may have several conversations, and more than one of them is open, it is unknown which. A caller that shows nothing
// is taken for the holder that named nothing, as for all else that it does, if that has done nothing yet.
func (a *Assessment) Superseded(o StartOptions) []Run {
	var left []Run
	for i := range a.Runs {
		r := &a.Runs[i]
		if !r.Open() || o.Join || r.State == StateCrashed {
			continue
		}
		again := a.caller.Anonymous() && r.Holds && r.onlyStarted() && !a.caller.otherHost(r)
		if again || a.caller.replaces(r) && !r.goesOnWithout(a.caller.Owner) {
			left = append(left, *r)
		}
	}
	if a.caller.Shared && len(left) > 1 {
		return nil
	}
	return left
}

// Start returns the record of a new run of the caller on a plan, and that run.
func (a *Assessment) Start(plan string, o StartOptions, p Processes) (Record, *Run) {
	c := a.caller
	rec := Record{
		ID: NewID(), Token: c.newToken(), Host: c.Host, Plan: plan, Owner: c.Owner, Conversation: c.Conversation, Resume: c.Conversation, Log: c.Log,
	}
	if rec.Owner.PID == 0 { // at least the machine
		rec.Owner = whole(p)
		rec.Owner.PID, rec.Owner.StartTime = 0, ""
	}
	return rec.starting(c, o, p)
}

// Again returns the record of a run of the caller on a plan, and that run, if the caller's latest run was paused and its process is still there, or
// if the caller has none here but one that is open among those elsewhere, of other workstreams; no run if not.
func (a *Assessment) Again(plan string, elsewhere []Run, o StartOptions, p Processes) (Record, *Run) {
	last := func(runs []Run) *Run {
		for i := range slices.Backward(runs) {
			if runs[i].Own {
				return &runs[i]
			}
		}
		return nil
	}
	was := last(a.Runs)
	switch {
	case was != nil && (was.Status != Paused || was.Owner.Liveness(p) != Alive):
		return Record{}, nil
	case was == nil:
		if was = last(elsewhere); was == nil || !was.Open() || was.Supervised {
			return Record{}, nil
		}
	}
	rec := Record{
		ID: NewID(), Token: was.Token, Host: was.Host, Plan: plan, Owner: was.Owner, Conversation: was.Conversation, Resume: was.Conversation, Log: was.Log,
	}
	return rec.starting(a.caller, o, p)
}

// starting returns the record of a run that starts now, and the run.
func (rec Record) starting(c Caller, o StartOptions, p Processes) (Record, *Run) {
	rec.Started = seconds(o.Now)
	rec.Seen, rec.TTL = rec.Started, int64(cmp.Or(o.TTL, DefaultTTL)/time.Second)
	run := assess(&rec, Facts{Now: o.Now, Processes: p, Caller: c})
	return rec, &run
}

// Hold returns the record of a run that the caller starts or continues, and makes the run the holder of the lease. A caller that
// continues becomes a member, but not the command of a gsd exec that joins: it ends before the run.
func (a *Assessment) Hold(r *Run, o StartOptions) Record {
	rec := *r.rec
	rec.Log = cmp.Or(a.caller.Log, rec.Log)
	if !r.Holds {
		rec.Supervised, rec.Resume = o.Supervised, cmp.Or(a.caller.Conversation, rec.Resume)
	} else if !o.Join {
		rec.Resume = a.conversationWith(r)
		rec.join(a.caller, r.relation == shown)
	}
	rec.Seen, rec.TTL = o.Now.UTC(), int64(cmp.Or(o.TTL, r.TTL, DefaultTTL)/time.Second)
	r.rec = &rec
	r.Holds, r.Own, r.Seen, r.TTL, r.PID = true, true, rec.Seen, lasting(rec.TTL), cmp.Or(r.PID, rec.Owner.PID)
	if r.State == StateIdle || rec.Owner.PID > 0 && rec.Owner.Liveness(a.processes) == Alive {
		r.State = StateActive
	}
	return rec
}

// Take makes a run of the caller the holder of the lease, see [Assessment.Hold], and returns the run that it takes it from, nil for none.
func (r *Records) Take(a *Assessment, run *Run, o StartOptions) (from *Run) {
	r.Put(a.Hold(run, o))
	if h := a.Holder; h != nil && h.ID != run.ID { // its end was not recorded, and its conversation may be that of the new run
		was := *h
		from = &was
		r.Release(h)
	}
	r.Holder = run.ID
	return from
}

// Release takes the lease from its holder, which continues without it.
func (r *Records) Release(h *Run) {
	r.Forget(h.Conversations()...) // without its lease, nothing else says which conversation must not be resumed
	r.Holder = ""
}

// Revive adds a run that is remembered elsewhere, unless it is known or its conversation has another one. If it may live, and nobody else has
// the lease, it holds that again; else it crashed, and whatever starts a run closes it.
func (r *Records) Revive(record Record, lives bool) {
	open := func(other Record) bool { return other.End == nil && other.Token == record.Token }
	if r.Find(record.ID) != nil || slices.ContainsFunc(r.Runs, open) {
		return
	}
	r.Begin(record)
	if lives && r.Holder == "" {
		r.Holder = record.ID
	}
}

// conversationWith returns the conversation to offer of a run once the caller continues it.
func (a *Assessment) conversationWith(r *Run) string {
	was := r.rec
	switch mine := a.caller.Conversation; {
	case mine == "" || a.caller.Host != r.Host: // a part of the run in another program
	case was.Resume == "" && !slices.ContainsFunc(was.Members, func(m Member) bool { return m.Conversation != "" }):
		return mine
	case was.Resume != mine && conversationToken(was.Resume) != r.Token: // which of them it is is unknown
		return ""
	}
	return was.Resume
}

// Departed returns the record of the holder without the process of a caller that starts another conversation but does not get the lease.
// It reports whether that process was in it.
func (a *Assessment) Departed() (Record, bool) {
	h, c := a.Holder, a.caller
	if h == nil || c.Shared || c.PID <= 0 || h.relation == shown || !slices.ContainsFunc(h.rec.processes(), c.Owner.Same) {
		return Record{}, false
	}
	rec := *h.rec
	rec.leave(c.Owner, a.processes)
	return rec, true
}

// Conversations returns the tokens of a run's conversations, as far as they are known.
func (r *Run) Conversations() []string {
	all := r.rec.conversations()
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
	case h.relation == joined:
		return h, false, nil
	case anonymous && h.MayLive():
		return nil, false, &BusyError{h}
	}
	for i := range a.Runs { // the latest open one, else the latest
		if run := &a.Runs[i]; c.ends(run) && (r == nil || run.Open() || !r.Open()) {
			r = run
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

// IsPart reports whether the caller ends only a part of the holder's run: it is a member, one of several processes, or a
// part of a run whose end gsd exec sees.
func (a *Assessment) IsPart(r *Run, whole bool) bool {
	if r.Supervised || !whole {
		return true
	}
	gone, ok := r.rec.leaver(a.caller, a.processes)
	if !ok { // it left before, was never in it, or does not name its process
		return len(r.living) > 1 || len(r.living) == 1 && a.caller.PID > 0
	}
	return r.goesOnWithout(gone)
}

// Left returns the record of a run without the caller, whose part of it ended with status, for a reason, which may be empty. It also returns
// the tokens of the conversations that must not be resumed, however the run ends.
func (a *Assessment) Left(r *Run, status Status, reason string) (rec Record, unsafe []string) {
	rec = *r.rec
	gone, ok := rec.leaver(a.caller, a.processes)
	if !status.Resumable() {
		rec.Reason = r.Why(status, reason)
	}
	// The process of gsd exec is above all of its parts, and does not leave.
	if ok && !(rec.Supervised && gone.Same(rec.Owner)) {
		rec.leave(gone, a.processes)
	}
	switch {
	case status.Resumable():
	case a.caller.Conversation == "" || a.caller.Conversation == rec.Resume:
		unsafe = rec.conversations()
		rec.Resume = ""
	default:
		unsafe = []string{conversationToken(a.caller.Conversation)}
	}
	return rec, unsafe
}

// Why returns the reason of the end of a run, or of a part of it, which may be empty: what is given, after what parts of it have said that
// ended badly. They are no reason for a good end. Where there is too much to say, what was said before is cut.
func (r *Run) Why(status Status, given string) string { return r.rec.why(status, given) }

func (rec *Record) why(status Status, given string) string {
	const and = "; "
	given = clip(given, longestReason)
	if rec.Reason == "" || status.Resumable() {
		return given
	}
	if given == "" || slices.Contains(strings.Split(rec.Reason, and), given) {
		return rec.Reason
	}
	if said := clip(rec.Reason, max(0, longestReason-len(given)-len(and))); said != "" {
		return said + and + given
	}
	return given
}

// Ending returns the host's conversation id of a run that ends, or "" if it must not be resumed. Of a run without the lease, the caller must
// know it. Ending also returns the tokens of the run's conversations whose processes never reported their end, because they were killed or
// still work. The caller is not among them, and neither is the command of gsd exec.
func (a *Assessment) Ending(r *Run, command int) (conversation string, unreported []string) {
	if !r.Holds {
		if r.relation == shown && r.hasConversation() {
			conversation = a.caller.Conversation
		}
		return conversation, nil
	}
	reporter, ok := r.rec.leaver(a.caller, a.processes)
	if all := r.rec.processes(); !ok && len(all) == 1 {
		reporter = all[0]
	}
	for _, m := range r.rec.all() {
		if m.PID > 0 && m.PID != command && !m.Same(reporter) {
			unreported = append(unreported, m.Conversation)
		}
	}
	if slices.Contains(unreported, conversationToken(r.rec.Resume)) {
		return "", unreported
	}
	return r.rec.Resume, unreported
}
