package hydrate

import (
	"github.com/gsd-cli/gsd/planfile"
)

// TaskList is the tasks of one plan or session.
type TaskList struct {
	Path    string // of the file that was read, relative to the project
	Plan    string // of the plan: Path itself, or what the session's header names
	File    *planfile.File
	Session bool // File is a session and its tasks have statuses
}

// SessionTasks reads the tasks of a user's session.
func (p *Project) SessionTasks(user string) (*TaskList, error) {
	src, _, err := p.session(user).Read(p.Limit)
	r, err := p.report(user, src, err)
	switch {
	case err != nil:
		return nil, err
	case r.Session == nil:
		failed := noSession(r.Path)
		failed.Hint = "start one with gsd bootstrap PLAN, or name a plan: gsd tasks PLAN"
		return nil, failed
	case r.Verdict == Corrupt:
		return nil, corruptSession(r)
	}
	return &TaskList{Path: r.Path, Plan: r.Plan.Path, File: r.Session, Session: true}, nil
}

// PlanTasks reads the tasks of a plan, named as ResolvePlan gives it.
func (p *Project) PlanTasks(place string) (*TaskList, error) {
	f, err := p.readPlan(place)
	if err != nil {
		return nil, err
	}
	return &TaskList{Path: place, Plan: place, File: f}, nil
}
