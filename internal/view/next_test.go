package view

import (
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/planfile"
)

func TestNext(t *testing.T) {
	t.Parallel()
	const plan = ".planning/phases/03-a/03-01-PLAN.md"
	also := []answer.PlanRef{{Plan: "a", ID: "03-02"}, {Plan: "b-PLAN.md", Begun: true}}
	old, last := answer.LeftOver{Plan: "k", ID: "00-02", Why: next.Reason{Code: next.WorkedSince, Phase: "5", Commit: "0123456789", Subject: "since then"}}, answer.LeftOver{Plan: "l", ID: "01-02", Why: next.Reason{Code: next.WorkedSince, Phase: "5", Commit: "0123456789", Subject: "since\nthen"}}
	left := []answer.LeftOver{old, old, old, last}
	started := progress.Task{Status: planfile.InProgress, Commits: []string{"0123456789"}}
	whole := &answer.PlanProgress{Whole: true, Tasks: []progress.Task{started}, Resume: &answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 1, Name: "All"}}}}
	for _, test := range []struct {
		name string
		next answer.Next
		want string
	}{
		{
			"a plan",
			answer.Next{Plan: plan, ID: "03-01", Phase: "3", Autonomous: true, Because: []next.Reason{{Code: next.TasksOver, User: "b\no"}}, AlsoReady: also},
			"next: 03-01 " + plan + "\n  all of its tasks are complete in the session of b o, but it has no summary yet\nalso ready  03-02  a\n            b-PLAN.md  (in flight)\n",
		},
		{
			"what it says of itself",
			answer.Next{Plan: plan, ID: "03-01", Wave: new(0), Gaps: true},
			"next: 03-01 " + plan + "  (wave 0, not autonomous, closes gaps)\n",
		},
		{"no id", answer.Next{Plan: "x-PLAN.md", Autonomous: true}, "next: x-PLAN.md\n"},
		{
			"only the summary is missing",
			answer.Next{Plan: plan, ID: "03-01", Summary: "03-01-SUMMARY.md", Autonomous: true},
			"next: write the summary of 03-01 03-01-SUMMARY.md\n",
		},
		{
			"a plan that names no tasks",
			answer.Next{Plan: plan, ID: "03-01", Autonomous: true, Progress: whole, AlsoReady: []answer.PlanRef{{Plan: "a", ID: "03-02", Begun: true, Progress: whole}}},
			"next: 03-01 " + plan + "\nin flight: started by 0123456; its progress is unknown, because the plan names no tasks\n" +
				"resume at task 1: All\n  parts of it may be done: verify before redoing it\n  from: " + plan + ":0\n" +
				"also ready  03-02  a  (in flight: started by 0123456; its progress is unknown, because the plan names no tasks)\n",
		},
		{"a phase", answer.Next{Phase: "4", Wave: new(1), Autonomous: true, AlsoReady: also[:1]}, "next: plan phase 4\nleft open  03-02  a\n"},
		{
			"not verified",
			answer.Next{Phase: "4", Verification: "gaps_found", Autonomous: true, AlsoReady: also[:1]},
			"next: finish phase 4\nalso ready  03-02  a\n",
		},
		{"a long number", answer.Next{Phase: "PROJECT-4711", Autonomous: true}, "next: plan phase PROJECT-4711\n"},
		{"too long a number", answer.Next{Phase: "PROJECT-47110", Autonomous: true}, "next: plan phase PROJECT-471…\n"},
		{
			"begun, with no commit",
			answer.Next{Plan: plan, ID: "03-01", Autonomous: true, Uncommitted: &answer.Uncommitted{Files: []answer.UncommittedFile{{Path: "a.go", State: "added", Task: 1}}}},
			"next: 03-01 " + plan + "\nnot committed, of its files: a.go (added, of task 1); look at them first\n",
		},
		{"left behind", answer.Next{Autonomous: true, AlsoReady: also[:1]}, "no next plan\nleft open  03-02  a\n"},
		{
			"left over",
			answer.Next{Phase: "4", Autonomous: true, AlsoReady: append(also[:1:1], answer.PlanRef{Plan: "l", ID: "01-02"}), LeftOver: left[3:]},
			"next: plan phase 4\nleft open  03-02  a\nleft over  01-02  l\n  phase 5 has been worked on since, 0123456 \"since then\"\n",
		},
		{
			"four left over",
			answer.Next{Plan: plan, ID: "03-01", Autonomous: true, LeftOver: left},
			"next: 03-01 " + plan + "\n" + strings.Repeat("left over  00-02  k\n", 2) + "  phase 5 has been worked on since, 0123456 \"since then\"\nleft over  01-02  l\n  phase 5 has been worked on since, 0123456 \"since then\"\nleft over  1 more\n",
		},
		{"left over, and next", answer.Next{Plan: "l", ID: "01-02", Autonomous: true, LeftOver: left[3:]}, "next: 01-02 l\n"},
		{"only left over", answer.Next{Autonomous: true, LeftOver: left[3:]}, "no next plan\nleft over  01-02  l\n  phase 5 has been worked on since, 0123456 \"since then\"\n"},
		{"nothing", answer.Next{Autonomous: true, Because: []next.Reason{{Code: next.AllDone}}}, "no plans left\n  every plan has its summary\n"},
		{"nothing planned", answer.Next{Autonomous: true, Because: []next.Reason{{Code: next.NoPlanYet}}}, "no plans yet\n  no phase has a plan yet\n"},
	} {
		if got := printed(printer.Style{}, func(p *Printer) { p.Next(&test.next) }); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

func TestNextAnswer(t *testing.T) {
	t.Parallel()
	answer := &app.NextAnswer{
		Next:     &answer.Next{Plan: "a b-PLAN.md", Autonomous: true},
		Do:       []action.Action{{Kind: action.Start, Plan: "a b-PLAN.md"}, {Kind: action.Continue}},
		Warnings: []problem.Warning{{Code: "code", Says: "it is\nodd"}},
	}
	const want = "next: a b-PLAN.md\ntry: gsd bootstrap 'a b-PLAN.md'   (starts a session on it)\ntry: gsd hydrate   (continues it)\nwarning: it is odd (code)\n"
	if got := printed(printer.Style{}, func(p *Printer) { p.NextAnswer(answer) }); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// What is ready is found by its number, whatever is most likely.
func TestAlsoReadyInOrder(t *testing.T) {
	t.Parallel()
	n := answer.Next{Plan: "p/phases/2-b/2-3-PLAN.md"}
	for _, plan := range []string{"p/phases/10-c/10-1-PLAN.md", "p/quick/1-x/1-PLAN.md", "p/phases/2-b/2-10-PLAN.md", "p/phases/2-b/2-9-PLAN.md"} {
		n.AlsoReady = append(n.AlsoReady, answer.PlanRef{Plan: plan})
	}
	var got []string
	for _, ref := range AlsoReady(&n) {
		got = append(got, ref.Plan)
	}
	if want := []string{n.AlsoReady[3].Plan, n.AlsoReady[2].Plan, n.AlsoReady[0].Plan, n.AlsoReady[1].Plan}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
