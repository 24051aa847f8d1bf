// Package planfile reads PLAN.md and its working copy current-plan.md: it finds the tasks, names them, and sets their
// statuses.
//
//	plan := planfile.Parse(src)
//	for _, task := range plan.Tasks {
//		fmt.Println(task.Number, plan.Name(task.Number), task.Status)
//	}
//
// To mark a task of somebody's session, use package hydrate: it locks the file, and remembers who set what. SetStatus alone does neither.
//
// A file is scanned, never re-serialised. Parse keeps the bytes that it is given and records offsets into them; a
// change is a splice at such an offset. So Parse followed by Bytes is the identity for any input, and setting a status
// changes no byte outside that attribute. Line endings, a byte order mark, odd quotes and a missing final newline
// survive because nothing here ever writes them.
//
// Plans are not XML: 61 % of real task bodies are not well-formed. Structure is therefore found line by line (lex.go),
// examples in fences and comments are dropped (hide.go), and the remaining tags and headings are paired into tasks
// (element.go, heading.go, series.go). docs/design.md, "planfile", states the rules.
package planfile

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/internal/markdown"
)

// Dialect is the way a plan writes its tasks.
type Dialect string

// The dialects, in the order in which they are tried.
const (
	DialectTask    Dialect = "task"    // <task …> elements
	DialectFeature Dialect = "feature" // a TDD plan's <feature>
	DialectHeading Dialect = "heading" // ## Task N, or another series of headings or of items of a list
	DialectPlan    Dialect = "plan"    // none of these: the whole plan is one task
)

// Errors that Check returns.
var (
	ErrEmpty  = errors.New("the file is empty")
	ErrBinary = errors.New("the file is binary")
	ErrHuge   = errors.New("the file is larger than 2 GiB")
	ErrDense  = errors.New("the file has more tags, headings and fences than any plan")
)

// File is one parsed plan or session file. Only Record changes it.
type File struct {
	// Header holds the comment lines that say what a session file is on; it is zero for a plan.
	Header Header
	// Dialect is how the tasks are written.
	Dialect Dialect
	// Tasks are the tasks in document order; Tasks[i].Number is i+1. It is empty only for a file that Check refuses.
	Tasks []Task

	inferred bool // see Inferred
	recorded bool // Record was called: Tasks are newer than src

	src  []byte
	body int // offset of the plan itself: after a BOM, the leading comments and the blank line behind them

	above span // front matter of the plan that stands above the header of a session
}

// Task is one task of a plan.
type Task struct {
	// Number is 1-based, in document order.
	Number int
	// Line is the 1-based line of the start tag or heading.
	Line int
	// Type is the type attribute, such as auto or checkpoint:human-verify; empty if there is none.
	Type string
	// Status is the status attribute as written; empty if there is none.
	Status Status

	tag      span   // the start tag, the line of a heading, or empty for a whole plan
	inner    span   // the text between start and end tag
	end      offset // after the end tag
	typeEnd  offset // after the type attribute, else after the element's name: where a new status goes
	status   attr   // the first status attribute
	statuses int32  // number of status attributes
	empty    bool   // <task/>
	broken   bool   // a quote in this tag, or in one before it on the same line, is not closed
	closed   bool   // an end tag was found
}

// offset is a byte offset into a file. With 32 bits a plan of 100,000 tasks stays within the memory budget; Check
// refuses files too large for it.
type offset = int32

// span is a half-open range of offsets.
type span struct{ from, to offset }

func (s span) of(src []byte) []byte { return src[s.from:s.to] }

func between[N int | offset](from, to N) span { return span{offset(from), offset(to)} }

// Check returns an error for a file that cannot be a plan: ErrEmpty, ErrBinary (see IsText), ErrHuge, or ErrDense (over 1 MiB
// with more than 300,000 tags, headings and fences), or a *ConflictError (see CheckConflict). Any other text is accepted.
func Check(src []byte) error {
	if len(src) > math.MaxInt32 {
		return ErrHuge
	}
	if isDense(src) {
		return ErrDense
	}
	if !IsText(src) {
		return ErrBinary
	}
	if len(bytes.TrimSpace(bytes.TrimPrefix(src, []byte(bom)))) == 0 {
		return ErrEmpty
	}
	return CheckConflict(src)
}

// IsText reports whether a file is UTF-8 text. A stray NUL or half a character, as agents and crashes leave them, makes no file
// binary: more than one byte in a hundred does, if it is a control character other than white space, or is not UTF-8. UTF-16
// is not text.
func IsText(src []byte) bool {
	if bytes.HasPrefix(src, []byte("\xff\xfe")) || bytes.HasPrefix(src, []byte("\xfe\xff")) {
		return false
	}
	odd := 0
	for i := 0; i < len(src); {
		switch c := src[i]; {
		case c >= utf8.RuneSelf:
			_, size := utf8.DecodeRune(src[i:])
			if size == 1 {
				odd++
			}
			i += size
			continue
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f', c == 0x7f:
			odd++
		}
		i++
	}
	return odd <= len(src)/100
}

// Parse finds the tasks of a plan or session file. It accepts any input and never fails; Problems lists what is wrong
// with it. Parse keeps src, which the caller must not change afterwards. A file for which Check returns ErrHuge or
// ErrDense has no tasks.
func Parse(src []byte) *File {
	f, _ := parse(src)
	return f
}

// parse returns also the error of Check.
func parse(src []byte) (f *File, refused error) {
	f, refused = &File{src: src}, Check(src)
	if errors.Is(refused, ErrHuge) || errors.Is(refused, ErrDense) {
		return f, refused
	}
	f.Header, f.body = parseHeader(src)
	f.find(refused)
	return f, refused
}

// ParseSession parses a session file as Parse does. Its header need not be at the top; it may stand anywhere before the first task.
// If the file could not be a plan, it has no tasks.
func ParseSession(src []byte) *File {
	f, refused := parse(src)
	if refused != nil {
		f.Tasks = nil
		return f
	}
	if f.Header.Plan != "" {
		return f
	}
	limit := len(src) // of the head of a file that is not read whole
	if f.isElement() {
		limit = int(f.Tasks[0].tag.from)
	}
	if h, above, after := headerBelow(src, limit); h.Plan != "" {
		f.Header, f.above, f.body = h, above, after
		f.find(nil)
	}
	return f
}

// find fills Dialect and Tasks from what follows the header. refused is why the file is no plan, nil if it can be one.
func (f *File) find(refused error) {
	for more := f.body; more > 0; f.body += more { // a plan may begin with comments of its own
		_, more = parseHeader(f.src[f.body:])
	}
	_, rest, _ := markdown.CutFrontMatter(f.src[f.body:])
	start := len(f.src) - len(rest)
	f.findTasks(start)
	if len(f.Tasks) == 0 && refused == nil {
		whole := Task{Line: lineAt(f.src, start), tag: between(start, start), inner: between(start, len(f.src)), end: offset(len(f.src))}
		f.Dialect, f.Tasks = DialectPlan, []Task{whole}
	} else if len(f.Tasks) == 0 {
		f.Dialect = ""
	}
	for i := range f.Tasks {
		f.Tasks[i].Number = i + 1
	}
}

// findTasks fills Dialect and Tasks from the elements or headings after the front matter.
func (f *File) findTasks(start int) {
	x := lex(f.src, start, "task")
	f.Dialect, f.Tasks = DialectTask, x.elements()
	if len(f.Tasks) == 0 {
		f.Dialect, f.Tasks = DialectFeature, lex(f.src, start, "feature").elements()
	}
	if len(f.Tasks) == 0 {
		f.Dialect = DialectHeading
		f.Tasks, f.inferred = x.headings()
	}
	if len(f.Tasks) == 0 && len(x.examples) == 1 { // all tasks are in one fence, so they are not examples
		block := x.examples[0]
		f.Dialect, f.Tasks = DialectTask, lex(f.src[:block.to], int(block.from), "task").elements()
	}
}

// isDense reports whether a file has so many tags that parsing it would take many times its size in memory: a Task
// takes some 150 bytes, its shortest tag five. The largest plan in the tests has 100,000 tasks in 30 MB.
func isDense(src []byte) bool {
	const small, limit = 1 << 20, 300_000
	if len(src) <= small {
		return false
	}
	n := 0
	for _, mark := range [...]string{"# ", "```", "~~~", "<!--"} {
		n += bytes.Count(src, []byte(mark))
	}
	for rest := src; n <= limit; {
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

// Bytes returns the bytes that were parsed.
func (f *File) Bytes() []byte { return f.src }

// Task returns task n, counted from 1, or ErrTask with how many there are.
func (f *File) Task(n int) (Task, error) {
	switch {
	case n >= 1 && n <= len(f.Tasks):
		return f.Tasks[n-1], nil
	case len(f.Tasks) == 1:
		return Task{}, fmt.Errorf("%w %d: there is one task", ErrTask, n)
	}
	return Task{}, fmt.Errorf("%w %d: there are %d tasks", ErrTask, n, len(f.Tasks))
}

// Problem is a mistake in a plan or a session file that a person should fix.
type Problem struct {
	Code   string // status-unknown, status-duplicate, status-missing, task-unclosed, part-unclosed
	Line   int    // 1-based
	Detail string // the message, without the line
	Task   int    // the number of the task
	Tag    string // the element that has no end tag; empty if that is not the problem
	End    int    // the 1-based line at whose end its end tag belongs
}

// Problems returns the problems with the tasks of a session file, in document order.
func (f *File) Problems() []Problem {
	var found []Problem
	for _, t := range f.Tasks {
		add := func(code, format string, args ...any) {
			found = append(found, Problem{Code: code, Line: t.Line, Detail: fmt.Sprintf(format, args...), Task: t.Number})
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
			p := &found[len(found)-1]
			p.Tag, p.End = "task", f.taskEnd(t)
		}
	}
	return found
}

// HasStatus reports whether any task has a status attribute, that is, whether the file is a session rather than a plan.
func (f *File) HasStatus() bool {
	return slices.ContainsFunc(f.Tasks, func(t Task) bool { return t.statuses > 0 })
}

const bom = "\xef\xbb\xbf"

// lineAt returns the 1-based line of an offset.
func lineAt(src []byte, off int) int { return 1 + bytes.Count(src[:off], []byte{'\n'}) }

// lineEnd returns the offset after the line that holds off, including its line feed.
func lineEnd(src []byte, off int) int {
	if i := bytes.IndexByte(src[off:], '\n'); i >= 0 {
		return off + i + 1
	}
	return len(src)
}
