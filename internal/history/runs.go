package history

import (
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// SetStates sets how far the tasks in progress are, given who is at work here.
func SetStates(p *verdict.Project, r *answer.Report, runs *answer.RunsAndLost) {
	n := r.Resume
	if n == nil {
		return
	}
	if n.State != answer.NotBegun {
		n.SetState(stateOf(&runs.Assessment, r.Plan.Path, n.Number))
		n.Began = runs.Began(r.Plan.Path, n.Number)
	}
	for i := range n.Also {
		n.Also[i].State = stateOf(&runs.Assessment, r.Plan.Path, n.Also[i].Number)
	}
	if n.FirstLeft() != nil {
		team.SetInClones(p, r)
	}
}

// stateOf returns how far a task in progress is. Only a run that is known to have worked on it, and to have ended, left it.
func stateOf(runs *run.Assessment, plan string, task int) answer.State {
	if worker := runs.Worker(plan, task); worker != nil {
		if worker.Own {
			return answer.InOwnHands
		}
		return answer.InOthers
	}
	switch last := runs.Last(plan, task); {
	case last == nil:
		return answer.Unattended
	case last.Status == run.Paused:
		return answer.Paused
	case last.Cause == run.CauseCleared, last.Cause == run.CauseSuperseded:
		return answer.Cleared
	}
	return answer.Interrupted
}

// CheckStates determines how far the tasks in progress are, for callers that need nothing else about runs.
func CheckStates(p *verdict.Project, r *answer.Report) {
	if r.Resume == nil {
		return
	}
	r.Resume.AddAlso(r.Session)
	if r.Resume.State == answer.InProgress || len(r.Resume.Also) > 0 {
		runs, _ := Runs(p, r)
		SetStates(p, r, &runs)
	}
}

// Runs assesses the runs of a report's user. It only reads. What could not be read is a warning.
func Runs(p *verdict.Project, r *answer.Report) (answer.RunsAndLost, []problem.Warning) {
	if r.RunFile == nil {
		r.RunFile = p.RunFile(r.User)
	}
	runs, warnings := p.ReadRuns(r.User, r, r.RunFile)
	runs.OnPlan(r.LivePlan())
	a := answer.RunsAndLost{Assessment: runs}
	lost, behind, unread := LostOf(p, r)
	a.Lost, a.Behind = lost, behind
	return a, append(warnings, unread...)
}
