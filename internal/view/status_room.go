package view

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/printer"
)

// A part of the board is what is printed about one thing.
type part struct {
	print func(*board)
	order int // if there is too little room, the part with the lowest is cut first
	lines []printer.Line
}

// parts returns the parts of the board with their lines, in the order in which they are printed.
func (b *board) parts() []part {
	parts := []part{
		{(*board).head, 9, nil},
		{(*board).phases, 5, nil},
		{(*board).quick, 4, nil},
		{(*board).nextPlan, 8, nil},
		{(*board).sessions, 7, nil},
		{(*board).openRuns, 6, nil},
		{(*board).unfinished, 3, nil},
		{(*board).workstreams, 2, nil},
		{(*board).warnings, 1, nil},
	}
	for i := range parts {
		parts[i].lines = b.lines(parts[i].print)
	}
	return parts
}

// lines returns what print prints.
func (b *board) lines(print func(*board)) []printer.Line {
	var out printer.Buffer
	p := *b.Printer
	p.Writer = p.To(&out)
	inner := *b
	inner.Printer = &p
	print(&inner)
	return out.Lines()
}

func (b *board) rowsOf(parts []part) (n int) {
	for _, part := range parts {
		n += b.rows(part.lines)
	}
	return n
}

// cut leaves lines out of the parts, so that at most so many are left, from the end of the part with the lowest order on. A last line
// says how many.
func (b *board) cut(parts []part, most int) {
	whole := b.rowsOf(parts)
	more := whole - most + 1
	order := make([]*part, len(parts))
	for i := range parts {
		order[i] = &parts[i]
	}
	slices.SortFunc(order, func(a, b *part) int { return cmp.Compare(a.order, b.order) })
	for _, part := range order {
		for more > 0 && len(part.lines) > 0 {
			had := b.rows(part.lines)
			part.lines = b.shorter(part.lines)
			more -= had - b.rows(part.lines)
		}
		if len(part.lines) == 1 && part.lines[0].String() == "" {
			part.lines, more = nil, more-1
		}
	}
	last := &parts[len(parts)-1]
	last.lines = append(last.lines, b.lines(func(b *board) {
		says := printer.Sprintf("%s: %s", Count(whole-b.rowsOf(parts), "more line"), printer.Command("gsd status"))
		b.Printf("%s\n", printer.Dim("%s", printer.Cut(says, b.Columns)))
	})...)
}

// shorter returns the lines of a part without the one that says least: the last, or, if that is the current phase, the first after
// the blank line. What is said below the row of a phase goes with it.
func (b *board) shorter(lines []printer.Line) []printer.Line {
	last := len(lines) - 1
	if last <= 1 || !strings.HasPrefix(strings.TrimLeft(lines[last].String(), " "), mark(true)) {
		return lines[:last]
	}
	const row = len("    ") // the row of a milestone is indented less
	end, inner := 2, row+b.numbers()+2
	indent := func(t printer.Line) int { line := t.String(); return len(line) - len(strings.TrimLeft(line, " ")) }
	if n := indent(lines[1]); n >= row && n < inner {
		for end < last && indent(lines[end]) >= inner {
			end++
		}
	}
	return slices.Delete(lines, 1, end)
}
