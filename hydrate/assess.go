package hydrate

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/session"
)

// RunState is how a run stands (docs/design.md, Runs).
type RunState string

// The states of a run. The first four are open, the other two have an end in the journal.
const (
	RunActive      RunState = "active"      // its owner lives, and it holds the lease
	RunIdle        RunState = "idle"        // its owner lives, and it does not hold the lease
	RunUnknown     RunState = "unknown"     // nobody here can tell whether its owner lives
	RunOrphaned    RunState = "orphaned"    // its owner is dead, and it never ended
	RunFinished    RunState = "finished"    // it ended in success or failure
	RunInterrupted RunState = "interrupted" // it ended in any other way
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

// RunFacts is all that an assessment depends on.
type RunFacts struct {
	Session   *planfile.File // nil where there is none
	Lease     session.Lease
	LeaseFile LeaseState // what reading it gave: none, held, unreadable or later
	Journal   session.Journal
	Crumbs    []session.Crumb // of this project and user
	Archived  []*planfile.File
	Now       time.Time
	Processes session.Processes
	Caller    Claim
}

// Run is one run, assessed.
type Run struct {
	session.Run
	State      RunState
	Holds      bool      // the lease
	Own        bool      // the caller acts for it (see Claim.owns)
	Above      bool      // it is open, and its process is the caller's or has started it
	Near       bool      // its owner is on this machine, in this container
	Renewed    time.Time // the latest sign of life: the lease's, else its start
	Expired    bool      // State is RunUnknown, and it gave no sign of life for longer than its time to live
	ResumeID   string    // the host's conversation id, only where it is safe to resume (see gate)
	Supervised bool      // gsd exec lives, and will see how it ends

	conversations []string        // what those of an open run go by, as the lease has it
	living        []session.Owner // its processes that are not known to be dead
}

// Open tells a run that has no end.
func (r *Run) Open() bool { return r.End == nil }

// MayLive tells a run that is not over as far as can be told: nothing of it may be taken away unasked.
func (r *Run) MayLive() bool {
	return r.State == RunActive || r.State == RunIdle || r.State == RunUnknown && !r.Expired
}

// killed tells a run that somebody saw or proved to have died: the tasks that it left were not put down by anybody.
func (r *Run) killed() bool { return r.End != nil && r.End.Status == session.Interrupted }

// over tells a run that gsd sweep ends: it is dead, or, by force, nobody can tell and its time is up.
func (r *Run) over(force bool) bool { return r.State == RunOrphaned || force && r.Expired }

// Assessment is how the runs of one session stand.
type Assessment struct {
	Runs   []Run // in the order of their starts
	Lease  LeaseState
	Holder *Run     // the open run that holds the lease, nil for none
	Latest *Run     // the run that matters now: the holder, else the one that began last; nil for none
	Left   []int    // tasks left in progress by a dead run, none where another may be working on them
	Lost   []Orphan // sessions of this project and user that are neither there nor archived
}

// AtWork is the holder of the lease where it may live; nil for nobody.
func (a *Assessment) AtWork() *Run {
	if a.Holder == nil || !a.Holder.MayLive() {
		return nil
	}
	return a.Holder
}

// Interrupted tells that the task which a session goes on with was put down: it is in progress, and nobody is at work
// on the session. The file alone cannot tell that (Judgement.InProgress).
func (a *Assessment) Interrupted(r *Report) bool {
	return r.Verdict == Resume && r.InProgress && a.AtWork() == nil
}

// Assess tells how the runs of a session stand. It is pure: the same facts, the same answer; what it asks of the
// process table it asks through the facts. Reading never writes: what follows from an assessment, only the
// commands that write carry out.
func Assess(f RunFacts) Assessment {
	a := Assessment{Lease: f.LeaseFile, Lost: lost(f)}
	if f.Processes != nil { // one answer is about one moment, and thousands of runs may name the same process
		f.Processes = session.Glance(f.Processes)
	}
	for _, run := range f.Journal.Runs {
		a.Runs = append(a.Runs, assessRun(run, f))
	}
	if f.LeaseFile == LeaseHeld {
		a.hold(f)
	}
	gate(a.Runs)
	for i := range a.Runs {
		if a.Runs[i].Holds {
			a.Holder = &a.Runs[i]
		}
	}
	if a.Latest = a.Holder; a.Latest == nil && len(a.Runs) > 0 {
		a.Latest = &a.Runs[len(a.Runs)-1]
	}
	died := a.has(RunOrphaned) || len(a.Runs) > 0 && a.Runs[len(a.Runs)-1].killed()
	if died && !slices.ContainsFunc(a.Runs, func(r Run) bool { return r.MayLive() }) {
		a.Left = inProgress(f.Session)
	}
	return a
}

// hold gives the lease to the run that it names. One that has ended has given it back, though a crash may have
// kept its lease from being taken away. One that the journal does not know stands for itself: the journal may
// have been lost.
func (a *Assessment) hold(f RunFacts) {
	at := slices.IndexFunc(a.Runs, func(r Run) bool { return r.ID == f.Lease.Run })
	switch {
	case at < 0:
		a.Runs = append(a.Runs, assessRun(session.Run{Start: session.Start{
			ID: f.Lease.Run, Token: f.Lease.Token, Host: f.Lease.Host, Owner: f.Lease.Owner, At: f.Lease.Acquired,
			TTL: time.Duration(f.Lease.TTL) * time.Second,
		}}, f))
		at = len(a.Runs) - 1
	case !a.Runs[at].Open():
		a.Lease = LeaseNone
		return
	}
	r := &a.Runs[at]
	if f.Lease.PID > 0 { // the journal knows who began it, the lease who is there now
		r.Owner = f.Lease.Owner
		*r = assessRun(r.Run, f)
	}
	for _, m := range f.Lease.Members {
		if m.PID <= 0 {
			continue
		}
		run := r.Run
		run.Owner = m.Owner
		if other := assessRun(run, f); other.liveliness() > r.liveliness() {
			other.Own, other.Above = other.Own || r.Own, other.Above || r.Above
			*r = other
		} else {
			r.Own, r.Above = r.Own || other.Own, r.Above || other.Above
		}
	}
	r.Holds, r.Renewed, r.TTL = true, f.Lease.Renewed, time.Duration(f.Lease.TTL)*time.Second
	r.living = living(&f.Lease, f.Processes)
	r.conversations = conversations(&f.Lease)
	r.Supervised = f.Lease.Supervised && f.Lease.Liveness(f.Processes) != session.Dead
	if r.State == RunIdle {
		r.State = RunActive
	}
	r.Expired = r.State == RunUnknown && expired(r.Renewed, r.TTL, f.Now)
}

// liveliness orders what is known of the processes of one open run: it lives as long as any of them.
func (r *Run) liveliness() int {
	switch r.State {
	case RunIdle, RunActive:
		return 2
	case RunUnknown:
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

func assessRun(run session.Run, f RunFacts) Run {
	run.Host, run.Plan, run.Owner.HostName = clip(run.Host, longestHost), clip(run.Plan, longestPath), clip(run.Owner.HostName, longestHostName)
	r := Run{Run: run, Renewed: run.At}
	if f.Processes != nil {
		r.Near = run.Owner.Near(f.Processes.Here())
		r.Above = run.End == nil && run.Owner.IsAncestor(f.Processes)
	}
	r.Own = f.Caller.owns(&r)
	if run.End != nil {
		r.State = endState(run.End)
		return r
	}
	switch run.Owner.Liveness(f.Processes) {
	case session.Alive:
		r.State = RunIdle
	case session.Dead:
		r.State = RunOrphaned
	default:
		r.State, r.Expired = RunUnknown, expired(run.At, run.TTL, f.Now)
	}
	return r
}

// endState is the state of a run that has an end.
func endState(end *session.End) RunState {
	if end.Status == session.Success || end.Status == session.Failure {
		return RunFinished
	}
	return RunInterrupted
}

// expired tells whether a sign of life is older than ttl. One from the future, by a clock that was set back or by
// another machine's, is not fresh for ever: clocks differ by a day at most.
func expired(seen time.Time, ttl time.Duration, now time.Time) bool {
	const apart = 24 * time.Hour
	age := now.Sub(seen)
	return age > ttl || age < -apart
}

// gate decides which conversations may be offered for resumption: only that of a run which itself ended in success,
// by its own word, and only where no later run of the same conversation came to another end or to none. The hole that
// claude-hooks left (seed 003: success of A, then SIGKILL of B on the same conversation) is closed by the latter.
func gate(runs []Run) {
	spoilt := map[string]bool{} // what the conversations go by that a later run left badly
	for i := len(runs) - 1; i >= 0; i-- {
		r := &runs[i]
		if r.End == nil || r.End.Status != session.Success {
			spoilt[r.Token] = true
			for _, token := range r.conversations {
				spoilt[token] = true
			}
			continue
		}
		if id := r.End.ResumeID; !r.End.Cause.Concluded() && !spoilt[r.Token] && !spoilt[conversationToken(id)] {
			r.ResumeID = id
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

// lost picks the crumbs of sessions that are gone.
func lost(f RunFacts) []Orphan {
	var gone []Orphan
	for _, c := range f.Crumbs {
		if why, _ := fate(&c, f.Session, f.Archived); why != "" {
			gone = append(gone, orphanOf(c, why, f.Now))
		}
	}
	return gone
}

// fate tells why the session of a crumb is lost, "" where it is not; and whether the crumb has become useless: the
// session is archived, or it was restored where its plan is now. current is nil where there is no session. It is
// pure.
func fate(c *session.Crumb, current *planfile.File, archived []*planfile.File) (why string, over bool) {
	switch {
	case current != nil && holds(current, c):
		return "", path.Clean(current.Header.Plan) != c.Plan
	case slices.ContainsFunc(archived, func(s *planfile.File) bool { return holds(s, c) }):
		return "", true
	case current == nil:
		return LostFile, false
	case isOf(current, c):
		return LostTorn, false
	}
	return LostPlace, false
}

// isOf tells whether a session file is the session of a crumb. Its plan may have moved since.
func isOf(s *planfile.File, c *session.Crumb) bool {
	h := s.Header
	return h.Started == c.Started && (path.Clean(h.Plan) == c.Plan || h.Digest != "" && strings.EqualFold(h.Digest, c.Digest))
}

// holds tells whether a session file is the session of a crumb, and whole: one that was torn has lost what the
// crumb still knows.
func holds(s *planfile.File, c *session.Crumb) bool {
	return isOf(s, c) && s.HasStatus() && len(s.Tasks) >= len(c.Tasks)
}

func (a *Assessment) has(state RunState) bool {
	return slices.ContainsFunc(a.Runs, func(r Run) bool { return r.State == state })
}

// inProgress lists the numbers of a session's tasks that are in progress.
func inProgress(s *planfile.File) []int {
	var numbers []int
	if s == nil {
		return nil
	}
	for _, t := range s.Tasks {
		if t.Status == planfile.InProgress {
			numbers = append(numbers, t.Number)
		}
	}
	return numbers
}
