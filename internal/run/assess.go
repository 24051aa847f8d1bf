// Package run knows who is at work on a session: which process or conversation each run is (caller.go, owner.go, and the process
// table), which of them has the lease (admit.go), and what is recorded of them (records.go).
//
// A [Record] is what is stored of a run. A [Run] is assessed, and what every command prints: [Assess] is a pure function from
// records, process table, caller and time to the state of each run. Only files.go writes, for the holder of the session's
// guard. The rules:
//
//   - A process is proven dead by its PID, start time and boot, never by a clock. What cannot be checked from here is unknown, until
//     it has not shown itself for its time to live.
//   - Records that cannot be read lock nobody out.
//   - A conversation is only offered if nothing speaks against it, because a person continues in it without a second look.
package run

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// State is the state of a run.
type State string

// The states of a run. Those that are none of its ends are of an open run, and so is crashed until a sweep or a start has recorded the end. An
// end has the word that gsd run end --status takes, see [Status].
const (
	StateActive      State = "active"      // its owner lives, and it holds the lease
	StateIdle        State = "idle"        // its owner lives, and it does not hold the lease
	StateUnknown     State = "unknown"     // it cannot be determined here whether its owner lives
	StateCrashed     State = "crashed"     // its owner is dead, and it never said how it ended
	StateSuccess     State = "success"     // it ended well
	StateFailure     State = "failure"     // it failed
	StatePaused      State = "paused"      // it ended on purpose in the middle, and what it left in progress waits
	StateCancelled   State = "cancelled"   // somebody cancelled it
	StateInterrupted State = "interrupted" // it ended in the middle
	StateAborted     State = "aborted"     // it gave up
)

// Facts are all that an assessment depends on.
type Facts struct {
	Records
	Plan       string // that the session is on, and
	InProgress []int  // its tasks in progress
	Now        time.Time
	Processes  Processes // nil to look for no process
	Caller     Caller
}

// A Run is one agent process or conversation that works on a session, from start to end. Unlike a [Record] it is
// assessed.
type Run struct {
	ID       string        `json:"id"`                     // what gsd run end takes, whole or its beginning
	Host     string        `json:"host" empty:"null"`      // the program that the agent runs in, such as claude; null if not stated
	State    State         `json:"state"`                  // the state of the run: how it ended, or how it is while it is open
	Status   Status        `json:"status" empty:"null"`    // how its end was recorded, as interrupted for a run that crashed; null while it is open
	Cause    Cause         `json:"cause" empty:"null"`     // who says that it ended; null while it is open
	Plan     string        `json:"plan" empty:"null"`      // the plan that it worked on last; if it marked no task, that of the session when it ended, or while it is open when it started
	PID      int           `json:"pid" empty:"null"`       // its owner, the agent's process, as it holds the lease
	HostName string        `json:"host_name" empty:"null"` // the machine that it runs on
	Started  time.Time     `json:"started"`                // when it started
	Ended    time.Time     `json:"ended" empty:"null"`     // when it ended; null while it is open
	Seen     time.Time     `json:"seen"`                   // its latest sign of life
	TTL      time.Duration `json:"ttl"`                    // how long after its latest sign of life it expires, in seconds
	Expired  bool          `json:"expired"`                // the state is unknown, and there was no sign of life for longer than ttl
	Holds    bool          `json:"holds_lease"`            // it holds the lease of the session
	Own      bool          `json:"own"`                    // the caller belongs to it
	ResumeID string        `json:"resume_id" empty:"null"` // the host's id of its conversation, if that is safe to resume; else null
	// Conversation is the host's id of its conversation, safe to resume or not; null if it is not known.
	Conversation string      `json:"conversation" empty:"null"`
	Log          string      `json:"log" empty:"null"`    // the file in which its host keeps that conversation, where the host says so; else null
	Reason       string      `json:"reason" empty:"null"` // why it ended as it did, as stated with the end; null for no words
	Supervised   bool        `json:"supervised"`          // gsd exec lives, and will see how it ends
	Tasks        []TaskTimes `json:"tasks"`               // the tasks that no other run has marked since
	InProgress   []int       `json:"in_progress"`         // those of the session that it works on or, once it has ended, has left in progress

	Token       string `json:"-"`
	Owner       Owner  `json:"-"`
	Above       bool   `json:"-"` // it is open, and its process is the caller's or an ancestor of it
	Near        bool   `json:"-"` // its owner is on this machine, in this container
	EndResumeID string `json:"-"` // the conversation id that its end recorded, safe to resume or not
	Marked      bool   `json:"-"` // it marked a task

	rec      *Record
	relation relation // what the caller is to it
	living   []Owner  // its processes that are not known to be dead
}

// TaskTimes are the times of a task that a run marked last.
type TaskTimes struct {
	Plan    string        `json:"plan"`                 // the plan, relative to the project
	Number  int           `json:"number"`               // counted from 1, in the order of the file
	Started time.Time     `json:"started" empty:"null"` // when it was marked as in progress; null if it is not known
	Ended   time.Time     `json:"ended" empty:"null"`   // when it was marked as complete or skipped; null if it was not, or not by a run
	Took    time.Duration `json:"took" empty:"null"`    // the time between both, in seconds; null unless both are known
}

// tasksOf returns the tasks that each run marked last, in order.
func tasksOf(f Facts) map[string][]TaskTimes {
	all := map[string][]TaskTimes{}
	for w, task := range f.Marks {
		id := task.Run
		if id == "" {
			continue
		}
		t := TaskTimes{Plan: w.Plan, Number: w.Task, Started: task.Began, Ended: task.Ended}
		if !t.Started.IsZero() && t.Ended.After(t.Started) {
			t.Took = t.Ended.Sub(t.Started)
		}
		all[id] = append(all[id], t)
	}
	for _, times := range all {
		slices.SortFunc(times, func(a, b TaskTimes) int {
			return cmp.Or(cmp.Compare(a.Plan, b.Plan), cmp.Compare(a.Number, b.Number))
		})
	}
	return all
}

// Open reports whether a run has no end.
func (r *Run) Open() bool { return r.Status == "" }

// MayLive reports whether a run may still be alive: nothing may be taken away from it unasked.
func (r *Run) MayLive() bool {
	return r.State == StateActive || r.State == StateIdle || r.State == StateUnknown && !r.Expired
}

// Dead reports whether a run has crashed and has no end yet.
func (r *Run) Dead() bool { return r.Open() && r.State == StateCrashed }

// Sweepable reports whether gsd run sweep ends a run: it is dead, or it has expired, is not the caller's and named no process.
func (r *Run) Sweepable() bool { return r.Dead() || r.Doubtful() && r.Nameless() }

// Presumed returns how the end of a run becomes known that is over, or has expired, and did not report it.
func (r *Run) Presumed() Cause {
	if r.State == StateCrashed {
		return CauseSynthetic
	}
	return CauseExpired
}

// Doubtful reports whether a run has expired that is not the caller's: it may be over, and keeps nothing from anybody.
func (r *Run) Doubtful() bool { return r.Expired && !r.Own }

// Nameless reports whether a run of this machine named no process: a caller that shows nothing may belong to it.
func (r *Run) Nameless() bool { return r.Owner.PID == 0 && r.Near }

// Lasted returns how long a run took, until now if it may live. It is never negative, even if a clock was set back.
func (r *Run) Lasted(now time.Time) time.Duration {
	until := r.Seen // nothing is known of a dead run after that
	switch {
	case !r.Open():
		until = r.Ended
	case r.MayLive():
		until = now
	}
	return max(0, until.Sub(r.Started))
}

// Who describes a run to people: host, process, machine, since when, its conversation, and what it works on, as far as that
// is known.
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
	host, since := cmp.Or(r.Host, "somebody"), r.Started.UTC().Format(time.RFC3339)
	says := fmt.Sprintf("%s%s, run %s, since %s", host, where, r.ID, since)
	if r.Conversation != "" {
		says += ", conversation " + r.Conversation
	}
	if doing := r.Doing(); doing != "" {
		says += ", " + doing
	}
	return says
}

// Doing says which tasks a run works on, or has left in progress; "" for none.
func (r *Run) Doing() string {
	const most = 5
	var numbers []string
	for _, n := range r.InProgress[:min(len(r.InProgress), most)] {
		numbers = append(numbers, strconv.Itoa(n))
	}
	says := "task " + strings.Join(numbers, ", ")
	switch {
	case len(r.InProgress) == 0:
		return ""
	case len(r.InProgress) > 1:
		says = "tasks " + strings.Join(numbers, ", ")
	}
	if more := len(r.InProgress) - most; more > 0 {
		says += fmt.Sprintf(" and %d more", more)
	}
	switch {
	case r.MayLive():
		return says + " in progress"
	case r.State == StatePaused:
		return "paused at " + says
	}
	return "left " + says + " in progress"
}

// An Assessment is the state of the runs of one session.
type Assessment struct {
	Runs   []Run // in the order of their starts
	Holder *Run  // the open run that holds the lease, nil for none
	Latest *Run  // the holder, else the run that began last; nil for none

	caller    Caller
	processes Processes
	marks     Marks
}

// AtWork returns the holder of the lease if it may live, else nil.
func (a *Assessment) AtWork() *Run {
	if a.Holder == nil || !a.Holder.MayLive() {
		return nil
	}
	return a.Holder
}

// Keeper returns the run that keeps the session on a plan from being replaced by a caller that is refused the lease because of busy; nil
// if that is only a conversation which started and never marked a task: nothing of its own is in the session. It is busy, else another
// run that may live and marked a task of the plan.
func (a *Assessment) Keeper(busy *Run, plan string) *Run {
	if busy.Marked || len(busy.InProgress) > 0 {
		return busy
	}
	for i := range slices.Backward(a.Runs) {
		if r := &a.Runs[i]; r.MayLive() && !r.Own && (r.Marked && r.Plan == plan || len(r.InProgress) > 0) {
			return r
		}
	}
	return nil
}

// worker returns the id of the run that marked a task in progress last: empty if a start found it so, and known is false if no
// line says. A run that has marked it as complete or skipped since did not begin it again.
func (a *Assessment) worker(plan string, task int) (id string, known bool) {
	t, known := a.marks[Work{plan, task}]
	if !t.Ended.IsZero() {
		return "", false
	}
	return t.Run, known
}

// Worker returns the run that may be working on a task in progress of the session on a plan; nil if nobody is known to. If it was
// not recorded who marked the task, it is the holder of the lease.
func (a *Assessment) Worker(plan string, task int) *Run {
	id, known := a.worker(plan, task)
	if !known {
		return a.AtWork()
	}
	for i := range a.Runs {
		if r := &a.Runs[i]; r.ID == id && r.MayLive() {
			return r
		}
	}
	return nil
}

// Last returns the run that marked a task in progress of the session on a plan last, living or ended; nil if that is unknown.
func (a *Assessment) Last(plan string, task int) *Run {
	id, _ := a.worker(plan, task)
	for i := range a.Runs {
		if r := &a.Runs[i]; r.ID == id {
			return r
		}
	}
	return nil
}

// setInProgress says of each run which of the tasks in progress it is or was working on: it marked them last, or nobody knows who did
// and it is at work.
func (a *Assessment) setInProgress(f Facts) {
	numbers, at := map[string][]int{}, a.AtWork()
	for _, n := range f.InProgress {
		id, known := a.worker(f.Plan, n)
		if !known && at != nil {
			id = at.ID
		}
		numbers[id] = append(numbers[id], n)
	}
	for i := range a.Runs {
		a.Runs[i].InProgress = numbers[a.Runs[i].ID]
	}
}

// Began returns when a task in progress of the session on a plan was marked so by a run; zero if that is not known.
func (a *Assessment) Began(plan string, task int) time.Time {
	if on := (Work{plan, task}); a.marks[on].Ended.IsZero() {
		return a.marks[on].Began
	}
	return time.Time{}
}

// Unfinished returns the tasks in progress of the session on a plan that runs left, if no open run is left that a sweep would
// not end: that one may be working on them. What a start found in progress is nobody's, and what a run left when it paused waits for
// somebody on purpose.
func (a *Assessment) Unfinished(plan string, tasks []int) (left []int) {
	// After any other end of the last run, somebody decided to leave them in progress.
	died := len(a.Runs) > 0 && a.Runs[len(a.Runs)-1].Status == Interrupted
	for i := range a.Runs {
		switch r := &a.Runs[i]; {
		case !r.Open():
		case !r.Sweepable():
			return nil
		default:
			died = true
		}
	}
	for _, n := range tasks {
		id, known := a.worker(plan, n)
		last := a.Last(plan, n)
		if last != nil && last.Status == Paused || known && id == "" || !known && !died {
			continue
		}
		left = append(left, n)
	}
	return left
}

// Mine returns the open run that the caller acts for, the holder of the lease first, else the latest; nil for none. Of the conversations of one process,
// where the caller does not name its own, it is the first: the later ones are more often short, and their end would say that its task was left.
func (a *Assessment) Mine() (mine *Run) {
	if a.Holder != nil && a.Holder.Own && !a.Holder.Dead() {
		return a.Holder
	}
	for i := range a.Runs {
		if r := &a.Runs[i]; r.Open() && r.Own && !r.Dead() && (mine == nil || !a.caller.Shared || a.caller.Conversation != "") {
			mine = r
		}
	}
	return mine
}

// Switched returns the run of somebody else that may live and switched the session to another plan, of which the caller's run has not heard; nil
// for none.
func (a *Assessment) Switched() *Run {
	mine := a.Mine()
	if mine == nil || mine.rec.Switched == "" {
		return nil
	}
	for i := range a.Runs {
		if r := &a.Runs[i]; r.ID == mine.rec.Switched && r.MayLive() && !r.Own {
			return r
		}
	}
	return nil
}

// Only returns the run that a caller which shows nothing is taken to act for where nobody has the lease: the only one that may live; nil for none.
// It does not take the lease with that, but what it leaves is known.
func (a *Assessment) Only() (only *Run) {
	if !a.caller.Anonymous() {
		return nil
	}
	for i := range a.Runs {
		if r := &a.Runs[i]; r.MayLive() {
			if only != nil {
				return nil
			}
			only = r
		}
	}
	return only
}

// OnPlan withdraws the conversations of runs that did not end on a plan: they know nothing of it.
func (a *Assessment) OnPlan(plan string) {
	for i := range a.Runs {
		if r := &a.Runs[i]; plan == "" || r.Plan != plan {
			r.ResumeID = ""
		}
	}
}

// Assess determines the state of a session's runs. It is pure: the same facts give the same answer, and the process
// table is one of the facts. It changes nothing: only commands that write act on an assessment.
func Assess(f Facts) Assessment {
	a := Assessment{caller: f.Caller, processes: f.Processes, marks: f.Marks}
	tasks := tasksOf(f)
	for i := range f.Runs {
		run := assess(&f.Runs[i], f)
		run.Tasks = tasks[run.ID]
		if run.Open() && run.ID == f.Holder {
			run.Holds = true
			if run.State == StateIdle {
				run.State = StateActive
			}
		}
		a.Runs = append(a.Runs, run)
	}
	dropUnsafeResumeIDs(a.Runs)
	for i := range a.Runs {
		if a.Runs[i].Holds {
			a.Holder = &a.Runs[i]
		}
	}
	if a.Latest = a.Holder; a.Latest == nil && len(a.Runs) > 0 {
		a.Latest = &a.Runs[len(a.Runs)-1]
	}
	a.setInProgress(f)
	return a
}

// liveliness ranks the states of an open run's processes: the run lives as long as any of them.
func (r *Run) liveliness() int {
	switch r.State {
	case StateIdle, StateActive:
		return 2
	case StateUnknown:
		return 1
	}
	return 0
}

// The longest texts of a run, in bytes: any program may have written the files, and an agent reads them at every turn.
const (
	longestHost     = 64
	longestHostName = 255
	longestPath     = 4096
	longestReason   = 300
)

// assess returns a run as its record determines it. It lives as long as any of its processes.
func assess(rec *Record, f Facts) Run {
	r := Run{
		ID: rec.ID, Token: rec.Token, Host: clip(rec.Host, longestHost), Plan: clip(rec.Plan, longestPath),
		Started: rec.Started, Seen: rec.Seen, TTL: lasting(rec.TTL), Marked: rec.Marked, rec: rec,
		Conversation: cmp.Or(rec.Resume, rec.Conversation), Log: clip(rec.Log, longestPath),
	}
	if end := rec.End; end != nil {
		r.Status, r.Cause, r.Ended, r.EndResumeID = end.Status, end.Cause, end.At, end.ResumeID
		r.Reason = end.Reason
		r.Plan, r.Conversation = cmp.Or(clip(end.Plan, longestPath), r.Plan), cmp.Or(end.ResumeID, r.Conversation)
	}
	r.judge(rec.Owner, f)
	if !r.Open() {
		return r
	}
	if rec.isMember(f.Caller) {
		r.relation = max(r.relation, joined)
	}
	for _, m := range rec.Members {
		if m.PID <= 0 {
			continue
		}
		other := r
		if other.judge(m.Owner, f); other.liveliness() <= r.liveliness() {
			r.relation, r.Above = max(r.relation, min(other.relation, max(r.relation, joined))), r.Above || other.Above
			continue
		}
		other.relation, other.Above = max(other.relation, r.relation), other.Above || r.Above
		r = other
	}
	r.Own = r.relation >= below
	r.living = rec.living(f.Processes)
	r.Supervised = rec.Supervised && rec.Owner.Liveness(f.Processes) != Dead
	return r
}

// judge sets what depends on the owner of a run.
func (r *Run) judge(o Owner, f Facts) {
	o.HostName = clip(o.HostName, longestHostName)
	r.Owner, r.PID, r.HostName = o, max(0, o.PID), o.HostName
	if f.Processes != nil {
		r.Near = o.Near(f.Processes.Here())
		r.Above = r.Open() && o.IsAncestor(f.Processes)
	}
	r.relation = f.Caller.relation(r)
	r.Own = r.relation >= below
	r.Expired = false
	if !r.Open() {
		r.State = endState(r.Status, r.Cause)
		return
	}
	switch o.Liveness(f.Processes) {
	case Alive:
		r.State = StateIdle
	case Dead:
		r.State = StateCrashed
	default:
		r.State, r.Expired = StateUnknown, expired(r.Seen, r.TTL, f.Now)
	}
}

// Ended returns a run as it is once its end is recorded.
func (a *Assessment) Ended(r *Run, e End) Run {
	runs, at := slices.Clone(a.Runs), 0
	for i := range runs {
		run := &runs[i]
		if run.ResumeID = ""; run.ID != r.ID {
			continue
		}
		at = i
		run.Status, run.Cause, run.Ended, run.EndResumeID, run.State = e.Status, e.Cause, e.At, e.ResumeID, endState(e.Status, e.Cause)
		run.Reason = clip(e.Reason, longestReason)
		run.Plan, run.Holds, run.Expired = cmp.Or(e.Plan, run.Plan), false, false
	}
	dropUnsafeResumeIDs(runs)
	return runs[at]
}

// endState returns the state of a run that ended with status, because of cause.
func endState(status Status, cause Cause) State {
	if cause == CauseSynthetic {
		return StateCrashed
	}
	return State(status)
}

// expired reports whether a sign of life is older than ttl. One from the future, by a clock that was set back or by
// another machine's, expires too: clocks differ by at most a day.
func expired(seen time.Time, ttl time.Duration, now time.Time) bool {
	const apart = 24 * time.Hour
	age := now.Sub(seen)
	return age > ttl || age < -apart
}

// dropUnsafeResumeIDs decides which conversations may be resumed: that of the latest run of a host on a plan, if it reported
// success or a pause itself, unless a later run of the same conversation is open or ended otherwise. What an earlier run of the host
// knows of the plan is out of date, and the conversation of an agent that was killed in the middle of a turn is not reliable.
func dropUnsafeResumeIDs(runs []Run) {
	type work struct{ host, plan string }
	later := map[work]bool{}    // of which a later run worked there
	unsafe := map[string]bool{} // the tokens of conversations that a later run makes unsafe
	for i := len(runs) - 1; i >= 0; i-- {
		r := &runs[i]
		on := work{r.Host, r.Plan}
		outdated := later[on]
		later[on] = true
		if !r.Status.Resumable() {
			unsafe[r.Token] = true
			if r.Open() {
				for _, token := range r.rec.conversations() {
					unsafe[token] = true
				}
			}
			continue
		}
		if !outdated && !r.Cause.Concluded() && !unsafe[r.Token] && !unsafe[conversationToken(r.EndResumeID)] {
			r.ResumeID = r.EndResumeID
		}
	}
}

// clip returns at most the first n bytes of a text.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
