package view

import (
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/printer"
)

// ArchivedSession prints which session was archived, where it is kept, and what continues it.
func ArchivedSession(p *Printer, a *app.ArchivedSession) {
	what := printer.Sprintf("%s, %s", printer.Unbroken(a.Plan), tasksDone(a.Done, a.Skipped, a.Total))
	if a.Plan == "" {
		what = printer.Sprintf("%s, which could not be read", printer.Unbroken(a.Session))
	}
	p.Printf("archived: %s\n", what)
	p.Printf("it is kept as %s\n", printer.Unbroken(a.Archived))
	if a.Paused != nil {
		p.Printf("paused: %s\n", a.Paused.Who())
	}
	p.Try(a.Do...)
	p.Warnings(a.Warnings)
}

// ArchivedNote prints which hand-off note was archived.
func ArchivedNote(p *Printer, n *app.ArchivedNote) {
	p.Printf("archived %s as %s\n", printer.Unbroken(n.Note), printer.Unbroken(n.Archived))
}
