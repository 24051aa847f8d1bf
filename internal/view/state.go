package view

import (
	"fmt"

	"github.com/gsd-cli/gsd/internal/statefile"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/text"
)

// State prints the position, and how STATE.md differs from it.
func (p *Printer) State(s *status.State) {
	p.statePosition(s)
	p.Printf("\n")
	switch name := text.Line(s.Path); {
	case s.Missing && s.Written:
		p.Printf("%s was missing and has been created\n", name)
	case s.Missing && s.Unwritable != "":
		p.Printf("%s is missing, and gsd cannot create it: %s\n", name, text.Line(s.Unwritable))
	case s.Missing:
		p.Printf("%s is missing\n", name)
		p.Try("gsd state --write", "creates it")
	case len(s.Edits) == 0 && s.NoSection:
		p.Printf("%s has no position lines to compare\n", name)
	case len(s.Edits) == 0 && len(s.Left) > 0:
		p.Printf("%s has nothing that gsd would change\n", name)
	case len(s.Edits) == 0:
		p.Printf("%s is up to date\n", name)
	case s.Written:
		p.Printf("%s was updated:\n", name)
	default:
		p.Printf("%s is out of date:\n", name)
	}
	for _, e := range s.Edits {
		p.Printf("  line %d, %s: %s -> %s\n", e.Line, Title(e.Field), inQuotes(e.Old), inQuotes(e.New))
	}
	switch {
	case len(s.Edits) == 0 || s.Written:
	case s.Unwritable != "":
		p.Printf("gsd cannot change it: %s\n", text.Line(s.Unwritable))
	default:
		p.Try("gsd state --write", "changes these values and nothing else")
	}
	if len(s.Left) > 0 {
		p.Printf("\nnot updated:\n")
	}
	for _, l := range s.Left {
		want := ""
		if l.Want != "" {
			want = ", not " + inQuotes(l.Want)
		}
		p.Printf("  line %d, %s: %s%s (%s)\n", l.Line, Title(l.Field), inQuotes(l.Value), want, leftReasons[l.Reason])
	}
	p.Warnings(s.Unlisted)
}

func (p *Printer) statePosition(s *status.State) {
	at := s.Position
	if at.Phase != "" {
		name := ""
		if at.PhaseName != "" {
			name = " (" + Title(at.PhaseName) + ")"
		}
		place := ""
		if at.PhaseIndex > 0 { // else it does not count
			place = fmt.Sprintf(", %d of %d", at.PhaseIndex, at.Phases)
		}
		p.Printf("phase   %s%s%s\n", Title(at.Phase), place, name)
	}
	if at.Plan > 0 {
		p.Printf("plan    %d of %d\n", at.Plan, at.Plans)
	}
	if s.Status != "" {
		p.Printf("status  %s\n", s.Status)
	}
	p.Printf("done    %d of %s, %d of %s%s", at.AllDone, Count(at.AllPlans, "plan"), at.PhasesDone, Count(at.Phases, "phase"), notVerified(at))
	if at.Percent >= 0 {
		p.Printf(", %d %%", at.Percent)
	}
	p.Printf("\n")
	if !s.Activity.When.IsZero() {
		p.Printf("last    %s  %s\n", s.Activity.When.Format("2006-01-02"), Title(s.Activity.What))
	}
}

// leftReasons says why a value of STATE.md was left alone.
var leftReasons = map[statefile.Reason]string{
	statefile.Words:          "it has text of its own",
	statefile.Backwards:      "it would go backwards",
	statefile.OtherMilestone: "the roadmap has another current milestone",
	statefile.OtherPhase:     "it belongs to the phase, which is kept",
	statefile.Unreadable:     "GSD could not parse it",
}

// inQuotes returns a value of a file, quoted and on one line.
func inQuotes(s string) string { return `"` + Title(s) + `"` }
