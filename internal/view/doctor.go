package view

import (
	"strings"

	"github.com/gsd-cli/gsd/internal/doctor"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// Diagnosis prints what needs doing, each with the command that fixes it, or one line if nothing does. What is about a file
// begins with its name and line, as compilers print it. What needs nothing comes first, what was looked at last, but with the plans
// alone, for CI, the findings have to do.
func (p *Printer) Diagnosis(d *doctor.Diagnosis) {
	for _, n := range d.Notes {
		p.Printf("%s: %s (%s)\n", printer.Yellow("note"), printer.Sentence(n.Detail), n.Code)
	}
	for _, f := range d.Findings {
		if f.Lost != nil {
			f.Detail += ": " + lostBecause[f.Lost.Why]
			if f.Lost.Gone {
				f.Detail += "; it can be brought back once the plan is there again; " + verdict.HowToForget
			}
		}
		switch path := printer.Unbroken(f.Path); {
		case f.Path == "":
			p.Printf("%s (%s)\n", printer.Sentence(f.Detail), f.Code)
		case f.Line > 0:
			p.Printf("%s:%d: %s (%s)\n", path, f.Line, printer.Sentence(f.Detail), f.Code)
		default:
			p.Printf("%s: %s (%s)\n", path, printer.Sentence(f.Detail), f.Code)
		}
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
		p.Printf("looked at: %s\n", strings.Join(d.LookedAt, ", "))
	}
}
