package app

// waits.go: the plans that should have been done before the one that somebody is on.

import (
	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

// The codes of the warnings about a plan without a summary.
const (
	PlanStatus  = "plan-status"      // what its own front matter says of it, such as blocked or draft
	WaitsOpen   = "waits-for-open"   // it depends on plans without a summary
	WaitsHalted = "waits-for-halted" // it depends on plans whose summary says that the work was stopped on purpose
)

// mostNamed is how many of them a warning names.
const mostNamed = 5

// statusWarnings warns of the status that a plan without a summary states of itself.
func statusWarnings(plan, status string) []problem.Warning {
	if status = frontmatter.OwnStatus(status); status == "" {
		return nil
	}
	return []problem.Warning{{Code: PlanStatus, Plan: plan, Says: status}}
}

// waiting warns of what a plan with that text says of itself, and of plans on which it depends that are not done.
func (p *Project) waiting(plan string, text []byte) (all []problem.Warning) {
	all = statusWarnings(plan, frontmatter.Read(text).Status)
	open, halted := p.Planning.WaitsFor(plan, text)
	add := func(code string, plans []*roadmap.Plan) {
		if len(plans) == 0 {
			return
		}
		w := problem.Warning{Code: code, Plan: plan, Count: max(0, len(plans)-mostNamed)}
		for _, other := range plans[:len(plans)-w.Count] {
			w.Names = append(w.Names, other.Label())
		}
		all = append(all, w)
	}
	add(WaitsOpen, open)
	add(WaitsHalted, halted)
	return all
}
