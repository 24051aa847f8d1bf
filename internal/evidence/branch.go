package evidence

import (
	"slices"

	"github.com/gsd-cli/gsd/internal/action"
)

// A Branch is work on a plan that is not here: its commits are on another branch, checked out in another working tree, or in another clone.
// What it says of the tasks there is as certain as what is said of those here, or was marked there; of another clone it has what was marked.
type Branch struct {
	Name        string   `json:"name" empty:"null"`     // the branch, of a repository below the project as backend@NAME; null for a worktree that is on none
	Worktree    string   `json:"worktree" empty:"null"` // the other worktree that has it checked out; null if none has
	Machine     string   `json:"machine,omitempty"`     // the other clone, of which the branch is not known
	Tip         string   `json:"tip"`                   // the ID of its latest commit
	Done        int      `json:"done"`                  // how many of the plan's tasks are complete there
	Skipped     int      `json:"skipped,omitempty"`     // how many are skipped there
	Total       int      `json:"total"`                 // how many it has
	Tasks       []int    `json:"tasks"`                 // the numbers of those that are complete or skipped there, and not complete here as far as commits show
	Next        int      `json:"next_task,omitempty"`   // the first that is neither complete nor skipped, there or here, as far as commits show; missing for none
	Commits     []string `json:"commits"`               // the IDs of the commits there that work on the plan and are not here, the oldest first
	Summary     string   `json:"summary" empty:"null"`  // the plan's summary, relative to the project, if it is there; else null
	Uncommitted []string `json:"uncommitted,omitempty"` // files of the plan's tasks in that worktree that no commit has, if nobody is at work there; the first of them
	Alive       bool     `json:"alive"`                 // somebody may be at work in that worktree
	Held        bool     `json:"held"`                  // and that is not of the asking process, so nobody else should start on the plan
	PID         int      `json:"pid,omitempty"`         // the process for which that worktree is locked, which lives
	FastForward bool     `json:"fast_forward"`          // what is here is in it, too
	// Bring brings it here; no action where that takes a merge, where it is not safe, or where somebody else may be at work on it.
	Bring action.Action `json:"bring,omitempty"`
}

// Delivered returns the first of the branches that has the plan's summary; nil if none has.
func Delivered(all []Branch) *Branch {
	for i := range all {
		if all[i].Summary != "" {
			return &all[i]
		}
	}
	return nil
}

// Held reports whether somebody else may be at work on the plan of the branches, so that nobody should start on it.
func Held(all []Branch) bool {
	return slices.ContainsFunc(all, func(b Branch) bool { return b.Held })
}
