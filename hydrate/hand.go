package hydrate

// hand.go: nobody starts on a plan that somebody else has in hand (history/hand.go): gsd next names it last and without a command, and gsd bootstrap
// refuses it; gsd takeover takes it.

import (
	"strings"

	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// refuseHeldPlan refuses to start on a plan that somebody else has in hand. A user's own session on the plan continues, even if others
// have one, too.
func (p *Project) refuseHeldPlan(o *BootstrapOptions) error {
	if o.TakeOver {
		return nil
	}
	claims := history.ClaimsHere(p.Project, o.User)
	if o.Claim == nil { // else the remote itself will be asked
		claims = append(claims, team.ClaimsElsewhere(p.Project, o.User)...)
	}
	h := history.InHandBy(p.Project, claims, o.User, o.Plan)
	if h == nil {
		return nil
	}
	if r, err := p.Hydrate(o.User); err == nil && r.Continues(o.Plan) {
		return nil
	}
	return p.held(h, o)
}

// held is the error for a plan that somebody else has in hand. Its hint says what else is ready.
func (p *Project) held(h *history.Holder, o *BootstrapOptions) *Error {
	return project.Fail(Busy, p.insteadOf(o), "%s", h.Words())
}

// insteadOf returns the hint for a plan that somebody else has in hand.
func (p *Project) insteadOf(o *BootstrapOptions) string {
	r, err := p.Hydrate(o.User)
	if err != nil {
		return verdict.HowToTake
	}
	r.Busy = p.Admit(r, o.Now)
	n := p.NextAfter(r, o.Now)
	if its := free(n, o.Plan); its != nil && r.Refusal(its.Plan) == nil {
		return "gsd bootstrap " + verdict.PlanArgument(its.Plan, its.ID, p.Planning.IsAmbiguous(its.ID, its.Plan)) + " starts on a plan that is ready instead; " + verdict.HowToTake
	}
	return verdict.HowToTake
}

// free returns the first plan that is ready and that nobody else has in hand, other than one; nil if there is none.
func free(n *Next, but string) *verdict.PlanRef {
	ready := append([]verdict.PlanRef{{Plan: n.Plan, ID: n.ID, Begun: n.Begun, InHand: n.InHand}}, n.AlsoReady...)
	if n.Summary != "" || n.Plan == "" {
		ready = ready[1:]
	}
	for i := range ready {
		if its := &ready[i]; its.InHand == "" && its.Plan != but {
			return its
		}
	}
	return nil
}

// readyPlans returns the paths of the plans that are ready.
func readyPlans(n *Next) []string {
	plans := []string{n.Plan}
	for _, also := range n.AlsoReady {
		plans = append(plans, also.Plan)
	}
	return plans
}

// allInHand is the error if every plan that is ready is in somebody else's hands.
func (p *Project) allInHand(user string, plans []string) *Error {
	claims := history.Claims(p.Project, user)
	var who []string
	for _, plan := range plans {
		if h := history.InHandBy(p.Project, claims, user, plan); h != nil {
			who = append(who, h.Words())
		}
	}
	return project.Fail(Busy, "gsd status shows everybody's sessions; gsd help takeover says how to take a plan over", "every plan that is ready is taken: %s", strings.Join(who, "; "))
}

// refuseHeldLost is refuseHeldPlan for a lost session, which may be another user's. One that was torn is still there, and continues.
func (p *Project) refuseHeldLost(lost *LostSession, plan string, o *RestoreOptions, torn *planfile.File) error {
	if torn != nil && verdict.IsOf(torn, &lost.Crumb) {
		return nil
	}
	return p.refuseHeldPlan(&BootstrapOptions{User: lost.User, Plan: plan, Now: o.Now})
}
