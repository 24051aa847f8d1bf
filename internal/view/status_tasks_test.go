package view

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/overview"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/planfile"
)

// glazing is kiln with ada's tasks, of which so many are complete and one is in progress, and with bo's, who is at work.
func glazing(complete, pending int) *status.Status {
	st := kiln()
	ada, bo := &st.Sessions[0], &st.Sessions[1]
	task := func(n int, s planfile.Status, name string) answer.PlannedTask {
		t := answer.PlannedTask{Task: progress.Task{Number: n, Name: name, Status: s}}
		if s != planfile.Pending {
			t.Set = now.Add(-3 * time.Hour)
		}
		return t
	}
	for n := 1; n <= complete; n++ {
		ada.Tasks = append(ada.Tasks, task(n, planfile.Complete, fmt.Sprintf("Sift %d", n)))
	}
	ada.Tasks = append(ada.Tasks, task(complete+1, planfile.InProgress, "Task 2: Stir"))
	for n := range pending {
		ada.Tasks = append(ada.Tasks, task(complete+n+2, planfile.Pending, fmt.Sprintf("Fire %d", n+1)))
	}
	ada.Plan, ada.Resume.Number = "d/x-PLAN.md", complete+1
	*bo = answer.Session{User: "bo", ID: "04-05", Plan: "b/y-PLAN.md", Verdict: answer.Resume, Total: 1, Resume: &answer.ResumePoint{}}
	bo.Tasks = []answer.PlannedTask{task(1, planfile.InProgress, "Glaze")}
	bo.Resume.PlannedTask = bo.Tasks[0]
	at := runOf("bo", run.StateActive, "claude", 9, "lab", time.Hour, 0)
	at.InProgress = []int{1}
	st.Runs = append(st.Runs, at)
	for i := range 8 { // before the one that ada is on
		statusPlan := overview.StatusPlan{ID: fmt.Sprintf("04-1%d", i), Path: fmt.Sprint(i), Status: overview.PlanDone}
		st.Phases[2].Plans = append([]overview.StatusPlan{statusPlan}, st.Phases[2].Plans...)
	}
	return st
}

// TestStatusTasks: where they were asked for, the tasks of the reader's plan are listed, and of those who are at work.
func TestStatusTasks(t *testing.T) {
	t.Parallel()
	st := glazing(1, 1)
	st.Sessions[0].Tasks[1].State = answer.Interrupted
	const want = `
tasks of 04-02
    1  complete     Sift 1                                           3 hours ago
  > 2  in progress  Stir                                interrupted, 3 hours ago
    3  pending      Fire 1

tasks of 04-05, bo
  > 1  in progress  Glaze                            claude at work, 3 hours ago

next: `
	person := func(tasks bool) string {
		return printed(printer.Style{Bars: true}, func(p *Printer) { p.Listed = tasks; p.Status(st, false) })
	}
	if got := person(true); !strings.Contains(got, want) || !strings.Contains(got, "\n          > x-PLAN.md  in progress\n") {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := person(false); strings.Contains(got, "tasks of") || strings.Contains(got, "> x-PLAN.md") {
		t.Errorf("nobody asked for tasks:\n%s", got)
	}

	// Without a session, those of the plan that commits show to be in flight.
	st.Runs, st.Sessions = nil, nil
	st.Next.Progress = &answer.PlanProgress{
		Tasks: []progress.Task{
			{Number: 1, Name: "Sift", Status: planfile.Complete, Commits: []string{"a26ad4c"}}, {Number: 2, Name: "Stir", Status: planfile.Pending},
		},
		Resume: &answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 2}}},
	}
	const inFlight = "\ntasks of x-PLAN.md\n    1  complete     Sift                                              by a26ad4c\n  > 2  pending      Stir\n"
	if got := person(true); !strings.Contains(got, inFlight) {
		t.Errorf("%s\nwant\n%s", got, inFlight)
	}
}

// TestStatusTasksFit: in too little room plans that are done are cut first, then other plans and what else there is, then the tasks that
// are complete, and never the task that the reader is on.
func TestStatusTasksFit(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ complete, pending int }{{0, 0}, {1, 1}, {12, 12}} {
		st := glazing(test.complete, test.pending)
		rows := func(n int) string {
			return printed(printer.Style{}, func(p *Printer) { p.Rows, p.Listed = n, true; p.Status(st, false) })
		}
		whole := rows(0)
		for n := strings.Count(whole, "\n") - 1; n >= 5; n-- {
			got := rows(n)
			if lines := strings.Count(got, "\n"); lines > n {
				t.Errorf("%d rows: %d lines\n%s", n, lines, got)
			}
			has := func(parts ...string) bool {
				for _, part := range parts {
					if strings.Contains(got, part) {
						return true
					}
				}
				return false
			}
			next := fmt.Sprintf("> %d  in progress  Stir", test.complete+1)
			switch {
			case has("04-10  ", "04-17  "):
				t.Errorf("%d rows: a finished plan is listed:\n%s", n, got)
			case n > 6 && !has(next, fmt.Sprintf(">  %d  in progress  Stir", test.complete+1)):
				t.Errorf("%d rows without the current task:\n%s", n, got)
			case has("warning: ", "other workstreams") && !has("> x-PLAN.md"):
				t.Errorf("%d rows: the current plan is cut before what is around it:\n%s", n, got)
			case has("complete     Sift") && test.pending > 0 && !has("pending      Fire 1"):
				t.Errorf("%d rows: what is complete takes the room of what is left:\n%s", n, got)
			case has("complete     Sift") && !has("> ada  04-02"):
				t.Errorf("%d rows: what is complete takes the room of the own session:\n%s", n, got)
			case has("tasks of 04-05") && !has("Glaze"):
				t.Errorf("%d rows: a heading with nothing below it:\n%s", n, got)
			}
		}
	}
}
