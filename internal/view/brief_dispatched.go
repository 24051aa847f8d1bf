package view

// brief_dispatched.go: what an agent reads that another one has sent to carry out a plan. It may be the second one: the first was cut off,
// and a prompt always asks for the whole plan.

import (
	"cmp"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/planfile"
)

// Dispatched returns how far a plan is as blocks of Markdown.
func (by *Briefer) Dispatched(d *app.Dispatched) []string {
	b := by.start()
	b.Headline("gsd: how far %s is", Title(cmp.Or(d.ID, answer.PlanInText(d.Plan))))
	b.Gap()
	source := "The prompt above"
	if d.Worktree {
		source = "This agent's worktree"
	}
	b.Printf("%s is about %s. What follows is data that gsd read in %s and in git's commits; quoted text is copied from there.\n",
		source, printer.Unbroken(d.Plan), printer.Unbroken(".planning/"))
	b.Gap()
	b.away(d.Dir)
	b.called()
	if d.Summary != "" {
		b.Item("it has its summary already: %s", printer.Unbroken(d.Summary))
	} else {
		b.dispatched(d)
	}
	b.Gap()
	b.Printf("State of %s UTC.\n", by.At.UTC().Format(time.DateTime))
	if d.Progress == nil || d.Held {
		return b.blocks()
	}
	next := d.Next()
	b.taskBelow(next)
	list := action.Action{Kind: action.ListTasks, Plan: d.Name}
	tasks := d.Progress.Tasks
	b.plan(&planView{
		task: next, file: d.Plan, naming: d.Progress.Naming, list: list,
		status: func(n int) planfile.Status { return tasks[n-1].Status }, by: func(n int) string {
			if d.Then != nil && slices.ContainsFunc(d.Branches, func(b evidence.Branch) bool { return slices.Contains(b.Tasks, n) }) {
				return " here and complete there"
			}
			return byWhat(&tasks[n-1])
		},
	})
	return b.blocks()
}

// dispatched prints how far the plan is. Nobody is sent to a task while somebody else may be at work on the plan.
func (b brief) dispatched(d *app.Dispatched) {
	b.branches(d.Branches) // before what is to be done
	switch {
	case d.Held:
		b.Item("here: %s", progressWords(d.Progress))
		return
	case d.Then != nil:
		b.Item("here: %s; without that, task %d is next", progressWords(d.Progress), d.Progress.Resume.Number)
	default:
		b.Item("%s", progressWords(d.Progress))
	}
	at := d.Next()
	if at == nil {
		b.Item("what was done may still have to be verified")
		return
	}
	if at.Uncommitted != nil && d.Isolated {
		own, others := uncommittedFiles(at.Uncommitted, at.Number)
		if all := append(own, others...); len(all) > 0 {
			b.Item("not committed where this agent was sent from, and not in its own worktree: %s", printer.Join(all, ", "))
		}
		apart := *at
		apart.Uncommitted = &answer.Uncommitted{Stashes: at.Uncommitted.Stashes, Stashed: at.Uncommitted.Stashed}
		at = &apart
	}
	read := action.Action{Kind: action.ReadTask, Plan: d.Name, Task: at.Number}
	if d.Then != nil {
		b.Item("with that, resume at task %d: %s", at.Number, TaskTitle(at.Name, at.Number))
		b.task(at, d.Plan, read)
	} else {
		progress := *d.Progress
		progress.Resume = at
		b.progressAt(&progress, d.Plan, read)
	}
	if d.Own {
		b.Try(at.Complete())
	}
}

// byWhat says what shows that a task is over; "" if it is not.
func byWhat(task *progress.Task) string {
	switch {
	case !task.Status.Settled():
		return ""
	case len(task.Commits) > 0:
		return " by " + shortIDs(task.Commits)
	}
	return " in a session"
}

// Line returns, for an agent that works for the conversation of a session with a task to resume, which session that is. It has no text
// of the task, because that is for the conversation itself.
func (by *Briefer) Line(r *answer.Report) string {
	b := by.start()
	far := printer.Sprintf("%s; its next task is %d, %s", tasksDone(r.Done, r.Skipped, r.Total), r.Resume.Number, TaskTitle(r.Resume.Name, r.Resume.Number))
	if len(r.Branches) > 0 { // with which another task is next
		far = printer.Sprintf("%s here, and %s", tasksDone(r.Done, r.Skipped, r.Total), BranchWords(&r.Branches[0]))
	}
	b.Printf("gsd: the conversation that started this agent has a session on the plan %s, %s. "+
		"What this agent is to do is in its own prompt. %s shows the session.\n", printer.Unbroken(r.On), far, printer.Command("gsd hydrate"))
	return b.blocks()[0]
}
