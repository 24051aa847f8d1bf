package roadmap

// next.go: which plan comes next (docs/design.md, roadmap). "The first plan without a summary" is right in 62 of
// 100 real moments, for plans are done in parallel, phases are inserted, and old ones are left open for ever.
// So what commits say comes first, what the plans' own front matter says second, the roadmap third.

import (
	"cmp"
	"fmt"
	"maps"
	"math"
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
	// Session is the path of the plan that the user has a live session on, "" for none.
	Session string
	// Ended says for a plan's path whose session has all of its tasks complete, Taken which other user has a session on it
	// with something left to do, Jobs which job is at work on it: then it is neither offered nor done.
	Ended, Taken, Jobs map[string]string
}

// Answer names the plan that comes next.
type Answer struct {
	Plan  *Plan          // nil where nothing is left to do
	Phase planref.Number // the plan's; where Plan is nil, the phase that is to be planned or verified, if one is known
	Meta  Meta           // of Plan
	Ended bool           // all of its tasks are complete: what is missing is its summary
	// Unverified is what the verification of Phase says where Plan is nil and every plan of the phase is done: gaps_found.
	Unverified string
	Because    []string
	AlsoReady  []*Plan // what could be done as well, the likelier first
	// Waves and Overlaps say where the open plans of the phase contradict each other.
	Waves, Overlaps []string
}

// maxAlso is how many other plans are named: it must stay honest.
const maxAlso = 4

// next is a question being answered.
type next struct {
	Question
	entries []Entry
	current *Entry  // of them; nil where there is none
	before  []Entry // those before it
	scope   Scope
	place   map[string]int // where a live phase stands among the entries, by its number's key
	behind  map[string]bool
	isOpen  map[*Plan]bool // those without a summary
	open    []*Plan        // of these those that may be offered
	ended   []*Plan        // those of which only the summary is missing
	held    []*Plan        // those that wait for a plan which was halted
	ready   []*Plan        // those to do now, in order
	index   *planIndex     // all live plans, done or not, as dependencies see them
}

// Next answers a question. It is pure but for the question's own functions.
func Next(q Question) Answer {
	if q.Roadmap == nil {
		q.Roadmap = &Roadmap{}
	}
	if q.Meta == nil {
		q.Meta = func(*Plan) Meta { return Meta{} }
	}
	if q.Tasks == nil {
		q.Tasks = func(*Plan) int { return 0 }
	}
	n := &next{Question: q, isOpen: map[*Plan]bool{}, entries: Join(q.Disk, q.Roadmap)}
	n.scope = q.Roadmap.Scope(n.entries)
	n.place, n.behind = n.places()
	n.current, n.before = n.findCurrent()
	for _, p := range q.Disk.Open() {
		n.isOpen[p] = true
		switch {
		case n.Jobs[p.Path] != "":
		case n.Ended[p.Path] != "":
			n.ended = append(n.ended, p)
		default:
			n.open = append(n.open, p)
		}
	}
	n.holdBack()
	phase, why, byCommits := n.phase()
	if why != "" {
		n.ready = n.order(phase)
	}
	order := append(n.ended, n.ready...)
	if mine := n.session(); mine != nil {
		order = append([]*Plan{mine}, slices.DeleteFunc(order, func(p *Plan) bool { return p == mine })...)
		byCommits = true
	}
	if len(order) == 0 || len(n.ended) == 0 && !byCommits && n.isBefore(order[0]) {
		return n.withoutPlan()
	}
	first := order[0]
	a := Answer{Plan: first, Phase: first.Phase, Meta: n.Meta(first), Ended: n.Ended[first.Path] != "", AlsoReady: order[1:min(len(order), maxAlso+1)]}
	a.Because = append(n.unverified(n.entries[:n.place[first.Phase.Key()]]), n.because(first, phase, why, a.AlsoReady)...)
	a.Waves, a.Overlaps = n.contradictions(first.Phase)
	return a
}

// places finds the live phases among the entries, and tells those that the roadmap has behind it: done or put off, by
// themselves or with their milestone, and those that never count. Where numbers start again, all that are live must be.
func (n *next) places() (place map[string]int, behind map[string]bool) {
	place, behind = map[string]int{}, map[string]bool{}
	for i, e := range n.entries {
		if e.Dir == nil || e.isArchived() {
			continue
		}
		key := e.Number.Key()
		_, known := place[key]
		place[key] = i
		behind[key] = (behind[key] || !known) && (e.isOver() || n.scope.over[e.Milestone] || e.Number.IsSentinel())
	}
	return place, behind
}

// isOver reports whether nothing of the phase is left to do, or nobody wants it done.
func (e *Entry) isOver() bool { return e.Status == Complete || e.Status == Deferred }

// order lists the plans to do now, the likeliest first: those in flight in the phase, those that are ready, those that a
// commit calls complete, of which some projects never write the summary, and those in flight elsewhere. What somebody else
// has in hand comes last.
func (n *next) order(phase planref.Number) []*Plan {
	ready := slices.DeleteFunc(n.readyIn(phase), func(p *Plan) bool { return n.work(p).Commits > 0 }) // those are in flight
	elsewhere := n.flying(func(p *Plan) bool { return planref.Compare(p.Phase, phase) != 0 })
	flying := n.flying(inPhase(phase))
	closed := len(flying)
	for closed > 0 && n.work(flying[closed-1]).Closed {
		closed--
	}
	order := slices.Concat(flying[:closed], ready, flying[closed:], elsewhere)
	slices.SortStableFunc(order, func(a, b *Plan) int { return cmp.Compare(min(1, len(n.Taken[a.Path])), min(1, len(n.Taken[b.Path]))) })
	return order
}

// session is the plan that the user's session is on, wherever it lies: a quick task's too. nil where there is
// none, or where it is done.
func (n *next) session() *Plan {
	if n.Session == "" {
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

func (n *next) work(p *Plan) Work {
	if w := n.Evidence.Work[p.Path]; w != nil {
		return *w
	}
	return Work{}
}

// committed reports whether each of a plan's tasks has its commit, as upstream makes one a task.
func (n *next) committed(p *Plan) bool { return n.work(p).Commits >= max(1, n.Tasks(p)) }

// wave is the wave of a plan, the first where it tells none, as upstream has it.
func (n *next) wave(p *Plan) int {
	if m := n.Meta(p); m.HasWave {
		return m.Wave
	}
	return 1
}

// usable reports whether a plan can be carried out. It is asked of those alone that may be offered.
func (n *next) usable(p *Plan) bool {
	m := n.Meta(p)
	return m.Unusable == "" && m.Status != Superseded
}

// flying lists the plans that commits worked on. First those whose tasks are all committed, the longest
// untouched first, for their summary is due; then the others, the latest touched first; then those that a
// commit calls complete.
func (n *next) flying(among func(*Plan) bool) []*Plan {
	var plans []*Plan
	rank := map[*Plan]int{}
	for _, p := range n.open {
		switch w := n.work(p); {
		case w.Commits == 0 || !among(p) || !n.usable(p):
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

// findCurrent is the phase that the roadmap goes on with: of those that count and are not over the first in progress, else
// the first; nil where there is none. One that only wants its verification is passed by once work on a later one is done:
// real projects leave human_needed standing.
func (n *next) findCurrent() (current *Entry, before []Entry) {
	begun := 0
	for i, e := range n.entries {
		if e.Dir != nil && e.Dir.Done() > 0 {
			begun = i
		}
	}
	for i := range n.entries {
		e := &n.entries[i]
		switch {
		case e.Line == 0 || e.isOver() || !n.scope.Counts(e.Milestone, e.Number) || e.unverified() != "" && i < begun:
		case e.Status == InProgress:
			return e, n.entries[:i]
		case current == nil:
			current, before = e, n.entries[:i]
		}
	}
	return current, before
}

// unverified is the status of a verification that the phase did not pass, although all is done in it; "" for any other.
func (e *Entry) unverified() string {
	if e.Dir == nil || e.isArchived() || e.Dir.Done() < len(e.Dir.Plans) {
		return ""
	}
	return e.Dir.Unverified()
}

// isBefore reports whether the current phase comes before a plan that is ready, though it has no open plan itself: it is to
// be verified; or it is under way, and the plan was left over in a phase before it.
func (n *next) isBefore(p *Plan) bool {
	e := n.current
	if e == nil || e.Status != InProgress || n.has(e.Number) {
		return false
	}
	at, ok := n.place[p.Phase.Key()]
	return e.unverified() != "" || ok && planref.Compare(n.entries[at].Number, e.Number) < 0
}

// phase is the phase that is worked on, with the reason: the active one while it has open plans; then one
// in which a plan is in flight; the one that the roadmap has in progress; the nearest after the active one;
// the lowest. What the roadmap has put off or has done comes last; so does an active phase that it has done and
// in which nothing is in flight, once there are plans of a later one. byCommits reports whether commits say so; why is ""
// where the roadmap has all that is open behind it.
func (n *next) phase() (phase planref.Number, why string, byCommits bool) {
	active := n.Evidence.Active
	here := !active.IsZero() && n.has(active)
	isActive := fmt.Sprintf("phase %s is active by its latest commit, %s", active, brief(n.Evidence.By))
	if here && (!n.behind[active.Key()] || len(n.flying(inPhase(active))) > 0) {
		return active, isActive, true
	}
	var before, after *Plan // the first open plans, of phases that are not over
	for _, p := range n.open {
		first := &after
		if active.IsZero() || planref.Compare(p.Phase, active) < 0 {
			first = &before
		}
		if *first == nil && !n.behind[p.Phase.Key()] && n.usable(p) {
			*first = p
		}
	}
	flying := n.flying(func(*Plan) bool { return true })
	switch {
	case len(flying) > 0:
		return flying[0].Phase, fmt.Sprintf("a plan of %s is in flight", phaseName(flying[0])), true
	case n.current != nil && n.has(n.current.Number):
		return n.current.Number, fmt.Sprintf("phase %s is the current one in the roadmap (%s:%d)", n.current.Number, n.Path, n.current.Line), false
	case here && after != nil:
		return after.Phase, fmt.Sprintf("the roadmap has phase %s behind it, and %s comes after it", active, phaseName(after)), false
	case after != nil:
		return after.Phase, fmt.Sprintf("every plan of phase %s is done, and %s comes after it", active, phaseName(after)), false
	case before != nil:
		return before.Phase, phaseName(before) + " is the lowest with an open plan", false
	}
	return planref.Number{}, "", false
}

// has reports whether a phase has plans that may be offered.
func (n *next) has(phase planref.Number) bool {
	return slices.ContainsFunc(n.open, func(p *Plan) bool { return planref.Compare(p.Phase, phase) == 0 && n.usable(p) })
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

// readyIn lists the plans of a phase that nothing holds up: of those whose dependencies are all done the lowest
// wave. Where every plan waits for another, and none of them only for a summary, all are.
func (n *next) readyIn(phase planref.Number) []*Plan {
	var all, free []*Plan
	for _, p := range n.open {
		if planref.Compare(p.Phase, phase) != 0 || !n.usable(p) {
			continue
		}
		all = append(all, p)
		if !n.waits(p) {
			free = append(free, p)
		}
	}
	if len(free) == 0 && !slices.ContainsFunc(n.ended, inPhase(phase)) {
		free = all
	}
	lowest := math.MaxInt
	for _, p := range free {
		lowest = min(lowest, n.wave(p))
	}
	return slices.DeleteFunc(free, func(p *Plan) bool { return n.wave(p) != lowest })
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
		return slices.ContainsFunc(n.Meta(p).DependsOn, func(d Dependency) bool {
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
	return slices.ContainsFunc(n.Meta(p).DependsOn, func(d Dependency) bool {
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
func (n *next) because(first *Plan, phase planref.Number, why string, also []*Plan) []string {
	var says []string
	if who := n.Ended[first.Path]; who != "" {
		says = append(says, "all of its tasks are complete in the session of "+who+", and it has no summary yet")
	} else if first.Path == n.Session {
		says = append(says, "your session is on it")
	}
	w := n.work(first)
	if w.Commits > 0 {
		text := fmt.Sprintf("%s on it and no summary yet, the last %s", plural(w.Commits, "commit"), brief(w.Last))
		if w.Closed {
			text += "; one of them calls it complete, so its summary is missing"
		} else if n.committed(first) {
			text += "; as many commits as it has tasks, so its summary is due"
		}
		says = append(says, text)
	}
	if why != "" && planref.Compare(first.Phase, phase) == 0 {
		says = append(says, why)
	}
	if w.Commits == 0 && first.Path != n.Session && n.Ended[first.Path] == "" {
		says = append(says, n.orderBecause(first)...)
	}
	if who := n.Taken[first.Path]; who != "" {
		says = append(says, who+" has a session on it, too")
	}
	for _, p := range also {
		if who := n.Taken[p.Path]; who != "" {
			says = append(says, who+" has a session on "+p.Label())
		}
	}
	return says
}

// orderBecause says why a plan that nobody began is the next by what plans say of their order.
func (n *next) orderBecause(first *Plan) []string {
	var says []string
	m := n.Meta(first)
	if m.HasWave {
		lowest := !slices.ContainsFunc(n.open, func(p *Plan) bool {
			return planref.Compare(p.Phase, first.Phase) == 0 && n.usable(p) && n.wave(p) < m.Wave
		})
		if lowest {
			says = append(says, fmt.Sprintf("wave %d is the lowest open one of %s", m.Wave, phaseName(first)))
		} else {
			says = append(says, fmt.Sprintf("wave %d is the lowest of %s that waits for nothing", m.Wave, phaseName(first)))
		}
	}
	if n.waits(first) {
		return append(says, "every open plan of the phase waits for another; this one is the first")
	}
	var done []string
	for _, d := range m.DependsOn {
		if d.Ref != first.ref() && n.meant(d, first).has(first) {
			done = append(done, d.Text)
		}
	}
	if len(done) > 0 {
		says = append(says, "what it depends on is done: "+strings.Join(done, ", "))
	}
	return says
}

// unverified says which of some entries are phases that are not complete because of their verification, the last ones.
func (n *next) unverified(entries []Entry) []string {
	const most = 5
	var all []string
	for i := range entries {
		if e := &entries[i]; e.unverified() != "" && n.scope.Counts(e.Milestone, e.Number) {
			all = append(all, fmt.Sprintf("phase %s (%s)", e.Number, e.unverified()))
		}
	}
	if len(all) == 0 {
		return nil
	}
	return []string{"not complete until verified: " + strings.Join(all[max(0, len(all)-most):], ", ")}
}

// withoutPlan answers where no plan is to be done: the roadmap may know a phase that is to be planned or verified.
func (n *next) withoutPlan() Answer {
	a := Answer{}
	e := n.current
	isLeft := func(p Plan) bool { return !p.Done() && n.usable(&p) }
	switch {
	case e != nil && (e.Dir == nil || !slices.ContainsFunc(e.Dir.Plans, isLeft)):
		a.Phase, a.Unverified = e.Number, e.unverified()
		a.Because = append(n.unverified(n.before), fmt.Sprintf("%s (%s:%d)", howFar(e), n.Path, e.Line))
	case len(n.open) > 0:
	case len(n.held) > 0:
		a.Phase = n.held[0].Phase
		a.Because = []string{fmt.Sprintf("%s for one that was halted, the first of them %s", waiting(len(n.held)), n.held[0].Label())}
	case len(n.Jobs) > 0:
		first := slices.Sorted(maps.Keys(n.Jobs))[0]
		a.Because = []string{plural(len(n.Jobs), "plan") + " at work elsewhere: " + first + ", " + n.Jobs[first]}
	default:
		return n.unplanned()
	}
	if a.AlsoReady = n.ready; len(n.ready) == 0 && len(n.open) > 0 {
		a.AlsoReady = n.open
		a.Because = append(a.Because, fmt.Sprintf("%s without a summary in phases that the roadmap has behind it", plural(len(n.open), "plan")))
	}
	a.AlsoReady = a.AlsoReady[:min(len(a.AlsoReady), maxAlso)]
	return a
}

// howFar says how far a phase is that has no open plan.
func howFar(e *Entry) string {
	text := fmt.Sprintf("phase %s", e.Number)
	switch {
	case e.unverified() != "":
		return text + " has no open plan, and its verification says " + e.unverified()
	case e.Dir != nil && len(e.Dir.Plans) > 0:
		return text + " is next in the roadmap and has no open plan"
	case e.Dir != nil && e.Dir.prepared() != "":
		return text + " has " + e.Dir.prepared() + ", and no plan yet"
	}
	return text + " is next in the roadmap and has no plan yet"
}

// prepared says what a phase without plans has; "" for nothing.
func (d *Dir) prepared() string {
	switch {
	case d.Context != "" && d.Research != "":
		return "a context and research"
	case d.Context != "":
		return "a context"
	case d.Research != "":
		return "research"
	}
	return ""
}

// unplanned answers where nothing is open and the roadmap has no phase to go on with: a directory behind all that have plans
// may say which is to be planned.
func (n *next) unplanned() Answer {
	a := Answer{Because: []string{"no phase has a plan yet"}}
	if len(n.Disk.Archived) > 0 {
		a.Because[0] = "every plan has its summary"
	}
	for i := range n.Disk.Phases {
		switch d := &n.Disk.Phases[i]; {
		case len(d.Plans) > 0:
			a = Answer{Because: []string{"every plan has its summary"}}
		case a.Phase.IsZero() && d.prepared() != "" && !d.Number.IsSentinel() && n.isUnknown(d.Number):
			a = Answer{Phase: d.Number, Because: []string{fmt.Sprintf("phase %s has %s, and no plan yet", d.Number, d.prepared())}}
		}
	}
	return a
}

// isUnknown reports whether the roadmap does not mention a phase.
func (n *next) isUnknown(phase planref.Number) bool {
	return !slices.ContainsFunc(n.entries, func(e Entry) bool { return e.Line > 0 && planref.Compare(e.Number, phase) == 0 })
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
