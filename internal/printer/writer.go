package printer

import (
	"bytes"
	"strings"

	"github.com/gsd-cli/gsd/internal/layout"
	"github.com/gsd-cli/gsd/internal/text"
)

// A Buffer holds what was printed. Only a [Writer] adds to it. The zero Buffer is empty.
type Buffer struct{ b bytes.Buffer }

// String returns what was printed.
func (b *Buffer) String() string { return b.b.String() }

// Lines returns what was printed as lines, which [Writer.Put] prints again.
func (b *Buffer) Lines() []Text {
	var lines []Text
	for line := range strings.Lines(b.b.String()) {
		lines = append(lines, Text{line})
	}
	return lines
}

// Count returns how many lines were printed.
func (b *Buffer) Count() int { return bytes.Count(b.b.Bytes(), []byte("\n")) }

// A Writer prints lines to a [Buffer].
type Writer struct {
	Style   Style
	Columns int // how wide a line may be; 0 for any width
	to      *Buffer
}

// NewWriter returns a Writer.
func NewWriter(to *Buffer, style Style, columns int) Writer {
	return Writer{Style: style, Columns: columns, to: to}
}

// To returns a Writer like w that prints to another buffer.
func (w Writer) To(to *Buffer) Writer { w.to = to; return w }

// Printf prints whole lines, formatted as by [Sprintf], and breaks those that are too wide.
func (w *Writer) Printf(format literal, args ...any) {
	for line := range strings.Lines(Sprintf(format, args...).s) {
		w.to.b.WriteString(layout.Wrap(own(line), w.Columns))
	}
}

// Put prints lines as they are, however wide.
func (w *Writer) Put(lines ...Text) {
	for _, t := range lines {
		for line := range strings.Lines(t.s) {
			w.to.b.WriteString(layout.Wrap(own(line), 0))
		}
	}
}

// Quote prints lines of a text, such as code, a diff or what a task says, each after an indent, and never broken. A line that is not
// indented never looks like one of gsd's own.
func (w *Writer) Quote(indent literal, lines ...Text) {
	for _, line := range lines {
		w.to.b.WriteString(quoted(indent, line) + "\n")
	}
}

// Prose is Quote for a line that may be broken between words.
func (w *Writer) Prose(indent literal, line Text) {
	w.to.b.WriteString(layout.Wrap(quoted(indent, line), w.Columns) + "\n")
}

func quoted(indent literal, line Text) string {
	if indent == "" {
		return own(line.s)
	}
	return strings.TrimRight(string(indent)+strings.ReplaceAll(line.s, foreign, ""), " \t")
}

// Lines returns the lines of a text that others wrote, without blank ones at its edges; nil if nothing is left of it. They may be of any
// length, and have tabs.
func Lines(s string) (lines []Text) {
	s = strings.TrimSpace(text.Clean(s))
	if s == "" {
		return nil
	}
	for line := range strings.SplitSeq(s, "\n") {
		lines = append(lines, Text{foreign + line})
	}
	return lines
}
