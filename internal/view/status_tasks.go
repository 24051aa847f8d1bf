package view

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/layout"
	"github.com/gsd-cli/gsd/internal/overview"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/planfile"
)

// planTasks are the tasks of a plan that is being worked on.
type planTasks struct {
	session *answer.Session // that it is of; nil if nobody has one, so that commits alone show how far the plan is
	plan    string
	label   string
	resume  int // the number of the task to resume; 0 for none
	tasks   []answer.PlannedTask
}

// tasksOf returns the tasks of the reader's plan, or else of the plan that comes next, if it was begun, and then those of everybody else
// at work here.
func tasksOf(st *status.Status) (lists []planTasks) {
	busy := map[string]bool{}
	for i := range st.Runs {
		busy[st.Runs[i].User] = busy[st.Runs[i].User] || st.Runs[i].MayLive()
	}
	for i := range st.Sessions {
		s := &st.Sessions[i]
		if len(s.Tasks) == 0 || !s.IsHere() || !s.Own && !busy[s.User] {
			continue
		}
		list := planTasks{session: s, plan: s.Plan, label: sessionPlan(*s), tasks: s.Tasks}
		if s.Resume != nil {
			list.resume = s.Resume.Number
		}
		if !s.Own {
			list.label += ", " + Title(s.User)
		}
		lists = append(lists, list)
	}
	if n := st.Next; n != nil && n.Progress != nil && (len(lists) == 0 || !lists[0].session.Own) {
		list := planTasks{plan: n.Plan, label: planLabel(n.Plan, n.ID), tasks: make([]answer.PlannedTask, len(n.Progress.Tasks))}
		for i, t := range n.Progress.Tasks {
			list.tasks[i].Task = t
		}
		if n.Progress.Resume != nil {
			list.resume = n.Progress.Resume.Number
		}
		lists = slices.Insert(lists, 0, list)
	}
	return lists
}

// isOn reports whether a plan is the one whose tasks are listed first.
func (b *board) isOn(plan *overview.StatusPlan) bool {
	return len(b.lists) > 0 && b.lists[0].plan == plan.Path
}

// tasks lists the tasks of the plans that are being worked on, with who works on them.
func (b *board) tasks() {
	for i, list := range b.lists {
		first := i == 0
		b.heading("tasks of " + layout.Cut(list.label, b.Columns-len("tasks of ")))
		digits := len(strconv.Itoa(len(list.tasks)))
		for i := range list.tasks {
			t := &list.tasks[i]
			var worker *run.Run
			if list.session != nil {
				worker = b.status.Worker(list.session, t.Number)
			}
			isCurrent := t.Number == list.resume || worker != nil
			switch {
			case isCurrent && first:
				b.as(current)
			case t.Status.Settled() || !first:
				b.as(finished)
			default:
				b.as(usual)
			}
			head := printer.Sprintf("  %s%s  %s", mark(isCurrent), fmt.Sprintf("%*d", digits, t.Number), b.Printer.status(t.Status))
			tail := TaskNote(t, worker, t.Number == list.resume)
			if by := TaskShownBy(&t.Task); !TaskSet(&t.Task).IsZero() {
				tail = joined(tail, b.when(t.Set))
			} else if by != "" {
				tail = joined(tail, by)
			}
			tail = layout.Cut(tail, b.Columns/2)
			title := printer.Pad(TaskTitle(t.Name, t.Number), b.Columns-head.Columns()-layout.Columns(tail)-2)
			if t.Status == planfile.InProgress {
				title = printer.Bold("%s", title)
			}
			b.line("", printer.Sprintf("%s%s", head, title), printer.Dim("%s", tail))
		}
	}
}

// joined is two parts of a sentence, of which either may be empty.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ", " + b
}
