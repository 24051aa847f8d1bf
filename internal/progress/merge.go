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
	Head   string                     // the commit that HEAD was at when it began; empty for unknown
	Fresh  time.Time                  // nothing that was set before counts, also of tasks that it lacks; zero if it does not begin afresh
	Counts func(planfile.Status) bool // which of its statuses say something about this place; nil for all
	Clone  bool                       // it is what another clone says, so a time that is guessed counts for less than any other; see [Task.Known]
}

// Alone returns records of one other place as what they say together of the plan there: each with the statuses that are the last ones. So
// a task that was done there and set back is not done. What the plan has no task for comes last.
func Alone(plan []Task, whole bool, records []Record) []Record {
	merged, from, dropped := Of(plan, whole, records)
	alone := make([]Record, len(records))
	for i, r := range records {
		record := Record{Same: true, Tasks: slices.Clone(plan), Counts: r.Counts, Head: r.Head}
		for n, t := range merged {
			record.Tasks[n].Status = ""
			if from[n] == i {
				record.Tasks[n] = t
				record.Tasks[n].Number = t.From
			}
		}
		record.Tasks = append(record.Tasks, dropped[i]...)
		alone[i] = record
	}
	return alone
}

// Of merges what records say of the tasks of a plan: for each task the status that was set last, in whichever record; where nobody has set
// one, what commits said when a record was written. The order of the records makes no difference to the statuses: of those set at one time,
// the one that is further counts, and an unknown status says nothing. A task of which nothing is known has no status.
//
// from are the indexes of the records that the statuses are from, -1 for none. dropped are the tasks of each record that the plan has
// no task for; a match that is ambiguous, so that it would change the outcome, is not made.
//
// whole says that the plan has no tasks of its own, so that its only task is the plan, whatever its name.
func Of(plan []Task, whole bool, records []Record) (merged []Task, from []int, dropped [][]Task) {
	merged, from, dropped = slices.Clone(plan), make([]int, len(plan)), make([][]Task, len(records))
	for i := range merged {
		merged[i].Status, from[i] = "", -1
	}
	fresh, shared := time.Time{}, false
	for _, r := range records {
		shared = shared || r.Clone
		if r.Fresh.After(fresh) {
			fresh = r.Fresh
		}
	}
	for at, r := range records {
		same := r.Same || slices.EqualFunc(r.Tasks, plan, func(a, b Task) bool {
			return a.Name == b.Name && (a.Digest == "" || a.Digest == b.Digest)
		}) || whole && len(r.Tasks) == 1
		place, why := Place(r.Tasks, same, plan)
		for i, t := range r.Tasks {
			if shared {
				t.Set = t.Known()
			}
			before := !fresh.IsZero() && !t.Set.After(fresh) && r.Fresh.Before(fresh)
			if before || !t.Status.Known() || t.Set.IsZero() && !Worked(t.Status) || r.Counts != nil && !r.Counts(t.Status) {
				continue
			}
			if place[i] == 0 || place[i] > len(plan) {
				if Worked(t.Status) {
					dropped[at] = append(dropped[at], Task{Number: t.Number, Name: t.Name, Status: t.Status, Why: cmp.Or(why[i], t.Why, NoSuchTask)})
				}
				continue
			}
			n := place[i] - 1
			task := &merged[n]
			if from[n] >= 0 && cmp.Or(t.Set.Compare(task.Set), t.Status.Rank()-task.Status.Rank()) <= 0 {
				continue
			}
			task.Status, task.Set, task.Guessed, task.Head, task.Run, task.Began, task.Ended = t.Status, t.Set, t.Guessed, t.Head, t.Run, t.Began, t.Ended
			task.From, from[n] = t.Number, at
			task.Changed = t.Changed || !r.Same && t.Digest != "" && (task.Digest != t.Digest || task.Key != t.Key)
		}
	}
	return merged, from, dropped
}
