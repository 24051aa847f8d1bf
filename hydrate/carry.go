package hydrate

import (
	"strings"

	"github.com/gsd-cli/gsd/planfile"
)

// Carried is a status that a new session took over from the former one.
type Carried struct {
	Number  int             `json:"number"`  // the task's number in the new session
	From    int             `json:"from"`    // its number in the former session
	Status  planfile.Status `json:"status"`  // its status now
	Changed bool            `json:"changed"` // the task has the same name but another text: check that the status is still true
}

// Dropped is a status of the former session that was not taken over.
type Dropped struct {
	From   int             `json:"from"`   // the task's number in the former session
	Name   string          `json:"name"`   // what the task is called, on one line
	Status planfile.Status `json:"status"` // its status there
	Why    string          `json:"why"`    // the reason, for a person
}

// carry decides which statuses a new plan takes over from an old session. It is pure; the status of new task n is
// in the map, if any.
func carry(old, plan *planfile.File) (map[int]planfile.Status, []Carried, []Dropped) {
	return match(describe(old), plan)
}

// match decides which statuses of tasks that were a plan takes over: a task with the same name, else one with the
// same content, where that is known. "Task 3: Add x" is the same name as "Task 2: Add x", because a task that is
// put in front moves all the others. What fits more than one task is not guessed. Tasks that were pending have
// nothing to carry.
//
// A plan without tasks of its own is its one task, under whatever title.
func match(was []described, plan *planfile.File) (map[int]planfile.Status, []Carried, []Dropped) {
	is := describe(plan)
	if plan.Dialect == planfile.DialectPlan && len(was) == 1 {
		was[0].name, is[0].name = "the plan", "the plan"
	}
	byName, byText, byBoth := index(is, nameOf), index(is, textOf), index(is, bothOf)
	oldByName, oldByText, oldByBoth := index(was, nameOf), index(was, textOf), index(was, bothOf)

	statuses := map[int]planfile.Status{}
	var carried []Carried
	var left []Dropped
	for _, t := range was {
		if !worthCarrying(t.status) {
			continue
		}
		leave := func(why string) { left = append(left, Dropped{t.number, t.title, t.status, why}) }
		fits, rivals := byName[t.name], oldByName[t.name]
		if t.name == "" || len(fits) == 0 {
			fits, rivals = byText[t.text], oldByText[t.text]
		} else if t.text != "" && (len(fits) > 1 || len(rivals) > 1) { // the same name twice: the text decides between them
			fits, rivals = byBoth[bothOf(t)], oldByBoth[bothOf(t)]
		}
		switch {
		case len(fits) == 0 && len(byName[t.name]) > 1:
			leave("several tasks of the new plan have that name")
		case len(fits) == 0:
			leave("the new plan has no such task")
		case len(fits) > 1 || len(rivals) > 1:
			leave("it matches more than one task")
		default:
			n := fits[0] + 1
			if _, taken := statuses[n]; taken {
				leave("it matches a task that another one was carried to")
				continue
			}
			statuses[n] = t.status
			carried = append(carried, Carried{Number: n, From: t.number, Status: t.status, Changed: is[n-1].text != t.text})
		}
	}
	return statuses, carried, left
}

// worthCarrying reports whether a status says more than that nothing was done.
func worthCarrying(s planfile.Status) bool { return s == planfile.Complete || s == planfile.InProgress }

// carryNothing tells all that could have been carried, and why it was not.
func carryNothing(old *planfile.File, why string) []Dropped {
	var left []Dropped
	for _, t := range old.Tasks {
		if worthCarrying(t.Status) {
			left = append(left, Dropped{t.Number, old.Name(t.Number), t.Status, why})
		}
	}
	return left
}

type described struct {
	number            int
	title, name, text string
	status            planfile.Status
}

func nameOf(d described) string { return d.name }
func textOf(d described) string { return d.text }
func bothOf(d described) string { return d.name + "\x00" + d.text }

func describe(f *planfile.File) []described {
	all := make([]described, len(f.Tasks))
	for i, t := range f.Tasks {
		title := f.Name(t.Number)
		name := bareName(title)
		text := strings.Replace(f.Body(t.Number), title, name, 1) // a new number is no new text
		all[i] = described{number: t.Number, title: title, name: name, status: t.Status, text: text}
	}
	return all
}

// index gives for each key the positions of the tasks that have it; the empty key has none.
func index(all []described, key func(described) string) map[string][]int {
	found := map[string][]int{}
	for i, d := range all {
		if k := key(d); k != "" {
			found[k] = append(found[k], i)
		}
	}
	return found
}
