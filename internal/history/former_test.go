package history_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/planfile"
)

// A journey is a user who works on two plans that others edit and move, with what they marked.
type journey struct {
	*rapid.T
	p     *app.Project
	now   time.Time
	plans []*plannedPlan
	at    *plannedPlan // that the session is on

	clocked bool // the clock was set back, so the breadcrumb of a lost session may seem to be older than an archive
}

type plannedPlan struct {
	path    string
	tasks   []string
	seen    []string                   // its tasks when gsd saw it last
	renamed bool                       // with an edit
	fresh   bool                       // one of its sessions was started with --fresh
	marks   map[string]planfile.Status // by task, also of tasks that are gone
	older   map[string]planfile.Status // those before --fresh, which come back for a task that was gone if sessions are lost
}

// moveAway: when a plan is moved after an edit, nothing but its tasks connects it with its sessions, and half of them are not enough.
func (plan *plannedPlan) moveAway() {
	kept := 0
	for _, task := range plan.seen {
		if slices.Contains(plan.tasks, task) {
			kept++
		}
	}
	if !slices.Equal(plan.seen, plan.tasks) && 2*kept <= len(plan.seen) {
		maps.Copy(plan.older, plan.marks)
		clear(plan.marks)
	}
}

// forget: tasks that a plan does not have while it is renamed need not come back with it, when nothing but they connects it with its
// sessions.
func (plan *plannedPlan) forget() {
	for task, status := range plan.marks {
		if !slices.Contains(plan.tasks, task) {
			plan.older[task] = status
			delete(plan.marks, task)
		}
	}
}

func (j *journey) write(plan *plannedPlan) {
	name := filepath.Join(j.p.Dir, filepath.FromSlash(plan.path))
	var text strings.Builder
	fmt.Fprintf(&text, "# %s\n", filepath.Base(name))
	for _, task := range plan.tasks {
		fmt.Fprintf(&text, "<task type=\"auto\">\n  <name>%s</name>\n</task>\n", task)
	}
	j.must(os.MkdirAll(filepath.Dir(name), 0o777))
	j.must(os.WriteFile(name, []byte(text.String()), 0o666))
}

func (j *journey) must(err error) {
	j.Helper()
	if err != nil {
		j.Fatal(err)
	}
}

// bootstrap returns to a plan, and holds what it says against what was marked.
func (j *journey) bootstrap(plan *plannedPlan, fresh bool) {
	b, err := apptest.At(j.p, j.now).Bootstrap(j.Context(), app.BootstrapOptions{User: user, Plan: plan.path, Fresh: fresh})
	j.must(err)
	if fresh {
		plan.fresh = true
		maps.Copy(plan.older, plan.marks)
		clear(plan.marks)
	}
	if !b.Verdict.Live() {
		j.Fatalf("bootstrap %s: %s %+v", plan.path, b.Verdict, b.Stale)
	}
	j.at, plan.seen = plan, plan.tasks
	j.check()
}

func (j *journey) check() {
	j.Helper()
	r, err := j.p.Hydrate(user)
	j.must(err)
	for _, t := range r.Session.Tasks {
		name := r.Session.Name(t.Number)
		want := j.at.marks[name]
		if t.Status == want || want == "" && (t.Status == planfile.Pending || t.Status == j.at.older[name]) {
			continue
		}
		if j.clocked && (want != planfile.Complete || j.at.fresh || j.isLost(name, want)) { // nothing from before --fresh counts
			continue
		}
		j.Fatalf("%s of %s is %s, and was marked %q", name, j.at.path, t.Status, want)
	}
}

// isLost reports whether `gsd restore` brings the status of a task back.
func (j *journey) isLost(task string, status planfile.Status) bool {
	list, err := history.Lost(apptest.At(j.p, j.now).World)
	j.must(err)
	return slices.ContainsFunc(list.Lost, func(l answer.LostSession) bool {
		return slices.ContainsFunc(l.Crumb.Tasks, func(t progress.Task) bool { return t.Name == task && t.Status == status })
	})
}

// TestProgressIsKept: whatever happens in between, who returns to a plan finds its tasks as they were marked, and a lost
// session is no longer lost.
func TestProgressIsKept(t *testing.T) {
	t.Parallel()
	base := newProject(t)
	n := 0
	rapid.Check(testenv.Laws(t), func(rt *rapid.T) {
		n++
		dir := filepath.Join(base.Dir, fmt.Sprint("project", n))
		defer os.RemoveAll(dir)
		j := &journey{T: rt, now: now}
		j.must(os.MkdirAll(filepath.Join(dir, planref.Planning), 0o777))
		p, err := app.Open(dir)
		j.must(err)
		defer func() { p.Close() }()
		p.StateDir = session.StateDir(filepath.Join(dir, "state"))
		p.Write.Lazy = true // thousands of commands, and no power cut
		j.p = p
		for i, name := range []string{"a", "b"} {
			plan := &plannedPlan{
				path:  fmt.Sprintf(".planning/phases/%02d-%s/%02d-01-PLAN.md", i+1, name, i+1),
				tasks: []string{name + " one", name + " two", name + " three"}, marks: map[string]planfile.Status{}, older: map[string]planfile.Status{},
			}
			j.plans = append(j.plans, plan)
			j.write(plan)
		}
		moved := 2
		j.bootstrap(j.plans[0], false)
		draw := rapid.SampledFrom(j.plans)
		rt.Repeat(map[string]func(*rapid.T){
			"": func(*rapid.T) { // each command is a process of its own
				j.now = j.now.Add(time.Second)
				p.Close()
				p, err = app.Open(dir)
				j.must(err)
				p.StateDir, p.Write.Lazy = session.StateDir(filepath.Join(dir, "state")), true
				j.p = p
			},
			"bootstrap": func(t *rapid.T) { j.bootstrap(draw.Draw(t, "plan"), false) },
			"fresh":     func(t *rapid.T) { j.bootstrap(draw.Draw(t, "plan"), true) },
			"mark": func(t *rapid.T) {
				if r, err := p.Hydrate(user); err != nil || !r.Verdict.Live() {
					t.Skip()
				}
				n := rapid.IntRange(1, 3).Draw(t, "task")
				status := rapid.SampledFrom([]planfile.Status{planfile.Complete, planfile.Complete, planfile.Skipped, planfile.InProgress, planfile.Pending}).Draw(t, "status")
				m, err := apptest.At(p, j.now).Mark(t.Context(), app.MarkOptions{User: user, Number: n, Status: status})
				if err != nil {
					t.Skip() // the plan has fewer tasks now
				}
				j.at.marks[m.Session.Name(n)] = status
			},
			"edit": func(t *rapid.T) {
				plan := draw.Draw(t, "plan")
				letter := plan.tasks[0][:1]
				all := rapid.Permutation([]string{letter + " one", letter + " two", letter + " three", letter + " four"}).Draw(t, "tasks")
				plan.tasks = all[:rapid.IntRange(1, 4).Draw(t, "how many")]
				j.write(plan)
			},
			"move": func(t *rapid.T) { // the bytes stay
				plan := draw.Draw(t, "plan")
				plan.moveAway()
				was := filepath.Join(dir, plan.path)
				moved++
				plan.path = fmt.Sprintf(".planning/phases/%02d-%s/%02d%s", moved, plan.tasks[0][:1], moved, filepath.Base(plan.path)[len("01"):])
				if plan.renamed {
					plan.forget()
				}
				j.must(os.MkdirAll(filepath.Dir(filepath.Join(dir, plan.path)), 0o777))
				j.must(os.Rename(was, filepath.Join(dir, plan.path)))
				j.bootstrap(plan, false)
			},
			"rename": func(t *rapid.T) { // with an edit, so that only its id and its tasks are left of it
				plan := draw.Draw(t, "plan")
				was := filepath.Join(dir, plan.path)
				moved++
				dir, name := filepath.Split(plan.path)
				plan.path = filepath.ToSlash(dir) + name[:len("01-01")] + fmt.Sprintf("-x%d-PLAN.md", moved)
				plan.tasks = append(slices.Clone(plan.tasks), plan.tasks[0][:1]+fmt.Sprint(" new ", moved))
				plan.renamed = true
				plan.forget()
				j.must(os.Remove(was))
				j.write(plan)
				j.bootstrap(plan, false)
			},
			"lose": func(t *rapid.T) {
				what := rapid.SampledFrom([]string{"", "ada/current-plan.md"}).Draw(t, "what")
				j.must(os.RemoveAll(filepath.Join(dir, ".planning/sessions", what)))
				for _, plan := range j.plans {
					j.bootstrap(plan, false)
				}
			},
			"clock": func(*rapid.T) { j.now, j.clocked = j.now.Add(-time.Hour), true },
		})
	})
}
