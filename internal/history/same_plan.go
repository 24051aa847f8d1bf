package history

// same_plan.go: which plan a former session is on. A plan that is where the session says is its plan, as long as it has one of its
// tasks. One that is gone may have been moved (project.Project.FindMoved), or renamed or renumbered as well as edited: then its id in its
// phase and its tasks tell. Of the 670 plans that disappeared in 33 real projects, FindMoved finds 315. The tasks of the other 355
// match no plan, and so does each of 1,233 plans that were removed in turn, which is why a task's text has to be the same: two had
// most of their names, "Add exports" and "Unit tests", in common with another.

import (
	"strings"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// relation returns how a session on the plan named on, with that digest, is known to be on this plan; "" if it is not. Its tasks are
// only asked for if nothing else tells.
func (g *Former) relation(on, was string, tasks func() []progress.Task) answer.Relation {
	switch {
	case on == g.path:
		return answer.ByPath
	case was != "" && strings.EqualFold(was, g.digest):
		src, err := g.p.Planning.Read(on)
		if err != nil || !strings.EqualFold(project.Digest(src), was) { // otherwise this plan is a copy of it
			return answer.ByDigest
		}
	case on != "" && !g.p.Planning.Exists(on):
		if at, how := g.p.WhereIs(on, was, tasks); at == g.path {
			return how
		}
	case on != "": // a plan was inserted, so that another one has that path now
		old := tasks()
		if fits, _ := progress.CountAlike(old, g.p.TasksOf(on)); fits > 0 {
			return ""
		}
		if moved := g.p.MostAlike(on, old); moved.At == g.path {
			return moved.How
		}
	}
	return ""
}

func (g *Former) relationOfCrumb(c *session.Crumb) answer.Relation {
	return g.relation(c.Plan, c.Digest, func() []progress.Task { return verdict.CrumbTasks(c) })
}
