// Package evidence finds out from git's history which commits worked on a plan and which task each of them carried out.
//
// The rules are few, and each is there because a labelled real plan or a form that upstream or git writes needs it (see
// rules.go; `task ablate` measures them). They are, in order:
//
//  1. Commits count from where the plan was added, and those before that carry its id (walk.go).
//  2. A commit belongs to the plan that its scope names, unless it only writes about it (belong.go). A squashed commit
//     counts as the commits that it lists (squash.go).
//  3. What git's own reverts took back does not count (undo.go).
//  4. Commits and tasks, both in order, are aligned (align.go), where the words of a task's name attract (words.go).
//
// The rules are pure: a [Commit] is asked for what they need, and where it has it from does not matter to them. Each
// answer says how sure it is and why.
package evidence

import (
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/planfile"
)

// Plan is what the rules need to know of a plan.
type Plan struct {
	Path  string    // relative to the project, with slashes
	Root  string    // the directory of its phases, milestones and quick tasks; "" where that is not known
	ID    string    // its short name: 03-01, 02.1-03; 03 for the only plan of a phase; "" for none
	Alone bool      // it is the only plan of its phase
	Tasks []Task    // in the plan's order
	Since time.Time // older commits do not count, and the plan is in all others; zero where that is not known
	// Without are rules that do not apply, and Weights other weights, nil for the standard ones: to measure what they do.
	Without Rules
	Weights *Weights
}

// Task is one task of a plan.
type Task struct {
	Number int // from 1
	Name   string
	Files  []string // paths that the plan names
	Type   string   // auto, checkpoint:human-verify, …; "" where the plan does not say
	TDD    bool     // to be done test first: its tests and its code are separate commits
}

// IsCheckpoint reports whether a task waits for a human.
func (t Task) IsCheckpoint() bool { return strings.HasPrefix(t.Type, "checkpoint") }

// DefaultConfidence is how sure an answer must be to count where nobody says otherwise.
const DefaultConfidence = 0.6

// Found is what the commits show.
type Found struct {
	Tasks      []TaskEvidence // one for each task of the plan, in its order
	Unassigned []Evidence     // commits of the plan that fit none of its tasks; the oldest first
	Seen       int            // how many commits were looked at
	Passed     Passed
	Bounded    bool // the walk came to where the plan was added; else older commits may show more
	Exhausted  bool // there was too much to compare
}

// Passed counts the commits that seem to be the plan's and do not count: why an answer may be empty.
type Passed struct {
	Wrote     int // they name the plan, and only write about it
	Phase     int // they name its phase, which has other plans, too
	Elsewhere int // they name the plan, and changed another project or workstream only
	Reverted  int // they were taken back
}

// TaskEvidence is what they show of one task.
type TaskEvidence struct {
	Number     int
	Commits    []Evidence // the oldest first
	Confidence float64    // that of its most confident commit, less where only its tests are there; 0 without one
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

// Sure returns the commits of a task that are at least so sure.
func (t TaskEvidence) Sure(confidence float64) []Evidence {
	return slices.DeleteFunc(slices.Clone(t.Commits), func(e Evidence) bool { return e.Confidence < confidence })
}

// Statuses returns the status of each task at a confidence: complete for what is sure, and for a checkpoint that
// something sure comes after, because a checkpoint leaves no commit; in-progress for the first other one if anything was
// done at all, but for a checkpoint without commits, which waits; pending for the rest. Tests that were written before
// their code complete no task.
func (f Found) Statuses(confidence float64) []planfile.Status {
	statuses, begun := make([]planfile.Status, len(f.Tasks)), len(f.Unassigned) > 0
	later := false // a later task is sure
	for i, t := range slices.Backward(f.Tasks) {
		sure := t.Confidence >= confidence && len(t.Commits) > 0
		statuses[i] = planfile.Pending
		if sure && !t.tests || t.checkpoint && later {
			statuses[i] = planfile.Complete
		}
		later = later || sure
		begun = begun || len(t.Commits) > 0
	}
	if i := slices.Index(statuses, planfile.Pending); i >= 0 && begun && (!f.Tasks[i].checkpoint || len(f.Tasks[i].Commits) > 0) {
		statuses[i] = planfile.InProgress
	}
	return statuses
}
