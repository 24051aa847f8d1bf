package verdict

import (
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/problem"
)

// UnwritableWarning warns if the user's session directory cannot be written, for that reason.
func UnwritableWarning(r *answer.Report, closed error) []problem.Warning {
	if closed == nil {
		return nil
	}
	failed := WriteFailed(r.Path, closed)
	return []problem.Warning{{Code: answer.SessionClosed, Says: failed.Text, Hint: failed.Hint}}
}

// SessionTasks returns the tasks of a report's session, with when they were set, and by which commits they are as far as they are.
func (p *Project) SessionTasks(r *answer.Report) []answer.PlannedTask {
	state := r.State
	if state == nil {
		state = p.Stamped(r.User, r.Written(), r.Changed)
	}
	all := make([]answer.PlannedTask, len(r.Session.Tasks))
	for i, t := range r.Session.Tasks {
		all[i] = answer.Planned(r.Session, t)
		all[i].Task = state[i]
	}
	return all
}
