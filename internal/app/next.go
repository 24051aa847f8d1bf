package app

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/claim"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// NextRefused warns that no session can be started on the next plan as it is.
const NextRefused = "next-refused"

// NextAnswer is the answer of gsd next.
type NextAnswer struct {
	User string       `json:"user"`          // who asks: the name that gsd whoami prints
	Dir  string       `json:"dir,omitempty"` // the project's directory, to which all paths are relative, if that is not the one where it was asked
	Next *answer.Next `json:"next"`          // the plan that comes next
	// Incomplete are the quick tasks that were cut off, and the debug sessions that are open.
	Incomplete []answer.Incomplete `json:"incomplete,omitempty"`
	Warnings   []problem.Warning   `json:"warnings"` // what a person should know
	Do         []action.Action     `json:"do"`       // with which to continue
}

// Next finds the plan that comes next for user. It only reads.
func (p *Project) Next(user string) (*NextAnswer, error) {
	r, err := p.Hydrate(user)
	if err != nil {
		return nil, err
	}
	n := p.nextAfter(r)
	return &NextAnswer{User: user, Dir: p.Planning.Away(), Next: n, Incomplete: p.Leftover().OutsidePhases(r.Plan.Path), Warnings: p.Warnings(n.Warnings, n.Conflicts), Do: n.Do()}, nil
}

// nextAfter finds the plan that comes next, given the user's session, which is continued if it is live.
func (p *Project) nextAfter(r *answer.Report) *answer.Next {
	s := p.Planning.Survey(p.Planning.DiskFor(p.Base(), r.Plan.Path), p.Progress)
	n := p.NextPlan(s, r)
	n.Ambiguous = n.ID != "" && p.Planning.IsAmbiguous(n.ID, n.Plan)
	n.Warnings = append(n.Warnings, p.Planning.Warned()...)
	return n
}

// RefuseUndecided returns an error of kind MissingInput if it is to be chosen first in which root a command acts.
func (p *Project) RefuseUndecided() error {
	if !p.Undecided() {
		return nil
	}
	failed := problem.Fail(problem.MissingInput, "choose one with GSD_WORKSTREAM or --ws", "several workstreams have something to do: %s", p.rootNames())
	for _, root := range p.Planning.Undecided[:min(len(p.Planning.Undecided), mostChoices)] {
		failed = failed.Try(action.Action{Kind: action.Choose, Root: p.Planning.RootName(root)})
	}
	return failed
}

// rootNames lists the roots among which it is to be chosen.
func (p *Project) rootNames() string {
	var names []string
	for _, root := range p.Planning.Undecided[:min(len(p.Planning.Undecided), mostChoices)] {
		names = append(names, p.Planning.RootName(root))
	}
	if more := len(p.Planning.Undecided) - len(names); more > 0 {
		names = append(names, strconv.Itoa(more)+" more")
	}
	return strings.Join(names, ", ")
}

// mostChoices is how many workstreams are named with what there is to do, where one has to be chosen.
const mostChoices = 20

// workstreams returns what there is to do for a user in the roots among which it is to be chosen.
func (p *Project) workstreams(user string) (all []answer.Choice) {
	for _, root := range p.Planning.Undecided[:min(len(p.Planning.Undecided), mostChoices)] {
		at, w := &Project{p.In(root)}, answer.Choice{Name: p.Planning.RootName(root), Root: root}
		r := at.Look(user)
		if w.Session = r.Verdict.Live(); w.Session {
			w.Plan, w.Done, w.Total = r.On, r.Done, r.Total
		} else {
			w.Plan = at.nextAfter(r).Plan
		}
		w.ID, _ = p.Planning.PlanID(w.Plan)
		lost, _, _ := history.LostOf(at.Project, r)
		w.Lost = len(lost)
		all = append(all, w)
	}
	return all
}

// NextPlan calls next.Order with everything that is known about a root and about the user. The caller sets Ambiguous and adds
// the project's own warnings.
func (p *Project) NextPlan(s *project.Survey, r *answer.Report) *answer.Next {
	if p.Undecided() {
		return &answer.Next{Autonomous: true, Workstreams: p.workstreams(r.User), MoreWorkstreams: max(0, len(p.Planning.Undecided)-mostChoices)}
	}
	q, starter, finished := p.question(s, r)
	a := next.Order(q)
	n := &answer.Next{
		Warnings: s.Warnings, Phase: a.Phase.String(), Because: a.Because, Verification: a.Unverified,
		Autonomous: !a.Meta.Manual, Gaps: a.Meta.Gaps,
	}
	if a.Meta.HasWave {
		n.Wave = &a.Meta.Wave
	}
	started := func(plan string) bool { return q.Evidence.Work[plan] != nil && q.Evidence.Work[plan].Begun }
	hasNone := func(plan string) bool { return hasNone(r, &q, plan) }
	if a.Plan != nil {
		n.Plan, n.ID, n.Session = a.Plan.Path, a.Plan.ID, a.Plan.Path == q.Session
		n.Because = append(n.Because, p.oldSessions(starter.Claims(), r.User, n.Plan)...)
		n.Branches = history.BranchesOf(p.Project, r.User, n.Plan)
		n.Warnings = append(n.Warnings, statusWarnings(n.Plan, a.Meta.Status)...)
		may, plan := starter.OnOpen(a.Plan)
		if n.Warnings = append(n.Warnings, verdict.UnwritableWarning(r, r.Starts.Closed)...); !a.Ended {
			n.May, n.TakenBy = may, may.By.User
		}
		if may.Why == claim.PlanProblem {
			p.Planning.Warn(problem.Warning{Code: NextRefused, Plan: n.Plan, Says: may.Err.Error()})
		} else if hasNone(n.Plan) && !a.Ended {
			most := q.Evidence.Seen // work need not name its plan, but is then looked for in the commits that have been read
			if started(n.Plan) {
				most = verdict.MostCommits
			}
			if n.Progress = finished[n.Plan]; n.Progress == nil {
				n.Progress = history.SoFar(p.Project, r, n.Plan, plan, most)
			}
			n.Begun = n.Progress != nil || started(n.Plan)
			if n.Progress != nil {
				p.AddUncommitted(n.Progress.Resume, n.Plan)
			} else if uncommitted := p.Uncommitted(n.Plan, plan, 1); uncommitted.OfTasks() { // somebody may have been cut off before the first commit
				n.Uncommitted = uncommitted
			}
			if n.Progress != nil && n.Progress.Cut || n.Progress == nil && p.Planning.IsCut() {
				n.Warnings = append(n.Warnings, history.Truncated)
			}
			said := progress.Words(plan)
			if n.Progress != nil {
				said = n.Progress.Tasks
			}
			n.Warnings = append(n.Warnings, answer.UnclearWords(n.Plan, said)...)
			if may.Why == claim.LostInUse {
				n.Because = append(n.Because, next.Reason{Code: next.LostAtWork, Host: may.Run.Host, Run: may.Run.ID})
			}
		}
	}
	switch {
	case n.Session:
		n.Branches = p.branches(r)
	case n.Progress != nil:
		n.Branches = history.NextAfter(n.Branches, len(n.Progress.Tasks), n.Progress.IsSettled)
	}
	if a.Ended {
		addSummary(p, n, r)
	}
	for _, also := range a.AlsoReady {
		may, plan := starter.OnOpen(also)
		ref := answer.PlanRef{Plan: also.Path, ID: also.ID, May: may, TakenBy: may.By.User, Begun: hasNone(also.Path) && (started(also.Path) || plan != nil && progress.Words(plan) != nil)}
		ref.Branches, ref.Says = history.BranchesOf(p.Project, r.User, also.Path), frontmatter.OwnStatus(p.Planning.StatusOf(also.Path))
		if ref.Progress = finished[ref.Plan]; ref.Progress == nil && plan != nil && (ref.Begun || n.Summary != "") {
			ref.Progress = history.SoFar(p.Project, r, ref.Plan, plan, verdict.MostCommits)
		}
		if ref.Progress != nil {
			ref.Branches = history.NextAfter(ref.Branches, len(ref.Progress.Tasks), ref.Progress.IsSettled)
		}
		if n.Summary != "" {
			ref.Argument = p.Planning.Argument(ref.Plan)
		}
		n.AlsoReady = append(n.AlsoReady, ref)
	}
	for _, left := range a.LeftOver {
		n.LeftOver = append(n.LeftOver, answer.LeftOver{Plan: left.Plan.Path, ID: left.Plan.ID, Why: left.Why})
	}
	if len(a.Conflicts) > 0 && !n.Session && !n.Begun && !a.Ended && n.TakenBy == "" { // somebody who is about to start on it may still choose another
		n.Conflicts = []problem.Warning{answer.WaveWarning(a.Conflicts)}
	}
	n.Due = q.Ended
	n.Warnings = append(n.Warnings, history.PhaseClaimWarnings(p.Project, r.User, s.Disk.Root, n.Phase)...)
	if n.Plan == "" && (s.Unread || len(p.Planning.Warned()) > 0) {
		isNone := func(r next.Reason) bool { return r.Code == next.NoPlanYet } // as far as was read
		n.Because = append(slices.DeleteFunc(n.Because, isNone), next.Reason{Code: next.NotAllRead})
	}
	return n
}

// oldSessions says who else has an old session on a plan, which keeps nobody from it.
func (p *Project) oldSessions(claims []verdict.Claim, user, plan string) (all []next.Reason) {
	for _, c := range claims {
		if c.Plan == plan && history.IsOld(p.Project, user, &c) {
			if reason, ok := history.TakenBy(&c, p.Project, user); ok {
				all = append(all, reason)
			}
		}
	}
	return all
}

// addSummary adds to an answer about a plan whose tasks are all complete where its summary goes, and how far that is.
func addSummary(p *Project, n *answer.Next, r *answer.Report) {
	name, ok := planref.SummaryName(n.Plan)
	if !ok {
		return
	}
	n.Summary = path.Join(path.Dir(n.Plan), name)
	if r.On == n.Plan && r.Verdict == answer.Finished {
		n.Draft, n.Summarize = r.Draft, r.Summarize()
	} else {
		n.Draft, _ = verdict.ReadDraft(p.Project, n.Summary)
	}
}

// question adds to what a survey knows what is known about the user, and returns what decides on which plans they may start, and how far
// those are that lack only their summary though no session is on them.
func (p *Project) question(s *project.Survey, r *answer.Report) (q next.Question, starter *history.Starter, finished map[string]*answer.PlanProgress) {
	q, starter = s.Question, history.NewStarter(p.Project, r)
	open := map[string]bool{}
	for _, plan := range s.Disk.Open() {
		open[plan.Path] = true
	}
	q.Taken, q.Ended = p.sessionsOf(r, open, starter.Claims())
	if r.Verdict.Live() {
		q.Session = r.Plan.Path
	}
	q.Elsewhere = map[string]bool{}
	for _, plan := range s.Disk.Open() {
		isAway := func(b evidence.Branch) bool { return b.Held || b.Summary != "" }
		if branches := history.BranchesOf(p.Project, r.User, plan.Path); len(branches) > 0 {
			q.Elsewhere[plan.Path] = slices.ContainsFunc(branches, isAway)
		}
	}
	q.AtWork = func(plan *roadmap.Plan) bool {
		may := starter.Decide(claim.Plan{Path: plan.Path}, claim.Options{})
		return may.Decision == claim.Held
	}
	mayBe := func(plan string) bool {
		return open[plan] && !q.Elsewhere[plan] && hasNone(r, &q, plan) && q.Ended[plan].Code == ""
	}
	finished = history.Finished(p.Project, r, mayBe)
	for plan, planProgress := range finished {
		q.Ended[plan] = next.Reason{Code: next.TasksOver, User: r.User, Skipped: progress.Count(planProgress.Tasks, planfile.Skipped) > 0, Former: true}
	}
	return q, starter, finished
}

// hasNone reports whether nobody has a session on a plan, not even a stale one.
func hasNone(r *answer.Report, q *next.Question, plan string) bool {
	own := r.Session != nil && r.Verdict != answer.Corrupt && (plan == r.Plan.Path || plan == r.Plan.Moved)
	return !own && q.Taken[plan].Code == ""
}

// sessionsOf returns who has a session on which plan, by the plan's path. taken says who has a session on it: a user
// other than r's with tasks left to do, or of anybody in another worktree. In ended are users, including r's, whose tasks are
// all complete or skipped here although the plan has no summary; open are the plans without one.
func (p *Project) sessionsOf(r *answer.Report, open map[string]bool, claims []verdict.Claim) (taken, ended map[string]next.Reason) {
	taken, ended = map[string]next.Reason{}, map[string]next.Reason{}
	if r.Verdict == answer.Finished {
		ended[r.Plan.Path] = next.Reason{Code: next.TasksOver, User: r.User, Skipped: r.Skipped > 0}
	}
	for _, c := range claims {
		switch {
		case c.Left || c.At != p.Project: // where its tasks are complete, its summary will be written there
			if taken[c.Plan].Code == "" && !history.IsOld(p.Project, r.User, &c) {
				taken[c.Plan], _ = history.TakenBy(&c, p.Project, r.User)
			}
		case ended[c.Plan].Code == "" && open[c.Plan]:
			if theirs, err := p.Hydrate(c.User); err == nil && theirs.Verdict == answer.Finished {
				ended[c.Plan] = next.Reason{Code: next.TasksOver, User: c.User, Skipped: theirs.Skipped > 0}
			}
		}
	}
	return taken, ended
}
