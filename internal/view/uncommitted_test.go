package view

import (
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/worktree"
)

// TestUncommitted: the files of the task to resume in one line, all others in the next, and stashes with their age.
func TestUncommitted(t *testing.T) {
	t.Parallel()
	now := time.Unix(1e9, 0)
	file := func(name string, state worktree.State, task int) answer.UncommittedFile {
		return answer.UncommittedFile{Path: name, State: state, Task: task}
	}
	own, other, plan := file("a.go", worktree.Untracked, 2), file("b\x1b[2J.go", worktree.Changed, 1), file("p/PLAN.md", worktree.Unmerged, 0)
	for name, c := range map[string]struct {
		its  *answer.Uncommitted
		want string
	}{
		"nothing":  {nil, ""},
		"one file": {&answer.Uncommitted{Files: []answer.UncommittedFile{own}}, "  not committed, of its files: a.go (untracked); look at them before redoing it\n"},
		"others":   {&answer.Uncommitted{Files: []answer.UncommittedFile{plan, other}}, "  not committed besides: p/PLAN.md (unmerged), b.go (changed, of task 1)\n"},
		"all": {
			&answer.Uncommitted{Files: []answer.UncommittedFile{own, other}, More: 3, Stashes: 1, Stashed: now.Add(-time.Hour)},
			"  not committed, of its files: a.go (untracked); look at them before redoing it\n  not committed besides: b.go (changed, of task 1), and 3 more\n" +
				"  there is a stash, made 60 minutes ago: it may hold work\n",
		},
		"many of its own": {&answer.Uncommitted{Files: []answer.UncommittedFile{own}, More: 1}, "  not committed, of its files: a.go (untracked), and 1 more; look at them before redoing it\n"},
		"stashes":         {&answer.Uncommitted{Stashes: 2, Stashed: now.Add(-48 * time.Hour)}, "  there are 2 stashes, the latest made 2 days ago: they may hold work\n"},
	} {
		got := printed(printer.Style{}, func(p *Printer) {
			p.Now = now
			p.uncommitted(&answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 2}}, Uncommitted: c.its})
		})
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
