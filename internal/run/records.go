package run

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/planfile"
)

// Records are what is known of the runs of a session: the content of [runsFile]. The rules:
//
//   - Runs are in the order in which they started, whatever the clocks said.
//   - The first end of a run counts. Only an observed end replaces a concluded one: the run may have lived on. But a conversation is
//     only offered if every later end that was observed says success or paused.
//   - The run that marked a task last works on it. A run works on the plan of the task that it marked last, whatever the session was on when
//     it started.
//   - A run that another one switched to another plan works on its own until it hears of that: at its start, when it chooses a plan, or by a mark.
type Records struct {
	Holder string // the id of the open run that has the lease, the right to work on the session; empty for none
	Runs   []Record
	Marks  Marks

	ended bool // a run said how it ended since they were read: that must survive a power cut, and all else is concluded again
}

// A Record is what is stored of a run.
type Record struct {
	ID     string `json:"id"`    // new for every start
	Token  string `json:"token"` // what the run's own processes can show
	Host   string `json:"host,omitempty"`
	Plan   string `json:"plan,omitempty"`   // of the session when it started, then of the task that it marked last, relative to the project
	Marked bool   `json:"marked,omitempty"` // it marked a task
	// Switched is the id of the run that switched the session to another plan since this one heard which it is on; empty for none.
	Switched string `json:"switched,omitempty"`
	// Conversation is the host's id of the conversation that the run began with, to say who it was. Resume is that of the one to offer
	// when the run has ended well: empty if it is not known which.
	Conversation string    `json:"conversation,omitempty"`
	Resume       string    `json:"resume,omitempty"`
	Log          string    `json:"log,omitempty"`        // the host's record of that conversation, an absolute path
	Owner        Owner     `json:"owner"`                // the process that the run belongs to
	Members      []Member  `json:"members,omitempty"`    // who continues it beside the owner
	Supervised   bool      `json:"supervised,omitempty"` // gsd exec sees how it ends
	Started      time.Time `json:"started"`              // UTC
	Seen         time.Time `json:"seen"`                 // UTC, its latest sign of life
	TTL          int64     `json:"ttl"`                  // seconds
	Reason       string    `json:"reason,omitempty"`     // why a part of it ended badly, which is shown once the run has ended, too
	End          *End      `json:"end,omitempty"`        // nil while the run is open
}

// A Member is a process or a conversation that continued a run which another began.
type Member struct {
	Owner
	Conversation string `json:"conversation,omitempty"` // its token, not the host's id
}

// An End is how a run ended.
type End struct {
	Of       string    `json:"-"` // the run's id
	Status   Status    `json:"status"`
	Cause    Cause     `json:"cause"`
	At       time.Time `json:"at"`                  // UTC
	Plan     string    `json:"plan,omitempty"`      // that the session was on; empty if the end was concluded
	ResumeID string    `json:"resume_id,omitempty"` // the host's conversation id; only of a run that ended well, see Status.Resumable
	Reason   string    `json:"reason,omitempty"`    // why it ended so, in the words of who said it
}

// withoutResume returns the end of a run whose conversation is not to be offered. Records that were handed out keep theirs.
func (e End) withoutResume() *End {
	e.ResumeID = ""
	return &e
}

// Status is how a run ended.
type Status string

// The statuses of an end. A run that is Paused stops in the middle on purpose, and what it left in progress waits.
const (
	Success     Status = "success"
	Failure     Status = "failure"
	Cancelled   Status = "cancelled"
	Interrupted Status = "interrupted"
	Aborted     Status = "aborted"
	Paused      Status = "paused"
)

// Statuses lists how a run may end.
func Statuses() []Status { return []Status{Success, Failure, Cancelled, Interrupted, Aborted, Paused} }

// Resumable reports whether a run that ended so had come to a point of its own choice, so that its conversation may be resumed.
func (s Status) Resumable() bool { return s == Success || s == Paused }

// Cause is how the end of a run became known.
type Cause string

// The causes of an end.
const (
	CauseUser       Cause = "user"       // gsd run end
	CauseExit       Cause = "exit"       // gsd exec saw the command end
	CauseSignal     Cause = "signal"     // gsd exec saw a signal end it
	CauseCleared    Cause = "cleared"    // a person cleared its conversation
	CauseSuperseded Cause = "superseded" // its own process began another run
	CauseSynthetic  Cause = "synthetic"  // its owner is proven dead
	CauseExpired    Cause = "expired"    // its time to live was over, and it could not be known whether it was alive
)

// seen reports whether the end was observed rather than concluded.
func (c Cause) seen() bool {
	return c == CauseUser || c == CauseExit || c == CauseSignal || c == CauseCleared
}

// Concluded reports whether the end was concluded. The run may have lived on, and its own end takes precedence.
func (c Cause) Concluded() bool {
	return c == CauseSynthetic || c == CauseExpired || c == CauseSuperseded
}

// Work is a task of the session on a plan.
type Work struct {
	Plan string
	Task int
}

// Marks are the tasks that runs have marked, or that a start has found: which run marked each last, empty for one that a start has found,
// and when the work on it began and ended.
type Marks map[Work]progress.Task

// Find returns the record of a run, nil if there is none.
func (r *Records) Find(id string) *Record {
	for i := range r.Runs {
		if r.Runs[i].ID == id {
			return &r.Runs[i]
		}
	}
	return nil
}

// Holding returns the record of the run that holds the lease, nil if none does.
func (r *Records) Holding() *Record {
	if record := r.Find(r.Holder); record != nil && record.End == nil {
		return record
	}
	return nil
}

// The most that is kept of runs: enough to say who did what lately, and to offer a conversation.
const (
	keptOpen  = 500
	keptEnded = 20                  // the latest
	keptFor   = 30 * 24 * time.Hour // as long as hosts keep conversations: the latest of its host on its plan
	keptTotal = 64                  // that have ended, and those that left a task in progress
	keptMarks = 1000                // tasks
)

// Begin adds a run that starts, and the tasks of its plan that it found in progress, of which it is not known whose they are. What does
// not matter any more of earlier runs goes.
func (r *Records) Begin(s Record, found ...int) {
	r.Runs = append(r.Runs, s)
	for _, n := range found[:min(len(found), keptMarks)] {
		r.Mark(Work{s.Plan, n}, progress.Task{})
	}
	r.prune(s.Started)
}

// prune drops the runs that do not matter any more, by their number. A run that left a task in progress matters.
func (r *Records) prune(now time.Time) {
	type work struct{ host, plan string }
	later, open, ended := map[work]bool{}, 0, 0
	left := map[string]bool{} // by id
	for _, t := range r.Marks {
		left[t.Run] = left[t.Run] || t.Ended.IsZero()
	}
	drop := map[string]bool{}
	for i := range slices.Backward(r.Runs) {
		record := &r.Runs[i]
		on := work{record.Host, record.Plan}
		latest := !later[on]
		later[on] = true
		switch {
		case record.End == nil:
			drop[record.ID] = record.ID != r.Holder && open >= keptOpen
			open++
		case ended < keptEnded, (latest || left[record.ID]) && ended < keptTotal && now.Sub(record.End.At) < keptFor:
			ended++
		default:
			drop[record.ID] = true
		}
	}
	r.drop(drop)
	r.limitMarks(keptMarks)
}

// shrink drops what says the least until the text of the records has at most that many bytes: runs that have ended, then open ones, the
// earliest first, then marks. The holder of the lease and the run that began last stay.
func (r *Records) shrink(most int) {
	text, _ := r.encode()
	size, drop := len(text), map[string]bool{}
	for _, open := range []bool{false, true} {
		for i := range max(0, len(r.Runs)-1) {
			if record := &r.Runs[i]; size > most && (record.End == nil) == open && record.ID != r.Holder {
				drop[record.ID] = true
				size -= len(record.Encode())
			}
		}
	}
	r.drop(drop)
	for text, _ = r.encode(); len(text) > most && len(r.Marks) > 0; text, _ = r.encode() {
		r.limitMarks(len(r.Marks) / 2)
	}
}

// drop drops runs by their ids, and the marks of tasks of plans that no other run works on. A conversation that a run made unsafe stays so
// without it.
func (r *Records) drop(ids map[string]bool) {
	var unsafe []string
	plans := map[string]bool{}
	for i := range r.Runs {
		switch record := &r.Runs[i]; {
		case !ids[record.ID]:
			plans[record.Plan] = true
		case record.End == nil || !record.End.Status.Resumable():
			unsafe = append(unsafe, record.conversations()...)
		}
	}
	r.Forget(unsafe...)
	r.Runs = slices.DeleteFunc(r.Runs, func(record Record) bool { return ids[record.ID] })
	maps.DeleteFunc(r.Marks, func(w Work, _ progress.Task) bool { return !plans[w.Plan] })
}

// limitMarks drops the marks of all but that many tasks: those that ended first say the least.
func (r *Records) limitMarks(most int) {
	if len(r.Marks) <= most {
		return
	}
	last := func(t progress.Task) time.Time {
		if t.Ended.IsZero() {
			return t.Began.AddDate(1, 0, 0)
		}
		return t.Ended
	}
	order := func(a, b Work) int {
		return cmp.Or(last(r.Marks[b]).Compare(last(r.Marks[a])), cmp.Compare(a.Plan, b.Plan), cmp.Compare(a.Task, b.Task))
	}
	for _, w := range slices.SortedFunc(maps.Keys(r.Marks), order)[most:] {
		delete(r.Marks, w)
	}
}

// Put replaces the record of a run.
func (r *Records) Put(record Record) {
	if was := r.Find(record.ID); was != nil {
		record.Members = slices.Clip(record.Members)
		*was = record
	}
}

// Mark says which run marked a task last, and when the work on it began and ended.
func (r *Records) Mark(on Work, t progress.Task) {
	if r.Marks == nil {
		r.Marks = Marks{}
	}
	r.Marks[on] = progress.Task{Run: t.Run, Began: seconds(t.Began), Ended: seconds(t.Ended)}
	if record := r.Find(t.Run); record != nil {
		record.Plan, record.Marked, record.Switched = on.Plan, true, ""
	}
}

// Switch says that a run, empty if it is not known which, switched the session to a plan. Of the others, those that are not on it have not heard
// of that.
func (r *Records) Switch(plan, by string) {
	for i := range r.Runs {
		switch record := &r.Runs[i]; {
		case record.ID == by, record.Plan == plan:
			record.Switched = ""
		case by != "" && record.End == nil:
			record.Switched = by
		}
	}
}

// Tell says that a run has heard which plan the session is on.
func (r *Records) Tell(id string) {
	if record := r.Find(id); record != nil {
		record.Switched = ""
	}
}

// Describe adds to the tasks of a plan which runs marked them last, and when, where that is (still) known.
func (m Marks) Describe(plan string, tasks []progress.Task) {
	for i := range tasks {
		t := &tasks[i]
		if task := m[Work{plan, i + 1}]; task.Run != "" {
			t.Run, t.Began, t.Ended = task.Run, task.Began, task.Ended
		} else if t.Status == planfile.Pending { // it was set back
			t.Run, t.Began, t.Ended = "", time.Time{}, time.Time{}
		}
	}
}

// Set says that a run gave a task a status, and when; status is empty if the run works on it, and its status stays. The run that begins a
// task again which was set back may be another one.
func (r *Records) Set(on Work, run string, status planfile.Status, at time.Time) {
	t := r.Marks[on]
	t.Run = run
	switch status {
	case "":
	case planfile.InProgress:
		t.Began, t.Ended = at, time.Time{}
	default:
		t.Ended = at
	}
	r.Mark(on, t)
	if status == planfile.Pending {
		delete(r.Marks, on)
	}
}

// Finish records that runs ended. For a run that is not known, or has ended already, it changes nothing, except as the rules of [Records]
// say. A conversation is recorded only for a [Success] or [Paused].
func (r *Records) Finish(ends ...End) {
	for _, e := range ends {
		record := r.Find(e.Of)
		if record == nil {
			continue
		}
		if !e.Status.Resumable() {
			e.ResumeID = ""
		}
		e.At, e.Reason = seconds(e.At), clip(e.Reason, longestReason)
		switch {
		case record.End == nil || record.End.Cause.Concluded() && e.Cause.seen():
			record.End = &e
		case !e.Status.Resumable() && !e.Cause.Concluded() && record.End.ResumeID != "":
			record.End = record.End.withoutResume()
		default:
			continue
		}
		r.ended = r.ended || !e.Cause.Concluded()
		if r.Holder == record.ID {
			r.Holder = ""
		}
	}
}

// Conclude records the end of a run that did not report it, and drops its conversations. It returns how many were recorded.
func (r *Records) Conclude(run *Run, status Status, cause Cause, at time.Time) (forgotten int) {
	r.Finish(End{Of: run.ID, Status: status, Cause: cause, At: at, Reason: run.Why(status, "")})
	return r.Forget(run.Conversations()...)
}

// Close concludes the runs of an assessment that are over, see [Run.Sweepable]. It returns them as they were, the latest first, and how many
// conversations were dropped with them.
func (r *Records) Close(a *Assessment, now time.Time) (over []Run, forgotten int) {
	for i := range slices.Backward(a.Runs) {
		if run := &a.Runs[i]; run.Open() && run.Sweepable() {
			over = append(over, *run)
			forgotten += r.Conclude(run, Interrupted, run.Presumed(), now)
		}
	}
	return over, forgotten
}

// Forget drops the conversations with one of the tokens, so that they are not offered, and returns how many.
func (r *Records) Forget(tokens ...string) int {
	return r.forget(func(_ *Record, token string) bool { return slices.Contains(tokens, token) })
}

// ForgetUnsafe is Forget for all runs of an assessment whose conversation is not safe to resume.
func (r *Records) ForgetUnsafe(a *Assessment) int {
	safe := map[string]bool{}
	for i := range a.Runs {
		safe[a.Runs[i].ID] = a.Runs[i].ResumeID != ""
	}
	return r.forget(func(record *Record, _ string) bool { return !safe[record.ID] })
}

func (r *Records) forget(unsafe func(record *Record, token string) bool) (n int) {
	for i := range r.Runs {
		record := &r.Runs[i]
		if record.End != nil && record.End.ResumeID != "" && unsafe(record, conversationToken(record.End.ResumeID)) {
			record.End, r.ended = record.End.withoutResume(), true
			n++
		}
	}
	return n
}

// clone returns records that share nothing that is changed in place.
func (r *Records) clone() Records {
	c := *r
	c.Runs, c.Marks = slices.Clone(r.Runs), maps.Clone(r.Marks)
	return c
}

// ErrUnreadable means that the file of the runs' records contains none, because it is torn, not a regular file, or not written by gsd.
var ErrUnreadable = errors.New("the records of the runs cannot be read")

// mark is a task as the file has it.
type mark struct {
	Plan  string    `json:"plan"`
	Task  int       `json:"task"`
	Run   string    `json:"run,omitempty"`
	Began time.Time `json:"began,omitzero"`
	Ended time.Time `json:"ended,omitzero"`
}

// encode returns the text of the records, a line for each run and each task.
func (r *Records) encode() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\"holder\":%q,\n\"runs\":[", r.Holder)
	var err error
	put := func(i int, v any) {
		text, failed := json.Marshal(v)
		err = errors.Join(err, failed)
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		b.Write(text)
	}
	for i := range r.Runs {
		put(i, &r.Runs[i])
	}
	b.WriteString("\n],\n\"tasks\":[")
	order := func(a, b Work) int { return cmp.Or(cmp.Compare(a.Plan, b.Plan), cmp.Compare(a.Task, b.Task)) }
	for i, w := range slices.SortedFunc(maps.Keys(r.Marks), order) {
		t := r.Marks[w]
		put(i, mark{w.Plan, w.Task, t.Run, t.Began, t.Ended})
	}
	b.WriteString("\n]}\n")
	return b.Bytes(), err
}

// parse reads the text of records. What gsd would not have written is an [ErrUnreadable]: nothing in it is guessed.
func parse(text []byte) (Records, error) {
	var f struct {
		Holder string   `json:"holder"`
		Runs   []Record `json:"runs"`
		Tasks  []mark   `json:"tasks"`
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return Records{}, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	r := Records{Holder: f.Holder, Runs: f.Runs}
	seen := make(map[string]bool, len(r.Runs))
	for i := range r.Runs {
		record := &r.Runs[i]
		if seen[record.ID] || !record.clean() {
			return Records{}, fmt.Errorf("%w: run %q", ErrUnreadable, clip(record.ID, maxID))
		}
		seen[record.ID] = true
	}
	if r.Holding() == nil {
		r.Holder = ""
	}
	for _, t := range f.Tasks {
		if t.Task <= 0 {
			return Records{}, fmt.Errorf("%w: task %d", ErrUnreadable, t.Task)
		}
		if r.Marks == nil {
			r.Marks = make(Marks, len(f.Tasks))
		}
		r.Marks[Work{t.Plan, t.Task}] = progress.Task{Run: t.Run, Began: utc(t.Began), Ended: utc(t.Ended)}
	}
	return r, nil
}

// ParseRecord reads the record of one run, as [Record.Encode] returned it. Any program may have written it since. Error: [ErrUnreadable].
func ParseRecord(text []byte) (Record, error) {
	var record Record
	if err := json.Unmarshal(text, &record); err != nil {
		return Record{}, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	if !record.clean() {
		return Record{}, ErrUnreadable
	}
	return record, nil
}

// Encode returns the record as text, nothing for none.
func (r *Record) Encode() []byte {
	if r == nil {
		return nil
	}
	text, _ := json.Marshal(r) // it has only texts, numbers and times that can be encoded
	return text
}

const (
	maxID    = 64 // bytes of a run's id
	maxCause = 32 // bytes kept of an unknown cause
)

// clean makes a record that any program may have written safe to show, to rely on and to put into a command. It reports whether it is one.
func (r *Record) clean() bool {
	if !validID(r.ID) || r.Token == "" {
		return false
	}
	if !validConversation(r.Conversation) {
		r.Conversation = ""
	}
	if !validConversation(r.Resume) {
		r.Resume = ""
	}
	r.TTL, r.Started, r.Seen = int64(lasting(r.TTL)/time.Second), utc(r.Started), utc(r.Seen)
	r.Members, r.Reason = r.Members[max(0, len(r.Members)-maxMembers):], clip(r.Reason, longestReason)
	if r.End != nil {
		r.End.Of, r.End.At = r.ID, utc(r.End.At)
		r.End.clean()
	}
	return true
}

// utc returns a time in UTC; the zero time for one beyond RFC 3339.
func utc(t time.Time) time.Time {
	if t = t.UTC(); t.Year() < 0 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

// clean makes an end that any program may have written safe to show and to rely on.
func (e *End) clean() {
	if !slices.Contains(Statuses(), e.Status) {
		e.Status = Interrupted // an unknown status is never a success
	}
	if !e.Cause.seen() && !e.Cause.Concluded() {
		e.Cause = Cause(strings.Map(func(r rune) rune {
			if r <= ' ' || r > '~' {
				return -1
			}
			return r
		}, string(e.Cause)))
		e.Cause = cmp.Or(e.Cause[:min(len(e.Cause), maxCause)], "?")
	}
	if !e.Status.Resumable() || !validConversation(e.ResumeID) {
		e.ResumeID = ""
	}
	e.Reason = clip(e.Reason, longestReason)
}

// NewID returns a unique id for a run: 12 hex digits.
func NewID() string {
	var random [6]byte
	rand.Read(random[:]) // never fails: crypto/rand crashes the program first
	return hex.EncodeToString(random[:])
}

// validID reports whether id may be a run's, so that it is safe in a line of JSON and on a terminal.
func validID(id string) bool {
	return id != "" && id[0] != '-' && len(id) <= maxID && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// validConversation reports whether a host's conversation id may be offered: it becomes a part of a command.
func validConversation(id string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	return id != "" && len(id) <= 128 && id[0] != '-' && strings.Trim(id, letters+"0123456789._:-") == ""
}

// seconds returns a time as it is stored.
func seconds(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// lasting returns n seconds, or as many as a Duration holds.
func lasting(n int64) time.Duration {
	return time.Duration(min(max(n, 0), math.MaxInt64/int64(time.Second))) * time.Second
}
