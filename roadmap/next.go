package roadmap

// next.go: which plan comes next (docs/design.md, roadmap). "The first plan without a summary" is right in 62 of
// 100 real moments, for plans are done in parallel, phases are inserted, and old ones are left open for ever.
// So what commits say comes first, what the plans' own front matter says second, the roadmap third.

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/planref"
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
	// Jobs says for a plan's path which job is at work on it: it is not offered, and it is not done.
	Jobs map[string]string
	// Taken tells for a plan's path which other user has a session on it with something left to do.
	Taken map[string]string
}

// Answer names the plan that comes next.
type Answer struct {
	Plan      *Plan          // nil where nothing is left to do
	Phase     planref.Number // the plan's; where Plan is nil, the phase that is to be planned, if one is known
	Wave      int            // as the plan tells it, if HasWave
	HasWave   bool
	Because   []string
	AlsoReady []*Plan // what could be done as well, the likelier first
	// Waves and Overlaps say where the open plans of the phase contradict each other.
	Waves, Overlaps []string
}

// Limits on what else is named: it must stay honest, never a phase for its own sake.
const (
	maxReady   = 4 // more plans of the active phase that nothing holds up
	maxOther   = 3 // plans of other phases that are in flight
	maxUntold  = 1 // of a phase that tells neither waves nor dependencies
	maxGivenUp = 2 // plans that the roadmap has behind it
	maxAlso    = 8 // all together
	maxTaken   = 3 // other users that are told of
)

// Next answers a question. It is pure but for the question's own functions.
func Next(q Question) Answer {
	n := next{Question: q, isOpen: map[*Plan]bool{}}
	if n.Roadmap == nil {
		n.Roadmap = &Roadmap{}
	}
	for _, p := range n.Disk.Open() {
		if !slices.Contains(n.Finished, p.Path) {
			n.isOpen[p] = true
			if n.Jobs[p.Path] == "" {
				n.open = append(n.open, p)
			}
		}
	}
	n.holdBack()
	var order []*Plan
	var phase planref.Number
	var why string
	for tries := 0; ; tries++ {
		order = nil
		if len(n.open) > 0 {
			var ok bool
			if phase, why, ok = n.phase(); ok {
				order = n.order(phase)
			}
		}
		if tries == maxUnusable || !n.dropUnusable(order) {
			break
		}
	}
	if mine := n.session(); mine != nil {
		order = append([]*Plan{mine}, slices.DeleteFunc(order, func(p *Plan) bool { return p == mine })...)
	}
	if len(order) == 0 {
		return n.nothingLeft()
	}
	first := order[0]
	m := n.meta(first)
	waves, overlaps := n.contradictions(first.Phase)
	return Answer{
		Waves: waves, Overlaps: overlaps,
		Plan: first, Phase: first.Phase, Wave: m.Wave, HasWave: m.HasWave,
		Because: n.because(first, phase, why), AlsoReady: order[1:min(len(order), maxAlso+1)],
	}
}

// maxUnusable is how often an answer is sought again because something in it was no usable plan.
const maxUnusable = 5

// dropUnusable takes what cannot be carried out from the open plans: of what was found, and of the phases that these are
// in. It reports whether there was any.
func (n *next) dropUnusable(order []*Plan) bool {
	phases := map[string]bool{}
	for _, p := range order {
		phases[p.Phase.Key()] = true
	}
	before := len(n.open)
	n.open = slices.DeleteFunc(n.open, func(p *Plan) bool {
		unusable := phases[p.Phase.Key()] && (n.meta(p).Unusable != "" || n.meta(p).Status == Superseded)
		if unusable {
			delete(n.isOpen, p)
		}
		return unusable
	})
	if len(n.open) == before {
		return false
	}
	n.index = nil
	return true
}

// order lists the plans to do now, the likeliest first: those in flight in the phase, those that are ready,
// those that a commit calls complete, and those in flight elsewhere. What somebody else has in hand comes last.
func (n *next) order(phase planref.Number) []*Plan {
	flying := n.flying(inPhase(phase))
	ready, told := n.ready(phase)
	ready = slices.DeleteFunc(ready, func(p *Plan) bool { return n.work(p).Commits > 0 }) // those are in flight
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
	elsewhere := n.flying(func(p *Plan) bool { return planref.Compare(p.Phase, phase) != 0 })
	order := slices.Concat(flying[:open], ready[:min(len(ready), most)], flying[open:], elsewhere[:min(len(elsewhere), maxOther)])
	isFree := func(p *Plan) bool { return n.Taken[p.Path] == "" }
	taken := slices.DeleteFunc(slices.Clone(order), isFree)
	return append(slices.DeleteFunc(order, func(p *Plan) bool { return !isFree(p) }), taken...)
}

// session is the plan that the user's session is on, wherever it lies: a quick task's too. nil where there is
// none, or where it is done.
func (n *next) session() *Plan {
	if n.Session == "" || slices.Contains(n.Finished, n.Session) {
		return nil
	}
	for i := range n.Disk.Phases {
		for j := range n.Disk.Phases[i].Plans {
			if p := &n.Disk.Phases[i].Plans[j]; p.Path == n.Session {
				if p.Done() {
					return nil
				}
				return p
			}
		}
	}
	p := &Plan{Path: n.Session}
	p.ID, _ = planref.PlanID(n.Session)
	p.Phase, _ = planref.PhaseOfPlan(n.Session)
	return p
}

// next is a question being answered.
type next struct {
	Question
	open   []*Plan
	isOpen map[*Plan]bool
	held   []*Plan // those that wait for a plan which was halted, and so are not in open
	metas  map[*Plan]Meta

	joined []Entry
	// All live plans, done or not, as dependencies see them.
	index *planIndex
}

func (n *next) meta(p *Plan) Meta {
	if n.Meta == nil {
		return Meta{Wave: 1}
	}
	m, ok := n.metas[p]
	if !ok {
		m = n.Meta(p)
		if !m.HasWave {
			m.Wave = 1 // as upstream has it
		}
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
// the lowest. What the roadmap has put off or has done comes last; so does an active phase that it has done and
// in which nothing is in flight, once there are plans of a later one. ok is false where the roadmap has all that
// is open behind it.
func (n *next) phase() (phase planref.Number, why string, ok bool) {
	active := n.Evidence.Active
	here := !active.IsZero() && n.has(active)
	isActive := fmt.Sprintf("phase %s is active by its latest commit, %s", active, brief(n.Evidence.By))
	if here && len(n.flying(inPhase(active))) > 0 {
		return active, isActive, true
	}
	over := n.over()
	var before, after *Plan // the first open plans, of phases that are not over
	for _, p := range n.open {
		switch {
		case over[p.Phase.Key()]:
		case active.IsZero() || planref.Compare(p.Phase, active) < 0:
			before = cmp.Or(before, p)
		case planref.Compare(p.Phase, active) > 0:
			after = cmp.Or(after, p)
		}
	}
	passed := here && over[active.Key()] && after != nil
	if here && !passed {
		return active, isActive, true
	}
	if flying := n.flying(func(*Plan) bool { return true }); len(flying) > 0 {
		return flying[0].Phase, fmt.Sprintf("a plan of %s is in flight", phaseName(flying[0])), true
	}
	if current, ok := n.Roadmap.Current(); ok && n.has(current.Number) {
		return current.Number, fmt.Sprintf("phase %s is the current one in the roadmap (%s:%d)", current.Number, n.Path, current.Line), true
	}
	switch {
	case passed:
		return after.Phase, fmt.Sprintf("the roadmap has phase %s behind it, and %s comes after it", active, phaseName(after)), true
	case after != nil:
		return after.Phase, fmt.Sprintf("every plan of phase %s is done, and %s comes after it", active, phaseName(after)), true
	case before != nil:
		return before.Phase, phaseName(before) + " is the lowest with an open plan", true
	}
	return planref.Number{}, "", false
}

// inPhase picks the plans of a phase.
func inPhase(phase planref.Number) func(*Plan) bool {
	return func(p *Plan) bool { return planref.Compare(p.Phase, phase) == 0 }
}

// phaseName is what a plan's phase is called: by its number, else by its directory.
func phaseName(p *Plan) string {
	if p.Phase.IsZero() {
		return path.Base(path.Dir(p.Path))
	}
	return "phase " + p.Phase.String()
}

// over tells the phases that the roadmap has done or put off, or whose milestone it has, and those of the
// backlog. Where numbers start again, all that are live must be.
func (n *next) over() map[string]bool {
	milestones := map[string]bool{}
	for _, m := range n.Roadmap.Milestones {
		milestones[m.Version] = m.Version != "" && (m.Status == Complete || m.Status == Deferred)
	}
	over, known := map[string]bool{}, map[string]bool{}
	behind := false // whether the last phase that the roadmap mentions is of a milestone that is over
	for _, e := range n.entries() {
		if e.Line > 0 {
			behind = milestones[e.Milestone]
		}
		if e.Dir == nil || e.Dir.Milestone != "" {
			continue
		}
		key := e.Number.Key()
		is := e.Status == Complete || e.Status == Deferred || milestones[e.Milestone] || e.Number.IsSentinel()
		if e.Line == 0 { // squeezed in between others, or told as one of `Phases 1-10`
			is = is || behind || milestones[rangeOf(n.Roadmap.ranges, e.Number)]
		}
		over[key] = is && (over[key] || !known[key])
		known[key] = true
	}
	return over
}

// entries joins the roadmap and the disk, once.
func (n *next) entries() []Entry {
	if n.joined == nil {
		n.joined = Join(n.Disk, n.Roadmap)
	}
	return n.joined
}

// has tells whether a phase has open plans.
func (n *next) has(phase planref.Number) bool {
	return slices.ContainsFunc(n.open, func(p *Plan) bool { return planref.Compare(p.Phase, phase) == 0 })
}

// ready lists the plans of a phase that nothing holds up: of those whose dependencies are all done the lowest
// wave. Where every plan waits for another, all do. told is false if no plan says anything of its order.
func (n *next) ready(phase planref.Number) (plans []*Plan, told bool) {
	var all []*Plan
	for _, p := range n.open {
		if planref.Compare(p.Phase, phase) != 0 {
			continue
		}
		all = append(all, p)
		m := n.meta(p)
		told = told || m.HasWave || len(m.DependsOn) > 0
		if !n.waits(p) {
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

// holdBack takes the plans that depend on one which was halted out of the open ones, and those that depend on these, as
// upstream does: whoever stopped the work did not want them to begin.
func (n *next) holdBack() {
	halted := func(p Plan) bool { return p.Halted }
	if !slices.ContainsFunc(n.Disk.Phases, func(d Dir) bool { return slices.ContainsFunc(d.Plans, halted) }) {
		return
	}
	known := map[*planGroup]bool{} // whether a plan of the group is halted or held
	var isHeld func(p *Plan) bool
	holds := func(g *planGroup) bool {
		if _, ok := known[g]; !ok {
			known[g] = false // where plans wait for each other nothing is halted
			known[g] = slices.ContainsFunc(g.plans, func(p *Plan) bool { return p.Halted || n.isOpen[p] && isHeld(p) })
		}
		return known[g]
	}
	isHeld = func(p *Plan) bool {
		return slices.ContainsFunc(n.meta(p).DependsOn, func(d Dependency) bool {
			g := n.meant(d, p)
			return g != nil && holds(g)
		})
	}
	n.open = slices.DeleteFunc(n.open, func(p *Plan) bool {
		held := isHeld(p)
		if held {
			n.held = append(n.held, p)
		}
		return held
	})
}

// waits reports whether a plan depends on an open one.
func (n *next) waits(p *Plan) bool {
	return slices.ContainsFunc(n.meta(p).DependsOn, func(d Dependency) bool {
		g := n.meant(d, p)
		return g != nil && (g.open > 1 || g.open == 1 && !(n.isOpen[p] && g == n.index.byRef[p.ref()]))
	})
}

// meant returns the plans that an entry of a plan's depends_on means, nil for none.
func (n *next) meant(d Dependency, by *Plan) *planGroup {
	if n.index == nil {
		var plans []*Plan
		for i := range n.Disk.Phases {
			for j := range n.Disk.Phases[i].Plans {
				plans = append(plans, &n.Disk.Phases[i].Plans[j])
			}
		}
		n.index = indexPlans(plans, func(p *Plan) bool { return n.isOpen[p] })
	}
	return n.index.resolve(d, by)
}

// because says in short sentences why first was chosen.
func (n *next) because(first *Plan, phase planref.Number, why string) []string {
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
	if planref.Compare(first.Phase, phase) == 0 {
		says = append(says, why)
	}
	if n.work(first).Commits == 0 && first.Path != n.Session {
		says = append(says, n.orderBecause(first)...)
	}
	var others []string
	for _, p := range n.open {
		if who := n.Taken[p.Path]; who != "" && p != first && len(others) < maxTaken {
			others = append(others, who+" has a session on "+p.Label())
		}
	}
	if who := n.Taken[first.Path]; who != "" {
		others = append([]string{who + " has a session on it, too"}, others...)
	}
	return append(says, others...)
}

// orderBecause says why a plan that nobody began is the next by what plans say of their order.
func (n *next) orderBecause(first *Plan) []string {
	var says []string
	m := n.meta(first)
	if m.HasWave {
		lowest := m.Wave
		for _, p := range n.open {
			if planref.Compare(p.Phase, first.Phase) == 0 {
				lowest = min(lowest, n.meta(p).Wave)
			}
		}
		if lowest == m.Wave {
			says = append(says, fmt.Sprintf("wave %d is the lowest open one of %s", m.Wave, phaseName(first)))
		} else {
			says = append(says, fmt.Sprintf("wave %d is the lowest of %s that waits for nothing", m.Wave, phaseName(first)))
		}
	}
	if n.waits(first) {
		return append(says, "every open plan of the phase waits for another; this one is the first")
	}
	var done, unknown []string
	for _, d := range m.DependsOn {
		if d.Ref == first.ref() {
			continue // on itself
		}
		if n.meant(d, first).has(first) {
			done = append(done, d.Text)
		} else {
			unknown = append(unknown, d.Text)
		}
	}
	if len(done) > 0 {
		says = append(says, "what it depends on is done: "+strings.Join(done, ", "))
	}
	if len(unknown) > 0 {
		says = append(says, "it also names what is no open plan: "+strings.Join(unknown, ", "))
	}
	return says
}

// nothingLeft answers where no plan is to be done: the roadmap may know a phase that is to be planned, the
// current one or, where all of its plans are done whatever the roadmap says, the next.
func (n *next) nothingLeft() Answer {
	entries := n.entries()
	if ph, ok := n.Roadmap.Current(); ok {
		at := slices.IndexFunc(entries, func(e Entry) bool {
			return planref.Compare(e.Number, ph.Number) == 0 && e.Milestone == ph.Milestone && e.Line > 0
		})
		for _, e := range entries[max(at, 0):] {
			if e.Line > 0 && e.Status != Complete && e.Status != Deferred && (e.Dir == nil || e.Dir.Done() == len(e.Dir.Plans)) {
				return n.given(Answer{Phase: e.Number, Because: []string{
					fmt.Sprintf("phase %s is next in the roadmap and has no open plan (%s:%d)", e.Number, n.Path, e.Line),
				}})
			}
		}
	}
	if len(n.open) == 0 && len(n.held) > 0 {
		return Answer{Phase: n.held[0].Phase, Because: []string{
			fmt.Sprintf("%s for one that was halted, the first of them %s", waiting(len(n.held)), n.held[0].Label()),
		}}
	}
	if len(n.open) == 0 && len(n.Jobs) > 0 {
		first := slices.Sorted(maps.Keys(n.Jobs))[0]
		return Answer{Because: []string{plural(len(n.Jobs), "plan") + " at work elsewhere: " + first + ", " + n.Jobs[first]}}
	}
	planned := slices.ContainsFunc(entries, func(e Entry) bool { return e.Dir != nil && len(e.Dir.Plans) > 0 })
	switch {
	case !planned:
		return Answer{Because: []string{"no phase has a plan yet"}}
	case len(n.open) == 0 && len(n.Finished) > 0:
		return Answer{Because: []string{"every other plan has its summary"}}
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
	a.Because = append(a.Because, fmt.Sprintf("%s without a summary in phases that the roadmap has behind it", plural(len(n.open), "plan")))
	return a
}

// brief names a commit in a sentence. Its subject is somebody's text, and stands in quotes that it cannot end.
func brief(c evidence.Commit) string {
	return c.ID[:min(len(c.ID), 7)] + ` "` + strings.ReplaceAll(c.Subject, `"`, "'") + `"`
}

// waiting is how many plans wait.
func waiting(n int) string {
	if n == 1 {
		return "1 plan waits"
	}
	return fmt.Sprintf("%d plans wait", n)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
