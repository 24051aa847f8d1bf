package page

import (
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/overview"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/planfile"
)

// TestPageTasks: a session has its tasks, with when each was set and who works on it; without one, those of the plan in flight are there.
func TestPageTasks(t *testing.T) {
	tasks := []answer.PlannedTask{
		{Task: progress.Task{Number: 1, Name: "Sift", Status: planfile.Complete, Set: now.Add(-3 * time.Hour)}},
		{Task: progress.Task{Number: 2, Name: "Task 2: Stir", Status: planfile.InProgress, Set: now.Add(-2 * time.Hour)}},
		{Task: progress.Task{Number: 3, Name: strings.Repeat("Fire the kiln ", 9), Status: planfile.Pending}},
	}
	at := runOf("ada", run.StateActive, "claude", 7, "", time.Hour, 0)
	at.InProgress = []int{2}
	s := &status.Status{
		Sessions: []answer.Session{{User: "ada", Verdict: answer.Resume, Tasks: tasks, Resume: &answer.ResumePoint{PlannedTask: tasks[1]}}},
		Runs:     []status.UserRun{at},
	}
	got := section(t, "sessions", s)
	for _, want := range []string{
		"1 Sift complete 3 hours ago 2026-03-20 12:04 UTC", "2 Stir in progress, claude at work 2 hours ago 2026-03-20 13:04 UTC",
		"3 " + strings.TrimSpace(tasks[2].Name) + " pending",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q: %s", want, got)
		}
	}
	shown := []progress.Task{{Number: 1, Name: "Sift", Status: planfile.Complete, Commits: []string{"a26ad4c"}}, {Number: 2, Name: "Stir", Status: planfile.Pending}}
	planProgress := &answer.PlanProgress{Tasks: shown, Resume: &answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: shown[1]}}}
	if got := section(t, "next", &status.Status{Next: &answer.Next{Plan: "p", Progress: planProgress}}); !strings.HasSuffix(got, "1 Sift complete, by a26ad4c 2 Stir pending") {
		t.Errorf("in flight: %s", got)
	}
}

// TestPageDates: a plan has the day on which its summary was committed, or else on which it was begun, and a phase those of its plans.
func TestPageDates(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 3, n, 9, 0, 0, 0, time.UTC) }
	s := &status.Status{
		Phases: []overview.Phase{
			{Number: "1", Milestone: -1, Status: overview.PhaseComplete, Plans: []overview.StatusPlan{{ID: "01-01", Path: "a", Status: overview.PlanDone}, {ID: "01-02", Path: "b", Status: overview.PlanDone}}},
			{Number: "2", Milestone: -1, Status: overview.PhaseInProgress, Plans: []overview.StatusPlan{{ID: "02-01", Path: "c", Status: overview.PlanDone}, {ID: "02-02", Path: "d", Status: overview.PlanInProgress}}},
			{Number: "3", Milestone: -1, Status: overview.PhasePlanned, Plans: []overview.StatusPlan{{ID: "03-01", Path: "e", Status: overview.PlanOpen, WaitsFor: []string{"02-02", "02-01"}}}},
		},
		Timeline: []status.Span{
			{Path: "a", First: day(1), Finished: day(2), Done: true},
			{Path: "b", First: day(3), Finished: day(4), Done: true},
			{Path: "c", First: day(5), Finished: day(6), Done: true},
			{Path: "d", First: day(7)},
		},
	}
	got := section(t, "phases", s)
	for _, want := range []string{
		"complete 2026-03-04", "01-01 a done 2026-03-02", "in progress since 2026-03-05", "02-01 c done 2026-03-06", "02-02 d in progress since 2026-03-07",
		"03-01 e waits for 02-02 and 1 more",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q: %s", want, got)
		}
	}
}
