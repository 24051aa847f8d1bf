package history

// hand.go: who has a plan in hand. Nobody else starts on it: gsd next names it last and without a command, and gsd bootstrap
// refuses it; gsd takeover takes it.

import (
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// A Holder has a plan in hand: another user with a session on it that is to be resumed, here or in another worktree, or a claim
// from another clone; or the user's own run that may be alive in another worktree.
type Holder struct {
	verdict.Claim
	here bool     // it is a session in the user's own worktree
	run  *run.Run // the user's own
}

// inHand returns who has a plan in hand, so that user must not start on it; nil if nobody has.
func inHand(p *verdict.Project, user, plan string) *Holder {
	return InHandBy(p, Claims(p, user), user, plan)
}

// InHandBy is inHand, given the claims of others.
func InHandBy(p *verdict.Project, claims []verdict.Claim, user, plan string) *Holder {
	for i := range claims {
		if c := &claims[i]; c.Plan == plan {
			if h := holderOf(c, p, user); h != nil {
				return h
			}
		}
	}
	return nil
}

// holderOf returns who has the plan of a claim in hand, for a user who works in p; nil for nobody.
func holderOf(c *verdict.Claim, p *verdict.Project, user string) *Holder {
	switch {
	case c.At == nil && c.User == user: // whether a run is alive there is not shared
		return nil
	case c.At == nil:
		return &Holder{Claim: *c}
	case c.User == user:
		_, runs, _ := c.At.ReadRuns(user, nil, c.At.RunFiles(user), p.Now)
		if its := runs.AtWork(); its != nil && !its.Own {
			return &Holder{Claim: *c, run: its}
		}
		return nil
	case !c.Left || c.At == p && isFormer(p, user, c.User, c.SessionOn) || IsOld(p, user, c):
		return nil
	}
	if r, err := c.At.Hydrate(c.User); err != nil || r.Verdict != verdict.Resume {
		return nil
	}
	return &Holder{Claim: *c, here: c.At == p}
}

// IsOld reports whether the session of another user holds its plan no longer: no run of it may live, and its last sign of life is as
// long ago as that of a claim which has ended. Who forgot a session must not keep others from its plan for ever.
func IsOld(p *verdict.Project, user string, c *verdict.Claim) bool {
	over := func(seen time.Time) bool { return p.Now.Sub(seen) >= share.ClaimTTL } // a time in the future shows a wrong clock, no long absence
	if c.At == nil || c.User == user || p.Now.IsZero() || !over(c.Changed) {
		return false
	}
	_, runs, _ := c.At.ReadRuns(c.User, nil, c.At.RunFiles(c.User), p.Now)
	return !slices.ContainsFunc(runs.Runs, func(r run.Run) bool {
		return r.Open() && r.MayLive() || !over(r.Seen) || !r.Open() && !over(r.Ended)
	})
}

// Words say who has the plan in hand, where, and since when.
func (h *Holder) Words() string {
	plan := verdict.PlanInText(h.Plan)
	switch {
	case h.run != nil:
		return "your run in the worktree " + h.At.Dir + " has " + plan + " in hand: " + h.run.Who()
	case h.At == nil:
		return team.HasClaimed(h.User, plan, h.Machine, h.Since)
	}
	text := h.User + " has " + plan + " in hand"
	if !h.here {
		text += " in the worktree " + h.At.Dir
	}
	if started, err := time.Parse(time.RFC3339, h.Started); err == nil {
		text += " since " + verdict.Minute(started)
	}
	if far := h.HowFar(); far != "" {
		text += ", " + far
	}
	return text
}
