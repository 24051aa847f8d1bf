package verdict

import (
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/planfile"
)

// PlanThen is a plan as a breadcrumb has it.
type PlanThen struct{ Path, Digest string }

// What is asked about plans once: where one is that is gone from its path, and which tasks one has.
type (
	placeOf PlanThen
	tasksOf string
)

// WhereIs returns the path that a plan has now that is gone from its own, and how that is known; "" if it is not. tasks returns those
// that it had.
func (p *Project) WhereIs(plan, was string, tasks func() []progress.Task) (at string, how answer.Relation) {
	find := func() answer.Moved {
		if moved := p.Planning.FindMoved(plan, was); moved != "" {
			return answer.Moved{At: moved, How: answer.ByMove}
		}
		return p.MostAlike(plan, tasks())
	}
	var m answer.Moved
	if was == "" { // then its tasks may have been others at another time
		m = find()
	} else {
		m = Once(p, placeOf{plan, was}, find)
	}
	return m.At, m.How
}

// MostAlike returns the plan that is most like one that is gone: with the most of its tasks, and of several the one with its id. One
// that has only few of its tasks is another plan, unless it has its id. Templates give the same names to tasks of many plans, so at
// least one task must have its text, too.
func (p *Project) MostAlike(gone string, tasks []progress.Task) (best answer.Moved) {
	most := 0
	for _, plan := range p.Planning.Plans() {
		fits, exact := progress.CountAlike(tasks, p.TasksOf(plan))
		if fits == 0 {
			continue
		}
		moved, score := answer.Moved{At: plan, How: answer.ByTasks}, 2*fits
		if HaveSameID(gone, plan) {
			moved.How = answer.ByID
			score++
		}
		switch {
		case moved.How == answer.ByTasks && (2*fits <= len(tasks) || !exact):
		case score > most:
			best, most = moved, score
		case score == most: // as much this one as that one
			best = answer.Moved{}
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
	return Once(p, tasksOf(plan), func() []progress.Task {
		src, err := p.Planning.Read(plan)
		if err != nil || planfile.Check(src) != nil {
			return nil
		}
		return progress.Describe(planfile.Parse(src))
	})
}
