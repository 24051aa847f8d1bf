package verdict

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
)

// A Mismatch is why a task of a former session is none of a plan's.
type Mismatch string

// The mismatches.
const (
	NoSuchTask  Mismatch = "no-such-task"  // the plan has no task of that name or text
	SeveralFit  Mismatch = "several-fit"   // several tasks of the plan have that name
	SeveralLike Mismatch = "several-alike" // the former session has several such tasks, too
)

// Place returns for each old task the number of the plan's task that it is, or 0 and perhaps why there is none. No two get the same.
func Place(old []Described, same bool, tasks []Described) (at []int, why []Mismatch) {
	at, why = make([]int, len(old)), make([]Mismatch, len(old))
	if same {
		for i := range old {
			at[i] = i + 1
		}
		return at, why
	}
	taken := make([]bool, len(tasks))
	for stage, key := range []func(*Described) string{(*Described).byBoth, (*Described).byName, (*Described).byText} {
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
func ambiguity(old []Described, alike []int, fits int) Mismatch {
	one := !slices.ContainsFunc(alike, func(i int) bool { return old[i].Status != old[alike[0]].Status })
	switch {
	case one && fits <= len(alike):
		return ""
	case len(alike) == 1:
		return SeveralFit
	}
	return SeveralLike
}

// WorthCarrying reports whether a status says that somebody has worked on the task, or has skipped it.
func WorthCarrying(s planfile.Status) bool { return s == planfile.InProgress || s.Over() }

// Described is a task by what it can be recognised by in another version of its plan.
type Described struct {
	Number            int
	Title, Name, Text string // Name is the title without its number, Text a hash of the rest of the task; either may be empty
	Status            planfile.Status
	Set               bool // somebody has set the status; if not, it is pending since the session began
}

// byBoth, byName and byText are what a task is recognised by; each is empty if that says nothing.
func (d *Described) byBoth() string {
	if d.Name == "" && d.Text == "" {
		return ""
	}
	return d.Name + "\x00" + d.Text
}

func (d *Described) byName() string { return d.Name }

func (d *Described) byText() string { return d.Text }

// Describe describes the tasks of a plan or a session.
func Describe(f *planfile.File) []Described {
	all := make([]Described, len(f.Tasks))
	carried := f.Header.CarriedTasks()
	for i, t := range f.Tasks {
		title := f.Name(t.Number)
		name := BareName(title)
		text := strings.Replace(f.Body(t.Number), title, "", 1) // another name does not make another text
		if saysAnything(text) {
			sum := sha256.Sum256([]byte(text))
			text = hex.EncodeToString(sum[:8])
		} else {
			text = ""
		}
		all[i] = Described{Number: t.Number, Title: title, Name: name, Text: text, Status: t.Status, Set: f.Header.Fresh || carried[t.Number] || WorthCarrying(t.Status)}
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

// DescribeCrumb describes the tasks of a breadcrumb.
func DescribeCrumb(c *session.Crumb) []Described {
	all := make([]Described, len(c.Tasks))
	for i, t := range c.Tasks {
		all[i] = Described{Number: i + 1, Title: t.Name, Name: BareName(t.Name), Text: t.Text, Status: planfile.Status(t.Status)}
		all[i].Set = c.Fresh || t.Set || WorthCarrying(all[i].Status)
	}
	return all
}

// AddSet adds to the tasks of a session what its breadcrumb knows of those that were set back.
func AddSet(tasks []Described, c *session.Crumb) {
	for i, t := range DescribeCrumb(c)[:min(len(tasks), len(c.Tasks))] {
		tasks[i].Set = tasks[i].Set || t.Set && t.Title == tasks[i].Title
	}
}

// index returns for each key the positions of the tasks that have it, of those that count.
func index(all []Described, key func(*Described) string, counts func(i int) bool) map[string][]int {
	found := map[string][]int{}
	for i := range all {
		if k := key(&all[i]); k != "" && counts(i) {
			found[k] = append(found[k], i)
		}
	}
	return found
}

// Advances reports whether a change of status is progress.
func Advances(from, to planfile.Status) bool { return from.Rank() >= 0 && from.Rank() < to.Rank() }

// subjectForm matches a task's name: a plan's ID, a task's number, and the rest. The names of most tasks begin with "Task 2:".
var subjectForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:([0-9][0-9A-Za-z.]*-[0-9]+)(?:[\s:,]+|$))?(?:(?:T|Task\s+)([0-9]{1,6})(?:\s*[:.)–—-]\s*|\s+|$))?(.*)$`)
})

// collapseSpace is a text with every run of white space as one space.
func collapseSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

// BareName returns a task's name without the number that most names begin with.
func BareName(name string) string {
	m := subjectForm().FindStringSubmatch(collapseSpace(name))
	if m == nil || m[3] == "" {
		return name
	}
	return m[3]
}
