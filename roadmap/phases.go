package roadmap

// phases.go: all facts of a phase weighed against each other. Numbers may start again with a milestone;
// then each milestone has a phase of its own by that number.

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
	Source Source
	// Milestone is a Version of Roadmap.Milestones; "" where none is told.
	Milestone string
	// Done of Total plans, as the roadmap counts them; Total is 0 where it does not.
	Done, Total int
	// Folded phases are told in closed <details> only.
	Folded bool
	// First is the line of its heading, else of its first mention.
	First int
	// Open is the line by which the phase is under way although Status does not say so: a fact that was
	// overruled says in progress, a count such as 1/3, or a plan list with some boxes ticked and some
	// not. 0 where there is none.
	Open int
}

// Phases weighs all facts. The first of these that says something decides: a ticked check box (upstream lets it
// overrule even the disk, roadmap.cjs:277), In progress in the table, the table, the heading and its Status:
// line, a box with a status in words; of equal facts the last; at last the milestone, if it is over.
//
// They are all phases in the order of their milestones, then of their numbers; one of no milestone
// comes behind those that it follows by its number. Where numbers start again with a milestone, each
// milestone has its own.
func (r *Roadmap) Phases() []Phase {
	versions := r.byVersion()
	items := make(map[string][]Item)
	for _, item := range r.Items {
		items[item.Phase.Key()] = append(items[item.Phase.Key()], item)
	}
	var all []Phase
	restarted := false // for phases of no milestone, behind others of the same numbers
	for _, key := range slices.Sorted(maps.Keys(r.byPhase)) {
		groups := r.groups(r.Facts[r.byPhase[key][0]].Number)
		phases := r.phases(groups, items[key], versions)
		restarted = restarted || len(phases) > 1 && phases[len(phases)-1].Milestone == ""
		all = append(all, phases...)
	}
	slices.SortStableFunc(all, func(a, b Phase) int { return planref.Compare(a.Number, b.Number) })
	rank, reached := make([]int, len(all)), 0
	if restarted {
		reached = len(r.Milestones)
	}
	for i, ph := range all {
		if at, ok := versions[ph.Milestone]; ok {
			rank[i] = at
			reached = max(reached, at)
		} else {
			rank[i] = reached
		}
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank[a], rank[b]) })
	sorted := make([]Phase, len(all))
	for i, at := range order {
		sorted[i] = all[at]
	}
	return sorted
}

// byVersion is where the milestones stand in Milestones.
func (r *Roadmap) byVersion() map[string]int {
	at := make(map[string]int, len(r.Milestones))
	for i, m := range r.Milestones {
		if m.Version != "" {
			at[m.Version] = i
		}
	}
	return at
}

// phase weighs the facts of the last milestone that has the phase, without what only its milestone says:
// the verdict does not build on that.
func (r *Roadmap) phase(n planref.Number) (Phase, bool) {
	groups := r.groups(n)
	if len(groups) == 0 {
		return Phase{}, false
	}
	return weigh(groups[len(groups)-1].facts), true
}

// phases makes phases of the groups of one number.
func (r *Roadmap) phases(groups []group, items []Item, versions map[string]int) []Phase {
	phases := make([]Phase, len(groups))
	taken := map[string]bool{}
	for i, g := range groups {
		phases[i] = weigh(g.facts)
		taken[phases[i].Milestone] = true
	}
	for i := range phases {
		ph := &phases[i]
		if ph.Milestone == "" {
			if v := rangeOf(r.ranges, ph.Number); !taken[v] {
				ph.Milestone = v
			}
		}
	}
	at := make(map[string]int, len(groups))
	for i, g := range groups {
		at[g.milestone] = i
	}
	counted := make([][]Item, len(groups))
	for _, item := range items {
		i, ok := at[item.Milestone]
		if !ok {
			i = len(groups) - 1
		}
		counted[i] = append(counted[i], item)
	}
	for i, g := range groups {
		ph := &phases[i]
		ph.count(g.facts, counted[i])
		// A row is left at Planned for ever where nobody looks at it any more.
		told := ph.Status != Unknown && (ph.Status != NotStarted || ph.Total == 0 || ph.Done < ph.Total)
		if at, ok := versions[ph.Milestone]; ok && !told && r.Milestones[at].Status == Complete {
			ph.Status, ph.Line, ph.Source = Complete, r.Milestones[at].Line, Release
			ph.Done = ph.Total
		}
	}
	return phases
}

// count sets Done and Total. The total is that of the first place which has one: the table, the check
// box or the heading, the Plans: line, the list of plans. No place is updated always, and none ahead of
// the work, so of what they call done the most is right.
func (ph *Phase) count(facts []Fact, items []Item) {
	list := Fact{Source: PlanList, Total: len(items)}
	for _, item := range items {
		if item.Done {
			list.Done++
		}
	}
	places := []Fact{list}
	rank := map[Source]int{Table: 4, Checkbox: 3, Heading: 3, PlanCount: 2, PlanList: 1}
	for _, f := range facts {
		if f.Total > 0 && f.Done <= f.Total && f.Source != PlanList {
			places = append(places, f)
		}
	}
	slices.SortStableFunc(places, func(a, b Fact) int { return cmp.Compare(rank[b.Source], rank[a.Source]) })
	ph.Total = places[0].Total
	for _, f := range places {
		if f.Done <= ph.Total {
			ph.Done = max(ph.Done, f.Done)
		}
	}
	if ph.Status == Complete && ph.Done == 0 {
		ph.Done = ph.Total // `3 plans` counts nothing done, and unticked boxes prove nothing
	}
}

// group is the facts of one phase of one milestone.
type group struct {
	milestone string
	facts     []Fact
}

// groups are the facts of a number by milestone, the last by version at the end. Facts outside any milestone
// belong to the last, unless it is folded away and they are not. Numbers started again only if two
// milestones have the same kind of fact: a phase under a heading of one name and a row of another is one
// phase.
func (r *Roadmap) groups(n planref.Number) []group {
	indices := r.byPhase[n.Key()]
	if len(indices) == 0 {
		return nil
	}
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
		return []group{{last, all}}
	}
	own := folded && loose // the loose facts are of a milestone that has no name yet
	by := map[string][]Fact{}
	for _, f := range all {
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
	groups := make([]group, len(versions))
	for i, v := range versions {
		groups[i] = group{v, by[v]}
	}
	return groups
}

// weigh makes a phase of its facts, which there must be.
func weigh(facts []Fact) Phase {
	first := facts[0]
	ph := Phase{Number: first.Number, Line: first.Line, Source: first.Source, First: first.Line, Folded: true}
	best, titled, headed := 0, 0, false
	for _, f := range facts {
		ph.Milestone = cmp.Or(f.Milestone, ph.Milestone)
		ph.Folded = ph.Folded && f.Folded
		if w := weight(f); w > 0 && w >= best {
			best = w
			ph.Status, ph.Line, ph.Source = f.Status, f.Line, f.Source
		}
		if w := titleWeight(f); w > titled {
			titled, ph.Title = w, f.Title
		}
		if f.Source == Heading && !headed {
			headed, ph.First = true, f.Line
		}
	}
	ph.Title = cutText(ph.Title)
	for _, f := range facts {
		if ph.Status != InProgress && f.opens(ph.Status) {
			ph.Open = f.Line
		}
	}
	return ph
}

// titleWeight ranks where a phase's name is taken from; 0 has none. A heading is nothing but the name,
// a box goes on with a description, a cell is often short of room.
func titleWeight(f Fact) int {
	switch {
	case f.Title == "":
		return 0
	case f.Source == Heading:
		return 3
	case f.Source == Checkbox:
		return 2
	}
	return 1
}

// opens tells whether a fact shows a phase of this status to be under way. Plan lists are often left
// unticked when a phase is complete, so against that they prove nothing, and Plans: lines are as old.
func (f Fact) opens(status Status) bool {
	partial := f.Done > 0 && f.Done < f.Total
	switch {
	case f.Status == InProgress:
		return true
	case f.Source == PlanCount:
		return false
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
