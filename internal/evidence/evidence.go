// Package evidence determines from the git history which commits worked on a plan and which task each of them carried
// out.
//
// The rules are few. Each is needed by a labelled real plan, or by a form that upstream or git writes (see rules.go;
// `task ablate` measures them). They are, in order:
//
//  1. Commits count from the one that added the plan, and earlier ones if they carry its id (walk.go).
//  2. A commit belongs to the plan that its scope names, or the beginning of its text, unless it only changes planning
//     files that no task names (belong.go). One that names no plan belongs to the plan if both its words and its files are
//     those of a task (unnamed.go). A squashed commit counts as the commits that it lists (squash.go).
//  3. Commits that git's own reverts undo do not count (undo.go).
//  4. Commits and tasks, both in order, are aligned (align.go), guided by the words of the tasks' names (words.go) and the
//     files that they name (files.go). A commit may have carried out several tasks (several.go), or a part of one
//     (part.go).
//
// The rules do no I/O of their own: they call the methods of a [Commit]. Each answer has a confidence and a reason.
package evidence

import (
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/planfile"
)

// Plan is what the rules need to know of a plan.
type Plan struct {
	Path     string        // relative to the project, with slashes
	Root     string        // the directory of its phases, milestones and quick tasks; "" if unknown
	ID       string        // its short name: 03-01, 02.1-03; 03 for the only plan of a phase; "" for none
	Alone    bool          // it is the only plan of its phase
	Named    planref.Named // the plans of its phase that are named by words, itself included: 11-fix-auth
	Tasks    []Task        // in the plan's order
	Inferred bool          // nothing in its tasks says that they are tasks (planfile.File.Inferred), so that their order is no evidence
	Since    time.Time     // when the plan was added: older commits do not count; zero if unknown

	// To measure their effect:
	Without Rules    // rules that do not apply
	Weights *Weights // nil for Standard
}

// Task is one task of a plan.
type Task struct {
	Number int // from 1
	Name   string
	Files  []string // paths that the plan names
	Type   string   // auto, checkpoint:human-verify, …; "" if the plan has none
	TDD    bool     // test-driven: its tests and its code are separate commits
	// Indistinct says that its work cannot be distinguished from other work on the plan (planfile.File.Indistinct), so that commits show that it was
	// started, never that it is complete.
	Indistinct bool
}

// IsCheckpoint reports whether a task waits for a human.
func (t Task) IsCheckpoint() bool { return strings.HasPrefix(t.Type, "checkpoint") }

// DefaultConfidence is the confidence that an answer must have to count.
const DefaultConfidence = 0.6

// Found is the evidence for a plan.
type Found struct {
	Tasks      []TaskEvidence // one for each task of the plan, in its order
	Unassigned []Evidence     // commits of the plan that fit none of its tasks, oldest first
	Seen       int            // number of commits read
	Excluded   Excluded
	Bounded    bool // the walk reached the commit that added the plan; otherwise older commits may show more
	Exhausted  bool // there was too much to compare
}

// Excluded counts the commits that seem to be the plan's but do not count, to explain an empty answer.
type Excluded struct {
	Wrote     int `json:"planning_only"` // they name the plan but only document it
	Phase     int `json:"phase"`         // they name its phase, which has other plans
	Elsewhere int `json:"elsewhere"`     // they name the plan but only changed another project or workstream
	Reverted  int `json:"reverted"`      // they were reverted
}

// TaskEvidence is the evidence for one task.
type TaskEvidence struct {
	Number     int        `json:"number"`     // counted from 1; 0 if no commit was read
	Commits    []Evidence `json:"commits"`    // oldest first
	Confidence float64    `json:"confidence"` // of its most confident commit, less if that is only a part of it; 0 without commits
	part       bool       // it has only a part of it, such as tests whose code is to come, or it is not known how much
	checkpoint bool
	index      int // in the plan
}

// Evidence is one commit as evidence for a task.
type Evidence struct {
	ID         string    `json:"id"`         // the commit's whole hash; of a repository below the project, after its path and an @
	When       time.Time `json:"when"`       // when it was committed
	Subject    string    `json:"subject"`    // its first 200 runes
	Confidence float64   `json:"confidence"` // how certain this is, from 0 to 1
	Reason     string    `json:"reason"`     // why, as the rest of a sentence that begins with the commit
}

// AtLeast returns the commits of a task that have at least the given confidence.
func (t TaskEvidence) AtLeast(confidence float64) []Evidence {
	return slices.DeleteFunc(slices.Clone(t.Commits), func(e Evidence) bool { return e.Confidence < confidence })
}

// Statuses returns the status of each task. A task is complete if it has at least the given confidence and not only a
// part. A checkpoint leaves no commit: it is complete if all tasks before it are, and a later one has that confidence. Any other task
// that has a commit is in progress, and one that has none is pending, even if all before it are complete: nobody is known to
// have started it.
func (f Found) Statuses(confidence float64) []planfile.Status {
	statuses := make([]planfile.Status, len(f.Tasks))
	sure := func(t TaskEvidence) bool { return t.Confidence >= confidence && len(t.Commits) > 0 }
	complete := true // all so far
	for i, t := range f.Tasks {
		switch {
		case t.checkpoint && complete && slices.ContainsFunc(f.Tasks[i+1:], sure), sure(t) && !t.part:
			statuses[i] = planfile.Complete
		case len(t.Commits) > 0:
			statuses[i] = planfile.InProgress
		default:
			statuses[i] = planfile.Pending
		}
		complete = complete && statuses[i] == planfile.Complete
	}
	return statuses
}
