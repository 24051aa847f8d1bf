package roadmap

// advanced.go: has the roadmap moved on past a plan? Saying so archives a live session, and roadmaps
// lag: so a phase is shown in progress only by words or signs that say it, while a plan's own phase is
// also held to be in progress by what merely hints at it.

import (
	"cmp"
	"slices"
	"strings"
)

// Phase is what the roadmap says of one phase, all its facts weighed.
type Phase struct {
	Number    Number
	Status    Status
	Line      int // of the fact that decided the status; the first mention where none did
	Source    Source
	Milestone string
	// Open is the line by which the phase is under way although Status does not say so: a fact that was
	// overruled says in progress, a count such as 1/3, or a plan list with some boxes ticked and some
	// not. 0 where there is none.
	Open int
}

// Phase weighs the facts of a phase; false where the roadmap does not mention it. The first of these
// that says something decides: a ticked check box (upstream lets it overrule even the disk,
// roadmap.cjs:277), In progress in the table, the table, the heading and its Status: line, a box with a
// status in words; of equal facts the last. Where numbers start again with each milestone, only the last
// milestone that has the number is heard.
func (r *Roadmap) Phase(n Number) (Phase, bool) {
	facts := r.latest(n)
	if len(facts) == 0 {
		return Phase{}, false
	}
	first := facts[0]
	ph := Phase{Number: first.Number, Line: first.Line, Source: first.Source}
	best := 0
	for _, f := range facts {
		if f.Milestone != "" {
			ph.Milestone = f.Milestone
		}
		if w := weight(f); w > 0 && w >= best {
			best = w
			ph.Status, ph.Line, ph.Source = f.Status, f.Line, f.Source
		}
	}
	for _, f := range facts {
		if ph.Status != InProgress && f.opens(ph.Status) {
			ph.Open = f.Line
		}
	}
	return ph, true
}

// opens tells whether a fact shows a phase of this status to be under way. Plan lists are often left
// unticked when a phase is complete, so against that they prove nothing.
func (f Fact) opens(status Status) bool {
	partial := f.Done > 0 && f.Done < f.Total
	switch {
	case f.Status == InProgress:
		return true
	case f.Source == PlanList:
		return partial && status != Complete && status != Deferred
	}
	return partial && f.Status != Complete && f.Status != Deferred
}

// weight ranks facts of one phase; 0 says nothing.
func weight(f Fact) int {
	switch {
	case f.Status == Unknown:
		return 0
	case f.Source == Checkbox && f.Status == Complete:
		return 5
	case f.Source == Table && f.Status == InProgress:
		return 4
	case f.Source == Table:
		return 3
	case f.Source == Heading:
		return 2
	}
	return 1
}

// latest is the facts of a phase that belong to the last milestone which has it, by version; facts
// outside any milestone belong to it, unless it is folded away and they are not. Numbers started again
// only if two milestones have the same kind of fact: a phase under a heading of one name and a row of
// another is one phase.
func (r *Roadmap) latest(n Number) []Fact {
	indices := r.byPhase[n.key()]
	all := make([]Fact, len(indices))
	kinds := map[Source]string{}
	restarted, last, folded, loose := false, "", true, false
	for i, at := range indices {
		f := r.Facts[at]
		all[i] = f
		if ms, ok := kinds[f.Source]; ok && ms != f.Milestone && f.Source != PlanList {
			restarted = true
		}
		kinds[f.Source] = f.Milestone
		switch c := compareMilestones(f.Milestone, last); {
		case f.Milestone == "":
			loose = loose || !f.Folded
		case c > 0:
			last, folded = f.Milestone, f.Folded
		case c == 0:
			folded = folded && f.Folded
		}
	}
	if !restarted {
		return all
	}
	return slices.DeleteFunc(all, func(f Fact) bool {
		if folded && loose {
			return f.Milestone != "" || f.Folded
		}
		return f.Milestone != "" && f.Milestone != last
	})
}

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
func Advanced(r *Roadmap, own Number) Advance {
	var a Advance
	if own.IsZero() {
		return a
	}
	var known bool
	a.Own, known = r.Phase(own)
	if !known {
		a.Own.Number = own
	}
	seen := map[string]bool{}
	before, after := 0, 0
	for _, f := range r.Facts {
		if seen[f.Number.key()] {
			continue
		}
		seen[f.Number.key()] = true
		ph, _ := r.Phase(f.Number)
		if ph.Status != InProgress {
			continue
		}
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

// inserted tells whether a phase with decimals is still to come. It was squeezed in to be worked on
// before phases that may already be under way, so their progress says nothing against it.
func (ph Phase) inserted() bool {
	return ph.Status == NotStarted && strings.Contains(ph.Number.String(), ".")
}

// comparePhases orders phases by milestone where both have one and numbers are not enough, else by
// number.
func comparePhases(a, b Phase) int {
	if Compare(a.Number, b.Number) == 0 {
		return 0
	}
	if a.Milestone != "" && b.Milestone != "" {
		if c := compareMilestones(a.Milestone, b.Milestone); c != 0 {
			return c
		}
	}
	return Compare(a.Number, b.Number)
}

// compareMilestones orders versions as numbers, so v0.9 comes before v0.10; "" comes first.
func compareMilestones(a, b string) int {
	x, _ := ParseNumber(a)
	y, _ := ParseNumber(b)
	if x.IsZero() || y.IsZero() {
		return cmp.Compare(strings.Compare(a, ""), strings.Compare(b, ""))
	}
	return Compare(x, y)
}
