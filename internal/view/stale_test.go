package view

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
)

func TestStaleDetail(t *testing.T) {
	t.Parallel()
	phases := []answer.PhaseInRoadmap{{Phase: "4", Line: 10}, {Phase: "5", Line: 11}}
	stream := func(root, set string) app.Staleness {
		return app.Staleness{Reason: app.OtherStream, Root: root, Set: set}
	}
	for _, test := range []struct {
		stale app.Staleness
		want  string
	}{
		{app.Staleness{Reason: app.TaskCount, SessionTasks: 1, PlanTasks: 2}, "the session has 1 task, the plan 2"},
		{app.Staleness{Reason: app.TaskCount, SessionTasks: 2}, "the session has 2 tasks, the plan 0"},
		{app.Staleness{Reason: app.PlanMissing, Plan: "p", Moved: "q"}, "p no longer exists; it is now q"},
		{app.Staleness{Reason: app.PlanMissing, Plan: "p"}, "p no longer exists"},
		{app.Staleness{Reason: app.PlanCompleted, Summary: "s"}, "s exists"},
		{app.Staleness{Reason: app.PhaseAdvanced, Roadmap: "R", Phase: "3", Status: "complete", InProgress: phases[:1]}, "phase 3 is complete; in progress: phase 4 (R:10)"},
		{app.Staleness{Reason: app.PhaseAdvanced, Roadmap: "R", Phase: "3", Status: "not started", Line: 1}, "phase 3 is not started (R:1)"},
		{app.Staleness{Reason: app.PhaseAdvanced, Roadmap: "R", InProgress: phases, More: 2}, "the plan's phase is not in R; in progress: phase 4 (R:10), phase 5 (R:11), and 2 more"},
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
