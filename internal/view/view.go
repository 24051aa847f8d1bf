// Package view prints the answers of package hydrate: as text for people and agents, as Markdown for an agent's context, as
// one HTML page and as JSON. It decides nothing: what an answer says is decided in package hydrate, how it reads is decided
// here. Every printer takes the answer itself.
//
// Text from .planning/, from git and from remotes is untrusted. Each piece passes through [Line], [Title] or text.Clean
// before it is printed, and through [text.ShellWord] before it becomes part of a command.
package view

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/layout"
	"github.com/gsd-cli/gsd/internal/text"
)

// A Printer prints answers as text.
type Printer struct {
	Out   io.Writer // errors of writing are not reported: it is a buffer
	Style Style
	Now   time.Time // that ages are counted from
	In    string    // the directory that -C named, which printed commands name, too; may be empty

	Columns int // how wide a line may be; 0 for any width
	Rows    int // how many lines a status, or a report with a task, may have; 0 for any number

	cut *cutter // set while what is printed may be too long, see fitting
}

// Printf prints whole lines, and breaks those that are too wide. Arguments that anybody may have written have to be cleaned.
func (p *Printer) Printf(format string, args ...any) {
	fmt.Fprintf(p.Out, "%s", layout.WrapLines(fmt.Sprintf(format, args...), p.Columns))
}

// verbatim prints lines as they are, because quoted code, diffs and data are never broken.
func (p *Printer) verbatim(lines string) { fmt.Fprintf(p.Out, "%s", lines) }

// Try prints a command that can be run next, and what it does.
func (p *Printer) Try(command, does string) { p.Printf("try: %s   (%s)\n", p.here(command), does) }

// here returns a command, on one line, for the directory in which the person is: if -C named another one, gsd's commands name it, too.
func (p *Printer) here(command string) string {
	rest, ours := strings.CutPrefix(command, "gsd ")
	if p.In != "" && ours && !strings.HasPrefix(rest, "-C ") {
		command = "gsd -C " + text.ShellWord(p.In) + " " + rest
	}
	return layout.Unbroken(command)
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
func then(c hydrate.Command) string {
	if line := c.Line(); line != "" {
		return ": " + line
	}
	return ""
}

// Warnings prints warnings, one a line.
func (p *Printer) Warnings(warnings []hydrate.Warning) {
	for _, w := range warnings {
		p.Printf("%s: %s (%s)\n", p.Style.Yellow("warning"), text.Line(w.Detail), w.Code)
	}
}
