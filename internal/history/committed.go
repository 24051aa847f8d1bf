package history

// committed.go: what git's commits say of the tasks of a plan.

import (
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// MostCommits is how many commits are read to see how far a plan is: the work on a plan that is to be continued is among the latest.
const MostCommits = 300

// If a plan has more tasks or bytes, the files that its tasks name are not considered, because each task would have to be parsed.
const (
	mostParsedTasks = 50
	mostParsedBytes = 256 << 10
)

// CommitsOf finds which of the latest commits carried out the tasks of a plan; without a repository, none. What was read before an
// error counts.
func CommitsOf(p *verdict.Project, name string, plan *planfile.File) (verdict.PlanEvidence, error) {
	return commitsOf(p, name, plan, MostCommits)
}

// commitsOf is CommitsOf for a number of commits.
func commitsOf(p *verdict.Project, name string, plan *planfile.File, most int) (verdict.PlanEvidence, error) {
	log, err := p.Planning.Log(p.Progress)
	if log == nil {
		return verdict.PlanEvidence{}, err
	}
	return verdict.ReadEvidence(log, PlanFacts(p, name, plan), most)
}

// PlanFacts returns what package evidence needs to know of a plan, or of a session on it.
func PlanFacts(p *verdict.Project, name string, plan *planfile.File) evidence.Plan {
	facts := verdict.PlanFacts(name, plan, len(plan.Tasks) <= mostParsedTasks && len(plan.Bytes()) <= mostParsedBytes)
	facts.Alone = p.Planning.IsOnlyPlan(name)
	return facts
}

// SoFar returns how far a plan is that nobody has a session on: what Bootstrap would carry over, and what commits only seem to have
// begun. It is nil if nothing of it seems to be begun. Sessions in worktrees that were removed are left out, because to find them all
// breadcrumbs of the machine have to be read. commits is how many commits are read.
func SoFar(p *verdict.Project, r *verdict.Report, at string, plan *planfile.File, commits int, now time.Time) *verdict.PlanProgress {
	if p.Archives == nil {
		p.Archives = durable.NewBudget(formerFiles * p.Planning.Limit)
	}
	g := findWithin(p, p.Archives, nil, nil, r, at, plan, false, now)
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
	for n := 1; n <= len(g.plan.Tasks); n++ {
		task := verdict.CommittedTask{Number: n, Name: g.plan.Title(n), Status: g.Statuses[n], Commits: by[n]}
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
	if g.isDone() && g.since.IsZero() || g.summary != "" { // a plan that is done again is not done by its old commits
		return by
	}
	found, _ := g.Commits() // what was read before an error counts
	for i, status := range found.Statuses(evidence.DefaultConfidence) {
		n, sure := i+1, idsOf(found.Tasks[i].AtLeast(evidence.DefaultConfidence))
		switch {
		case (g.closed || g.Statuses[n] != "") && !(status == planfile.Complete && g.isOutdated(n, found.Tasks[i].Commits)):
		case status == planfile.Complete:
			g.Statuses[n], by[n] = status, sure
			g.Carried = append(g.Carried, Carried{Number: n, From: n, Status: status, Commits: sure})
		case status == planfile.InProgress && len(sure) > 0: // its tests, for example
			g.Statuses[n], by[n] = status, sure
			g.Carried = append(g.Carried, Carried{Number: n, From: n, Status: status, Commits: sure})
		case status == planfile.InProgress && len(found.Tasks[i].Commits) > 0:
			by[n] = idsOf(found.Tasks[i].Commits)
			g.Unsure = append(g.Unsure, n)
		}
	}
	return by
}

// isOutdated reports whether a task is not over as far as sessions say, and has commits since. Only a session that was started with --fresh says so
// of a task that it has not begun.
func (g *Former) isOutdated(n int, commits []evidence.Evidence) bool {
	return !g.Statuses[n].Over() && !g.since.IsZero() &&
		slices.ContainsFunc(commits, func(c evidence.Evidence) bool { return c.When.After(g.since) })
}

// Commits returns which commits carried out the tasks of the plan. They are read once.
func (g *Former) Commits() (verdict.PlanEvidence, error) {
	if !g.isRead {
		g.commits, g.commitsErr = commitsOf(g.p, g.path, g.plan, g.most)
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
