package leftover_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOutsidePhases: quick tasks without a summary and open debug sessions are found, each directory in a bounded part, and nothing else.
func TestOutsidePhases(t *testing.T) {
	t.Parallel()
	debug := func(status string) string { return "---\nstatus: " + status + "\n---\n" }
	many := map[string]string{}
	for n := range 25 {
		many[fmt.Sprintf("quick/0%d-x/0%d-PLAN.md", 10+n, 10+n)] = "<task/>"
		many[fmt.Sprintf("debug/%d.md", 10+n)] = debug("fixing")
	}
	numbered := map[string]string{"quick/fix/PLAN.md": "<task/>"}
	for n := range 300 {
		numbered[fmt.Sprintf("quick/%d-x/PLAN.md", n+1)] = "<task/>"
	}
	for name, test := range map[string]struct {
		files map[string]string
		on    string
		want  []string
	}{
		"none": {map[string]string{"quick/README.md": "", "debug/notes.md": "", "debug/resolved/a.md": debug("investigating")}, "", nil},
		"quick tasks": {
			map[string]string{
				"quick/001-a/001-PLAN.md": "<task/>", "quick/001-a/001-SUMMARY.md": "x", "quick/002-b/002-PLAN.md": "<task/>", "quick/003-c/PLAN.md": "<task/>",
				"quick/003-c/SUMMARY.md": "x", "quick/004-d/004-PLAN.md": "status: superseded", "quick/260501-abc-e/260501-abc-PLAN.md": "<task/>", "quick/005-f/CONTEXT.md": "",
			},
			"",
			[]string{"quick-task quick/002  ", "quick-task quick/260501-abc  "},
		},
		"any summary ends a quick task": {
			map[string]string{
				"quick/001-a/001-fix-PLAN.md": "<task/>", "quick/001-a/001-SUMMARY.md": "x", "quick/002-b/PLAN.md": "<task/>", "quick/002-b/002-SUMMARY.md": "x",
				"quick/003-c/PLAN.md": "<task/>", "quick/003-c/fix-SUMMARY-2.md": "x", "quick/004-d/PLAN.md": "<task/>", "quick/004-d/SUMMARY.draft.md": "x",
				"quick/005-e/005-SUMMARY-PLAN.md": "<task/>", "quick/006-PLAN.md": "<task/>", "quick/SUMMARY.md": "x",
			},
			"",
			[]string{"quick-task quick/004  ", "quick-task   ", "quick-task quick/006  "},
		},
		"the last by number": {numbered, "", func() (all []string) {
			for n := 291; n <= 300; n++ {
				all = append(all, fmt.Sprintf("quick-task quick/%d  ", n))
			}
			return all
		}()},
		"on one of them": {map[string]string{"quick/002-b/002-PLAN.md": "<task/>"}, ".planning/quick/002-b/002-PLAN.md", nil},
		"debug sessions": {
			map[string]string{
				"debug/a.md": debug("Investigating") + "next_action: look\r\n", "debug/b.md": debug("awaiting_human_verify"), "debug/c.md": debug("resolved"),
				"debug/d.md": debug("diagnosed"), "debug/e.md": debug("fixed"), "debug/f.md": "# no front matter", "debug/.#a.md": debug("fixing"),
				"debug/g.md": debug("fixing") + "  next_action: not this\nnext_action:\n",
			},
			"",
			[]string{"debug-session a investigating look", "debug-session b awaiting_human_verify ", "debug-session g fixing "},
		},
		"many": {many, "", slices.Concat(lines(10, 25, "quick-task quick/0%d  "), lines(20, 25, "debug-session %d fixing "))},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, w := range projectOf(t, test.files).Leftover().OutsidePhases(test.on) {
				got = append(got, fmt.Sprintf("%s %s %s %s", w.Kind, w.ID, w.Status, w.Detail))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// lines formats the last n of the numbers from 10 on, of which there are some.
func lines(n, of int, format string) (all []string) {
	for i := of - n; i < of; i++ {
		all = append(all, fmt.Sprintf(format, 10+i))
	}
	return all
}
