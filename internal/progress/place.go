package progress

import (
	"slices"
)

// A Mismatch is why a task of a former session is not one of a plan's.
type Mismatch string

// The mismatches.
const (
	NoSuchTask  Mismatch = "no-such-task"  // the plan has no task of that name or text
	SeveralFit  Mismatch = "several-fit"   // several tasks of the plan have that name
	SeveralLike Mismatch = "several-alike" // the former session has several such tasks, too
)

// Place returns for each old task the number of the plan's task that it is, or 0 and perhaps why there is none. No two get the same.
//
// It is a task with the same name and text, else one with the same name, else one with the same text, if that is known. "Task 3: Add x" is
// the same name as "Task 2: Add x", because inserting a task renumbers all that follow. If same says that the plan has the same bytes, the
// number decides.
func Place(old []Task, same bool, tasks []Task) (at []int, why []Mismatch) {
	at, why = make([]int, len(old)), make([]Mismatch, len(old))
	if same {
		for i := range old {
			at[i] = i + 1
		}
		return at, why
	}
	taken := make([]bool, len(tasks))
	for stage, key := range []func(*Task) string{(*Task).byBoth, (*Task).byName, (*Task).byText} {
		free := index(tasks, key, func(i int) bool { return !taken[i] })
		for k, indexes := range index(old, key, func(i int) bool { return at[i] == 0 && why[i] == "" }) {
			fits := free[k]
			if len(fits) == 0 {
				continue
			}
			if problem := ambiguity(old, indexes, len(fits)); stage > 0 && problem != "" {
				for _, i := range indexes {
					why[i] = problem
				}
				continue
			}
			for n, i := range indexes[:min(len(indexes), len(fits))] {
				at[i], taken[fits[n]] = fits[n]+1, true
			}
		}
	}
	return at, why
}

// CountAlike counts the old tasks that a plan has. exact reports whether it has one of them with its text, or none of them has one.
func CountAlike(old, tasks []Task) (fits int, exact bool) {
	at, _ := Place(old, false, tasks)
	exact = !slices.ContainsFunc(old, func(t Task) bool { return t.Digest != "" })
	for i, n := range at {
		if n > 0 {
			fits++
			exact = exact || old[i].Digest != "" && old[i].Digest == tasks[n-1].Digest
		}
	}
	return fits, exact
}

// ambiguity says why old tasks that are alike cannot be assigned to as many tasks of the plan as fit, "" if they can: where they
// have one status, and the plan has no more of them, any assignment gives the same. Twins, alike in name and text, need none: which
// of them was carried out makes no difference, so they go in order.
func ambiguity(old []Task, alike []int, fits int) Mismatch {
	one := !slices.ContainsFunc(alike, func(i int) bool { return old[i].Status != old[alike[0]].Status })
	switch {
	case one && fits <= len(alike):
		return ""
	case len(alike) == 1:
		return SeveralFit
	}
	return SeveralLike
}

// byBoth, byName and byText are what a task is recognised by; each is empty if that says nothing.
func (t *Task) byBoth() string {
	if t.Key == "" && t.Digest == "" {
		return ""
	}
	return t.Key + "\x00" + t.Digest
}

func (t *Task) byName() string { return t.Key }

func (t *Task) byText() string { return t.Digest }

// index returns for each key the positions of the tasks that have it, of those that count.
func index(all []Task, key func(*Task) string, counts func(i int) bool) map[string][]int {
	found := map[string][]int{}
	for i := range all {
		if k := key(&all[i]); k != "" && counts(i) {
			found[k] = append(found[k], i)
		}
	}
	return found
}
