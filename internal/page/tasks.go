package page

import (
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/overview"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/view"
	"github.com/gsd-cli/gsd/planfile"
)

// A taskRow is a task of a list.
type taskRow struct {
	Icon, Status string
	Number       int
	Title        string
	Note         string    // who works on it, or how it was left
	Set          time.Time // when its status was set; zero for unknown
	By           string    // what shows the status where nobody has set it
	Next         bool      // it is the task to resume
}

// taskIcons are the symbols of statuses; the default is the empty circle.
var taskIcons = map[planfile.Status]string{planfile.Complete: "done", planfile.InProgress: "half", planfile.Skipped: "bar"}

func newTaskRow(t *answer.PlannedTask, worker *run.Run, next bool) taskRow {
	row := taskRow{
		Icon: taskIcons[t.Status], Status: view.TaskStatus(&t.Task), Number: t.Number, Title: pageText(view.TaskTitle(t.Name, t.Number)),
		Note: view.TaskNote(t, worker, next), Set: view.TaskSet(&t.Task), Next: next,
	}
	if row.Icon == "" {
		row.Icon = "open"
	}
	if row.Set.IsZero() {
		row.By = view.TaskShownBy(&t.Task)
	}
	return row
}

// sessionTasks returns the tasks of a session.
func sessionTasks(st *status.Status, s *answer.Session) (rows []taskRow) {
	for i := range s.Tasks {
		t := &s.Tasks[i]
		rows = append(rows, newTaskRow(t, st.Worker(s, t.Number), s.Resume != nil && s.Resume.Number == t.Number))
	}
	return rows
}

// inFlight returns the tasks of a plan that nobody has a session on.
func inFlight(progress *answer.PlanProgress) (rows []taskRow) {
	for _, t := range progress.Tasks {
		task := answer.PlannedTask{Task: t}
		rows = append(rows, newTaskRow(&task, nil, progress.Resume != nil && progress.Resume.Number == t.Number))
	}
	return rows
}

// dates are when work on a plan or a phase began and when that was finished, as far as commits show; zero for unknown.
type dates struct{ Began, Finished time.Time }

func planDates(span *status.Span) (d dates) {
	if span == nil {
		return d
	}
	d.Began = view.InCalendar(span.First)
	if span.Done {
		d.Finished = view.InCalendar(span.Finished)
	}
	return d
}

// phaseDates returns the dates of a phase: it is finished when its last plan is, if that is known of each.
func phaseDates(ph *overview.Phase, spans map[string]*status.Span) (all dates) {
	isDone := ph.Status == overview.PhaseComplete || ph.Status == overview.PhaseDone
	for _, plan := range ph.Plans {
		d := planDates(spans[plan.Path])
		if !d.Began.IsZero() && (all.Began.IsZero() || d.Began.Before(all.Began)) {
			all.Began = d.Began
		}
		isDone = isDone && !d.Finished.IsZero()
		if d.Finished.After(all.Finished) {
			all.Finished = d.Finished
		}
	}
	if !isDone {
		all.Finished = time.Time{}
	}
	return all
}

// date is the day of a time.
func date(t time.Time) string { return t.UTC().Format(time.DateOnly) }
