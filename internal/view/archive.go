package view

import (
	"fmt"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/text"
)

// PutAway prints which session was archived, where it is kept, and what takes it up again.
func PutAway(p *Printer, a *hydrate.PutAway) {
	what := fmt.Sprintf("%s, %s", filePath(a.Plan), tasksDone(a.Done, a.Skipped, a.Total))
	if a.Plan == "" {
		what = filePath(a.Report.Path) + ", which could not be read"
	}
	p.Printf("archived: %s\n", what)
	p.Printf("it is kept as %s\n", filePath(a.Archived))
	if a.Paused != nil {
		p.Printf("paused: %s\n", text.Line(a.Paused.Who()))
	}
	p.Commands(a.Commands)
	p.Warnings(a.Warnings)
}
