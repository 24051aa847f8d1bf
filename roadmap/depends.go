package roadmap

// depends.go: the entries of depends_on, and the plans that they mean. The forms are those that 960 front matters of real
// plans have: 03-01, 01 and Phase 3; upstream also takes the name of a plan's file. An entry that is not understood means
// no plan and holds nothing up, because a plan that never becomes ready is worse than one that is offered early.

import (
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// Dependency is one entry of depends_on. One of Ref and Number is set.
type Dependency struct {
	Text    string         // as written, on one line
	Ref     planref.Ref    // 03-01, 03-01-auth, 03-01-PLAN.md
	Number  planref.Number // 01: a plan of the same phase, else a phase
	IsPhase bool           // Phase 3: Number is a phase's
}

// parseDependency reads one entry; false where it is not understood.
func parseDependency(text string) (Dependency, bool) {
	d := Dependency{Text: OneLine(text)}
	word, _, _ := strings.Cut(d.Text, " ")
	if len(word) >= len("phase") && strings.EqualFold(word[:len("phase")], "phase") {
		number, _, ok := planref.CutNumber(strings.TrimLeft(d.Text[len("phase"):], " -_"))
		d.Number, d.IsPhase = number, true
		return d, ok
	}
	if strings.Contains(word, "quick/") { // which belongs to no phase
		return d, false
	}
	word = strings.TrimSuffix(path.Base(word), ".md")
	if d.Ref, d.Number = planref.ParseID(word); d.Ref != (planref.Ref{}) {
		d.Number = planref.Number{}
		return d, true
	}
	name, ok := planref.ParseName(word + ".md")
	if !ok {
		name, _ = planref.ParseName(word + "-PLAN.md")
	}
	switch {
	case name.Phase.IsZero():
		d.Number = name.Plan // PLAN-03
	case !name.Plan.IsZero():
		d.Ref = name.Ref()
	case name.Slug == "":
		d.Number = name.Phase
	}
	return d, d.Ref != (planref.Ref{}) || !d.Number.IsZero()
}

// planIndex is the live plans of one root by what an entry can call them, so that an entry costs the same however many plans
// there are: each by its reference, those of a phase by one without a plan. Numbers mean nothing beyond the root.
type planIndex map[planref.Ref]*planGroup

// planGroup is the plans that one reference means.
type planGroup struct {
	plans  []*Plan
	open   int  // how many of them are not done
	halted bool // one of them was halted, or waits for one that was; all is known once asked
	asked  bool
}

// indexPlans indexes the plans in some directories.
func indexPlans(dirs []Dir) planIndex {
	x := planIndex{}
	for _, dir := range dirs {
		for i := range dir.Plans {
			p := &dir.Plans[i]
			for _, g := range x.groups(p) {
				g.plans, g.halted = append(g.plans, p), g.halted || p.Halted
				if !p.Done() {
					g.open++
				}
			}
		}
	}
	return x
}

// groups are those that a plan belongs to.
func (x planIndex) groups(p *Plan) (groups []*planGroup) {
	for _, ref := range slices.Compact([]planref.Ref{phaseRef(p.Phase), p.ref()}) {
		if x[ref] == nil {
			x[ref] = &planGroup{}
		}
		groups = append(groups, x[ref])
	}
	return groups
}

// phaseRef means all plans of a phase, and so does the ref of a plan without a number.
func phaseRef(phase planref.Number) planref.Ref { return planref.NewRef(phase, planref.Number{}) }

// has reports whether the group has a plan but p.
func (g *planGroup) has(p *Plan) bool {
	return g != nil && (len(g.plans) > 1 || len(g.plans) == 1 && g.plans[0] != p)
}

// resolve returns the plans that an entry of p means, p maybe among them; nil where it means none. A bare 01 is plan 1 of
// the same phase, decimal or not (upstream lesson 19), if there is one besides p; else the whole phase 1, if that comes
// before p's own. A plan does not wait for its own phase.
func (x planIndex) resolve(d Dependency, p *Plan) *planGroup {
	if d.Ref != (planref.Ref{}) {
		return x[d.Ref]
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
