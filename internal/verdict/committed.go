package verdict

import (
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/planfile"
)

// PlanProgress is how far a plan is that nobody has a session on, as its commits and the user's former sessions show.
type PlanProgress struct {
	Tasks  []progress.Task `json:"tasks"`  // all tasks, in the order of the file
	Resume *ResumePoint    `json:"resume"` // the first that is neither complete nor skipped; null for none

	Naming string `json:"commit_naming" empty:"null"` // how the subjects of its commits begin, as in the answer of hydrate
	Former bool   `json:"former"`                     // a former session has a task complete
	Cut    bool   `json:"cut"`                        // the clone lacks older commits, which may show more
	Whole  bool   `json:"whole"`                      // the plan names no tasks, so its only one is the whole plan, and commits do not show how far that is
}

// ResumeIn returns a task of a plan as the one to resume.
func ResumeIn(plan *planfile.File, t progress.Task) *ResumePoint {
	at := &ResumePoint{PlannedTask: Planned(plan, plan.Tasks[t.Number-1]), Of: plan}
	at.Task = t
	at.Children, at.Cut = shorten(ShownChildren(plan, t.Number), maxTaskText)
	return at
}
