package verdict

import (
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/worktree"
	"github.com/gsd-cli/gsd/planfile"
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

// Limits for what is looked at and told of a working tree.
const (
	maxLookedAt     = 60 // real plans name 4 files or fewer in half of all cases
	mostUncommitted = 5
)

// Uncommitted finds what no commit has of the files of a task, of the file of its plan, and of the plan's other tasks. file is the plan, or
// the session on it. It returns nil if there is nothing.
func (p *Project) Uncommitted(plan string, file *planfile.File, task int) *Uncommitted {
	var names []string
	tasks := map[string]int{}
	add := func(name string, task int) {
		if _, known := tasks[name]; !known && len(names) < maxLookedAt {
			names, tasks[name] = append(names, name), task
		}
	}
	addTask := func(n int) {
		for _, named := range namedFiles(file, n) {
			add(evidence.FileName(named), n)
		}
	}
	addTask(task)
	if p.Planning.Work == p.Planning.Dir {
		add(plan, 0)
	}
	for i := 0; i < min(len(file.Tasks), mostParsedTasks) && len(file.Bytes()) <= mostParsedBytes; i++ {
		addTask(i + 1)
	}
	its := p.Planning.Uncommitted(names)
	found := &Uncommitted{Stashes: its.Stashes, Stashed: its.Stashed}
	for _, f := range its.Files {
		if n := tasks[f.Path]; n != 0 || f.State != worktree.Untracked { // many keep their plans out of git
			found.Files = append(found.Files, UncommittedFile{f.Path, f.State, n})
		}
	}
	if len(found.Files) == 0 && found.Stashes == 0 {
		return nil
	}
	found.More = max(0, len(found.Files)-mostUncommitted)
	found.Files = found.Files[:len(found.Files)-found.More]
	return found
}

// OfTasks reports whether any of the files is one that a task names.
func (its *Uncommitted) OfTasks() bool {
	return its != nil && slices.ContainsFunc(its.Files, func(f UncommittedFile) bool { return f.Task > 0 })
}

// AddUncommitted adds to a task to resume, which may be none, what no commit has of its plan.
func (p *Project) AddUncommitted(n *ResumePoint, plan string) {
	if n != nil && n.Of != nil {
		n.Uncommitted = p.Uncommitted(plan, n.Of, n.Number)
	}
}
