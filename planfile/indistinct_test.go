package planfile

import (
	"fmt"
	"strings"
	"testing"
)

func TestIndistinct(t *testing.T) {
	const task = "<task>\n<name>A</name>\n</task>\n"
	for src, want := range map[string]string{
		"":                               "[]",
		"# Plan\n\nDo it.\n":             "[true]",
		"---\nphase: 1\n---\n\n# Plan\n": "[true]",
		"---\nphase: 1\n---\n":           "[true]",
		"# Plan\r\n<objective>\r\nx":     "[true]",
		task:                             "[false]",
		"# Plan\n\nDo it.\n" + task:      "[false]",
		"<task type=\"auto\">\n<name>A</name>\n</task>\n":                                       "[false]",
		"\n<task type=\"auto\">\nDo it.\n</task>\n":                                             "[false]",
		"<task type=\"auto\">\nDo it.\n</task>\nx":                                              "[false]",
		"<task>\nDo it.\n</task>\n":                                                             "[false]",
		"<feature>\n</feature>\n":                                                               "[false]",
		"## Task 1: A\n":                                                                        "[false]",
		"## Tasks\n1. A\n2. B\n":                                                                "[false false]",
		"## Task 1: A\nx\n## Task 1: A\nx\n## Task 1: B\n":                                      "[true true false]",
		task + "<task>\n<name>B</name>\n</task>\n" + task + task:                                "[true false true true]",
		"<task name=\"A\">\nx</task>\n<task name=\"B\">\nx</task>\n":                            "[false false]",
		"<task name=\"A\">\nx</task>\n<task name=\"B\">\nx</task>\n<task name='A'>\nx</task>\n": "[true false true]",
	} {
		f := Parse([]byte(src))
		if got := fmt.Sprint(f.Indistinct()); got != want {
			t.Errorf("%q: %s, want %s", src, got, want)
		}
		if len(f.Tasks) == 0 {
			continue
		}
		s, err := f.Session(Header{User: "ada", Plan: "p"}, func(Task) Status { return Complete })
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(s.Indistinct()); got != want {
			t.Errorf("a session on %q: %s, want %s", src, got, want)
		}
	}
	if f := Parse([]byte(strings.Repeat(task, 3000))); !f.Indistinct()[2999] {
		t.Error("the last of many is told apart")
	}
}
