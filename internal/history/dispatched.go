package history

// dispatched.go: how far a plan is that an agent is sent to carry out by another one.

import (
	"time"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// Dispatched returns how far a plan is that an agent is sent to carry out. It is as [SoFar], but sessions in worktrees that were removed count,
// because that is where executors work. r is on the user's current session, whatever plan that is on.
func Dispatched(p *verdict.Project, r *verdict.Report, at string, plan *planfile.File, now time.Time) *verdict.PlanProgress {
	its, _ := findWithin(p, nil, removed(p, crumbList(p), r.User, now), nil, r, at, plan, now).soFar()
	return its
}

// CommittedAt are commits on a plan in another worktree, which are not known to be here.
type CommittedAt struct {
	Dir   string                  // the top of the worktree
	Tasks []verdict.CommittedTask // the tasks that they certainly carried out
}

// CommittedElsewhere finds tasks of a plan that its is not past, and that commits in other worktrees of the repository certainly carried
// out: an executor that was cut off may have left them on its branch.
func CommittedElsewhere(p *verdict.Project, at string, plan *planfile.File, its *verdict.PlanProgress) (all []CommittedAt) {
	facts := p.FactsOf(at, plan)
	p.Planning.EachLog(func(dir string, log *evidence.Log) {
		found, _ := verdict.ReadEvidence(log, facts, verdict.MostCommits) // what was read before an error counts
		there := CommittedAt{Dir: dir}
		for i, status := range found.Statuses(evidence.DefaultConfidence) {
			if task := its.Tasks[i]; status == planfile.Complete && !task.Status.Over() {
				task.Status, task.Commits = status, idsOf(found.Tasks[i].AtLeast(evidence.DefaultConfidence))
				there.Tasks = append(there.Tasks, task)
			}
		}
		if len(there.Tasks) > 0 {
			all = append(all, there)
		}
	})
	return all
}
