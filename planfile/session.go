package planfile

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
)

// Session gives the session file for a plan: the header, then the plan's bytes with a status on every
// task. status says which; it gets each task in turn.
//
// An element's status goes right after its type, or replaces the one that the plan carried. A task
// without an element (dialects heading and plan) is wrapped in <task type="auto" status="…"> and
// </task> lines, in the plan's own line ends.
//
// The session is parsed before it is returned, and has the plan's tasks with those statuses. Where it has not,
// because broken fences and tags read otherwise once a task is wrapped, the error is ErrUnbalanced. It is
// ErrDuplicateStatus for a plan that carries two statuses in one tag.
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
		if t.tag.from > 0 && f.src[t.tag.from-1] != '\n' { // a plan that is front matter and nothing else
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

// ErrUnbalanced is returned for a plan whose tasks cannot be told apart any more in a session.
var ErrUnbalanced = errors.New("fences and tags in it contradict each other")

// Holds reports whether the session f is this plan with a status added to each task and nothing else changed:
// then it has the same tasks, and neither needs to be compared any further. It compares bytes and nothing
// more, so it is false for the rare plan that carried statuses or leading comments of its own, and for one
// whose tasks were wrapped.
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
