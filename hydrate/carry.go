package hydrate

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"

	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
)

// Carried is a status that a new session took over from the former one.
type Carried struct {
	Number  int             `json:"number"`  // the task's number in the new session
	From    int             `json:"from"`    // its number in the former session
	Status  planfile.Status `json:"status"`  // its status now
	Changed bool            `json:"changed"` // the task has another name, or another text: check that the status is still true
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
// follow. A status that fits more than one task is dropped. If the tasks are the same, or same says so, the number decides.
//
// statuses also has the tasks that are known to be pending; there is nothing to say about those.
//
// A plan without tasks of its own is its only task, whatever its title.
func match(
	old []described, same bool, tasks []described, dialect planfile.Dialect,
) (statuses map[int]planfile.Status, carried []Carried, left []Dropped) {
	same = areSame(old, same, tasks)
	if dialect == planfile.DialectPlan && len(old) == 1 {
		old[0].name, tasks[0].name = "the plan", "the plan"
	}
	statuses = map[int]planfile.Status{}
	is, was := index(tasks), index(old)
	place := func(t *described) (number int, why string) {
		if same {
			return t.number, ""
		}
		return t.find(is, was)
	}
	for _, t := range old {
		if !worthCarrying(t.status) {
			continue
		}
		n, why := place(&t)
		if why == "" && statuses[n] != "" {
			why = "it matches a task that another one was carried to"
		}
		if why != "" {
			left = append(left, Dropped{t.number, t.title, t.status, why})
			continue
		}
		statuses[n] = t.status
		changed := !same && t.text != "" && (tasks[n-1].text != t.text || tasks[n-1].name != t.name)
		carried = append(carried, Carried{Number: n, From: t.number, Status: t.status, Changed: changed})
	}
	for _, t := range old {
		if n, why := place(&t); why == "" && statuses[n] == "" {
			statuses[n] = planfile.Pending
		}
	}
	return statuses, carried, left
}

// areSame reports whether old tasks are those of a plan, in the same order. bytes says that the plan had the same bytes.
func areSame(old []described, bytes bool, tasks []described) bool {
	return slices.EqualFunc(old, tasks, func(a, b described) bool {
		return bytes || a.title == b.title && (a.text == "" || a.text == b.text)
	})
}

// find returns the number of the task in is that is the old task d of was, or why there is none.
func (d *described) find(is, was map[string][]int) (number int, why string) {
	key := d.byName()
	alike := len(is[key])
	if d.name == "" || alike == 0 {
		key = d.byText()
	} else if d.text != "" && (alike > 1 || len(was[key]) > 1) { // the text decides
		key = d.byBoth()
	}
	switch fits := is[key]; {
	case len(fits) == 0 && alike > 1:
		return 0, "several tasks of the new plan have that name"
	case len(fits) == 0:
		return 0, "the new plan has no such task"
	case len(fits) > 1 || len(was[key]) > 1:
		return 0, "it matches more than one task"
	default:
		return fits[0] + 1, ""
	}
}

func worthCarrying(s planfile.Status) bool { return s == planfile.Complete || s == planfile.InProgress }

type described struct {
	number            int
	title, name, text string // name is the title without its number, text a hash of the rest of the task; either may be empty
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
		text := strings.Replace(f.Body(t.Number), title, "", 1) // another name does not make another text
		if saysAnything(text) {
			sum := sha256.Sum256([]byte(text))
			text = hex.EncodeToString(sum[:8])
		} else {
			text = ""
		}
		all[i] = described{number: t.Number, title: title, name: name, status: t.Status, text: text}
	}
	return all
}

// saysAnything reports whether there are words in a text besides its tags.
func saysAnything(text string) bool {
	inTag := false
	return strings.ContainsFunc(text, func(r rune) bool {
		inTag = r == '<' || inTag && r != '>'
		return !inTag && (unicode.IsLetter(r) || unicode.IsDigit(r))
	})
}

// describeCrumb describes the tasks of a breadcrumb.
func describeCrumb(c *session.Crumb) []described {
	all := make([]described, len(c.Tasks))
	for i, t := range c.Tasks {
		all[i] = described{number: i + 1, title: t.Name, name: bareName(t.Name), text: t.Text, status: planfile.Status(t.Status)}
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
