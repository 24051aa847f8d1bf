package view

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/planfile"
)

// Tasks prints a list of tasks, or one in full.
func (p *Printer) Tasks(list *hydrate.TaskList) {
	if len(list.Tasks) == 1 && list.Tasks[0].Text != "" {
		p.wholeTask(list, &list.Tasks[0])
	} else {
		p.taskRows(list)
	}
	p.Warnings(list.Warnings)
}

// wholeTask prints one task as hydrate prints the one to resume.
func (p *Printer) wholeTask(list *hydrate.TaskList, t *hydrate.WholeTask) {
	p.Printf("%s %s\n", p.Style.Bold(fmt.Sprintf("task %d:", t.Number)), TaskTitle(t.Name, t.Number))
	if list.Session {
		p.Printf("  %s %s\n", p.Style.Dim("status:"), cmp.Or(text.Line(string(t.Status)), "?"))
	}
	p.checkpoint(t.Checkpoint(), t.Type)
	p.taskText(list.Path, t.Line, t.Shown)
}

func (p *Printer) taskRows(list *hydrate.TaskList) {
	p.Printf("%s: %s\n", filePath(list.Path), Count(len(list.Tasks), "task"))
	digits, types := len(strconv.Itoa(len(list.Tasks))), 0
	for _, t := range list.Tasks {
		types = max(types, len(text.Line(t.Type)))
	}
	types = min(types, len("checkpoint:human-action"))
	for _, t := range list.Tasks {
		status := ""
		if list.Session {
			status = p.status(t.Status)
		}
		p.Printf("%*d  %s%-*s  %s\n", digits, t.Number, status, types, text.Line(t.Type), TaskTitle(t.Name, t.Number))
	}
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

// status returns a status, padded.
func (p *Printer) status(s planfile.Status) string {
	text := fmt.Sprintf("%-11s  ", cmp.Or(text.Line(string(s)), "?"))
	switch s {
	case planfile.Complete:
		return p.Style.Green(text)
	case planfile.InProgress:
		return p.Style.Yellow(text)
	case planfile.Skipped:
		return p.Style.Dim(text)
	}
	return text
}
