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

// match decides which statuses of old tasks a plan takes over: a task with the same name, else one with the same content,
// if that is known. "Task 3: Add x" is the same name as "Task 2: Add x", because inserting a task renumbers all that
// follow. A status that fits more than one task is dropped. Pending tasks have nothing to carry.
//
// A plan without tasks of its own is its only task, whatever its title.
func match(old []described, plan *planfile.File) (statuses map[int]planfile.Status, carried []Carried, left []Dropped) {
	tasks := describe(plan)
	if plan.Dialect == planfile.DialectPlan && len(old) == 1 {
		old[0].name, tasks[0].name = "the plan", "the plan"
	}
	statuses = map[int]planfile.Status{}
	is, was := index(tasks), index(old)
	for _, t := range old {
		if !worthCarrying(t.status) {
			continue
		}
		leave := func(why string) { left = append(left, Dropped{t.number, t.title, t.status, why}) }
		key := t.byName()
		alike := len(is[key])
		if t.name == "" || alike == 0 {
			key = t.byText()
		} else if t.text != "" && (alike > 1 || len(was[key]) > 1) { // the text decides
			key = t.byBoth()
		}
		switch fits := is[key]; {
		case len(fits) == 0 && alike > 1:
			leave("several tasks of the new plan have that name")
		case len(fits) == 0:
			leave("the new plan has no such task")
		case len(fits) > 1 || len(was[key]) > 1:
			leave("it matches more than one task")
		case statuses[fits[0]+1] != "":
			leave("it matches a task that another one was carried to")
		default:
			n := fits[0] + 1
			statuses[n] = t.status
			carried = append(carried, Carried{Number: n, From: t.number, Status: t.status, Changed: tasks[n-1].text != t.text})
		}
	}
	return statuses, carried, left
}

func worthCarrying(s planfile.Status) bool { return s == planfile.Complete || s == planfile.InProgress }

// carryNothing lists all statuses that could have been carried, with the reason why they were not.
func carryNothing(old *planfile.File, why string) (left []Dropped) {
	for _, t := range old.Tasks {
		if worthCarrying(t.Status) {
			left = append(left, Dropped{t.Number, old.Name(t.Number), t.Status, why})
		}
	}
	return left
}

type described struct {
	number            int
	title, name, text string // name is the title without its number; text may be empty
	status            planfile.Status
}

func (d *described) byName() string { return "name\x00" + d.name }
func (d *described) byText() string { return "text\x00" + d.text }
func (d *described) byBoth() string { return "both\x00" + d.name + "\x00" + d.text }

func describe(f *planfile.File) []described {
	all := make([]described, len(f.Tasks))
	for i, t := range f.Tasks {
		title := f.Name(t.Number)
		name := bareName(title)
		text := strings.Replace(f.Body(t.Number), title, name, 1) // another number does not make another text
		all[i] = described{number: t.Number, title: title, name: name, status: t.Status, text: text}
	}
	return all
}

// index returns for each key the positions of the tasks that have it. No task has an empty name or text.
func index(all []described) map[string][]int {
	found := map[string][]int{}
	for i, d := range all {
		if d.name != "" {
			found[d.byName()] = append(found[d.byName()], i)
		}
		if d.text != "" {
			found[d.byText()] = append(found[d.byText()], i)
		}
		found[d.byBoth()] = append(found[d.byBoth()], i)
	}
	return found
}
