package session

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"time"
	"unicode/utf8"
)

// The types of a line. Lines of another type belong to a later version, or to somebody else.
const (
	typeStart = "run.start"
	typeEnd   = "run.end"
)

// startLine and endLine are the lines as JSON. The order of the keys is that of the fields, and journal_scan.go goes
// by it. Reading them goes by encoding/json's rules: any order, unknown keys.
type startLine struct {
	Type  string    `json:"type"`
	ID    string    `json:"id"`
	Token string    `json:"token"`
	Host  string    `json:"host"`
	Plan  string    `json:"plan"`
	Owner Owner     `json:"owner"`
	At    time.Time `json:"at"`
	TTL   int64     `json:"ttl"` // seconds
}

type endLine struct {
	Type     string    `json:"type"`
	Of       string    `json:"of"`
	Status   string    `json:"status"`
	Cause    string    `json:"cause"`
	At       time.Time `json:"at"`
	ResumeID string    `json:"resume_id,omitempty"`
}

const (
	maxID    = 64       // bytes of a run's id
	maxCause = 32       // bytes kept of a cause that is none of ours
	maxOwn   = 64 << 10 // bytes of a line that is written; everyone reads that much of a file's end
)

// validID reports whether id is made of what [NewRunID] gives. It stands in a line as it is, and on a terminal.
func validID(id string) bool {
	for i := range len(id) {
		c := id[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return id != "" && len(id) <= maxID
}

// validConversation tells a host's id of a conversation that may be offered: it becomes a part of a command.
func validConversation(id string) bool {
	for i := range len(id) {
		c := id[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '.' && c != '_' && c != ':' && c != '-' {
			return false
		}
	}
	return id != "" && len(id) <= 128 && id[0] != '-'
}

// encode gives the line of s, without a newline; fs.ErrInvalid where it would not be read again.
func (s Start) encode() ([]byte, error) {
	if !validID(s.ID) {
		return nil, fmt.Errorf("start of run %q: %w", s.ID, fs.ErrInvalid)
	}
	return encodeLine(startLine{
		Type: typeStart, ID: s.ID, Token: s.Token, Host: s.Host, Plan: s.Plan, Owner: s.Owner,
		At: s.At.UTC().Truncate(time.Second), TTL: int64(max(s.TTL, 0) / time.Second),
	})
}

// encode gives the line of e, without a newline; fs.ErrInvalid where it would not be read again as it is. The
// conversation's id is left out of every end but a success.
func (e End) encode() ([]byte, error) {
	if !validID(e.Of) || !e.Status.known() || !e.Cause.known() {
		return nil, fmt.Errorf("end of run %q, %q by %q: %w", e.Of, e.Status, e.Cause, fs.ErrInvalid)
	}
	if e.Status != Success {
		e.ResumeID = ""
	}
	return encodeLine(endLine{
		Type: typeEnd, Of: e.Of, Status: string(e.Status), Cause: string(e.Cause),
		At: e.At.UTC().Truncate(time.Second), ResumeID: e.ResumeID,
	})
}

func encodeLine(v any) ([]byte, error) {
	line, err := json.Marshal(v)
	if err == nil && len(line) > maxOwn {
		err = fmt.Errorf("a journal line of %d bytes, at most %d are written: %w", len(line), maxOwn, fs.ErrInvalid)
	}
	return line, err
}

func (s Status) known() bool {
	switch s {
	case Success, Failure, Cancelled, Interrupted, Aborted:
		return true
	}
	return false
}

func (c Cause) known() bool { return c.seen() || c.Concluded() }

// seen tells causes of ends that somebody saw from those that were concluded, and from those that are not known.
func (c Cause) seen() bool { return c == CauseUser || c == CauseExit || c == CauseSignal }

// Concluded tells an end that nobody saw: the run may have lived, and its own end counts more.
func (c Cause) Concluded() bool {
	return c == CauseSynthetic || c == CauseForced || c == CauseSuperseded
}

// A record is what one line of a journal says.
type record struct {
	kind  recordKind
	start Start // of a startRecord
	end   End   // of an endRecord
}

type recordKind int

const (
	badRecord   recordKind = iota // nothing, or nothing that is understood
	otherRecord                   // something that is none of the journal's business here
	startRecord
	endRecord
)

// parse reads one line into r, whatever it is: no line is fatal, and none is taken for more than it says.
func (r *record) parse(line string) {
	*r = record{}
	if !r.scan(line) {
		*r = record{}
		r.decode(line)
	}
	switch r.kind {
	case startRecord:
		if !validID(r.start.ID) {
			*r = record{}
		}
	case endRecord:
		if !validID(r.end.Of) {
			*r = record{}
			return
		}
		if !r.end.Status.known() {
			r.end.Status = Interrupted // never a success that nobody told us of
		}
		if !r.end.Cause.known() {
			cause := printable(string(r.end.Cause))
			r.end.Cause = Cause(cause[:min(len(cause), maxCause)])
		}
		if r.end.Status != Success || !validConversation(r.end.ResumeID) {
			r.end.ResumeID = ""
		}
	}
}

// decode is parse by encoding/json, for what others wrote and for what is broken.
func (r *record) decode(line string) {
	text := []byte(line)
	if !utf8.Valid(text) { // encoding/json would put something in the place of what it does not understand
		return
	}
	var head struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(text, &head) != nil || head.Type == "" {
		return
	}
	switch head.Type {
	case typeStart:
		var l startLine
		if json.Unmarshal(text, &l) != nil {
			return
		}
		r.kind = startRecord
		r.start = Start{
			ID: l.ID, Token: l.Token, Host: l.Host, Plan: l.Plan, Owner: l.Owner,
			At: l.At.UTC(), TTL: seconds(l.TTL),
		}
	case typeEnd:
		var l endLine
		if json.Unmarshal(text, &l) != nil {
			return
		}
		r.kind = endRecord
		r.end = End{Of: l.Of, Status: Status(l.Status), Cause: Cause(l.Cause), At: l.At.UTC(), ResumeID: l.ResumeID}
	default:
		r.kind = otherRecord
	}
}

// seconds is n seconds, as many as there can be.
func seconds(n int64) time.Duration {
	return time.Duration(min(max(n, 0), math.MaxInt64/int64(time.Second))) * time.Second
}
