package next

// depends.go: the plans that the entries of depends_on refer to.

import (
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

// planIndex holds the live plans of one root by the references that an entry may use: each plan by its own, and all
// plans of a phase by a reference without a plan. So a lookup takes constant time. Numbers are only valid within the
// root.
type planIndex map[planref.Ref]*planGroup

// planGroup holds the plans that one reference means.
type planGroup struct {
	plans   []*roadmap.Plan
	open    int  // number of plans that are not done
	halted  bool // one of them was halted or is blocked, or depends on one that is; the latter is known once checked
	checked bool
}

// indexPlans indexes the plans in some directories.
func indexPlans(dirs []roadmap.Dir) planIndex {
	x := planIndex{}
	for _, dir := range dirs {
		for i := range dir.Plans {
			p := &dir.Plans[i]
			for _, g := range x.groups(p) {
				g.plans, g.halted = append(g.plans, p), g.halted || p.Halted || p.Blocked
				if !p.Done() {
					g.open++
				}
			}
		}
	}
	return x
}

// groups returns the groups that a plan belongs to.
func (x planIndex) groups(p *roadmap.Plan) (groups []*planGroup) {
	for _, ref := range slices.Compact([]planref.Ref{phaseRef(p.Phase), planref.NewRef(p.Phase, p.Number), p.Ref()}) {
		if x[ref] == nil {
			x[ref] = &planGroup{}
		}
		groups = append(groups, x[ref])
	}
	return groups
}

// phaseRef returns the reference to all plans of a phase. It equals that of a plan without a number.
func phaseRef(phase planref.Number) planref.Ref { return planref.NewRef(phase, planref.Number{}) }

// has reports whether the group has a plan other than p.
func (g *planGroup) has(p *roadmap.Plan) bool {
	return g != nil && (len(g.plans) > 1 || len(g.plans) == 1 && g.plans[0] != p)
}

// resolve returns the plans that an entry of p refers to, which may include p, or nil. A bare 01 is plan 1 of the same
// phase, decimal or not (upstream lesson 19), if that exists and is not p; else the whole phase 1, if it comes before
// p's own. A plan does not wait for its own phase.
func (x planIndex) resolve(d frontmatter.Dependency, p *roadmap.Plan) *planGroup {
	if d.Ref != (planref.Ref{}) {
		return x.named(d.Ref)
	}
	if !d.IsPhase {
		if g := x[planref.NewRef(p.Phase, d.Number)]; g.has(p) {
			return g
		}
		if planref.Compare(d.Number, p.Phase) > 0 {
			return nil
		}
	}
	if planref.Compare(d.Number, p.Phase) == 0 {
		return nil
	}
	return x[phaseRef(d.Number)]
}

// named returns the plans that a reference means, or nil. The slug of the only plan with its number may be another one.
func (x planIndex) named(ref planref.Ref) *planGroup {
	if g := x[ref]; g != nil || ref.Numbered() == (planref.Ref{}) {
		return g
	}
	return x[ref.Numbered()]
}

// Dangling returns, for each open plan, the entries of its depends_on that refer to no plan although there are plans of the
// phase that they name. A phase without plans here may have been archived or removed, so an entry that refers to it is not
// returned; nor is one to a plan of which only the summary was kept, which list finds. It is called before d is Read, because one
// may depend on a plan that is superseded.
func Dangling(d *roadmap.Disk, list roadmap.List, meta func(*roadmap.Plan) frontmatter.Meta) map[*roadmap.Plan][]frontmatter.Dependency {
	dirs := slices.Concat(d.Phases, d.Archived)
	known, phases := indexPlans(dirs), map[string][]*roadmap.Dir{}
	for i := range dirs {
		for _, p := range dirs[i].Plans {
			if at := phases[p.Phase.Key()]; len(at) == 0 || at[len(at)-1] != &dirs[i] {
				phases[p.Phase.Key()] = append(at, &dirs[i])
			}
		}
	}
	isNamed := func(ref planref.Ref, dir *roadmap.Dir) bool {
		return slices.ContainsFunc(list(dir.Path), func(file string) bool {
			name, ok := planref.ParseName(file)
			return ok && name.In(dir.Number).Ref().Numbered() == ref.Numbered()
		})
	}
	found := map[*roadmap.Plan][]frontmatter.Dependency{}
	for _, p := range d.Open() {
		for _, dep := range meta(p).DependsOn {
			ref, phase := dep.Ref, p.Phase
			switch {
			case dep.IsPhase, ref != planref.Ref{} && ref.Numbered() == planref.Ref{}: // 11-voice may be a phase with its slug
				continue
			case ref == (planref.Ref{}):
				// Only a number greater than the phase's own cannot mean a phase before it.
				if planref.Compare(dep.Number, phase) <= 0 || phases[dep.Number.Key()] != nil {
					continue
				}
				ref = planref.NewRef(phase, dep.Number)
			}
			at := phases[ref.PhaseKey()]
			if known.named(ref) == nil && at != nil && !slices.ContainsFunc(at, func(dir *roadmap.Dir) bool { return isNamed(ref, dir) }) {
				found[p] = append(found[p], dep)
			}
		}
	}
	return found
}

// Waiting is an open plan that depends on plans that are open or were halted.
type Waiting struct {
	Plan *roadmap.Plan
	For  []*roadmap.Plan
}

// Waits returns the open plans of a phase that depend on plans that are open or were halted, in order.
func Waits(q Question, phase planref.Number) []Waiting {
	n := &next{Question: q}
	var all []Waiting
	for _, p := range q.Disk.Open() {
		if planref.Compare(p.Phase, phase) != 0 {
			continue
		}
		w := Waiting{Plan: p, For: n.waitsFor(p, func(other *roadmap.Plan) bool { return !other.Done() || other.Halted })}
		if len(w.For) > 0 {
			all = append(all, w)
		}
	}
	return all
}

// MayMean returns a function that reports whether entries of depends_on may mean plans in a directory with a number in its name,
// for roadmap.ScanFor.
func MayMean(entries []frontmatter.Dependency) func(planref.Number) bool {
	return func(n planref.Number) bool {
		key := n.Key()
		return slices.ContainsFunc(entries, func(dependency frontmatter.Dependency) bool {
			meant := dependency.Number.Key()
			if dependency.Ref != (planref.Ref{}) {
				meant = dependency.Ref.PhaseKey()
			}
			return meant == key || strings.HasPrefix(meant, key+"-") // the files in 02-10-x may show that it is phase 2-10
		})
	}
}

// WaitsFor returns the plans on which a plan depends that are open, and those that were halted. It reads the front matter of no others
// with meta, so d need not have been Read.
func WaitsFor(d *roadmap.Disk, plan string, meta func(path string) frontmatter.Meta) (open, halted []*roadmap.Plan) {
	n := &next{Question: Question{Disk: d, Meta: func(p *roadmap.Plan) frontmatter.Meta { return meta(p.Path) }}}
	for _, dir := range d.Phases {
		at := slices.IndexFunc(dir.Plans, func(p roadmap.Plan) bool { return p.Path == plan })
		if at < 0 {
			continue
		}
		isOpen := func(other *roadmap.Plan) bool {
			if !other.Done() {
				return !frontmatter.IsGivenUp(meta(other.Path).Status)
			}
			return slices.Contains([]string{frontmatter.Halted, frontmatter.Blocked, frontmatter.Unmerged}, meta(other.Summary).Status)
		}
		isDone := func(other *roadmap.Plan) bool { return !isOpen(other) }
		for _, other := range n.waitsFor(&dir.Plans[at], func(other *roadmap.Plan) bool {
			// In one of two directories of a number it may be done.
			return isOpen(other) && (other.Number.IsZero() || !slices.ContainsFunc(n.index[other.Ref()].plans, isDone))
		}) {
			if other.Done() && meta(other.Summary).Status == frontmatter.Halted {
				halted = append(halted, other)
			} else {
				open = append(open, other)
			}
		}
	}
	return open, halted
}

// waitsFor returns the plans on which a plan depends and for which is returns true.
func (n *next) waitsFor(p *roadmap.Plan, is func(*roadmap.Plan) bool) (all []*roadmap.Plan) {
	n.dependsOn(p, func(g *planGroup) bool {
		for _, other := range g.plans {
			if other != p && !slices.Contains(all, other) && is(other) {
				all = append(all, other)
			}
		}
		return len(all) > mostWaits
	})
	return all
}

// mostWaits limits what is compared for a plan that depends on everything.
const mostWaits = 100
