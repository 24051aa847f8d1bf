package hydrate

import (
	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/verdict"
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
	Plan     string           `json:"plan"`       // the plan, relative to the project; for a session the plan that it is on
	Dialect  planfile.Dialect `json:"dialect"`    // how the plan writes its tasks; a session writes them all as task
	Tasks    []WholeTask      `json:"tasks"`      // all tasks, or the one that was asked for
	Path     string           `json:"file"`       // the file that was read, relative to the project
	Session  bool             `json:"of_session"` // it is a session, and its tasks have statuses
	Warnings []Warning        `json:"warnings"`   // what a person should know
}

// WholeTask is a task, with its text if a single task was asked for.
type WholeTask struct {
	verdict.PlannedTask
	Text     string           `json:"text,omitempty"`     // the task as the file has it, with its tags
	Children []planfile.Child `json:"children,omitempty"` // what is directly below it
	Shown    []planfile.Child `json:"-"`                  // Children as they are shown, without its name
}

// Tasks lists the tasks of a plan or of the user's session.
func (p *Project) Tasks(o TasksOptions) (*TaskList, error) {
	list, r, f, err := p.taskFile(o)
	if err != nil {
		return nil, err
	}
	list.Dialect = f.Dialect
	if o.Number == 0 {
		var all []Task
		if r != nil {
			all = p.SessionTasks(r)
		} else {
			for _, t := range f.Tasks {
				all = append(all, verdict.Planned(f, t))
			}
		}
		for _, t := range all {
			list.Tasks = append(list.Tasks, WholeTask{PlannedTask: t})
		}
		return list, nil
	}
	t, err := f.Task(o.Number)
	if err != nil {
		all := Action{Kind: action.ListTasks}
		if !list.Session {
			all.Plan = p.Planning.Argument(list.Plan)
		}
		return nil, &Error{Kind: MissingInput, Text: list.Path + " has " + err.Error(), Do: []Action{all}, Err: err}
	}
	source, _ := f.Source(o.Number) // the task is there
	children, _ := f.Children(o.Number)
	list.Tasks = []WholeTask{{PlannedTask: verdict.Planned(f, t), Text: string(source), Children: children, Shown: verdict.ShownChildren(f, o.Number)}}
	list.Warnings = p.Warnings(list.Warnings, verdict.NumberWarning(f, o.Number))
	return list, nil
}

// taskFile returns the file whose tasks are to be listed, and the report on it if it is the user's session.
func (p *Project) taskFile(o TasksOptions) (*TaskList, *Report, *planfile.File, error) {
	if o.Plan != "" {
		place, err := p.ResolvePlan(o.Dir, o.Plan)
		if err != nil {
			return nil, nil, nil, err
		}
		f, err := p.Planning.ReadPlan(place)
		return &TaskList{Path: place, Plan: place}, nil, f, err
	}
	r := p.Look(o.User)
	switch {
	case r.Unread != nil:
		return nil, nil, nil, r.Unread
	case r.Session == nil:
		failed := verdict.NoSession(r.Path)
		failed.Hint, failed.Do = "start one with `gsd bootstrap PLAN`, or name a plan: `gsd tasks PLAN`", nil
		return nil, nil, nil, failed
	case r.Verdict == Corrupt:
		return nil, nil, nil, verdict.CorruptSession(r)
	}
	return &TaskList{Path: r.Path, Plan: r.Plan.Path, Session: true, Warnings: p.Warnings()}, r, r.Session, nil
}
