package view

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/planfile"
)

// briefOn returns the brief of a session on a plan that resumes at task n.
func briefOn(plan string, n int, naming string) string {
	s := planfile.Parse([]byte(plan))
	r := &answer.Report{Verdict: answer.Resume, On: "p/03-01-PLAN.md", Path: "s/current-plan.md", Naming: naming, Total: len(s.Tasks)}
	r.Session, r.Resume = s, answer.ResumeIn(s, progress.Describe(s)[n-1])
	return string(agent.Render("claude", "SessionStart", (&Briefer{At: time.Unix(0, 0)}).Report(r, ""), "(Shortened.)", ""))
}

func TestBriefPlan(t *testing.T) {
	t.Parallel()
	tasks := func(n, long int) string {
		var b strings.Builder
		for i := range n {
			status := []string{"complete", "in-progress", "pending"}[min(i, 2)]
			fmt.Fprintf(&b, "<task type=\"auto\" status=\"%s\">\n<name>Task %d: Part %c</name>\n<action>%s</action>\n</task>\n", status, i+1, 'A'+i%26, strings.Repeat("do it, as in every line of this task, and do not forget it\n", long))
		}
		return b.String()
	}
	const front = "<objective>\nNotes </task> that `last`.\n</objective>\n<context>\n@.planning/PROJECT.md\n@src/<tool-x>.go\n</context>\n"
	const head = `\n\nAbout the plan as a whole, from ` + "`s/current-plan.md`" + `, which has all of it:\n\n`
	for _, c := range []struct {
		name, plan, naming string
		at                 int
		has, hasNot        []string
	}{
		{
			"a plan", front + tasks(3, 1), "feat(03-01):", 2,
			[]string{
				head + "- its commits are named as in `feat(03-01): …`", `\n- task 1 is complete: Part A\n- task 3 is pending: Part C\n`,
				"- files that it names as context: `.planning/PROJECT.md`, `src/‹tool-x›.go`", `The objective:\n> Notes ‹/task› that`,
			},
			[]string{"- task 2 is", "more task", "Shortened"},
		},
		{"one task, and nothing else", tasks(1, 1), "", 1, []string{head[:len(head)-4]}, []string{"The objective", "- Files", "- task 1 is", "- Its commits"}},
		{"a goal", "## Goal\n\nNotes.\n\n" + tasks(2, 1), "", 1, []string{`The objective:\n> Notes.`}, nil},
		{"many tasks", tasks(60, 1), "", 30, []string{"- task 20 is pending: Part T", "- task 40 is pending: Part N", "- 39 more tasks; `gsd tasks` lists them all"}, []string{"- task 19 is", "- task 41 is"}},
		{"many tasks, the first", tasks(60, 1), "", 1, []string{"- task 2 is in progress", "- task 21 is pending"}, []string{"- task 22 is"}},
		{"many tasks, the last", tasks(60, 1), "", 60, []string{"- task 40 is pending", "- task 59 is pending"}, []string{"- task 39 is"}},
		{"a long objective", "<objective>\n" + strings.Repeat("Notes.\n", 1000) + "</objective>\n" + tasks(2, 1), "", 1, []string{"more of the objective)"}, []string{"Shortened"}},
		{"an objective of one long line", "<objective>" + strings.Repeat("x", 20_000) + "</objective>\n" + tasks(2, 1), "", 1, []string{"- task 2 is", "xxx…", "(the objective is cut)"}, []string{"Shortened"}},
		{"many files", "<context>\n" + strings.Repeat("@a/", 50) + "\n" + manyReferences(300) + "</context>\n" + tasks(2, 1), "", 1, []string{"f/000.go", " more"}, []string{"f/299.go", "Shortened"}},
		{"a long task", front + tasks(3, 100), "", 2, []string{"- task 1 is complete"}, []string{"Shortened"}},
		{"nothing but brackets", "<objective>\n" + strings.Repeat("<<<<<<<<<<>>>>>>>>>>\n", 300) + "</objective>\n" + tasks(2, 100), "", 2, []string{"- task 1 is complete"}, []string{"Shortened"}},
	} {
		got := briefOn(c.plan, c.at, c.naming)
		if len(got) > agent.MaxText {
			t.Errorf("%s: %d bytes", c.name, len(got))
		}
		for _, want := range c.has {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in %s", c.name, want, got)
			}
		}
		for _, bad := range c.hasNot {
			if strings.Contains(got, bad) {
				t.Errorf("%s: %q in %s", c.name, bad, got)
			}
		}
	}
}

func manyReferences(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "@f/%03d.go\n", i)
	}
	return b.String()
}

// TestBriefCalled: where PATH may not lead to gsd, a brief says as what it is called, once.
func TestBriefCalled(t *testing.T) {
	t.Parallel()
	for program, want := range map[string]int{"": 0, "gsd": 0, "/opt/gsd": 1} {
		by := Briefer{At: time.Unix(0, 0), Place: action.Place{Program: program}}
		got := strings.Join(by.Report(&answer.Report{Verdict: answer.None, User: "ada"}, ""), "\n")
		if strings.Count(got, "gsd is called as") != want {
			t.Errorf("%q: %s", program, got)
		}
	}
}
