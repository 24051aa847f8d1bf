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
	// Folded phases are told in closed <details> only.
	Folded bool
	// disputed: one of its facts calls it complete, whatever Status is. So it is not said to be under way.
	disputed bool
	// First is the line of its heading, else of its first mention.
	First int
}

// Phases lists all phases in the order of their milestones, then of their numbers; one of no milestone comes behind
// those that it follows by its number. Where numbers start again with a milestone, each milestone has its own. The
// caller must not change the list.
func (r *Roadmap) Phases() []Phase { return r.phases }

// weighAll makes the phases of all facts.
func (r *Roadmap) weighAll() []Phase {
	versions := r.byVersion()
	byNumber := map[string][]Fact{}
	for _, f := range r.Facts {
		byNumber[f.Number.Key()] = append(byNumber[f.Number.Key()], f)
	}
	var all []Phase
	for _, key := range slices.Sorted(maps.Keys(byNumber)) {
		groups := divide(byNumber[key])
		taken := map[string]bool{}
		for _, facts := range groups {
			ph := weigh(facts)
			taken[ph.Milestone] = true
			all = append(all, ph)
		}
		for i := range all[len(all)-len(groups):] {
			ph := &all[len(all)-len(groups)+i]
			if v := rangeOf(r.ranges, ph.Number); ph.Milestone == "" && !taken[v] {
				ph.Milestone = v
			}
			if at, ok := versions[ph.Milestone]; ok && ph.Status == Unknown && r.Milestones[at].Status == Complete {
				ph.Status, ph.Line, ph.Done = Complete, r.Milestones[at].Line, ph.Total
			}
		}
	}
	return inOrder(all, versions)
}

// inOrder sorts phases by their milestones, then by their numbers.
func inOrder(all []Phase, versions map[string]int) []Phase {
	slices.SortStableFunc(all, func(a, b Phase) int { return planref.Compare(a.Number, b.Number) })
	type ranked struct {
		Phase
		rank int
	}
	order := make([]ranked, len(all))
	reached := 0
	for i, ph := range all {
		rank, ok := versions[ph.Milestone]
		if ok {
			reached = max(reached, rank)
		} else if rank = reached; i > 0 && planref.Compare(all[i-1].Number, ph.Number) == 0 {
			rank = len(versions) // its number started again, and its milestone has no name yet
			reached = rank
		}
		order[i] = ranked{ph, rank}
	}
	slices.SortStableFunc(order, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	for i := range order {
		all[i] = order[i].Phase
	}
	return all
}

// byVersion is where the milestones stand in Milestones.
func (r *Roadmap) byVersion() map[string]int {
	at := make(map[string]int, len(r.Milestones))
	for i, m := range r.Milestones {
		at[m.Version] = i
	}
	return at
}

// divide groups the facts of a number by milestone, the last by version at the end. Facts outside any milestone belong
// to the last, unless it is folded away and they are not: those are of a milestone that has no name yet. Numbers
// started again only if two milestones have the same kind of fact: a phase under a heading of one name and a row of
// another is one phase.
func divide(facts []Fact) [][]Fact {
	kinds := map[Source]string{}
	restarted, last, folded, loose := false, "", true, false
	for _, f := range facts {
		ms, known := kinds[f.Source]
		restarted = restarted || known && ms != f.Milestone && f.Source != PlanList
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
		return [][]Fact{facts}
	}
	own := folded && loose
	by := map[string][]Fact{}
	for _, f := range facts {
		ms := f.Milestone
		if ms == "" && (!own || f.Folded) {
			ms = last
		}
		by[ms] = append(by[ms], f)
	}
	versions := slices.SortedFunc(maps.Keys(by), compareMilestones)
	if own {
		versions = append(versions[1:], "") // it sorts first and comes last
	}
	groups := make([][]Fact, len(versions))
	for i, v := range versions {
		groups[i] = by[v]
	}
	return groups
}

// weigh makes a phase of its facts, which there must be. The last that says a status decides: progress is written down
// below the plan. The total of plans is that of the best place that counts them, and of what any place has as done the
// most is right, for none is updated always and none is ahead of the work.
func weigh(facts []Fact) Phase {
	first := facts[0]
	ph := Phase{Number: first.Number, Line: first.Line, First: first.Line, Folded: true}
	var titled, headed, counted Source
	for _, f := range facts {
		ph.Milestone = cmp.Or(f.Milestone, ph.Milestone)
		ph.Folded = ph.Folded && f.Folded
		ph.Retired = ph.Retired || f.Retired
		if f.Status != Unknown {
			ph.Status, ph.Line = f.Status, f.Line
			ph.disputed = ph.disputed || f.Status == Complete
		}
		if at := f.Source.titles(); f.Title != "" && at > titled {
			titled, ph.Title = at, cutText(f.Title)
		}
		if f.Source == Heading && headed == 0 {
			headed, ph.First = f.Source, f.Line
		}
		if f.Total > 0 && f.Done <= f.Total && f.Source >= counted {
			counted, ph.Total = f.Source, f.Total
		}
	}
	for _, f := range facts {
		if f.Done <= ph.Total && f.Done <= f.Total {
			ph.Done = max(ph.Done, f.Done)
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
func (s Source) titles() Source {
	if s == Heading {
		return Table + 1
	}
	return Table - s + 1
}
