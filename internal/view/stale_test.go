package view

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/answer"
)

func TestStaleDetail(t *testing.T) {
	t.Parallel()
	phases := []answer.PhaseInRoadmap{{Phase: "4", Line: 10}, {Phase: "5", Line: 11}}
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
	} {
		if got := StaleDetail(test.stale); got != test.want {
			t.Errorf("%s\nwant\n%s", got, test.want)
		}
	}
}
