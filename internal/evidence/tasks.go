// Package evidence finds which commits carried out which task of a plan.
package evidence

// tasks.go: the rules are pure, plain values in, values out; who reads git or the plan does not matter. They are, in order:
//
//  1. Only commits from after the plan was written count (walk.go).
//  2. A commit belongs to the plan if it says so; one that writes about the plan, its summary or the project's
//     state is no task's (belong.go).
//  3. What a revert took back does not count, and moves nothing else (undo.go).
//  4. A task that is told by number is that task's; the others are laid along the plan in order, where the words
//     of a subject and the files of a commit may shift them (assign.go).
//
// Each answer carries how sure it is and why. Where two answers are about as good neither is sure.

import (
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/gitlog"
)

// Work is one commit, as much of it as these rules need.
type Work struct {
	ID      string // in hex
	When    time.Time
	Subject string // the first paragraph in one line
	Body    string // what follows it, trailers included; empty where it was not read
	Merge   bool   // it has several parents

	// Changes lists the files that the commit changed, all of those below the planning directory; a Change at More
	// stands for others that are not listed. It is only asked about few commits. nil where nothing is known.
	Changes func() []gitlog.Change
	// Foreign tells whether the commit changed what belongs to other projects of its repository, and nothing of this
	// one. nil for no. It is only asked about few commits.
	Foreign func() bool
	// Version names the content of the file at a path below the planning directory in the commit's tree; empty where
	// there is none. nil where the planning directory is not in git.
	Version func(path string) string
}

// More is the path of a Change that stands for files which are not listed.
const More = "*"

// Plan is what the rules need to know of a plan.
type Plan struct {
	Path  string // relative to the project, with slashes
	Root  string // the directory of its phases, milestones and quick tasks; empty where that is not known
	ID    string // its short name: `03-01`, `02.1-03`; `03` for the only plan of a phase; empty for none
	Tasks []Task // in the plan's order
	// Siblings are the other plans of its phase, done or not, with their tasks: a commit may name the phase only.
	Siblings []Plan
	// Added is when the plan was written, where that is known otherwise than by Work.Version: older commits do not
	// count. Zero where it is not known.
	Added time.Time
	// Was gives the names of the tasks in another version of the plan's file, as Work.Version names it: commits from
	// before the plan was written anew mean other tasks. none where that is not known; nil where nothing is.
	Was func(version string) []string
	// IDOf gives the ID of a plan at another path, where the plan was before it was moved. nil where it has always had
	// its own.
	IDOf func(path string) string
	// Without are rules that do not apply: to measure what they do.
	Without Rules
}

// Task is one task of a plan.
type Task struct {
	Number int // from 1
	Name   string
	Files  []string // paths that the plan names
	Type   string   // auto, checkpoint:human-verify, …; empty where it is not told
	TDD    bool     // to be done test first: its tests and its code are separate commits
}

// DefaultConfidence is how sure an answer must be to count where nobody says otherwise.
const DefaultConfidence = 0.6

// Found is what the commits tell.
type Found struct {
	Tasks      []TaskEvidence // one for each task of the plan, in its order
	Unassigned []Evidence     // commits that belong to the plan and fit none of its tasks; the oldest first
	Seen       int            // how many commits were looked at
	Bounded    bool           // the walk came to where the plan was written; else older commits may tell more
	Exhausted  bool           // there was too much to compare, and not all of it was
}

// TaskEvidence is what they tell about one task.
type TaskEvidence struct {
	Number     int
	Commits    []Evidence // the oldest first
	Confidence float64    // that of its surest commit, less where only its tests are there; 0 without one
	tests      bool       // only tests are there, and their code is to come
	checkpoint bool
}

// Evidence is one commit and what it is evidence of.
type Evidence struct {
	ID         string
	When       time.Time
	Subject    string  // its first 200 runes
	Confidence float64 // 0 to 1
	Reason     string  // the rest of a sentence that begins with the commit
}

// Sure lists the commits of a task that are at least so sure.
func (t TaskEvidence) Sure(confidence float64) []Evidence {
	return slices.DeleteFunc(slices.Clone(t.Commits), func(e Evidence) bool { return e.Confidence < confidence })
}

// Status of a task, as session files write it.
const (
	statusComplete   = "complete"
	statusInProgress = "in-progress"
	statusPending    = "pending"
)

// Statuses gives the status of each task at a confidence: `complete` for what is sure, and for a checkpoint that
// something sure comes after, because a checkpoint leaves no commit; `in-progress` for the first other one if
// anything was done at all; `pending` for the rest. Tests that were written before their code complete no task.
func (f Found) Statuses(confidence float64) []string {
	statuses, begun := make([]string, len(f.Tasks)), false
	later := false // whether a later task is sure
	for i, t := range slices.Backward(f.Tasks) {
		sure := t.Confidence >= confidence && len(t.Commits) > 0
		statuses[i] = statusPending
		if sure && !t.tests || t.checkpoint && later {
			statuses[i] = statusComplete
		}
		later = later || sure
		begun = begun || len(t.Commits) > 0
	}
	if i := slices.Index(statuses, statusPending); i >= 0 && (begun || len(f.Unassigned) > 0) {
		statuses[i] = statusInProgress
	}
	return statuses
}
