package answer

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
)

// Recovery is what was left unfinished, which a user should know before continuing.
type Recovery struct {
	Crashed     []run.Run         `json:"crashed"`          // runs whose process is gone and whose end was not recorded, the latest first; a sweep records it
	Doubtful    []run.Run         `json:"doubtful"`         // expired runs that may still be alive; gsd run end ID ends one
	Failed      *run.Run          `json:"failed,omitempty"` // the last run, if it ended in failure on the plan and nobody is at work
	LeftTasks   []int             `json:"tasks"`            // the tasks that a run left in progress; none if another run may be working on them
	RunsAndLost                   // its lost sessions
	Incomplete  []Incomplete      `json:"incomplete"` // other work that was started and not finished
	Warnings    []problem.Warning `json:"-"`
}

// Any reports whether there is anything to recover from.
func (r *Recovery) Any() bool {
	return r.Failed != nil || len(r.Crashed)+len(r.Doubtful)+len(r.LeftTasks)+len(r.Lost)+len(r.Incomplete) > 0
}

// AddRuns adds the runs of an assessment that a user should know of.
func (r *Recovery) AddRuns(a *run.Assessment, on *Report) {
	for _, agentRun := range slices.Backward(a.Runs) {
		switch {
		case agentRun.Dead():
			r.Crashed = append(r.Crashed, agentRun)
		case agentRun.Expired && !agentRun.Sweepable():
			r.Doubtful = append(r.Doubtful, agentRun)
		}
	}
	if last := a.Latest; last != nil && last.Status == run.Failure && last.Plan == on.Plan.Path && a.AtWork() == nil {
		failed := *last
		r.Failed = &failed
	}
	r.LeftTasks = a.Unfinished(on.Plan.Path, TasksInProgress(on.Session))
}

// EndsExpired is what records the end of a run that may be over; no action for one that has not expired, or is the caller's own.
func EndsExpired(r *run.Run) (none action.Action) {
	if !r.Doubtful() {
		return none
	}
	return action.Action{Kind: action.EndRun, ID: r.ID}
}

// IncompleteKind is a kind of incomplete work.
type IncompleteKind string

// The kinds of incomplete work.
const (
	ContinueHere IncompleteKind = "continue-here" // a .continue-here.md, left by upstream's pause-work
	HandOffJSON  IncompleteKind = "handoff"       // a HANDOFF.json, left by the same
	WorkItem     IncompleteKind = "work-item"     // a WORK.md below docs/work with a node that was entered and not left (HAIOS)
	QuickTask    IncompleteKind = "quick-task"    // a quick task that has a plan and no summary
	DebugSession IncompleteKind = "debug-session" // one of upstream's, in .planning/debug, that is not resolved
	BegunPlan    IncompleteKind = "plan"          // commits work on it, and it has neither a session nor a summary
)

// Incomplete is other work that was started and not finished. Texts are untrusted, and as the files have them.
type Incomplete struct {
	Kind   IncompleteKind `json:"kind"`                // what it is
	ID     string         `json:"id" empty:"null"`     // the id of a work item, a plan or a quick task, or the name of a debug session; null if it has none
	Path   string         `json:"path"`                // its file, relative to the project
	Detail string         `json:"detail" empty:"null"` // where a work item is stuck, or what a hand-off note or a debug session says to do next; else null
	Status string         `json:"status,omitempty"`    // of a debug session, such as investigating

	// Of a hand-off note: where it says that the work stopped, in its own words.
	Phase   string    `json:"phase,omitempty"`      // the phase
	Plan    string    `json:"plan,omitempty"`       // the plan
	Task    string    `json:"task,omitempty"`       // the task
	Written time.Time `json:"written,omitempty"`    // when it was written
	Role    string    `json:"role,omitempty"`       // for whom a hand-off note is, where several sessions share a project
	Claimed string    `json:"claimed_by,omitempty"` // the session of gsd-core that took a hand-off note up

	Mine  bool          `json:"mine,omitempty"` // the caller's own session took it up
	Age   time.Duration `json:"-"`              // of a hand-off note
	Stuck bool          `json:"-"`              // nothing can be written where a note is
}

// ArchiveNote returns what puts a note away, no action if the work is no note, the note cannot be moved, or it is for somebody else: for
// another role, which the caller may not have, or taken up by another session.
func (w *Incomplete) ArchiveNote() (put action.Action) {
	if w.Stuck || (w.Role != "" || w.Claimed != "") && !w.Mine || w.Kind != ContinueHere && w.Kind != HandOffJSON {
		return put
	}
	return action.Action{Kind: action.ArchiveNote, ID: w.Path}
}

// Position says where the work stopped, in a note's words.
func (w *Incomplete) Position() string {
	var words []string
	for _, part := range [...]struct{ name, text string }{{"phase", w.Phase}, {"plan", w.Plan}, {"task", w.Task}} {
		if part.text != "" {
			words = append(words, fmt.Sprintf("%s %s", part.name, part.text))
		}
	}
	return strings.Join(words, ", ")
}

// The codes of the warnings about runs.
const (
	RunsProblem     = "runs-unreadable"  // the records of the runs cannot be read
	RunsDamaged     = "runs-damaged"     // there are none in their file
	RunsMoved       = "runs-moved"       // and so it was moved out of the way
	LeaseElsewhere  = "lease-held"       // the session was changed while another run holds it
	SessionSwitched = "session-switched" // another run has switched it to another plan, of which the caller's has not heard
	CrumbMissing    = "crumb-unwritten"  // there is none for the session
	CrumbInProject  = "crumb-in-project" // it is in the session's own directory
	CrumbOlder      = "crumb-older"      // it could not be brought up to date
)

// An RunsAndLost is the state of a session's runs, and which sessions were lost.
type RunsAndLost struct {
	run.Assessment `json:"-"`

	Lost   []LostSession `json:"lost"` // the user's lost sessions of this project; gsd restore brings them back
	Behind []LostSession `json:"-"`    // all in worktrees that were removed; see history.LostOf
}

// RunList is the runs of a user.
type RunList struct {
	User     string            `json:"user"`     // whose runs they are: the name that gsd whoami prints
	Runs     []run.Run         `json:"runs"`     // the latest first: those that are open, and the last ones that have ended
	Do       []action.Action   `json:"do"`       // what can be run next
	Warnings []problem.Warning `json:"warnings"` // what a person should know
}
