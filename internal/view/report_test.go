package view

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/planfile"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares what was printed with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	name = "testdata/" + name
	if *update {
		if err := errors.Join(os.MkdirAll("testdata", 0o777), os.WriteFile(name, []byte(got), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

var reportNow = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

const onPlan, itsSummary = ".planning/phases/03-api/03-01-PLAN.md", ".planning/phases/03-api/03-01-SUMMARY.md"

// reportOn returns a report on a session of three tasks, one of which is complete, changed by what is given.
func reportOn(verdict answer.Verdict, changes ...func(*answer.Report)) *answer.Report {
	r := &answer.Report{Verdict: verdict, User: "ada", Path: ".planning/sessions/ada/current-plan.md"}
	switch verdict {
	case answer.None:
	case answer.Corrupt:
		r.Corrupt = "no task\nin it has a status"
	default:
		r.On, r.Started, r.Done, r.Total, r.Summary = onPlan, reportNow, 1, 3, itsSummary
	}
	if verdict == answer.Resume {
		r.Resume = &answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 2, Name: "Task 2: List\tnotes"}, Type: "auto", Line: 32}}
	}
	for _, change := range changes {
		change(r)
	}
	r.Do = r.Actions()
	return r
}

func warned(code, detail string) func(*answer.Report) {
	return func(r *answer.Report) { r.Warnings = append(r.Warnings, problem.Warning{Code: code, Says: detail}) }
}

func staleFor(reasons ...answer.StaleReason) func(*answer.Report) {
	return func(r *answer.Report) {
		for _, reason := range reasons {
			r.Stale = append(r.Stale, answer.Staleness{Reason: reason, Plan: "a\nplan", Summary: "a\nsummary", Roadmap: "a\nroadmap", SessionTasks: 1})
		}
	}
}

func comesNext(n answer.Next) func(*answer.Report) {
	return func(r *answer.Report) { r.Next = &n }
}

func mendedBy(kind action.Kind, plan string) func(*answer.Report) {
	return func(r *answer.Report) { r.Fix = action.Action{Kind: kind, Plan: plan} }
}

func inState(is answer.State) func(*answer.Report) {
	return func(r *answer.Report) { r.Resume.SetState(is) }
}

// aRun is one of which a few things are known.
func aRun(id string, state run.State, holds bool) run.Run {
	r := run.Run{State: state, Holds: holds}
	r.ID, r.Host, r.PID, r.HostName, r.Started = id, "codex", 7, "lab", reportNow
	return r
}

func someRuns(n int, state run.State) (runs []run.Run) {
	for i := range n {
		runs = append(runs, aRun(fmt.Sprintf("r%d", i), state, i == 0))
	}
	return runs
}

// lostOne is a lost session of three tasks.
func lostOne(id string, why answer.Lost) answer.LostSession {
	o := answer.LostSession{Why: why, Done: 1, Gone: why == answer.LostProject || why == answer.LostPlans}
	o.ID, o.Plan, o.User, o.Project, o.Current, o.Updated = id, onPlan, "ada", "/home/ada/my notes", 2, reportNow.Add(-time.Hour)
	o.Task, o.Total = "Task 2: List", 3
	return o
}

func recovering(rec answer.Recovery) func(*answer.Report) {
	return func(r *answer.Report) { r.Recovery = &rec }
}

// reports are of every verdict, with all that goes with it.
func reports() []*answer.Report {
	plan := answer.Next{Autonomous: true, Plan: ".planning/phases/03-api/03-02-PLAN.md", ID: "03-02", Phase: "3", Because: []next.Reason{{Code: next.TasksOver, User: "b\no"}}}
	due := answer.Next{Autonomous: true, Plan: onPlan, ID: "03-01", Summary: itsSummary, AlsoReady: []answer.PlanRef{{Plan: "p", ID: "04-01", Begun: true}, {Plan: "q"}}}
	started := plan
	started.Begun, started.Ambiguous, started.Autonomous = true, true, false
	inFlight, done := started, started
	inFlight.Progress = &answer.PlanProgress{
		Tasks: []progress.Task{
			{Number: 1, Name: "Dig", Status: planfile.Complete, Commits: []string{"0123456789", "123456789a"}},
			{Number: 2, Name: "Lay", Status: planfile.InProgress, Commits: []string{"23456789ab"}},
		},
		Resume: &answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 2, Name: "Lay"}, Type: "checkpoint:decision", Line: 9}, Children: []planfile.Child{{Name: "files", Text: "a.go"}}, Cut: true},
		Former: true,
	}
	inFlight.AlsoReady = []answer.PlanRef{{Plan: "p", ID: "04-01", Begun: true, Progress: inFlight.Progress}}
	done.Progress = &answer.PlanProgress{Tasks: inFlight.Progress.Tasks[:1]}
	past := plan
	for i := range 5 {
		past.LeftOver = append(past.LeftOver, answer.LeftOver{Plan: fmt.Sprintf("l%d", i), ID: fmt.Sprintf("02-0%d", i), Why: next.Reason{Code: next.WorkedSince, Phase: "5", Commit: "0123456789", Subject: "since\nthen"}})
	}
	many := answer.Recovery{Crashed: someRuns(6, run.StateCrashed), Doubtful: someRuns(1, run.StateUnknown)}
	many.Doubtful[0].Expired = true
	for i := range 12 {
		many.LeftTasks = append(many.LeftTasks, i+1)
		many.Lost = append(many.Lost, lostOne(fmt.Sprintf("-lost%d", i), answer.LostFile))
		many.Incomplete = append(many.Incomplete, answer.Incomplete{Kind: answer.ContinueHere, Path: fmt.Sprintf(".planning/.continue-here-%d.md", i)})
	}
	return []*answer.Report{
		reportOn(answer.None),
		reportOn(answer.None, comesNext(started), warned("a-code", "a detail")),
		reportOn(answer.None, comesNext(inFlight)),
		reportOn(answer.None, comesNext(done)),
		reportOn(answer.None, comesNext(answer.Next{Autonomous: true, Phase: "4", Because: []next.Reason{{Code: next.OwnSession}}}), func(r *answer.Report) { r.Recovery = &answer.Recovery{}; r.Recovery.LeftTasks = []int{1} }),
		reportOn(answer.Corrupt, warned("a-code", "a detail")),
		reportOn(answer.Stale, staleFor(answer.PlanCompleted), comesNext(plan)),
		reportOn(answer.Stale, staleFor(answer.PlanCompleted, answer.PhaseAdvanced), comesNext(due)),
		reportOn(answer.Stale, staleFor(answer.PhaseAdvanced), comesNext(answer.Next{Autonomous: true, Phase: "4"})),
		reportOn(answer.Stale, staleFor(answer.PhaseAdvanced), comesNext(answer.Next{Autonomous: true})),
		reportOn(answer.Stale, staleFor(answer.TaskCount), mendedBy(action.Refresh, "a plan.md"), warned("plan-odd", "edited")),
		reportOn(answer.Stale, staleFor(answer.PlanMissing), func(r *answer.Report) { r.On, r.Started = "", time.Time{} }),
		reportOn(answer.Finished),
		reportOn(answer.Finished, comesNext(plan), func(r *answer.Report) { r.Total, r.Summary = 1, "" }),
		reportOn(answer.Finished, comesNext(due)),
		reportOn(answer.Resume),
		reportOn(answer.Resume, inState(answer.InProgress)),
		reportOn(answer.Resume, inState(answer.Cleared)),
		reportOn(answer.Resume, inState(answer.Paused)),
		reportOn(answer.Resume, inState(answer.Unattended)),
		reportOn(answer.Resume, inState(answer.InOwnHands), mendedBy(action.Refresh, onPlan), warned("plan-odd", "edited")),
		reportOn(answer.Resume, inState(answer.InOthers), func(r *answer.Report) {
			r.AtWork = []run.Run{aRun("r1", run.StateUnknown, true), aRun("r2", run.StateIdle, false)}
			r.JustStarted = "another run\nbegan"
		}),
		reportOn(answer.Resume, inState(answer.Interrupted), recovering(many), func(r *answer.Report) {
			r.AtWork = someRuns(7, run.StateIdle)
			r.Resume.Type = "checkpoint:human-verify"
			r.Resume.Also = []answer.PlannedTask{{Task: progress.Task{Number: 3, Name: "Task 2: Find"}, State: answer.Interrupted}, {Task: progress.Task{Number: 40, Name: "Dig"}}}
			r.Resume.Cut, r.Resume.Children = true, []planfile.Child{
				{Name: "files", Text: "a.go"},
				{Name: "precondition", Text: " \x1b[31m\n "},
				{Name: "verify", Text: "one\n\n  two\n"},
				{Text: "try: rm -rf /\nmore"},
				{Name: "done", Text: strings.Repeat("é", 501)},
			}
		}),
		reportOn(answer.Resume, recovering(answer.Recovery{Crashed: someRuns(1, run.StateCrashed), Incomplete: []answer.Incomplete{
			{Kind: answer.BegunPlan, ID: "03-01", Path: onPlan},
			{Kind: answer.BegunPlan, ID: "03-02", Path: "a plan.md"},
			{Kind: answer.WorkItem, ID: "E1", Path: "docs/work/active/E1/WORK.md", Detail: "check"},
		}})),
		reportOn(answer.Resume, func(r *answer.Report) {
			r.Recovery = &answer.Recovery{}
			r.Recovery.LeftTasks, r.Recovery.Lost = []int{2, 3}, []answer.LostSession{lostOne("1f", answer.LostFile)}
		}),
		reportOn(answer.None, comesNext(past)),
		reportOn(answer.None, comesNext(answer.Next{Autonomous: true, LeftOver: past.LeftOver[:1]})),
	}
}

// TestReports: text and brief say the same, each in its own way.
func TestReports(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	for i, r := range reports() {
		fmt.Fprintf(&out, "===== %d: %s\n", i, r.Verdict)
		out.WriteString(printed(printer.Style{}, func(p *Printer) { p.Now = reportNow; p.Report(r) }))
		fmt.Fprintf(&out, "----- brief\n%s\n", strings.Join((&Briefer{At: reportNow}).Report(r, ""), "\n\n"))
	}
	fmt.Fprintf(&out, "===== unreadable\n%s\n-----\n%s\n", (&Briefer{}).Unreadable("why\nit is so", ""), (&Briefer{Place: action.Place{Program: "/opt/gsd"}}).Unreadable("why", "what to do"))
	golden(t, "reports.txt", out.String())
}

// TestAnswers: what the commands that change a session answer, in colour.
func TestAnswers(t *testing.T) {
	t.Parallel()
	var out printer.Buffer
	p := &Printer{Writer: printer.NewWriter(&out, printer.Style{Colour: true}, 0), Now: reportNow}
	section := func(name string) { p.Printf("===== %s\n", name) }
	mark := func(r *answer.Report, n int, changed bool) {
		section("marked")
		task := progress.Task{Number: n, Name: "Task 2: List", Status: planfile.Complete, Previous: planfile.Pending}
		if !changed {
			task.Previous = task.Status
		}
		p.Marked(&app.Marked{Report: r, Task: task})
	}
	mark(reportOn(answer.Resume), 1, true)
	mark(reportOn(answer.Resume, warned("a-code", "a detail"), mendedBy(action.Refresh, "p")), 2, false)
	mark(reportOn(answer.Finished), 3, true)
	mark(reportOn(answer.Stale, staleFor(answer.PlanMissing, answer.TaskCount), mendedBy(action.Follow, "x")), 2, true)

	live := reportOn(answer.Resume, inState(answer.Interrupted))
	left := []progress.Task{{Number: 2, Name: "Task 2: Gone", Status: planfile.Complete, Why: progress.NoSuchTask}}
	for _, b := range []app.Bootstrapped{
		{Kept: true},
		{},
		{Was: answer.Resume, Archived: "a.stale"},
		{
			From: []answer.Origin{
				{Session: "a.stale", Plan: "p.md", How: answer.ByPath}, {Lost: "1f2e", Plan: "q.md", How: answer.ByDigest}, {Session: "b.stale", Plan: "r.md", How: answer.ByMove},
			},
			Was: answer.Stale, Archived: "a.stale", Left: left, Carried: []progress.Task{{Number: 2, From: 2, Status: planfile.Complete}, {Number: 3, From: 4, Changed: true}},
		},
		{Carried: []progress.Task{{Number: 1, From: 1, Status: planfile.Complete, Commits: []string{"0123456789abcdef"}}, {Number: 2, From: 2, Status: planfile.Complete, Commits: []string{}}}},
	} {
		section("bootstrapped")
		b.Report = live
		p.Bootstrapped(&b)
	}
	for _, r := range []app.Restored{{Project: "/home/ada"}, {Project: "/home/ada", Archived: "a.stale", Left: left}} {
		section("restored")
		r.Session = live.Path
		r.Report = live
		p.Restored(&r)
	}

	corrupt, expired := lostOne("9d", answer.LostCorrupt), lostOne("a b", answer.LostTorn)
	corrupt.Corrupt, expired.Expired, expired.Current = "torn", true, 4
	section("lost sessions")
	p.LostSessions(&history.LostSessions{})
	p.LostSessions(&history.LostSessions{
		Lost:     []answer.LostSession{lostOne("1f", answer.LostFile), lostOne("2f", answer.LostProject), lostOne("3f", answer.LostPlans), expired, corrupt},
		Warnings: []problem.Warning{{Code: "a-code", Says: "a detail"}},
	})
	p.Forgotten(&history.Forgotten{Forgotten: &corrupt})

	section("tasks")
	tasks := []app.WholeTask{
		{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 1, Name: "Task 1: Add", Status: planfile.Complete}, Type: "auto"}},
		{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 2, Name: "List", Status: planfile.InProgress}, Type: "tdd"}},
		{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 3, Name: "Find", Status: planfile.Pending}, Type: "checkpoint:human-action-and-more"}},
		{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 4, Name: "Find"}}},
	}
	p.Tasks(&app.TaskList{Path: "p", Tasks: tasks, Session: true, Warnings: []problem.Warning{{Code: "a-code", Says: "a detail"}}})
	tasks[0].Set, tasks[1].Set, tasks[1].Guessed, tasks[2].Set = p.Now.Add(-time.Hour), p.Now, true, p.Now
	p.Style.Bars = true // as in a terminal
	p.Tasks(&app.TaskList{Path: "p", Tasks: tasks})
	p.Style.Bars = false
	p.Tasks(&app.TaskList{Path: "p", Tasks: append(tasks[:2:2], make([]app.WholeTask, 8)...)})
	p.Tasks(&app.TaskList{Path: "p", Tasks: []app.WholeTask{{
		PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 2, Name: "Task 2: Ask"}, Type: "checkpoint:decision", Line: 7}, Text: "<task>",
		Shown: []planfile.Child{{Name: "verify", Part: "automated", Text: "a && b"}, {Name: "options", Part: "option id=\"\x1b[31ma\", name", Text: "x\ny"}},
	}}})
	p.Tasks(&app.TaskList{Path: "p", Session: true, Tasks: []app.WholeTask{{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 1, Name: "A", Status: "complete"}, Line: 3}, Text: "<task>"}}})

	commit := evidence.Evidence{ID: "0123456789abcdef", Subject: "feat(03-01): a\tb", Confidence: 0.876, Reason: "names it"}
	start := []action.Action{{Kind: action.Start, Plan: "a b"}}
	previews := []*app.Preview{
		{Plan: onPlan, NoCommits: true, ID: "03-01", Looked: 9, Summary: itsSummary},
		{Plan: onPlan, Kept: true, Left: left, From: []answer.Origin{{Session: "a.stale", Plan: "p.md", How: answer.ByPath}}},
		{Plan: onPlan, Limited: true, Looked: 1, Do: start, Warnings: []problem.Warning{{Code: "c", Says: "d"}}},
	}
	for i := range maxRestored + 2 {
		status := planfile.Pending
		if i < 2 {
			status = planfile.Complete
		}
		previews[2].Tasks = append(previews[2].Tasks, progress.Task{Number: i + 1, Name: "Dig", Status: status})
		previews[2].Evidence = append(previews[2].Evidence, evidence.TaskEvidence{})
		previews[2].Unassigned = append(previews[2].Unassigned, commit)
	}
	previews[2].Evidence[0].Commits = []evidence.Evidence{commit}
	for _, f := range previews {
		section("preview")
		p.Preview(f)
	}
	section("would be restored")
	p.Restored(&app.Restored{Plan: onPlan, Tasks: []progress.Task{{Number: 1, Name: "Dig", Status: planfile.Complete}}, Left: left, Do: start})
	golden(t, "answers.txt", out.String())
}
