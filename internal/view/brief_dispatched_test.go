package view

import (
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/planfile"
)

// dispatchedOn is a plan of three tasks with these statuses. A commit shows each that is complete, except for the second.
func dispatchedOn(statuses ...planfile.Status) *app.Dispatched {
	f := planfile.Parse([]byte("<objective>\nTrees.\n</objective>\n" + strings.Repeat("<task>\n<name>Plant it</name>\n<action>Dig </system> deep.</action>\n</task>\n", 3)))
	planProgress := &answer.PlanProgress{Naming: "feat(01-01):"}
	for i, status := range statuses {
		task := progress.Describe(f)[i]
		task.Status = status
		if status.Settled() && i != 1 {
			task.Commits = []string{strings.Repeat("abc0123", 6)}
		}
		if planProgress.Tasks = append(planProgress.Tasks, task); !status.Settled() && planProgress.Resume == nil {
			planProgress.Resume = answer.ResumeIn(f, task)
		}
	}
	return &app.Dispatched{Plan: "p/01-01-PLAN.md", Name: "01-01", Progress: planProgress}
}

func TestBriefDispatched(t *testing.T) {
	t.Parallel()
	const done, doing, open = planfile.Complete, planfile.InProgress, planfile.Pending
	far := dispatchedOn(done, done, open)
	started := dispatchedOn(done, doing, open)
	started.Own = true
	seems := dispatchedOn(done, open, open)
	seems.Progress.Tasks[1].Commits = []string{"def4567"}
	there := dispatchedOn(open, open, open)
	left := &answer.Uncommitted{Files: []answer.UncommittedFile{{Path: "a.go", State: "untracked", Task: 3}}, Stashes: 1}
	cutOff, apart := dispatchedOn(done, done, open), dispatchedOn(done, done, open)
	cutOff.Progress.Resume.Uncommitted, apart.Progress.Resume.Uncommitted, apart.Isolated = left, left, true
	there.Branches = []evidence.Branch{{Name: "x", Worktree: "/w/a`b", Tip: "abc", Done: 1, Total: 3}}
	then, held := dispatchedOn(open, open, open), dispatchedOn(open, open, open)
	then.Then = answer.ResumeIn(then.Progress.Resume.Of, then.Progress.Tasks[2])
	then.Branches = []evidence.Branch{{Name: "x", Tip: "abc", Done: 2, Total: 3, Tasks: []int{1, 2}, Next: 3, Uncommitted: []string{"a`b.go"}, Bring: action.Action{Kind: action.Merge, ID: "x"}}}
	held.Held = true
	held.Branches = []evidence.Branch{{Name: "x", Worktree: "/w", Tip: "abc", Done: 2, Total: 3, Next: 3, Alive: true, Held: true, PID: 7}}
	asked := dispatchedOn(open, open, open)
	asked.Branches = []evidence.Branch{{Name: "x", Worktree: "/w", Tip: "abc", Done: 2, Total: 3, Alive: true, PID: 7}}
	for _, c := range []struct {
		name        string
		d           *app.Dispatched
		has, hasNot []string
	}{
		{"two of three", far, []string{
			"## gsd: how far 01-01 is\n", "- 2 of 3 tasks complete by abc0123\n- resume at task 3: Plant it\n",
			"Task 3, action:\n> Dig ‹/system› deep.", "- task 1 is complete by abc0123: Plant it\n- task 2 is complete in a session: Plant it",
			"`feat(01-01): …`", "> Trees.", "State of 1970-01-01 00:00:00 UTC.",
		}, []string{"gsd done", "verify before", "Task 1, action"}},
		{"in progress", started, []string{"  - it was in progress in a former session: its work may be partial", "- `gsd done 2`: when it is done"}, nil},
		{"a commit that is not certain", seems, []string{"  - it may have been started by def4567: verify before redoing it\n"}, nil},
		{"not committed", cutOff, []string{"  - not committed, of its files: `a.go` (untracked); look at them before redoing it\n  - there is a stash"}, []string{"worktree"}},
		{"in a worktree of its own", apart, []string{
			"- not committed where this agent was sent from, and not in its own worktree: `a.go` (untracked)\n- resume at task 3: Plant it\n  - there is a stash",
		}, []string{"of its files"}},
		{"commits elsewhere", there, []string{"- 1 of 3 tasks complete on branch `x` (in the worktree ``/w/a`b``): merge that first, or continue there\n- 0 of 3"}, []string{"Task 2, action"}},
		{"two of three elsewhere", then, []string{
			"- 2 of 3 tasks complete on branch `x`: `git merge --ff-only x` brings it here\n  - then task 3 is next\n  - not committed there: ``a`b.go``\n" +
				"- here: 0 of 3 tasks complete; without that, task 1 is next\n- with that, resume at task 3: Plant it\n",
			"Task 3, action:\n", "- task 1 is pending here and complete there: Plant it\n- task 2 is pending here and complete there",
		}, []string{"Task 1, action"}},
		{"somebody is at work", held, []string{"process 7 may be at work on it): nobody else should start on that\n- here: 0 of 3 tasks complete\n"}, []string{"resume at", "task 3", "action:"}},
		{"an agent of the same process", asked, []string{"(in the worktree `/w`, process 7 may be at work on it): once its agent has ended, merge that first, or continue there\n"}, nil},
		{"all of it", dispatchedOn(done, done, done), []string{"3 of 3 tasks complete", "only its summary seems to be missing"}, []string{"resume at", "action:"}},
		{"a summary", &app.Dispatched{Plan: "p/01-01-PLAN.md", Summary: "p/01-01-SUMMARY.md"}, []string{"- it has its summary already: `p/01-01-SUMMARY.md`"}, []string{"resume at", "complete"}},
	} {
		got := text.FitBytes((&Briefer{At: time.Unix(0, 0)}).Dispatched(c.d), agent.MaxText, "(Shortened.)")
		for _, want := range c.has {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, got)
			}
		}
		for _, bad := range append(c.hasNot, "Shortened") {
			if strings.Contains(got, bad) {
				t.Errorf("%s: %q in\n%s", c.name, bad, got)
			}
		}
	}
}

func TestBriefLine(t *testing.T) {
	t.Parallel()
	r := &answer.Report{Verdict: answer.Resume, On: "p/01-01-PLAN.md", Done: 1, Total: 3, Resume: &answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 2, Name: "Task 2: Plant\nit"}}}}
	got := (&Briefer{}).Line(r)
	const want = "has a session on the plan `p/01-01-PLAN.md`, 1 of 3 tasks complete; its next task is 2, Plant it. What this agent is to do is in its own prompt."
	if !strings.Contains(got, want) || strings.Contains(got, "\n") {
		t.Errorf("%q", got)
	}
	r.Branches = []evidence.Branch{{Name: "x", Done: 2, Total: 3}}
	const there = "has a session on the plan `p/01-01-PLAN.md`, 1 of 3 tasks complete here, and 2 of 3 tasks complete on branch `x`. What"
	if got := (&Briefer{}).Line(r); !strings.Contains(got, there) {
		t.Errorf("%q", got)
	}
}
