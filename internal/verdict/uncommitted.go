package verdict

import (
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/worktree"
	"github.com/gsd-cli/gsd/planfile"
)

// Limits for what is looked at and reported of a working tree.
const (
	maxLookedAt     = 60 // real plans name 4 files or fewer in half of all cases
	mostUncommitted = 5
)

// Uncommitted finds what no commit has of the files of a task, of the file of its plan, and of the plan's other tasks. file is the plan, or
// the session on it. It returns nil if there is nothing.
func (p *Project) Uncommitted(plan string, file *planfile.File, task int) *answer.Uncommitted {
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
	uncommitted := p.Planning.Uncommitted(names)
	found := &answer.Uncommitted{Stashes: uncommitted.Stashes, Stashed: uncommitted.Stashed}
	for _, f := range uncommitted.Files {
		if n := tasks[f.Path]; n != 0 || f.State != worktree.Untracked { // many keep their plans out of git
			found.Files = append(found.Files, answer.UncommittedFile{Path: f.Path, State: f.State, Task: n})
		}
	}
	if len(found.Files) == 0 && found.Stashes == 0 {
		return nil
	}
	found.More = max(0, len(found.Files)-mostUncommitted)
	found.Files = found.Files[:len(found.Files)-found.More]
	return found
}

// AddUncommitted adds to a task to resume, which may be none, what no commit has of its plan.
func (p *Project) AddUncommitted(n *answer.ResumePoint, plan string) {
	if n != nil && n.Of != nil {
		n.Uncommitted = p.Uncommitted(plan, n.Of, n.Number)
	}
}
