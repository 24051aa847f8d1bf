package verdict

import (
	"slices"

	"github.com/gsd-cli/gsd/planfile"
)

// PlanProgress is how far a plan is that nobody has a session on, as its commits and the user's former sessions show.
type PlanProgress struct {
	Tasks  []CommittedTask `json:"tasks"`  // all tasks, in the order of the file
	Resume *ResumePoint    `json:"resume"` // the first that is neither complete nor skipped; null for none

	Naming string `json:"commit_naming" empty:"null"` // how the subjects of its commits begin, as in the answer of hydrate
	Former bool   `json:"former"`                     // a former session has a task complete
	Cut    bool   `json:"cut"`                        // the clone lacks older commits, which may show more
	Whole  bool   `json:"whole"`                      // the plan names no tasks, so its only one is the whole plan, and commits do not show how far that is
}

// CommittedTask is a task and its commits.
type CommittedTask struct {
	Number int    `json:"number"` // counted from 1, in the order of the file
	Name   string `json:"name"`   // what the task is called, on one line
	// Status is that of a former session; without one, complete if commits certainly carried the task out, in-progress if they did a
	// part of it, such as its tests, or only seem to have begun it, and pending otherwise.
	Status  planfile.Status `json:"status"`
	Commits []string        `json:"commits"` // the IDs of these commits, the oldest first
}

// ResumeIn returns a task of a plan as the one to resume.
func ResumeIn(plan *planfile.File, n int) *ResumePoint {
	t := plan.Tasks[n-1]
	at := &ResumePoint{Of: plan, Number: n, Name: plan.Title(n), Type: t.Type, Line: t.Line}
	at.Children, at.Cut = shorten(ShownChildren(plan, n), maxTaskText)
	return at
}

// Count is how many tasks have a status.
func (its *PlanProgress) Count(s planfile.Status) (n int) {
	for _, t := range its.Tasks {
		if t.Status == s {
			n++
		}
	}
	return n
}

// By returns the IDs of the commits that completed tasks, in the order of the tasks, each once.
func (its *PlanProgress) By() (ids []string) {
	for _, t := range its.Tasks {
		for _, id := range t.Commits {
			if t.Status == planfile.Complete && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}
