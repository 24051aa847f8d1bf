// Package view prints the answers of package hydrate: as text for people and agents, as Markdown for an agent's context, as
// one HTML page and as JSON. It decides nothing: what an answer says is decided in package hydrate, how it reads is decided
// here. Every printer takes the answer itself.
//
// Text from .planning/, from git and from remotes is untrusted. Package printer cleans every string as it is printed, and [brief] every line
// of an agent's context, so that nothing here has to; a command is printed only by [hydrate.Command.Line], which quotes its words.
package view

import (
	"strings"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// A Printer prints answers as text.
type Printer struct {
	printer.Writer
	Now time.Time // that ages are counted from
	In  string    // the directory that -C named, which printed commands name, too; may be empty

	Rows int // how many lines a status, or a report with a task, may have; 0 for any number

	cut *cutter // set while what is printed may be too long, see fitting
}

// Try prints a command that can be run next, and what it does.
func (p *Printer) Try(command, does string) {
	if here := p.here(command); !here.IsEmpty() {
		p.Printf("try: %s   (%s)\n", here, does)
	}
}

// here returns a command, on one line, for the directory in which the person is: if -C named another one, gsd's commands name it, too. It
// is empty if that cannot be printed.
func (p *Printer) here(command string) printer.Text {
	rest, ours := strings.CutPrefix(command, "gsd ")
	if p.In != "" && ours && !strings.HasPrefix(rest, "-C ") {
		in, ok := verdict.Word(p.In)
		if !ok {
			return printer.Text{}
		}
		command = "gsd -C " + in + " " + rest
	}
	return printer.Unbroken(command)
}

// Commands prints commands that can be run next, one a line.
func (p *Printer) Commands(commands []hydrate.Command) {
	for _, c := range commands {
		if line := c.Line(); line != "" {
			p.Try(line, c.Does)
		}
	}
}

// then returns a command after a colon; "" if it cannot be printed.
func then(c hydrate.Command) printer.Text {
	return afterColon(printer.Unbroken(c.Line()))
}

// afterColon returns a text after a colon; an empty one stays empty.
func afterColon(t printer.Text) printer.Text {
	if t.IsEmpty() {
		return t
	}
	return printer.Sprintf(": %s", t)
}

// Warnings prints warnings, one a line.
func (p *Printer) Warnings(warnings []hydrate.Warning) {
	for _, w := range warnings {
		p.Printf("%s: %s (%s)\n", p.Style.Yellow("warning"), w.Detail, w.Code)
	}
}
