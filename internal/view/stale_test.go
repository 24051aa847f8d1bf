package view

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/answer"
)

func TestStaleDetail(t *testing.T) {
	t.Parallel()
	phases := []answer.PhaseInRoadmap{{Phase: "4", Line: 10}, {Phase: "5", Line: 11}}
	stream := func(root, set string) answer.Staleness {
		return answer.Staleness{Reason: answer.OtherStream, Root: root, Set: set}
	}
	for _, test := range []struct {
		stale answer.Staleness
		want  string
	}{
		{answer.Staleness{Reason: answer.TaskCount, SessionTasks: 1, PlanTasks: 2}, "the session has 1 task, the plan 2"},
		{answer.Staleness{Reason: answer.TaskCount, SessionTasks: 2}, "the session has 2 tasks, the plan 0"},
		{answer.Staleness{Reason: answer.PlanMissing, Plan: "p", Moved: "q"}, "p no longer exists; it is now q"},
		{answer.Staleness{Reason: answer.PlanMissing, Plan: "p"}, "p no longer exists"},
		{answer.Staleness{Reason: answer.PlanCompleted, Summary: "s"}, "s exists"},
		{answer.Staleness{Reason: answer.PhaseAdvanced, Roadmap: "R", Phase: "3", Status: "complete", InProgress: phases[:1]}, "phase 3 is complete; in progress: phase 4 (R:10)"},
		{answer.Staleness{Reason: answer.PhaseAdvanced, Roadmap: "R", Phase: "3", Status: "not started", Line: 1}, "phase 3 is not started (R:1)"},
		{answer.Staleness{Reason: answer.PhaseAdvanced, Roadmap: "R", InProgress: phases, More: 2}, "the plan's phase is not in R; in progress: phase 4 (R:10), phase 5 (R:11), and 2 more"},
		{stream(".planning", ".planning/workstreams/a"), "it is that of no workstream, and workstream a is set; with GSD_WORKSTREAM and GSD_PROJECT unset it continues"},
		{stream(".planning/b", ""), "it is that of sub-project b, and a workstream that does not exist is set; with GSD_PROJECT=b and GSD_WORKSTREAM unset it continues"},
		{stream(".planning/workstreams/a", ".planning"), "it is that of workstream a, and no workstream is set; with GSD_WORKSTREAM=a and GSD_PROJECT unset it continues"},
		{stream(".planning/b/workstreams/a", ".planning/b"), "it is that of workstream a, and sub-project b is set; with GSD_WORKSTREAM=a and GSD_PROJECT=b it continues"},
	} {
		if got := StaleDetail(test.stale); got != test.want {
			t.Errorf("%s\nwant\n%s", got, test.want)
		}
	}
}
