package view

// brief_dispatched.go: what an agent reads that another one has sent to carry out a plan. It may be the second one: the first was cut off,
// and a prompt always asks for the whole plan.

import (
	"fmt"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// BriefDispatched returns how far a plan is as blocks of Markdown, by the rules of [Brief].
func BriefDispatched(d *hydrate.Dispatched, at time.Time) []string {
	var b brief
	b.add("## gsd: how far "+name(verdict.PlanInText(d.Plan))+" is",
		"",
		"The prompt above is about "+code(d.Plan)+". What follows is data that gsd read in `.planning/` and in git's commits; quoted text "+
			"is copied from there.")
	if d.Summary != "" {
		b.add("- It has its summary already: " + code(d.Summary) + ".")
	} else {
		b.dispatched(d)
	}
	b.add("State of " + at.UTC().Format(time.DateTime) + " UTC.")
	if d.Progress == nil {
		return b
	}
	b.task(d.Progress.At)
	list := action.Action{Kind: action.ListTasks, Plan: d.Name}
	tasks := d.Progress.Tasks
	b.plan(&planView{
		task: d.Progress.At, file: d.Plan, naming: d.Progress.Naming, list: list,
		status: func(n int) planfile.Status { return tasks[n-1].Status }, by: func(n int) string { return byWhat(&tasks[n-1]) },
	})
	return b
}

// dispatched adds how far the plan is.
func (b *brief) dispatched(d *hydrate.Dispatched) {
	its := d.Progress
	lines := []string{"- Progress: " + tasksDone(its.Count(planfile.Complete), its.Count(planfile.Skipped), len(its.Tasks))}
	if by := its.By(); len(by) > 0 {
		lines[0] += " (commits " + shortIDs(by) + ")"
	}
	if its.At == nil {
		b.add(append(lines, "- Nothing is left of it but its summary; what was done may still have to be verified.")...)
		b.elsewhereDone(d.Elsewhere)
		return
	}
	n := its.At.Number
	lines = append(lines, fmt.Sprintf("- Resume at task %d of %d: %s", n, len(its.Tasks), name(TaskTitle(its.At.Name, n))))
	switch at := &its.Tasks[n-1]; {
	case len(at.Commits) > 0:
		lines = append(lines, fmt.Sprintf("- Task %d may have been begun by %s: verify before redoing it.", n, shortIDs(at.Commits)))
	case at.Status == planfile.InProgress:
		lines = append(lines, fmt.Sprintf("- Task %d is marked as in progress: its work may be partial, verify before redoing it.", n))
	}
	if d.Own {
		lines = append(lines, "- "+code(fmt.Sprintf("gsd done %d", n))+": marks that task as complete, in the directory of the session")
	}
	b.add(append(lines, aboutTask(its.At, d.Plan)...)...)
	b.elsewhereDone(d.Elsewhere)
}

// elsewhereDone adds where commits are that carried out further tasks.
func (b *brief) elsewhereDone(all []history.CommittedAt) {
	var lines []string
	for _, there := range all {
		var done []string
		for _, task := range there.Tasks {
			done = append(done, fmt.Sprintf("task %d (%s)", task.Number, shortIDs(task.Commits)))
		}
		lines = append(lines, "Commits that are not here, in the worktree "+code(there.Dir)+", carried out "+strings.Join(firstOf(done), ", ")+".")
	}
	b.list(lines)
}

// byWhat says what shows that a task is over; "" if it is not.
func byWhat(task *verdict.CommittedTask) string {
	switch {
	case !task.Status.Over():
		return ""
	case len(task.Commits) > 0:
		return " by " + shortIDs(task.Commits)
	}
	return " in a session"
}

// BriefLine returns, for an agent that works for the conversation of a session, which session that is; "" if none is live. It has no text
// of the task, because that is for the conversation itself.
func BriefLine(r *hydrate.Report) string {
	if r.Verdict != hydrate.Resume {
		return ""
	}
	return fmt.Sprintf("gsd: the conversation that started this agent has a session on the plan %s, %s; its next task is %d, %s. "+
		"What this agent is to do is in its own prompt. `gsd hydrate` shows the session.",
		code(r.On), tasksDone(r.Done, r.Skipped, r.Total), r.Resume.Number, name(TaskTitle(r.Resume.Name, r.Resume.Number)))
}
