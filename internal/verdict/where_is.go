package verdict

import (
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/planfile"
)

// PlanThen is a plan as a breadcrumb has it.
type PlanThen struct{ Path, Digest string }

// Relation is how a former session is known to be on a plan.
type Relation string

// The relations.
const (
	ByPath   Relation = "path"   // it names the plan
	ByDigest Relation = "digest" // the plan has the bytes that its plan had, and no longer has
	ByMove   Relation = "moved"  // the plan is where its plan was moved to
	ByID     Relation = "id"     // its plan is gone, and the plan has its id and some of its tasks
	ByTasks  Relation = "tasks"  // its plan is gone, and the plan has most of its tasks
)

// Moved is where a plan is now that is gone from its own path, and how that is known; empty if it is not.
type Moved struct {
	At  string
	How Relation
}

// WhereIs returns the path that a plan has now that is gone from its own, and how that is known; "" if it is not. tasks returns those
// that it had.
func (p *Project) WhereIs(plan, was string, tasks func() []progress.Task) (at string, how Relation) {
	find := func() Moved {
		if moved := p.Planning.FindMoved(plan, was); moved != "" {
			return Moved{moved, ByMove}
		}
		return p.MostAlike(plan, tasks())
	}
	var its Moved
	if was == "" { // then its tasks may have been others at another time
		its = find()
	} else {
		its = project.Memo(&p.relocated, PlanThen{plan, was}, find)
	}
	return its.At, its.How
}

// MostAlike returns the plan that is most like one that is gone: with the most of its tasks, and of several the one with its id. One
// that has only few of its tasks is another plan, unless it has its id. Templates give the same names to tasks of many plans, so at
// least one task must have its text, too.
func (p *Project) MostAlike(gone string, tasks []progress.Task) (best Moved) {
	most := 0
	for _, plan := range p.Planning.Plans() {
		fits, exact := progress.CountAlike(tasks, p.TasksOf(plan))
		if fits == 0 {
			continue
		}
		its, score := Moved{plan, ByTasks}, 2*fits
		if HaveSameID(gone, plan) {
			its.How = ByID
			score++
		}
		switch {
		case its.How == ByTasks && (2*fits <= len(tasks) || !exact):
		case score > most:
			best, most = its, score
		case score == most: // as much this one as that one
			best = Moved{}
		}
	}
	return best
}

// HaveSameID reports whether two plans have the same id in the same project or workstream.
func HaveSameID(a, b string) bool {
	id, ok := planref.PlanID(a)
	other, ok2 := planref.PlanID(b)
	root, _ := project.RootOf(a)
	otherRoot, _ := project.RootOf(b)
	return ok && ok2 && root == otherRoot && planref.SameID(id, other)
}

// TasksOf describes the tasks of a plan; those of one that cannot be read are unknown.
func (p *Project) TasksOf(plan string) []progress.Task {
	return project.Memo(&p.tasks, plan, func() []progress.Task {
		src, err := p.Planning.Read(plan)
		if err != nil || planfile.Check(src) != nil {
			return nil
		}
		return progress.Describe(planfile.Parse(src))
	})
}

// Advances reports whether a change of status is progress.
func Advances(from, to planfile.Status) bool { return from.Rank() >= 0 && from.Rank() < to.Rank() }
