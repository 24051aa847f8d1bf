package history

import (
	"time"

	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// SetInterrupted sets which of the tasks in progress were interrupted, given who is at work here.
func SetInterrupted(p *verdict.Project, r *verdict.Report, runs *verdict.RunsAndLost) {
	n := r.Resume
	if n == nil {
		return
	}
	if n.Progress != verdict.NotBegun {
		n.Progress = progressOf(runs.Worker(r.Plan.Path, n.Number))
		n.Interrupted = n.Progress == verdict.Interrupted
	}
	for i := range n.Also {
		n.Also[i].Interrupted = progressOf(runs.Worker(r.Plan.Path, n.Also[i].Number)) == verdict.Interrupted
	}
	if number, _ := n.FirstInterrupted(); number > 0 {
		team.SetInClones(p, r)
	}
}

// progressOf returns how far a task in progress is, given the run that is at work on it; nil for none.
func progressOf(worker *run.Run) verdict.Progress {
	switch {
	case worker == nil:
		return verdict.Interrupted
	case worker.Own:
		return verdict.InOwnHands
	}
	return verdict.InOthers
}

// CheckInterrupted determines which of the tasks in progress were interrupted, for callers that need nothing else about runs.
func CheckInterrupted(p *verdict.Project, r *verdict.Report, now time.Time) {
	if r.Resume == nil {
		return
	}
	r.Resume.AddAlso(r.Session)
	if r.Resume.Progress == verdict.InProgress || len(r.Resume.Also) > 0 {
		runs, _ := Runs(p, r, now)
		SetInterrupted(p, r, &runs)
	}
}

// Runs assesses the runs of a report's user. It only reads. What could not be read is a warning.
func Runs(p *verdict.Project, r *verdict.Report, now time.Time) (verdict.RunsAndLost, []project.Warning) {
	if r.RunFiles == nil {
		r.RunFiles = p.RunFiles(r.User)
	}
	_, runs, warnings := p.ReadRuns(r.User, r.RunFiles, now)
	runs.OnPlan(r.LivePlan())
	a := verdict.RunsAndLost{Assessment: runs}
	lost, unread := LostOf(p, r, now)
	a.Lost = lost
	return a, append(warnings, unread...)
}
