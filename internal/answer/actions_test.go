package answer

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/claim"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/planfile"
)

func TestActions(t *testing.T) {
	t.Parallel()
	no := func(d claim.Decision, why claim.Code) claim.Availability {
		return claim.Availability{Decision: d, Why: why}
	}
	inUse, closed, busy := no(claim.Blocked, claim.InUse), &claim.Facts{Closed: fs.ErrPermission}, &claim.Facts{Busy: &run.Run{}}
	next := &Next{Plan: "p/03-02-PLAN.md", ID: "03-02"}
	with := func(change func(n *Next)) *Next {
		n := *next
		change(&n)
		return &n
	}
	on := Facts{Session: sessionOf("pending"), Plan: Plan{Path: planPath}}
	lost := func(n int) (all []LostSession) {
		for i := range n {
			all = append(all, LostSession{ID: fmt.Sprint("id", i), Plan: "lost", Why: LostFile})
		}
		return all
	}
	notes := func(n int) (all []Incomplete) {
		for i := range n {
			all = append(all, Incomplete{Kind: ContinueHere, Path: fmt.Sprint("n", i)})
		}
		return all
	}
	dueIf := func(may claim.Availability) *Next {
		return with(func(n *Next) {
			n.Summary, n.AlsoReady = "s", []PlanRef{{Plan: "a"}, {Plan: "b", Argument: "b", May: no(claim.Held, "")}, {Plan: "c", Argument: "04-01", May: may}}
		})
	}
	due := dueIf(claim.Availability{})
	for _, test := range []struct {
		name string
		r    Report
		want string
	}{
		{"nothing is known", Report{Verdict: None}, "gsd next"},
		{"a task to begin", Report{Verdict: Resume, Resume: &ResumePoint{PlannedTask: PlannedTask{Task: progress.Task{Number: 2}}}}, "gsd mark 2 in-progress, gsd done 2"},
		{"a task in progress, cut", Report{Verdict: Resume, Resume: &ResumePoint{PlannedTask: PlannedTask{Task: progress.Task{Number: 2}, State: Interrupted}, Cut: true}}, "gsd done 2, gsd tasks 2"},
		{"a task that was left, in a run", Report{Verdict: Resume, Run: &run.Run{Own: true}, Resume: &ResumePoint{PlannedTask: PlannedTask{Task: progress.Task{Number: 2}, State: Paused}}}, "gsd mark 2 in-progress, gsd done 2"},
		{"a task that was left, after a run", Report{Verdict: Resume, Run: &run.Run{Own: true, Status: run.Success}, Resume: &ResumePoint{PlannedTask: PlannedTask{Task: progress.Task{Number: 2}, State: Paused}}}, "gsd done 2"},
		{"an agent elsewhere is working on it", Report{Verdict: Resume, Resume: &ResumePoint{PlannedTask: PlannedTask{Task: progress.Task{Number: 2}}}, Branches: []evidence.Branch{{}, {Alive: true, Held: true}}}, ""},
		{"its own process has one", Report{Verdict: Resume, Resume: &ResumePoint{PlannedTask: PlannedTask{Task: progress.Task{Number: 2}}}, Branches: []evidence.Branch{{Alive: true}}}, "gsd mark 2 in-progress, gsd done 2"},
		{"nothing is left", Report{Verdict: None, Next: &Next{}}, ""},
		{"a plan to start on", Report{Verdict: None, Next: next}, "gsd bootstrap 03-02"},
		{"one whose id is another's, too", Report{Verdict: None, Next: with(func(n *Next) { n.Ambiguous = true })}, "gsd bootstrap p/03-02-PLAN.md"},
		{"one without an id", Report{Verdict: None, Next: &Next{Plan: "p/PLAN.md"}}, "gsd bootstrap p/PLAN.md"},
		{"a plan that was begun", Report{Verdict: None, Next: with(func(n *Next) { n.Begun = true })}, "gsd bootstrap 03-02"},
		{"one whose task is cut", Report{Verdict: None, Next: with(func(n *Next) {
			n.Progress = &PlanProgress{Resume: &ResumePoint{PlannedTask: PlannedTask{Task: progress.Task{Number: 2}}, Cut: true}}
		})}, "gsd bootstrap 03-02, gsd tasks 03-02 2"},
		{"a session on it", Report{Verdict: None, Next: with(func(n *Next) { n.Session, n.May = true, no(claim.Unwritable, "") })}, "gsd hydrate"},
		{"a summary is missing", Report{Verdict: Finished, On: planPath, Next: with(func(n *Next) { n.Summary = "s" })}, ""},
		{"a summary to write, and a plan that is ready", Report{Verdict: Finished, On: next.Plan, Summary: "s", Next: due}, "gsd done --summary, gsd bootstrap 04-01"},
		{"one that is there from before", Report{Verdict: Finished, On: next.Plan, Summary: "s", Earlier: true, Next: due}, "gsd bootstrap 04-01"},
		{"a draft to write", Report{Verdict: Finished, On: next.Plan, Summary: "s", Draft: &Draft{Left: []Placeholder{{1, DraftNext}}}, Next: due}, "gsd bootstrap 04-01"},
		{"a draft that cannot be read", Report{Verdict: Finished, On: next.Plan, Summary: "s", Draft: &Draft{Problem: "x"}, Next: due}, "gsd bootstrap 04-01"},
		{"a draft that is written", Report{Verdict: Finished, On: next.Plan, Summary: "s", Draft: &Draft{}, Next: due}, "gsd done --summary, gsd bootstrap 04-01"},
		{"a draft, and nothing can be written", Report{Verdict: Finished, On: next.Plan, Summary: "s", Draft: &Draft{}, Next: due, Starts: closed}, ""},
		{"a plan that is ready, and somebody at work", Report{Verdict: Finished, On: next.Plan, Summary: "s", Next: dueIf(inUse)}, "gsd done --summary, gsd run list"},
		{"the summary of somebody else", Report{Verdict: None, Next: due}, "gsd bootstrap 04-01"},
		{"somebody has it", Report{Verdict: None, Next: with(func(n *Next) { n.May = no(claim.Held, "") })}, ""},
		{"it is refused", Report{Verdict: None, Next: with(func(n *Next) { n.May = no(claim.Blocked, claim.PlanProblem) })}, ""},
		{"this plan again", Report{Verdict: Stale, On: next.Plan, Next: next}, "gsd bootstrap 03-02"},
		{"only the summary of this plan", Report{Verdict: Finished, On: next.Plan, Next: next}, ""},
		{"it is over, and nothing comes next", Report{Verdict: Stale, On: planPath, Facts: on, Stale: []Staleness{{Reason: PlanCompleted}}, Next: &Next{}}, "gsd archive"},
		{"it is over, and somebody is at work", Report{Verdict: Stale, On: planPath, Facts: on, Stale: []Staleness{{Reason: PlanCompleted}}, Next: &Next{}, Starts: busy}, ""},
		{"it is over, and somebody else is there", Report{Verdict: Stale, On: planPath, Facts: on, Stale: []Staleness{{Reason: PlanCompleted}}, Next: &Next{}, AtWork: make([]run.Run, 1)}, ""},
		{"it is over, and a plan comes next", Report{Verdict: Stale, On: planPath, Facts: on, Stale: []Staleness{{Reason: PlanCompleted}}, Next: next}, "gsd bootstrap 03-02"},
		{"its plan may come back", Report{Verdict: Stale, On: planPath, Facts: on, Stale: []Staleness{{Reason: PlanMissing}}, Next: &Next{}}, ""},
		{"the plan has changed", Report{Verdict: Resume, Facts: on, Fix: action.Action{Kind: action.Refresh, Plan: planPath}}, "gsd bootstrap " + planPath},
		{"the same, and somebody is at work", Report{Verdict: Resume, Facts: on, MayFix: inUse, Fix: action.Action{Kind: action.Refresh, Plan: planPath}}, "gsd run list"},
		{"lost sessions", Report{Verdict: Resume, Recovery: &Recovery{RunsAndLost: RunsAndLost{Lost: lost(6)}}}, "gsd restore id0, gsd restore id1, gsd restore id2, gsd restore id3, gsd restore id4"},
		{"a plan that nobody may start on beside a run", Report{Verdict: Stale, Facts: on, Next: with(func(n *Next) { n.May = inUse })}, "gsd run list"},
		{"sessions elsewhere", Report{Verdict: Resume, Elsewhere: []Elsewhere{
			{Do: action.Action{Kind: action.Adopt, Plan: "x"}},
			{Do: action.Action{Kind: action.Visit, Dir: "d"}},
			{Do: action.Action{Kind: action.Adopt, Plan: "x"}},
			{Do: action.Action{Kind: action.Adopt, Plan: "y"}, May: no(claim.Blocked, claim.LostInUse)},
			{Do: action.Action{Kind: action.Bring, Plan: "z"}, May: inUse},
		}}, "gsd bootstrap x, gsd hydrate -C d, gsd run list"},
		{"dead runs", Report{Verdict: Resume, Recovery: &Recovery{Crashed: make([]run.Run, 1)}}, "gsd run sweep"},
		{"tasks that were left", Report{Verdict: Resume, Recovery: &Recovery{LeftTasks: []int{1}}}, "gsd run sweep --reset-tasks"},
		{"the same, and this start has recorded it", Report{Verdict: Resume, Facts: Facts{Start: &Start{Before: &Recovery{}}}, Recovery: &Recovery{LeftTasks: []int{1}}}, ""},
		{"doubtful runs", Report{Verdict: Resume, Recovery: &Recovery{Doubtful: []run.Run{{ID: "r1", Expired: true}, {ID: "r2", Expired: true, Own: true}}}}, "gsd run end r1"},
		{"an unknown run at work", Report{Verdict: Resume, AtWork: []run.Run{{Holds: true, State: run.StateUnknown}}}, "gsd run end --help"},
		{"it does not hold the lease", Report{Verdict: Resume, AtWork: []run.Run{{State: run.StateUnknown}, {Holds: true}}}, ""},
		{"notes", Report{Verdict: Resume, Recovery: &Recovery{Incomplete: append([]Incomplete{{Kind: WorkItem}, {Kind: HandOffJSON, Stuck: true}}, notes(6)...)}}, "gsd archive n0, gsd archive n1, gsd archive n2, gsd archive n3, gsd archive n4"},
		{"nothing can be written", Report{Verdict: Resume, Resume: &ResumePoint{PlannedTask: PlannedTask{Task: progress.Task{Number: 2}}}, Starts: closed}, ""},
	} {
		var lines []string
		for _, c := range test.r.Actions() {
			lines = append(lines, action.Line(c.Words()))
		}
		if got := strings.Join(lines, ", "); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	for want, r := range map[string]Report{
		"start":          {Verdict: None, Next: next},
		"start, session": {Verdict: Stale, On: planPath, Next: with(func(n *Next) { n.May.Replaces = action.Session })},
		"start-with": {Verdict: None, Next: with(func(n *Next) {
			n.Progress = &PlanProgress{Resume: &ResumePoint{PlannedTask: PlannedTask{Task: progress.Task{Number: 2}}}}
		})},
		"restore, in-place": {Verdict: Resume, Recovery: &Recovery{RunsAndLost: RunsAndLost{Lost: []LostSession{{Why: LostPlace}}}}},
		"restore":           {Verdict: Resume, Recovery: &Recovery{RunsAndLost: RunsAndLost{Lost: []LostSession{{Why: LostFile}}}}},
		"list-lost":         {Verdict: Resume, Recovery: &Recovery{RunsAndLost: RunsAndLost{Lost: []LostSession{{Gone: true}}}}},
		"show-runs":         {Verdict: Resume, Recovery: &Recovery{RunsAndLost: RunsAndLost{Lost: []LostSession{{Instead: action.Action{Kind: action.ShowRuns}}}}}},
		"sweep":             {Verdict: Resume, Recovery: &Recovery{Crashed: make([]run.Run, 1)}},
		"sweep-left":        {Verdict: Resume, Recovery: &Recovery{LeftTasks: []int{1}, Crashed: make([]run.Run, 1)}},
	} {
		got := ""
		if all := r.Actions(); len(all) > 0 {
			got = strings.TrimSuffix(fmt.Sprintf("%s, %s", all[0].Kind, all[0].Replaces), ", ")
		}
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	w := Incomplete{Phase: "3", Task: "2"}
	q := ResumePoint{PlannedTask: PlannedTask{Task: progress.Task{Number: 1, Name: "A"}}, Also: []PlannedTask{{Task: progress.Task{Number: 2, Name: "B"}}, {Task: progress.Task{Number: 3, Name: "C"}, State: Paused}}}
	left := q.FirstLeft()
	own := q
	own.SetState(Cleared)
	hidden := &ResumePoint{PlannedTask: PlannedTask{Task: progress.Task{Number: 1}, State: Unattended}, Also: []PlannedTask{{Task: progress.Task{Number: 2}, State: Interrupted}}}
	if task := hidden.FirstLeft(); task.Number != 2 {
		t.Errorf("%+v", task)
	}
	first, none := own.FirstLeft(), (&ResumePoint{PlannedTask: PlannedTask{Task: progress.Task{Number: 1}, State: InOthers}}).FirstLeft()
	for got, want := range map[string]string{
		w.Position(): "phase 3, task 2", Minute(time.Unix(0, 0)): "1970-01-01 00:00 UTC", PlanInText("a/03-01-PLAN.md"): "03-01", PlanInText("a/PLAN.md"): "PLAN.md",
		PlanInText(""): "", Counted(1, "line", "lines"): "1 line", Counted(2, "line", "lines"): "2 lines", fmt.Sprint(left.Number, left.Name, left.State, first.Number, own.Interrupted, none): "3Cpaused1 true <nil>",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	file := planfile.Parse([]byte("## Task 1: A\n\nx\n\n## Task 3: B\n\ny\n"))
	if len(NumberWarning(file, 1)) != 0 || len(NumberWarning(file, 2)) != 1 {
		t.Error(NumberWarning(file, 1), NumberWarning(file, 2))
	}
	for _, test := range []struct {
		id   string
		want string
		more bool
	}{{"abcd", "abcd", false}, {"abcde", "abcdef", true}, {"abcdeg", "abcdeg", false}, {"bbbb", "bbbbb", false}, {"bbb", "", false}, {"b", "b", false}, {"", "", false}, {"xxxx", "", false}} {
		found, more := ByPrefix([]string{"abcd", "b", "bbbbb", "abcdeg", "abcdef"}, test.id, func(s *string) string { return *s })
		if (found == nil) != (test.want == "") || found != nil && *found != test.want || more != test.more {
			t.Errorf("%q: %v, %v", test.id, found, more)
		}
	}
}

// TestErrors: what a command says that needs a session and has none.
func TestErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err        *problem.Error
		kind       problem.Kind
		text, hint string // a part of it
	}{
		{NoSession("s"), problem.MissingInput, "no session: s does", ""},
		{CorruptSession(&Report{Path: "s", Corrupt: "why"}), problem.BadData, "s is not a session: why", "`gsd bootstrap PLAN`"},
	} {
		if e := test.err; e.Kind != test.kind || !strings.Contains(e.Text, test.text) || !strings.Contains(e.Hint, test.hint) {
			t.Errorf("%#v, want %d, %q, %q", e, test.kind, test.text, test.hint)
		}
	}
}

// TestAddRuns: which runs a user should know of.
func TestAddRuns(t *testing.T) {
	t.Parallel()
	dead, far, old, live := run.Run{ID: "dead", State: run.StateCrashed}, run.Run{ID: "far", State: run.StateUnknown, Expired: true, PID: 7}, run.Run{ID: "old", Status: run.Success}, run.Run{ID: "live", State: run.StateActive, Holds: true}
	for _, test := range []struct {
		runs   []run.Run
		latest *run.Run
		holder *run.Run
		want   string
	}{
		{[]run.Run{dead, old, far}, nil, nil, "dead; far; "},
		{nil, &run.Run{ID: "f", Status: run.Failure, Plan: planPath}, nil, "; ; f"},
		{nil, &run.Run{ID: "f", Status: run.Success, Plan: planPath}, nil, "; ; "},
		{nil, &run.Run{ID: "f", Status: run.Failure, Plan: "other"}, nil, "; ; "},
		{[]run.Run{live}, &run.Run{ID: "f", Status: run.Failure, Plan: planPath}, &live, "; ; "},
	} {
		r := Recovery{}
		a := run.Assessment{Runs: test.runs, Latest: test.latest, Holder: test.holder}
		r.AddRuns(&a, &Report{Facts: Facts{Plan: Plan{Path: planPath}}})
		ids := func(all []run.Run) (s string) {
			for _, agentRun := range all {
				s += agentRun.ID
			}
			return s
		}
		got := ids(r.Crashed) + "; " + ids(r.Doubtful) + "; "
		if r.Failed != nil {
			got += r.Failed.ID
		}
		if got != test.want || r.Any() != (len(test.want) > len("; ; ")) {
			t.Errorf("%+v: %q, any %v", test, got, r.Any())
		}
	}
}
