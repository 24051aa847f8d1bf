package view

import (
	"fmt"
	"strings"

	"github.com/gsd-cli/gsd/internal/statefile"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/text"
)

// State prints the position, and in what STATE.md differs from it: in a line, or if verbose, value by value.
func (p *Printer) State(s *status.State, verbose bool) {
	p.statePosition(s)
	p.Printf("\n")
	switch name := filePath(s.Path); {
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
		p.Printf("%s is out of date in %s\n", name, Count(len(s.Edits), "value"))
	}
	if says, counts := stateSays(s); says != counts && !s.Missing && !s.Written {
		p.Printf("it says %s; gsd counts %s\n", says, counts)
	}
	if verbose || s.Written {
		for _, e := range s.Edits {
			p.Printf("  line %d, %s: %s -> %s\n", e.Line, Title(e.Field), inQuotes(e.Old), inQuotes(e.New))
		}
	}
	switch {
	case len(s.Edits) == 0 || s.Written:
	case s.Unwritable != "":
		p.Printf("gsd cannot change it: %s\n", text.Line(s.Unwritable))
	default:
		p.Try("gsd state --write", "changes these values and nothing else")
	}
	printLeft(p, s.Left, verbose)
	if !verbose && (len(s.Left) > 0 || len(s.Edits) > 0 && !s.Written) {
		p.Printf("--verbose lists the values, with the reasons\n")
	}
	p.Warnings(s.Unlisted)
}

// printLeft lists or counts the values that stay as they are although they differ.
func printLeft(p *Printer, left []statefile.Left, verbose bool) {
	switch {
	case len(left) == 0:
		return
	case !verbose:
		p.Printf("left alone although different: %s\n", Count(len(left), "value"))
		return
	}
	p.Printf("\nnot updated:\n")
	for _, l := range left {
		want := ""
		if l.Want != "" {
			want = ", not " + inQuotes(l.Want)
		}
		p.Printf("  line %d, %s: %s%s (%s)\n", l.Line, Title(l.Field), inQuotes(l.Value), want, leftReasons[l.Reason])
	}
}

// stateSays returns what STATE.md says and what gsd counts, as far as both do.
func stateSays(s *status.State) (says, counts string) {
	var it, we []string
	add := func(known bool, format string, its, ours any) {
		if known {
			it, we = append(it, fmt.Sprintf(format, its)), append(we, fmt.Sprintf(format, ours))
		}
	}
	at := s.Position
	add(!s.Says.Phase.IsZero() && at.Phase != "", "phase %s", s.Says.Phase.String(), at.Phase)
	add(s.Says.DonePlans >= 0, "%s done", Count(max(s.Says.DonePlans, 0), "plan"), Count(at.AllDone, "plan"))
	add(s.Says.Percent >= 0 && at.Percent >= 0, "%d %%", s.Says.Percent, at.Percent)
	return strings.Join(it, ", "), strings.Join(we, ", ")
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
	share := ""
	if at.Percent >= 0 {
		share = fmt.Sprintf(", %d %%", at.Percent)
	}
	p.Printf("done    %d of %s, %d of %s%s%s\n", at.AllDone, Count(at.AllPlans, "plan"), at.PhasesDone, Count(at.Phases, "phase"), notVerified(at), share)
	if !s.Activity.When.IsZero() {
		p.Printf("last    %s  %s\n", s.Activity.When.Format("2006-01-02"), Title(s.Activity.What))
	}
}

// leftReasons says why a value of STATE.md was left alone.
var leftReasons = map[statefile.Reason]string{
	statefile.Words:          "it has text of its own",
	statefile.Backwards:      "it would go backwards",
	statefile.Counts:         "another count would go backwards",
	statefile.Scope:          "it counts more than the current milestone has",
	statefile.OtherMilestone: "the roadmap has another current milestone",
	statefile.OtherPhase:     "it belongs to the phase, which is kept",
	statefile.Unreadable:     "GSD could not parse it",
}

// inQuotes returns a value of a file on one line, in quotes, which may be those of the file.
func inQuotes(s string) string {
	if s = Title(s); len(s) > 1 && s[0] == '"' && s[len(s)-1] == '"' {
		return s
	}
	return `"` + s + `"`
}
