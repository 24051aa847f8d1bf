package history

// committed.go: what git's commits say of the tasks of a plan.

import (
	"slices"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// SoFar returns how far a plan is that nobody has a session on: what Bootstrap would carry over, and what commits only seem to have
// started. It is nil if nothing of it seems to be started. r is on the user's current session, whatever plan that is on. commits is how many
// commits are read.
func SoFar(p *verdict.Project, r *answer.Report, at string, plan *planfile.File, commits int) *answer.PlanProgress {
	planProgress, started := soFar(p, r, at, plan, commits)
	if !started {
		return nil
	}
	return planProgress
}

// Dispatched returns how far a plan is that an agent is sent to carry out. It is as [SoFar], but never nil; started reports whether anything of it
// seems to be started.
func Dispatched(p *verdict.Project, r *answer.Report, at string, plan *planfile.File) (planProgress *answer.PlanProgress, started bool) {
	return soFar(p, r, at, plan, verdict.MostCommits)
}

// soFar returns how far a plan is, and whether anything of it is started.
func soFar(p *verdict.Project, r *answer.Report, at string, plan *planfile.File, commits int) (planProgress *answer.PlanProgress, started bool) {
	g := findWithin(p, lookBudget(p), nil, r, at, plan)
	g.most = commits
	g.addCommits()
	planProgress = &answer.PlanProgress{Whole: g.plan.Dialect == planfile.DialectPlan, Tasks: g.Stamps()}
	for i := range planProgress.Tasks {
		t := &planProgress.Tasks[i]
		planProgress.Former = planProgress.Former || !t.Shown() && t.Status == planfile.Complete
		started = started || t.Status != planfile.Pending || t.Seems()
		if !t.Status.Settled() && planProgress.Resume == nil {
			planProgress.Resume = answer.ResumeIn(g.plan, *t)
		}
	}
	planProgress.Cut, planProgress.Naming = g.commits.Truncated, answer.CommitNaming(g.commits.Found)
	return planProgress, started
}

// addCommits gives the tasks that nobody has set the statuses that commits certainly show, else those that the plan's own words mean.
func (g *Former) addCommits() {
	known := !slices.ContainsFunc(g.Tasks, func(t progress.Task) bool { return !t.Status.Settled() || t.Set.IsZero() })
	if g.fresh || g.summary != "" || known { // a plan that is done again is not done by its old commits
		return
	}
	found, _ := g.Commits() // what was read before an error counts
	progress.AddCommits(g.Tasks, found.Committed(), found.IsPartial())
	progress.AddWords(g.Tasks, progress.Words(g.plan), true)
}

// Commits returns which commits carried out the tasks of the plan. They are read once.
func (g *Former) Commits() (answer.PlanEvidence, error) {
	if !g.isRead {
		g.commits, g.commitsErr = g.p.CommitsOf(g.path, g.plan, g.most)
		g.isRead = true
	}
	return g.commits, g.commitsErr
}

// Truncated warns of a clone that may lack some of the commits of a plan.
var Truncated = problem.Warning{Code: problem.HistoryTruncated}

// PerhapsBegun warns of a task that commits only seem to have started.
const PerhapsBegun = "perhaps-begun"

// DoubtsOf warns of the tasks that commits only seem to have started.
func DoubtsOf(tasks []progress.Task) (all []problem.Warning) {
	for i := range tasks {
		if t := &tasks[i]; t.Set.IsZero() && t.Seems() {
			all = append(all, problem.Warning{Code: PerhapsBegun, Task: t.Number, ID: t.Commits[0]})
		}
	}
	return all
}

// Warnings says what commits, and unclear words of the plan, may show beyond what is known; nothing if none was looked for.
func (g *Former) Warnings() (all []problem.Warning) {
	all = append(DoubtsOf(g.Tasks), answer.UnclearWords(g.path, g.Tasks)...)
	if g.commitsErr != nil {
		all = append(all, problem.HistoryWarning(g.commitsErr))
	}
	if g.commits.Truncated {
		all = append(all, Truncated)
	}
	return all
}
