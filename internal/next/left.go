package next

// left.go: plans that the project went past. Real projects leave plans without a summary: some were carried out and never
// documented, others given up. One is left behind once work is done in a later phase and none since in its own; when it was
// started does not matter. It is named as such, because people fear for plans that were skipped, but does not come first: of
// some forty such moments in 33 real projects, a plan that was left behind was next in six. Of the plans that were named as next
// at 900 commits there, 12.6 % never got a summary without these rules, and 9.4 % with them.

import (
	"math"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

// A LeftOver is a plan that was left behind, and why that is said of it.
type LeftOver struct {
	Plan *roadmap.Plan
	Why  Reason
}

// findPassed sets passed: for each phase that the project went past, the latest work in a later one. The phase of the latest
// commit about a plan is not among them, because there the project is, even if that commit only wrote the plans.
func (n *next) findPassed() {
	n.passed = map[string]Deed{}
	var newest *Deed
	for i := range slices.Backward(n.Entries) {
		e := &n.Entries[i]
		key := e.Number.Key()
		if at, live := n.place[key]; !live || at != i || e.Number.IsZero() {
			continue
		}
		own, worked := n.Evidence.Deeds[key]
		if !worked {
			own.Age = math.MaxInt
		}
		if newest != nil && newest.Age < own.Age && planref.Compare(e.Number, n.Evidence.Active) != 0 {
			n.passed[key] = *newest
		}
		if worked && !e.Number.IsSentinel() && (newest == nil || own.Age < newest.Age) {
			newest = &own
		}
	}
}

// isLeft reports whether a plan was left behind, and by what: work in a later phase, or a commit that completed the phase or a milestone
// after the last work on the plan. One that somebody has a session on was not; of one in a phase that is over by the roadmap, the roadmap
// says enough, unless commits were made on it.
func (n *next) isLeft(p *roadmap.Plan) (why Reason, is bool) {
	if p.Path == n.Session || n.Taken[p.Path].Code != "" {
		return why, false
	}
	if end := n.endOf(p); end != nil {
		return aboutPhaseOf(CompletedSince, p).by(end.By), true
	}
	later, passed := n.passed[p.Phase.Key()]
	return about(WorkedSince, later.Phase).by(later.By), passed && (!n.isBehind(p.Phase) || n.work(p).Commits > 0)
}

// endOf returns the commit that completed a plan's phase or milestone after the last work on the plan; nil if there is none. What the
// roadmap has as open or as the current milestone's has not ended, whatever a commit says: it was opened again, or another milestone was
// meant. The newest commit of all does not end a phase, because its author may write the summary next. A plan that nobody began is of a
// completed milestone if nothing was done about plans since.
func (n *next) endOf(p *roadmap.Plan) *Deed {
	age := n.work(p).Age
	if n.work(p).Commits == 0 {
		if n.Evidence.Active.IsZero() {
			return nil
		}
		age = n.Evidence.ActiveAge
	}
	at, known := n.place[p.Phase.Key()]
	isListed := known && n.Entries[at].Line > 0
	end, ended := n.Evidence.Ends[p.Phase.Key()]
	if ended && 0 < end.Age && end.Age < age && n.work(p).Commits > 0 && (!isListed || n.Entries[at].Status.Closed()) {
		return &end
	}
	if end := n.Evidence.Shipped; end != nil && end.Age < age && !(isListed && n.scope.Counts(n.Entries[at].Milestone, p.Phase)) {
		return end
	}
	return nil
}

// leftOver describes the plans that were left behind.
func (n *next) leftOver() (all []LeftOver) {
	for _, p := range n.left {
		why, _ := n.isLeft(p)
		all = append(all, LeftOver{p, why})
	}
	return all
}

// returnTo makes the plans of a phase that were left behind ordinary ones, also if the phase is over.
func (n *next) returnTo(phase planref.Number) {
	isIn := inPhase(phase)
	n.asked = phase
	for _, p := range n.left {
		if isIn(p) {
			n.open = append(n.open, p)
		}
	}
	n.left = slices.DeleteFunc(n.left, isIn)
	n.inFlight = n.findInFlight()
}

// lastLeft returns the latest phase with a plan that was started, left behind, not completed with its phase or milestone, and can be carried
// out; zero if there is none.
func (n *next) lastLeft() planref.Number {
	for _, p := range slices.Backward(n.left) {
		if n.work(p).Commits > 0 && n.usable(p) && n.endOf(p) == nil {
			return p.Phase
		}
	}
	return planref.Number{}
}

// isRevived reports whether a plan of a phase that is over is to be done anyway, because that phase was asked for or
// returned to, or because the plan was added to it later: it closes gaps that a verification found, or it was written after
// other plans of the phase were done, and the roadmap, which calls the phase complete, has not changed since.
func (n *next) isRevived(p *roadmap.Plan) bool {
	if !n.asked.IsZero() && planref.Compare(p.Phase, n.asked) == 0 {
		return true
	}
	at, known := n.place[p.Phase.Key()]
	if _, passed := n.passed[p.Phase.Key()]; passed || !known {
		return false
	}
	return n.Evidence.Written[p.Path] && n.Entries[at].Dir.Done() > 0 || n.Meta(p).Gaps
}

// mayDo reports whether a plan is in a phase of the current milestone that is not behind, or to be done anyway.
func (n *next) mayDo(p *roadmap.Plan) bool {
	return !n.isBehind(p.Phase) && !n.isElsewhere(p.Phase) || n.isRevived(p)
}

// isElsewhere reports whether a phase belongs to another milestone than the current one, so that the percentage is not about it.
func (n *next) isElsewhere(phase planref.Number) bool {
	at, known := n.place[phase.Key()]
	if !known || n.scope.Milestone == "" {
		return false
	}
	milestone := n.Entries[at].Milestone
	return milestone != "" && milestone != n.scope.Milestone
}

// mayGoOn reports whether a phase has a plan without a summary that mayDo allows.
func (n *next) mayGoOn(phase planref.Number) bool {
	isIn := inPhase(phase)
	return slices.ContainsFunc(n.open, func(p *roadmap.Plan) bool { return isIn(p) && n.mayDo(p) })
}

// needsPerson reports whether the verification of a phase waits for a person, not for work.
func needsPerson(verified string) bool { return strings.HasPrefix(verified, "human") }
