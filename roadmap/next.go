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

// Question is what the answer depends on.
type Question struct {
	Disk     *Disk
	Roadmap  *Roadmap
	Entries  []Entry // of the two, see Join
	Path     string  // of the roadmap, for what is said of its lines
	Evidence Evidence
	// Meta reads a plan's front matter, Tasks counts its tasks (0 where it cannot tell). They are asked only
	// about plans that matter.
	Meta  func(*Plan) Meta
	Tasks func(*Plan) int
	// Session is the path of the plan without a summary that the user has a live session on, "" for none.
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
	none    Work    // what commits did for most plans
	current *Entry  // the phase that the roadmap goes on with; nil where there is none
	before  []Entry // those before it
	scope   Scope
	place   map[string]int // where a live phase stands among the entries, by its number's key; of several the first that is not behind, else the last
	open    []*Plan        // those without a summary that may be offered
	ended   []*Plan        // those of which only the summary is missing
	held    []*Plan        // those that wait for a plan which was halted
	flying  []*Plan        // those of open that commits worked on
	ready   []*Plan        // those to do now, in order
	index   planIndex      // all live plans, done or not, as dependencies see them
}

// Next answers a question. It is pure but for the question's own functions.
func Next(q Question) Answer {
	n := &next{Question: q, place: map[string]int{}}
	n.scope = q.Roadmap.Scope(n.Entries)
	n.findCurrent()
	n.sortOpen()
	n.flying = n.inFlight()
	phase, why, isBefore := n.phase()
	if why != "" {
		n.ready = n.order(phase)
	}
	order := append(n.ended, n.ready...)
	if mine := n.session(); mine != nil {
		order = append([]*Plan{mine}, slices.DeleteFunc(order, func(p *Plan) bool { return p == mine })...)
	} else if len(order) == 0 || len(n.ended) == 0 && isBefore {
		return n.withoutPlan()
	}
	first := order[0]
	a := Answer{Plan: first, Phase: first.Phase, Meta: n.Meta(first), Ended: n.Ended[first.Path] != "", AlsoReady: order[1:min(len(order), maxAlso+1)]}
	a.Because = append(n.unverified(n.Entries[:n.place[first.Phase.Key()]]), n.because(first, phase, why, a.AlsoReady)...)
	a.Waves, a.Overlaps = n.contradictions(first.Phase)
	return a
}

// isOver reports whether nothing of the phase is left to do, or nobody wants it done.
func (e *Entry) isOver() bool { return e.Status == Complete || e.Status == Deferred }

// unverified is the status of a verification that the phase did not pass, although all is done in it; "" for any other.
func (e *Entry) unverified() string {
	if e.Dir == nil || e.isArchived() || e.Dir.Done() < len(e.Dir.Plans) {
		return ""
	}
	return e.Dir.Unverified()
}

// findCurrent finds the places of the live phases, and the phase that the roadmap goes on with: of those that count and are
// not over the first in progress, else the first. One that only wants its verification is passed by once work on a later one
// is done: real projects leave human_needed standing.
func (n *next) findCurrent() {
	begun := 0
	for i, e := range n.Entries {
		if e.Dir == nil {
			continue
		}
		if e.Dir.Done() > 0 {
			begun = i
		}
		if _, known := n.place[e.Number.Key()]; !e.isArchived() && (!known || n.isBehind(e.Number)) {
			n.place[e.Number.Key()] = i
		}
	}
	for i := range n.Entries {
		e := &n.Entries[i]
		isNext := e.Line > 0 && !e.isOver() && n.scope.Counts(e.Milestone, e.Number) && (e.unverified() == "" || i >= begun)
		if isNext && (n.current == nil || n.current.Status != InProgress && e.Status == InProgress) {
			n.current, n.before = e, n.Entries[:i]
		}
	}
}

// isBehind reports whether the roadmap has a live phase behind it, by itself or with its milestone, or it never counts.
func (n *next) isBehind(phase planref.Number) bool {
	at, known := n.place[phase.Key()]
	return known && (n.Entries[at].isOver() || n.scope.over[n.Entries[at].Milestone] || phase.IsSentinel())
}

// sortOpen divides the plans without a summary. Those that a job is at work on are left out, and so are, as upstream does it,
// those that depend on a plan which was halted, also through others: whoever stopped the work did not want them to begin.
func (n *next) sortOpen() {
	halted := func(p Plan) bool { return p.Halted }
	some := slices.ContainsFunc(n.Disk.Phases, func(d Dir) bool { return slices.ContainsFunc(d.Plans, halted) })
	for _, p := range n.Disk.Open() {
		switch {
		case n.Jobs[p.Path] != "":
		case n.Ended[p.Path] != "":
			n.ended = append(n.ended, p)
		case some && n.isHeld(p):
			n.held = append(n.held, p)
		default:
			n.open = append(n.open, p)
		}
	}
}

// isHeld reports whether a plan depends on one that was halted, also through others. Plans that only wait for each other
// are not held.
func (n *next) isHeld(p *Plan) bool {
	return n.dependsOn(p, func(g *planGroup) bool {
		if !g.asked {
			g.asked = true
			g.halted = g.halted || slices.ContainsFunc(g.plans, func(p *Plan) bool { return !p.Done() && n.isHeld(p) })
		}
		return g.halted
	})
}

// dependsOn reports whether an entry of a plan's depends_on means plans that are so.
func (n *next) dependsOn(p *Plan, are func(*planGroup) bool) bool {
	return slices.ContainsFunc(n.Meta(p).DependsOn, func(d Dependency) bool {
		g := n.meant(d, p)
		return g != nil && are(g)
	})
}

// waits reports whether a plan depends on another one that is open.
func (n *next) waits(p *Plan) bool {
	return n.dependsOn(p, func(g *planGroup) bool { return g.open > 1 || g.open == 1 && g != n.index[p.ref()] })
}

// meant returns the plans that an entry of a plan's depends_on means, nil for none.
func (n *next) meant(d Dependency, by *Plan) *planGroup {
	if n.index == nil {
		n.index = indexPlans(n.Disk.Phases)
	}
	return n.index.resolve(d, by)
}

// inFlight lists the plans that commits worked on. First those whose tasks are all committed, the longest untouched first,
// for their summary is due; then the others, the latest touched first; then those that a commit calls complete.
func (n *next) inFlight() []*Plan {
	var plans []*Plan
	rank := map[*Plan]int{}
	for _, p := range n.open {
		switch w := n.work(p); {
		case w.Commits == 0 || !n.usable(p):
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

// work is what commits did for a plan.
func (n *next) work(p *Plan) *Work { return cmp.Or(n.Evidence.Work[p.Path], &n.none) }

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

// phase is the phase that is worked on, with the reason: the active one while it has open plans; then one in which a plan is
// in flight; the one that the roadmap goes on with; the lowest. One that the roadmap has behind it is taken only where a plan
// is in flight; why is "" where it has all that is open behind it. isBefore reports that the roadmap's phase comes first,
// though it has no plan to do: it is to be verified; or it is under way, and what is open was left over in a phase before it.
func (n *next) phase() (phase planref.Number, why string, isBefore bool) {
	active := n.Evidence.Active
	if !active.IsZero() && n.has(active) && (!n.isBehind(active) || slices.ContainsFunc(n.flying, inPhase(active))) {
		return active, fmt.Sprintf("phase %s is active by its latest commit, %s", active, brief(n.Evidence.By)), false
	}
	if len(n.flying) > 0 {
		return n.flying[0].Phase, fmt.Sprintf("a plan of %s is in flight", phaseName(n.flying[0])), false
	}
	e := n.current
	if e != nil && n.has(e.Number) {
		return e.Number, fmt.Sprintf("phase %s is the current one in the roadmap (%s:%d)", e.Number, n.Path, e.Line), false
	}
	for _, p := range n.open {
		if !n.isBehind(p.Phase) && n.usable(p) {
			at, known := n.place[p.Phase.Key()]
			isBefore = e != nil && e.Status == InProgress && (e.unverified() != "" || known && planref.Compare(n.Entries[at].Number, e.Number) < 0)
			return p.Phase, phaseName(p) + " is the lowest with an open plan", isBefore
		}
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

// order lists the plans to do now, the likeliest first: those in flight in the phase, those that are ready, those that a
// commit calls complete, of which some projects never write the summary, and those in flight elsewhere. What somebody else
// has in hand comes last.
func (n *next) order(phase planref.Number) []*Plan {
	var flying, closed, elsewhere []*Plan
	for _, p := range n.flying {
		switch {
		case planref.Compare(p.Phase, phase) != 0:
			elsewhere = append(elsewhere, p)
		case n.work(p).Closed:
			closed = append(closed, p)
		default:
			flying = append(flying, p)
		}
	}
	order := slices.Concat(flying, n.readyIn(phase), closed, elsewhere)
	slices.SortStableFunc(order, func(a, b *Plan) int { return cmp.Compare(min(1, len(n.Taken[a.Path])), min(1, len(n.Taken[b.Path]))) })
	return order
}

// readyIn lists the plans of a phase that nobody began and nothing holds up: of those whose dependencies are all done the
// lowest wave. Where every plan waits for another, and none of them only for a summary, all are.
func (n *next) readyIn(phase planref.Number) []*Plan {
	isIn := inPhase(phase)
	all := slices.DeleteFunc(slices.Clone(n.open), func(p *Plan) bool { return !isIn(p) || !n.usable(p) })
	free := slices.DeleteFunc(slices.Clone(all), n.waits)
	if len(free) == 0 && !slices.ContainsFunc(n.ended, isIn) {
		free = all
	}
	lowest := math.MaxInt
	for _, p := range free {
		lowest = min(lowest, n.wave(p))
	}
	return slices.DeleteFunc(free, func(p *Plan) bool { return n.wave(p) != lowest || n.work(p).Commits > 0 })
}

// session is the plan that the user's session is on, wherever it lies: a quick task's too. nil where there is none.
func (n *next) session() *Plan {
	if n.Session == "" {
		return nil
	}
	for _, p := range n.Disk.Open() {
		if p.Path == n.Session {
			return p
		}
	}
	p := &Plan{Path: n.Session}
	p.ID, _ = planref.PlanID(n.Session)
	p.Phase, _ = planref.PhaseOfPlan(n.Session)
	return p
}

// because says in short sentences why first was chosen.
func (n *next) because(first *Plan, phase planref.Number, why string, also []*Plan) []string {
	var says []string
	w := n.work(first)
	isNew := w.Commits == 0 // nobody began it
	if who := n.Ended[first.Path]; who != "" {
		says, isNew = append(says, "all of its tasks are complete in the session of "+who+", and it has no summary yet"), false
	} else if first.Path == n.Session {
		says, isNew = append(says, "your session is on it"), false
	}
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
	if isNew {
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
	var says, done []string
	m := n.Meta(first)
	isLower := func(p *Plan) bool {
		return planref.Compare(p.Phase, first.Phase) == 0 && n.usable(p) && n.wave(p) < m.Wave
	}
	if m.HasWave && !slices.ContainsFunc(n.open, isLower) {
		says = append(says, fmt.Sprintf("wave %d is the lowest open one of %s", m.Wave, phaseName(first)))
	}
	if n.waits(first) {
		return append(says, "every open plan of the phase waits for another; this one is the first")
	}
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

// unverified says which of some entries are phases that are not complete because of their verification, the last five.
func (n *next) unverified(entries []Entry) []string {
	var all []string
	for i := range entries {
		if e := &entries[i]; e.unverified() != "" && n.scope.Counts(e.Milestone, e.Number) {
			all = append(all, fmt.Sprintf("phase %s (%s)", e.Number, e.unverified()))
		}
	}
	if len(all) == 0 {
		return nil
	}
	return []string{"not complete until verified: " + strings.Join(all[max(0, len(all)-5):], ", ")}
}

// withoutPlan answers where no plan is to be done: the roadmap may know a phase that is to be planned or verified.
func (n *next) withoutPlan() Answer {
	a := Answer{AlsoReady: n.ready}
	e := n.current
	isLeft := func(p Plan) bool { return !p.Done() && n.usable(&p) }
	switch {
	case e != nil && (e.Dir == nil || !slices.ContainsFunc(e.Dir.Plans, isLeft)):
		a.Phase, a.Unverified = e.Number, e.unverified()
		a.Because = append(n.unverified(n.before), fmt.Sprintf("%s (%s:%d)", howFar(e), n.Path, e.Line))
	case len(n.open) > 0:
	case len(n.held) > 0:
		a.Phase = n.held[0].Phase
		a.Because = []string{fmt.Sprintf("%s waiting for one that was halted, the first of them %s", plural(len(n.held), "plan"), n.held[0].Label())}
	case len(n.Jobs) > 0:
		first := slices.Min(slices.Collect(maps.Keys(n.Jobs)))
		a.Because = []string{plural(len(n.Jobs), "plan") + " at work elsewhere: " + first + ", " + n.Jobs[first]}
	case n.prepared() != nil:
		dir := n.prepared()
		a.Phase, a.Because = dir.Number, []string{fmt.Sprintf("phase %s has %s, and no plan yet", dir.Number, dir.preparation())}
	case len(n.Disk.Archived) > 0 || slices.ContainsFunc(n.Disk.Phases, func(d Dir) bool { return len(d.Plans) > 0 }):
		a.Because = []string{"every plan has its summary"}
	default:
		a.Because = []string{"no phase has a plan yet"}
	}
	if len(n.ready) == 0 && len(n.open) > 0 {
		a.AlsoReady = n.open
		a.Because = append(a.Because, fmt.Sprintf("%s without a summary in phases that the roadmap has behind it", plural(len(n.open), "plan")))
	}
	a.AlsoReady = a.AlsoReady[:min(len(a.AlsoReady), maxAlso)]
	return a
}

// prepared is the first phase after the last one with plans that has a context or research, and that the roadmap neither
// goes on with nor has behind it; nil where there is none.
func (n *next) prepared() (first *Dir) {
	for i := range slices.Backward(n.Disk.Phases) {
		d := &n.Disk.Phases[i]
		if len(d.Plans) > 0 {
			break
		}
		if d.preparation() != "" && !d.Number.IsZero() && !d.Number.IsSentinel() && !n.isBehind(d.Number) {
			first = d
		}
	}
	return first
}

// preparation says what there is of what comes before a phase's plans; "" for nothing.
func (d *Dir) preparation() string {
	var parts []string
	if d.Context != "" {
		parts = append(parts, "a context")
	}
	if d.Research != "" {
		parts = append(parts, "research")
	}
	return strings.Join(parts, " and ")
}

// howFar says how far a phase is that has no open plan.
func howFar(e *Entry) string {
	dir := cmp.Or(e.Dir, &Dir{})
	switch {
	case e.unverified() != "":
		return fmt.Sprintf("phase %s has no open plan, and its verification says %s", e.Number, e.unverified())
	case len(dir.Plans) > 0:
		return fmt.Sprintf("phase %s is next in the roadmap and has no open plan", e.Number)
	case dir.preparation() != "":
		return fmt.Sprintf("phase %s has %s, and no plan yet", e.Number, dir.preparation())
	}
	return fmt.Sprintf("phase %s is next in the roadmap and has no plan yet", e.Number)
}

// brief names a commit in a sentence. Its subject is somebody's text, and stands in quotes that it cannot end.
func brief(c evidence.Commit) string {
	return c.ID[:min(len(c.ID), 7)] + ` "` + strings.ReplaceAll(c.Subject, `"`, "'") + `"`
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
