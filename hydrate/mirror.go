package hydrate

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// Item is an item of a host's own task list, which an agent keeps beside the plan.
type Item struct {
	Subject string
	Status  planfile.Status // Complete or InProgress
}

// HasRun reports whether a run of the caller's is open on the session of user: the conversation started here.
func (p *Project) HasRun(user string, now time.Time) bool {
	_, runs, _ := p.ReadRuns(user, nil, p.RunFiles(user), now)
	return runs.Mine() != nil
}

// MirrorOptions says what is in a host's task list.
type MirrorOptions struct {
	User  string
	Items []Item
	Now   time.Time     // the zero time is now
	Wait  time.Duration // how long to wait for the guard, for each task
}

// Mirror marks the tasks of the user's session that a host's task list shows as started or finished, and returns their
// numbers. It is a convenience, and does nothing in case of doubt: if the session is not to be resumed, if another run may
// be at work on it, if FindTask finds no task for an item, or if the status would undo progress. A task that was skipped stays so: that
// was decided by somebody, and a list without a word for it may call such an item completed.
func (p *Project) Mirror(ctx context.Context, o MirrorOptions) ([]int, error) {
	o.Now = orNow(o.Now)
	r, err := p.Hydrate(o.User)
	if err != nil {
		return nil, err
	}
	p.KeepCrumb(r, o.Now) // the agent's own marks may be made in a sandbox that cannot
	if r.Verdict != Resume || p.RefuseOther(r) != nil {
		return nil, nil
	}
	if runs, _ := history.Runs(p.Project, r, o.Now); runs.AtWork() != nil && !runs.Holder.Own {
		return nil, nil
	}
	id, _ := planref.PlanID(r.Plan.Path)
	var marked []int
	for _, item := range o.Items {
		n, ok := FindTask(r.Session, id, item.Subject)
		if !ok || !isForward(r.Session.Tasks[n-1].Status, item.Status) {
			continue
		}
		done, err := p.Mark(ctx,
			MarkOptions{User: o.User, Number: n, Status: item.Status, Forward: true, Now: o.Now, Wait: o.Wait})
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

// isForward reports whether a change of status that nobody has asked for undoes nothing.
func isForward(from, to planfile.Status) bool { return !from.Over() && verdict.Advances(from, to) }

// FindTask finds the task of a session that an item of a host's task list is about: by the task's full name, alone or after
// a task's number or a plan's ID. It is pure. If an item has exactly the name of one task, it is that task, whatever the name
// looks like ("2-1 ratios", or "Task 2: Write tests" for the first task). Otherwise the result is false if several tasks fit,
// or if the item contradicts itself: another plan's ID, a number with another task's name, or a number that differs from the
// one in the task's own name.
func FindTask(s *planfile.File, plan, subject string) (number int, ok bool) {
	subject = verdict.CollapseSpace(subject)
	m := verdict.SubjectForm().FindStringSubmatch(subject)
	if m == nil {
		return 0, false
	}
	id, stated, name := m[1], m[2], m[3]
	only := func(fits func(n int, its string) bool) (found, count int) {
		for _, t := range s.Tasks {
			if fits(t.Number, verdict.CollapseSpace(s.Name(t.Number))) {
				found, count = t.Number, count+1
			}
		}
		return found, count
	}
	found, count := only(func(_ int, its string) bool { return name != "" && strings.EqualFold(subject, its) })
	if count == 0 && (id == "" || planref.SameID(id, plan)) {
		found, count = only(func(n int, its string) bool {
			switch {
			case stated != "" && strings.TrimLeft(stated, "0") != strconv.Itoa(n):
				return false
			case stated != "" && strings.EqualFold(name, its):
				return true
			case stated != "" && !mayBe(n, its):
				return false
			case name == "": // a number alone does not say of which plan
				return stated != "" && id != ""
			}
			return strings.EqualFold(name, verdict.BareName(its))
		})
	}
	if count != 1 {
		return 0, false
	}
	return found, true
}

// mayBe reports whether a task's own name allows that it is task n.
func mayBe(n int, its string) bool {
	m := verdict.SubjectForm().FindStringSubmatch(its)
	return m == nil || m[1] != "" || m[2] == "" || m[3] == "" || strings.TrimLeft(m[2], "0") == strconv.Itoa(n)
}
