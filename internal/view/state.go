package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/statefile"
	"github.com/gsd-cli/gsd/internal/status"
)

// State prints the position, and in what STATE.md differs from it: the names of the values, and if they were written, value by value.
func (p *Printer) State(s *status.State) {
	p.statePosition(s)
	p.Printf("\n")
	switch name := printer.Unbroken(s.Path); {
	case s.Missing && s.Written:
		p.Printf("%s was missing and has been created\n", name)
	case s.Missing && s.Unwritable != "":
		p.Printf("%s is missing, and gsd cannot create it: %s\n", name, s.Unwritable)
	case s.Missing:
		p.Printf("%s is missing\n", name)
		p.Try(s.Do...)
	case s.Conflicted:
		p.Printf("%s was not compared: it has conflict markers\n", name)
	case len(s.Edits) == 0 && s.NoSection:
		p.Printf("%s has no position lines to compare\n", name)
	case len(s.Edits) == 0 && len(s.Left) > 0:
		p.Printf("%s has nothing that gsd would change\n", name)
	case len(s.Edits) == 0:
		p.Printf("%s is up to date\n", name)
	case s.Written:
		p.Printf("%s was updated:\n", name)
	default:
		which := someFields(s.Edits, func(e statefile.Edit) string { return e.Field })
		p.Printf("%s is out of date in %s: %s\n", name, Count(len(s.Edits), "value"), which)
	}
	if says, finds := stateSays(s); says != "" && !s.Missing && !s.Written {
		p.Printf("it says %s; gsd finds %s\n", says, finds)
	}
	if s.Written {
		for _, e := range s.Edits {
			p.Printf("  line %d, %s: %s -> %s\n", e.Line, Title(e.Field), inQuotes(e.Old), inQuotes(e.New))
		}
	}
	switch {
	case len(s.Edits) == 0 || s.Written:
	case s.Unwritable != "":
		p.Printf("gsd cannot change it: %s\n", s.Unwritable)
	default:
		p.Try(s.Do...)
	}
	printLeft(p, s.Left)
	for _, l := range s.Left { // beside what was written, a reader takes them for the same moment's
		if s.Written && l.Reason == statefile.Words && l.Want != "" {
			p.Printf("  line %d, %s: %s; gsd finds %s\n", l.Line, Title(l.Field), inQuotes(l.Value), inQuotes(l.Want))
		}
	}
	if len(s.Left) > 0 || len(s.Edits) > 0 && !s.Written {
		p.Printf("--json has the values\n")
	}
	p.Warnings(s.Unlisted)
}

// printLeft names the values that stay as they are although they differ, below each reason that they have in common.
func printLeft(p *Printer, left []statefile.Left) {
	if len(left) == 0 {
		return
	}
	p.Printf("left alone although different: %s\n", Count(len(left), "value"))
	for len(left) > 0 {
		reason, because := left[0].Reason, left[0].Because
		shares := func(l statefile.Left) bool { return l.Reason == reason && l.Because == because }
		differs := func(l statefile.Left) bool { return !shares(l) }
		same := slices.DeleteFunc(slices.Clone(left), differs)
		left = slices.DeleteFunc(slices.Clone(left), shares)
		words := leftReasons[reason].one
		if len(same) > 1 {
			words = leftReasons[reason].many
		}
		if reason == statefile.Contradicts {
			words += fmt.Sprintf(" line %d, %s: %s, which is kept", because.Line, Title(because.Field), inQuotes(because.Value))
		}
		p.Printf("  %d %s: %s\n", len(same), words, someFields(same, func(l statefile.Left) string { return l.Field }))
	}
}

// someFields lists the names of values; of many only the first, and how many more there are.
func someFields[T any](values []T, field func(T) string) string {
	const most = 6
	var names []string
	for _, v := range values[:min(len(values), most)] {
		names = append(names, Title(field(v)))
	}
	if more := len(values) - len(names); more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), more)
	}
	return strings.Join(names, ", ")
}

// stateSays returns what STATE.md says and what gsd finds instead, where both know it and differ.
func stateSays(s *status.State) (says, finds string) {
	var it, we []string
	add := func(known bool, format string, written, ours any) {
		if a, b := fmt.Sprintf(format, written), fmt.Sprintf(format, ours); known && a != b {
			it, we = append(it, a), append(we, b)
		}
	}
	at := s.Position
	add(s.Says.Phase != "" && at.Phase != "", "phase %s", s.Says.Phase, at.Phase)
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
		p.Printf("phase   %s%s%s\n", Title(at.Phase), PhasePlace(at), name)
	}
	if at.Plan > 0 {
		p.Printf("plan    %d of %d in this phase\n", at.Plan, at.Plans)
	}
	if s.Status != "" {
		p.Printf("status  %s\n", s.Status)
	}
	share := ""
	if at.Phases > 0 {
		share = fmt.Sprintf(", %d of %s%s", at.PhasesDone, Count(at.Phases, "phase"), notVerified(at))
	}
	if at.Percent >= 0 {
		share += fmt.Sprintf(", %d %%", at.Percent)
	}
	p.Printf("done    %d of %s%s\n", at.AllDone, Count(at.AllPlans, "plan"), share)
	if !s.Activity.When.IsZero() {
		p.Printf("last    %s  %s\n", s.Activity.When.Format("2006-01-02"), Title(s.Activity.What))
	}
}

// leftReasons says why a value of STATE.md was left alone, and why several were.
var leftReasons = map[statefile.Reason]struct{ one, many string }{
	statefile.Words:          {"has text of its own", "have text of their own"},
	statefile.Backwards:      {"would go backwards", "would go backwards"},
	statefile.Scope:          {"counts more than the current milestone has", "count more than the current milestone has"},
	statefile.OtherMilestone: {"is of a milestone that is not the roadmap's current one", "are of a milestone that is not the roadmap's current one"},
	statefile.NoPhase:        {"belongs to a phase, and the file names none", "belong to a phase, and the file names none"},
	statefile.Contradicts:    {"would contradict", "would contradict"},
	statefile.Unreadable:     {"would be something that GSD cannot parse", "would be something that GSD cannot parse"},
}

// inQuotes returns a value of a file on one line, in quotes, which may be those of the file.
func inQuotes(s string) string {
	if s = Title(s); len(s) > 1 && s[0] == '"' && s[len(s)-1] == '"' {
		return s
	}
	return `"` + s + `"`
}
