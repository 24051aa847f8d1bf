package hydrate

import (
	"cmp"
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

// match decides which statuses of old tasks a plan takes over: a task with the same name and text, else one with the same name,
// else one with the same text, if that is known. "Task 3: Add x" is the same name as "Task 2: Add x", because inserting a task
// renumbers all that follow. If the tasks are the same, or same says so, the number decides.
//
// statuses also has the tasks that somebody has set to pending; there is nothing to say about those.
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
	at, why := place(old, same, tasks)
	for i, t := range old {
		switch n := at[i]; {
		case !worthCarrying(t.status):
			if n > 0 && t.set {
				statuses[n] = planfile.Pending
			}
		case n == 0:
			left = append(left, Dropped{t.number, t.title, t.status, cmp.Or(why[i], "the new plan has no such task")})
		default:
			statuses[n] = t.status
			changed := !same && t.text != "" && (tasks[n-1].text != t.text || tasks[n-1].name != t.name)
			carried = append(carried, Carried{Number: n, From: t.number, Status: t.status, Changed: changed})
		}
	}
	return statuses, carried, left
}

// place returns for each old task the number of the plan's task that it is, or 0 and perhaps why there is none. No two get the same.
func place(old []described, same bool, tasks []described) (at []int, why []string) {
	at, why = make([]int, len(old)), make([]string, len(old))
	if same {
		for i := range old {
			at[i] = i + 1
		}
		return at, why
	}
	taken := make([]bool, len(tasks))
	for stage, key := range []func(*described) string{(*described).byBoth, (*described).byName, (*described).byText} {
		free := index(tasks, key, func(i int) bool { return !taken[i] })
		for k, its := range index(old, key, func(i int) bool { return at[i] == 0 && why[i] == "" }) {
			fits := free[k]
			if len(fits) == 0 {
				continue
			}
			if problem := ambiguity(old, its, len(fits)); stage > 0 && problem != "" {
				for _, i := range its {
					why[i] = problem
				}
				continue
			}
			for n, i := range its[:min(len(its), len(fits))] {
				at[i], taken[fits[n]] = fits[n]+1, true
			}
		}
	}
	return at, why
}

// ambiguity says why old tasks that are alike cannot be assigned to as many tasks of the plan as fit, "" if they can: where they
// have one status, and the plan has no more of them, any assignment gives the same. Twins, alike in name and text, need none: which
// of them was carried out makes no difference, so they go in order.
func ambiguity(old []described, alike []int, fits int) string {
	one := !slices.ContainsFunc(alike, func(i int) bool { return old[i].status != old[alike[0]].status })
	switch {
	case one && fits <= len(alike):
		return ""
	case len(alike) == 1:
		return "several tasks of the new plan have that name"
	}
	return "it matches more than one task"
}

// areSame reports whether old tasks are those of a plan, in the same order. bytes says that the plan had the same bytes.
func areSame(old []described, bytes bool, tasks []described) bool {
	return slices.EqualFunc(old, tasks, func(a, b described) bool {
		return bytes || a.title == b.title && (a.text == "" || a.text == b.text)
	})
}

func worthCarrying(s planfile.Status) bool { return s == planfile.Complete || s == planfile.InProgress }

type described struct {
	number            int
	title, name, text string // name is the title without its number, text a hash of the rest of the task; either may be empty
	status            planfile.Status
	set               bool // somebody has set the status; if not, it is pending since the session began
}

// byBoth, byName and byText are what a task is recognised by; each is empty if that says nothing.
func (d *described) byBoth() string {
	if d.name == "" && d.text == "" {
		return ""
	}
	return d.name + "\x00" + d.text
}

func (d *described) byName() string { return d.name }
func (d *described) byText() string { return d.text }

func describe(f *planfile.File) []described {
	all := make([]described, len(f.Tasks))
	carried := f.Header.CarriedTasks()
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
		all[i] = described{number: t.Number, title: title, name: name, text: text, status: t.Status, set: f.Header.Fresh || carried[t.Number] || worthCarrying(t.Status)}
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
		all[i].set = c.Fresh || t.Set || worthCarrying(all[i].status)
	}
	return all
}

// addSet adds to the tasks of a session what its breadcrumb knows of those that were set back.
func addSet(tasks []described, c *session.Crumb) {
	for i, t := range describeCrumb(c)[:min(len(tasks), len(c.Tasks))] {
		tasks[i].set = tasks[i].set || t.set && t.title == tasks[i].title
	}
}

// index returns for each key the positions of the tasks that have it, of those that count.
func index(all []described, key func(*described) string, counts func(i int) bool) map[string][]int {
	found := map[string][]int{}
	for i := range all {
		if k := key(&all[i]); k != "" && counts(i) {
			found[k] = append(found[k], i)
		}
	}
	return found
}
