package page

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/overview"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/planfile"
)

// The projects that the tests of the page show.
func pageSamples() map[string]*status.Status {
	return map[string]*status.Status{
		"empty": {Project: "notes", Root: ".planning"},
		"small": statusOf(5, texts("Text %d")),
		"big":   statusOf(150, texts("Interlocking %d for a main-line station")),
		"hostile": statusOf(12, texts(
			hostileText+"%d", hostileText+hostileText, "مشروع طويل جدا "+hostileText,
			strings.Repeat("Übermäßiglangundohneleerzeichen", 60), "👩‍👩‍👧‍👦 "+strings.Repeat("🦀", 300),
		)),
	}
}

// hostileText has all that a text may try: to end an element, to be a template, an entity or a style, to act
// on a terminal, to turn the line round, to hide, to be no XML, to be endless.
const hostileText = "</title></style></bdi><script>alert(1)</script><img src=http://x.invalid/ onerror=alert(2)>" +
	"{{.CSS}} \"'`&amp;&lt; ]]><!-- --> \x1b[31m\x1b]8;;http://y.invalid\x07 \u202eabc\u202c \u200b\U000e0041 \uffff\x00\xff" +
	" z\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301 "

// texts returns a function that gives these in turn, with a number for %d.
func texts(all ...string) func() string {
	n := 0
	return func() string {
		n++
		return strings.Replace(all[n%len(all)], "%d", fmt.Sprint(n), 1)
	}
}

// statusOf is a project with n of everything, in all states, and with some impossible counts and times.
func statusOf(n int, text func() string) *status.Status {
	phases := []overview.PhaseStatus{overview.PhaseComplete, overview.PhaseInProgress, overview.PhasePlanned, overview.PhaseDeferred}
	plans := []overview.PlanStatus{overview.PlanDone, overview.PlanDue, overview.PlanInProgress, overview.PlanReady, overview.PlanOpen}
	verdicts := []answer.Verdict{answer.Resume, answer.Stale, answer.Corrupt, answer.Finished}
	reasons := []answer.StaleReason{answer.PlanMissing, answer.PlanCompleted, answer.PhaseAdvanced, answer.TaskCount}
	kinds := []answer.IncompleteKind{answer.ContinueHere, answer.WorkItem, answer.BegunPlan}
	never := time.Unix(1<<40, 0) // no calendar has it
	some := func(i int) string { // every fourth is missing
		if i%4 == 3 {
			return ""
		}
		return text()
	}
	plan := func(i int) overview.StatusPlan {
		return overview.StatusPlan{ID: text(), Path: text(), Title: some(i), Status: plans[i%4]}
	}
	s := &status.Status{
		Project: text(), Root: text(), Roadmap: text(), Lost: n, Latest: overview.Activity{When: now, What: text()},
		Position: overview.Position{
			Milestone: text(), Phase: "1" + text(), PhaseName: text(), PhaseIndex: n, Phases: 3, PhasesDone: n,
			Plan: 9, Plans: 2, AllPlans: 8, AllDone: 7, Percent: 63,
		},
		Next: &answer.Next{ID: text(), Phase: text(), Wave: new(2), Because: []next.Reason{{Code: next.TasksOver, User: text()}}},
	}
	for i := range n {
		s.Milestones = append(s.Milestones, overview.Milestone{
			Label: text(), Name: text(), Status: phases[i%4], Current: i == 1, Phases: i, PhasesDone: n, Plans: i, PlansDone: i,
		})
		s.Phases = append(s.Phases, overview.Phase{
			Number: text(), Name: text(), Milestone: i - 1, Status: phases[i%4], Line: 10 * i, Dir: some(i + 2), Archived: i%3 == 0,
			Current: i%2 == 0, Verification: some(i), Done: n, Total: 3 * (i % 3), Plans: []overview.StatusPlan{plan(i), plan(i + 1)},
		})
		near := s.Phases[i].Plans[0].Path
		s.Quick = append(s.Quick, plan(i))
		s.Workstreams = append(s.Workstreams, status.Workstream{Name: text(), Root: text(), Done: n, Total: -3})
		hours := time.Duration(i) * time.Hour
		s.Runs = append(s.Runs,
			runOf(text(), runStates[i%4], text(), i, some(i), hours, 2*hours),
			runOf(fmt.Sprint(i%5), runStates[i%4], some(i+1), i, "lab", 0, 0))
		s.Incomplete = append(s.Incomplete, answer.Incomplete{Kind: kinds[i%3], ID: text(), Path: text(), Detail: some(i + 3)})
		s.Sessions = append(s.Sessions, answer.Session{
			User: fmt.Sprint(i), Own: i == 0, Plan: near, ID: some(i + 1), Verdict: verdicts[i%4], Done: i, Total: 3,
			Resume: &answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 3, Name: text()}, State: []answer.State{answer.Interrupted, answer.NotBegun}[min(i, 1)]}}, Started: now.Add(-5 * hours), Changed: now.AddDate(-1000*i, 0, 0),
		})
		for j, word := range []planfile.Status{planfile.Complete, planfile.InProgress, planfile.Pending, "odd"} {
			s.Sessions[i].Tasks = append(s.Sessions[i].Tasks, answer.PlannedTask{Task: progress.Task{Number: j + 1, Name: text(), Status: word, Set: now}})
		}
		if i%4 == 1 {
			for j, reason := range reasons {
				value := some(j)
				s.Sessions[i].Stale = append(s.Sessions[i].Stale, answer.Staleness{Reason: reason, Plan: value, Summary: value, Roadmap: value, Phase: value, Status: "complete", Line: 7})
			}
		}
		s.Timeline = append(s.Timeline,
			status.Span{
				ID: text(), Path: near, First: now.AddDate(i, 0, 0), Last: now.AddDate(-i, 0, 0), Finished: never, Commits: i,
			},
			status.Span{ID: text(), Path: text(), Phase: text(), First: now, Finished: now.AddDate(0, 0, i), Commits: n, Done: true},
			status.Span{Path: text(), Phase: some(i), Last: never, Done: i%2 == 0})
		times := []run.TaskTimes{{Started: now}, {Ended: now}, {Started: now.Add(-2 * hours), Ended: now, Took: 2 * hours}, {Started: never}}[i%4]
		times.Plan, times.Number = near, i+1
		s.Marked = append(s.Marked, status.Marked{User: text(), ID: some(i), TaskTimes: times})
		s.Next.Plan = near
		s.Next.AlsoReady = append(s.Next.AlsoReady, answer.PlanRef{ID: text(), Plan: s.Phases[i].Plans[1].Path})
		s.Phases[i].Plans[1].WaitsFor = slices.Repeat([]string{text()}, i%4+1)
		s.Warnings = append(s.Warnings, problem.Warning{Code: "roadmap-lags", Path: text(), Phase: text()})
	}
	return s
}

// now is when every page is written.
var now = time.Date(2026, 3, 20, 15, 4, 5, 0, time.UTC)

// runOf is a run that began and was last seen so long before now.
func runOf(user string, state run.State, host string, pid int, machine string, started, seen time.Duration) status.UserRun {
	r := status.UserRun{User: user}
	r.State, r.Holds, r.Host, r.Started, r.Seen = state, state == run.StateActive, host, now.Add(-started), now.Add(-seen)
	r.PID, r.HostName = pid, machine
	return r
}
