package roadmap

// advanced.go: has the roadmap moved on past a plan? Saying so archives a live session, and roadmaps lag.

import (
	"cmp"
	"strings"

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
	InProgress []Phase // in the order of their numbers
}

// Advanced compares the roadmap with own, the phase of a plan that a session is on (docs/design.md, The verdict:
// phase-advanced).
func Advanced(r *Roadmap, own planref.Number) Advance {
	var a Advance
	if own.IsZero() {
		return a
	}
	at := Phase{Number: own}
	if ph, ok := r.last[own.Key()]; ok {
		a.Own, at = ph, ph
	}
	before, after := 0, 0
	for _, ph := range r.underway {
		a.InProgress = append(a.InProgress, ph)
		switch c := comparePhases(ph, at); {
		case c < 0:
			before++
		case c > 0:
			after++
		}
	}
	begun := a.Own.Status == InProgress || a.Own.Done > 0 && a.Own.Done < a.Own.Total && a.Own.Status != Complete
	a.Advanced = after > 0 && before == 0 && !begun && !a.Own.isInserted()
	a.Lagging = before > 0 && after == 0 && a.Own.Status != InProgress
	return a
}

// isInserted reports whether a phase with decimals is still to come. It was squeezed in to be worked on before phases
// that may already be under way, so their progress says nothing against it.
func (ph Phase) isInserted() bool {
	return ph.Status == NotStarted && strings.Contains(ph.Number.String(), ".")
}

// comparePhases orders phases by milestone where both have one and numbers are not enough, else by number.
func comparePhases(a, b Phase) int {
	c := planref.Compare(a.Number, b.Number)
	if c == 0 || a.Milestone == "" || b.Milestone == "" {
		return c
	}
	return cmp.Or(compareMilestones(a.Milestone, b.Milestone), c)
}

// compareMilestones orders versions as numbers, so v0.9 comes before v0.10, and behind them those that are words, by
// the alphabet; "" comes first.
func compareMilestones(a, b string) int {
	x, isNumber := planref.ParseNumber(a)
	y, isNumberToo := planref.ParseNumber(b)
	switch {
	case a == "" || b == "":
		return cmp.Compare(len(a), len(b))
	case isNumber && isNumberToo:
		return planref.Compare(x, y)
	case isNumber:
		return -1
	case isNumberToo:
		return 1
	}
	return strings.Compare(a, b)
}
