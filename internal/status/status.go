// Package status describes the project as a whole: gsd status (Of) and gsd state (StateOf).
package status

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/overview"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// Status is an overview of a project: its phases and plans, its position, and everyone's sessions. Texts are as the files
// have them: untrusted.
type Status struct {
	User        string                `json:"user"`                       // who asks: the name that gsd whoami prints
	Project     string                `json:"project"`                    // the roadmap's title, else the name of the project's directory
	Root        string                `json:"root"`                       // the directory of the phases: .planning or a workstream
	Roadmap     string                `json:"roadmap" empty:"null"`       // the roadmap, relative to the project; null if there is none
	Position    overview.Position     `json:"position"`                   // where the project stands
	Activity    overview.Activity     `json:"last_activity" empty:"null"` // the latest commit about a plan; null if there is none
	Milestones  []overview.Milestone  `json:"milestones"`                 // in order; archives that the roadmap does not list come first
	Phases      []overview.Phase      `json:"phases"`                     // the phases of all milestones, in order
	Quick       []overview.StatusPlan `json:"quick"`                      // the quick tasks, which belong to no phase
	Workstreams []Workstream          `json:"workstreams"`                // the other roots of the project
	Sessions    []answer.Session      `json:"sessions"`                   // everyone's sessions, those of other worktrees and then of other clones last, the asking user's first, then by name
	Runs        []UserRun             `json:"runs"`                       // everyone's open runs, the asking user's first, then by name
	PhaseClaim  *project.PhaseClaim   `json:"phase_claim,omitempty"`      // the claim on a phase of another session of gsd-core, while it counts
	Lost        int                   `json:"lost"`                       // how many sessions of this project are lost
	Incomplete  []answer.Incomplete   `json:"incomplete"`                 // other work that was started and not finished
	Next        *answer.Next          `json:"next"`                       // the plan that comes next
	Warnings    []problem.Warning     `json:"warnings"`                   // what a person should know

	Latest overview.Activity `json:"-"` // the latest commit of all
	// Only if Options.Timeline asks for them.
	Timeline []Span   `json:"-"`
	Marked   []Marked `json:"-"` // the tasks that runs have marked, as far as it is known when, the latest first
}

// Workstream is another root of the project.
type Workstream struct {
	Name  string `json:"name"`  // its name
	Root  string `json:"root"`  // its directory, relative to the project
	Done  int    `json:"done"`  // how many plans of its current milestone are done
	Total int    `json:"total"` // how many plans that has
}

// UserRun is one user's run.
type UserRun struct {
	User string `json:"user"` // whose run it is
	run.Run
	Mine bool `json:"mine"` // it is the asking user's, whichever process asks
}

// Span is the period of one plan, from its commits.
type Span struct {
	ID, Path    string
	Phase       string
	First, Last time.Time // of the plan's first and last commit
	Commits     int
	Done        bool
	Finished    time.Time // when its summary was committed; zero if it was not
}

// Marked is a task that a run of a user has marked.
type Marked struct {
	User string
	ID   string // of its plan; empty if that has no number
	run.TaskTimes
}

// Latest returns when the task was marked last.
func (m *Marked) Latest() time.Time {
	if m.Ended.After(m.Started) {
		return m.Ended
	}
	return m.Started
}

// addMarked adds the tasks that a run of a user has marked.
func (st *Status) addMarked(p *verdict.Project, user string, r *run.Run) {
	for _, t := range r.Tasks {
		if m := (Marked{User: user, TaskTimes: t}); !m.Latest().IsZero() {
			m.ID, _ = p.Planning.PlanID(t.Plan)
			st.Marked = append(st.Marked, m)
		}
	}
}

// Options are the options of Of.
type Options struct {
	User     string // who asks
	Timeline bool   // fill in Status.Timeline, which takes reading the whole history, and Status.Marked
	Tasks    bool   // fill in the tasks of the valid sessions
}

// Of returns an overview of the project. It only reads. A session that cannot be read is a warning.
func Of(p *app.Project, o Options) (*Status, error) {
	own := p.Look(o.User) // if it cannot be read, sessions warns of it
	disk := p.Planning.DiskFor(p.Base(), own.Plan.Path)
	disk.Quick = p.Planning.Quick(disk.Root)
	s := p.Planning.Survey(disk, p.Progress)
	st := &Status{User: o.User}
	sessions(p, st, own, o) // before next, which needs to know their plans
	st.Sessions = team.AddSessions(p.Project, st.Sessions, o.User, disk)
	st.Next = p.NextPlan(s, own)
	st.PhaseClaim = history.PhaseClaim(p.Project, o.User, disk.Root)
	st.Next.Warnings = slices.DeleteFunc(st.Next.Warnings, history.IsPhaseClaim) // a row says it
	st.Warnings = slices.Concat(st.Next.Warnings, st.Warnings, team.SyncWarnings(p.Project))
	view := overview.Of(s, st.live(), st.ready(), st.Next.Due)
	setOverview(p, st, view)
	st.addBranches(p)
	st.Latest = overview.Activity{When: s.Evidence.Newest.When, What: s.Evidence.Newest.Subject}
	st.Warnings = slices.Concat(st.Warnings, repeated(disk))
	isQuick := func(w answer.Incomplete) bool { return w.Kind == answer.QuickTask } // all are in Quick
	st.Incomplete = slices.DeleteFunc(p.Leftover().All(own.Plan.Path, p.Planning.HandOffNotes()...), isQuick)
	st.addInFlight(s.Evidence)
	workstreams(p, st)
	if o.Timeline {
		st.sortMarked()
		timeline(p, st, disk)
	}
	st.Warnings = p.Warnings(st.Warnings, p.Planning.Warned())
	return st, nil
}

// PhaseRepeated warns that two live directories have the same phase number, like upstream's ambiguous_matches
// (phase-locator.cjs).
const PhaseRepeated = "phase-repeated"

func repeated(d *roadmap.Disk) (found []problem.Warning) {
	for i := 1; i < len(d.Phases); i++ { // they are sorted by number
		a, b := &d.Phases[i-1], &d.Phases[i]
		if !a.Number.IsZero() && planref.Compare(a.Number, b.Number) == 0 {
			found = append(found, problem.Warning{Code: PhaseRepeated, Path: a.Path, Other: b.Path, Phase: a.Number.String()})
		}
	}
	return found
}

// live returns the plans that somebody has a session on.
func (st *Status) live() map[string]bool {
	plans := map[string]bool{}
	for _, session := range st.Sessions {
		if session.Verdict.Live() {
			plans[session.Plan] = true
		}
	}
	return plans
}

// ready returns the plan that comes next and those that could.
func (st *Status) ready() map[string]bool {
	plans := map[string]bool{st.Next.Plan: true}
	for _, also := range st.Next.AlsoReady {
		plans[also.Plan] = true
	}
	return plans
}

func setOverview(p *app.Project, st *Status, o *overview.Overview) {
	st.Project, st.Root, st.Roadmap, st.Position, st.Activity = title(p, o), o.Root, o.Roadmap, o.Position, o.Activity
	st.Milestones, st.Phases, st.Quick = o.Milestones, o.Phases, o.Quick
}

// title returns the roadmap's title, else the name of the project's directory.
func title(p *app.Project, o *overview.Overview) string {
	return cmp.Or(o.Title, path.Base(strings.ReplaceAll(p.Dir, `\`, "/")))
}

// sessions lists everyone's sessions and open runs, the asking user's first, and counts the lost sessions. The sessions of other
// workstreams and worktrees follow.
func sessions(p *app.Project, st *Status, own *answer.Report, o Options) {
	for _, tree := range append([]*verdict.Project{p.Project}, p.Worktrees()...) {
		addSessions(p.Project, st, own, tree, o)
		for _, root := range tree.InAll() {
			if root.Base() != p.Base() {
				addSessions(p.Project, st, own, root, o)
			}
		}
	}
}

// addSessions adds those of the root and worktree at.
func addSessions(p *verdict.Project, st *Status, own *answer.Report, at *verdict.Project, o Options) {
	users := at.Users()
	if at == p && !slices.Contains(users, own.User) {
		users = append(users, own.User) // the directory may be gone, but not the breadcrumbs
	}
	slices.SortFunc(users, func(a, b string) int {
		switch own.User {
		case a:
			return -1
		case b:
			return 1
		}
		return strings.Compare(a, b)
	})
	for _, user := range users {
		r := own
		if at != p || user != own.User || own.Session == nil {
			var err error
			if r, err = at.Hydrate(user); err != nil {
				st.Warnings = append(st.Warnings, problem.Warning{Code: answer.SessionUnreadable, Says: err.Error()})
				continue
			}
		}
		if r.Session != nil {
			at.KnowSession(r)
		}
		if at != p {
			if history.CheckStates(at, r); r.Verdict != answer.None {
				session := row(at, r, user == own.User, o)
				if at.Dir != p.Dir {
					session.Worktree = at.Dir
				}
				if at.Base() != p.Base() {
					session.Workstream = p.Planning.RootName(at.Base())
				}
				st.Sessions = append(st.Sessions, session)
			}
			continue
		}
		runs, warnings := history.Runs(p, r)
		for _, agentRun := range runs.Runs {
			if o.Timeline {
				st.addMarked(p, user, &agentRun)
			}
			if agentRun.Open() {
				st.Runs = append(st.Runs, UserRun{User: user, Run: agentRun, Mine: user == own.User})
			}
		}
		st.Lost += len(runs.Lost)
		st.Warnings = append(st.Warnings, warnings...)
		if r.Verdict != answer.None {
			if o.Tasks && r.Resume != nil {
				r.Resume.AddAlso(r.Session)
			}
			history.SetStates(p, r, &runs)
			st.Sessions = append(st.Sessions, row(p, r, user == own.User, o))
		}
	}
}

// row is the session of a report as a row, with its tasks if they are asked for.
func row(at *verdict.Project, r *answer.Report, own bool, o Options) answer.Session {
	s := r.Row(own)
	if !o.Tasks || !r.Verdict.Live() {
		return s
	}
	s.Tasks = at.SessionTasks(r)
	if n := r.Resume; n != nil {
		for _, t := range append([]answer.PlannedTask{n.PlannedTask}, n.Also...) {
			s.Tasks[t.Number-1].State = t.State
		}
	}
	return s
}

// Worker returns the run that works on a task in progress of a session; nil if none is known to.
func (st *Status) Worker(s *answer.Session, task int) *run.Run {
	if s.Worktree != "" || s.Workstream != "" || s.Machine != "" { // open runs are only known of this one
		return nil
	}
	for i := range st.Runs {
		if r := &st.Runs[i]; r.User == s.User && r.MayLive() && slices.Contains(r.InProgress, task) {
			return &r.Run
		}
	}
	return nil
}

// sortMarked puts the tasks that were marked last first.
func (st *Status) sortMarked() {
	slices.SortStableFunc(st.Marked, func(a, b Marked) int { return b.Latest().Compare(a.Latest()) })
}

// addBranches adds to the open plans the work on them that is not here.
func (st *Status) addBranches(p *app.Project) {
	for _, ph := range st.Phases {
		for i := range ph.Plans {
			if plan := &ph.Plans[i]; plan.Status != overview.PlanDone {
				plan.Branches = history.BranchesOf(p.Project, st.User, plan.Path)
			}
		}
	}
}

// addInFlight adds the plans that only commits work on to what was started and not finished.
func (st *Status) addInFlight(ev next.Evidence) {
	started := map[string]bool{}
	for _, s := range st.Sessions {
		started[s.Plan] = true
	}
	for _, ph := range st.Phases {
		for _, plan := range ph.Plans {
			if ev.Work[plan.Path] != nil && (plan.Status == overview.PlanInProgress || plan.Status == overview.PlanDue) && !started[plan.Path] {
				st.Incomplete = append(st.Incomplete, answer.Incomplete{Kind: answer.BegunPlan, ID: plan.ID, Path: plan.Path})
			}
		}
	}
}

func workstreams(p *app.Project, st *Status) {
	for _, root := range p.Planning.Roots() {
		if root == st.Root {
			continue
		}
		all := progressOf(p, root)
		w := Workstream{Name: path.Base(root), Root: root, Done: all.PlansDone, Total: all.Plans}
		if w.Total > 0 || root != planref.Planning {
			st.Workstreams = append(st.Workstreams, w)
		}
	}
}

// progressOf counts what counts now in another root, as its own status does, but for what only front matter says.
func progressOf(p *app.Project, root string) (all roadmap.Progress) {
	_, parsed, _ := p.Planning.NearestRoadmap(path.Join(root, "x")) // its own status reports the error
	if parsed == nil {
		parsed = &roadmap.Roadmap{}
	}
	entries := roadmap.Join(p.Planning.Phases(root), parsed)
	scope := parsed.Scope(entries)
	for i := range entries {
		if scope.Has(&entries[i]) {
			all.Add(&entries[i])
		}
	}
	return all
}

// timeline adds the plans by their commits.
func timeline(p *app.Project, st *Status, d *roadmap.Disk) {
	log, err := p.Planning.Line(p.Progress)
	if log != nil {
		defer log.Close()
		for _, s := range overview.Timeline(log.Commits(), d) {
			st.Timeline = append(st.Timeline, Span{
				ID: s.Plan.ID, Path: s.Plan.Path, Phase: s.Plan.Phase.String(), First: s.First, Last: s.Last,
				Commits: s.Commits, Done: s.Plan.Done(), Finished: s.Finished,
			})
		}
		err = log.Err
	}
	if err != nil {
		st.Warnings = append(st.Warnings, problem.HistoryWarning(err))
	}
}
