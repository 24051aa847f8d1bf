package view

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/layout"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/planfile"
)

// taskText prints what the task at a line of a file says, in the order of the plan; in a report that may be cut, its files first.
func (p *Printer) taskText(path string, line int, children []planfile.Child) {
	p.Printf("  %s %s:%d\n", p.Style.Dim("from:"), filePath(path), line)
	if p.cut != nil {
		isFiles := func(c planfile.Child) bool { return c.Name == "files" }
		if i := slices.IndexFunc(children, isFiles); i >= 0 {
			printChild(p, children[i])
			children = slices.Delete(slices.Clone(children), i, i+1)
		}
		p.cut.begin()
		defer p.cut.end()
	}
	for _, c := range children {
		printChild(p, c)
	}
}

// printChild prints what a task says, below its label if it has more than one line. A pipe gets the plan's own lines; on a terminal they
// are broken between words, unless they are code.
func printChild(p *Printer, c planfile.Child) {
	lines := strings.Split(strings.TrimSpace(text.Clean(c.Text)), "\n")
	label := p.Style.Dim(childLabel(c) + ":")
	say := p.verbatim
	if p.Style.Bars && !slices.Contains(codeLabels, childLabel(c)) {
		say = prose(p)
	}
	switch {
	case lines[0] == "": // nothing is left of it
		return
	case len(lines) == 1:
		say("  " + label + " " + lines[0] + "\n")
		return
	}
	p.Printf("  %s\n", label)
	for _, text := range lines {
		say(strings.TrimRight("    "+text, " \t") + "\n")
	}
}

// childLabel is what a child of a task is called.
func childLabel(c planfile.Child) string { return cmp.Or(Title(c.Label()), "text") }

// codeLabels are the children that hold commands and paths.
var codeLabels = []string{"files", "verify", "verify, automated", "automated"}

// prose returns a function that prints the lines of a text one by one, and breaks them between words. Lines of code, in a fence or
// indented, stay as they are.
func prose(p *Printer) func(line string) {
	const indentOfCode = 4 + 4 // that of a child's lines, and Markdown's
	fenced := false
	return func(line string) {
		bare := strings.TrimLeft(line, " ")
		fence := strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~")
		switch {
		case fence:
			fenced = !fenced
			fallthrough
		case fenced || len(line)-len(bare) >= indentOfCode:
			p.verbatim(line)
		default:
			p.Printf("%s", line)
		}
	}
}

// A cutter holds what was printed until it is known whether it has too many lines, and which of them may be left out.
type cutter struct {
	bytes.Buffer
	from, to int // the lines that may be left out: what is printed between begin and end
}

func (c *cutter) begin() { c.from = bytes.Count(c.Bytes(), []byte("\n")) }
func (c *cutter) end()   { c.to = bytes.Count(c.Bytes(), []byte("\n")) }

// leastOfTask is how many lines of a task are shown, however small the terminal is.
const leastOfTask = 3

// fitting calls print. If that prints more than p.Rows lines, the end of the task's text is left out, and a line says how much.
func fitting(p *Printer, print func(*Printer)) {
	if p.Rows == 0 || p.cut != nil { // or it is a part of what is fitted
		print(p)
		return
	}
	var c cutter
	whole := *p
	whole.Out, whole.cut = &c, &c
	print(&whole)
	lines := strings.SplitAfter(c.String(), "\n")
	lines = lines[:len(lines)-1]
	rows := func(lines []string) (n int) {
		for _, line := range lines { // a terminal continues those that could not be broken
			n += max(1, (layout.LineColumns(line)+p.Columns-1)/max(1, p.Columns))
		}
		return n
	}
	total := rows(lines)
	if total <= p.Rows || c.to-c.from <= leastOfTask {
		p.verbatim(c.String())
		return
	}
	end := c.to - 1
	for total += 1 - rows(lines[end:c.to]); end > c.from+leastOfTask && total > p.Rows; { // 1 for the line that says how much is left out
		end--
		total -= rows(lines[end : end+1])
	}
	p.verbatim(strings.Join(lines[:end], ""))
	p.Printf("    %s\n", p.Style.Dim(Count(c.to-end, "more line")+": "+p.here("gsd hydrate --full")))
	p.verbatim(strings.Join(lines[c.to:], ""))
}
