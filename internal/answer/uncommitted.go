package answer

import (
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/worktree"
)

// Uncommitted is what lies in a working tree, or was stashed there, of the files that a plan names: an agent that was cut off leaves what it had
// not committed.
type Uncommitted struct {
	Files []UncommittedFile `json:"files"` // the first of them: those of the task to resume, the plan's own, those of its other tasks
	More  int               `json:"more"`  // how many more there are
	// Stashes is how many stashes the repository has. They may hold work on anything.
	Stashes int       `json:"stashes"`
	Stashed time.Time `json:"stashed" empty:"null"` // when the latest of them was made; null without one
}

// UncommittedFile is a file that differs from the last commit.
type UncommittedFile struct {
	Path  string         `json:"path"`  // relative to the project, with slashes
	State worktree.State `json:"state"` // how it differs
	// Task is a task that names it: the one to resume, if that does. It is missing for the file of the plan.
	Task int `json:"task,omitempty"`
}

// OfTasks reports whether any of the files is one that a task names.
func (uncommitted *Uncommitted) OfTasks() bool {
	return uncommitted != nil && slices.ContainsFunc(uncommitted.Files, func(f UncommittedFile) bool { return f.Task > 0 })
}

// TaskUntouched warns that a task was marked complete of which nothing was done, as far as its files and git show.
const TaskUntouched = "task-untouched"
