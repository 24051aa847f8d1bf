// Package answer has what commands answer about sessions and plans, and gives the verdict: Report.Judge and Report.Actions decide on what was
// gathered (Facts), and read nothing. The fields of its types are the JSON of the answers.
package answer

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/claim"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/planfile"
)

// Report is the state of one user's session.
//
// It is the answer of gsd hydrate, and a part of every answer about a session. verdict.Project.Hydrate gives the verdict, which is all that
// a script or a status line needs; app.Project.HydrateAll gives everything.
type Report struct {
	Verdict Verdict `json:"verdict"` // whether the session is still valid
	// Token is the verdict in one word, for scripts: NO_SESSION (none and corrupt), STALE, ALL_COMPLETE, or the number of
	// the task to resume.
	Token string `json:"token"`
	User  string `json:"user"` // whose session it is: the name that gsd whoami prints
	// Dir is the project's directory, to which all paths are relative, if that is not the one where it was asked; absent otherwise.
	Dir string `json:"dir,omitempty"`
	// On is the plan that the session is on, relative to the project, with slashes; null without a session.
	On   string `json:"plan" empty:"null"`
	ID   string `json:"id" empty:"null"` // its short name, such as 03-01; null if it has none
	Path string `json:"session"`         // the session file, relative to the project, whether it exists or not
	// Started is when the session was started, as its header states it. It is null if the header states no time or there is no session.
	Started  time.Time         `json:"started" empty:"null"`
	Corrupt  string            `json:"corrupt" empty:"null"` // what is wrong with the session file; null unless the verdict is corrupt
	Done     int               `json:"done"`                 // how many tasks are complete
	Skipped  int               `json:"skipped"`              // how many tasks are skipped
	Total    int               `json:"total"`                // how many tasks there are
	Tasks    []PlannedTask     `json:"tasks"`                // all tasks, in the order of the file; empty without a session
	Unmarked []progress.Task   `json:"unmarked,omitempty"`   // the tasks that nobody has marked, and that are as far as commits show
	Resume   *ResumePoint      `json:"resume"`               // the task to resume; null unless the verdict is resume
	Stale    []Staleness       `json:"stale"`                // every reason for which the session is stale
	Warnings []problem.Warning `json:"warnings"`             // what a person should know
	Next     *Next             `json:"next,omitempty"`       // the plan that comes next, unless a task is to be resumed
	AtWork   []run.Run         `json:"at_work,omitempty"`    // runs of others that may be alive; absent where nobody is, and where an answer does not look for them
	Run      *run.Run          `json:"run,omitempty"`        // the run that holds the lease, else the latest one, if there is one
	Recovery *Recovery         `json:"recovery,omitempty"`   // what was left unfinished, if anything
	// Summary is where the plan's summary goes when it is done, relative to the project; null if the plan's name determines none.
	Summary string `json:"summary" empty:"null"`
	// Earlier means that there is a file at Summary already, which does not complete the plan.
	Earlier bool `json:"summary_from_before"`
	// Naming is how the subjects of the commits of the task to resume begin, such as feat(03-01):, as the others of the plan do; null if that
	// is not known.
	Naming string `json:"commit_naming" empty:"null"`
	// Draft is the draft of the plan's summary, if every task is complete and one was written.
	Draft *Draft `json:"draft,omitempty"`
	// Elsewhere are the user's sessions in other worktrees of the repository and under former names on this machine, the last
	// changed first. They are only looked for if there is no session here, or an unreadable one.
	// At the start of a conversation in a linked worktree, the one in the main worktree is there, too.
	Elsewhere []Elsewhere `json:"elsewhere,omitempty"`
	// Branches are the work on the session's plan that is not here, but on other branches and in other worktrees.
	Branches []evidence.Branch `json:"branches,omitempty"`
	// StateSays is what the project's STATE.md tells the one who continues; absent if it says nothing of that, and where it was not read.
	StateSays *StateSays `json:"state_says,omitempty"`
	// Fix is what helps a session whose own plan has changed, or that another run switched to its plan, even while somebody is at work and do does not have it.
	Fix action.Action   `json:"fix,omitempty"`
	Do  []action.Action `json:"do"` // what can be run next, the most useful first

	Starts      *claim.Facts `json:"-"` // see verdict.Project.StartFacts; nil before it is asked for
	JustStarted string       `json:"-"` // the error that names a run which started a moment ago; empty for none

	MayFix   claim.Availability `json:"-"` // whether Fix can be run
	Switched *run.Run           `json:"-"` // the run that switched the session to its plan, of which the caller's has not heard; nil for none

	Read     Need `json:"-"` // how much of the report was read
	Recorded bool `json:"-"` // a hook has written what it has to

	Facts `json:"-"`
}

// StateSays is what a STATE.md tells the one who continues. Its texts are untrusted.
type StateSays struct {
	Path     string   `json:"path"`                    // the file, relative to the project
	Stopped  string   `json:"stopped_at" empty:"null"` // where the work stopped, by its own account; null if it does not say
	Blockers []string `json:"blockers"`                // the last of what it lists as blockers and does not call resolved, in its order
	Total    int      `json:"total"`                   // how many blockers it lists
}

// Need is how much of a report is read beyond the verdict. Each includes those before it.
type Need int

// How much of a report is read.
const (
	TaskText   Need = iota + 1 // the text of the task to resume, and which others are in progress
	Unfinished                 // who is at work, what was left unfinished, and what is elsewhere: as far as an agent can wait for it
	Everything                 // what is not committed, work on other branches, and which plan comes next
)

// PlannedTask is a task of a session or a plan: how far it is, and what the plan says of it. Its status is as the file has it: any that is
// none of the four is reported in a warning, and in a plan it is empty. In a session, a task that nobody has marked is as far as commits show.
type PlannedTask struct {
	progress.Task
	Type string `json:"type"` // its type attribute, such as auto or checkpoint:human-verify; may be empty
	Line int    `json:"line"` // the line of its start tag or heading, from 1
	// Tracker is its tracker-id attribute: where upstream takes its text from, in place of what the plan says.
	Tracker string `json:"tracker_id,omitempty"`
	// State is how far it is, and whose it is or was, as far as the runs say; absent if it was not started, and where an answer does not look
	// at the runs.
	State State `json:"state,omitempty"`
}

// Checkpoint reports whether the plan requires that the user is asked.
func (t *PlannedTask) Checkpoint() bool { return IsCheckpoint(t.Type) }

// Complete returns what completes the task.
func (t *PlannedTask) Complete() action.Action {
	kind := action.Done
	if t.Checkpoint() {
		kind = action.Approve
	}
	return action.Action{Kind: kind, Task: t.Number}
}

// ResumePoint is the task to resume.
type ResumePoint struct {
	PlannedTask
	Interrupted bool `json:"interrupted"` // it is in progress and nobody is known to be at work on it: its work may be partial
	// Children are what is directly below it, except for its name: all that the plan says about the task; its tracker-id comes first. A text of
	// more than 6,000 bytes is cut.
	Children []planfile.Child `json:"children,omitempty"`
	Cut      bool             `json:"cut,omitempty"` // children are cut; gsd tasks N prints the whole task

	// Machine is where the task is in progress, by the user in another clone, as far as the last gsd sync knows.
	Machine string `json:"machine,omitempty"`

	Also []PlannedTask `json:"also_in_progress"` // the other tasks that are in progress

	// Uncommitted is what no commit has of the files that the plan names; missing if nothing is known, and where an answer does not look.
	Uncommitted *Uncommitted `json:"uncommitted,omitempty"`

	Of *planfile.File `json:"-"` // the session or the plan that it is of; nil before its text is read
}

// State is how far a task is that the session file has as pending or in progress.
type State string

// The states of a task. All but the first look the same in the session file; the runs distinguish them.
const (
	NotBegun    State = ""
	InProgress  State = "in-progress" // the runs have not been read yet
	Interrupted State = "interrupted" // the run that worked on it last ended or crashed without finishing it
	Cleared     State = "cleared"     // its conversation was cleared, or gave way to another one in the same process
	Paused      State = "paused"      // its run was paused
	Unattended  State = "unattended"  // in progress, and no run is known that works on it or did
	InOwnHands  State = "own"         // in progress, and the caller's run is at work
	InOthers    State = "others"      // in progress, and another run may be at work
	InClone     State = "clone"       // in progress in another clone
)

// Left reports whether a task is in progress and nobody is known to be at work on it, so that its work may be partial.
func (s State) Left() bool {
	return s == Interrupted || s == Cleared || s == Paused || s == Unattended
}

// SetState sets the state of the task to resume.
func (n *ResumePoint) SetState(s State) { n.State, n.Interrupted = s, s.Left() }

// FirstLeft returns the first of the tasks in progress that nobody is known to be at work on; nil for none. One that a run is known to
// have left comes before one of which nothing is known.
func (n *ResumePoint) FirstLeft() *PlannedTask {
	var first *PlannedTask
	for _, task := range append([]PlannedTask{n.PlannedTask}, n.Also...) {
		if task.State.Left() && (first == nil || first.State == Unattended && task.State != Unattended) {
			first = &task
		}
	}
	return first
}

// IsCheckpoint reports whether a task of that type requires that the user is asked, however it is written.
func IsCheckpoint(taskType string) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(taskType)), "checkpoint")
}

// AddText adds to a report the text of the task to resume, and which others are in progress.
func (r *Report) AddText() {
	n := r.Resume
	if n == nil {
		return
	}
	n.Of = r.Session
	n.Children, n.Cut = shorten(ShownChildren(r.Session, n.Number), maxTaskText)
	n.AddAlso(r.Session)
}

// AddAlso adds which other tasks of the session are in progress.
func (n *ResumePoint) AddAlso(s *planfile.File) {
	n.Also = nil
	for _, number := range TasksInProgress(s) {
		if number != n.Number {
			task := Planned(s, s.Tasks[number-1])
			task.State = InProgress
			n.Also = append(n.Also, task)
		}
	}
}

// SessionClosed warns of a session directory that cannot be written.
const SessionClosed = "session-unwritable"

// WordUnclear warns of a task of which the plan itself says what means no status.
const WordUnclear = "word-unclear"

// UnclearWords warns of the tasks of which a plan itself says what means no status.
func UnclearWords(plan string, tasks []progress.Task) (all []problem.Warning) {
	for i := range tasks {
		if t := &tasks[i]; t.IsUnclear() {
			all = append(all, problem.Warning{Code: WordUnclear, Path: plan, Task: t.Number, Status: t.Word})
		}
	}
	return all
}

// Planned is a task of a session or a plan as answers have it.
func Planned(f *planfile.File, t planfile.Task) PlannedTask {
	return PlannedTask{
		Task: progress.Task{Number: t.Number, Name: f.Title(t.Number), Status: t.Status},
		Type: t.Type, Line: t.Line, Tracker: f.Tracker(t.Number),
	}
}

// unmarked returns the tasks of the session that nobody has marked, and that are as far as commits show.
func (r *Report) unmarked() (all []progress.Task) {
	for _, t := range r.State {
		if t.Shown() {
			all = append(all, t)
		}
	}
	return all
}

// WithoutNumber returns the name of task n without the plain number that most begin with, to stand behind "task n".
func WithoutNumber(name string, n int) string {
	label, rest := planfile.SplitLabel(name)
	switch number, err := strconv.Atoi(label); {
	case err != nil: // a text, which says more than the number
		return name
	case rest != "":
		return rest
	case number != n:
		return fmt.Sprintf("Task %d", n)
	}
	return name
}

// TaskNumber warns that the name of a task has another number than the task.
const TaskNumber = "task-number"

// NumberWarning warns if task n calls itself by another number, which the plan's text and its commits may use.
func NumberWarning(f *planfile.File, n int) []problem.Warning {
	label, _ := planfile.SplitLabel(f.Name(n))
	own, err := strconv.Atoi(label)
	if err != nil || own == n {
		return nil
	}
	return []problem.Warning{{Code: TaskNumber, Task: n, Name: label}}
}

// TasksInProgress lists the numbers of a session's tasks that are in progress; s may be nil.
func TasksInProgress(s *planfile.File) (numbers []int) {
	if s == nil {
		return nil
	}
	for _, t := range s.Tasks {
		if t.Status == planfile.InProgress {
			numbers = append(numbers, t.Number)
		}
	}
	return numbers
}

// FirstOpen returns the first task that is neither complete nor skipped, nil if there is none.
func FirstOpen(s *planfile.File) *planfile.Task {
	for i := range s.Tasks {
		if !s.Tasks[i].Status.Settled() {
			return &s.Tasks[i]
		}
	}
	return nil
}

// LivePlan returns the plan that a live session is on; "" if there is none, or if r is nil.
func (r *Report) LivePlan() string {
	if r == nil || !r.Verdict.Live() {
		return ""
	}
	return r.Plan.Path
}
