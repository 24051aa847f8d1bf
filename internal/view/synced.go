package view

import (
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/internal/team"
)

// Synced prints what was exchanged with the remote.
func (p *Printer) Synced(s *team.Synced) {
	remote, ref := s.Remote, s.Ref
	switch {
	case s.Turned && s.Auto:
		p.Printf("background sync is on for this clone, with %s: %s\n", remote, s.Address)
		p.Try(s.Do...)
		return
	case s.Turned:
		p.Printf("background sync is off for this clone\n")
		return
	case s.Removed && s.Pushed:
		p.Printf("deleted %s at %s\n", ref, remote)
	case s.Removed:
		p.Printf("%s has nothing of yours\n", remote)
	case s.DryRun && s.Pushed:
		p.Printf("would push to %s, %s:\n", remote, ref)
		for _, f := range s.Files {
			p.Printf("\n")
			p.Quote("", printer.Lines(f.Path)...)
			p.Quote("", printer.Lines(f.Text)...)
		}
	case s.Pushed:
		p.Printf("pushed your sessions to %s\n", remote)
	default:
		p.Printf("%s is up to date\n", remote)
	}
	for _, t := range s.Taken {
		p.Printf("task %d is now %s, was %s: %s\n", t.Number, statusWord(t.Status), statusWord(t.Previous), TaskTitle(t.Name, t.Number))
	}
	if c := s.Claim; c != nil {
		switch plan := planOfRoot(c.Plan); c.Outcome {
		case share.Held:
			p.Printf("%s is claimed for you\n", plan)
		case share.Elsewhere:
			p.Printf("%s is claimed for you at %s\n", plan, c.Machine)
		}
	}
	var lines []printer.Text
	for i := range s.Sessions {
		place := &s.Sessions[i]
		lines = append(lines, sessionWords(place.Plan, printer.Of(atMachine(place.Machine, place.Branch)), tasksDone(place.Done, place.Skipped, place.Total)+", "+Ago(place.Changed, p.Now)))
	}
	p.list(lines)
	p.Warnings(s.Warnings)
}
