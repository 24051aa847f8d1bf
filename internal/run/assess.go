package run

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// State is how a run stands.
type State string

// The states of a run. The first four are open, the other two have an end in the journal.
const (
	StateActive      State = "active"      // its owner lives, and it holds the lease
	StateIdle        State = "idle"        // its owner lives, and it does not hold the lease
	StateUnknown     State = "unknown"     // nobody here can tell whether its owner lives
	StateOrphaned    State = "orphaned"    // its owner is dead, and it never ended
	StateFinished    State = "finished"    // it ended in success or failure
	StateInterrupted State = "interrupted" // it ended in any other way
)

// LeaseState is what is known of a session's lease.
type LeaseState string

// The states of a lease.
const (
	LeaseNone       LeaseState = "none"       // there is none, or its run has ended
	LeaseHeld       LeaseState = "held"       // by an open run, be its owner alive or not
	LeaseUnreadable LeaseState = "unreadable" // there is a file that says nothing
	LeaseLater      LeaseState = "later"      // a later version of gsd wrote it
)

// Facts are all that an assessment depends on.
type Facts struct {
	Lease     Lease
	LeaseFile LeaseState // what reading it gave, see [Files.LeaseState]
	Runs      []Record
	Now       time.Time
	Processes Processes // nil where nobody is to be looked for
	Caller    Caller
}

// A Run is one agent process or conversation at work on a session, from start to end. Unlike a [Record] it is assessed.
type Run struct {
	ID       string        `json:"id"`                     // what gsd run end --run takes, whole or its beginning
	Host     string        `json:"host" empty:"null"`      // the program that the agent runs in, such as claude; null if not stated
	State    State         `json:"state"`                  // the state of the run
	Status   Status        `json:"status" empty:"null"`    // how it ended; null while it is open
	Cause    Cause         `json:"cause" empty:"null"`     // who says that it ended; null while it is open
	Plan     string        `json:"plan" empty:"null"`      // the plan that the session was on when it started
	PID      int           `json:"pid" empty:"null"`       // its owner, the agent's process, as it holds the lease
	HostName string        `json:"host_name" empty:"null"` // the machine that it runs on
	Started  time.Time     `json:"started"`                // when it started
	Ended    time.Time     `json:"ended" empty:"null"`     // when it ended; null while it is open
	Seen     time.Time     `json:"seen"`                   // its latest sign of life: when its lease was renewed, else when it started
	TTL      time.Duration `json:"ttl"`                    // how long after its latest sign of life it expires, in seconds
	Expired  bool          `json:"expired"`                // the state is unknown, and there was no sign of life for longer than ttl
	Holds    bool          `json:"holds_lease"`            // it holds the lease of the session
	Own      bool          `json:"own"`                    // the caller belongs to it
	ResumeID string        `json:"resume_id" empty:"null"` // the host's id of its conversation, if that is safe to resume; else null

	Token      string `json:"-"`
	Owner      Owner  `json:"-"`
	Above      bool   `json:"-"` // it is open, and its process is the caller's or has started it
	Near       bool   `json:"-"` // its owner is on this machine, in this container
	Supervised bool   `json:"-"` // gsd exec lives, and will see how it ends
	Said       string `json:"-"` // the conversation's id that its end names, safe or not

	living []Owner // its processes that are not known to be dead
}

// Open reports whether a run has no end.
func (r *Run) Open() bool { return r.Status == "" }

// MayLive reports whether a run is not over as far as can be told: nothing of it may be taken away unasked.
func (r *Run) MayLive() bool {
	return r.State == StateActive || r.State == StateIdle || r.State == StateUnknown && !r.Expired
}

// Killed reports whether somebody saw or proved that a run died: the tasks that it left were not put down by anybody.
func (r *Run) Killed() bool { return r.Status == Interrupted }

// Over reports whether gsd run sweep ends a run: it is dead, or, by force, nobody can tell and its time is up.
func (r *Run) Over(force bool) bool { return r.State == StateOrphaned || force && r.Expired }

// Nameless reports whether a run of this machine named no process: a caller that shows nothing may well be of it.
func (r *Run) Nameless() bool { return r.Owner.PID == 0 && r.Near }

// Lasted is how long a run took, until now where it may live. A clock that was set back makes no time negative.
func (r *Run) Lasted(now time.Time) time.Duration {
	until := r.Seen // of one that died nobody knows more
	switch {
	case !r.Open():
		until = r.Ended
	case r.MayLive():
		until = now
	}
	return max(0, until.Sub(r.Started))
}

// Who names a run for people: host, process, machine, since when.
func (r *Run) Who() string {
	var at []string
	if r.PID > 0 {
		at = append(at, fmt.Sprintf("pid %d", r.PID))
	}
	if r.HostName != "" {
		at = append(at, "on "+r.HostName)
	}
	where := ""
	if len(at) > 0 {
		where = " (" + strings.Join(at, " ") + ")"
	}
	return fmt.Sprintf("%s%s, run %s, since %s", cmp.Or(r.Host, "somebody"), where, r.ID, r.Started.UTC().Format(time.RFC3339))
}

// An Assessment is how the runs of one session stand.
type Assessment struct {
	Runs   []Run // in the order of their starts
	Lease  LeaseState
	Holder *Run // the open run that holds the lease, nil for none
	Latest *Run // the run that matters now: the holder, else the one that began last; nil for none

	lease     Lease
	caller    Caller
	processes Processes
}

// AtWork is the holder of the lease where it may live; nil for nobody.
func (a *Assessment) AtWork() *Run {
	if a.Holder == nil || !a.Holder.MayLive() {
		return nil
	}
	return a.Holder
}

// Deserted reports whether a run died, and no other may be working on what it left.
func (a *Assessment) Deserted() bool {
	died := slices.ContainsFunc(a.Runs, func(r Run) bool { return r.State == StateOrphaned })
	died = died || len(a.Runs) > 0 && a.Runs[len(a.Runs)-1].Killed()
	return died && !slices.ContainsFunc(a.Runs, func(r Run) bool { return r.MayLive() })
}

// Assess judges how the runs of a session stand. It is pure: the same facts, the same answer; what it asks of the
// process table it asks through the facts. Reading never writes: what follows from an assessment, only the
// commands that write carry out.
func Assess(f Facts) Assessment {
	if f.Processes != nil { // one answer is about one moment, and thousands of runs may name the same process
		f.Processes = &moment{Processes: f.Processes, seen: map[int]answer{}}
	}
	a := Assessment{Lease: f.LeaseFile, lease: f.Lease, caller: f.Caller, processes: f.Processes}
	for i := range f.Runs {
		a.Runs = append(a.Runs, assess(&f.Runs[i], f))
	}
	// What the conversations of the open run that holds the lease go by.
	var held []string
	if f.LeaseFile == LeaseHeld && a.hold(f) {
		held = a.lease.conversations()
	}
	gate(a.Runs, held)
	for i := range a.Runs {
		if a.Runs[i].Holds {
			a.Holder = &a.Runs[i]
		}
	}
	if a.Latest = a.Holder; a.Latest == nil && len(a.Runs) > 0 {
		a.Latest = &a.Runs[len(a.Runs)-1]
	}
	return a
}

// hold gives the lease to the run that it names, and reports whether it does hold it. One that has ended has given it
// back, though a crash may have kept its lease from being taken away. One that the journal does not know stands for
// itself: the journal may have been lost.
func (a *Assessment) hold(f Facts) bool {
	at := slices.IndexFunc(a.Runs, func(r Run) bool { return r.ID == f.Lease.Run })
	switch {
	case at < 0:
		a.Runs = append(a.Runs, assess(&Record{Start: Start{
			ID: f.Lease.Run, Token: f.Lease.Token, Host: f.Lease.Host, Owner: f.Lease.Owner, At: f.Lease.Acquired, TTL: f.Lease.TTL,
		}}, f))
		at = len(a.Runs) - 1
	case !a.Runs[at].Open():
		a.Lease = LeaseNone
		return false
	}
	r := &a.Runs[at]
	if f.Lease.PID > 0 { // the journal knows who began it, the lease who is there now
		r.judge(f.Lease.Owner, f)
	}
	for _, m := range f.Lease.Members {
		if m.PID <= 0 {
			continue
		}
		other := *r
		if other.judge(m.Owner, f); other.liveliness() <= r.liveliness() {
			r.Own, r.Above = r.Own || other.Own, r.Above || other.Above
			continue
		}
		other.Own, other.Above = other.Own || r.Own, other.Above || r.Above
		*r = other
	}
	r.Holds, r.Seen, r.TTL = true, f.Lease.Renewed, seconds(f.Lease.TTL)
	r.living = f.Lease.living(f.Processes)
	r.Supervised = f.Lease.Supervised && f.Lease.Liveness(f.Processes) != Dead
	if r.State == StateIdle {
		r.State = StateActive
	}
	r.Expired = r.State == StateUnknown && expired(r.Seen, r.TTL, f.Now)
	return true
}

// liveliness orders what is known of the processes of one open run: it lives as long as any of them.
func (r *Run) liveliness() int {
	switch r.State {
	case StateIdle, StateActive:
		return 2
	case StateUnknown:
		return 1
	}
	return 0
}

// The longest texts of a run that are shown, in bytes: whoever wrote the files, an agent reads them at every turn.
const (
	longestHost     = 64
	longestHostName = 255
	longestPath     = 4096
)

// assess judges a run by what the journal has of it.
func assess(rec *Record, f Facts) Run {
	r := Run{
		ID: rec.ID, Token: rec.Token, Host: clip(rec.Host, longestHost), Plan: clip(rec.Plan, longestPath),
		Started: rec.At, Seen: rec.At, TTL: seconds(rec.TTL),
	}
	if end := rec.End; end != nil {
		r.Status, r.Cause, r.Ended, r.Said = end.Status, end.Cause, end.At, end.ResumeID
	}
	r.judge(rec.Owner, f)
	return r
}

// judge fills in what follows from who owns a run.
func (r *Run) judge(o Owner, f Facts) {
	o.HostName = clip(o.HostName, longestHostName)
	r.Owner, r.PID, r.HostName = o, max(0, o.PID), o.HostName
	if f.Processes != nil {
		r.Near = o.Near(f.Processes.Here())
		r.Above = r.Open() && o.IsAncestor(f.Processes)
	}
	r.Own = f.Caller.owns(r)
	r.Expired = false
	if !r.Open() {
		r.State = endState(r.Status)
		return
	}
	switch o.Liveness(f.Processes) {
	case Alive:
		r.State = StateIdle
	case Dead:
		r.State = StateOrphaned
	default:
		r.State, r.Expired = StateUnknown, expired(r.Seen, r.TTL, f.Now)
	}
}

// End makes the run one that has ended so.
func (r *Run) End(e End) {
	r.Status, r.Cause, r.Ended, r.ResumeID, r.State = e.Status, e.Cause, e.At, e.ResumeID, endState(e.Status)
}

// endState is the state of a run that has ended so.
func endState(status Status) State {
	if status == Success || status == Failure {
		return StateFinished
	}
	return StateInterrupted
}

// expired reports whether a sign of life is older than ttl. One from the future, by a clock that was set back or by
// another machine's, is not fresh for ever: clocks differ by a day at most.
func expired(seen time.Time, ttl time.Duration, now time.Time) bool {
	const apart = 24 * time.Hour
	age := now.Sub(seen)
	return age > ttl || age < -apart
}

// gate decides which conversations may be offered for resumption: only that of a run which itself ended in success,
// by its own word, and only where no later run of the same conversation came to another end or to none: an agent that
// was killed in the middle of a turn has a conversation that cannot be relied on. held is what the conversations of the
// open run go by that holds the lease.
func gate(runs []Run, held []string) {
	spoilt := map[string]bool{} // what the conversations go by that a later run left badly
	for i := len(runs) - 1; i >= 0; i-- {
		r := &runs[i]
		if r.Status != Success {
			spoilt[r.Token] = true
			if r.Holds {
				for _, token := range held {
					spoilt[token] = true
				}
			}
			continue
		}
		if !r.Cause.Concluded() && !spoilt[r.Token] && !spoilt[conversationToken(r.Said)] {
			r.ResumeID = r.Said
		}
	}
}

// clip cuts a text to at most n bytes.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// A moment is a process table that asks another one for each process once. It is for one goroutine.
type moment struct {
	Processes
	seen map[int]answer
}

type answer struct {
	process Process
	err     error
}

func (m *moment) Find(pid int) (Process, error) {
	is, ok := m.seen[pid]
	if !ok {
		is.process, is.err = m.Processes.Find(pid)
		m.seen[pid] = is
	}
	return is.process, is.err
}
