// Package printer prints text for people and agents, in which nothing acts that others wrote.
//
// An answer is a list of [Line], each of a form: of a paragraph, an item of a list, a command that is offered, or text that is quoted. A
// line is a [Text], which consists of spans: literals of this program, what others wrote, names, and commands. A [Buffer] holds them, and
// renders them as text for a terminal or as Markdown.
//
// Most of what gsd prints is from files, git, remotes and the environment, and anybody may have written it. So what is printed is
// cleaned by its type, and no caller can forget it:
//
//   - A format is a literal of this program: no other string can be passed as one.
//   - A string among the arguments, or whatever else becomes one, is reduced to one harmless line of a limited length.
//   - Only a [Text] is printed as it is. It is made by this package alone, of literals and of what it has cleaned.
//   - Only a [Writer] adds to a [Buffer], so that there is no way around it.
//   - A line that begins with what others wrote never looks like one that begins with a label of gsd's own, such as try: COMMAND.
//
// Text of several lines is printed by [Writer.Quote], indented, line by line. Markup that agents' clients obey is the concern of
// text.Defang, which sees the whole.
package printer

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/layout"
	"github.com/gsd-cli/gsd/internal/text"
)

// literal is a text in the source of this program. The type has no name elsewhere, so that only constants can be passed as one.
type literal string

// A kind is what a span is.
type kind int

const (
	ours    kind = iota // a literal, or a number
	theirs              // what others wrote, cleaned
	name                // of a file, a directory or the like: no line is broken in it, and it is never cut, because it may be copied
	command             // as it is typed: no line is broken in it
)

type span struct {
	kind  kind
	text  string
	style string // how it is shown on a terminal with colours, as parameters of an escape sequence; "" for nothing special
}

// A Text is harmless: literals of this program, and what others wrote cleaned. It may be emphasised, and have line ends of literals. The
// zero Text is empty.
type Text struct{ spans []span }

// longest is how many characters of a string are printed: more than anybody reads in one line.
const longest = 1000

// Sprintf formats a text. A command of gsd between backticks in the format, which must be without verbs, is a command. An argument that is a
// [Text] stays as it is, so do numbers and truth values, and any other becomes one clean line of at most so many characters.
func Sprintf(format literal, args ...any) (t Text) {
	rest := string(format)
	for rest != "" {
		at := strings.IndexByte(rest, '%')
		if at < 0 {
			at = len(rest)
		}
		t.addLiteral(rest[:at])
		if rest = rest[at:]; rest == "" {
			break
		}
		end := 1 + strings.IndexFunc(rest[1:], func(r rune) bool { return !strings.ContainsRune("+-# 0123456789.*", r) })
		verb := rest[:end+1]
		rest = rest[end+1:]
		var values []any
		if n := strings.Count(verb, "*"); n > 0 {
			values, args = append(values, args[:n]...), args[n:]
		}
		if verb == "%%" {
			t.add(span{text: "%"})
			continue
		}
		switch arg := cleaned(args[0]).(type) {
		case Text:
			t.add(arg.spans...)
		case string:
			t.add(foreign(fmt.Sprintf(verb, append(values, arg)...)))
		default:
			t.add(span{text: fmt.Sprintf(verb, append(values, arg)...)})
		}
		args = args[1:]
	}
	return t
}

// addLiteral appends a part of a format, in which commands of gsd are between backticks.
func (t *Text) addLiteral(s string) {
	for {
		before, rest, _ := strings.Cut(s, "`gsd ")
		line, after, ends := strings.Cut(rest, "`")
		if !ends {
			break
		}
		t.add(span{text: before}, span{kind: command, text: "gsd " + line})
		s = after
	}
	t.add(span{text: s})
}

// add appends spans, and joins those that are alike.
func (t *Text) add(spans ...span) {
	for _, s := range spans {
		last := len(t.spans) - 1
		switch {
		case s.text == "":
		case last >= 0 && s.kind == ours && t.spans[last].kind == ours && t.spans[last].style == s.style:
			t.spans = slices.Clip(t.spans)
			t.spans[last].text += s.text
		default:
			t.spans = append(slices.Clip(t.spans), s)
		}
	}
}

// cleaned returns an argument as it may be formatted: a [Text], a number or a truth value as it is, anything else as a clean string.
func cleaned(arg any) any {
	switch arg := arg.(type) {
	case Text, int, bool:
		return arg
	case string:
		return text.Cut(oneLine(arg), longest)
	}
	switch v := reflect.ValueOf(arg); v.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		if _, words := arg.(fmt.Stringer); !words || v.Type().PkgPath() == "time" {
			return arg
		}
	}
	return text.Cut(oneLine(fmt.Sprint(arg)), longest)
}

// foreign returns a clean line as a span. Blanks say nothing, and count as gsd's own.
func foreign(line string) span {
	if strings.Trim(line, " ") == "" {
		return span{text: line}
	}
	return span{kind: theirs, text: line}
}

// oneLine returns a text cleaned and on one line. Other blanks stay, because they may be those of a column.
func oneLine(s string) string {
	s = text.Clean(s)
	if !strings.ContainsAny(s, "\n\t") {
		return s
	}
	var b strings.Builder
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '\n' || r == '\t' }) {
		if b.Len() > 0 {
			part = strings.TrimLeft(part, " ")
		}
		if part != "" {
			b.WriteString(strings.TrimRight(part, " ") + " ")
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// Of returns a value as [Sprintf] prints it: a [Text] as it is, anything else as one clean line.
func Of(value any) Text { return Sprintf("%v", value) }

// Unbroken returns the name of a file or the like, in which no line is broken, and which is never cut: it may be copied.
func Unbroken(s string) (t Text) {
	t.add(span{kind: name, text: oneLine(s)})
	return t
}

// Command returns a command that is a literal of this program, such as gsd bootstrap PLAN.
func Command(line literal) (t Text) {
	t.add(span{kind: command, text: string(line)})
	return t
}

// Typed returns a command of such words; empty if that cannot be typed as it is shown. A [Writer] prints it as it is typed where its
// reader is.
func Typed(words []string) (t Text) {
	t.add(span{kind: command, text: action.Line(words)})
	return t
}

// Sentence returns a sentence in which commands of gsd are between backticks.
func Sentence(s string) (t Text) {
	for i, part := range strings.Split(text.Cut(oneLine(s), longest), "`") {
		switch {
		case i%2 == 1 && strings.HasPrefix(part, "gsd "):
			t.add(span{kind: command, text: part})
		case i > 0 && !t.endsInCommand():
			t.add(foreign("`" + part))
		case part != "":
			t.add(foreign(part))
		}
	}
	return t
}

// endsInCommand reports whether the last span is a command.
func (t Text) endsInCommand() bool {
	return len(t.spans) > 0 && t.spans[len(t.spans)-1].kind == command
}

// String returns a text as it is printed, before lines are broken.
func (t Text) String() string {
	var lines []string
	for _, line := range t.lines() {
		lines = append(lines, line.shown(Writer{}, 0))
	}
	return strings.Join(lines, "\n")
}

// IsEmpty reports whether nothing is printed.
func (t Text) IsEmpty() bool { return len(t.spans) == 0 }

// Columns is how wide a text is on a terminal.
func (t Text) Columns() (n int) {
	for _, s := range t.spans {
		if n += layout.LineColumns(s.text); s.kind == command {
			n += len("``")
		}
	}
	return n
}

// Cut returns a value cut to at most n columns, and then not emphasised.
func Cut(value any, n int) Text {
	t := Of(value)
	if t.Columns() <= n {
		return t
	}
	var short Text
	for _, s := range t.spans {
		room := n - short.Columns()
		if s.style = ""; layout.Columns(s.text) >= room {
			s.text = layout.Cut(s.text+" ", room)
			short.add(s)
			break
		}
		short.add(s)
	}
	return short
}

// Pad returns a value exactly n columns wide.
func Pad(value any, n int) Text {
	t := Cut(value, n)
	t.add(span{text: strings.Repeat(" ", max(0, n-t.Columns()))})
	return t
}

// Align cuts the cells of each column of a table to the width given, pads them to the widest of them, and returns the resulting widths.
func Align(rows [][]Text, most ...int) (widths []int) {
	widths = make([]int, len(most))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], min(cell.Columns(), most[i]))
		}
	}
	for _, row := range rows {
		for i := range row {
			row[i] = Pad(row[i], widths[i])
		}
	}
	return widths
}

// Join returns texts with a separator between them.
func Join(texts []Text, separator literal) (all Text) {
	for i, t := range texts {
		if i > 0 {
			all.add(span{text: string(separator)})
		}
		all.add(t.spans...)
	}
	return all
}

// TrimRight returns a text without the blanks at its end.
func (t Text) TrimRight() Text {
	spans := slices.Clone(t.spans)
	for last := len(spans) - 1; last >= 0; last-- {
		if spans[last].text = strings.TrimRight(spans[last].text, " "); spans[last].text != "" {
			return Text{spans[:last+1]}
		}
	}
	return Text{}
}

// Bold formats a text, as [Sprintf] does, in bold.
func Bold(format literal, args ...any) Text { return styled("1", format, args) }

// Dim formats a text dimmed.
func Dim(format literal, args ...any) Text { return styled("2", format, args) }

// Yellow formats a text in yellow: something needs attention.
func Yellow(format literal, args ...any) Text { return styled("33", format, args) }

// Green formats a text in green: all is well.
func Green(format literal, args ...any) Text { return styled("32", format, args) }

func styled(style string, format literal, args []any) (all Text) {
	for _, s := range Sprintf(format, args...).spans {
		if s.style == "" {
			s.style = style
		}
		all.add(s)
	}
	return all
}

// lines returns a text as lines, which end where a literal has a line end.
func (t Text) lines() []Text {
	all := []Text{{}}
	for _, s := range t.spans {
		for i, part := range strings.Split(s.text, "\n") {
			if i > 0 {
				all = append(all, Text{})
			}
			s.text = part
			all[len(all)-1].add(s)
		}
	}
	return all
}

// own returns a line as it is printed. If it begins with what others wrote, and that with a label of gsd's own, a semicolon takes the place of
// the colon, as after the names of speakers in text.Defang.
func (t Text) own() Text {
	first := slices.IndexFunc(t.spans, func(s span) bool { return s.kind != ours || strings.Trim(s.text, layout.Marks) != "" })
	if first < 0 || t.spans[first].kind != theirs && t.spans[first].kind != name {
		return t
	}
	colons := layout.Label(Text{t.spans[first:]}.plain())
	if colons == 0 {
		return t
	}
	spans := slices.Clone(t.spans)
	for i := first; i < len(spans); i++ {
		spans[i].text = strings.Map(func(r rune) rune {
			if colons > 0 && layout.IsColon(r) {
				colons--
				return ';'
			}
			return r
		}, spans[i].text)
	}
	return Text{spans}
}

// plain returns the characters of a text alone.
func (t Text) plain() string {
	var b strings.Builder
	for _, s := range t.spans {
		b.WriteString(s.text)
	}
	return b.String()
}

// shown returns a line as w shows it on a terminal, broken into lines of at most so many columns, 0 for any number.
func (t Text) shown(w Writer, columns int) string {
	var b strings.Builder
	style := ""
	change := func(to string) {
		if style != to && style != "" {
			b.WriteString("\x1b[0m")
		}
		if style != to && to != "" {
			b.WriteString("\x1b[" + to + "m")
		}
		style = to
	}
	for _, s := range t.own().spans {
		switch s.kind {
		case name:
			s.text = layout.Unbroken(s.text)
		case command:
			s.text = layout.Unbroken("`" + cmp.Or(w.At.Typed(s.text), s.text) + "`")
		}
		if w.Style.Colour {
			change(s.style)
		}
		b.WriteString(s.text)
	}
	change("")
	return layout.Wrap(b.String(), columns)
}

// longestCode is how many characters of a name or a command an agent's context has: nobody types a longer one.
const longestCode = 300

// markdown returns a line as w shows it to an agent.
func (t Text) markdown(w Writer) string {
	var b strings.Builder
	for _, s := range t.own().spans {
		switch s.kind {
		case name:
			s.text = text.Code(s.text, longestCode)
		case command:
			s.text = text.Code(cmp.Or(w.At.Typed(s.text), s.text), longestCode)
		}
		b.WriteString(s.text)
	}
	return b.String()
}
