package view

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/layout"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/planfile"
)

// taskText prints what the task at a line of a file says, in the order of the plan; in a report that may be cut, its files first. whole
// shows what was cut.
func (p *Printer) taskText(path string, line int, children []planfile.Child, whole action.Action) {
	from := printer.Unbroken(path + ":" + strconv.Itoa(line))
	if p.brief { // which has the text at its end
		if len(children) > 0 {
			p.Sub("from %s (text below)", from)
		}
		return
	}
	p.Sub("%s %s", printer.Dim("from:"), from)
	if p.cut != nil {
		isFiles := func(c planfile.Child) bool { return c.Name == "files" }
		if i := slices.IndexFunc(children, isFiles); i >= 0 {
			p.cut.files[0] = p.cut.Count()
			printChild(p, eachFile(p, children[i]))
			p.cut.files[1] = p.cut.Count()
			children = slices.Delete(slices.Clone(children), i, i+1)
		}
		p.cut.begin(whole)
		defer p.cut.end()
	}
	for _, c := range children {
		printChild(p, c)
	}
}

// eachFile gives each file a line, if all on one would take more lines of the terminal than are left of a list that is cut.
func eachFile(p *Printer, c planfile.Child) planfile.Child {
	if p.Columns > 0 && !strings.Contains(strings.TrimSpace(c.Text), "\n") && layout.Columns(c.Text) > leastOfTask*p.Columns {
		c.Text = strings.Join(eachOf(c.Text), "\n")
	}
	return c
}

// eachOf splits a list at its commas, except those in brackets or in code: a/{b,c}.go and b.go (new, tested) are one each.
func eachOf(list string) (items []string) {
	code, depth := false, 0
	for item := range strings.FieldsFuncSeq(list, func(r rune) bool {
		switch r {
		case '`':
			code = !code
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		return r == ',' && !code && depth <= 0
	}) {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// printChild prints what a task says, below its label if it has more than one line. A pipe gets the plan's own lines; on a terminal they
// are broken between words, unless they are code.
func printChild(p *Printer, c planfile.Child) {
	lines := printer.Lines(c.Text)
	label := printer.Dim("%s:", childLabel(c))
	isProse := p.Style.Bars && !slices.Contains(codeLabels, childLabel(c))
	switch {
	case len(lines) == 0: // nothing is left of it
	case len(lines) == 1 && isProse:
		p.Printf("  %s %s\n", label, lines[0])
	case len(lines) == 1:
		p.Whole("  %s %s\n", label, lines[0])
	default:
		p.Printf("  %s\n", label)
		say := func(line printer.Text) { p.Quote("    ", line) }
		if isProse {
			say = prose(p)
		}
		for _, line := range lines {
			say(line)
		}
	}
}

// childLabel is what a child of a task is called.
func childLabel(c planfile.Child) string { return cmp.Or(Title(c.Label()), "text") }

// codeLabels are the children that hold commands and paths.
var codeLabels = []string{"files", "verify", "verify, automated", "automated"}

// prose returns a function that prints the lines of a text one by one, and breaks them between words. Lines of code, in a fence or
// indented, stay as they are.
func prose(p *Printer) func(printer.Text) {
	const indentOfCode = 4 // Markdown's
	fenced := false
	return func(t printer.Text) {
		line := t.String()
		bare := strings.TrimLeft(line, " ")
		fence := strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~")
		switch {
		case fence:
			fenced = !fenced
			fallthrough
		case fenced || len(line)-len(bare) >= indentOfCode:
			p.Quote("    ", t)
		default:
			p.Prose("    ", t)
		}
	}
}

// A cutter holds what was printed until it is known whether it has too many lines, and which of them may be left out.
type cutter struct {
	printer.Buffer
	from, to int           // the lines that may be left out: what is printed between begin and end
	files    [2]int        // the lines of its files, of which those after the first may be left out, before others are
	whole    action.Action // prints all of them
}

func (c *cutter) begin(whole action.Action) { c.from, c.whole = c.Count(), whole }
func (c *cutter) end()                      { c.to = c.Count() }

// rows is how many rows of the terminal some lines take.
func (p *Printer) rows(lines []printer.Line) (n int) {
	for _, line := range lines {
		n += line.Rows(p.Columns)
	}
	return n
}

// leastOfTask is how many lines of a task, and of its files, are shown, however small the terminal is.
const leastOfTask = 3

// fitting calls print. If that prints more than p.Rows lines, the ends of the list of the task's files and of its text are left out, and a
// line says how much: what is to be done stays in sight.
func fitting(p *Printer, print func(*Printer)) {
	if p.Rows == 0 || p.cut != nil { // or it is a part of what is fitted
		print(p)
		return
	}
	var c cutter
	whole := *p
	whole.Writer, whole.cut = p.To(&c.Buffer), &c
	print(&whole)
	lines := c.Lines()
	total := p.rows(lines)
	if total > p.Rows {
		lines, total = c.cutFiles(p, lines, total)
	}
	if total <= p.Rows || p.rows(lines[c.from:c.to]) <= leastOfTask {
		p.Put(lines...)
		return
	}
	end := c.to - 1
	for total += 1 - p.rows(lines[end:c.to]); p.rows(lines[c.from:end]) > leastOfTask && total > p.Rows; { // 1 for the line that says how much is left out
		end--
		total -= p.rows(lines[end : end+1])
	}
	p.Put(lines[:end]...)
	p.Printf("    %s\n", printer.Dim("%s%s", Count(p.rows(lines[end:c.to]), "more line"), then(c.whole)))
	p.Put(lines[c.to:]...)
}

// cutFiles leaves out all but the first of the task's files, and returns the rest of all lines and how many rows they take.
func (c *cutter) cutFiles(p *Printer, lines []printer.Line, total int) ([]printer.Line, int) {
	const label = 1 // the line above the files
	least, end := c.files[0]+label+leastOfTask, c.files[1]
	if end <= least+1 { // what says how many are left out takes a line, too
		return lines, total
	}
	rows, files := p.rows(lines[least:end]), 0
	for _, line := range lines[least:end] {
		if strings.TrimSpace(line.String()) != "" {
			files++
		}
	}
	var says printer.Buffer
	inner := *p
	inner.Writer = p.To(&says)
	inner.Printf("    %s\n", printer.Dim("%s%s", Count(files, "more file"), then(c.whole)))
	lines = slices.Concat(lines[:least], says.Lines(), lines[end:])
	c.from, c.to = c.from-(end-least)+1, c.to-(end-least)+1
	return lines, total - rows + 1
}
