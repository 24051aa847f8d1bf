package history_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/planfile"
)

// TestSoFar: what is known of a plan that nobody has a session on, of its former sessions first and of commits where these say nothing.
func TestSoFar(t *testing.T) {
	t.Parallel()
	const dig, lay, both = "feat(03-01): dig the pit", "feat(03-01): lay the grate", "feat(03-01): tasks 1 and 3"
	for _, test := range []struct {
		name    string
		marks   map[int]planfile.Status // in a session that was archived
		commits []string
		most    int
		want    string // the letter of each task's status and how many commits it has; "former"; the task to resume; by how many commits
	}{
		{"nothing", nil, []string{"feat: x"}, 300, ""},
		{"commits", nil, []string{dig}, 300, "c1 p0 p0 2 by 1"},
		{"all of them", nil, []string{dig, lay, "feat(03-01): raise the chimney"}, 300, "c1 c1 c1 by 3"},
		{"what may only have been begun", nil, []string{"wip(03-01): dig the pit"}, 300, "i1 p0 p0 1 by 0"},
		{"one commit for two tasks is named once", nil, []string{both, lay}, 300, "c1 c1 c1 by 2"},
		{"a session", map[int]planfile.Status{1: planfile.Complete}, nil, 300, "c0 p0 p0 former 2 by 0"},
		{"a session in which a task was begun", map[int]planfile.Status{1: planfile.InProgress}, nil, 300, "i0 p0 p0 1 by 0"},
		{"a session, and commits since", map[int]planfile.Status{1: planfile.Complete}, []string{lay}, 300, "c0 c1 p0 former 3 by 1"},
		{"a task that was skipped", map[int]planfile.Status{1: planfile.Skipped}, []string{dig}, 300, "s0 p0 p0 2 by 0"},
		{"a task that was set back, and done since", map[int]planfile.Status{1: planfile.Pending, 2: planfile.Complete}, []string{dig}, 300, "p1 c0 p0 former 1 by 0"},
		{"more commits than are read", nil, []string{dig, "feat: x", "feat: y"}, 2, ""},
		{"a revert", nil, []string{dig, `Revert "` + dig + `"`}, 300, ""},
	} {
		p, _ := newWorld(t)
		at := plan(1)
		write(t, filepath.Join(p.Dir, at), apptest.TasksOf("Task 1: Dig the pit", "Task 2: Lay the grate", "Task 3: Raise the chimney"))
		write(t, filepath.Join(p.Dir, plan(2)), apptest.TasksOf("A"))
		commitAll(t, p, 0, "docs: plan")
		if test.marks != nil {
			on(t, p, user, 1)
			for n, status := range test.marks {
				if status == planfile.Pending { // which counts if it was something else before
					apptest.Mark(t, p, n, planfile.Complete)
				}
				apptest.Mark(t, p, n, status)
			}
			on(t, p, user, 2)
		}
		if got := soFar(committedOn(t, p, at, test.most, test.commits)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// committedOn makes commits with these subjects, and returns how far the plan at a path is then, as most of them show.
func committedOn(t *testing.T, p *app.Project, at string, most int, subjects []string) *answer.PlanProgress {
	t.Helper()
	for i, subject := range subjects {
		write(t, filepath.Join(p.Dir, fmt.Sprint("f", i)), subject)
		commitAll(t, p, i+1, subject)
	}
	q, r, file := readAgain(t, p, at)
	return history.SoFar(q.Project, r, at, file, most)
}

// readAgain opens a project again, and reads the user's session and the plan at a path.
func readAgain(t *testing.T, p *app.Project, at string) (*app.Project, *answer.Report, *planfile.File) {
	t.Helper()
	q := again(t, p, p.Dir)
	r, err := q.Hydrate(user)
	if err != nil {
		t.Fatal(err)
	}
	file, err := q.Planning.ReadPlan(at)
	if err != nil {
		t.Fatal(err)
	}
	return q, r, file
}

// TestSoFarWords: where nobody has set a status and no commit certainly shows one, a plan's own words count.
func TestSoFarWords(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		marks   map[int]planfile.Status // in a session that was archived
		summary bool
		commits []string
		want    string // as in TestSoFar
	}{
		{"the words alone", nil, false, nil, "c0 p0 i0 2 by 0"},
		{"commits on the others", nil, false, []string{"feat(03-01): lay the grate"}, "c0 c1 i0 3 by 1"},
		{"commits that say more", nil, false, []string{"feat(03-01): dig the pit", "feat(03-01): raise the chimney"}, "c1 p0 c1 2 by 2"},
		{"what was set back", map[int]planfile.Status{1: planfile.Pending}, false, nil, "p0 p0 i0 1 by 0"},
		{"what was set further", map[int]planfile.Status{2: planfile.Complete, 3: planfile.Complete}, false, nil, "c0 c0 c0 former by 0"},
		{"a plan that is done", nil, true, nil, ""},
	} {
		p, _ := newWorld(t)
		at := plan(1)
		write(t, filepath.Join(p.Dir, at), `<task status="DONE"><name>Dig the pit</name></task>
<task status="PARTIAL"><name>Lay the grate</name></task>
<task status="in_progress"><name>Raise the chimney</name></task>
`)
		write(t, filepath.Join(p.Dir, plan(2)), apptest.TasksOf("A"))
		commitAll(t, p, 0, "docs: plan")
		if test.marks != nil {
			on(t, p, user, 1)
			for n, status := range test.marks {
				apptest.Mark(t, p, n, status)
			}
			on(t, p, user, 2)
		}
		if test.summary {
			write(t, filepath.Join(p.Dir, strings.Replace(at, "-PLAN", "-SUMMARY", 1)), "# Summary\n")
		}
		if got := soFar(committedOn(t, p, at, 300, test.commits)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func soFar(planProgress *answer.PlanProgress) string {
	if planProgress == nil {
		return ""
	}
	var words []string
	for _, task := range planProgress.Tasks {
		words = append(words, fmt.Sprintf("%c%d", task.Status[0], len(task.Commits)))
	}
	if planProgress.Former {
		words = append(words, "former")
	}
	if planProgress.Resume != nil {
		words = append(words, fmt.Sprint(planProgress.Resume.Number))
	}
	return strings.Join(append(words, "by", fmt.Sprint(len(progress.ShownBy(planProgress.Tasks)))), " ")
}

// TestDispatched: what is known of a plan that an agent is sent to carry out, though somebody has a session on it, by commits from a year
// before that session and a year after it.
func TestDispatched(t *testing.T) {
	t.Parallel()
	const dig, lay, year = "feat(03-01): dig the pit", "feat(03-01): lay the grate", 365 * 24 * 60
	for _, test := range []struct {
		name      string
		marks     map[int]planfile.Status
		before    []string // commits, before the session
		since     []string
		elsewhere bool   // the session is on another plan now
		want      string // as in TestSoFar
	}{
		{"nothing", nil, nil, nil, false, "p0 p0 p0 1 by 0"},
		{"commits", nil, nil, []string{dig, lay}, false, "c1 c1 p0 3 by 2"},
		{"a task in progress, and commits since", map[int]planfile.Status{1: planfile.InProgress}, nil, []string{dig}, false, "i1 p0 p0 1 by 0"},
		{"all marked, and commits since", map[int]planfile.Status{1: planfile.Complete, 2: planfile.InProgress, 3: planfile.Complete}, nil, []string{lay}, false, "c0 i1 c0 former 2 by 0"},
		{"what only seems to be done", map[int]planfile.Status{1: planfile.InProgress}, nil, []string{"wip(03-01): dig the pit"}, false, "i0 p0 p0 1 by 0"},
		{"commits before the task was begun again", map[int]planfile.Status{1: planfile.InProgress}, []string{dig}, nil, false, "i0 p0 p0 1 by 0"},
		{"marks of a former session", map[int]planfile.Status{1: planfile.Complete}, nil, []string{lay}, true, "c0 c1 p0 former 3 by 1"},
	} {
		p, _ := newWorld(t)
		at := plan(1)
		write(t, filepath.Join(p.Dir, at), apptest.TasksOf("Task 1: Dig the pit", "Task 2: Lay the grate", "Task 3: Raise the chimney"))
		write(t, filepath.Join(p.Dir, plan(2)), apptest.TasksOf("A"))
		commitAll(t, p, -year-1, "docs: plan")
		for _, subject := range test.before {
			write(t, filepath.Join(p.Dir, "before"), subject)
			commitAll(t, p, -year, subject)
		}
		on(t, p, user, 1)
		for n, status := range test.marks {
			apptest.Mark(t, p, n, status)
		}
		if test.elsewhere {
			on(t, p, user, 2)
		}
		for i, subject := range test.since {
			write(t, filepath.Join(p.Dir, fmt.Sprint("f", i)), subject)
			commitAll(t, p, year+i, subject)
		}
		q, r, file := readAgain(t, p, at)
		planProgress, _ := history.Dispatched(q.Project, r, at, file)
		if got := soFar(planProgress); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
