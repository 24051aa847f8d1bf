package answer

import (
	"path"
	"slices"
	"strconv"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/planfile"
)

// Verdict is the state of a session (docs/design.md, The verdict).
type Verdict string

// The verdicts.
const (
	None     Verdict = "none"     // there is no session file
	Corrupt  Verdict = "corrupt"  // the session file is unreadable; it is kept
	Stale    Verdict = "stale"    // the project is no longer on its plan
	Finished Verdict = "complete" // every task is complete or skipped
	Resume   Verdict = "resume"   // a task is left to do
)

// Live reports whether the session is still valid: on a plan that the project is on.
func (v Verdict) Live() bool { return v == Resume || v == Finished }

// StaleReason is why a session is stale.
type StaleReason string

// The reasons, in the order in which they are reported.
const (
	PlanMissing   StaleReason = "plan-missing"   // the plan is not where it was
	PlanCompleted StaleReason = "plan-completed" // its summary exists
	PhaseAdvanced StaleReason = "phase-advanced" // the roadmap is in a later phase
	TaskCount     StaleReason = "task-count"     // the plan has another number of tasks
)

// The codes of the warnings about a session, besides those of planfile.Problems and of identity.
const (
	PlanEdited       = "plan-edited"
	WaveContradicted = "wave-contradicted" // a plan depends on one of its own wave or of a later one
	RoadmapLags      = "roadmap-lags"
)

// WaveWarning is the warning about conflicts between waves and dependencies: the first, and how many there are.
func WaveWarning(all []next.WaveConflict) problem.Warning {
	c := &all[0]
	return problem.Warning{
		Code: WaveContradicted, Plan: c.Plan.Label(), Wave: c.Wave, Other: c.On.Label(), OtherWave: c.OnWave, Count: len(all),
	}
}

// Staleness is one reason for which a session is stale. Which values it has depends on the reason. Paths are relative to the project.
type Staleness struct {
	Reason  StaleReason `json:"reason"`
	Plan    string      `json:"plan,omitempty"`    // where the plan was
	Moved   string      `json:"moved,omitempty"`   // where the plan is now, if that is known
	Summary string      `json:"summary,omitempty"` // the plan's summary

	Roadmap    string           `json:"roadmap,omitempty"`     // the roadmap
	Phase      string           `json:"phase,omitempty"`       // the plan's phase; missing if the roadmap lacks it
	Status     string           `json:"status,omitempty"`      // the status of that phase in the roadmap: unknown, not started, in progress, complete or deferred
	Line       int              `json:"line,omitempty"`        // the line of the roadmap that says so, from 1
	InProgress []PhaseInRoadmap `json:"in_progress,omitempty"` // the first phases that are in progress
	More       int              `json:"more,omitempty"`        // how many others are in progress

	SessionTasks int `json:"session_tasks,omitempty"` // how many tasks the session has
	PlanTasks    int `json:"plan_tasks,omitempty"`    // how many tasks the plan has; missing for none
}

// PhaseInRoadmap is a phase, and the line of the roadmap that is about it.
type PhaseInRoadmap struct {
	Phase string `json:"phase"` // the number of the phase
	Line  int    `json:"line"`  // the line, from 1
}

// Roadmap is what is known of the roadmap that is nearest to the plan.
type Roadmap struct {
	Path    string // empty if there is none, or the plan has no phase
	Advance Advance
	Problem *problem.Warning // why it could not be read; nil if it could
}

// Plan is what is known of the plan that a session is on.
type Plan struct {
	Path    string // as the header names it, cleaned; empty if it names none inside .planning/
	ID      string // empty if it has none
	Invalid string // why Path is empty
	Exists  bool
	Moved   string           // where the plan is now, empty if unknown
	Summary string           // the path of its summary, empty if it has none
	Tasks   int              // how many it has; -1 if it could not be read
	Edited  bool             // it has another text than the session
	Problem *problem.Warning // why it could not be read; nil if it could
	Text    []byte           // of the file
	Words   []progress.Task  // what it says of its tasks itself, as progress.Words returns it
}

// Facts are all that a verdict depends on. Gathering them reads files; judging them does not.
type Facts struct {
	Session *planfile.File // nil if there is none
	Plan    Plan
	Roadmap Roadmap
	Changed time.Time // when the session file was last written; zero if there is none
	Unread  error     // why there is none although there is a file: it cannot be read

	ExtraWarnings []problem.Warning // what the command found besides the session
	RunFile       *run.File         // the records of the runs beside it, read when they are first asked for
	Start         *Start            // what came of the start of the caller's run, nil if it did not start

	// Before are the tasks of a session that was just made, and when they were set in the sessions that it continues; nil otherwise.
	Before []progress.Task

	Evidence *PlanEvidence   // the commits on the plan; nil where HEAD has not moved since the session was started
	State    []progress.Task // of the tasks of the session, with what commits show of them; nil where the commits were not read
	File     *planfile.File  // the session as its file has it, if Session has statuses from commits; else nil

	// Where nothing is left to do: the draft of the plan's summary, nil for none, and whether there is a file where the summary goes.
	Drafted      *Draft
	SummaryThere bool
}

// Start is what came of the start of a run, at the start of a conversation.
type Start struct {
	Before *Recovery // the runs before it, whose ends it has recorded; nil if nothing could be recorded
	Busy   error     // names the run that holds the lease; nil if the start took it
}

// Begin makes a report one of its facts alone, which is still to be judged: Verdict is Corrupt or empty.
func (r *Report) Begin() {
	*r = Report{User: r.User, Dir: r.Dir, Path: r.Path, Facts: r.Facts}
	if r.Corrupt = r.Unusable(); r.Corrupt != "" {
		r.Verdict = Corrupt
	}
}

// Judge gives the verdict. It depends on the facts alone.
func (r *Report) Judge() {
	r.Begin()
	r.judge()
	r.Warnings = append(append(r.Warnings, r.ExtraWarnings...), UnclearWords(r.Plan.Path, r.State)...)
}

func (r *Report) judge() {
	r.Token = "NO_SESSION"
	if r.Session == nil {
		r.Verdict = None
		return
	}
	r.Total, r.Unmarked = len(r.Session.Tasks), r.unmarked()
	r.Done, r.Skipped = r.Session.Count(planfile.Complete), r.Session.Count(planfile.Skipped)
	if r.Verdict == Corrupt {
		return
	}
	if r.Evidence != nil {
		r.Naming = CommitNaming(r.Evidence.Found)
	}
	r.On, r.ID = r.Plan.Path, r.Plan.ID
	if name, ok := planref.SummaryName(r.On); ok {
		r.Summary = path.Join(path.Dir(r.On), name)
	}
	r.Started, _ = r.Session.Header.StartedAt()
	r.Stale, r.Warnings = r.staleness(), r.oddities()
	switch first := FirstOpen(r.Session); {
	case len(r.Stale) > 0:
		r.Verdict, r.Token = Stale, "STALE"
	case first == nil:
		r.Verdict, r.Token = Finished, "ALL_COMPLETE"
	default:
		r.Verdict, r.Token = Resume, strconv.Itoa(first.Number)
		r.Resume = &ResumePoint{PlannedTask: Planned(r.Session, *first)}
		if r.State != nil {
			r.Resume.Task = r.State[first.Number-1]
		}
		if first.Status == planfile.InProgress {
			r.Resume.State = InProgress
		}
		r.Warnings = append(r.Warnings, NumberWarning(r.Session, first.Number)...)
	}
	r.Fix = r.fix()
	if r.Verdict == Finished && r.Summary != "" {
		r.Draft, r.Earlier = r.Drafted, r.SummaryThere
	}
}

// Written returns the session as its file has it, without what commits show.
func (r *Report) Written() *planfile.File {
	if r.File != nil {
		return r.File
	}
	return r.Session
}

// IsStale reports whether a session is stale for a reason.
func (r *Report) IsStale(reason StaleReason) bool {
	return slices.ContainsFunc(r.Stale, func(s Staleness) bool { return s.Reason == reason })
}

// fix returns what helps a session whose own plan has changed, no action if it has not or if another plan comes next.
func (r *Report) fix() (none action.Action) {
	switch {
	case r.IsStale(PlanCompleted), r.IsStale(PhaseAdvanced), len(r.Stale) == 0 && !r.IsEdited():
		return none
	case len(r.Stale) > 0 && r.Plan.Moved != "":
		return action.Action{Kind: action.Follow, Plan: r.Plan.Moved}
	case r.IsStale(PlanMissing):
		return none
	}
	return action.Action{Kind: action.Refresh, Plan: r.Plan.Path}
}

// IsEdited reports whether the plan has another text than the session, and as many tasks.
func (r *Report) IsEdited() bool {
	return slices.ContainsFunc(r.Warnings, func(w problem.Warning) bool { return w.Code == PlanEdited })
}

// Unusable says what is wrong with a session file; "" if nothing is, or there is none.
func (r *Report) Unusable() string {
	switch {
	case r.Session == nil:
		return ""
	case r.Conflict() != nil:
		return "it " + r.Conflict().Error()
	case len(r.Session.Tasks) == 0:
		return "it is empty or binary"
	case r.Session.Header.Plan == "":
		return "it has no Plan: header"
	case r.Plan.Invalid != "":
		return r.Plan.Invalid
	case !r.Session.HasStatus():
		return "no task in it has a status"
	}
	return ""
}

// Conflict returns a *planfile.ConflictError for a session file with conflict markers.
func (r *Report) Conflict() error {
	if r.Session == nil || len(r.Session.Tasks) > 0 { // see planfile.ParseSession
		return nil
	}
	return planfile.CheckConflict(r.Session.Bytes())
}

func (r *Report) staleness() (stale []Staleness) {
	p, at := r.Plan, r.Roadmap
	if !p.Exists {
		stale = append(stale, Staleness{Reason: PlanMissing, Plan: p.Path, Moved: p.Moved})
	}
	if p.Summary != "" {
		stale = append(stale, Staleness{Reason: PlanCompleted, Summary: p.Summary})
	}
	if at.Advance.Advanced && !r.isWorkedOn() {
		stale = append(stale, at.advanced())
	}
	if n := len(r.Session.Tasks); p.Exists && p.Tasks >= 0 && n != p.Tasks {
		stale = append(stale, Staleness{Reason: TaskCount, SessionTasks: n, PlanTasks: p.Tasks})
	}
	return stale
}

// oddities returns the warnings about a session that do not affect the verdict.
func (r *Report) oddities() (found []problem.Warning) {
	add := func(w problem.Warning) { found = append(found, w) }
	p, s, at := r.Plan, r.Session, r.Roadmap
	if p.Problem != nil {
		add(*p.Problem)
	}
	if p.Edited && p.Tasks == len(s.Tasks) {
		add(problem.Warning{Code: PlanEdited, Path: p.Path})
	}
	if at.Problem != nil {
		add(*at.Problem)
	}
	if at.Advance.Advanced && r.isWorkedOn() {
		add(problem.Warning{Code: string(PhaseAdvanced), Path: at.Path})
	}
	if at.Advance.Lagging {
		first := at.Advance.InProgress[0]
		add(problem.Warning{Code: RoadmapLags, Path: at.Path, Line: first.Line, Phase: first.Number.String()})
	}
	for _, fault := range s.Problems() {
		add(problem.Warning{Code: fault.Code, Path: r.Path, Line: fault.Line, Says: fault.Detail})
	}
	return found
}

// advanced returns how the roadmap has moved on past the plan's phase.
func (at Roadmap) advanced() Staleness {
	const most = 3
	staleness := Staleness{Reason: PhaseAdvanced, Roadmap: at.Path, More: max(0, len(at.Advance.InProgress)-most)}
	if own := at.Advance.Own; !own.Number.IsZero() {
		staleness.Phase, staleness.Status, staleness.Line = own.Number.String(), own.Status.String(), own.Line
	}
	for _, p := range at.Advance.InProgress[:len(at.Advance.InProgress)-staleness.More] {
		staleness.InProgress = append(staleness.InProgress, PhaseInRoadmap{p.Number.String(), p.Line})
	}
	return staleness
}
