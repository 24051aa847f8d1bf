package roadmap

// depends_resolve.go: from an entry of depends_on to the plans that it means. An entry that is not
// understood means no plan: it holds nothing up, because a plan that never becomes ready is worse than
// one that is offered early.

import (
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// planPlace is where a plan stands, as a dependency sees it.
type planPlace struct {
	phase planref.Number // zero for a plan of a directory without a number
	plan  planref.Number
	stem  string // 03-01-auth of 03-01-auth-PLAN.md; for a bare PLAN.md its directory's name
}

// planIndex is the plans of one planning root by all that an entry can call them, so that an entry costs the
// same however many plans there are, and however many of them it means. Numbers mean nothing beyond the root.
type planIndex struct {
	places []planPlace
	groups map[groupName]*planGroup
}

// groupName is one thing that plans have in common. Of the texts those that do not matter are empty.
type groupName struct {
	what        groupKind
	phase, plan string // as Number.key has them
	word        string // in lower case
}

type groupKind int

const (
	inThatPhase   groupKind = iota // phase
	numberInPhase                  // phase, plan: its number there, or that of a file called by it alone (01-PLAN.md)
	withStem                       // word: the whole stem
	stemInPhase                    // phase, word
	withSlug                       // word: what follows the numbers in the stem
	slugInPhase                    // phase, word
	slugOfNumber                   // phase, plan as in its name, word
)

// planGroup is some plans, by their indices in ascending order.
type planGroup struct{ all, open []int }

// indexPlans indexes plans; isOpen says which of them are not done.
func indexPlans(places []planPlace, isOpen func(i int) bool) *planIndex {
	x := &planIndex{places: places, groups: map[groupName]*planGroup{}}
	for i, p := range places {
		name, _ := planref.ParseName(p.stem + "-PLAN.md")
		number := p.plan
		if number.IsZero() {
			number = name.Phase
		}
		phase, stem, slug := p.phase.Key(), strings.ToLower(p.stem), strings.ToLower(name.Slug)
		for _, g := range [...]groupName{
			{inThatPhase, phase, "", ""},
			{numberInPhase, phase, number.Key(), ""},
			{withStem, "", "", stem},
			{stemInPhase, phase, "", stem},
			{withSlug, "", "", slug},
			{slugInPhase, phase, "", slug},
			{slugOfNumber, phase, p.plan.Key(), slug},
		} {
			group := x.groups[g]
			if group == nil {
				group = &planGroup{}
				x.groups[g] = group
			}
			group.all = append(group.all, i)
			if isOpen(i) {
				group.open = append(group.open, i)
			}
		}
	}
	return x
}

// meaning is the plans that an entry means: those of some groups, but for the plan whose entry it is.
type meaning struct {
	groups []*planGroup
	self   int
}

// some reports whether the entry means any plan.
func (m meaning) some() bool { return m.has(func(g *planGroup) []int { return g.all }) }

// waits reports whether it means an open one.
func (m meaning) waits() bool { return m.has(func(g *planGroup) []int { return g.open }) }

func (m meaning) has(those func(*planGroup) []int) bool {
	for _, g := range m.groups {
		n := len(those(g))
		if n > 1 {
			return true
		}
		if n == 1 && those(g)[0] != m.self {
			return true
		}
	}
	return false
}

// find gives what the groups of these names mean to a plan.
func (x *planIndex) find(self int, names ...groupName) meaning {
	m := meaning{self: self}
	for _, name := range names {
		if g := x.groups[name]; g != nil {
			m.groups = append(m.groups, g)
		}
	}
	return m
}

// resolve gives the plans that an entry of the plan with index self means; none where that is not known.
//
// A bare `01` is plan 1 of the same phase, decimal or not (upstream lesson 19), if there is one besides
// the plan itself; else the whole phase 1, if that comes before the plan's own. A bare `5.2` that is neither
// is plan 2 of phase 5. `04-mail` is the plan of this name, or plan 4 of the same phase with this slug, or
// the whole phase 4 if that comes before. A plan does not wait for its own phase, nor for itself, nor for a
// quick task, which belongs to no phase.
func (x *planIndex) resolve(d Dependency, self int) meaning {
	own := x.places[self].phase
	numbered := func(phase, plan planref.Number) meaning {
		if plan.IsZero() {
			return x.find(self, groupName{inThatPhase, phase.Key(), "", ""})
		}
		return x.find(self, groupName{numberInPhase, phase.Key(), plan.Key(), ""})
	}
	word := strings.ToLower(d.Stem)
	if word != "" {
		near := []groupName{{stemInPhase, own.Key(), "", word}}
		anywhere := []groupName{{withStem, "", "", word}}
		if d.Phase.IsZero() && d.Plan.IsZero() {
			near = append(near, groupName{slugInPhase, own.Key(), "", word})
			anywhere = append(anywhere, groupName{withSlug, "", "", word})
		}
		for _, names := range [][]groupName{near, anywhere} {
			if m := x.find(self, names...); m.some() {
				return m
			}
		}
	}
	switch {
	case d.Phase.IsZero() && d.Plan.IsZero():
		return meaning{}
	case d.Phase.IsZero():
		return resolveBare(d.Plan, own, numbered)
	case !d.Plan.IsZero():
		return numbered(d.Phase, d.Plan)
	case word != "":
		_, slug, _ := strings.Cut(word, "-")
		if m := x.find(self, groupName{slugOfNumber, own.Key(), d.Phase.Key(), slug}); m.some() {
			return m
		}
		// 04-mail-queue-03 is plan 3 in the directory 04-mail-queue.
		if plan, ok := planref.ParseNumber(slug[strings.LastIndexByte(slug, '-')+1:]); ok {
			if m := numbered(d.Phase, plan); m.some() {
				return m
			}
		}
		if planref.Compare(d.Phase, own) > 0 && !own.IsZero() {
			return meaning{}
		}
	}
	if planref.Compare(d.Phase, own) == 0 {
		return meaning{}
	}
	return numbered(d.Phase, planref.Number{})
}

// resolveBare is resolve for a number alone.
func resolveBare(number, own planref.Number, numbered func(phase, plan planref.Number) meaning) meaning {
	if m := numbered(own, number); m.some() {
		return m
	}
	if planref.Compare(number, own) < 0 {
		if m := numbered(number, planref.Number{}); m.some() {
			return m
		}
	}
	if phase, plan, ok := number.Parts(); ok {
		return numbered(phase, plan)
	}
	return meaning{}
}
