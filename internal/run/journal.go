package run

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/internal/durable"
)

// The journal is the record of runs in a session's directory, one JSON object a line.
const journalFile = "journal.jsonl"

// journalArchives are the journals that were put away.
var journalArchives = durable.Archives{Stem: "journal", Suffix: ".jsonl"}

const (
	maxJournal  = 16 << 10  // bytes of a journal that is left alone
	maxTurn     = 256 << 10 // bytes that are read of one at a turn, the newest: somebody else may have made it longer
	maxBytes    = 4 << 20   // that are read of it and of its archives where all of it is asked for
	maxLines    = 10_000    // in so many lines: short ones take more memory than what they are
	maxArchived = 1000      // files that are opened for them
	maxLine     = 1 << 20   // bytes of a line that are read at all
	maxOwn      = 64 << 10  // bytes of a line that is written
	maxID       = 64        // bytes of a run's id
	maxCause    = 32        // bytes kept of a cause that is none of ours
)

// The types of a line. Lines of another type belong to a later version, or to somebody else.
const (
	typeStart = "run.start"
	typeEnd   = "run.end"
)

// A Start is the journal's line that a run began.
type Start struct {
	ID    string    `json:"id"`    // of the run, new for every start: ends pair with it
	Token string    `json:"token"` // what the run's own processes can show
	Host  string    `json:"host"`  // the program that the agent runs in, such as claude; empty where nobody said
	Plan  string    `json:"plan"`  // that the session was on, relative to the project; empty without a session
	Owner Owner     `json:"owner"`
	At    time.Time `json:"at"`  // UTC
	TTL   int64     `json:"ttl"` // seconds
}

// An End is the journal's line that a run ended.
type End struct {
	Of       string    `json:"of"` // the run's id
	Status   Status    `json:"status"`
	Cause    Cause     `json:"cause"`
	At       time.Time `json:"at"`                  // UTC
	ResumeID string    `json:"resume_id,omitempty"` // the host's conversation id; only of a run that ended in Success
}

// Status is how a run ended.
type Status string

// The statuses of an end.
const (
	Success     Status = "success"
	Failure     Status = "failure"
	Cancelled   Status = "cancelled"
	Interrupted Status = "interrupted"
	Aborted     Status = "aborted"
)

// Statuses lists how a run may end.
func Statuses() []Status { return []Status{Success, Failure, Cancelled, Interrupted, Aborted} }

func (s Status) known() bool { return slices.Contains(Statuses(), s) }

// Cause is who says that a run ended.
type Cause string

// The causes of an end.
const (
	CauseUser       Cause = "user"       // gsd run end
	CauseExit       Cause = "exit"       // gsd exec saw the command end
	CauseSignal     Cause = "signal"     // gsd exec saw a signal end it
	CauseSuperseded Cause = "superseded" // its own process began another run
	CauseSynthetic  Cause = "synthetic"  // gsd run sweep proved the owner dead
	CauseForced     Cause = "forced"     // gsd run sweep --force gave it up: nobody can tell whether it lives
)

// seen reports whether somebody saw the end, rather than concluded it.
func (c Cause) seen() bool { return c == CauseUser || c == CauseExit || c == CauseSignal }

// Concluded reports whether nobody saw the end: the run may have lived, and its own end counts more.
func (c Cause) Concluded() bool {
	return c == CauseSynthetic || c == CauseForced || c == CauseSuperseded
}

// A Record is what the journal holds of a run: its start, with its end.
type Record struct {
	Start
	End *End // nil while the run is open

	startLine, endLine []byte
}

// A Journal is what a journal says: a start and its end are one run. The rules:
//
//   - The order of runs is that of their starts' lines, whatever the clocks said.
//   - A run is its start's id. An id that is started again is the same run; its first line counts.
//   - An end closes the run that it names, and no other. Before its start, or without one, it counts for nothing.
//   - The first end counts, and what follows changes nothing. Only an end that somebody saw replaces one that was concluded:
//     the run may have lived.
//   - A line that is torn, no JSON or of a later version hides no other, and counts neither as a start nor as an end.
type Journal struct {
	Runs []Record
	Bad  int  // lines that say nothing, or nothing that is understood
	Cut  bool // the file is too long to be read whole, and the earlier part of it was left out
	// ArchivesCut says that so are earlier ones of the files that were put away, or a part of one.
	ArchivesCut bool

	at    map[string]int // where in Runs an id is
	text  []byte         // what was read of the file, and what was added to it since
	lines int            // of the text
	size  int64          // of the file
	was   durable.Stamp  // which version of the file it is
}

// read reads the newest part of the journal.
func (j *Journal) read(root *os.Root, name string, most int64, budget *durable.Budget) (err error) {
	j.was, _ = durable.Look(root, name) // of a link, which is only read through, none
	newest := recent{bytes: most, lines: maxLines, budget: budget}
	j.Cut, err = newest.take(root, name)
	for _, text := range newest.texts {
		j.addText(text)
	}
	j.size = newest.size
	return err
}

// addText adds the lines of a text.
func (j *Journal) addText(text []byte) {
	for line := range bytes.Lines(text) {
		j.add(bytes.TrimSuffix(line, []byte("\n")))
	}
}

// add takes the next line.
func (j *Journal) add(line []byte) {
	if n := len(j.text); n > 0 && j.text[n-1] != '\n' {
		j.text = append(j.text, '\n')
	}
	j.text = append(append(j.text, line...), '\n')
	j.size += int64(len(line)) + 1
	j.lines++
	start, end, ok := parse(line)
	switch {
	case !ok:
		j.Bad++
	case start != nil:
		j.start(Record{Start: *start, startLine: line})
	case end != nil:
		j.end(end, line)
	}
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
}

func (j *Journal) end(e *End, line []byte) {
	i, ok := j.at[e.Of]
	if !ok {
		return
	}
	if r := &j.Runs[i]; r.End == nil || r.End.Cause.Concluded() && e.Cause.seen() {
		r.End, r.endLine = e, line
	}
}

// Long reports whether [Files.Rotate] would put the journal away: it has more than 16 KiB, and that saves at least half.
func (j *Journal) Long() bool {
	_, long := j.lasting()
	return long
}

// lasting returns the lines of the runs that matter from here on, byte for byte: those that are open, and the latest with
// its end; and whether the journal is long enough to be put away for them.
func (j *Journal) lasting() (lines []byte, long bool) {
	if j.size <= maxJournal {
		return nil, false
	}
	for i, r := range j.Runs {
		if r.End == nil || i == len(j.Runs)-1 {
			lines = append(append(lines, r.startLine...), '\n')
			if r.End != nil {
				lines = append(append(lines, r.endLine...), '\n')
			}
		}
	}
	return lines, 2*int64(len(lines)) < j.size
}

// good returns the journal's text without its bad lines.
func (j *Journal) good() (text []byte) {
	for line := range bytes.Lines(j.text) {
		if _, _, ok := parse(bytes.TrimSuffix(line, []byte("\n"))); ok {
			text = append(text, line...)
		}
	}
	return text
}

// without returns the journal's text without the conversation's ids that are unsafe, or of an end that is no success, or of
// a run whose end is none; and from how many lines one was taken. An end whose start is not in the journal has nothing
// of the run but its id.
func (j *Journal) without(unsafe func(r *Record, id string) bool) (text []byte, n int) {
	for line := range bytes.Lines(j.text) {
		var raw End
		_, end, _ := parse(bytes.TrimSuffix(line, []byte("\n")))
		if end == nil || json.Unmarshal(line, &raw) != nil || raw.ResumeID == "" {
			text = append(text, line...)
			continue
		}
		r := &Record{Start: Start{ID: end.Of}, End: end}
		if i, ok := j.at[end.Of]; ok {
			r = &j.Runs[i]
		}
		if end.Status == Success && r.End != nil && r.End.Status == Success && !unsafe(r, end.ResumeID) {
			text = append(text, line...)
			continue
		}
		end.ResumeID = ""
		short, err := encodeLine(typeEnd, end)
		if err != nil { // a time that only its zone kept in the calendar
			end.At = time.Time{}
			short, _ = encodeLine(typeEnd, end)
		}
		text = append(append(text, short...), '\n')
		n++
	}
	return text, n
}

// recent is the newest part of several files, taken from the last of them backwards.
type recent struct {
	bytes  int64 // that may still be read
	lines  int   // and kept
	budget *durable.Budget
	texts  [][]byte
	size   int64 // of the file that was taken last
}

// take adds the newest part of a file that comes before all that were taken, from the beginning of a line; cut says that
// some of it was left out.
func (r *recent) take(root *os.Root, name string) (cut bool, err error) {
	f, err := durable.Open(root, name)
	if err != nil {
		return false, err
	}
	defer f.Close() // it was only read
	text, cut, err := r.tail(f)
	if err != nil {
		return true, durable.Failed("read", name, root, err)
	}
	r.bytes -= int64(len(text))
	for at := len(text); at > 0; r.lines-- {
		if r.lines == 0 {
			cut = true
			text = text[at:]
			break
		}
		at = bytes.LastIndexByte(text[:at-1], '\n') + 1
	}
	r.texts = append(r.texts, text)
	return cut, nil
}

func (r *recent) tail(f *os.File) (text []byte, cut bool, err error) {
	info, err := f.Stat()
	if err != nil {
		return nil, false, err
	}
	r.size = info.Size()
	from := max(r.size-r.bytes, 0)
	if err := r.budget.Take(r.size - from); err != nil {
		return nil, false, err
	}
	// What is written from now on is for the next time.
	text, err = io.ReadAll(io.NewSectionReader(f, from, r.size-from))
	if err != nil || from == 0 {
		return text, false, err
	}
	_, text, _ = bytes.Cut(text, []byte("\n"))
	return text, true, nil
}

// parse reads one line, whatever it is: no line is fatal, and none is taken for more than it says. It is a start, an end,
// something that is none of the journal's business here, or not ok.
func parse(line []byte) (start *Start, end *End, ok bool) {
	if len(line) > maxLine || !utf8.Valid(line) { // encoding/json would put something in the place of what it does not understand
		return nil, nil, false
	}
	var l struct {
		Type string `json:"type"`
		Start
		Of       string `json:"of"`
		Status   Status `json:"status"`
		Cause    Cause  `json:"cause"`
		ResumeID string `json:"resume_id"`
	}
	if json.Unmarshal(line, &l) != nil {
		var other struct { // whose other fields may be anything
			Type string `json:"type"`
		}
		err := json.Unmarshal(line, &other)
		return nil, nil, err == nil && other.Type != "" && other.Type != typeStart && other.Type != typeEnd
	}
	l.At = l.At.UTC()
	switch {
	case l.Type == typeStart && validID(l.ID):
		l.TTL = int64(seconds(l.TTL) / time.Second)
		return &l.Start, nil, true
	case l.Type == typeEnd && validID(l.Of):
		end = &End{Of: l.Of, Status: l.Status, Cause: l.Cause, At: l.At, ResumeID: l.ResumeID}
		end.clean()
		return nil, end, true
	}
	return nil, nil, l.Type != "" && l.Type != typeStart && l.Type != typeEnd
}

// clean makes an end that somebody wrote one that may be shown and gone by.
func (e *End) clean() {
	if !e.Status.known() {
		e.Status = Interrupted // never a success that nobody told us of
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
	if e.Status != Success || !validConversation(e.ResumeID) {
		e.ResumeID = ""
	}
}

// NewID returns an id for a run, of 12 hex digits: nobody else gets the same.
func NewID() string {
	var random [6]byte
	rand.Read(random[:]) // never fails: crypto/rand crashes the program first
	return hex.EncodeToString(random[:])
}

// validID reports whether id is made of what [NewID] gives. It stands in a line as it is, and on a terminal.
func validID(id string) bool {
	return id != "" && len(id) <= maxID && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// validConversation reports whether a host's id of a conversation may be offered: it becomes a part of a command.
func validConversation(id string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	return id != "" && len(id) <= 128 && id[0] != '-' && strings.Trim(id, letters+"0123456789._:-") == ""
}

// encode gives the line of s, without a newline; fs.ErrInvalid where it would not be read again.
func (s Start) encode() ([]byte, error) {
	if !validID(s.ID) {
		return nil, fmt.Errorf("start of run %q: %w", s.ID, fs.ErrInvalid)
	}
	s.At, s.TTL = s.At.UTC().Truncate(time.Second), max(s.TTL, 0)
	return encodeLine(typeStart, s)
}

// encode gives the line of e, without a newline; fs.ErrInvalid where it would not be read again as it is. The
// conversation's id is left out of every end but a success.
func (e End) encode() ([]byte, error) {
	if !validID(e.Of) || !e.Status.known() || !e.Cause.seen() && !e.Cause.Concluded() {
		return nil, fmt.Errorf("end of run %q, %q by %q: %w", e.Of, e.Status, e.Cause, fs.ErrInvalid)
	}
	if e.Status != Success {
		e.ResumeID = ""
	}
	e.At = e.At.UTC().Truncate(time.Second)
	return encodeLine(typeEnd, e)
}

// encodeLine gives the line of v, a Start or an End.
func encodeLine(kind string, v any) ([]byte, error) {
	fields, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	line := fmt.Appendf(nil, `{"type":%q,%s`, kind, fields[1:])
	if len(line) > maxOwn {
		return nil, fmt.Errorf("a journal line of %d bytes, at most %d are written: %w", len(line), maxOwn, fs.ErrInvalid)
	}
	return line, nil
}

// seconds is n seconds, as many as there can be.
func seconds(n int64) time.Duration {
	return time.Duration(min(max(n, 0), math.MaxInt64/int64(time.Second))) * time.Second
}
