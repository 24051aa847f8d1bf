package roadmap

// phases.go: merging the facts of each phase. Numbers may restart with a milestone; then each milestone has its own
// phase with that number.

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gsd-cli/gsd/internal/planref"
)

// Phase is one phase of the roadmap, from all facts about it.
type Phase struct {
	Number planref.Number
	Title  string // the name alone, preferably the heading's; "" if there is none
	Status Status
	Line   int // of the fact that decided the status, else the first mention; 0 for one that only has a directory
	// Milestone is a Version of Roadmap.Milestones, or "".
	Milestone string
	// Done of Total plans, as the roadmap counts them; Total is 0 if it does not.
	Done, Total int
	// Retired phases were struck out. They are deferred and never counted.
	Retired bool
	// Disputed phases are called complete by some line, whatever Status is, so they do not count as in progress.
	Disputed bool

	rank int // index of its milestone, or of the highest among those of lower numbers
}

// Phases returns all phases in the order of their milestones, then of their numbers; a phase without a milestone comes
// after those with lower numbers. The caller must not change the slice.
func (r *Roadmap) Phases() []Phase { return r.phases }

// weighAll merges all facts into phases.
func (r *Roadmap) weighAll(facts []fact) []Phase {
	versions := map[string]int{} // index of each milestone
	for i, m := range r.Milestones {
		versions[m.Version] = i
	}
	slices.SortStableFunc(facts, func(a, b fact) int { return planref.Compare(a.number, b.number) })
	var all []Phase
	reached := 0
	for len(facts) > 0 {
		n := 1
		for n < len(facts) && planref.Compare(facts[n].number, facts[0].number) == 0 {
			n++
		}
		for _, group := range divide(facts[:n]) {
			ph := weigh(group)
			ph.Milestone = cmp.Or(ph.Milestone, rangeOf(r.ranges, ph.Number))
			at, ok := versions[ph.Milestone]
			if ok && ph.Status == Unknown && r.Milestones[at].Status == Complete {
				ph.Status, ph.Line, ph.Done = Complete, r.Milestones[at].Line, ph.Total
			}
			reached = max(reached, at)
			if ph.rank = at; !ok {
				ph.rank = reached
			}
			all = append(all, ph)
		}
		facts = facts[n:]
	}
	slices.SortStableFunc(all, func(a, b Phase) int { return cmp.Compare(a.rank, b.rank) })
	return all
}

// divide groups the facts of a number by milestone, in the order of versions; facts without a milestone belong to the
// last one. There are several groups only if two milestones have the same kind of fact, because a phase may be under a
// heading of one milestone and in a row of another.
func divide(facts []fact) [][]fact {
	kinds := map[source]string{}
	restarted, last := false, ""
	for _, f := range facts {
		milestone, known := kinds[f.source]
		restarted = restarted || known && milestone != f.milestone
		kinds[f.source] = f.milestone
		if compareMilestones(f.milestone, last) > 0 {
			last = f.milestone
		}
	}
	if !restarted {
		return [][]fact{facts}
	}
	by := map[string][]fact{}
	for _, f := range facts {
		milestone := cmp.Or(f.milestone, last)
		by[milestone] = append(by[milestone], f)
	}
	var groups [][]fact
	for _, milestone := range slices.SortedFunc(maps.Keys(by), compareMilestones) {
		groups = append(groups, by[milestone])
	}
	return groups
}

// weigh merges facts, of which there must be one, into a phase. The last status wins, because progress is written below
// the plan. The total of plans is from the best place that counts them, and the number done is the highest of any
// place, because each may be out of date but none is ahead of the work.
func weigh(facts []fact) Phase {
	ph := Phase{Number: facts[0].number, Line: facts[0].line}
	var counted source
	for _, f := range facts {
		ph.Milestone = cmp.Or(f.milestone, ph.Milestone)
		ph.Retired = ph.Retired || f.retired
		if f.status != Unknown {
			ph.Status, ph.Line = f.status, f.line
			ph.Disputed = ph.Disputed || f.status == Complete
		}
		if f.title != "" && (ph.Title == "" || f.source == heading) {
			ph.Title = cutText(f.title)
		}
		if f.total > 0 && f.source >= counted {
			counted, ph.Total = f.source, f.total
		}
	}
	for _, f := range facts {
		if f.done <= min(ph.Total, f.total) {
			ph.Done = max(ph.Done, f.done)
		}
	}
	if ph.Retired && ph.Status != Complete {
		ph.Status = Deferred
	}
	if ph.Status == Complete && ph.Done == 0 {
		ph.Done = ph.Total // `3 plans` has no number done, and unticked boxes prove nothing
	}
	return ph
}
