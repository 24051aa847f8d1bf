package app

// waits.go: the plans that should have been done before the one that somebody is on.

import (
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

// The codes of the warnings about what a plan depends on.
const (
	WaitsOpen   = "waits-for-open"   // plans without a summary
	WaitsHalted = "waits-for-halted" // plans whose summary says that the work was stopped on purpose
)

// mostNamed is how many of them a warning names.
const mostNamed = 5

// waiting warns of plans on which a plan with that text depends that are not done.
func (p *Project) waiting(plan string, text []byte) (all []problem.Warning) {
	open, halted := p.Planning.WaitsFor(plan, text)
	add := func(code string, plans []*roadmap.Plan) {
		if len(plans) == 0 {
			return
		}
		w := problem.Warning{Code: code, Plan: plan, Count: max(0, len(plans)-mostNamed)}
		for _, its := range plans[:len(plans)-w.Count] {
			w.Names = append(w.Names, its.Label())
		}
		all = append(all, w)
	}
	add(WaitsOpen, open)
	add(WaitsHalted, halted)
	return all
}
