// Package next finds the order in which plans are to be done: which one comes next and why, which could be done as well, what each
// depends on, and which were left behind. It does no I/O: callers pass in what was read, and functions that read more.
package next

// next.go: which plan comes next (docs/design.md, next). "The first plan without a summary" is right in 62 of 100
// real moments, because plans are done in parallel, phases are inserted, and old ones are left open for ever. So
// commits count first, the plans' own front matter second, and the roadmap third.

import (
	"cmp"
	"math"
	"path"
	"slices"

	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

// Question is the input of Order.
type Question struct {
	Disk     *roadmap.Disk
	Roadmap  *roadmap.Roadmap
	Entries  []roadmap.Entry // the result of roadmap.Join
	Path     string          // of the roadmap, for references to its lines
	Evidence Evidence
	// Meta returns a plan's front matter, Tasks the number of its tasks (0 if unknown). They are only called for plans
	// that matter.
	Meta  func(*roadmap.Plan) frontmatter.Meta
	Tasks func(*roadmap.Plan) int
	// Session is the path of the plan without a summary that the user has a live session on, "" for none.
	Session string
	// By a plan's path: Ended says in whose session all of its tasks are complete or skipped, with the code TasksOver; Taken says who
	// else has taken it.
	Ended map[string]Reason
	Taken map[string]Reason
	// AtWork reports whether somebody who has taken a plan is at work on it, so that it comes after the others that are taken.
	// It is only called for those, and for what is Elsewhere.
	AtWork func(*roadmap.Plan) bool
	// Elsewhere are the plans with work on other branches, by their paths: those that nothing here is to be done of are named, too. It is
	// true for a plan that is done there, or being done: it comes after those that are not.
	Elsewhere map[string]bool
}

// Answer is the plan that comes next.
type Answer struct {
	Plan  *roadmap.Plan    // nil if there is none
	Phase planref.Number   // the plan's; if Plan is nil, the phase to be planned or verified, if known
	Meta  frontmatter.Meta // of Plan
	Ended bool             // all tasks of Plan are complete or skipped in a session that is on it: only its summary is missing
	// Unverified is the status of the verification of Phase, such as gaps_found, or of its UAT, if Plan is nil and all of the phase's
	// plans are done.
	Unverified string
	Because    []Reason
	AlsoReady  []*roadmap.Plan // other plans that could be done now, the likeliest first
	LeftOver   []LeftOver      // plans that were left behind: Plan and AlsoReady have one only if nothing else is to be done now
	Conflicts  []WaveConflict  // where the waves of the phase contradict what depends on Plan, or what that depends on
}

// maxAlso limits the length of AlsoReady: further plans would be guesses.
const maxAlso = 4

// next is the state of Order.
type next struct {
	Question
	none     Work            // the work on plans without commits
	current  *roadmap.Entry  // the phase that the roadmap continues with; nil if there is none
	before   []roadmap.Entry // the phases before current
	scope    roadmap.Scope
	place    map[string]int  // index of each live phase in Entries by number; of several the first not behind, else the last
	open     []*roadmap.Plan // plans without a summary that may be offered
	ended    []*roadmap.Plan // plans of which only the summary is missing
	held     []*roadmap.Plan // plans that depend on a halted or a blocked one
	blocked  []*roadmap.Plan // plans that say of themselves that they are blocked, if others may be done
	left     []*roadmap.Plan // plans that were left behind
	passed   map[string]Deed // see findPassed; by the phase's key
	asked    planref.Number  // the phase that was asked for or returned to; zero for none
	inFlight []*roadmap.Plan // plans of open with commits
	ready    []*roadmap.Plan // plans to do now, in order
	index    planIndex       // all live plans, done or not
}

// Order returns the plan that comes next, and those that could be done instead. It does no I/O except through the functions of the question.
func Order(q Question) Answer {
	n := newNext(q)
	leftOver := n.leftOver()
	phase, why := n.phase()
	if why.Code != "" {
		n.ready = n.order(phase)
	}
	order := append(n.ended, n.ready...)
	if mine := n.session(); mine != nil {
		order = append([]*roadmap.Plan{mine}, slices.DeleteFunc(order, func(p *roadmap.Plan) bool { return p == mine })...)
	} else if len(order) == 0 || len(n.ended) == 0 && (n.isPreparing() || why.Code == LowestPhase && n.isFailed()) {
		a := n.withoutPlan()
		a.LeftOver = leftOver
		return a
	}
	first := order[0]
	ended := n.Ended[first.Path]
	a := Answer{Plan: first, Phase: first.Phase, Meta: n.Meta(first), AlsoReady: order[1:min(len(order), maxAlso+1)], LeftOver: leftOver}
	a.Ended = ended.Code != "" && !ended.Former
	a.Because = n.because(first, phase, why, a.AlsoReady)
	a.Conflicts = n.conflictsOf(first)
	return a
}

// OrderIn returns the plans of a phase to do now, the likeliest first.
func OrderIn(q Question, phase planref.Number) []*roadmap.Plan {
	n, isIn := newNext(q), inPhase(phase)
	n.returnTo(phase)
	order := slices.DeleteFunc(append(n.ended, n.order(phase)...), func(p *roadmap.Plan) bool {
		ended := n.Ended[p.Path]
		return !isIn(p) || ended.Code != "" && !ended.Former // there is nothing to start on
	})
	if mine := n.session(); mine != nil && isIn(mine) {
		order = append([]*roadmap.Plan{mine}, order...)
	}
	return order
}

func newNext(q Question) *next {
	n := &next{Question: q, place: map[string]int{}}
	n.scope = q.Roadmap.Scope(n.Entries)
	n.findCurrent()
	n.sortOpen()
	n.inFlight = n.findInFlight()
	return n
}

// unverified returns the status of the verification of a live phase whose plans are all done, if it did not pass; else
// "".
func unverified(e *roadmap.Entry) string {
	if e.Dir == nil || e.IsArchived() || e.Dir.Done() < len(e.Dir.Plans) {
		return ""
	}
	return e.Dir.Unverified()
}

// findCurrent sets place, and current to the phase that the roadmap continues with: of those that count and are not over, the first in progress,
// else the first. A phase that only lacks its verification is skipped while it waits for a person or for its UAT, once a later one has a summary,
// and once a commit called it complete, because real projects go on then: 22 times the next one was planned while one waited for a person, and one
// such verification was ever passed later. So is a phase of which only plans are open that were left behind.
func (n *next) findCurrent() {
	started := 0
	for i, e := range n.Entries {
		if e.Dir == nil {
			continue
		}
		if e.Dir.Done() > 0 {
			started = i
		}
		if _, known := n.place[e.Number.Key()]; !e.IsArchived() && (!known || n.isBehind(e.Number)) {
			n.place[e.Number.Key()] = i
		}
	}
	n.findPassed()
	for i := range n.Entries {
		e := &n.Entries[i]
		_, passed := n.passed[e.Number.Key()]
		isLeft := passed && n.place[e.Number.Key()] == i && e.Dir.Done() < len(e.Dir.Plans)
		isNext := e.Line > 0 && !e.Status.Closed() && n.scope.Counts(e.Milestone, e.Number) && !isLeft && (unverified(e) == "" || i >= started && (!e.WorkDone() || n.mustVerify(e)))
		if isNext && (n.current == nil || n.current.Status != roadmap.InProgress && e.Status == roadmap.InProgress) {
			n.current, n.before = e, n.Entries[:i]
		}
	}
}

// mustVerify reports whether the verification of a phase is to be passed before the project continues: it found something, and no commit
// called the phase complete with the last work in it, or since.
func (n *next) mustVerify(e *roadmap.Entry) bool {
	end, ended := n.Evidence.Ends[e.Number.Key()]
	work, worked := n.Evidence.Deeds[e.Number.Key()]
	ended = ended && (!worked || end.Age <= work.Age)
	return !ended && e.Dir.Tested == "" && !needsPerson(unverified(e))
}

// isBehind reports whether a live phase is over, by itself or with its milestone, or never counts: a phase 0.x counts while the
// latest commit about a plan is in it.
func (n *next) isBehind(phase planref.Number) bool {
	at, known := n.place[phase.Key()]
	return known && (n.Entries[at].Status.Closed() || n.scope.IsOver(n.Entries[at].Milestone) || phase.IsSentinel() && planref.Compare(phase, n.Evidence.Active) != 0)
}

// sortOpen sorts the plans without a summary into open, ended, left and held. As in upstream, plans that depend on a halted one,
// directly or not, are held, because the person who stopped the work did not want them to begin; so are those that depend on a blocked one.
func (n *next) sortOpen() {
	halted := func(p roadmap.Plan) bool { return p.Halted || p.Blocked }
	some := slices.ContainsFunc(n.Disk.Phases, func(d roadmap.Dir) bool { return slices.ContainsFunc(d.Plans, halted) })
	for _, p := range n.Disk.Open() {
		ended := n.Ended[p.Path]
		_, isLeft := n.isLeft(p)
		switch {
		case ended.Code != "" && !ended.Former:
			n.ended = append(n.ended, p)
		case isLeft:
			n.left = append(n.left, p)
		case ended.Code != "" && !n.isBehind(p.Phase) && n.usable(p):
			n.ended = append(n.ended, p)
		case some && n.isHeld(p):
			n.held = append(n.held, p)
		case p.Blocked && p.Path != n.Session:
			n.blocked = append(n.blocked, p)
		default:
			n.open = append(n.open, p)
		}
	}
	if len(n.blocked) > 0 && !slices.ContainsFunc(n.open, func(p *roadmap.Plan) bool { return n.mayDo(p) && n.usable(p) }) {
		n.open, n.blocked = append(n.open, n.blocked...), nil
	}
}

// isHeld reports whether a plan depends on a halted one, directly or not. Plans that only wait for each other are not
// held.
func (n *next) isHeld(p *roadmap.Plan) bool {
	return n.dependsOn(p, func(g *planGroup) bool {
		if !g.checked {
			g.checked = true
			g.halted = g.halted || slices.ContainsFunc(g.plans, func(p *roadmap.Plan) bool { return !p.Done() && n.isHeld(p) })
		}
		return g.halted
	})
}

// dependsOn reports whether an entry of a plan's depends_on refers to plans for which are returns true.
func (n *next) dependsOn(p *roadmap.Plan, are func(*planGroup) bool) bool {
	return slices.ContainsFunc(n.Meta(p).DependsOn, func(d frontmatter.Dependency) bool {
		g := n.meant(d, p)
		return g != nil && are(g)
	})
}

// waits reports whether a plan depends on another one that is open.
func (n *next) waits(p *roadmap.Plan) bool {
	return n.dependsOn(p, func(g *planGroup) bool { return g.open > 1 || g.open == 1 && g != n.index[p.Ref()] })
}

// meant returns the plans that an entry of a plan's depends_on refers to, or nil.
func (n *next) meant(d frontmatter.Dependency, by *roadmap.Plan) *planGroup {
	if n.index == nil {
		n.index = indexPlans(n.Disk.Phases)
	}
	return n.index.resolve(d, by)
}

// findInFlight returns the open plans with commits: first those that seem to lack only their summary, with the oldest last
// commit first; then the others, with the latest commit first; then those that a commit calls complete, for which some projects never
// write the summary.
func (n *next) findInFlight() []*roadmap.Plan {
	var plans []*roadmap.Plan
	rank := map[*roadmap.Plan]int{}
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
	slices.SortStableFunc(plans, func(a, b *roadmap.Plan) int {
		newest := cmp.Compare(n.work(a).Age, n.work(b).Age)
		if rank[a] == 0 {
			newest = -newest
		}
		return cmp.Or(cmp.Compare(rank[a], rank[b]), newest)
	})
	return plans
}

// work returns the commits' work on a plan.
func (n *next) work(p *roadmap.Plan) *Work { return cmp.Or(n.Evidence.Work[p.Path], &n.none) }

// committed reports whether a plan has as many commits as tasks; upstream makes one for each. That is good enough for the order of plans,
// but no answer says more of it: which tasks are complete, package progress decides. It is not known of a plan whose tasks are not known.
func (n *next) committed(p *roadmap.Plan) bool {
	tasks := n.Tasks(p)
	return tasks > 0 && n.work(p).Commits >= tasks
}

// wave returns the wave of a plan, 1 by default as in upstream.
func (n *next) wave(p *roadmap.Plan) int {
	if m := n.Meta(p); m.HasWave {
		return m.Wave
	}
	return 1
}

// usable reports whether a plan can be carried out. It reads the plan, so it is called only for those that may be
// offered.
func (n *next) usable(p *roadmap.Plan) bool {
	m := n.Meta(p)
	return m.Unusable == "" && m.Status != frontmatter.Superseded
}

// phase returns the phase to work on, and why: the active one while it has open plans; else one with a plan in flight;
// else the one that the roadmap continues with; else the lowest. A phase that is behind is returned only if a plan in
// it is in flight or was added later, and one with a plan that was started and left behind only if nothing else is to be done;
// why is zero if there is no other.
func (n *next) phase() (phase planref.Number, why Reason) {
	active := n.Evidence.Active
	if !active.IsZero() && n.has(active) && (slices.ContainsFunc(n.inFlight, inPhase(active)) || n.mayGoOn(active)) {
		return active, about(ActivePhase, active).by(n.Evidence.By)
	}
	if len(n.inFlight) > 0 {
		return n.inFlight[0].Phase, aboutPhaseOf(InFlightPhase, n.inFlight[0])
	}
	e := n.current
	if e != nil && n.has(e.Number) {
		return e.Number, n.at(about(RoadmapPhase, e.Number), e)
	}
	for _, p := range n.open {
		if (n.mayDo(p) || e == nil && !n.isBehind(p.Phase)) && n.usable(p) {
			return p.Phase, aboutPhaseOf(LowestPhase, p)
		}
	}
	if last := n.lastLeft(); !last.IsZero() && (e == nil || needsPerson(unverified(e))) {
		n.returnTo(last)
		return last, Reason{Code: OnlyLeft}
	}
	return planref.Number{}, Reason{}
}

// isFailed reports whether the roadmap continues with a phase whose verification found something.
func (n *next) isFailed() bool { return n.current != nil && unverified(n.current) != "" }

// isPreparing reports whether the latest commit about a phase prepares the plans of one that has none, and no plan is in flight. One of
// another milestone comes after the plans of the current one.
func (n *next) isPreparing() bool {
	deed := n.Evidence.Preparing
	return deed != nil && len(n.inFlight) == 0 && (!n.isElsewhere(deed.Phase) || !slices.ContainsFunc(n.open, n.mayDo))
}

// at adds to a reason where the roadmap has an entry.
func (n *next) at(r Reason, e *roadmap.Entry) Reason {
	r.Path, r.Line = n.Path, e.Line
	return r
}

// has reports whether a phase has plans that may be offered.
func (n *next) has(phase planref.Number) bool {
	return slices.ContainsFunc(n.open, func(p *roadmap.Plan) bool { return planref.Compare(p.Phase, phase) == 0 && n.usable(p) })
}

// inPhase picks the plans of a phase.
func inPhase(phase planref.Number) func(*roadmap.Plan) bool {
	return func(p *roadmap.Plan) bool { return planref.Compare(p.Phase, phase) == 0 }
}

// phaseDir returns the name of the directory of a plan.
func phaseDir(p *roadmap.Plan) string { return path.Base(path.Dir(p.Path)) }

// order returns the plans to do now, the likeliest first: those in flight in the phase, those that are ready, those
// that other branches work on although their turn has not come here, those that a commit calls complete, and those in flight in other
// phases. Plans that somebody else has taken come last, and after them those that are blocked.
func (n *next) order(phase planref.Number) []*roadmap.Plan {
	var inFlight, closed, elsewhere []*roadmap.Plan
	for _, p := range n.inFlight {
		switch {
		case planref.Compare(p.Phase, phase) != 0:
			elsewhere = append(elsewhere, p)
		case n.work(p).Closed:
			closed = append(closed, p)
		default:
			inFlight = append(inFlight, p)
		}
	}
	ready := n.readyIn(phase)
	beside := slices.DeleteFunc(slices.Clone(n.open), func(p *roadmap.Plan) bool {
		_, is := n.Elsewhere[p.Path]
		return !is || n.work(p).Commits > 0 || slices.Contains(ready, p) || !n.usable(p)
	})
	order := slices.Concat(inFlight, ready, beside, closed, elsewhere)
	slices.SortStableFunc(order, func(a, b *roadmap.Plan) int { return cmp.Compare(n.taken(a), n.taken(b)) })
	return append(order, n.blocked...)
}

// taken ranks plans by how much they are somebody else's: 0 for not at all.
func (n *next) taken(p *roadmap.Plan) int {
	switch {
	case n.Taken[p.Path].Code == "" && !n.Elsewhere[p.Path]:
		return 0
	case n.AtWork == nil || !n.AtWork(p):
		return 1
	}
	return 2
}

// readyIn returns the plans of a phase that nobody has started and nothing holds up; in a phase that is behind, only those that were
// added later. They are the lowest wave of those whose dependencies are all done. If every plan waits for another one, and none
// of those only for a summary, dependencies are ignored.
func (n *next) readyIn(phase planref.Number) []*roadmap.Plan {
	isIn := inPhase(phase)
	all := slices.DeleteFunc(slices.Clone(n.open), func(p *roadmap.Plan) bool {
		return !isIn(p) || !n.usable(p) || n.work(p).Commits == 0 && n.isBehind(phase) && !n.isRevived(p)
	})
	free := slices.DeleteFunc(slices.Clone(all), n.waits)
	if len(free) == 0 && !slices.ContainsFunc(n.ended, isIn) {
		free = all
	}
	lowest := math.MaxInt
	for _, p := range free {
		lowest = min(lowest, n.wave(p))
	}
	return slices.DeleteFunc(free, func(p *roadmap.Plan) bool { return n.wave(p) != lowest || n.work(p).Commits > 0 })
}

// session returns the plan of the user's session, which may be a quick task; nil if there is none.
func (n *next) session() *roadmap.Plan {
	if n.Session == "" {
		return nil
	}
	for _, p := range n.Disk.Open() {
		if p.Path == n.Session {
			return p
		}
	}
	p := &roadmap.Plan{Path: n.Session}
	p.ID, _ = planref.PlanID(n.Session)
	p.Phase, _ = planref.PhaseOfPlan(n.Session)
	return p
}

// because says why first was chosen.
func (n *next) because(first *roadmap.Plan, phase planref.Number, why Reason, also []*roadmap.Plan) []Reason {
	var all []Reason
	w := n.work(first)
	isNew := w.Commits == 0 // nobody has started it
	if ended := n.Ended[first.Path]; ended.Code != "" {
		all, isNew = append(all, ended), false
	} else if first.Path == n.Session {
		all, isNew = append(all, Reason{Code: OwnSession}), false
	}
	if w.Commits > 0 {
		all = append(all, Reason{Code: HasCommits, Count: w.Commits, Closed: w.Closed}.by(w.Last))
	}
	if why.Code != "" && planref.Compare(first.Phase, phase) == 0 {
		all = append(all, why)
	}
	if isNew {
		all = append(all, n.orderBecause(first)...)
	}
	if taken := n.Taken[first.Path]; taken.Code != "" {
		taken.Too = first.Path == n.Session
		all = append(all, taken)
	}
	for _, p := range also {
		if taken := n.Taken[p.Path]; taken.Code != "" {
			taken.Plan = p.Label()
			all = append(all, taken)
		}
	}
	return all
}

// orderBecause says why a plan that nobody has started is next according to the plans' waves and dependencies.
func (n *next) orderBecause(first *roadmap.Plan) []Reason {
	var all []Reason
	var done []string
	m := n.Meta(first)
	isLower := func(p *roadmap.Plan) bool {
		return planref.Compare(p.Phase, first.Phase) == 0 && n.usable(p) && n.wave(p) < m.Wave
	}
	if m.HasWave && !slices.ContainsFunc(n.open, isLower) {
		reason := aboutPhaseOf(LowestWave, first)
		reason.Wave = m.Wave
		all = append(all, reason)
	}
	if n.waits(first) {
		return append(all, Reason{Code: AllWait})
	}
	for _, d := range m.DependsOn {
		if d.Ref != first.Ref() && n.meant(d, first).has(first) {
			done = append(done, d.Text)
		}
	}
	if len(done) > 0 {
		all = append(all, Reason{Code: DependenciesDone, Plans: done})
	}
	return all
}

// unverified names the last five of the entries that count and are not complete because of their verification. An open UAT holds nothing
// up, so it is only named where nothing else is to be done.
func (n *next) unverified(entries []roadmap.Entry) []Reason {
	var all []PhaseVerification
	for i := range entries {
		if e := &entries[i]; n.awaits(e) && e.Dir.Tested == "" {
			all = append(all, PhaseVerification{e.Number.String(), unverified(e)})
		}
	}
	if len(all) == 0 {
		return nil
	}
	return []Reason{{Code: NotVerified, Phases: all[max(0, len(all)-5):]}}
}

// firstUnverified returns the index of the first entry that counts and is not complete because of its verification, else of the last one of
// which a UAT is open, because old ones stay open for ever; -1 for none.
func (n *next) firstUnverified() int {
	at := -1
	for i := range n.Entries {
		if e := &n.Entries[i]; n.awaits(e) {
			if at = i; e.Dir.Tested == "" {
				break
			}
		}
	}
	return at
}

// awaits reports whether an entry counts and is not complete because of its verification.
func (n *next) awaits(e *roadmap.Entry) bool {
	return unverified(e) != "" && n.scope.Has(e)
}

// withoutPlan returns the answer if no plan is to be done: the roadmap may have a phase to be planned or verified.
func (n *next) withoutPlan() Answer {
	a := Answer{AlsoReady: n.ready}
	e := n.current
	isLeft := func(p roadmap.Plan) bool { return !p.Done() && n.usable(&p) }
	switch {
	case n.isPreparing():
		deed := n.Evidence.Preparing
		at := slices.IndexFunc(n.Disk.Phases, func(d roadmap.Dir) bool { return planref.Compare(d.Number, deed.Phase) == 0 && preparation(&d) != nil })
		a.Phase = deed.Phase
		a.Because = append(n.unverified(n.before), prepared(deed.Phase, &n.Disk.Phases[at]).by(deed.By))
	case e != nil && (e.Dir == nil || !slices.ContainsFunc(e.Dir.Plans, isLeft)):
		a.Phase, a.Unverified = e.Number, unverified(e)
		a.Because = append(n.unverified(n.before), n.at(howFar(e), e))
	case len(n.open) > 0:
	case len(n.held) > 0:
		a.Phase = n.held[0].Phase
		a.Because = []Reason{{Code: BehindHalted, Count: len(n.held), Plan: n.held[0].Label()}}
	case n.prepared() != nil:
		dir := n.prepared()
		a.Phase, a.Because = dir.Number, []Reason{prepared(dir.Number, dir)}
	case len(n.Disk.Archived) > 0 || slices.ContainsFunc(n.Disk.Phases, func(d roadmap.Dir) bool { return len(d.Plans) > 0 }):
		a.Because = []Reason{{Code: AllDone}}
		if len(n.left) > 0 {
			a.Because = []Reason{{Code: AllLeft}}
		}
	case n.isShipped(): // and its phases are gone
		a.Because = []Reason{{Code: AllShipped}}
	default:
		a.Because = []Reason{{Code: NoPlanYet}}
	}
	if at := n.firstUnverified(); at >= 0 && a.Phase.IsZero() {
		e := &n.Entries[at]
		a.Phase, a.Unverified = e.Number, unverified(e)
		a.Because = append(append(a.Because, howFar(e)), n.unverified(n.Entries[at+1:])...)
	} else if len(a.Because) == 1 && a.Because[0].Code == AllDone && n.isShipped() {
		a.Because = append(a.Because, Reason{Code: AllShipped})
	}
	if len(n.ready) == 0 && !n.isPreparing() {
		n.addRest(&a)
	}
	a.AlsoReady = a.AlsoReady[:min(len(a.AlsoReady), maxAlso)]
	return a
}

// isShipped reports whether the roadmap has milestones, and all are shipped, but for those that were given up.
func (n *next) isShipped() bool {
	all := n.Roadmap.Milestones
	isOpen := func(m roadmap.Milestone) bool { return !m.Closed() }
	isDone := func(m roadmap.Milestone) bool { return m.Status == roadmap.Complete }
	return slices.ContainsFunc(all, isDone) && !slices.ContainsFunc(all, isOpen)
}

// addRest adds the plans without a summary that do not come next, and says why.
func (n *next) addRest(a *Answer) {
	for _, p := range n.left {
		if n.usable(p) {
			a.AlsoReady = append(a.AlsoReady, p)
		}
	}
	a.AlsoReady = append(a.AlsoReady, n.open...)
	over := 0
	for _, p := range n.open {
		if n.isBehind(p.Phase) {
			over++
		}
	}
	if over > 0 {
		a.Because = append(a.Because, Reason{Code: OpenInOver, Count: over})
	}
	if rest := len(n.open) - over; rest > 0 {
		a.Because = append(a.Because, Reason{Code: OpenElsewhere, Count: rest})
	}
}

// prepared returns the first phase after the last one with plans that has a context or research and is not behind, of which no commit may
// be known; nil if there is none.
func (n *next) prepared() (first *roadmap.Dir) {
	for i := range slices.Backward(n.Disk.Phases) {
		d := &n.Disk.Phases[i]
		if len(d.Plans) > 0 {
			break
		}
		if preparation(d) != nil && !d.Number.IsZero() && !d.Number.IsSentinel() && !n.isBehind(d.Number) {
			first = d
		}
	}
	return first
}

// preparation names the documents that prepare a phase's plans, none if there are none.
func preparation(d *roadmap.Dir) (documents []string) {
	if d.Context != "" {
		documents = append(documents, "context")
	}
	if d.Research != "" {
		documents = append(documents, "research")
	}
	return documents
}

// prepared is the reason that a phase has documents, but no plan yet.
func prepared(phase planref.Number, d *roadmap.Dir) Reason {
	reason := about(Prepared, phase)
	reason.Documents = preparation(d)
	return reason
}

// howFar says how far a phase is that has no open plan.
func howFar(e *roadmap.Entry) Reason {
	dir := cmp.Or(e.Dir, &roadmap.Dir{})
	switch {
	case unverified(e) != "":
		reason := about(NotPassed, e.Number)
		if reason.Verification = unverified(e); dir.Tested != "" {
			reason.Code = NotTested
		}
		return reason
	case len(dir.Plans) > 0:
		return about(NothingOpen, e.Number)
	case preparation(dir) != nil:
		return prepared(e.Number, dir)
	}
	return about(Unplanned, e.Number)
}
