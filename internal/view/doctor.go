package view

import (
	"strings"

	"github.com/gsd-cli/gsd/internal/doctor"
	"github.com/gsd-cli/gsd/internal/printer"
)

// Diagnosis prints what needs doing, each with the command that fixes it, or one line if nothing does. What is about a file
// begins with its name and line, as compilers print it. What needs nothing comes first, what was looked at last, but with the plans
// alone, for CI, the findings have to do.
func (p *Printer) Diagnosis(d *doctor.Diagnosis) {
	for _, n := range d.Notes {
		p.Printf("%s: %s (%s)\n", printer.Yellow("note"), WarningText(&n), n.Code)
	}
	for _, f := range d.Findings {
		p.Printf("%s (%s)\n", FindingText(&f), f.Code)
		p.Offer("  fix: ", f.Fix.Words(), Does(f.Fix))
	}
	if len(d.Findings) == 0 {
		var about []string
		if d.User != "" {
			about = append(about, "you are "+d.User)
		}
		if d.Project != "" {
			about = append(about, Count(d.Plans, "open plan"))
		} else {
			about = append(about, "not in a project")
		}
		p.Printf("nothing needs doing: %s\n", strings.Join(about, ", "))
	}
	p.Warnings(d.Warnings)
	if d.User != "" {
		p.Printf("looked at: %s\n", strings.Join(lookedAt(d), ", "))
	}
}

// lookedAt says what a diagnosis looked at.
func lookedAt(d *doctor.Diagnosis) (what []string) {
	if d.Project != "" {
		what = append(what, Count(d.Plans, "open plan"), "the sessions of "+Count(d.Users, "user"), "runs", "breadcrumbs", "hand-off notes")
	}
	if d.Git {
		what = append(what, "git's configuration")
	}
	return append(what, "the gsd in PATH", "gsd's state directory", "the hooks of "+Count(d.Hosts, "host"))
}
