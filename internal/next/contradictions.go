package next

// contradictions.go: contradictions in the order of a phase's open plans. Agents run the plans of a wave in parallel.

import (
	"iter"
	"slices"

	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

// A WaveConflict is an open plan that depends on an open plan of its own phase which has the same or a later wave.
type WaveConflict struct {
	Plan, On     *roadmap.Plan
	Wave, OnWave int
}

// WaveConflicts are the conflicts between the open plans of all live phases; there may be as many as dependencies. meta returns a
// plan's front matter.
func WaveConflicts(d *roadmap.Disk, meta func(*roadmap.Plan) frontmatter.Meta) iter.Seq[WaveConflict] {
	index := indexPlans(d.Phases)
	return waveConflicts(d.Open(), meta, index.resolve)
}

func waveConflicts(open []*roadmap.Plan, meta func(*roadmap.Plan) frontmatter.Meta, meant func(frontmatter.Dependency, *roadmap.Plan) *planGroup) iter.Seq[WaveConflict] {
	return func(yield func(WaveConflict) bool) {
		for _, p := range open {
			m := meta(p)
			if !m.HasWave {
				continue
			}
			for _, d := range m.DependsOn {
				g := meant(d, p)
				if g == nil || len(g.plans) != 1 {
					continue
				}
				on := g.plans[0]
				if on == p || on.Done() || planref.Compare(on.Phase, p.Phase) != 0 {
					continue
				}
				if of := meta(on); of.HasWave && of.Wave >= m.Wave && !yield(WaveConflict{p, on, m.Wave, of.Wave}) {
					return
				}
			}
		}
	}
}

// A Cycle is of open plans that wait for each other: none of them can come first.
type Cycle struct {
	Plans []*roadmap.Plan // all of them
	Way   []*roadmap.Plan // a shortest way from the first of them, each depending on the next, and the last on the first
}

// Cycles are the cycles in what the open plans of all live phases depend on, in the order of their first plans. meta returns a
// plan's front matter.
func Cycles(d *roadmap.Disk, meta func(*roadmap.Plan) frontmatter.Meta) (found []Cycle) {
	index, open := indexPlans(d.Phases), d.Open()
	after := map[*roadmap.Plan][]*roadmap.Plan{} // the open plans that each depends on
	for _, p := range open {
		for _, dep := range meta(p).DependsOn {
			if g := index.resolve(dep, p); g != nil && len(g.plans) == 1 && g.plans[0] != p && !g.plans[0].Done() {
				after[p] = append(after[p], g.plans[0])
			}
		}
	}
	for _, plans := range components(open, after) {
		if len(plans) > 1 {
			found = append(found, Cycle{plans, wayBack(plans, after)})
		}
	}
	return found
}

// components returns the plans in sets of which each can be reached from each (Tarjan), sets and plans in the order of all.
func components(all []*roadmap.Plan, after map[*roadmap.Plan][]*roadmap.Plan) (sets [][]*roadmap.Plan) {
	number, low, open := map[*roadmap.Plan]int{}, map[*roadmap.Plan]int{}, map[*roadmap.Plan]bool{}
	set := map[*roadmap.Plan]int{}
	var stack []*roadmap.Plan
	var visit func(p *roadmap.Plan)
	visit = func(p *roadmap.Plan) {
		number[p] = len(number) + 1
		low[p], open[p], stack = number[p], true, append(stack, p)
		for _, on := range after[p] {
			if number[on] == 0 {
				visit(on)
				low[p] = min(low[p], low[on])
			} else if open[on] {
				low[p] = min(low[p], number[on])
			}
		}
		for low[p] == number[p] && open[p] {
			last := stack[len(stack)-1]
			stack, open[last], set[last] = stack[:len(stack)-1], false, number[p]
		}
	}
	for _, p := range all {
		if number[p] == 0 {
			visit(p)
		}
	}
	at := map[int]int{} // the index in sets
	for _, p := range all {
		i, ok := at[set[p]]
		if !ok {
			i = len(sets)
			at[set[p]], sets = i, append(sets, nil)
		}
		sets[i] = append(sets[i], p)
	}
	return sets
}

// wayBack returns a shortest way from the first of some plans, which can all be reached from each other, to one that depends on it.
func wayBack(plans []*roadmap.Plan, after map[*roadmap.Plan][]*roadmap.Plan) (way []*roadmap.Plan) {
	among := map[*roadmap.Plan]bool{}
	for _, p := range plans {
		among[p] = true
	}
	from := map[*roadmap.Plan]*roadmap.Plan{plans[0]: nil}
	for queue := plans[:1:1]; ; queue = queue[1:] {
		p := queue[0]
		for _, on := range after[p] {
			if on == plans[0] {
				for ; p != nil; p = from[p] {
					way = append(way, p)
				}
				slices.Reverse(way)
				return way
			}
			if _, known := from[on]; !known && among[on] {
				from[on], queue = p, append(queue, on)
			}
		}
	}
}

// conflictsOf returns the contradictions in a phase that concern one of its plans: the plan depends on an open plan of its own wave or of a
// later one, or such a plan depends on it.
func (n *next) conflictsOf(plan *roadmap.Plan) (found []WaveConflict) {
	var open []*roadmap.Plan
	for _, p := range n.open {
		if planref.Compare(p.Phase, plan.Phase) == 0 {
			open = append(open, p)
		}
	}
	for c := range waveConflicts(open, n.Meta, n.meant) {
		if c.Plan == plan || c.On == plan {
			found = append(found, c)
		}
	}
	return found
}
