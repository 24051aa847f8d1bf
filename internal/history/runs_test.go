package history

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/run"
)

// TestStateOf: a task is called interrupted only if the run that worked on it is known to have ended without finishing it.
func TestStateOf(t *testing.T) {
	t.Parallel()
	const plan = "a-PLAN.md"
	ended := func(status run.Status, cause run.Cause) *run.End {
		return &run.End{Of: "r1", Status: status, Cause: cause}
	}
	for _, test := range []struct {
		name  string
		marks run.Marks // the run that marked task 2 last
		end   *run.End  // of r1
		lease bool      // r1 holds it
		own   bool      // the caller belongs to r1
		want  answer.State
	}{
		{"nobody marked it in a run", nil, ended(run.Success, run.CauseUser), false, false, answer.Unattended},
		{"a start found it", run.Marks{{Plan: plan, Task: 2}: {Run: ""}}, nil, true, false, answer.Unattended},
		{"another task was marked", run.Marks{{Plan: plan, Task: 1}: {Run: "r1"}}, ended(run.Interrupted, run.CauseUser), false, false, answer.Unattended},
		{"another plan's was marked", run.Marks{{Plan: "b-PLAN.md", Task: 2}: {Run: "r1"}}, ended(run.Interrupted, run.CauseUser), false, false, answer.Unattended},
		{"by nobody known, and somebody is at work", nil, nil, true, false, answer.InOthers},
		{"its run is at work", run.Marks{{Plan: plan, Task: 2}: {Run: "r1"}}, nil, true, false, answer.InOthers},
		{"the caller's is", run.Marks{{Plan: plan, Task: 2}: {Run: "r1"}}, nil, true, true, answer.InOwnHands},
		{"its run crashed", run.Marks{{Plan: plan, Task: 2}: {Run: "r1"}}, ended(run.Interrupted, run.CauseSynthetic), false, false, answer.Interrupted},
		{"its run ended", run.Marks{{Plan: plan, Task: 2}: {Run: "r1"}}, ended(run.Success, run.CauseUser), false, false, answer.Interrupted},
		{"its run failed", run.Marks{{Plan: plan, Task: 2}: {Run: "r1"}}, ended(run.Failure, run.CauseExit), false, false, answer.Interrupted},
		{"its run was cancelled", run.Marks{{Plan: plan, Task: 2}: {Run: "r1"}}, ended(run.Cancelled, run.CauseUser), false, false, answer.Interrupted},
		{"its conversation was cleared", run.Marks{{Plan: plan, Task: 2}: {Run: "r1"}}, ended(run.Cancelled, run.CauseCleared), false, false, answer.Cleared},
		{"another conversation of its process began", run.Marks{{Plan: plan, Task: 2}: {Run: "r1"}}, ended(run.Cancelled, run.CauseSuperseded), false, false, answer.Cleared},
		{"its run was paused", run.Marks{{Plan: plan, Task: 2}: {Run: "r1"}}, ended(run.Paused, run.CauseUser), false, false, answer.Paused},
	} {
		f := run.Facts{Records: run.Records{Runs: []run.Record{{ID: "r1", Token: "t", Plan: plan, TTL: 60, End: test.end}}, Marks: test.marks}}
		if test.lease {
			f.Holder = "r1"
		}
		if test.own {
			f.Caller = run.Caller{Token: "t"}
		}
		a := run.Assess(f)
		if got := stateOf(&a, plan, 2); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
