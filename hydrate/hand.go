package hydrate

// hand.go: who has a plan in hand. Nobody else starts on it: gsd next names it last and without a command, and gsd bootstrap
// refuses it unless --force is given.

import (
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/planfile"
)

// A holder has a plan in hand: another user with a session on it that is to be resumed, here or in another worktree, or a claim
// from another clone; or the user's own run that may be alive in another worktree.
type holder struct {
	claim
	here bool     // it is a session in the user's own worktree
	run  *run.Run // the user's own
}

// holder returns who has a plan in hand, so that user must not start on it; nil if nobody has.
func (p *Project) holder(user, plan string) *holder { return p.holderOf(p.claims(user), user, plan) }

// holderOf is holder, given the claims of others.
func (p *Project) holderOf(claims []claim, user, plan string) *holder {
	for i := range claims {
		if c := &claims[i]; c.plan == plan {
			if h := c.holder(p, user); h != nil {
				return h
			}
		}
	}
	return nil
}

// holder returns who has the plan of a claim in hand, for a user who works in p; nil for nobody.
func (c *claim) holder(p *Project, user string) *holder {
	switch {
	case c.at == nil && c.user == user: // whether a run is alive there is not shared
		return nil
	case c.at == nil:
		return &holder{claim: *c}
	case c.user == user:
		_, runs, _ := c.at.readRuns(user, c.at.files(user), p.Now)
		if its := runs.AtWork(); its != nil && !its.Own {
			return &holder{claim: *c, run: its}
		}
		return nil
	case !c.left || c.at == p && p.isFormer(user, c.user, c.sessionOn):
		return nil
	}
	if r, err := c.at.Hydrate(c.user); err != nil || r.Verdict != Resume {
		return nil
	}
	return &holder{claim: *c, here: c.at == p}
}

// words say who has the plan in hand, where, and since when.
func (h *holder) words() string {
	plan := PlanName(h.plan)
	switch {
	case h.run != nil:
		return "your run in the worktree " + h.at.Dir + " has " + plan + " in hand: " + h.run.Who()
	case h.at == nil:
		return hasClaimed(h.user, plan, h.machine, h.since)
	}
	text := h.user + " has " + plan + " in hand"
	if !h.here {
		text += " in the worktree " + h.at.Dir
	}
	if started, err := time.Parse(time.RFC3339, h.started); err == nil {
		text += " since " + minute(started)
	}
	return text
}

func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 MST") }

// continues reports whether the session of a report continues when its user starts on a plan: it is valid and on the plan, or
// only the plan itself has changed.
func (r *Report) continues(plan string) bool {
	return r.Verdict.Live() && r.Plan.Path == plan || r.Fix != nil && (r.Plan.Path == plan || r.Plan.Moved == plan)
}

// guardPlan refuses to start on a plan that somebody else has in hand. A user's own session on the plan continues, even if others
// have one, too.
func (p *Project) guardPlan(o *BootstrapOptions) error {
	if o.Force {
		return nil
	}
	claims := p.claimsHere(o.User)
	if o.Claim == nil { // else the remote itself will be asked
		claims = append(claims, p.claimsElsewhere(o.User)...)
	}
	h := p.holderOf(claims, o.User, o.Plan)
	if h == nil {
		return nil
	}
	if r, err := p.Hydrate(o.User); err == nil && r.continues(o.Plan) {
		return nil
	}
	return p.held(h, o)
}

// showHolder is printed instead of a command that would start on a plan that somebody else has in hand.
func showHolder() *Command {
	return &Command{[]string{"gsd", "status"}, "shows who has that plan in hand"}
}

// howToTake is the end of a hint: to take a plan from somebody is for people to decide, so no command that does it is printed.
const howToTake = "gsd help bootstrap says how to take it over"

// held is the error for a plan that somebody else has in hand. Its hint says what else is ready.
func (p *Project) held(h *holder, o *BootstrapOptions) *Error {
	return project.Fail(Busy, p.insteadOf(o), "%s", h.words())
}

// insteadOf returns the hint for a plan that somebody else has in hand.
func (p *Project) insteadOf(o *BootstrapOptions) string {
	r, err := p.Hydrate(o.User)
	if err != nil {
		return howToTake
	}
	r.busy = p.admit(r, o.Now)
	n := p.NextAfter(r)
	if its := n.free(o.Plan); its != nil && r.refusal(its.Plan) == nil {
		return "gsd bootstrap " + planWord(its.Plan, its.ID, p.project.IsAmbiguous(its.ID, its.Plan)) + " starts on a plan that is ready instead; " + howToTake
	}
	return howToTake
}

// free returns the first plan that is ready and that nobody else has in hand, other than one; nil if there is none.
func (n *Next) free(but string) *PlanRef {
	ready := append([]PlanRef{{n.Plan, n.ID, n.Begun, n.InHand}}, n.AlsoReady...)
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

// all returns the paths of the plans that are ready.
func (n *Next) all() []string {
	plans := []string{n.Plan}
	for _, also := range n.AlsoReady {
		plans = append(plans, also.Plan)
	}
	return plans
}

// allInHand is the error if every plan that is ready is in somebody else's hands.
func (p *Project) allInHand(user string, plans []string) *Error {
	claims := p.claims(user)
	var who []string
	for _, plan := range plans {
		if h := p.holderOf(claims, user, plan); h != nil {
			who = append(who, h.words())
		}
	}
	return project.Fail(Busy, "gsd status shows everybody's sessions; gsd help bootstrap says how to take a plan over", "every plan that is ready is taken: %s", strings.Join(who, "; "))
}

// guardLost is guardPlan for a lost session, which may be another user's. One that was torn is still there, and continues.
func (p *Project) guardLost(lost *LostSession, plan string, o *RestoreOptions, torn *planfile.File) error {
	if torn != nil && isOf(torn, &lost.crumb) {
		return nil
	}
	return p.guardPlan(&BootstrapOptions{User: lost.User, Plan: plan, Force: o.Force, Now: o.Now})
}
