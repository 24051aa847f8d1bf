// Package verdict is about one user's session: it opens the project that the session is in (Open), reads the session and judges whether it
// is still valid (Hydrate), changes it under its guard (Change, WithRuns), says who may (Admit), and remembers it (WriteCrumb). It also has
// what the answers of all commands consist of.
//
// Reading and judging are separate: facts are gathered from files, those of the project by package project, and pure functions decide what
// they mean (Report.judge). Hydrate and everything that only reports write nothing, and take no lock. A session is only changed under its
// guard, and only from bytes that were read while the guard was held.
package verdict

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/roadmap"
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
	OtherStream   StaleReason = "workstream"     // the environment names another workstream than the plan's
)

// The codes of the warnings about a session, besides those of planfile.Problems and of identity.
const (
	PlanEdited       = "plan-edited"
	WaveContradicted = "wave-contradicted" // a plan depends on one of its own wave or of a later one
	RoadmapLags      = "roadmap-lags"
)

// Staleness is one reason for which a session is stale.
type Staleness struct {
	Reason StaleReason `json:"reason"`
	Detail string      `json:"detail"` // the particulars, for a person
}

// Roadmap is what is known of the roadmap that is nearest to the plan.
type Roadmap struct {
	Path    string // empty if there is none, or the plan has no phase
	Advance roadmap.Advance
	Problem *project.Warning // why it could not be read; nil if it could
	Worked  bool             // commits worked on the plan since the session was started, which is only determined if the roadmap has advanced
}

// Plan is what is known of the plan that a session is on.
type Plan struct {
	Path    string // as the header names it, cleaned; empty if it names none inside .planning/
	Invalid string // why Path is empty
	Exists  bool
	Moved   string           // where the plan is now, empty if unknown
	Summary string           // the path of its summary, empty if it has none
	Tasks   int              // how many it has; -1 if it could not be read
	Edited  bool             // it has another text than the session
	Problem *project.Warning // why it could not be read; nil if it could
}

// Facts are all that a verdict depends on. Gathering them reads files; judging them does not.
type Facts struct {
	Session *planfile.File // nil if there is none
	Plan    Plan
	Roadmap Roadmap
	Changed time.Time // when the session file was last written; zero if there is none
	Unread  error     // why there is none although there is a file: it cannot be read

	ExtraWarnings []project.Warning // what the command found besides the session
	RunFiles      *run.Files        // the lease and the journal beside it, each read when it is first asked for
	Start         *Start            // what came of the start of the caller's run, nil if it did not start

	Known *share.Session // see Project.Known; nil before it is asked for
}

// Start is what came of the start of a run, at the start of a conversation.
type Start struct {
	Before *Recovery // the runs before it, whose ends it has recorded; nil if nothing could be recorded
	Busy   error     // names the run that holds the lease; nil if the start took it
}

// judge gives the verdict. It is pure: it depends on the facts alone.
func (r *Report) judge() {
	r.clear()
	r.Verdict, r.Token = None, "NO_SESSION"
	if r.Session == nil {
		return
	}
	r.Total = len(r.Session.Tasks)
	r.Done, r.Skipped = r.Session.Count(planfile.Complete), r.Session.Count(planfile.Skipped)
	if r.Corrupt = r.corrupt(); r.Corrupt != "" {
		r.Verdict = Corrupt
		return
	}
	r.On = r.Plan.Path
	r.Started, _ = r.Session.Header.StartedAt()
	r.Stale, r.Warnings = r.staleness(), r.oddities()
	switch first := FirstOpen(r.Session); {
	case len(r.Stale) > 0:
		r.Verdict, r.Token = Stale, "STALE"
	case first == nil:
		r.Verdict, r.Token = Finished, "ALL_COMPLETE"
	default:
		r.Verdict, r.Token = Resume, strconv.Itoa(first.Number)
		r.Resume = &ResumePoint{Number: first.Number, Name: r.Session.Title(first.Number), Type: first.Type, Line: first.Line}
		if first.Status == planfile.InProgress {
			r.Resume.State = InProgress
		}
		r.Warnings = append(r.Warnings, NumberWarning(r.Session, first.Number)...)
	}
	r.Fix = r.fix()
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
	return slices.ContainsFunc(r.Warnings, func(w project.Warning) bool { return w.Code == PlanEdited })
}

// corrupt says what is wrong with a session file; "" if nothing is.
func (r *Report) corrupt() string {
	switch {
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
	if r.Session == nil || len(r.Session.Tasks) > 0 { // see ParseSession
		return nil
	}
	return planfile.CheckConflict(r.Session.Bytes())
}

// OverWord says what the tasks of a plan are on which nothing is left to do, given how many were skipped.
func OverWord(skipped int) string {
	if skipped > 0 {
		return "complete or skipped"
	}
	return "complete"
}

// FirstOpen returns the first task that is neither complete nor skipped, nil if there is none.
func FirstOpen(s *planfile.File) *planfile.Task {
	for i := range s.Tasks {
		if !s.Tasks[i].Status.Over() {
			return &s.Tasks[i]
		}
	}
	return nil
}

func (r *Report) staleness() (stale []Staleness) {
	add := func(reason StaleReason, format string, args ...any) {
		stale = append(stale, Staleness{reason, fmt.Sprintf(format, args...)})
	}
	p, at := r.Plan, r.Roadmap
	switch {
	case p.Exists:
	case p.Moved != "":
		add(PlanMissing, "%s no longer exists; it is now %s", p.Path, p.Moved)
	default:
		add(PlanMissing, "%s no longer exists", p.Path)
	}
	if p.Summary != "" {
		add(PlanCompleted, "%s exists", p.Summary)
	}
	if at.Advance.Advanced && !at.Worked {
		add(PhaseAdvanced, "%s", at.advanced())
	}
	if n := len(r.Session.Tasks); p.Exists && p.Tasks >= 0 && n != p.Tasks {
		add(TaskCount, "the session has %s, the plan %d", Counted(n, "task", "tasks"), p.Tasks)
	}
	return stale
}

// oddities returns the warnings about a session that do not affect the verdict.
func (r *Report) oddities() (found []project.Warning) {
	add := func(code, format string, args ...any) {
		found = append(found, project.Warning{Code: code, Detail: fmt.Sprintf(format, args...)})
	}
	p, s, at := r.Plan, r.Session, r.Roadmap
	if p.Problem != nil {
		found = append(found, *p.Problem)
	}
	if p.Edited && p.Tasks == len(s.Tasks) {
		add(PlanEdited, "%s was edited since the session began", p.Path)
	}
	if at.Problem != nil {
		found = append(found, *at.Problem)
	}
	if at.Advance.Advanced && at.Worked {
		add(string(PhaseAdvanced), "%s; but commits have worked on the plan since the session was started", at.advanced())
	}
	if a := at.Advance; a.Lagging {
		add(RoadmapLags, "the roadmap still shows an earlier phase in progress: %s", phasesAt(at.Path, a.InProgress))
	}
	for _, problem := range s.Problems() {
		add(problem.Code, "%s:%d: %s", r.Path, problem.Line, problem.Detail)
	}
	return found
}

// advanced says how the roadmap has moved on past the plan's phase.
func (at Roadmap) advanced() string {
	text := phaseAt(at.Path, at.Advance.Own)
	if len(at.Advance.InProgress) > 0 {
		text += "; in progress: " + phasesAt(at.Path, at.Advance.InProgress)
	}
	return text
}

func phaseAt(path string, p roadmap.Phase) string {
	if p.Number.IsZero() {
		return "the plan's phase is not in " + path
	}
	text := fmt.Sprintf("phase %s is %s", p.Number, p.Status)
	if p.Line > 0 {
		text += fmt.Sprintf(" (%s:%d)", path, p.Line)
	}
	return text
}

func phasesAt(path string, phases []roadmap.Phase) string {
	const most = 3
	var texts []string
	for _, p := range phases[:min(len(phases), most)] {
		texts = append(texts, fmt.Sprintf("phase %s (%s:%d)", p.Number, path, p.Line))
	}
	if more := len(phases) - most; more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, ", ")
}
