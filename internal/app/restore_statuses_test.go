package app_test

// restore_statuses_test.go measures the statuses that commits alone give a plan's tasks, at the last commit of each task. What is true
// there is the summary's account: tasks whose commits have all been made are done, and no task after these is.

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/planfile"
)

// moments counts the statuses at some moments.
type moments struct {
	moments, resume int // moments, and those at which the first task that is not complete is the right one
	tasks, right    int // tasks whose status is known, and those of which it was right
	open, ahead     int // tasks that are open, and those of them that were called complete
	done, lost      int // tasks that are done, and those of them that were not
	begun           int // open tasks without a commit that were called in progress
	red, early      int // commits of tests whose code follows in the same task, and those after which the task was called complete
	others, strange int // tasks of plans that nobody has started, and those of them that were called complete
	unclear         int // moments without the plan's file, and labels of tasks that the plan has not
}

func (m *moments) add(o moments) {
	m.moments += o.moments
	m.resume += o.resume
	m.tasks += o.tasks
	m.right += o.right
	m.open += o.open
	m.ahead += o.ahead
	m.done += o.done
	m.lost += o.lost
	m.begun += o.begun
	m.red += o.red
	m.early += o.early
	m.others += o.others
	m.strange += o.strange
	m.unclear += o.unclear
}

func (m moments) without(o moments) moments {
	return moments{
		m.moments - o.moments, m.resume - o.resume, m.tasks - o.tasks, m.right - o.right, m.open - o.open, m.ahead - o.ahead,
		m.done - o.done, m.lost - o.lost, m.begun - o.begun, m.red - o.red, m.early - o.early, m.others - o.others, m.strange - o.strange, m.unclear - o.unclear,
	}
}

func (m moments) row() string {
	share := func(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }
	return fmt.Sprintf("%7d %5d  %5.1f %% %d/%d %d/%d %d/%d %d/%d %5d  %5.1f %%", m.moments, m.tasks, share(m.right, m.tasks), m.ahead, m.open, m.early, m.red, m.strange, m.others, m.lost, m.done, m.begun, share(m.resume, m.moments))
}

// The bars of all bundles, in thousandths.
const (
	barStatuses = 975
	barAhead    = 3
	barResume   = 953
	barStrange  = 2 // tasks; their plan has a label that is wrong
)

func (m moments) holdBars(t *testing.T) {
	t.Helper()
	if m.right*1000 < barStatuses*m.tasks {
		t.Errorf("%d of %d statuses are right, want %.1f %%", m.right, m.tasks, float64(barStatuses)/10)
	}
	if m.ahead*1000 > barAhead*m.open {
		t.Errorf("%d of %d open tasks are called complete, want at most %.1f %%", m.ahead, m.open, float64(barAhead)/10)
	}
	if m.resume*1000 < barResume*m.moments {
		t.Errorf("the task to resume is right at %d of %d moments, want %.1f %%", m.resume, m.moments, float64(barResume)/10)
	}
	if m.early+m.begun > 0 || m.strange > barStrange {
		t.Errorf("%d of %d tasks are called complete by tests that come before the code, %d without a commit are called begun, %d of plans that nobody has begun complete", m.early, m.red, m.begun, m.strange)
	}
}

// replayStatuses asks at the last commit of each labelled task. What is wrong is listed in lines.
func replayStatuses(t *testing.T, dir string, l taskLabel, all []taskLabel, tasks int) (m moments, wrong string) {
	t.Helper()
	last := map[string]int{} // when each task was done: at the commit of that number in the history
	history := strings.Fields(git(t, dir, "", "rev-list", "--topo-order", "--reverse", l.After))
	for _, task := range slices.Sorted(maps.Keys(l.Commits)) {
		if n, err := strconv.Atoi(task); err != nil || n < 1 || n > tasks {
			return moments{unclear: 1}, "    no statuses: the summary has a task " + task + "\n"
		}
		for _, id := range l.Commits[task] {
			at := slices.Index(history, id)
			if at < 0 {
				return moments{unclear: 1}, "    no statuses: " + id[:8] + " is not in the history\n"
			}
			last[task] = max(last[task], at)
		}
	}
	var asked []int
	for _, at := range last {
		asked = append(asked, at)
	}
	slices.Sort(asked)
	for _, at := range slices.Compact(asked) {
		r := recoveredAt(t, dir, history[at], l.Plan)
		if r == nil {
			m.unclear++
			continue
		}
		one, text := heldStatuses(r, l, last, history[:at+1])
		m.add(one)
		wrong += text
		for _, o := range all {
			if o.Plan != l.Plan && !begun(o, history[:at+1]) {
				one, text := strangers(t, dir, o)
				m.add(one)
				wrong += text
			}
		}
	}
	for task, ids := range l.Commits {
		n, _ := strconv.Atoi(task)
		for _, id := range ids {
			if at := slices.Index(history, id); at == last[task] || !isTests(t, dir, id) || isTests(t, dir, history[last[task]]) {
				continue
			}
			if r := recoveredAt(t, dir, id, l.Plan); r != nil {
				if m.red++; r.Tasks[n-1].Status == planfile.Complete {
					m.early++
					wrong += fmt.Sprintf("    early:    task %d at %.8s\n", n, id)
				}
			}
		}
	}
	return m, wrong
}

// begun reports whether a history has any commit of a label, or what comes after it.
func begun(l taskLabel, history []string) bool {
	if slices.Contains(history, l.After) {
		return true
	}
	for _, ids := range l.Commits {
		for _, id := range ids {
			if slices.Contains(history, id) {
				return true
			}
		}
	}
	return false
}

// strangers asks for a plan on which nobody has worked yet in the commit that is checked out.
func strangers(t *testing.T, dir string, l taskLabel) (m moments, wrong string) {
	t.Helper()
	p, err := app.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if _, err := p.Planning.ReadPlan(l.Plan); err != nil || p.Planning.SummaryOf(l.Plan) != "" {
		return m, ""
	}
	r, err := apptest.At(p, time.Unix(1e9, 0)).PreviewBootstrap(app.BootstrapOptions{User: "replay", Plan: l.Plan})
	if err != nil {
		t.Fatal(err)
	}
	for i, task := range r.Tasks {
		m.others++
		if task.Status == planfile.Complete {
			m.strange++
			wrong += fmt.Sprintf("    strange:  %s task %d:", l.Plan, task.Number)
			for _, e := range r.Evidence[i].Commits {
				wrong += fmt.Sprintf(" %.8s@%.0f %s;", e.ID, 100*e.Confidence, e.Subject)
			}
			wrong += "\n"
		}
	}
	return m, wrong
}

// isTests reports whether a commit says that it is tests.
func isTests(t *testing.T, dir, id string) bool {
	t.Helper()
	return strings.HasPrefix(git(t, dir, "", "log", "-1", "--format=%s", id), "test(")
}

// heldStatuses holds the statuses at the end of a history against a label. A task without commits in the label is done if a later one
// is. Where one before the last that is done is still open, as with parallel executors, only those with commits are known, and there
// is no one task to resume at.
func heldStatuses(r *app.Preview, l taskLabel, last map[string]int, history []string) (m moments, wrong string) {
	done, known := make([]bool, len(r.Tasks)), make([]bool, len(r.Tasks))
	for i, task := range r.Tasks {
		at, ok := last[strconv.Itoa(task.Number)]
		known[i], done[i] = ok, ok && at < len(history)
	}
	next, inOrder := 0, true
	for i := range done {
		if done[i] {
			next = i + 1
		}
	}
	for i := range done {
		inOrder = inOrder && (i >= next || done[i] || !known[i])
	}
	resume := len(r.Tasks)
	for i, task := range r.Tasks {
		complete := task.Status == planfile.Complete
		if !complete {
			resume = min(resume, i)
		}
		if !known[i] && !inOrder {
			continue
		}
		m.tasks++
		switch done[i] = done[i] || i < next && inOrder; {
		case done[i]:
			m.done++
		default:
			m.open++
		}
		switch {
		case complete == done[i]:
			m.right++
		case complete:
			m.ahead++
			wrong += fmt.Sprintf("    ahead:    task %d at %.8s, of %d commits\n", task.Number, history[len(history)-1], len(r.Evidence[i].Commits))
		default:
			m.lost++
			wrong += fmt.Sprintf("    lost:     task %d at %.8s, %s\n", task.Number, history[len(history)-1], task.Status)
		}
		if !done[i] && task.Status == planfile.InProgress && len(r.Evidence[i].Commits) == 0 {
			m.begun++
		}
	}
	if inOrder {
		if m.moments = 1; resume == next {
			m.resume = 1
		}
	}
	return m, wrong
}
