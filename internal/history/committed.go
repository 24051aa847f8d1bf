package history

// committed.go: what git's commits say of the tasks of a plan.

import (
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// SoFar returns how far a plan is that nobody has a session on: what Bootstrap would carry over, and what commits only seem to have
// begun. It is nil if nothing of it seems to be begun. Sessions in worktrees that were removed are left out, because to find them all
// breadcrumbs of the machine have to be read. commits is how many commits are read.
func SoFar(p *verdict.Project, r *verdict.Report, at string, plan *planfile.File, commits int, now time.Time) *verdict.PlanProgress {
	if p.Archives == nil {
		p.Archives = durable.NewBudget(formerFiles * p.Planning.Limit)
	}
	g := findWithin(p, p.Archives, nil, nil, r, at, plan, now)
	g.most = commits
	its, begun := g.soFar()
	if !begun {
		return nil
	}
	return its
}

// soFar returns how far the plan is, and whether anything of it is begun.
func (g *Former) soFar() (its *verdict.PlanProgress, begun bool) {
	by := g.addCommitted()
	its = &verdict.PlanProgress{Whole: g.plan.Dialect == planfile.DialectPlan}
	for i := range g.Tasks {
		n := i + 1
		task := verdict.CommittedTask{Number: n, Name: g.plan.Title(n), Status: g.Tasks[i].Status, Commits: by[n]}
		switch {
		case task.Status != "":
			its.Former = its.Former || task.Commits == nil && task.Status == planfile.Complete
		case task.Commits != nil:
			task.Status = planfile.InProgress
		default:
			task.Status = planfile.Pending
		}
		begun = begun || task.Status != planfile.Pending
		if its.Tasks = append(its.Tasks, task); !task.Status.Over() && its.Resume == nil {
			its.Resume = verdict.ResumeIn(g.plan, n)
		}
	}
	its.Cut, its.Naming = g.commits.Truncated, verdict.CommitNaming(g.commits.Found)
	return its, begun
}

// addCommitted gives the tasks that nobody has set the statuses that commits certainly show. by are the IDs of these commits, and those
// that only seem to have begun a task, which is Unsure.
func (g *Former) addCommitted() (by map[int][]string) {
	by = map[int][]string{}
	gone := map[int]bool{}
	known := !slices.ContainsFunc(g.Tasks, func(t progress.Merged) bool { return !t.Status.Over() || t.Set.IsZero() })
	if g.fresh || g.summary != "" || known { // a plan that is done again is not done by its old commits
		return by
	}
	found, _ := g.Commits() // what was read before an error counts
	for i, shown := range found.Show() {
		its, n := &g.Tasks[i], i+1
		switch {
		case shown.Counts(&its.Task):
			its.Status, its.Set, by[n] = shown.Status, time.Time{}, shown.Commits
			g.Carried = append(g.Carried, Carried{Number: n, From: n, Status: shown.Status, Commits: shown.Commits})
		case its.Status.Over() && its.Set.IsZero() && shown.Status != its.Status && !found.IsPartial(): // it was, where a record was made
			its.Status = ""
			gone[n] = true
		case its.Status.Over() && its.Set.IsZero() && shown.Status == its.Status:
			by[n] = shown.Commits
		case shown.Seems(&its.Task):
			by[n] = idsOf(found.Tasks[i].Commits)
		case shown.Status == planfile.InProgress && its.Status == "": // less than sure
			by[n] = idsOf(found.Tasks[i].Commits)
			g.Unsure = append(g.Unsure, n)
		}
	}
	g.Carried = slices.DeleteFunc(g.Carried, func(c Carried) bool { return gone[c.Number] })
	return by
}

// Commits returns which commits carried out the tasks of the plan. They are read once.
func (g *Former) Commits() (verdict.PlanEvidence, error) {
	if !g.isRead {
		g.commits, g.commitsErr = g.p.CommitsOf(g.path, g.plan, g.most)
		g.isRead = true
	}
	return g.commits, g.commitsErr
}

// Truncated warns of a clone that may lack some of the commits of a plan.
var Truncated = project.Warning{Code: project.HistoryTruncated}

// PerhapsBegun warns of a task that commits only seem to have begun.
const PerhapsBegun = "perhaps-begun"

// Warnings says what commits may show beyond what is known; nothing if none was looked for.
func (g *Former) Warnings() (all []project.Warning) {
	for _, n := range g.Unsure {
		commits := g.commits.Tasks[n-1].Commits
		all = append(all, project.Warning{Code: PerhapsBegun, Task: n, ID: commits[0].ID})
	}
	if g.commitsErr != nil {
		all = append(all, project.HistoryWarning(g.commitsErr))
	}
	if g.commits.Truncated {
		all = append(all, Truncated)
	}
	return all
}

func idsOf(commits []evidence.Evidence) []string {
	ids := make([]string, len(commits))
	for i, commit := range commits {
		ids[i] = commit.ID
	}
	return ids
}
