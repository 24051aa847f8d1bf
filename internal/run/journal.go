package run

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/progress"
)

// The journal is the record of runs in a session's directory, one JSON object per line.
const journalFile = "journal.jsonl"

// journalArchives are the rotated journals.
var journalArchives = durable.Archives{Stem: "journal", Suffix: ".jsonl"}

const (
	maxJournal = 16 << 10  // bytes of a journal that is not rotated
	maxTurn    = 256 << 10 // bytes that are read of it at a turn, the newest: another program may have made it longer
	maxBytes   = 1 << 20   // bytes that are read of it otherwise
	maxHistory = 2 << 20   // bytes that are read of its archives
	minArchive = 4 << 10   // bytes that each of these counts for at least, which bounds how many are opened
	maxLine    = 64 << 10  // bytes of a line that is written
	maxID      = 64        // bytes of a run's id
	maxCause   = 32        // bytes kept of an unknown cause
	maxFound   = 1000      // interrupted tasks that a start lists
)

// The types of a line. Lines of another type belong to another program.
const (
	typeStart = "run.start"
	typeEnd   = "run.end"
	typeTask  = "run.task"
)

// A Start is the journal's line that a run started.
type Start struct {
	ID    string    `json:"id"`    // of the run, new for every start; ends refer to it
	Token string    `json:"token"` // what the run's own processes can show
	Host  string    `json:"host"`  // the program that the agent runs in, such as claude; empty if not stated
	Plan  string    `json:"plan"`  // of the session, relative to the project; empty without a session
	Owner Owner     `json:"owner"`
	At    time.Time `json:"at"`                    // UTC
	TTL   int64     `json:"ttl"`                   // seconds
	Found []int     `json:"interrupted,omitempty"` // the tasks that were in progress, of which no line says whose they are
	// Conversation is the host's id of the conversation, to say who it was: an end alone offers it to be resumed.
	Conversation string `json:"conversation,omitempty"`
}

// A Task is the journal's line that a run works on a task, or has changed its status.
type Task struct {
	Of     string    `json:"of"`   // the run's id
	Plan   string    `json:"plan"` // of the session
	Task   int       `json:"task"`
	Status string    `json:"status,omitempty"` // the task's new one; empty if it stays
	At     time.Time `json:"at,omitzero"`      // UTC, when it got that
}

// The statuses of a task that a line may have. Any other one is an end of the work, such as complete or skipped.
const (
	taskBegins  = "in-progress"
	taskPending = "pending"
)

// marked returns a task after a run gave it a status.
func marked(t progress.Task, run, status string, at time.Time) progress.Task {
	t.Run = run
	switch {
	case status == "":
	case status == taskBegins:
		t.Began, t.Ended = at, time.Time{}
	default:
		t.Ended = at
	}
	return t
}

// Lines returns the lines that say that a run marked a task last, and when.
func Lines(w Work, t progress.Task) []Task {
	is := Task{Of: t.Run, Plan: w.Plan, Task: w.Task}
	began, ended := is, is
	began.Status, began.At, ended.Status, ended.At = taskBegins, t.Began, "complete", t.Ended
	switch {
	case t.Began.IsZero() && t.Ended.IsZero():
		return []Task{is}
	case t.Ended.IsZero():
		return []Task{began}
	case t.Began.IsZero():
		return []Task{ended}
	}
	return []Task{began, ended}
}

// Work is a task of the session on a plan.
type Work struct {
	Plan string
	Task int
}

// Marks are the tasks that runs have marked, or that a start has found, as far as the journal knows them: which run marked each last, empty for
// one that a start has found, and when the work on it began and ended.
type Marks map[Work]progress.Task

// An End is the journal's line that a run ended.
type End struct {
	Of       string    `json:"of"` // the run's id
	Status   Status    `json:"status"`
	Cause    Cause     `json:"cause"`
	At       time.Time `json:"at"`                  // UTC
	Plan     string    `json:"plan,omitempty"`      // that the session was on; empty if the end was concluded
	ResumeID string    `json:"resume_id,omitempty"` // the host's conversation id; only of a run that ended well, see Status.Resumable
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

func (s Status) known() bool { return slices.Contains(Statuses(), s) }

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

// A Record is what the journal contains of a run: its start, with its end.
type Record struct {
	Start
	End    *End   // nil while the run is open
	Worked string // the plan of the task that it marked last; empty for none

	startLine, endLine []byte
}

// A Journal is the content of a journal, in which a start and its end are one run. The rules:
//
//   - Runs are in the order of their starts' lines, whatever the clocks said.
//   - A run is identified by its start's id. If an id is started again, its first line counts.
//   - An end closes the run that it names, and no other. Before its start, or without one, it is ignored.
//   - The first end counts. Only an observed end replaces a concluded one: the run may have lived on. But a conversation is
//     only offered if every later end that was observed says success or paused.
//   - The latest line about a task says who works on it: a task's, or that of a start which found it in progress. A run's latest
//     task says on which plan the run works, whatever the session was on when it started.
//   - A line that is torn, not JSON or of another program hides no other, and is neither a start nor an end.
type Journal struct {
	Runs        []Record
	Marks       Marks
	Bad         int  // lines that are not understood
	Cut         bool // the file is too long, and its earlier part was not read
	ArchivesCut bool // there are earlier archives, or a part of one, that were not read

	at   map[string]int // index in Runs, by id
	text []byte         // what was read of the file, and what was added to it since
	size int64          // of the file
	was  durable.Stamp  // its version
}

// addText adds the lines of a text.
func (j *Journal) addText(text []byte) {
	for line := range bytes.Lines(text) {
		j.add(bytes.TrimSuffix(line, []byte("\n")))
	}
}

// add adds one line.
func (j *Journal) add(line []byte) {
	if n := len(j.text); n > 0 && j.text[n-1] != '\n' {
		j.text = append(j.text, '\n')
	}
	j.text = append(append(j.text, line...), '\n')
	j.size += int64(len(line)) + 1
	switch l, ok := parse(line); {
	case !ok:
		j.Bad++
	case l.start != nil:
		j.start(Record{Start: *l.start, startLine: line})
	case l.end != nil:
		j.end(l.end, line)
	case l.task != nil:
		on := Work{l.task.Plan, l.task.Task}
		if l.task.Status == taskPending { // the run that begins it again may be another one
			delete(j.Marks, on)
		} else {
			j.mark(on, marked(j.Marks[on], l.task.Of, l.task.Status, l.task.At))
		}
		if i, ok := j.at[l.task.Of]; ok {
			j.Runs[i].Worked = l.task.Plan
		}
	}
}

func (j *Journal) mark(on Work, t progress.Task) {
	if j.Marks == nil {
		j.Marks = Marks{}
	}
	j.Marks[on] = t
}

func (j *Journal) start(r Record) {
	if _, ok := j.at[r.ID]; ok {
		return
	}
	if j.at == nil {
		j.at = map[string]int{}
	}
	j.at[r.ID] = len(j.Runs)
	j.Runs = append(j.Runs, r)
	for _, n := range r.Found {
		j.mark(Work{r.Plan, n}, progress.Task{})
	}
}

func (j *Journal) end(e *End, line []byte) {
	i, ok := j.at[e.Of]
	if !ok {
		return
	}
	switch r := &j.Runs[i]; {
	case r.End == nil || r.End.Cause.Concluded() && e.Cause.seen():
		r.End, r.endLine = e, line
	case !e.Status.Resumable() && !e.Cause.Concluded() && r.End.ResumeID != "":
		short := *r.End
		short.ResumeID = ""
		r.End = &short
	}
}

// Long reports whether [Files.Rotate] would rotate the journal: it has more than 16 KiB, and that saves at least half.
func (j *Journal) Long() bool {
	_, long := j.lasting()
	return long
}

// lasting returns the lines of the runs that still matter, byte for byte: those that are open, and the latest with its
// end; and who marked the tasks of their plans last, and when. long reports whether the journal should be rotated to them.
func (j *Journal) lasting() (lines []byte, long bool) {
	if j.size <= maxJournal {
		return nil, false
	}
	plans := map[string]bool{}
	matters := func(i int) bool { return j.Runs[i].End == nil || i == len(j.Runs)-1 }
	for i := range j.Runs {
		if matters(i) {
			plans[cmp.Or(j.Runs[i].Worked, j.Runs[i].Plan)] = true
		}
	}
	workers := map[string]bool{}
	for w, t := range j.Marks {
		workers[t.Run] = workers[t.Run] || plans[w.Plan]
	}
	for i, r := range j.Runs {
		end := r.endLine
		switch {
		case matters(i):
		case !workers[r.ID]:
			continue
		default: // only to say who it was
			short := *r.End
			short.ResumeID = ""
			end, _ = encodeLine(typeEnd, short) // it was read from a line
		}
		lines = append(append(lines, r.startLine...), '\n')
		if r.End != nil {
			lines = append(append(lines, end...), '\n')
		}
	}
	isLast := func(w Work) int { // 1 for a task of the plan that its run works on: of each run's lines, the last one counts
		if i, ok := j.at[j.Marks[w].Run]; ok && j.Runs[i].Worked == w.Plan {
			return 1
		}
		return 0
	}
	order := func(a, b Work) int {
		return cmp.Or(cmp.Compare(isLast(a), isLast(b)), cmp.Compare(a.Plan, b.Plan), cmp.Compare(a.Task, b.Task))
	}
	for _, w := range slices.SortedFunc(maps.Keys(j.Marks), order) {
		if t := j.Marks[w]; t.Run != "" && plans[w.Plan] {
			for _, its := range Lines(w, t) {
				line, _ := its.encode() // it was read from a line
				lines = append(append(lines, line...), '\n')
			}
		}
	}
	return lines, 2*int64(len(lines)) < j.size
}

// good returns the journal's text without its bad lines.
func (j *Journal) good() (text []byte) {
	for line := range bytes.Lines(j.text) {
		if _, ok := parse(bytes.TrimSuffix(line, []byte("\n"))); ok {
			text = append(text, line...)
		}
	}
	return text
}

// without returns the journal's text without the conversation ids that are unsafe, or belong to an end or a run that does
// not permit it, and from how many lines one was removed. Of a run that started before the journal, only the id is
// known.
func (j *Journal) without(unsafe func(r *Record, id string) bool) (text []byte, n int) {
	for line := range bytes.Lines(j.text) {
		var raw End
		l, _ := parse(bytes.TrimSuffix(line, []byte("\n")))
		end := l.end
		if end == nil || json.Unmarshal(line, &raw) != nil || raw.ResumeID == "" {
			text = append(text, line...)
			continue
		}
		r := &Record{Start: Start{ID: end.Of}, End: end}
		if i, ok := j.at[end.Of]; ok {
			r = &j.Runs[i]
		}
		if end.Status.Resumable() && r.End != nil && r.End.Status.Resumable() && !unsafe(r, end.ResumeID) {
			text = append(text, line...)
			continue
		}
		end.ResumeID = ""
		short, _ := encodeLine(typeEnd, end) // it was read from a line
		text = append(append(text, short...), '\n')
		n++
	}
	return text, n
}

// tail reads the newest part of a file, at most n bytes, from the beginning of a line. It also returns the file's size.
func tail(root *os.Root, name string, n int64, budget *durable.Budget) (text []byte, size int64, err error) {
	f, err := durable.Open(root, name)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close() // it was only read
	info, err := f.Stat()
	if err == nil {
		size = info.Size()
		n = min(n, size)
		err = budget.Spend(n)
	}
	if err == nil { // what is written from now on is left to the next time
		text, err = io.ReadAll(io.NewSectionReader(f, size-n, n))
	}
	if n < size {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	return text, size, durable.Failed("read", name, root, err)
}

// parsed is what a line says: one of its fields, or nothing.
type parsed struct {
	start *Start
	end   *End
	task  *Task
}

// parse reads one line. It reports whether the line is understood, which includes lines of other types.
func parse(line []byte) (what parsed, ok bool) {
	if !utf8.Valid(line) { // encoding/json would replace invalid bytes
		return what, false
	}
	var l struct {
		Type string `json:"type"`
		Start
		Of       string `json:"of"`
		Status   Status `json:"status"`
		Cause    Cause  `json:"cause"`
		ResumeID string `json:"resume_id"`
		Task     int    `json:"task"`
	}
	if json.Unmarshal(line, &l) != nil {
		var other struct { // its other fields may have any type
			Type string `json:"type"`
		}
		err := json.Unmarshal(line, &other)
		return what, err == nil && foreign(other.Type)
	}
	l.At = l.At.UTC()
	if year := l.At.Year(); year < 0 || year > 9999 { // beyond RFC 3339
		l.At = time.Time{}
	}
	switch {
	case l.Type == typeStart && validID(l.ID):
		l.TTL = int64(seconds(l.TTL) / time.Second)
		if !validConversation(l.Conversation) {
			l.Conversation = ""
		}
		return parsed{start: &l.Start}, true
	case l.Type == typeEnd && validID(l.Of):
		end := &End{Of: l.Of, Status: l.Status, Cause: l.Cause, At: l.At, Plan: l.Plan, ResumeID: l.ResumeID}
		end.clean()
		return parsed{end: end}, true
	case l.Type == typeTask && validID(l.Of) && l.Task > 0:
		if l.At.IsZero() {
			l.Status = "" // nothing else would be known of it
		}
		return parsed{task: &Task{l.Of, l.Plan, l.Task, string(l.Status), l.At}}, true
	}
	return what, foreign(l.Type)
}

// foreign reports whether a type of line is another program's.
func foreign(kind string) bool {
	return kind != "" && kind != typeStart && kind != typeEnd && kind != typeTask
}

// clean makes an end that any program may have written safe to show and to rely on.
func (e *End) clean() {
	if !e.Status.known() {
		e.Status = Interrupted // an unknown status is never a success
	}
	if !e.Cause.seen() && !e.Cause.Concluded() {
		e.Cause = Cause(strings.Map(func(r rune) rune {
			if r <= ' ' || r > '~' {
				return -1
			}
			return r
		}, string(e.Cause)))
		e.Cause = e.Cause[:min(len(e.Cause), maxCause)]
		if e.Cause == "" {
			e.Cause = "?"
		}
	}
	if !e.Status.Resumable() || !validConversation(e.ResumeID) {
		e.ResumeID = ""
	}
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

// encode returns the line of s, without a newline: fs.ErrInvalid if it could not be read again.
func (s Start) encode() ([]byte, error) {
	if !validID(s.ID) {
		return nil, fmt.Errorf("start of run %q: %w", s.ID, fs.ErrInvalid)
	}
	s.At, s.TTL = s.At.UTC().Truncate(time.Second), max(s.TTL, 0)
	s.Found = s.Found[:min(len(s.Found), maxFound)]
	return encodeLine(typeStart, s)
}

// encode returns the line of e, without a newline: fs.ErrInvalid if it would not be read again as it is. Only an end
// after which the conversation may be resumed keeps its id.
func (e End) encode() ([]byte, error) {
	if !validID(e.Of) || !e.Status.known() || !e.Cause.seen() && !e.Cause.Concluded() {
		return nil, fmt.Errorf("end of run %q, %q by %q: %w", e.Of, e.Status, e.Cause, fs.ErrInvalid)
	}
	if !e.Status.Resumable() {
		e.ResumeID = ""
	}
	e.At = e.At.UTC().Truncate(time.Second)
	return encodeLine(typeEnd, e)
}

// encode returns the line of t, without a newline.
func (t Task) encode() ([]byte, error) {
	t.At = t.At.UTC().Truncate(time.Second)
	return encodeLine(typeTask, t)
}

// encodeLine returns the line of v, a Start, an End or a Task.
func encodeLine(kind string, v any) ([]byte, error) {
	fields, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	line := fmt.Appendf(nil, `{"type":%q,%s`, kind, fields[1:])
	if len(line) > maxLine {
		return nil, fmt.Errorf("a journal line of %d bytes, at most %d are written: %w", len(line), maxLine, fs.ErrInvalid)
	}
	return line, nil
}

// seconds returns n seconds, or as many as a Duration holds.
func seconds(n int64) time.Duration {
	return time.Duration(min(max(n, 0), math.MaxInt64/int64(time.Second))) * time.Second
}
