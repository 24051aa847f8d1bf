package planref

import (
	"fmt"
	"strings"
	"testing"
)

func TestCutLabel(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"3": "3|", "3: x": "3|: x", "12 x": "12| x", "2.1 x": "2.1| x", "2.10.3)": "2.10.3|)", "2.": "2|.", "2.x": "2|.x", "1a": "1a|", "2.1b:": "2.1b|:",
		"T-01:": "T-01|:", "T1": "T1|", "P1.2": "P1.2|", "abc-7": "abc-7|", "A": "A|", "A: x": "A|: x", "A-1": "A-1|", "A - x": "A| - x",
		"": "|", "a": "|a", "a b": "|a b", "AB": "|AB", "abcd-7": "|abcd-7", "ab-": "|ab-", "3ab": "|3ab", "3é": "|3é", "3_": "|3_", "-1": "|-1", ".1": "|.1", "Éa": "|Éa",
	} {
		label, rest := CutLabel(text)
		if got := label + "|" + rest; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestLabelKey(t *testing.T) {
	t.Parallel()
	for label, want := range map[string]string{"3": "3", "03": "3", "0": "0", "00": "0", "10": "10", "T-01": "t-01", "2.01": "2.01", "1A": "1a", "A": "A", "": ""} {
		if got := LabelKey(label); got != want {
			t.Errorf("%q: %q, want %q", label, got, want)
		}
	}
}

func TestNamedLabels(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"login (Task 2)": "2", "login (02-03 task 2, GREEN)": "2", "Task #4: login": "4", "login (Tasks 1 + 3)": "1 3", "login (Task 1+3)": "1 3",
		"tasks 1, 2 and 5 of it": "1 2 5", "tasks 1, 2, and 5": "1 2 5", "tasks 2-4": "2-4", "tasks 2\u20134": "2-4", "Task 1 and Task 2": "1 2", "Task 1 & 2": "1 2", "paused at task 3/5": "3", "TASK 03": "3",
		"Task 3.1: hero": "3.1", "task 2.1 - zod types": "2.1", "Task 2b": "2b", "Task 2.": "2", "Task T-01 and T-02": "t-01 t-02", "tasks 2.1-2.3": "2.1-2.3", "Task A": "A",
		// What follows a label is not one.
		"Task 3.1: 2 columns": "3.1", "Task 1: 2 columns": "1", "Task 1 (2 columns)": "1", "Task 2 - 3 files": "2", "task 2; 3 more": "2",
		// No label.
		"a task and 2 more": "", "task runner 2": "", "subtask 2, task-2, 2 tasks, t 3": "", "a task a user has": "", "Task: 2": "", "task 3x9": "", "multi/task 2": "", "Tasks": "", "task ": "", "": "",
	} {
		var got []string
		for _, span := range NamedLabels(text, 9) {
			name := span[0]
			if span[1] != span[0] {
				name = fmt.Sprint(span[0], "-", span[1])
			}
			got = append(got, name)
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if n := len(NamedLabels("tasks 1, 2, 3, 4", 2)); n != 2 {
		t.Errorf("%d labels, want 2", n)
	}
}
