// Package printer prints text for people and agents, in which nothing acts that others wrote.
//
// Most of what gsd prints is from files, git, remotes and the environment, and anybody may have written it. So what is printed is
// cleaned by its type, and no caller can forget it:
//
//   - A format is a literal of this program: no other string can be passed as one.
//   - A string among the arguments, or whatever else becomes one, is reduced to one harmless line of a limited length.
//   - Only a [Text] is printed as it is. It is made by this package alone, of literals and of what it has cleaned.
//   - Only a [Writer] writes to a [Buffer], so that there is no way around it.
//   - A line that begins with what others wrote never looks like one that begins with a label of gsd's own, such as try: COMMAND.
//
// Text of several lines is printed by [Writer.Quote], indented, line by line. Markup that agents' clients obey is the concern of
// text.Defang, which sees the whole.
package printer

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/gsd-cli/gsd/internal/layout"
	"github.com/gsd-cli/gsd/internal/text"
)

// literal is a text in the source of this program. The type has no name elsewhere, so that only constants can be passed as one.
type literal string

// A Text is harmless: literals of this program, and what others wrote cleaned. It may have colours, and line ends of literals. The zero
// Text is empty.
type Text struct {
	s string // what others wrote begins with foreign
}

// foreign comes before what others wrote, until it is printed. No cleaned text has this character.
const foreign = "\x1e"

// longest is how many characters of a string are printed: more than anybody reads in one line.
const longest = 1000

// Sprintf formats a text. An argument that is a [Text] stays as it is, so do numbers and truth values, and any other becomes one clean line of
// at most so many characters.
func Sprintf(format literal, args ...any) Text {
	clean := make([]any, len(args))
	for i, arg := range args {
		clean[i] = cleaned(arg)
	}
	return Text{fmt.Sprintf(string(format), clean...)}
}

// cleaned returns an argument as it may be formatted.
func cleaned(arg any) any {
	switch arg := arg.(type) {
	case Text:
		return arg.s
	case string:
		return theirs(arg)
	case int, bool:
		return arg
	}
	switch v := reflect.ValueOf(arg); v.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		if _, words := arg.(fmt.Stringer); !words || v.Type().PkgPath() == "time" {
			return arg
		}
	}
	return theirs(fmt.Sprint(arg))
}

// theirs returns what others wrote as one clean line. Blanks say nothing, whoever wrote them.
func theirs(s string) string {
	if strings.Trim(s, " ") == "" {
		return s
	}
	return foreign + text.Cut(oneLine(s), longest)
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

// Unbroken returns the name of a file or a command, in which no line is broken, and which is never cut: it may be copied.
func Unbroken(name string) Text {
	if name == "" {
		return Text{}
	}
	return Text{foreign + layout.Unbroken(oneLine(name))}
}

// String returns a text as it is printed, before lines are broken.
func (t Text) String() string {
	var b strings.Builder
	for line := range strings.Lines(t.s) {
		b.WriteString(layout.Wrap(own(line), 0))
	}
	return b.String()
}

// IsEmpty reports whether nothing is printed.
func (t Text) IsEmpty() bool { return t.s == "" }

// Columns is how wide a text is on a terminal.
func (t Text) Columns() int { return layout.LineColumns(strings.ReplaceAll(t.s, foreign, "")) }

// Cut returns a value without colours cut to at most n columns.
func Cut(value any, n int) Text {
	t := Of(value)
	switch {
	case t.Columns() <= n:
		return t
	case strings.HasPrefix(t.s, foreign):
		return Text{foreign + layout.Cut(plain(t.s), n)}
	}
	return Text{layout.Cut(plain(t.s), n)}
}

// Pad returns a value without colours exactly n columns wide.
func Pad(value any, n int) Text {
	t := Cut(value, n)
	return Text{t.s + strings.Repeat(" ", max(0, n-t.Columns()))}
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
func Join(texts []Text, separator literal) Text {
	parts := make([]string, len(texts))
	for i, t := range texts {
		parts[i] = t.s
	}
	return Text{strings.Join(parts, string(separator))}
}

// TrimRight returns a text without the blanks at its end.
func (t Text) TrimRight() Text { return Text{strings.TrimRight(t.s, " ")} }

// own returns a line as it is printed. If it begins with what others wrote, and that with a label of gsd's own, a semicolon takes the place of
// the colon, as after the names of speakers in text.Defang.
func own(line string) string {
	at := strings.Index(line, foreign)
	if at < 0 {
		return line
	}
	if isLead(line[:at]) {
		if colons := layout.Label(plain(line[at:])); colons > 0 {
			line = line[:at] + strings.Map(func(r rune) rune {
				if colons > 0 && layout.IsColon(r) {
					colons--
					return ';'
				}
				return r
			}, line[at:])
		}
	}
	return strings.ReplaceAll(line, foreign, "")
}

// isLead reports whether nothing of a line comes before its first word: blanks, colours, and the marks of lists.
func isLead(s string) bool { return strings.Trim(plain(s), layout.Marks) == "" }

// plain returns a text without marks and colours.
func plain(s string) string { return layout.Plain(strings.ReplaceAll(layout.Wrap(s, 0), foreign, "")) }
