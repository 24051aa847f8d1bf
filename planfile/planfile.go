// Package planfile reads PLAN.md and its working copy current-plan.md: it finds the tasks, names
// them, and changes one status.
//
// The law of this package: a file is scanned, never re-serialised. Parse keeps the very bytes that
// it was given and only notes where things are; a change is a splice between two of those places.
// So Parse then Bytes is the identity for any input, and setting a status changes no byte outside
// that attribute. Line ends, a byte order mark, odd quotes and a missing final newline survive
// because nothing here ever writes them.
//
// Plans are not XML: 61 % of the real task bodies are no well-formed element. Structure is therefore
// found line by line (lex.go), examples in fences and comments are set aside (hide.go), and what is
// left is paired into tasks (element.go, heading.go). The rules are those of docs/design.md, "planfile".
package planfile

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Dialect says how a plan writes its tasks.
type Dialect string

// The dialects, in the order in which they are tried.
const (
	DialectTask    Dialect = "task"    // <task …> elements
	DialectFeature Dialect = "feature" // a TDD plan's <feature>
	DialectHeading Dialect = "heading" // ## Task N
	DialectPlan    Dialect = "plan"    // none of these: the plan is its one task
)

// Errors that Check returns; a caller tells them apart with errors.Is.
var (
	ErrEmpty  = errors.New("the file is empty")
	ErrBinary = errors.New("the file is binary")
	ErrHuge   = errors.New("the file is larger than 2 GiB")
	ErrDense  = errors.New("the file has more tags, headings and fences than any plan")
)

// File is one parsed plan or session file. Only Record changes it.
type File struct {
	// Header is what the leading comment lines of a session file say; zero for a plan.
	Header Header
	// Dialect is how the tasks are written.
	Dialect Dialect
	// Tasks are the tasks in document order; Tasks[i].Number is i+1. It is empty only for a file
	// that Check refuses.
	Tasks []Task

	recorded bool // Tasks are ahead of src

	src  []byte
	body int // where the plan itself begins: after leading comments, their blank line and a BOM
}

// Task is one task of a plan.
type Task struct {
	// Number is 1-based, in document order.
	Number int
	// Line is the 1-based line of the start tag or heading.
	Line int
	// Type is the type attribute: auto, checkpoint:human-verify, …; empty where there is none.
	Type string
	// Status is the status attribute as it is written; empty where there is none.
	Status Status

	tag      span   // the start tag; for a heading its line; empty for a whole plan
	inner    span   // what lies between start and end tag
	end      offset // after the end tag
	typeEnd  offset // after the type attribute, or after the element's name: where a status goes
	status   attr   // the first status attribute
	statuses int32  // how many status attributes the tag carries
	empty    bool   // <task/>
	broken   bool   // a quote in the tag, or in one before it on its line, is not closed
	closed   bool   // whether an end tag was found
}

// offset is a place in a file. 32 bits keep a plan of 100,000 tasks within the memory that is allowed
// for it; Check refuses what does not fit.
type offset = int32

// span is a half-open range of offsets into a file.
type span struct{ from, to offset }

func (s span) of(src []byte) []byte { return src[s.from:s.to] }

func between[N int | offset](from, to N) span { return span{offset(from), offset(to)} }

// Check refuses what no plan can be: an empty file (ErrEmpty), a binary one (ErrBinary, told by a NUL
// byte as git and grep tell it), one of more than 2 GiB (ErrHuge), and one of more than a mebibyte that has
// over 300,000 tags, headings and fences (ErrDense). No other text is refused.
func Check(src []byte) error {
	if len(src) > math.MaxInt32 {
		return ErrHuge
	}
	if isDense(src) {
		return ErrDense
	}
	if bytes.IndexByte(src, 0) >= 0 {
		return ErrBinary
	}
	if len(bytes.TrimSpace(bytes.TrimPrefix(src, []byte(bom)))) == 0 {
		return ErrEmpty
	}
	return nil
}

// Parse finds the tasks of a plan or session file. It takes any bytes, keeps them (the caller must
// not change them any more) and never fails; what is odd about them is told by Problems. A file that
// Check calls huge or dense has no tasks.
func Parse(src []byte) *File {
	f := &File{src: src}
	refused := Check(src)
	if errors.Is(refused, ErrHuge) || errors.Is(refused, ErrDense) {
		return f
	}
	f.Header, f.body = parseHeader(src)
	for more := f.body; more > 0; f.body += more { // a plan may begin with comments of its own
		_, more = parseHeader(src[f.body:])
	}
	_, rest, _ := CutFrontMatter(src[f.body:])
	start := len(src) - len(rest)
	f.findTasks(start)
	if len(f.Tasks) == 0 && refused == nil {
		whole := Task{Line: lineAt(src, start), tag: between(start, start), inner: between(start, len(src)), end: offset(len(src))}
		f.Dialect, f.Tasks = DialectPlan, []Task{whole}
	} else if len(f.Tasks) == 0 {
		f.Dialect = ""
	}
	for i := range f.Tasks {
		f.Tasks[i].Number = i + 1
	}
	return f
}

// findTasks fills Dialect and Tasks from the elements and headings behind the front matter, as far as there are any.
func (f *File) findTasks(start int) {
	x := lex(f.src, start, "task")
	f.Dialect, f.Tasks = DialectTask, x.elements()
	if len(f.Tasks) == 0 {
		f.Dialect, f.Tasks = DialectFeature, lex(f.src, start, "feature").elements()
	}
	if len(f.Tasks) == 0 {
		f.Dialect, f.Tasks = DialectHeading, x.headings()
	}
	if len(f.Tasks) == 0 && len(x.examples) == 1 { // the only tasks stand in one fence: they are meant
		block := x.examples[0]
		f.Dialect, f.Tasks = DialectTask, lex(f.src[:block.to], int(block.from), "task").elements()
	}
}

// isDense reports whether so much of a file is structure that keeping it would take many times the file's size: a
// task is kept in some 150 bytes and begins with five. The largest plan that we test with has 100,000 tasks in 30 MB.
func isDense(src []byte) bool {
	const small, most = 1 << 20, 300_000
	if len(src) <= small {
		return false
	}
	n := 0
	for _, mark := range [...]string{"# ", "```", "~~~", "<!--"} {
		n += bytes.Count(src, []byte(mark))
	}
	for rest := src; n <= most; {
		var found bool
		if _, rest, found = bytes.Cut(rest, []byte{'<'}); !found {
			return false
		}
		name := bytes.TrimPrefix(rest, []byte{'/'})
		if len(name) >= 4 && isName(name[:4], "task") || len(name) >= 7 && isName(name[:7], "feature") {
			n++
		}
	}
	return true
}

// Bytes gives back what was parsed.
func (f *File) Bytes() []byte { return f.src }

// Task gives task n, counted from 1, or an error that says how many there are.
func (f *File) Task(n int) (Task, error) {
	switch {
	case n >= 1 && n <= len(f.Tasks):
		return f.Tasks[n-1], nil
	case len(f.Tasks) == 1:
		return Task{}, fmt.Errorf("no task %d: there is one task", n)
	}
	return Task{}, fmt.Errorf("no task %d: there are %d tasks", n, len(f.Tasks))
}

// Problem is something in a session file that a person should mend.
type Problem struct {
	Code   string // status-unknown, status-duplicate, status-missing, task-unclosed
	Line   int    // 1-based
	Detail string // the rest of the sentence, without the place
}

// Problems tells what is odd about the tasks of a session file, in document order.
func (f *File) Problems() []Problem {
	var found []Problem
	for _, t := range f.Tasks {
		add := func(code, format string, args ...any) {
			found = append(found, Problem{code, t.Line, fmt.Sprintf(format, args...)})
		}
		switch {
		case t.statuses > 1:
			add("status-duplicate", "task %d has %d status attributes", t.Number, t.statuses)
		case t.statuses == 0:
			add("status-missing", "task %d has no status", t.Number)
		case !t.Status.Known():
			add("status-unknown", "task %d has the status %q", t.Number, string(t.Status))
		}
		if f.Dialect == DialectTask && !t.closed {
			add("task-unclosed", "task %d has no </task>", t.Number)
		}
	}
	return found
}

// HasStatus reports whether any task carries a status, that is, whether this is a session and no plan.
func (f *File) HasStatus() bool {
	return slices.ContainsFunc(f.Tasks, func(t Task) bool { return t.statuses > 0 })
}

const bom = "\xef\xbb\xbf"

// lineAt gives the 1-based line of an offset.
func lineAt(src []byte, off int) int { return 1 + bytes.Count(src[:off], []byte{'\n'}) }

// lineEnd gives the offset after the line that holds off, its line feed included.
func lineEnd(src []byte, off int) int {
	if i := bytes.IndexByte(src[off:], '\n'); i >= 0 {
		return off + i + 1
	}
	return len(src)
}
