package history

import (
	"cmp"
	"slices"

	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// Carried is a status that a new session took over from the former one.
type Carried struct {
	Number  int             `json:"number"`  // the task's number in the new session
	From    int             `json:"from"`    // its number in the former session
	Status  planfile.Status `json:"status"`  // its status now
	Changed bool            `json:"changed"` // the task has another name, or another text: check that the status is still true
	// Commits are the IDs of the commits that the status is from, the oldest first: none for a checkpoint that later tasks have passed.
	// They are missing if it is from a session.
	Commits []string `json:"commits,omitempty"`
}

// Dropped is a status of the former session that was not taken over.
type Dropped struct {
	From   int              `json:"from"`   // the task's number in the former session
	Name   string           `json:"name"`   // what the task is called, on one line
	Status planfile.Status  `json:"status"` // its status there
	Why    verdict.Mismatch `json:"why"`    // the reason
}

// Match decides which statuses of old tasks a plan takes over: a task with the same name and text, else one with the same name,
// else one with the same text, if that is known. "Task 3: Add x" is the same name as "Task 2: Add x", because inserting a task
// renumbers all that follow. If the tasks are the same, or same says so, the number decides.
//
// statuses also has the tasks that somebody has set to pending; there is nothing to say about those.
//
// A plan without tasks of its own is its only task, whatever its title.
func Match(
	old []verdict.Described, same bool, tasks []verdict.Described, dialect planfile.Dialect,
) (statuses map[int]planfile.Status, carried []Carried, left []Dropped) {
	same = areSame(old, same, tasks)
	if dialect == planfile.DialectPlan && len(old) == 1 {
		old[0].Name, tasks[0].Name = "the plan", "the plan"
	}
	statuses = map[int]planfile.Status{}
	at, why := verdict.Place(old, same, tasks)
	for i, t := range old {
		switch n := at[i]; {
		case !verdict.WorthCarrying(t.Status):
			if n > 0 && t.Set {
				statuses[n] = planfile.Pending
			}
		case n == 0:
			left = append(left, Dropped{t.Number, t.Title, t.Status, cmp.Or(why[i], verdict.NoSuchTask)})
		default:
			statuses[n] = t.Status
			changed := !same && t.Text != "" && (tasks[n-1].Text != t.Text || tasks[n-1].Name != t.Name)
			carried = append(carried, Carried{Number: n, From: t.Number, Status: t.Status, Changed: changed})
		}
	}
	return statuses, carried, left
}

// areSame reports whether old tasks are those of a plan, in the same order. bytes says that the plan had the same bytes.
func areSame(old []verdict.Described, bytes bool, tasks []verdict.Described) bool {
	return slices.EqualFunc(old, tasks, func(a, b verdict.Described) bool {
		return bytes || a.Title == b.Title && (a.Text == "" || a.Text == b.Text)
	})
}
