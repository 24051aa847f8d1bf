package view

import (
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/planfile"
)

// TestNotice pins what a person reads when a conversation starts, and that nothing is said about a session in order.
func TestNotice(t *testing.T) {
	const plan = ".planning/phases/01-notes/01-02-PLAN.md"
	at := func(n *answer.ResumePoint) *answer.Report {
		return &answer.Report{Verdict: answer.Resume, On: plan, Resume: n}
	}
	lost := &answer.Recovery{RunsAndLost: answer.RunsAndLost{
		Lost: []answer.LostSession{{ID: "a-b-c", Why: answer.LostFile, Plan: plan, Done: 2, Total: 3}},
	}}
	for _, c := range []struct {
		what   string
		report *answer.Report
		want   string
	}{
		{"in order", at(&answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 2, Name: "List notes"}}}), ""},
		{"being worked on", at(&answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 2, Name: "List notes"}, State: answer.InOthers}}), ""},
		{
			"interrupted", at(&answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 2, Name: "Task 2: List notes"}, State: answer.Interrupted}}),
			"gsd: task 2 of 01-02 was interrupted: List notes",
		},
		{
			"cleared", at(&answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 2, Name: "List notes"}, State: answer.Cleared}}),
			"gsd: task 2 of 01-02 was in progress when its conversation was cleared or replaced: List notes",
		},
		{
			"unattended", at(&answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 2, Name: "List notes"}, State: answer.Unattended}}),
			"gsd: task 2 of 01-02 is in progress, and no agent is known to be working on it: List notes",
		},
		{
			"another one", at(&answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 1, Name: "a"}}, Also: []answer.PlannedTask{
				{Task: progress.Task{Number: 2, Name: "b"}}, {Task: progress.Task{Number: 3, Name: "c"}, State: answer.Interrupted},
			}}),
			"gsd: task 3 of 01-02 was interrupted: c; task 1 is next: a",
		},
		{
			"a long name", at(&answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 2, Name: strings.Repeat("a", 100)}, State: answer.Interrupted}}),
			"gsd: task 2 of 01-02 was interrupted: " + strings.Repeat("a", 59) + "…",
		},
		{
			"two at work", &answer.Report{Verdict: answer.Finished, On: plan, AtWork: []run.Run{{ID: "r1", Host: "codex"}, {ID: "r2"}}},
			"gsd: at work on the same session: codex, run r1, since 0001-01-01T00:00:00Z",
		},
		{
			"at work, without a session", &answer.Report{Verdict: answer.None, AtWork: []run.Run{{ID: "r1", Host: "codex"}}}, "",
		},
		{
			"in flight, without a session", &answer.Report{Verdict: answer.None, Next: &answer.Next{Plan: plan, ID: "01-02", Progress: &answer.PlanProgress{
				Tasks:  []progress.Task{{Number: 1, Status: planfile.Complete, Commits: []string{strings.Repeat("abc0123", 6)}}, {Number: 2, Status: planfile.Pending}},
				Resume: &answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 2, Name: "List notes"}}},
			}}},
			"gsd: 01-02 is in flight, without a session: 1 of 2 tasks complete by abc0123; task 2 is next: List notes",
		},
		{
			"in flight on a branch", &answer.Report{Verdict: answer.None, Next: &answer.Next{Plan: plan, ID: "01-02", Branches: []evidence.Branch{{Name: "x", Done: 2, Total: 3}}}},
			"gsd: 01-02 is in flight: 2 of 3 tasks complete on branch x",
		},
		{
			"lost, and in flight", &answer.Report{Verdict: answer.None, Recovery: lost, Next: &answer.Next{Plan: plan, ID: "01-02", Progress: &answer.PlanProgress{}}},
			"gsd: the session on 01-02 was lost (2 of 3 tasks complete): `gsd restore a-b-c`",
		},
		{
			"stale", &answer.Report{Verdict: answer.Stale, On: plan, Stale: []answer.Staleness{{Reason: answer.PlanCompleted}}},
			"gsd: the session on 01-02 is stale: plan is done",
		},
		{
			"lost", &answer.Report{Verdict: answer.None, Recovery: lost},
			"gsd: the session on 01-02 was lost (2 of 3 tasks complete): `gsd restore a-b-c`",
		},
		{"none", &answer.Report{Verdict: answer.None}, ""},
		{"complete", &answer.Report{Verdict: answer.Finished, On: plan}, ""},
	} {
		if got := Notice(c.report); got != c.want {
			t.Errorf("%s:\ngot  %q\nwant %q", c.what, got, c.want)
		}
	}
}
