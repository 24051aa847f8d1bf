package roadmap

// advanced.go: whether the roadmap has moved on past a plan. A wrong yes would end a live session, and roadmaps lag.

import (
	"cmp"

	"github.com/gsd-cli/gsd/internal/planref"
)

// Advance compares the phases in progress with a plan's own phase. Lagging is not set if no phase is in progress, if the
// own phase is, or if some of them come before it and some after.
type Advance struct {
	Advanced   bool    // the roadmap has moved on past the own phase
	Lagging    bool    // all phases in progress come before it: the roadmap is out of date, which does not make the session stale
	Own        Phase   // zero if the roadmap does not mention it
	InProgress []Phase // except those that some line calls complete
}

// What CurrentPhase returns where the number of the current phase does not say whether the roadmap is past the plan's own.
const (
	NoPhase     = "none"     // no phase is current
	OwnComplete = "complete" // the own phase is complete, and no later one is current
)

// CurrentPhase returns what a session on a plan of the phase own records when it is started, for later calls of Advanced:
// the number of the current phase, NoPhase or OwnComplete.
func CurrentPhase(r *Roadmap, own planref.Number) string {
	a := Advanced(r, own, "")
	current, found := r.Current()
	if a.Own.Status == InProgress {
		current, found = a.Own, true
	} else if len(a.InProgress) > 0 {
		current, found = a.InProgress[0], true
	}
	switch {
	case a.Own.Status == Complete && (!found || r.compare(current, own) <= 0):
		return OwnComplete
	case !found:
		return NoPhase
	}
	return current.Number.String()
}

// Advanced compares the roadmap with own, the phase of a plan that a session is on (docs/design.md, The verdict:
// phase-advanced). since is what CurrentPhase returned when the session was started, "" if that is unknown.
//
// If it is unknown, the roadmap has moved on if phases are in progress, and all of them come after the own phase. Else it
// has if that is so or the own phase is complete, and neither was so then. A value that is not understood means that one
// of them was.
func Advanced(r *Roadmap, own planref.Number, since string) Advance {
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
		switch order := r.compare(ph, own); {
		case order < 0:
			before++
		case order > 0:
			after++
		}
	}
	a.Advanced = after > 0 && before == 0 && a.Own.Status != InProgress
	a.Lagging = before > 0 && after == 0 && a.Own.Status != InProgress
	if since != "" {
		a.Advanced = (a.Advanced || a.Own.Status == Complete) && !r.wasPast(own, since)
	}
	return a
}

// wasPast reports whether the current phase since came after own, or own was complete.
func (r *Roadmap) wasPast(own planref.Number, since string) bool {
	was, ok := planref.ParseNumber(since)
	switch {
	case since == NoPhase:
		return false
	case since == OwnComplete || !ok:
		return true
	}
	then, known := r.last[was.Key()]
	if !known {
		return planref.Compare(was, own) > 0
	}
	return r.compare(then, own) > 0
}

// compare returns a negative number, 0 or a positive one as a phase of the roadmap comes before, is or comes after own.
func (r *Roadmap) compare(ph Phase, own planref.Number) int {
	order := planref.Compare(ph.Number, own)
	if is, known := r.last[own.Key()]; known {
		return cmp.Or(cmp.Compare(ph.rank, is.rank), order)
	}
	return order
}
