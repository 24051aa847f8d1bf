package hydrate

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/planfile"
)

// Item is one of a host's own task list, which an agent keeps beside the plan.
type Item struct {
	Subject string
	Status  planfile.Status // Complete or InProgress
}

// MirrorOptions says what a host's task list holds.
type MirrorOptions struct {
	User  string
	Items []Item
	Now   time.Time
	Wait  time.Duration // how long to wait for the guard, for each task
}

// Mirror marks the tasks of the user's session that the items of a host's task list have begun or finished, and gives
// their numbers. It is a bonus beside Mark, and does nothing where it is not sure: in a session that is not live or that
// another run may be at work on, for an item that is no task's by FindTask, for a status that would take something
// back.
func (p *Project) Mirror(ctx context.Context, o MirrorOptions) ([]int, error) {
	r, err := p.Hydrate(o.User)
	if err != nil || r.Verdict != Resume {
		return nil, err
	}
	if runs, _ := p.Runs(r, o.Now); runs.AtWork() != nil && !runs.Holder.Own {
		return nil, nil
	}
	id, _ := planref.PlanID(r.Plan.Path)
	var marked []int
	for _, item := range o.Items {
		n, ok := FindTask(r.Session, id, item.Subject)
		if !ok || !advances(r.Session.Tasks[n-1].Status, item.Status) {
			continue
		}
		done, err := p.Mark(ctx, MarkOptions{User: o.User, Number: n, Status: item.Status, Forward: true, Now: o.Now, Wait: o.Wait})
		if err != nil {
			return marked, err
		}
		r = done.Report // the next item may be about the same task
		if done.Task.Changed {
			marked = append(marked, n)
		}
	}
	return marked, nil
}

// advances reports whether a status says more than the one before.
func advances(from, to planfile.Status) bool {
	switch to {
	case planfile.Complete:
		return from == planfile.Pending || from == planfile.InProgress
	case planfile.InProgress:
		return from == planfile.Pending
	}
	return false
}

// subjectForm takes a subject apart: a plan's id, a task's number, and the rest. The form "03-01 T2: Name" is the one
// that can't be confused with anything else; most plans' own names begin with "Task 2:".
var subjectForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:([0-9][0-9A-Za-z.]*-[0-9]+)(?:[\s:,]+|$))?(?:(?:T|Task\s+)([0-9]{1,6})(?:\s*[:.)–—-]\s*|\s+|$))?(.*)$`)
})

// FindTask finds the task of a session that an item of a host's task list is about, by what the item is called: the
// task's whole name, as it stands or with another number or plan's id before it. It is pure. What is called just like
// one task is that task's, whatever its name looks like ("2-1 ratios", "Task 2: Write tests" as the first task). Else
// what fits several tasks or says two things at once (another plan, a number with another task's name, a number where
// the task's own name has another) is no task's.
func FindTask(s *planfile.File, plan, subject string) (number int, ok bool) {
	subject = oneLine(subject)
	m := subjectForm().FindStringSubmatch(subject)
	if m == nil {
		return 0, false
	}
	whole, n := 0, 0
	for _, t := range s.Tasks {
		if m[3] != "" && strings.EqualFold(subject, oneLine(s.Name(t.Number))) {
			whole, n = whole+1, t.Number
		}
	}
	switch whole {
	case 0:
	case 1:
		return n, true
	default:
		return 0, false
	}
	if m[1] != "" && !samePlan(m[1], plan) {
		return 0, false
	}
	said, name := m[2], m[3]
	if said != "" {
		n, err := strconv.Atoi(said)
		if err != nil || n < 1 || n > len(s.Tasks) {
			return 0, false
		}
		switch its := s.Name(n); {
		case strings.EqualFold(name, oneLine(its)):
		case !mayBe(n, its):
			return 0, false
		case name == "" && m[1] == "", name != "" && !strings.EqualFold(name, bareName(its)): // a number alone says which plan it means
			return 0, false
		}
		return n, true
	}
	for _, t := range s.Tasks {
		if name != "" && strings.EqualFold(name, bareName(s.Name(t.Number))) {
			if ok {
				return 0, false
			}
			number, ok = t.Number, true
		}
	}
	return number, ok
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// mayBe reports whether a task's own name says nothing against its being task n.
func mayBe(n int, its string) bool {
	m := subjectForm().FindStringSubmatch(oneLine(its))
	return m == nil || m[1] != "" || m[2] == "" || m[3] == "" || strings.TrimLeft(m[2], "0") == strconv.Itoa(n)
}

// bareName is a task's name without the number that most begin with.
func bareName(name string) string {
	m := subjectForm().FindStringSubmatch(oneLine(name))
	if m == nil || m[3] == "" {
		return name
	}
	return m[3]
}

// samePlan compares two ids as numbers: 3-1 is 03-01.
func samePlan(a, b string) bool {
	phaseA, planA, _ := strings.Cut(a, "-")
	phaseB, planB, _ := strings.Cut(b, "-")
	trim := func(s string) string { return strings.TrimLeft(strings.ToLower(s), "0") }
	return b != "" && trim(phaseA) == trim(phaseB) && trim(planA) == trim(planB)
}
