package progress

import (
	"cmp"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/planfile"
)

// A Record is what one source knows of the tasks of a plan: a session, an archived or a lost one, one in another worktree, or what gsd
// sync knows of other clones.
type Record struct {
	Tasks  []Task
	Same   bool                       // its plan has the same bytes
	Fresh  time.Time                  // nothing that was set before counts, also of tasks that it lacks; zero if it does not begin afresh
	Counts func(planfile.Status) bool // which of its statuses say something about this place; nil for all
}

// A Merged is what all records say of one task of a plan.
type Merged struct {
	Task        // as the plan has it; Status is empty where nothing is known, and Set is zero where nobody has set it
	Record  int // the index of the record that the status is from; -1 for none
	From    int // the task's number there
	Changed bool
}

// A Dropped is a status of a record that no task of the plan has taken over.
type Dropped struct {
	From   int             `json:"from"`   // the task's number in the former session
	Name   string          `json:"name"`   // what the task is called, on one line
	Status planfile.Status `json:"status"` // its status there
	Why    Mismatch        `json:"why"`    // the reason
}

// Alone returns records of one other place as what they say together of the plan there: each with the statuses that are the last ones. So
// a task that was done there and set back is not done.
func Alone(plan []Task, whole bool, records []Record) []Record {
	merged, _ := Of(plan, whole, records)
	alone := make([]Record, len(records))
	for i, r := range records {
		its := Record{Same: true, Tasks: slices.Clone(plan)}
		for n, t := range merged {
			its.Tasks[n].Status = ""
			if t.Record == i {
				its.Tasks[n] = t.Task
				its.Tasks[n].Number = t.From
			}
		}
		its.Counts, alone[i] = r.Counts, its
	}
	return alone
}

// Of merges what records say of the tasks of a plan: for each task the status that was set last, in whichever record; where nobody has set
// one, what commits said when a record was written. The order of the records makes no difference to the statuses: of those set at one time,
// the one that is further counts, and a status that is none says nothing. dropped are the statuses of each record that the plan has no task for; a match that is ambiguous, so that
// it would change the outcome, is not made.
//
// whole says that the plan has no tasks of its own, so that its only task is the plan, whatever its title.
func Of(plan []Task, whole bool, records []Record) (merged []Merged, dropped [][]Dropped) {
	merged, dropped = make([]Merged, len(plan)), make([][]Dropped, len(records))
	for i, t := range plan {
		t.Status = ""
		merged[i] = Merged{Task: t, Record: -1}
	}
	fresh := time.Time{}
	for _, r := range records {
		if r.Fresh.After(fresh) {
			fresh = r.Fresh
		}
	}
	for at, r := range records {
		same := r.Same || slices.EqualFunc(r.Tasks, plan, func(a, b Task) bool {
			return a.Title == b.Title && (a.Text == "" || a.Text == b.Text)
		}) || whole && len(r.Tasks) == 1
		place, why := Place(r.Tasks, same, plan)
		for i, t := range r.Tasks {
			before := !fresh.IsZero() && !t.Set.After(fresh) && r.Fresh.Before(fresh)
			if before || !t.Status.Known() || t.Set.IsZero() && !Worked(t.Status) || r.Counts != nil && !r.Counts(t.Status) {
				continue
			}
			if place[i] == 0 || place[i] > len(plan) {
				if Worked(t.Status) {
					dropped[at] = append(dropped[at], Dropped{t.Number, t.Title, t.Status, cmp.Or(why[i], NoSuchTask)})
				}
				continue
			}
			its := &merged[place[i]-1]
			if its.Record >= 0 && cmp.Or(t.Set.Compare(its.Set), t.Status.Rank()-its.Status.Rank()) <= 0 {
				continue
			}
			its.Status, its.Set, its.Head, its.Run, its.Began, its.Ended = t.Status, t.Set, t.Head, t.Run, t.Began, t.Ended
			its.Record, its.From = at, t.Number
			its.Changed = !r.Same && t.Text != "" && (its.Text != t.Text || its.Name != t.Name)
		}
	}
	return merged, dropped
}
