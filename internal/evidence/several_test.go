package evidence

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/planfile"
	"pgregory.net/rapid"
)

func TestNamedTasks(t *testing.T) {
	t.Parallel()
	numbered := tasksOf("a", "b", "c", "d", "e")
	decimal := tasksOf("Task 1.1: a", "Task 1.2: b", "Task 2.1: c", "Task 2.2: d", "Task 3.1: e")
	shifted := tasksOf("Task 1: a", "stop: Look", "Task 2: b", "Task 3: c")
	for _, tt := range []struct {
		plan       Plan
		text, want string
	}{
		{numbered, "login (Task 2)", "[1]"},
		{numbered, "tasks 1, 2 and 5 of it", "[0 1 4]"},
		{numbered, "tasks 2-4", "[1 2 3]"},
		{numbered, "tasks 4-2", "[]"},
		{numbered, "tasks 0-999999999999999999", "strange"},
		{numbered, "task 9", "strange"},
		{numbered, "tasks 2 and 9", "[1]"},
		{numbered, "Task 2b", "strange"},
		{numbered, "Task 2.1", "strange"},
		{numbered, "a task and 2 more", "[]"},
		{decimal, "Task 3.1: hero", "[4]"},
		{decimal, "Task 3: hero", "strange"},
		{decimal, "task 2.2 - 1 helper", "[3]"},
		{decimal, "task 1", "strange"},
		{decimal, "tasks 1.2-2.2", "[1 2 3]"},
		{decimal, "2.2 helper", "[3]"},
		{decimal, "4 helpers", "[]"},
		{shifted, "Task 2: b", "[2]"},
		{shifted, "Task 4: b", "strange"},
		{tasksOf("T-01: a", "T-02: b"), "t-02 it is", "[1]"},
		{tasksOf("T-01: a", "T-02: b"), "Task T-02", "[1]"},
		{tasksOf("T-01: a", "T-02: b"), "Task 2", "strange"},
		{tasksOf("Task A: a", "Task B: b"), "Task B: it", "[1]"},
		{tasksOf("Task A: a", "Task B: b"), "Task b", "[]"},
		{tasksOf("Task 1a: a", "Task 1b: b", "Task 2: c"), "Task 1", "strange"},
		{tasksOf("Task 1: a", "Task 1: b", "Task 2: c"), "Task 1", "[]"}, // either
		{tasksOf("Task 1: a", "Task 1: b", "Task 2: c"), "Task 2", "[2]"},
	} {
		tasks, isStrange := prepare(tt.plan).namedTasks(tt.text)
		got := fmt.Sprint(tasks)
		if isStrange {
			got = strings.Replace(got, "[]", "strange", 1)
		}
		if got != tt.want {
			t.Errorf("%q of %q: %s, want %s", tt.text, tt.plan.Tasks[0].Name, got, tt.want)
		}
	}
}

// TestLabelLaw: a commit that names a label completes the task that has it, or none.
func TestLabelLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		label := rapid.Custom(func(t *rapid.T) string {
			return rapid.SampledFrom([]string{"", "P", "T-"}).Draw(t, "letters") + rapid.StringMatching(`[1-4](\.[1-4])?[ab]?`).Draw(t, "number")
		})
		labels := rapid.SliceOfNDistinct(label, 1, 8, strings.ToLower).Draw(t, "labels")
		var names []string
		for i, label := range labels {
			names = append(names, fmt.Sprintf("Task %s: %s | src/%d.go", label, rapid.SampledFrom([]string{"Write it", "Draw the page", "Read the schema"}).Draw(t, "name"), i))
		}
		named := label.Draw(t, "named")
		touched := rapid.IntRange(0, len(labels)-1).Draw(t, "touched")
		subject := "feat(03-01): " + rapid.SampledFrom([]string{"Task %s: write it", "draw the page (task %s)", "task %s - 2 schemas, 1 page"}).Draw(t, "subject")
		subject = fmt.Sprintf(subject, named)
		statuses := Match(values(history(fmt.Sprintf("%s | ~src/%d.go", subject, touched))), tasksOf(names...)).Statuses(DefaultConfidence)
		for i, status := range statuses {
			if status == planfile.Complete && !strings.EqualFold(labels[i], named) {
				t.Fatalf("%q completes the task %q", subject, labels[i])
			}
		}
	})
}
