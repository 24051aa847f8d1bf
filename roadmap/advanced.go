package roadmap

// advanced.go: whether the roadmap has moved on past a plan. A wrong yes would end a live session, and roadmaps lag.

import (
	"cmp"

	"github.com/gsd-cli/gsd/internal/planref"
)

// Advance compares the phases in progress with a plan's own phase. Neither Advanced nor Lagging is set if no phase is
// in progress, if the own phase is, or if some of them come before it and some after.
type Advance struct {
	Advanced   bool    // all phases in progress come after the own phase
	Lagging    bool    // all of them come before it: the roadmap is out of date, which does not make the session stale
	Own        Phase   // zero if the roadmap does not mention it
	InProgress []Phase // except those that some line calls complete
}

// Advanced compares the roadmap with own, the phase of a plan that a session is on (docs/design.md, The verdict:
// phase-advanced).
func Advanced(r *Roadmap, own planref.Number) Advance {
	if own.IsZero() {
		return Advance{}
	}
	a := Advance{Own: r.last[own.Key()]}
	before, after := 0, 0
	for _, ph := range r.phases {
		if ph.Status != InProgress || ph.disputed {
			continue
		}
		a.InProgress = append(a.InProgress, ph)
		order := planref.Compare(ph.Number, own)
		if !a.Own.Number.IsZero() {
			order = cmp.Or(cmp.Compare(ph.rank, a.Own.rank), order)
		}
		switch {
		case order < 0:
			before++
		case order > 0:
			after++
		}
	}
	a.Advanced = after > 0 && before == 0 && a.Own.Status != InProgress
	a.Lagging = before > 0 && after == 0 && a.Own.Status != InProgress
	return a
}
