package view

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/planfile"
)

// Tasks prints a list of tasks, or one in full.
func (p *Printer) Tasks(list *app.TaskList) {
	if len(list.Tasks) == 1 && list.Tasks[0].Text != "" {
		p.wholeTask(list, &list.Tasks[0])
	} else {
		p.taskRows(list)
	}
	p.Warnings(list.Warnings)
}

// wholeTask prints one task as hydrate prints the one to resume.
func (p *Printer) wholeTask(list *app.TaskList, t *app.WholeTask) {
	p.Printf("%s %s\n", printer.Bold("task %d:", t.Number), TaskTitle(t.Name, t.Number))
	if list.Summary == "" {
		p.Printf("  %s %s%s\n", printer.Dim("status:"), cmp.Or(statusWord(t.Status), "?"), p.shownBy(&t.Task))
	}
	p.checkpoint(t.Checkpoint(), t.Type)
	p.taskText(list.Path, t.Line, t.Shown, action.Action{})
}

func (p *Printer) taskRows(list *app.TaskList) {
	whole := ""
	if list.Dialect == planfile.DialectPlan {
		whole = ", the whole plan: it names no tasks"
	}
	p.Printf("%s: %s%s\n", printer.Unbroken(list.Path), Count(len(list.Tasks), "task"), whole)
	if list.Summary != "" {
		p.Printf("it is done: its summary is %s\n", printer.Unbroken(list.Summary))
	}
	digits, types := len(strconv.Itoa(len(list.Tasks))), 0
	for _, t := range list.Tasks {
		types = max(types, printer.Of(t.Type).Columns())
	}
	types = min(types, len("checkpoint:human-action"))
	for _, t := range list.Tasks {
		var status printer.Text
		if list.Summary == "" {
			status = p.status(t.Status)
		}
		p.Printf("%*d  %s%s  %s%s\n", digits, t.Number, status, padded(t.Type, types), TaskTitle(t.Name, t.Number), printer.Dim("%s", p.shownBy(&t.Task)))
	}
}

// shownBy says how long ago the status of a task was set, to people, or what shows it where nobody has set it, as is added to it.
func (p *Printer) shownBy(t *progress.Task) string {
	if set := TaskSet(t); p.Style.Bars && !set.IsZero() {
		return "  " + p.when(set)
	}
	if by := TaskShownBy(t); by != "" {
		return "  " + by
	}
	return ""
}

// TaskSet returns when a task's status was set; zero if nobody has set it, or nobody knows when.
func TaskSet(t *progress.Task) time.Time {
	if t.Guessed || t.Status == planfile.Pending {
		return time.Time{}
	}
	return InCalendar(t.Set)
}

// TaskShownBy says what shows the status of a task; "" if nothing but a mark does.
func TaskShownBy(t *progress.Task) string {
	switch {
	case len(t.Commits) > 0:
		return "by " + shortIDs(t.Commits)
	case t.Shown() && t.Word != "":
		return "by the plan's own word"
	}
	return ""
}

// TaskStatus is the status of a task in words.
func TaskStatus(t *progress.Task) string { return cmp.Or(statusWord(t.Status), "?") }

// TaskNote says who works on a task of a list, or how it was left; "" for neither. isNext means that it is the task to resume.
func TaskNote(t *answer.PlannedTask, worker *run.Run, isNext bool) string {
	switch {
	case worker != nil && worker.State == run.StateActive:
		return cmp.Or(Title(worker.Host), "an agent") + " at work"
	case worker != nil:
		return cmp.Or(Title(worker.Host), "an agent") + " may be at work"
	case t.Status == planfile.InProgress && t.State.Left() && t.State != answer.Unattended:
		return stoppedWord[t.State]
	case isNext && t.Checkpoint():
		return "waits for a person"
	}
	return ""
}

// tasksDone says how many of a plan's tasks are complete, and how many are skipped, which a sentence always says. Rows of gsd status
// and the status line have no room for it: 2/3 are those that are complete.
func tasksDone(done, skipped, total int) string {
	says := fmt.Sprintf("%d of %s complete", done, Count(total, "task"))
	if skipped > 0 {
		says += fmt.Sprintf(", %d skipped", skipped)
	}
	return says
}

// padded is printer.Pad for what is not cut.
func padded(s string, columns int) printer.Text {
	return printer.Pad(s, max(columns, printer.Of(s).Columns()))
}

// status returns a status, padded.
func (p *Printer) status(s planfile.Status) printer.Text {
	text := printer.Sprintf("%s  ", padded(cmp.Or(statusWord(s), "?"), len(planfile.InProgress)))
	switch s {
	case planfile.Complete:
		return printer.Green("%s", text)
	case planfile.InProgress:
		return printer.Yellow("%s", text)
	case planfile.Skipped:
		return printer.Dim("%s", text)
	}
	return text
}
