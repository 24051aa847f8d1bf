package evidence

import (
	"fmt"
	"testing"
)

func TestNamedTasks(t *testing.T) {
	t.Parallel()
	p := prepare(tasksOf("a", "b", "c", "d", "e"))
	for text, want := range map[string]string{
		"login (Task 2)":                  "[1]",
		"login (02-03 task 2, GREEN)":     "[1]",
		"Task #4: login":                  "[3]",
		"login (Tasks 1 + 3)":             "[0 2]",
		"login (Task 1+3)":                "[0 2]",
		"tasks 1, 2 and 5 of it":          "[0 1 4]",
		"tasks 2-4":                       "[1 2 3]",
		"tasks 2\u20134":                  "[1 2 3]",
		"Task 1 and Task 2":               "[0 1]",
		"paused at task 3/5":              "[2]",
		"task 9":                          "[]",
		"tasks 0-999999999999999999":      "[0 1 2 3 4]",
		"tasks 4-2":                       "[]",
		"a task and 2 more":               "[]",
		"task runner 2":                   "[]",
		"subtask 2, task-2, 2 tasks, t 3": "[]",
		"Task 2b":                         "[]",
	} {
		if got := fmt.Sprint(p.namedTasks(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestCutNumber(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Task 3: Write it": "3  Write it", "task 12:x": "12 x", "Write it": "7 Write it", "Task: Write": "7 Task: Write", "Task 3 of it: x": "7 Task 3 of it: x", "Step 3: x": "7 Step 3: x",
	} {
		number, rest := cutNumber(Task{Number: 7, Name: name})
		if got := fmt.Sprint(number, " ", rest); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
