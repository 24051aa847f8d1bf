package roadmap

// depends_resolve.go: from an entry of depends_on to the plans that it means. An entry that is not
// understood means no plan: it holds nothing up, because a plan that never becomes ready is worse than
// one that is offered early.

import (
	"slices"
	"strings"
)

// planPlace is where a plan stands, as a dependency sees it.
type planPlace struct {
	phase Number // zero for a quick task
	plan  Number
	stem  string // 03-01-auth of 03-01-auth-PLAN.md; for a bare PLAN.md its directory's name
}

// number is the plan's number within its phase. Some projects name files by it alone: 01-PLAN.md in 05-api.
func (p planPlace) number() Number {
	if !p.plan.IsZero() {
		return p.plan
	}
	n, _ := parseName(p.stem + "-PLAN.md")
	return n.phase
}

// resolve answers the indices of the plans among all that d of all[self] means; none where unknown. All
// are the plans of one planning root: numbers mean nothing beyond it.
//
// A bare `01` is plan 1 of the same phase, decimal or not (upstream lesson 19), if there is one besides
// the plan itself; else the whole phase 1, if that comes before the plan's own. A bare `5.2` that is neither
// is plan 2 of phase 5. `04-mail` is the plan of this name, or plan 4 of the same phase with this slug, or
// the whole phase 4 if that comes before. A plan does not wait for its own phase, nor for itself.
func (d Dependency) resolve(all []planPlace, self int) []int {
	own := all[self]
	find := func(is func(p planPlace) bool) []int {
		var found []int
		for i, p := range all {
			if i != self && is(p) {
				found = append(found, i)
			}
		}
		return found
	}
	numbered := func(phase, plan Number) []int {
		return find(func(p planPlace) bool {
			return Compare(p.phase, phase) == 0 && (plan.IsZero() || Compare(p.number(), plan) == 0)
		})
	}
	if d.Stem != "" {
		found := find(d.named)
		near := slices.DeleteFunc(slices.Clone(found), func(i int) bool { return Compare(all[i].phase, own.phase) != 0 })
		if len(near) > 0 {
			return near
		}
		if len(found) > 0 {
			return found
		}
	}
	switch {
	case d.Phase.IsZero() && d.Plan.IsZero():
		return nil
	case d.Phase.IsZero():
		return d.resolveBare(numbered, own.phase)
	case !d.Plan.IsZero():
		if found := numbered(d.Phase, d.Plan); len(found) > 0 {
			return found
		}
		return find(func(p planPlace) bool { // a quick task is called 260322-14r
			n, ok := parseName(p.stem + "-PLAN.md")
			return ok && p.phase.IsZero() && Compare(n.phase, d.Phase) == 0 && Compare(n.plan, d.Plan) == 0
		})
	case d.Stem != "":
		_, slug, _ := strings.Cut(d.Stem, "-")
		found := find(func(p planPlace) bool {
			return Compare(p.phase, own.phase) == 0 && Compare(p.plan, d.Phase) == 0 && strings.EqualFold(p.slug(), slug)
		})
		if len(found) > 0 {
			return found
		}
		// 04-mail-queue-03 is plan 3 in the directory 04-mail-queue.
		if plan, ok := ParseNumber(slug[strings.LastIndexByte(slug, '-')+1:]); ok {
			if found := numbered(d.Phase, plan); len(found) > 0 {
				return found
			}
		}
		if Compare(d.Phase, own.phase) > 0 && !own.phase.IsZero() {
			return nil
		}
	}
	if Compare(d.Phase, own.phase) == 0 {
		return nil
	}
	return numbered(d.Phase, Number{})
}

// resolveBare is resolve for a number alone.
func (d Dependency) resolveBare(numbered func(phase, plan Number) []int, own Number) []int {
	if found := numbered(own, d.Plan); len(found) > 0 {
		return found
	}
	if Compare(d.Plan, own) < 0 {
		if found := numbered(d.Plan, Number{}); len(found) > 0 {
			return found
		}
	}
	if phase, plan, ok := strings.Cut(d.Plan.text, "."); ok {
		return numbered(Number{phase}, Number{plan})
	}
	return nil
}

// slug is what follows the numbers in the plan's name.
func (p planPlace) slug() string {
	n, _ := parseName(p.stem + "-PLAN.md")
	return n.slug
}

// named tells whether the stem says p: the whole of it, or where no number was told its slug.
func (d Dependency) named(p planPlace) bool {
	if task, ok := strings.CutPrefix(d.Stem, "quick/"); ok {
		return p.phase.IsZero() && p.stem != "" &&
			(p.stem == task || strings.HasPrefix(p.stem, task+"-") || strings.HasPrefix(task, p.stem+"-"))
	}
	if strings.EqualFold(p.stem, d.Stem) {
		return true
	}
	if !d.Phase.IsZero() || !d.Plan.IsZero() {
		return false
	}
	return strings.EqualFold(p.slug(), d.Stem)
}
