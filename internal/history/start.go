package history

// start.go: what decides whether somebody may start on a plan (package claim).

import (
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/claim"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// A Starter answers whether the user of a report may start on plans. What is known of the user is gathered once, when it is first asked
// for; what is known of a plan, when that is asked about.
type Starter struct {
	Here bool // the claims of other clones do not count, because the remote itself is asked

	p       *verdict.Project
	user    string
	r       *answer.Report           // nil before it is needed
	claims  *[]verdict.Claim         // see ClaimsHere
	holders map[string]*claim.Holder // by plan
	lost    *[]answer.LostSession    // on which somebody was at work
}

// NewStarter returns a Starter for the user of a report, which has been judged.
func NewStarter(p *verdict.Project, r *answer.Report) *Starter {
	return &Starter{p: p, user: r.User, r: r}
}

// StarterOf returns a Starter for a user, whose session is only read if an answer depends on it.
func StarterOf(p *verdict.Project, user string) *Starter {
	return &Starter{p: p, user: user}
}

// With returns the Starter for the session as it is now. The claims of others are not gathered again.
func (s *Starter) With(r *answer.Report) *Starter {
	return &Starter{Here: s.Here, p: s.p, user: s.user, r: r, claims: s.claims}
}

// Report returns the report on the user's session.
func (s *Starter) Report() *answer.Report {
	if s.r == nil {
		s.r = s.p.Look(s.user)
	}
	return s.r
}

// Claims returns the sessions of others than the user in this worktree, everybody's in the other worktrees, and the claims of other
// clones.
func (s *Starter) Claims() []verdict.Claim {
	if s.claims == nil {
		s.claims = new(ClaimsHere(s.p, s.user))
	}
	if s.Here {
		return *s.claims
	}
	return slices.Concat(*s.claims, team.ClaimsElsewhere(s.p, s.user))
}

// MayStart decides whether the user may start on a plan.
func (s *Starter) MayStart(plan string, o claim.Options) claim.Availability {
	candidate, _ := s.Read(plan)
	return s.Decide(candidate, o)
}

// Listed returns what is known of a plan without reading it, or a summary that it had before the user's session.
func (s *Starter) Listed(name string) claim.Plan {
	candidate := claim.Plan{Path: name, Summary: s.p.Planning.SummaryOf(name)}
	if candidate.Summary != "" && s.Report().Plan.Path == name {
		candidate.Digest = s.p.Planning.DigestOf(candidate.Summary)
	}
	return candidate
}

// Read returns what is known of a plan, which does not depend on the user, and the plan itself if it can be copied.
func (s *Starter) Read(name string) (candidate claim.Plan, plan *planfile.File) {
	candidate.Path = name
	if place, ok := s.p.Planning.InPlanning(name); !ok || place != name {
		candidate.Problem = problem.Fail(problem.MissingInput, "name it as ResolvePlan returns it", "no such plan: %s", name)
		return candidate, nil
	}
	if failed := s.p.Planning.CheckPlan(name); failed != nil {
		candidate.Problem = failed
		return candidate, nil
	}
	if plan, candidate.Problem = s.p.Planning.ReadPlan(name); candidate.Problem != nil {
		return candidate, nil
	}
	if candidate.Summary = s.p.Planning.SummaryOf(name); candidate.Summary != "" {
		candidate.Digest = s.p.Planning.DigestOf(candidate.Summary)
	} else {
		candidate.Problem = s.p.Planning.Unmerged(name)
	}
	return candidate, plan
}

// OnOpen decides whether the user may start on a plan that was listed as open, which has no summary, and returns the plan if it can be read.
func (s *Starter) OnOpen(open *roadmap.Plan) (may claim.Availability, plan *planfile.File) {
	candidate := claim.Plan{Path: open.Path}
	if plan, candidate.Problem = s.p.Planning.ReadPlan(open.Path); candidate.Problem == nil && open.Unmerged != "" {
		candidate.Problem = s.p.Planning.Unmerged(open.Path)
	}
	return s.Decide(candidate, claim.Options{}), plan
}

// Decide decides whether the user may start on a plan, given what Read returns of it. What does not matter is not looked for; see claim.Plan.
func (s *Starter) Decide(candidate claim.Plan, o claim.Options) claim.Availability {
	f := s.p.StartFacts(s.Report())
	if candidate.Problem == nil && !f.Owns(candidate.Path) && !o.TakeOver {
		candidate.Holder = s.Holder(candidate.Path)
	}
	if candidate.Problem == nil && candidate.Holder == nil && !f.Keeps(candidate.Path, o) && !o.Restore {
		for _, l := range s.LostOn(candidate.Path) {
			candidate.Lost = append(candidate.Lost, l.Run)
		}
	}
	return claim.MayStart(f, &candidate, o)
}

// LostOn returns the user's lost sessions on a plan on which somebody was at work, also those in removed worktrees, the newest first.
func (s *Starter) LostOn(plan string) (all []answer.LostSession) {
	if s.lost == nil {
		runsAndLost := &answer.RunsAndLost{}
		if r := s.Report(); r.Recovery != nil {
			runsAndLost = &r.Recovery.RunsAndLost
		} else {
			runsAndLost.Lost, runsAndLost.Behind, _ = LostOf(s.p, r)
		}
		s.lost = new(slices.DeleteFunc(slices.Concat(runsAndLost.Lost, runsAndLost.Behind), func(l answer.LostSession) bool { return l.Run == nil }))
		slices.SortStableFunc(*s.lost, newestFirst)
	}
	var g *Former
	for _, l := range *s.lost {
		if g == nil {
			src, _ := s.p.Planning.Read(plan) // it has been read before
			g = &Former{p: s.p, path: plan, digest: project.Digest(src)}
		}
		if g.relationOfCrumb(&l.Crumb) != "" {
			all = append(all, l)
		}
	}
	return all
}

// Holder returns who else has taken a plan, nil if nobody has. That does not matter to a user whose own session is on the plan.
func (s *Starter) Holder(plan string) *claim.Holder {
	return project.Memo(&s.holders, plan, func() *claim.Holder {
		for _, c := range s.Claims() {
			if c.Plan == plan {
				if h := holderOf(&c, s.p, s.user); h != nil {
					return h
				}
			}
		}
		for _, b := range BranchesOf(s.p, s.user, plan) {
			if b.Held {
				return &claim.Holder{Plan: plan, User: s.user, Dir: b.Worktree, PID: b.PID, Settled: b.Done, Tasks: b.Total}
			}
		}
		return nil
	})
}

// holderOf returns who has taken the plan of a claim, for a user who works in p; nil for nobody.
func holderOf(c *verdict.Claim, p *verdict.Project, user string) *claim.Holder {
	h := &claim.Holder{Plan: c.Plan, User: c.User, Machine: c.Machine, Since: c.Since, Settled: c.Settled, Tasks: c.Tasks}
	if c.At != nil && c.At != p {
		h.Dir = c.At.Dir
	}
	switch {
	case c.At == nil && c.User == user: // whether a run is alive there is not shared
		return nil
	case c.At == nil:
		return h
	case c.User == user:
		runs, _ := c.At.ReadRuns(user, nil, c.At.RunFile(user))
		if h.Run = runs.AtWork(); h.Run != nil && !h.Run.Own {
			return h
		}
		return nil
	case c.At == p && isFormer(p, user, c.User, c.SessionOn) || IsOld(p, user, c):
		return nil
	}
	r, err := c.At.Hydrate(c.User)
	if h.Finished = err == nil && r.Verdict == answer.Finished; !h.Finished && (err != nil || r.Verdict != answer.Resume) {
		return nil
	}
	h.Since, _ = time.Parse(time.RFC3339, c.Started)
	return h
}

// IsOld reports whether the session of another user holds its plan no longer: no run of it may live, and its last sign of life is as
// long ago as that of a claim which has ended. Who forgot a session must not keep others from its plan for ever.
func IsOld(p *verdict.Project, user string, c *verdict.Claim) bool {
	over := func(seen time.Time) bool { return p.Now.Sub(seen) >= share.ClaimTTL } // a time in the future shows a wrong clock, no long absence
	if c.At == nil || c.User == user || p.Now.IsZero() || !over(c.Changed) {
		return false
	}
	runs, _ := c.At.ReadRuns(c.User, nil, c.At.RunFile(c.User))
	return !slices.ContainsFunc(runs.Runs, func(r run.Run) bool {
		return r.Open() && r.MayLive() || !over(r.Seen) || !r.Open() && !over(r.Ended)
	})
}
