package app

// start.go: nobody starts on a plan unless claim.MayStart allows it. What it refuses is one error, whichever command was refused.

import (
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/claim"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// refusal returns the error of somebody who may not start on a plan; nil if they may.
func (p *Project) refusal(r *answer.Report, a claim.Availability) error {
	switch a.Decision {
	case claim.Held:
		return problem.Fail(problem.Busy, "", "%s", answer.HolderWords(a.By)).Try(p.insteadOf(r.User)...)
	case claim.Done:
		return problem.Fail(problem.Refused, "--again starts a session on this one anyway", "%s is done: its summary is %s", a.Plan, a.Summary).
			Try(action.Action{Kind: action.ShowNext})
	case claim.Unwritable:
		return verdict.WriteFailed(r.Path, a.Err)
	}
	switch a.Why {
	case claim.SessionTooLarge:
		return &problem.Error{
			Kind: problem.Refused, Text: a.Err.Error(),
			Hint: "`gsd bootstrap PLAN --fresh` archives it unread; or set GSD_MAX_FILE_MIB to allow larger files", Err: a.Err,
		}
	case claim.SessionUnmerged:
		return answer.CorruptSession(r)
	case claim.LostInUse:
		return problem.Fail(problem.Busy, "`gsd hydrate` says how it comes back, with that run", "the session on %s was lost, and at work on it is %s",
			answer.PlanInText(a.Plan), a.Run.Who()).Try(answer.HowToTake)
	case claim.InUse:
		return verdict.RunFailed(&run.BusyError{Run: a.Run})
	}
	return a.Err // of a plan or a session that cannot be read; nil without one
}

// insteadOf returns what can be run in place of a start on a plan that somebody else has taken.
func (p *Project) insteadOf(user string) (all []action.Action) {
	if instead := free(p.nextAfter(p.Look(user))); instead != "" {
		all = append(all, action.Action{Kind: action.StartReady, Plan: p.Planning.Argument(instead)})
	}
	return append(all, answer.HowToTake)
}

// free returns the first plan that is ready and that can be started on; "" if there is none.
func free(n *answer.Next) string {
	if n.Plan != "" && n.Summary == "" && n.May.Starts() && evidence.Delivered(n.Branches) == nil {
		return n.Plan
	}
	for i := range n.AlsoReady {
		if ref := &n.AlsoReady[i]; ref.May.Starts() && evidence.Delivered(ref.Branches) == nil {
			return ref.Plan
		}
	}
	return ""
}

// allTaken is the error if every plan that is ready is in somebody else's hands.
func allTaken(plans []claim.Availability) *problem.Error {
	var who []string
	for _, availability := range plans {
		if availability.Decision == claim.Held {
			who = append(who, answer.HolderWords(availability.By))
		}
	}
	return problem.Fail(problem.Busy, "", "every plan that is ready is taken: %s", strings.Join(who, "; ")).Try(action.Action{Kind: action.ShowHolder}, answer.HowToTake)
}

// Startable returns the ids of the plans on which Bootstrap starts or continues a session with these options, but for o.Plan, in the order
// of planref.CompareIDs. Those on which only the run is in the way that is at work on the session are among them: it may be over once a
// plan is chosen.
func Startable(p *Project, o BootstrapOptions) (ids []string) {
	s := history.StarterOf(p.Project, o.User)
	isStartable := func(may claim.Availability) bool { return may.Starts() || may.Why == claim.InUse }
	for _, plan := range p.Planning.Plans() {
		id, ok := p.Planning.PlanID(plan)
		if !ok || !isStartable(s.Decide(s.Listed(plan), o.ignored())) { // most are done, and are not read
			continue
		}
		if meant, err := p.Planning.ResolvePlan(p.Dir, id); err == nil && meant == plan && isStartable(s.MayStart(plan, o.ignored())) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, planref.CompareIDs)
	return ids
}
