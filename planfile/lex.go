package planfile

import (
	"bytes"
	"strings"

	"github.com/gsd-cli/gsd/internal/markdown"
)

// A mark is a tag, heading, fence or comment. The lexer records all of them; hide then drops those that are only
// examples. Tags decide which fences hide anything even if the tasks are headings, because in the session those are
// wrapped in tags.
type mark struct {
	kind markKind
	line int32 // 1-based
	at   span  // of a tag, a heading, a whole comment, or the line of a fence without its indentation
	n    int32 // a start tag's index in lexed.tasks, or a heading's level
}

type markKind uint8

const (
	markOpen    markKind = iota // a start tag that begins a line or follows another tag
	markClose                   // an end tag that begins or ends a line, or is followed by another tag
	markEnd                     // the end tag of the list around the elements, </tasks>
	markHeading                 // a heading; n is its level, negated for a task's heading
	markFence                   // a line of backticks or tildes
	markComment                 // a comment of more than one line
)

// lexed is the result of lex: the structure of a file in which tasks are found.
type lexed struct {
	src      []byte
	marks    []mark
	tasks    []Task // one for each start tag, with its attributes; elements finds where it ends
	examples []span // the fenced blocks that hide a start tag
}

// lexer reads a file once, line by line.
type lexer struct {
	element string // the element to look for
	list    string // the element around it: tasks
	lexed
	number     int // of the current line
	comment    int // offset of the next "<!--", len(src) if there is none
	commentEnd int // offset of the last "-->" found

	openQuote bool // a tag on this line has a quote that is not closed
}

// lex records the headings and the tags of element from start on, except those in examples.
func lex(src []byte, start int, element string) lexed {
	l := lexer{lexed: lexed{src: src}, element: element, list: element + "s"}
	n := bytes.Count(src[start:], []byte("<"+element)) // so that a large plan does not regrow the slices
	l.tasks, l.marks = make([]Task, 0, n), make([]mark, 0, 2*n)
	l.findComment(start)
	l.number = lineAt(src, start)
	for at := start; at < len(src); l.number++ {
		at = l.line(at)
	}
	l.hide()
	return l.lexed
}

func (l *lexer) note(kind markKind, from, to, n int) {
	l.marks = append(l.marks, mark{kind, int32(l.number), between(from, to), int32(n)})
}

// line reads the line at offset at, with any further lines that a start tag on it spans, and returns the offset of the
// next line.
func (l *lexer) line(at int) (next int) {
	end := lineEnd(l.src, at)
	i := skip(l.src[:end], at, " \t")
	if i == end {
		return end
	}
	switch l.src[i] {
	case '`', '~':
		if _, ok := markdown.ParseFence(l.src[i:end]); ok {
			l.note(markFence, i, end, 0)
			return end
		}
	case '#':
		l.heading(at, i, end)
	}
	l.openQuote = false
	for ; i < end; i = skip(l.src[:end], i, " \t") {
		after := l.tag(i, end)
		if after == 0 {
			after = l.text(i, end)
		}
		if after > end { // a start tag over several lines
			l.number += bytes.Count(l.src[i:after], []byte{'\n'})
			end = lineEnd(l.src, after)
		}
		i = after
	}
	return end
}

// tag records the tag of a task or of the task list at i and returns the offset after it, or 0 if there is none.
func (l *lexer) tag(i, end int) (after int) {
	if l.src[i] != '<' {
		return 0
	}
	if l.isTag(i, l.element) {
		return l.open(i)
	}
	if after = l.endTag(i, l.element); after > 0 {
		l.note(markClose, i, after, 0)
	} else if after = l.endTag(i, l.list); after > 0 {
		l.note(markEnd, i, after, 0)
	} else if l.isTag(i, l.list) {
		after = i + bytes.IndexByte(l.src[i:end], '>') + 1
		if after == i {
			return 0
		}
	}
	return after
}

// text reads the text at i up to the next end tag that counts, or to the end of the line, records the comments in it,
// and returns where it stopped. An end tag counts if nothing or another tag follows it on the line, as in
// "<done>x</done></task>"; in the middle of a sentence it only mentions tasks.
func (l *lexer) text(i, end int) int {
	for {
		tag := l.nextEndTag(i, end)
		if i = l.comments(i, tag, end); i <= tag {
			return tag
		}
	}
}

func (l *lexer) nextEndTag(from, end int) int {
	for at := from; ; at++ {
		i := bytes.IndexByte(l.src[at:end], '<')
		if i < 0 {
			return end
		}
		at += i
		after := l.anyEndTag(at)
		if after == 0 {
			continue
		}
		after = skip(l.src[:end], after, space)
		if after == end || l.isTag(after, l.element) || l.isTag(after, l.list) || l.anyEndTag(after) > 0 {
			return at
		}
	}
}

// anyEndTag is endTag for both the task and the list around the tasks.
func (l *lexer) anyEndTag(i int) int { return max(l.endTag(i, l.element), l.endTag(i, l.list)) }

// isTag reports whether a start tag of that name begins at i.
func (l *lexer) isTag(i int, name string) bool {
	after := i + 1 + len(name)
	return after < len(l.src) && l.src[i] == '<' && isName(l.src[i+1:after], name) &&
		strings.IndexByte(space+"/>", l.src[after]) >= 0
}

// endTag returns the offset after the end tag of that name at i ("</name", blanks and ">" on one line), or 0 if there
// is none.
func (l *lexer) endTag(i int, name string) int {
	after := i + 2 + len(name)
	if after >= len(l.src) || l.src[i] != '<' || l.src[i+1] != '/' || !isName(l.src[i+2:after], name) {
		return 0
	}
	if after = skip(l.src, after, " \t"); after == len(l.src) || l.src[after] != '>' {
		return 0
	}
	return after + 1
}

// open records the start tag at i and returns the offset after it, or 0 if the tag has no end.
func (l *lexer) open(i int) (after int) {
	nameEnd := offset(i + 1 + len(l.element))
	t := Task{Line: l.number, typeEnd: nameEnd}
	b, ok := startTag(l.src, int(nameEnd), func(a attr) {
		switch name := a.name.of(l.src); {
		case isName(name, "type"):
			// A status right after a bare "type=" would become its value.
			if t.typeEnd == nameEnd && a.hasValue() && a.whole.to > a.value.from {
				t.Type, t.typeEnd = string(a.value.of(l.src)), a.whole.to
			}
		case isName(name, "status"):
			if t.statuses++; t.statuses == 1 {
				t.status = a
				if a.hasValue() {
					t.Status = Status(a.value.of(l.src))
				}
			}
		}
	})
	l.openQuote = l.openQuote || !ok || b.broken
	if !ok {
		return 0
	}
	after, t.empty, t.broken = b.end, b.empty, l.openQuote
	t.tag = between(i, after)
	l.note(markOpen, i, after, len(l.tasks))
	l.tasks = append(l.tasks, t)
	return after
}

// comments records the comments that begin between from and to and continue past end, the end of their line. Comments
// that end on that line can hide nothing; it returns the offset after the last of those, or from.
func (l *lexer) comments(from, to, end int) (after int) {
	after = from
	if l.comment < from {
		l.findComment(from)
	}
	for l.comment < to {
		open := l.comment
		if l.commentEnd < open+4 {
			l.commentEnd = find(l.src, open+4, "-->")
		}
		switch {
		case l.commentEnd == len(l.src): // never closed
			l.comment = len(l.src)
		case l.commentEnd < end:
			after = l.commentEnd + 3
			l.findComment(after)
		default:
			l.note(markComment, open, l.commentEnd+3, 0)
			l.findComment(end)
		}
	}
	return after
}

// findComment sets comment to the next "<!--" at or after from. It searches for "!--" because a plan is full of "<".
func (l *lexer) findComment(from int) {
	for at := from + 1; at < len(l.src); at++ {
		at = find(l.src, at, "!--")
		if at < len(l.src) && l.src[at-1] == '<' {
			l.comment = at - 1
			return
		}
	}
	l.comment = len(l.src)
}

// find returns the offset of text at or after from, or len(src).
func find(src []byte, from int, text string) int {
	if i := bytes.Index(src[from:], []byte(text)); i >= 0 {
		return from + i
	}
	return len(src)
}

// heading records a Markdown heading whose number signs begin at i, on the line that begins at at.
func (l *lexer) heading(at, i, end int) {
	text := skip(l.src[:end], i, "#")
	level := text - i
	if skip(l.src[:end], text, space) == text {
		return
	}
	n := level
	if level >= 2 && level <= 4 && isTaskLabel(l.src[text:end]) {
		n = -level
	}
	l.note(markHeading, at, end, n)
}
