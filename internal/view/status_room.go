package view

import (
	"cmp"
	"slices"

	"github.com/gsd-cli/gsd/internal/printer"
)

// A part of the board is what is printed about one thing.
type part struct {
	print func(*board)
	order int // if there is too little room, the part with the lowest is cut first
	lines []row
}

// A row is a line of the board, and how much it says.
type row struct {
	printer.Line
	rank rank
}

// A rank decides which lines of a part are cut first, if there is too little room: those with the lowest, the last of them first.
type rank int

const (
	finished rank = iota + 1 // what is complete or skipped
	usual
	current // what the reader, or the project, is on
	heading // stays as long as anything below it does
)

// parts returns the parts of the board with their lines, in the order in which they are printed.
func (b *board) parts() []part {
	parts := []part{
		{(*board).head, headOrder, nil},
		{(*board).phases, 5, nil},
		{(*board).quick, 4, nil},
		{(*board).tasks, tasksOrder, nil},
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
func (b *board) lines(print func(*board)) (rows []row) {
	var out printer.Buffer
	p := *b.Printer
	p.Writer = p.To(&out)
	inner := *b
	inner.Printer, inner.printed, inner.ranks = &p, out.Count, nil
	print(&inner)
	is := usual
	for i, line := range out.Lines() {
		for ; len(inner.ranks) > 0 && inner.ranks[0].line <= i; inner.ranks = inner.ranks[1:] {
			is = inner.ranks[0].rank
		}
		rows = append(rows, row{line, is})
	}
	return rows
}

// rankFrom is the rank of the lines of a part from one of them on.
type rankFrom struct {
	line int
	rank rank
}

// as gives the lines that are printed from here on a rank, which says nothing of a part that is printed by itself.
func (b *board) as(r rank) {
	if b.printed != nil {
		b.ranks = append(b.ranks, rankFrom{b.printed(), r})
	}
}

// asCurrent ranks the next lines as current, or else as usual.
func (b *board) asCurrent(is bool) {
	if is {
		b.as(current)
	} else {
		b.as(usual)
	}
}

// heading prints the heading of a list. What is printed below it is usual, unless it says otherwise.
func (b *board) heading(says string) {
	b.as(heading)
	b.Printf("\n%s\n", printer.Bold("%s", says))
	b.as(usual)
}

func (b *board) rowsOf(parts []part) (n int) {
	for _, part := range parts {
		for _, line := range part.lines {
			n += line.Rows(b.Columns)
		}
	}
	return n
}

// The parts that are cut last.
const (
	tasksOrder = 9
	headOrder  = 10
)

// cutting is what is cut, in this order, until there is room: of the parts up to an order, the lines up to a rank. What the reader is on
// stays as long as there is anything else, and the tasks of that plan as long as anything but these.
var cutting = []struct {
	order int
	rank  rank
}{{tasksOrder - 1, usual}, {tasksOrder, finished}, {tasksOrder - 1, current}, {tasksOrder, usual}, {headOrder, current}}

// cut leaves lines out of the parts, so that at most so many are left. A last line says how many.
func (b *board) cut(parts []part, most int) {
	whole := b.rowsOf(parts)
	more := whole - most + 1
	order := make([]*part, len(parts))
	for i := range parts {
		order[i] = &parts[i]
	}
	slices.SortFunc(order, func(a, b *part) int { return cmp.Compare(a.order, b.order) })
	for _, step := range cutting {
		for _, part := range order {
			for more > 0 && part.order <= step.order && part.cutOne(step.rank) {
				more = b.rowsOf(parts) - most + 1
			}
		}
	}
	last := &parts[len(parts)-1]
	last.lines = append(last.lines, b.lines(func(b *board) {
		says := printer.Sprintf("%s: %s", Count(whole-b.rowsOf(parts), "more line"), printer.Command("gsd status"))
		b.Printf("%s\n", printer.Dim("%s", printer.Cut(says, b.Columns)))
	})...)
}

// cutOne leaves out the line that says least, if its rank is at most the given one, and a heading that has nothing below it any more. It
// reports whether there was such a line.
func (p *part) cutOne(most rank) bool {
	least := -1
	for i, line := range p.lines {
		if line.rank <= most && (least < 0 || line.rank <= p.lines[least].rank) {
			least = i
		}
	}
	if least < 0 {
		return false
	}
	p.lines = slices.Delete(p.lines, least, least+1)
	for i := len(p.lines) - 1; i >= 0 && p.lines[i].rank == heading; i-- {
		p.lines = p.lines[:i]
	}
	return true
}
