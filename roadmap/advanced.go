package roadmap

// advanced.go: has the roadmap moved on past a plan? Saying so archives a live session, and roadmaps
// lag: so a phase is shown in progress only by words or signs that say it, while a plan's own phase is
// also held to be in progress by what merely hints at it.

import (
	"cmp"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// Advance is how the phases in progress lie to a plan's own. Neither is set where none is in progress,
// where the own phase is, or where some come before it and some after.
type Advance struct {
	// Advanced: all of them come after the own phase, which nothing shows to be under way.
	Advanced bool
	// Lagging: all of them come before it. The roadmap was not kept up to date, which is no reason
	// against the session.
	Lagging    bool
	Own        Phase   // zero where the roadmap does not mention it
	InProgress []Phase // in document order
}

// Advanced compares the roadmap with own, the phase of a plan that a session is on (DESIGN.md, The
// verdict: phase-advanced).
func Advanced(r *Roadmap, own planref.Number) Advance {
	var a Advance
	if own.IsZero() {
		return a
	}
	var known bool
	a.Own, known = r.phase(own)
	if !known {
		a.Own.Number = own
	}
	before, after := 0, 0
	for _, ph := range r.inProgress() {
		a.InProgress = append(a.InProgress, ph)
		switch c := comparePhases(ph, a.Own); {
		case c < 0:
			before++
		case c > 0:
			after++
		}
	}
	if !known {
		a.Own = Phase{} // its number was only there to be compared
	}
	active := a.Own.Status == InProgress || a.Own.Open > 0 || a.Own.inserted()
	a.Advanced = after > 0 && before == 0 && !active
	a.Lagging = before > 0 && after == 0 && a.Own.Status != InProgress
	return a
}

// inProgress lists the phases in progress, in document order. They are weighed once: fifty sessions may ask.
func (r *Roadmap) inProgress() []Phase {
	r.weighing.Do(func() {
		seen := map[string]bool{}
		for _, f := range r.Facts {
			if seen[f.Number.Key()] {
				continue
			}
			seen[f.Number.Key()] = true
			if ph, _ := r.phase(f.Number); ph.Status == InProgress {
				r.underway = append(r.underway, ph)
			}
		}
	})
	return r.underway
}

// inserted tells whether a phase with decimals is still to come. It was squeezed in to be worked on
// before phases that may already be under way, so their progress says nothing against it.
func (ph Phase) inserted() bool {
	return ph.Status == NotStarted && strings.Contains(ph.Number.String(), ".")
}

// comparePhases orders phases by milestone where both have one and numbers are not enough, else by
// number.
func comparePhases(a, b Phase) int {
	if planref.Compare(a.Number, b.Number) == 0 {
		return 0
	}
	if a.Milestone != "" && b.Milestone != "" {
		if c := compareMilestones(a.Milestone, b.Milestone); c != 0 {
			return c
		}
	}
	return planref.Compare(a.Number, b.Number)
}

// compareMilestones orders versions as numbers, so v0.9 comes before v0.10, and behind them those that are
// words, by the alphabet; "" comes first.
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
