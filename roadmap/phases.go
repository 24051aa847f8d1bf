package roadmap

// phases.go: all facts of a phase weighed against each other. Numbers may start again with a milestone; then each
// milestone has a phase of its own by that number.

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gsd-cli/gsd/internal/planref"
)

// Phase is what the roadmap says of one phase, all its facts weighed.
type Phase struct {
	Number planref.Number
	Title  string // the name alone, of the heading if that has one; "" where none is told
	Status Status
	Line   int // of the fact that decided the status; the first mention where none did
	// Milestone is a Version of Roadmap.Milestones; "" where none is told.
	Milestone string
	// Done of Total plans, as the roadmap counts them; Total is 0 where it does not.
	Done, Total int
	// Retired phases were struck out. They are deferred, and count nowhere.
	Retired bool

	disputed bool // one of its facts calls it complete, whatever Status is. So it is not said to be under way.
	rank     int  // of its milestone, or of the one that it follows by its number
}

// Phases lists all phases in the order of their milestones, then of their numbers; one of no milestone comes behind
// those that it follows by its number. Where numbers start again with a milestone, each milestone has its own. The
// caller must not change the list.
func (r *Roadmap) Phases() []Phase { return r.phases }

// weighAll makes the phases of all facts.
func (r *Roadmap) weighAll(facts []fact) []Phase {
	versions := map[string]int{} // where the milestones stand
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

// divide groups the facts of a number by milestone, the last by version at the end; facts outside any milestone belong
// to the last. Numbers started again only if two milestones have the same kind of fact: a phase under a heading of one
// name and a row of another is one phase.
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

// weigh makes a phase of its facts, which there must be. The last that says a status decides: progress is written down
// below the plan. The total of plans is that of the best place that counts them, and of what any place has as done the
// most is right, for none is updated always and none is ahead of the work.
func weigh(facts []fact) Phase {
	ph := Phase{Number: facts[0].number, Line: facts[0].line}
	var titled, counted source
	for _, f := range facts {
		ph.Milestone = cmp.Or(f.milestone, ph.Milestone)
		ph.Retired = ph.Retired || f.retired
		if f.status != Unknown {
			ph.Status, ph.Line = f.status, f.line
			ph.disputed = ph.disputed || f.status == Complete
		}
		if at := f.source.titles(); f.title != "" && at > titled {
			titled, ph.Title = at, cutText(f.title)
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
		ph.Done = ph.Total // `3 plans` counts nothing done, and unticked boxes prove nothing
	}
	return ph
}

// titles ranks where a phase's name is taken from: a heading is nothing but the name, a box goes on with a description,
// a cell is often short of room.
func (s source) titles() source {
	if s == heading {
		return tableRow + 1
	}
	return tableRow - s + 1
}
