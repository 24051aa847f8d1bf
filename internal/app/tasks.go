package app

import (
	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/planfile"
)

// TasksOptions says which tasks to list.
type TasksOptions struct {
	User   string
	Dir    string // that Plan is relative to
	Plan   string // a path or an id; empty for the user's session
	Number int    // one task, in full; 0 for all
}

// TaskList is the tasks of a plan or a session.
type TaskList struct {
	Plan     string            `json:"plan"`                 // the plan, relative to the project; for a session the plan that it is on
	Dialect  planfile.Dialect  `json:"dialect"`              // how the plan writes its tasks; a session writes them all as task
	Tasks    []WholeTask       `json:"tasks"`                // all tasks, or the one that was asked for
	Path     string            `json:"file"`                 // the file that was read, relative to the project
	Session  bool              `json:"of_session"`           // it is a session; else the tasks are as far as is known of the plan, as Bootstrap would carry it over
	Summary  string            `json:"summary" empty:"null"` // the plan's summary, which means that the plan is done, and no task has a status; null for none, and for a session
	Warnings []problem.Warning `json:"warnings"`             // what a person should know
}

// WholeTask is a task, with its text if a single task was asked for.
type WholeTask struct {
	answer.PlannedTask
	Text     string           `json:"text,omitempty"`     // the task as the file has it, with its tags
	Children []planfile.Child `json:"children,omitempty"` // what is directly below it
	Shown    []planfile.Child `json:"-"`                  // Children as they are shown, without its name
}

// Tasks lists the tasks of a plan or of the user's session, with their statuses.
func (p *Project) Tasks(o TasksOptions) (*TaskList, error) {
	list, r, f, err := p.taskFile(o)
	if err != nil {
		return nil, err
	}
	list.Dialect = f.Dialect
	if o.Number != 0 {
		if _, err := f.Task(o.Number); err != nil {
			all := action.Action{Kind: action.ListTasks}
			if !list.Session {
				all.Plan = p.Planning.Argument(list.Plan)
			}
			return nil, &problem.Error{Kind: problem.MissingInput, Text: list.Path + " has " + err.Error(), Do: []action.Action{all}, Err: err}
		}
	}
	all := p.SessionTasks
	if !list.Session {
		all = func(r *answer.Report) []answer.PlannedTask { return p.planTasks(list, r, f) }
	}
	for _, t := range all(r) {
		if o.Number == 0 || o.Number == t.Number {
			list.Tasks = append(list.Tasks, WholeTask{PlannedTask: t})
		}
	}
	if n := o.Number; n != 0 {
		task := &list.Tasks[0]
		source, _ := f.Source(n) // the task is there
		task.Text, task.Shown = string(source), answer.ShownChildren(f, n)
		task.Children, _ = f.Children(n)
		list.Warnings = p.Warnings(list.Warnings, answer.NumberWarning(f, n))
	}
	return list, nil
}

// planTasks returns the tasks of a plan as far as they are: as the user's session has them if that is on the plan as it is, else as Bootstrap
// would carry them over, with what it warns of. A plan that has a summary is done: what was marked before says nothing of it.
func (p *Project) planTasks(list *TaskList, r *answer.Report, f *planfile.File) []answer.PlannedTask {
	all := make([]answer.PlannedTask, len(f.Tasks))
	for i, t := range f.Tasks {
		all[i] = answer.Planned(f, t)
		all[i].Status = ""
	}
	if r.Verdict.Live() && r.Plan.Path == list.Plan && !r.IsEdited() {
		for i, t := range p.SessionTasks(r) {
			all[i].Task = t.Task
		}
		list.Warnings = p.Warnings(list.Warnings, answer.UnclearWords(list.Plan, r.State))
		return all
	}
	if list.Summary = p.Planning.SummaryOf(list.Plan); list.Summary != "" {
		return all
	}
	former := history.FindFormer(p.Project, r, list.Plan, f, false, false)
	for i, t := range former.Stamps() {
		all[i].Task = t
	}
	list.Warnings = p.Warnings(list.Warnings, former.Warnings())
	return all
}

// taskFile returns the file whose tasks are to be listed, and the report on the user's session.
func (p *Project) taskFile(o TasksOptions) (*TaskList, *answer.Report, *planfile.File, error) {
	if o.Plan != "" {
		place, err := p.Planning.ResolvePlan(o.Dir, o.Plan)
		if err != nil {
			return nil, nil, nil, err
		}
		p.EnterPlan(place)
		f, err := p.Planning.ReadPlan(place)
		if err != nil {
			return nil, nil, nil, err
		}
		list := &TaskList{Path: place, Plan: place}
		if p.Planning.SummaryOf(place) == "" {
			list.Warnings = statusWarnings(place, frontmatter.Read(f.Bytes()).Status)
		}
		list.Warnings = p.Warnings(list.Warnings)
		return list, p.Look(o.User), f, nil
	}
	if err := p.RefuseUndecided(); err != nil {
		return nil, nil, nil, err
	}
	r := p.Look(o.User)
	switch {
	case r.Unread != nil:
		return nil, nil, nil, r.Unread
	case r.Session == nil:
		failed := answer.NoSession(r.Path)
		failed.Hint, failed.Do = "start one with `gsd bootstrap PLAN`, or name a plan: `gsd tasks PLAN`", nil
		return nil, nil, nil, failed
	case r.Verdict == answer.Corrupt:
		return nil, nil, nil, answer.CorruptSession(r)
	}
	warnings := p.Warnings(answer.UnclearWords(r.Plan.Path, r.State))
	return &TaskList{Path: r.Path, Plan: r.Plan.Path, Session: true, Warnings: warnings}, r, r.Session, nil
}
