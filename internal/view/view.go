// Package view prints the answers of the use cases: as text for people and agents, as Markdown for an agent's context, as
// one HTML page and as JSON. It decides nothing: what an answer says is decided in package app and below, how it reads is decided
// here. Every printer takes the answer itself.
//
// Text from .planning/, from git and from remotes is untrusted. Package printer cleans every string as it is printed, and [brief] every line
// of an agent's context, so that nothing here has to; a command is printed only by [action.Place], which quotes its words.
package view

import (
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/problem"
)

// A Printer prints answers as text.
type Printer struct {
	printer.Writer
	Now time.Time // that ages are counted from

	brief bool // what is printed is for an agent's context

	Rows int // how many lines a status, or a report with a task, may have; 0 for any number
	// Listed has a status list the tasks of the plans that are being worked on.
	Listed bool

	cut *cutter // set while what is printed may be too long, see fitting
}

// Try prints what can be run next, one a line, as it is typed where the person is: if -C named another directory, it names it, too.
func (p *Printer) Try(all ...action.Action) {
	for _, a := range all {
		p.Offer("try: ", a.Words(), Does(a))
	}
}

// then returns an action after a colon; "" if it cannot be printed.
func then(a action.Action) printer.Text { return afterColon(typed(a)) }

// typed returns an action as it is typed; an empty text if it cannot be printed.
func typed(a action.Action) printer.Text { return printer.Typed(a.Words()) }

// afterColon returns a text after a colon; an empty one stays empty.
func afterColon(t printer.Text) printer.Text {
	if t.IsEmpty() {
		return t
	}
	return printer.Sprintf(": %s", t)
}

// Warnings prints warnings, one a line.
func (p *Printer) Warnings(warnings []problem.Warning) {
	for _, w := range warnings {
		p.Item("%s: %s (%s)", printer.Yellow("warning"), WarningText(&w), w.Code)
	}
}
