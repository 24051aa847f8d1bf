package hydrate

// same_plan.go: which plan a former session is on. A plan that is where the session says is its plan, as long as it has one of its
// tasks. One that is gone may have been moved (roadmap.FindMoved), or renamed or renumbered as well as edited: then its id in its
// phase and its tasks tell. Of the 670 plans that disappeared in 33 real projects, FindMoved finds 315. The tasks of the other 355
// match no plan, and so does each of 1,233 plans that were removed in turn, which is why a task's text has to be the same: two had
// most of their names, "Add exports" and "Unit tests", in common with another.

import (
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
)

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

// relation returns how a session on the plan named on, with that digest, is known to be on this plan; "" if it is not. Its tasks are
// only asked for if nothing else tells.
func (g *formerProgress) relation(on, was string, tasks func() []described) Relation {
	switch {
	case on == g.path:
		return ByPath
	case was != "" && strings.EqualFold(was, g.digest):
		src, err := g.p.project.Read(on)
		if err != nil || !strings.EqualFold(project.Digest(src), was) { // otherwise this plan is a copy of it
			return ByDigest
		}
	case on != "" && !g.p.project.Exists(on):
		if at, how := g.p.whereIs(on, was, tasks); at == g.path {
			return how
		}
	case on != "": // a plan was inserted, so that another one has that path now
		old := tasks()
		if fits, _ := countAlike(old, g.p.tasksOf(on)); fits > 0 {
			return ""
		}
		if its := g.p.mostAlike(on, old); its.at == g.path {
			return its.how
		}
	}
	return ""
}

func (g *formerProgress) relationOfCrumb(c *session.Crumb) Relation {
	return g.relation(c.Plan, c.Digest, func() []described { return describeCrumb(c) })
}

// whereIs returns the path that a plan has now that is gone from its own, and how that is known; "" if it is not. tasks returns those
// that it had.
func (p *Project) whereIs(plan, was string, tasks func() []described) (at string, how Relation) {
	find := func() relocated {
		if moved := p.project.FindMoved(plan, was); moved != "" {
			return relocated{moved, ByMove}
		}
		return p.mostAlike(plan, tasks())
	}
	var its relocated
	if was == "" { // then its tasks may have been others at another time
		its = find()
	} else {
		its = project.Memo(&p.relocated, planThen{plan, was}, find)
	}
	return its.at, its.how
}

// A relocated plan is where it is now, and how that is known.
type relocated struct {
	at  string
	how Relation
}

// mostAlike returns the plan that is most like one that is gone: with the most of its tasks, and of several the one with its id. One
// that has only few of its tasks is another plan, unless it has its id. Templates give the same names to tasks of many plans, so at
// least one task must have its text, too.
func (p *Project) mostAlike(gone string, tasks []described) (best relocated) {
	most := 0
	for _, plan := range p.project.Plans() {
		fits, exact := countAlike(tasks, p.tasksOf(plan))
		if fits == 0 {
			continue
		}
		its, score := relocated{plan, ByTasks}, 2*fits
		if haveSameID(gone, plan) {
			its.how = ByID
			score++
		}
		switch {
		case its.how == ByTasks && (2*fits <= len(tasks) || !exact):
		case score > most:
			best, most = its, score
		case score == most: // as much this one as that one
			best = relocated{}
		}
	}
	return best
}

// haveSameID reports whether two plans have the same id in the same project or workstream.
func haveSameID(a, b string) bool {
	id, ok := planref.PlanID(a)
	other, ok2 := planref.PlanID(b)
	root, _ := project.RootOf(a)
	otherRoot, _ := project.RootOf(b)
	return ok && ok2 && root == otherRoot && planref.SameID(id, other)
}

// countAlike counts the old tasks that a plan has. exact reports whether it has one of them with its text, or none had a text.
func countAlike(old, tasks []described) (fits int, exact bool) {
	at, _ := place(old, false, tasks)
	exact = !slices.ContainsFunc(old, func(d described) bool { return d.text != "" })
	for i, n := range at {
		if n > 0 {
			fits++
			exact = exact || old[i].text != "" && old[i].text == tasks[n-1].text
		}
	}
	return fits, exact
}

// tasksOf describes the tasks of a plan; those of one that cannot be read are unknown.
func (p *Project) tasksOf(plan string) []described {
	return project.Memo(&p.tasks, plan, func() []described {
		src, err := p.project.Read(plan)
		if err != nil || planfile.Check(src) != nil {
			return nil
		}
		return describe(planfile.Parse(src))
	})
}
