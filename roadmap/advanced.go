package roadmap

// advanced.go: has the roadmap moved on past a plan? Saying so archives a live session, and roadmaps lag.

import (
	"cmp"

	"github.com/gsd-cli/gsd/internal/planref"
)

// Advance is how the phases in progress lie to a plan's own. Neither is set where none is in progress, where the own
// phase is, or where some come before it and some after.
type Advance struct {
	// Advanced: all of them come after the own phase, which nothing shows to be under way.
	Advanced bool
	// Lagging: all of them come before it. The roadmap was not kept up to date, which is no reason against the session.
	Lagging    bool
	Own        Phase   // zero where the roadmap does not mention it
	InProgress []Phase // those that nothing calls complete
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
