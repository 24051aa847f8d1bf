package hydrate

import (
	"fmt"
	"path"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/roadmap"
)

// Next is the plan that comes next, and why. The rules are in docs/design.md, roadmap: Next plan.
type Next struct {
	Plan string `json:"plan" empty:"null"` // the plan, relative to the project; null if nothing is left to do
	ID   string `json:"id" empty:"null"`   // its short name, such as 03-01; null if it has no number
	// Phase is the plan's phase, such as 3 or 2.1. If plan is null, it is the phase to plan or verify now, null if none is
	// known.
	Phase      string `json:"phase" empty:"null"`
	Wave       *int   `json:"wave"`                 // the wave that its front matter states; null if it states none
	Autonomous bool   `json:"autonomous"`           // false if its front matter says that a person is needed
	Gaps       bool   `json:"gap_closure"`          // it closes gaps that a verification found
	Summary    string `json:"summary" empty:"null"` // where its summary goes, if that is all that is missing; else null
	// Verification is the status of the phase's verification, such as gaps_found, if plan is null and only the verification
	// keeps the phase from being complete; else null.
	Verification string `json:"verification" empty:"null"`
	Begun        bool   `json:"begun"` // commits work on it and nobody has a session on it
	// InHand is the user who has the plan in hand, here, in another worktree or in another clone, so that nobody else should start
	// on it. It is the asking user if a run of theirs may be alive in another worktree.
	InHand    string    `json:"in_hand,omitempty"`
	Because   []string  `json:"because"`    // why, in short sentences for a person
	AlsoReady []PlanRef `json:"also_ready"` // other plans that are ready, the most likely first

	Ambiguous bool      `json:"-"` // another plan has that ID too
	Session   bool      `json:"-"` // the user has a live session on it
	refused   bool      // bootstrap does not start a session on it, or on nothing here
	Warnings  []Warning `json:"-"`
}

// PlanRef is a reference to a plan.
type PlanRef struct {
	Plan  string `json:"plan"`            // the plan, relative to the project
	ID    string `json:"id" empty:"null"` // its short name, such as 03-01; null if it has no number
	Begun bool   `json:"begun"`           // commits work on it and nobody has a session on it
	// InHand is the user who has the plan in hand, so that nobody else should start on it.
	InHand string `json:"in_hand,omitempty"`
}

// NextAnswer is the answer of gsd next.
type NextAnswer struct {
	User     string    `json:"user"`     // who asks: the name that gsd whoami prints
	Next     *Next     `json:"next"`     // the plan that comes next
	Warnings []Warning `json:"warnings"` // what a person should know
	Commands []Command `json:"commands"` // with which to continue
}

// Next finds the plan that comes next for user. It only reads.
func (p *Project) Next(user string, now time.Time) (*NextAnswer, error) {
	r, err := p.Hydrate(user)
	if err != nil {
		return nil, err
	}
	n := p.NextAfter(r)
	answer := &NextAnswer{User: user, Next: n, Warnings: p.warnings(n.Warnings), Commands: n.commands()}
	if r.busy = p.admit(r, now); !n.Session && len(answer.Commands) > 0 && r.refusal(n.Plan) != nil {
		answer.Commands = []Command{{[]string{"gsd", "run", "list"}, "shows who is at work"}}
	}
	return answer, nil
}

func (n *Next) commands() []Command {
	switch {
	case n.Plan == "" || n.Summary != "" || n.InHand != "" || n.refused && !n.Session:
		return nil
	case n.Session:
		return []Command{{[]string{"gsd", "hydrate"}, "continues it"}}
	}
	start := Command{[]string{"gsd", "bootstrap", n.Name()}, "starts a session on it"}
	if !n.Begun {
		return []Command{start}
	}
	return []Command{{[]string{"gsd", "restore", n.Name()}, "rebuilds its session from those commits"}, start}
}

// NextAfter finds the plan that comes next, given the user's session, which is continued if it is live.
func (p *Project) NextAfter(r *Report) *Next {
	s := p.project.Survey(p.project.DiskFor(r.Plan.Path), p.Progress)
	n := p.next(s, r)
	n.Ambiguous = n.ID != "" && p.project.IsAmbiguous(n.ID, n.Plan)
	n.Warnings = append(n.Warnings, p.project.Warned()...)
	return n
}

// next calls roadmap.Next with everything that is known about a root and about the user. The caller sets Ambiguous and adds
// the project's own warnings.
func (p *Project) next(s *project.Survey, r *Report) *Next {
	q, inHand := p.question(s, r)
	a := roadmap.Next(q)
	n := &Next{
		Warnings: s.Warnings, Phase: a.Phase.String(), Because: a.Because, Verification: a.Unverified,
		Autonomous: !a.Meta.Manual, Gaps: a.Meta.Gaps,
	}
	if a.Meta.HasWave {
		n.Wave = &a.Meta.Wave
	}
	begun := func(plan string) bool {
		work := q.Evidence.Work[plan]
		own := r.Session != nil && r.Verdict != Corrupt && (plan == r.Plan.Path || plan == r.Plan.Moved) // a stale one, too
		return work != nil && work.Begun && !own && q.Taken[plan] == ""
	}
	if a.Plan != nil {
		n.Plan, n.ID, n.Begun, n.Session = a.Plan.Path, a.Plan.ID, begun(a.Plan.Path), a.Plan.Path == q.Session
		if !a.Ended {
			n.InHand = inHand(n.Plan)
		}
		if closed := p.closed(r); len(closed) > 0 {
			n.refused = true
			n.Warnings = append(n.Warnings, closed...)
		}
		if _, err := p.project.ReadPlan(n.Plan); err != nil {
			n.refused = true
			p.project.Warn(project.PlanUnreadable, "gsd bootstrap refuses the next plan: "+err.Error())
		}
	}
	if name, ok := planref.SummaryName(n.Plan); ok && a.Ended {
		n.Summary = path.Join(path.Dir(n.Plan), name)
	}
	for _, also := range a.AlsoReady {
		n.AlsoReady = append(n.AlsoReady, PlanRef{also.Path, also.ID, begun(also.Path), inHand(also.Path)})
	}
	for _, text := range a.Waves {
		p.project.Warn(WaveContradicted, text)
	}
	for _, text := range a.Overlaps {
		p.project.Warn(FilesOverlap, text)
	}
	if n.Plan == "" && len(p.project.Warned()) > 0 {
		n.Because = append(n.Because, "not everything was read; see the warnings")
	}
	return n
}

// question adds to what a survey knows what is known about the user. inHand returns the user who has a plan in hand; "" for
// nobody.
func (p *Project) question(s *project.Survey, r *Report) (q roadmap.Question, inHand func(plan string) string) {
	q = s.Question
	claims := p.claims(r.User)
	q.Taken, q.Ended = p.sessionsOf(r, s.Disk, claims)
	if r.Verdict.Live() {
		q.Session = r.Plan.Path
	}
	var holders map[string]string
	inHand = func(plan string) string {
		if q.Taken[plan] == "" || plan == q.Session {
			return ""
		}
		return project.Memo(&holders, plan, func() string {
			if h := p.holderOf(claims, r.User, plan); h != nil {
				return h.user
			}
			return ""
		})
	}
	q.InHand = func(p *roadmap.Plan) bool { return inHand(p.Path) != "" }
	return q, inHand
}

const maxUsers = 1000

func (p *Project) users() []string {
	users := session.Users(p.project.Root())
	if len(users) > maxUsers {
		p.project.Warn(project.TooMany, fmt.Sprintf("only the sessions of the first %d of %d users are read", maxUsers, len(users)))
		users = users[:maxUsers]
	}
	return users
}

type sessionOn struct {
	plan    string // as its header names it
	started string // as its header states it
	changed time.Time
	left    bool // a task is left to do
}

func sessionOnPlan(s *planfile.File, changed time.Time) sessionOn {
	return sessionOn{s.Header.Plan, s.Header.Started, changed, firstOpen(s) != nil}
}

// sessionsOf returns who has a session on which plan, by the plan's path. In taken is the sentence of a claim to it: of a user
// other than r's with tasks left to do, or of anybody in another worktree. In ended are users, including r's, whose tasks are
// all complete here although the plan has no summary.
func (p *Project) sessionsOf(r *Report, disk *roadmap.Disk, claims []claim) (taken, ended map[string]string) {
	taken, ended = map[string]string{}, map[string]string{}
	if r.Verdict == Finished {
		ended[r.Plan.Path] = r.User
	}
	open := map[string]bool{}
	for _, plan := range disk.Open() {
		open[plan.Path] = true
	}
	for _, c := range claims {
		switch {
		case c.left || c.at != p: // where its tasks are complete, its summary will be written there
			if taken[c.plan] == "" {
				taken[c.plan] = c.words(p, r.User)
			}
		case ended[c.plan] == "" && open[c.plan]:
			if theirs, err := p.Hydrate(c.user); err == nil && theirs.Verdict == Finished {
				ended[c.plan] = c.user
			}
		}
	}
	return taken, ended
}
