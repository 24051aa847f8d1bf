package view

import (
	"fmt"
	"strings"

	"github.com/gsd-cli/gsd/hydrate"
)

// longestNumber is how many columns the number of a phase may take.
const longestNumber = 12

// NextAnswer prints which plan comes next and why, and the commands that go on with it.
func (p *Printer) NextAnswer(a *hydrate.NextAnswer) {
	p.Next(a.Next)
	p.Commands(a.Commands)
	p.Warnings(a.Warnings)
}

// Next prints which plan comes next and why, and what else could be done.
func (p *Printer) Next(n *hydrate.Next) {
	plan, place := Line(n.ID), " "+Line(n.Plan)
	if plan == "" {
		plan, place = Line(n.Plan), ""
	}
	if n.Plan == "" {
		place = ""
	}
	if n.Summary != "" {
		place = " " + Line(n.Summary)
	}
	p.Printf("%s%s%s\n", p.nextHead(n, plan), place, inBrackets(nextMarks(n)))
	for _, why := range n.Because {
		p.Printf("  %s\n", Title(why))
	}
	p.alsoReady(n)
}

// alsoReady prints what else could be done.
func (p *Printer) alsoReady(n *hydrate.Next) {
	label := alsoLabel(n)
	for _, plan := range n.AlsoReady {
		begun := ""
		if plan.Begun {
			begun = p.Style.Dim("  (has commits, but no session: gsd restore)")
		}
		p.Printf("%s  %s%s\n", p.Style.Dim(label), strings.TrimSpace(Line(plan.ID)+"  "+Line(plan.Plan)), begun)
		label = strings.Repeat(" ", len(label))
	}
}

// nextHead returns the answer in a few words; plan is what the plan is called.
func (p *Printer) nextHead(n *hydrate.Next, plan string) string {
	switch {
	case n.Summary != "":
		return p.Style.Bold("next: write the summary of " + plan)
	case n.Plan != "":
		return p.Style.Bold("next: " + plan)
	case n.Verification != "":
		return p.Style.Bold("next: finish phase " + Fitted(Title(n.Phase), longestNumber))
	case n.Phase != "":
		return p.Style.Bold("next: plan phase " + Fitted(Title(n.Phase), longestNumber))
	case len(n.AlsoReady) > 0:
		return p.Style.Bold("no next plan")
	}
	return p.Style.Green("no plans left")
}

// alsoLabel says what the other plans are: without a next one they are those that the roadmap has left behind, unless a
// phase before them is to be verified.
func alsoLabel(n *hydrate.Next) string {
	if n.Plan == "" && n.Verification == "" {
		return "left open"
	}
	return "also ready"
}

// nextMarks lists what the plan that comes next says of itself.
func nextMarks(n *hydrate.Next) []string {
	var marks []string
	if n.Wave != nil && n.Plan != "" {
		marks = append(marks, fmt.Sprintf("wave %d", *n.Wave))
	}
	if !n.Autonomous {
		marks = append(marks, "not autonomous")
	}
	if n.Gaps {
		marks = append(marks, "closes gaps")
	}
	return marks
}

// inBrackets returns words as they stand behind a text.
func inBrackets(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return "  (" + strings.Join(words, ", ") + ")"
}
