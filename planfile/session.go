package planfile

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"
)

// Session returns the session file for a plan: the header, then the plan's bytes with the status that the function
// returns for each task.
//
// An element's status goes right after its type, or replaces the one that the plan already has. A task without an
// element (dialects heading and plan) is wrapped in <task type="auto" status="…"> and </task> lines, with the plan's
// own line endings.
//
// The result is parsed again to check that it has the plan's tasks with those statuses. If not, because broken fences
// and tags read differently once a task is wrapped, the error is ErrUnbalanced. It is ErrDuplicateStatus for a plan
// with two statuses in one tag, and ErrStatus if the function returns a status that is not valid.
func (f *File) Session(h Header, status func(Task) Status) (*File, error) {
	var b bytes.Buffer
	b.Grow(len(f.src) + len(f.Tasks)*len(` status="in-progress"`) + 512)
	b.Write(h.bytes())
	newline := "\n"
	if i := bytes.IndexByte(f.src, '\n'); i > 0 && f.src[i-1] == '\r' {
		newline = "\r\n"
	}
	wanted := make([]Status, len(f.Tasks))
	at := offset(0)
	splice := func(s span, text string) {
		b.Write(f.src[at:s.from])
		b.WriteString(text)
		at = s.to
	}
	for i, t := range f.Tasks {
		s := status(t)
		if err := s.check(); err != nil {
			return nil, err
		}
		wanted[i] = s
		if t.statuses > 1 {
			return nil, fmt.Errorf("line %d: %w", t.Line, ErrDuplicateStatus)
		}
		if f.isElement() {
			where, text := t.statusEdit(s)
			splice(where, text)
			continue
		}
		opening := `<task type="auto" status="` + string(s) + `">` + newline
		if t.tag.from > 0 && f.src[t.tag.from-1] != '\n' { // the plan is nothing but front matter
			opening = newline + opening
		}
		splice(span{t.tag.from, t.tag.from}, opening)
		closing := "</task>" + newline
		if f.src[t.end-1] != '\n' {
			closing = newline + "</task>" // a missing final newline stays missing
		}
		splice(span{t.end, t.end}, closing)
	}
	b.Write(f.src[at:])
	session := Parse(b.Bytes())
	has := func(t Task, s Status) bool { return t.Status == s && t.statuses == 1 }
	if session.Header != h || !slices.EqualFunc(session.Tasks, wanted, has) {
		return nil, ErrUnbalanced
	}
	return session, nil
}

// ErrUnbalanced is returned for a plan whose tasks would no longer be recognised in a session.
var ErrUnbalanced = errors.New("fences and tags in it contradict each other")

// Holds reports whether the session f is this plan with a status added to each task and nothing else changed, so that
// their tasks need not be compared. It only compares bytes: it is also false for the rare plan that already had
// statuses or leading comments, and for one whose tasks were wrapped.
func (f *File) Holds(plan []byte) bool {
	if !f.isElement() {
		return false
	}
	at := offset(f.body)
	same := func(to offset) (ok bool) {
		plan, ok = bytes.CutPrefix(plan, f.src[at:to])
		return ok
	}
	for i := range f.Tasks {
		t := &f.Tasks[i]
		if t.statuses != 1 || t.status.whole.from != t.typeEnd || !same(t.status.whole.from) {
			return false
		}
		at = t.status.whole.to
	}
	return same(offset(len(f.src))) && len(plan) == 0
}

// HasTextOf reports whether the session f has the text of a plan, whatever the statuses, the comments at the beginning, and the space
// between words. It is for sessions of other programs, which say nothing of the plan's bytes; the original shell script gives a
// status to all that looks like a task's tag, also in examples.
func (f *File) HasTextOf(plan *File) bool {
	if len(f.Tasks) != len(plan.Tasks) {
		return false
	}
	if plan.isElement() {
		return slices.EqualFunc(bytes.Fields(f.bare()), bytes.Fields(plan.bare()), bytes.Equal)
	}
	for _, t := range plan.Tasks { // they are wrapped in the session
		if f.Body(t.Number) != plan.Body(t.Number) {
			return false
		}
	}
	return true
}

var tagStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)<(?:task|feature)\b`) })

// bare returns a file without its leading comments and without the statuses in its tags.
func (f *File) bare() (text []byte) {
	src := slices.Concat(f.above.of(f.src), f.src[f.body:])
	done := 0
	for _, tag := range tagStart().FindAllIndex(src, -1) {
		remove := func(a attr) {
			if from := tag[1] + int(a.whole.from); isName(a.name.of(src[tag[1]:]), "status") && from >= done {
				text = append(text, src[done:from]...)
				done = tag[1] + int(a.whole.to)
			}
		}
		if _, ok := startTag(src[tag[1]:], 0, remove); !ok { // prose, or a tag without an end
			line, _, _ := bytes.Cut(src[tag[1]:], []byte{'\n'})
			startTag(append(bytes.Clone(line), '>'), 0, remove)
		}
	}
	return append(text, src[done:]...)
}
