package printer

import (
	"strings"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/layout"
	"github.com/gsd-cli/gsd/internal/text"
)

// A form is what a line of an answer is.
type form int

const (
	paragraph form = iota // of a paragraph or a table
	headline              // of an answer to an agent
	item                  // of a list
	subitem               // of a list in a list
	offer                 // a command that can be run next
	quoted                // text of several lines that others wrote
	gap                   // nothing, between blocks
)

// A Line is a line of an answer. It may be shown as several, if it is too wide.
type Line struct {
	form form
	text Text
	says Text   // what the command of an offer does
	lead string // the indent of what is quoted; the label of an offer
	w    Writer // which has printed it
}

// A Buffer holds what was printed. Only a [Writer] adds to it. The zero Buffer is empty.
type Buffer struct{ lines []Line }

// Lines returns what was printed as lines, which [Writer.Put] prints again.
func (b *Buffer) Lines() []Line { return b.lines }

// Count returns how many lines were printed, of any width.
func (b *Buffer) Count() int { return len(b.lines) }

// String returns what was printed as text for a terminal.
func (b *Buffer) String() string {
	var all strings.Builder
	for _, l := range b.lines {
		all.WriteString(l.String() + "\n")
	}
	return all.String()
}

// Markdown returns what was printed as blocks of Markdown, which are printed with blank lines between them.
func (b *Buffer) Markdown() (blocks []string) {
	open := false // the last block continues
	for _, l := range b.lines {
		line := l.markdown()
		switch {
		case l.form == gap:
			open = false
		case line == "":
		case open:
			blocks[len(blocks)-1] += "\n" + line
		default:
			blocks, open = append(blocks, line), true
		}
	}
	return blocks
}

// String returns a line as it is shown on a terminal, without the last line end.
func (l Line) String() string {
	switch l.form {
	case subitem:
		return Sprintf("  %s", l.text).shown(l.w, l.w.Columns)
	case offer:
		line := l.offered()
		whole := Sprintf("%s   (%s)", line, l.says)
		if l.w.Columns == 0 || whole.Columns() <= l.w.Columns {
			return whole.shown(l.w, 0)
		}
		rest := Sprintf("%s(%s)", strings.Repeat(" ", len(l.lead)), l.says)
		return line.shown(l.w, 0) + "\n" + rest.shown(l.w, l.w.Columns)
	case quoted:
		if l.lead == "" {
			return l.text.shown(l.w, l.w.Columns)
		}
		line := Text{append([]span{{text: l.lead}}, asOurs(l.text)...)}
		return strings.TrimRight(line.shown(l.w, l.w.Columns), " \t")
	}
	return l.text.shown(l.w, l.w.Columns)
}

// Rows is how many rows a line takes of a terminal with so many columns, which continues a line that could not be broken.
func (l Line) Rows(columns int) (n int) {
	for row := range strings.SplitSeq(l.String(), "\n") {
		n += max(1, (layout.LineColumns(row)+columns-1)/max(1, columns))
	}
	return n
}

// asOurs returns the spans of a line that is indented, so that nobody takes it for one of gsd's own.
func asOurs(t Text) (spans []span) {
	for _, s := range t.spans {
		s.kind = ours
		spans = append(spans, s)
	}
	return spans
}

// offered returns the label and the command of an offer. The label is dimmed where it is indented, below what it is about.
func (l Line) offered() (t Text) {
	label := strings.TrimLeft(l.lead, " ")
	indent, style := l.lead[:len(l.lead)-len(label)], ""
	if indent != "" {
		style = "2"
	}
	label = strings.TrimSuffix(label, ": ")
	t.add(span{text: indent}, span{text: label, style: style}, span{kind: name, text: ": " + l.w.At.Typed(l.text.plain())})
	return t
}

// markdown returns a line as an agent reads it; "" for nothing.
func (l Line) markdown() string {
	is := l.text.markdown(l.w)
	switch {
	case is == "" && l.form != quoted:
		return ""
	case l.form == headline:
		return "## " + is
	case l.form == item:
		return "- " + is
	case l.form == subitem:
		return "  - " + is
	case l.form == offer:
		return "- " + is + ": " + l.says.markdown(l.w)
	case l.form == quoted:
		return strings.TrimRight("> "+strings.TrimRight(l.text.plain(), " \t"), " ")
	}
	return is
}

// A Writer prints lines to a [Buffer].
type Writer struct {
	Style   Style
	Columns int          // how wide a line may be; 0 for any width
	At      action.Place // where commands are typed
	to      *Buffer
}

// NewWriter returns a Writer.
func NewWriter(to *Buffer, style Style, columns int) Writer {
	return Writer{Style: style, Columns: columns, to: to}
}

// To returns a Writer like w that prints to another buffer.
func (w Writer) To(to *Buffer) Writer { w.to = to; return w }

func (w *Writer) line(f form, t Text) { w.to.lines = append(w.to.lines, Line{form: f, text: t, w: *w}) }

// Printf prints whole lines, formatted as by [Sprintf].
func (w *Writer) Printf(format literal, args ...any) {
	lines := Sprintf(format, args...).lines()
	for _, t := range lines[:len(lines)-1] {
		if t.IsEmpty() {
			w.Gap()
		} else {
			w.line(paragraph, t)
		}
	}
}

// Headline prints what an answer to an agent is about.
func (w *Writer) Headline(format literal, args ...any) { w.line(headline, Sprintf(format, args...)) }

// Item prints an item of a list.
func (w *Writer) Item(format literal, args ...any) { w.line(item, Sprintf(format, args...)) }

// Sub prints an item of the list below an item.
func (w *Writer) Sub(format literal, args ...any) { w.line(subitem, Sprintf(format, args...)) }

// Offer prints, after a label such as "try: ", a command and what it does; nothing if the command cannot be typed as it is shown.
func (w *Writer) Offer(label literal, words []string, does string) {
	if w.At.Line(words) != "" {
		w.to.lines = append(w.to.lines, Line{form: offer, text: Typed(words), says: Sentence(does), lead: string(label), w: *w})
	}
}

// Gap ends a block.
func (w *Writer) Gap() { w.line(gap, Text{}) }

// Put prints lines again.
func (w *Writer) Put(lines ...Line) { w.to.lines = append(w.to.lines, lines...) }

// Whole prints lines as Printf does, and never breaks them.
func (w *Writer) Whole(format literal, args ...any) {
	whole := *w
	whole.Columns = 0
	whole.Printf(format, args...)
}

// Quote prints lines of a text, such as code, a diff or what a task says, each after an indent, and never broken. A line that is not
// indented never looks like one of gsd's own.
func (w *Writer) Quote(indent literal, lines ...Text) {
	whole := *w
	whole.Columns = 0
	for _, line := range lines {
		whole.Prose(indent, line)
	}
}

// Prose is Quote for a line that may be broken between words.
func (w *Writer) Prose(indent literal, line Text) {
	w.to.lines = append(w.to.lines, Line{form: quoted, text: line, lead: string(indent), w: *w})
}

// Lines returns the lines of a text that others wrote, without blank ones at its edges; nil if nothing is left of it. They may be of any
// length, and have tabs.
func Lines(s string) (lines []Text) {
	s = strings.TrimSpace(text.Clean(s))
	if s == "" {
		return nil
	}
	for line := range strings.SplitSeq(s, "\n") {
		var t Text
		t.add(span{kind: theirs, text: line})
		lines = append(lines, t)
	}
	return lines
}
