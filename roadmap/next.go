package roadmap

// next.go: which plan comes next (DESIGN.md, roadmap). "The first plan without a summary" is right in 62 of
// 100 real moments, for plans are done in parallel, phases are inserted, and old ones are left open for ever.
// So what commits say comes first, what the plans' own front matter says second, the roadmap third.

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Question is what the answer depends on. Only Disk must be there.
type Question struct {
	Disk     *Disk
	Roadmap  *Roadmap
	Path     string // of the roadmap, for what is said of its lines
	Evidence Evidence
	// Meta reads a plan's front matter, Tasks counts its tasks (0 where it cannot tell). They are asked only
	// about plans that matter.
	Meta  func(*Plan) Meta
	Tasks func(*Plan) int
	// Session is the path of the plan that the user has a live session on, "" for none. Finished plans count
	// as done though they have no summary yet: the user's session says so.
	Session  string
	Finished []string
}

// Answer names the plan that comes next.
type Answer struct {
	Plan      *Plan  // nil where nothing is left to do
	Phase     Number // the plan's; where Plan is nil, the phase that is to be planned, if one is known
	Wave      int    // as the plan tells it, if HasWave
	HasWave   bool
	Because   []string
	AlsoReady []*Plan // what could be done as well, the likelier first
}

// Limits on what else is named: it must stay honest, never a phase for its own sake.
const (
	maxReady   = 4 // more plans of the active phase that nothing holds up
	maxOther   = 3 // plans of other phases that are in flight
	maxUntold  = 1 // of a phase that tells neither waves nor dependencies
	maxGivenUp = 2 // plans that the roadmap has behind it
	recentWork = 150
)

// Next answers a question. It is pure but for the question's own functions.
func Next(q Question) Answer {
	n := next{Question: q}
	if n.Roadmap == nil {
		n.Roadmap = &Roadmap{}
	}
	for _, p := range n.Disk.Open() {
		if !slices.Contains(n.Finished, p.Path) {
			n.open = append(n.open, p)
		}
	}
	if len(n.open) == 0 {
		return n.nothingLeft()
	}
	phase, why := n.phase()
	if phase.IsZero() && why == "" {
		return n.nothingLeft()
	}
	flying := n.flying(func(p *Plan) bool { return Compare(p.Phase, phase) == 0 })
	ready, told := n.ready(phase)
	ready = slices.DeleteFunc(ready, func(p *Plan) bool { return slices.Contains(flying, p) })
	most := maxReady
	if !told {
		most = maxUntold
	}
	if len(flying) == 0 {
		most++
	}
	open := len(flying) // of those, whom no commit calls complete
	for open > 0 && n.work(flying[open-1]).Closed {
		open--
	}
	elsewhere := n.flying(func(p *Plan) bool { return Compare(p.Phase, phase) != 0 && n.work(p).Age < recentWork })
	order := slices.Concat(flying[:open], ready[:min(len(ready), most)], flying[open:], elsewhere[:min(len(elsewhere), maxOther)])
	if i := slices.IndexFunc(n.open, func(p *Plan) bool { return p.Path == n.Session }); i >= 0 {
		order = slices.DeleteFunc(order, func(p *Plan) bool { return p == n.open[i] })
		order = append([]*Plan{n.open[i]}, order...)
	}
	first := order[0]
	m := n.meta(first)
	return Answer{
		Plan: first, Phase: first.Phase, Wave: m.Wave, HasWave: m.HasWave,
		Because: n.because(first, phase, why), AlsoReady: order[1:],
	}
}

// next is a question being answered.
type next struct {
	Question
	open  []*Plan
	metas map[*Plan]Meta

	// All live plans, done or not, where each is among them, and how dependencies see them.
	plans  []*Plan
	at     map[string]int
	places []planPlace
}

func (n *next) meta(p *Plan) Meta {
	if n.Meta == nil {
		return Meta{}
	}
	m, ok := n.metas[p]
	if !ok {
		m = n.Meta(p)
		if n.metas == nil {
			n.metas = map[*Plan]Meta{}
		}
		n.metas[p] = m
	}
	return m
}

func (n *next) work(p *Plan) Work {
	if w := n.Evidence.Work[p.Path]; w != nil {
		return *w
	}
	return Work{}
}

// committed tells whether each of a plan's tasks has its commit, as upstream makes one a task.
func (n *next) committed(p *Plan) bool {
	tasks := 1
	if n.Tasks != nil {
		tasks = max(1, n.Tasks(p))
	}
	return n.work(p).Commits >= tasks
}

// flying lists the plans that commits worked on. First those whose tasks are all committed, the longest
// untouched first, for their summary is due; then the others, the latest touched first; then those that a
// commit calls complete.
func (n *next) flying(among func(*Plan) bool) []*Plan {
	var plans []*Plan
	rank := map[*Plan]int{}
	for _, p := range n.open {
		switch w := n.work(p); {
		case w.Commits == 0 || !among(p):
			continue
		case w.Closed:
			rank[p] = 2
		case !n.committed(p):
			rank[p] = 1
		}
		plans = append(plans, p)
	}
	slices.SortStableFunc(plans, func(a, b *Plan) int {
		newest := cmp.Compare(n.work(a).Age, n.work(b).Age)
		if rank[a] == 0 {
			newest = -newest
		}
		return cmp.Or(cmp.Compare(rank[a], rank[b]), newest)
	})
	return plans
}

// phase is the phase that is worked on, with the reason: the active one while it has open plans; then one
// in which a plan is in flight; the one that the roadmap has in progress; the nearest after the active one;
// the lowest. What the roadmap has put off or has done comes last.
func (n *next) phase() (Number, string) {
	active := n.Evidence.Active
	if !active.IsZero() && n.has(active) {
		return active, fmt.Sprintf("phase %s is active: the latest commit of a plan or summary is its, %s", active, brief(n.Evidence.By))
	}
	if flying := n.flying(func(p *Plan) bool { return n.work(p).Age < recentWork }); len(flying) > 0 {
		return flying[0].Phase, fmt.Sprintf("a plan of phase %s is in flight", flying[0].Phase)
	}
	ph, found := n.Roadmap.Current()
	if found && n.has(ph.Number) {
		return ph.Number, fmt.Sprintf("phase %s is the current one in the roadmap (%s:%d)", ph.Number, n.Path, ph.Line)
	}
	over := n.over()
	var before, after, late Number
	for _, p := range n.open {
		switch {
		case over[p.Phase.key()]:
			late = cmp.Or(late, p.Phase)
		case active.IsZero() || Compare(p.Phase, active) < 0:
			before = cmp.Or(before, p.Phase)
		default:
			after = cmp.Or(after, p.Phase)
		}
	}
	switch {
	case !after.IsZero():
		return after, fmt.Sprintf("every plan of phase %s is done, and phase %s comes after it", active, after)
	case !before.IsZero():
		return before, fmt.Sprintf("phase %s is the lowest with an open plan", before)
	case found:
		return Number{}, "" // what is open was given up; the current phase is to be planned
	}
	return late, fmt.Sprintf("phase %s is the lowest with an open plan", late)
}

// over tells the phases that the roadmap has done or put off, or whose milestone it has.
func (n *next) over() map[string]bool {
	milestones := map[string]bool{}
	for _, m := range n.Roadmap.Milestones {
		milestones[m.Version] = m.Version != "" && (m.Status == Complete || m.Status == Deferred)
	}
	over := map[string]bool{}
	for _, e := range Join(n.Disk, n.Roadmap) {
		over[e.Number.key()] = e.Status == Complete || e.Status == Deferred || milestones[e.Milestone]
	}
	return over
}

// has tells whether a phase has open plans.
func (n *next) has(phase Number) bool {
	return slices.ContainsFunc(n.open, func(p *Plan) bool { return Compare(p.Phase, phase) == 0 })
}

// ready lists the plans of a phase that nothing holds up: of those whose dependencies are all done the lowest
// wave. Where every plan waits for another, all do. told is false if no plan says anything of its order.
func (n *next) ready(phase Number) (plans []*Plan, told bool) {
	var all []*Plan
	for _, p := range n.open {
		if Compare(p.Phase, phase) != 0 {
			continue
		}
		all = append(all, p)
		m := n.meta(p)
		told = told || m.HasWave || len(m.DependsOn) > 0
		if len(n.waits(p)) == 0 {
			plans = append(plans, p)
		}
	}
	if len(plans) == 0 {
		plans = all
	}
	lowest := slices.MinFunc(plans, func(a, b *Plan) int { return cmp.Compare(n.meta(a).Wave, n.meta(b).Wave) })
	wave := n.meta(lowest).Wave
	return slices.DeleteFunc(plans, func(p *Plan) bool { return n.meta(p).Wave != wave }), told
}

// waits lists the open plans that a plan depends on.
func (n *next) waits(p *Plan) []*Plan {
	if n.places == nil {
		n.place()
	}
	var waits []*Plan
	for _, d := range n.meta(p).DependsOn {
		for _, i := range d.resolve(n.places, n.at[p.Path]) {
			if other := n.plans[i]; slices.Contains(n.open, other) {
				waits = append(waits, other)
			}
		}
	}
	return waits
}

// place lists all live plans as dependencies see them.
func (n *next) place() {
	n.at, n.places = map[string]int{}, []planPlace{}
	for i := range n.Disk.Phases {
		for j := range n.Disk.Phases[i].Plans {
			p := &n.Disk.Phases[i].Plans[j]
			name, _ := parseName(path.Base(p.Path))
			n.at[p.Path] = len(n.plans)
			n.plans = append(n.plans, p)
			n.places = append(n.places, planPlace{p.Phase, p.Number, cmp.Or(name.stem, path.Base(path.Dir(p.Path)))})
		}
	}
}

// because says in short sentences why first was chosen.
func (n *next) because(first *Plan, phase Number, why string) []string {
	var says []string
	if first.Path == n.Session {
		says = append(says, "your session is on it")
	}
	if w := n.work(first); w.Commits > 0 {
		text := fmt.Sprintf("%s on it and no summary yet, the last %s", plural(w.Commits, "commit"), brief(w.Last))
		if w.Closed {
			text += "; one of them calls it complete, so its summary is missing"
		} else if n.committed(first) {
			text += "; as many commits as it has tasks, so its summary is due"
		}
		says = append(says, text)
	}
	if Compare(first.Phase, phase) == 0 {
		says = append(says, why)
	}
	if n.work(first).Commits == 0 && first.Path != n.Session {
		m := n.meta(first)
		if m.HasWave {
			says = append(says, fmt.Sprintf("wave %d is the lowest open one of phase %s", m.Wave, first.Phase))
		}
		var deps []string
		for _, d := range m.DependsOn {
			deps = append(deps, d.Text)
		}
		if waits := n.waits(first); len(waits) > 0 {
			says = append(says, "every open plan of the phase waits for another; this one is the first")
		} else if len(deps) > 0 {
			says = append(says, "what it depends on is done: "+strings.Join(deps, ", "))
		}
	}
	return says
}

// nothingLeft answers where no plan is to be done: the roadmap may know a phase that is to be planned, the
// current one or, where all of its plans are done whatever the roadmap says, the next.
func (n *next) nothingLeft() Answer {
	ph, ok := n.Roadmap.Current()
	for _, e := range Join(n.Disk, n.Roadmap) {
		if !ok || Compare(e.Number, ph.Number) < 0 || e.Milestone != ph.Milestone && Compare(e.Number, ph.Number) == 0 {
			continue
		}
		if e.Line > 0 && e.Status != Complete && e.Status != Deferred && (e.Dir == nil || e.Dir.Done() == len(e.Dir.Plans)) {
			return n.given(Answer{Phase: e.Number, Because: []string{
				fmt.Sprintf("phase %s is next in the roadmap and has no open plan (%s:%d)", e.Number, n.Path, e.Line),
			}})
		}
	}
	switch {
	case len(n.Disk.Phases) == 0:
		return Answer{Because: []string{"there is no plan yet"}}
	case len(n.open) == 0:
		return Answer{Because: []string{"every plan has its summary"}}
	}
	return n.given(Answer{})
}

// given adds to an answer without a plan those that have no summary although the roadmap has their phases
// behind it.
func (n *next) given(a Answer) Answer {
	if len(n.open) == 0 {
		return a
	}
	a.AlsoReady = n.open[:min(len(n.open), maxGivenUp)]
	a.Because = append(a.Because, fmt.Sprintf("%s of phases that the roadmap has behind it without a summary", plural(len(n.open), "plan")))
	return a
}

// brief names a commit in a sentence.
func brief(c Commit) string { return c.ID[:min(len(c.ID), 7)] + " " + c.Subject }

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
