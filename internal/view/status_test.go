package view

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/layout"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/overview"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/testenv"
)

// now is when everything is printed.
var now = time.Date(2026, 3, 20, 15, 4, 5, 0, time.UTC)

// printed returns what a printer prints.
func printed(style printer.Style, print func(*Printer)) string {
	var out printer.Buffer
	print(&Printer{Writer: printer.NewWriter(&out, style, 0), Now: now})
	return out.String()
}

// runOf is a run that began and was last seen so long before now.
func runOf(user string, state run.State, host string, pid int, machine string, started, seen time.Duration) status.UserRun {
	r := status.UserRun{User: user}
	r.State, r.Holds, r.Host, r.Started, r.Seen = state, state == run.StateActive, host, now.Add(-started), now.Add(-seen)
	r.PID, r.HostName = pid, machine
	return r
}

// What takes two columns, by Unicode's scripts and not as width.go has it, and what takes none.
var (
	twoColumns = regexp.MustCompile(`[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\x{3000}-\x{3030}\x{ff01}-\x{ff60}\x{1f300}-\x{1faff}✅❌]`)
	noColumn   = regexp.MustCompile(`[\p{Mn}\p{Me}]`)
)

// columnsOf is how wide a line is.
func columnsOf(line string) int {
	return utf8.RuneCountInString(line) + len(twoColumns.FindAllString(line, -1)) - len(noColumn.FindAllString(line, -1))
}

// anyStatus draws a project in which everything may be called anything and every number be any.
func anyStatus(t *rapid.T, text *rapid.Generator[string]) *status.Status {
	name := func() string { return text.Draw(t, "text") }
	n := func() int { return rapid.OneOf(rapid.IntRange(0, 12), rapid.IntRange(0, 1<<62)).Draw(t, "n") }
	states := rapid.SampledFrom([]overview.PhaseStatus{
		overview.PhaseComplete, overview.PhaseDone, overview.PhaseInProgress, overview.PhasePlanned, overview.PhaseNotPlanned, overview.PhaseDeferred,
	})
	plan := rapid.Custom(func(t *rapid.T) overview.StatusPlan {
		states := rapid.SampledFrom([]overview.PlanStatus{overview.PlanDone, overview.PlanDue, overview.PlanInProgress, overview.PlanReady, overview.PlanOpen})
		return overview.StatusPlan{ID: text.Draw(t, "id"), Path: text.Draw(t, "path"), Title: text.Draw(t, "title"), Status: states.Draw(t, "state")}
	})
	plans := func() []overview.StatusPlan { return rapid.SliceOfN(plan, 0, 3).Draw(t, "plans") }
	st := &status.Status{
		Project: name(), Root: "." + name(),
		Position: overview.Position{
			Milestone: name(), Phase: name(), PhaseName: name(), PhaseIndex: n(), Phases: n(), PhasesDone: n(),
			Plan: n(), Plans: n(), AllPlans: n(), AllDone: n(), Percent: rapid.IntRange(0, 100).Draw(t, "percent"),
			Unverified: rapid.SliceOfN(text, 0, 2).Draw(t, "unverified"),
		},
		Milestones: []overview.Milestone{
			{Label: name(), Name: name(), Status: states.Draw(t, "state"), Current: rapid.Bool().Draw(t, "current"), Plans: n(), PlansDone: n()},
		},
		Quick:       plans(),
		Workstreams: []status.Workstream{{Name: name(), Done: n(), Total: n()}},
		Next: &answer.Next{
			Plan: name(), ID: name(), Phase: name(), Wave: new(n()), Autonomous: true, Because: []next.Reason{{Code: next.TasksOver, User: name()}, {Code: next.Taken, User: name(), Plan: name()}},
			AlsoReady: []answer.PlanRef{{Plan: name(), ID: name()}, {Plan: name()}},
		},
		Warnings: []problem.Warning{{Code: "code", Says: name()}},
	}
	run := rapid.SampledFrom([]run.State{run.StateActive, run.StateIdle, run.StateUnknown, run.StateCrashed})
	for range rapid.IntRange(0, 4).Draw(t, "runs") {
		r := runOf(name(), run.Draw(t, "state"), name(), n(), name(), 0, 0)
		r.Started, r.Mine = time.Unix(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "begun"), 0), rapid.Bool().Draw(t, "holds")
		st.Runs = append(st.Runs, r)
	}
	st.Lost = n()
	for _, kind := range []answer.IncompleteKind{answer.ContinueHere, answer.WorkItem, answer.BegunPlan} {
		st.Incomplete = append(st.Incomplete, answer.Incomplete{Kind: kind, ID: name(), Path: name(), Detail: name()})
	}
	for range rapid.IntRange(0, 25).Draw(t, "phases") {
		st.Phases = append(st.Phases, overview.Phase{
			Number: name(), Name: name(), Milestone: rapid.IntRange(-1, 0).Draw(t, "milestone"), Status: states.Draw(t, "state"),
			Dir: name(), Current: rapid.Bool().Draw(t, "current"), Done: n(), Total: n(), Plans: plans(),
			Verification: name(), LeftOut: roadmap.NotCounted(name()), Orphans: n(),
		})
	}
	for _, v := range []answer.Verdict{answer.Resume, answer.Finished, answer.Stale, answer.Corrupt} {
		st.Sessions = append(st.Sessions, answer.Session{
			User: name(), Plan: name(), ID: name(), Verdict: v, Done: n(), Total: n(),
			Resume:  &answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: n(), Name: name()}, State: rapid.SampledFrom([]answer.State{answer.NotBegun, answer.Interrupted, answer.Paused, answer.InOthers}).Draw(t, "state")}},
			Stale:   []answer.Staleness{{Reason: answer.TaskCount}, {Reason: answer.StaleReason(name())}},
			Changed: time.Unix(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "changed"), 0),
		})
	}
	return st
}

// kiln is a project with something of everything that a status shows.
func kiln() *status.Status {
	plans := []overview.StatusPlan{
		{ID: "04-01", Path: "d/04-01-PLAN.md", Title: "Bucket", Status: overview.PlanDone}, {Path: "d/x-PLAN.md", Status: overview.PlanInProgress},
	}
	return &status.Status{
		Project: "Kiln", Root: ".planning/workstreams/shop", Roadmap: "R", Incomplete: []answer.Incomplete{{Kind: answer.ContinueHere, Path: "n"}},
		Position: overview.Position{
			Milestone: "v1.1 Glaze", Phase: "4", PhaseName: "Dip", PhaseIndex: 2, Phases: 3, PhasesDone: 1, Plan: 2, Plans: 2, AllPlans: 3, AllDone: 2, Percent: 33,
		},
		Milestones: []overview.Milestone{
			{Label: "v1.0", Name: "Clay", Status: overview.PhaseComplete, PlansDone: 4, Plans: 4},
			{Label: "v1.1", Name: "Glaze", Status: overview.PhaseInProgress, PlansDone: 2, Plans: 3, Current: true},
			{Label: "v1.2", Status: overview.PhasePlanned},
		},
		Phases: []overview.Phase{
			{Number: "1", Name: "Mud", Status: overview.PhaseComplete, Milestone: 0, Done: 4, Total: 4},
			{Number: "3", Name: "Mix", Status: overview.PhaseInProgress, Milestone: 1, Done: 1, Total: 1, Verification: "gaps_found"},
			{Number: "04.1", Name: "Dip", Status: overview.PhaseInProgress, Milestone: 1, Done: 1, Total: 2, Current: true, Dir: "d", Plans: plans},
			{Number: "9", Name: "Rain", Status: overview.PhaseNotPlanned, Milestone: -1},
		},
		Quick: []overview.StatusPlan{
			{Path: ".planning/workstreams/shop/quick/a-PLAN.md", Status: overview.PlanOpen}, {ID: "q", Status: overview.PlanDone},
		},
		Workstreams: []status.Workstream{{Name: "core", Done: 1, Total: 2}, {Name: "new"}},
		Sessions: []answer.Session{
			{
				User: "ada", Own: true, ID: "04-02", Verdict: answer.Resume, Done: 1, Total: 3, Changed: now.Add(-3 * time.Hour),
				Resume: &answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 2, Name: "Task 2: Stir"}, State: answer.Interrupted}},
			},
			{User: "bo", Plan: "a/PLAN.md", Verdict: answer.Stale, Done: 1, Total: 1, Stale: []answer.Staleness{{Reason: answer.PlanMissing}, {Reason: answer.TaskCount}}},
			{User: "cyd", Verdict: answer.Corrupt},
			{User: "dan", ID: "1", Verdict: answer.Finished, Done: 2, Total: 2},
			{User: "eve", ID: "2", Verdict: answer.Resume, Total: 2, Resume: &answer.ResumePoint{PlannedTask: answer.PlannedTask{Task: progress.Task{Number: 1, Name: "Dig"}}}},
		},
		Next: &answer.Next{
			Plan: "d/x-PLAN.md", Wave: new(2), Autonomous: true, Because: []next.Reason{{Code: next.OwnSession}}, AlsoReady: []answer.PlanRef{{ID: "04-03"}, {Plan: "b/y-PLAN.md"}, {ID: "04-05", TakenBy: "bo"}},
		},
		Warnings: []problem.Warning{{Code: "code", Says: "what is odd takes more than a line of eighty columns, and goes on in the next"}},
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	// Lines with a + are those that --all adds.
	const text = `project: Kiln, .planning/workstreams/shop
v1.1 Glaze, phase 4, the 2nd of 3: Dip, plan 2 of 2
 33 %  1 of 3 phases complete, 2 of 3 plans done

       9  Rain                              not planned        -
  v1.0 Clay                                 complete         4/4
+         1  Mud                             complete         4/4
  v1.1 Glaze                                in progress      2/3
         3  Mix                             in progress      1/1
            verification: gaps_found
    > 04.1  Dip                             in progress      1/2
            04-01      done         Bucket
            x-PLAN.md  in progress
  v1.2                                      planned            -
  quick/a-PLAN.md  open
+  q                done

next: x-PLAN.md, wave 2
  your session is on it
also ready: 04-03, 04-05 (taken by bo), y-PLAN.md

sessions
  > ada  04-02      1/3  task 2, interrupted: Stir             2026-03-20T12:04Z
    bo   PLAN.md    1/1  stale: plan is gone, tasks differ
    cyd  -            -  corrupt
    dan  1          2/2  summary is due
    eve  2          0/2  task 1: Dig

unfinished
  a hand-off note: n

other workstreams
  core  1 of 2 plans done
  new   no plans yet

warning: what is odd takes more than a line of eighty columns, and goes on in
  the next (code)
`
	added := regexp.MustCompile(`(?m)^\+.*\n`)
	for all, want := range map[bool]string{false: added.ReplaceAllString(text, ""), true: strings.ReplaceAll(text, "\n+", "\n")} {
		if got := printed(printer.Style{}, func(p *Printer) { p.Status(kiln(), all) }); got != want {
			t.Errorf("all %v:\n%s\nwant\n%s", all, got, want)
		}
	}
	// On a terminal.
	got := printed(printer.Style{Bars: true}, func(p *Printer) { p.Status(kiln(), false) })
	for _, line := range []string{
		"███████░░░░░░░░░░░░░░░░░  33 %  1 of 3 phases complete, 2 of 3 plans done", "in progress      2/3  ██████░░░░", "interrupted: Stir                   3 hours ago",
	} {
		if !strings.Contains(got, line) {
			t.Errorf("no %q in\n%s", line, got)
		}
	}
}

// TestStatusFolds: of many phases those that are complete make way for a count of them, and what is empty says so.
// TestPhaseNotes: below a phase is what its row does not show.
func TestPhaseNotes(t *testing.T) {
	for _, c := range []struct {
		phase overview.Phase
		want  string
	}{
		{overview.Phase{Verification: "passed"}, ""},
		{overview.Phase{Verification: "passed", UAT: "testing"}, "UAT: testing"},
		{overview.Phase{Verification: "human_needed", Orphans: 1}, "verification: human_needed|1 summary without its plan"},
		{overview.Phase{Number: "7", Orphans: 3, LeftOut: roadmap.Repeated}, "3 summaries without their plans|not counted: another directory of phase 7"},
	} {
		if got := strings.Join(phaseNotes(&c.phase), "|"); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestStatusFolds(t *testing.T) {
	t.Parallel()
	many := func(n int) *status.Status {
		st := &status.Status{Root: ".planning", Next: &answer.Next{Autonomous: true}, Position: overview.Position{Percent: -1, AllPlans: 1}}
		for i := range n {
			st.Phases = append(st.Phases, overview.Phase{Number: "1", Milestone: -1, Status: overview.PhaseComplete})
			st.Phases[i].Current = i == 1
		}
		return st
	}
	for _, test := range []struct {
		n    int
		all  bool
		want string
	}{{folds, false, ""}, {folds + 1, true, ""}, {folds + 1, false, "       1 complete phase; --all lists them\n"}, {folds + 2, false, "20 complete phases; --all lists them\n"}} {
		got := printed(printer.Style{}, func(p *Printer) { p.Status(many(test.n), test.all) })
		if folded := strings.Contains(got, "--all"); folded != (test.want != "") || !strings.Contains(got, test.want) {
			t.Errorf("%d phases:\n%s", test.n, got)
		}
	}
	over := many(3)
	over.Milestones = []overview.Milestone{{Name: "one", Status: overview.PhaseComplete, Current: true}, {Name: "two", Status: overview.PhaseComplete}}
	over.Phases[0].Milestone, over.Phases[1].Milestone, over.Phases[2].Milestone = 0, 0, 1
	if got := printed(printer.Style{}, func(p *Printer) { p.Status(over, false) }); !strings.Contains(got, "\n  one ") || !strings.Contains(got, "\n  two ") || strings.Contains(got, " 1  ") {
		t.Errorf("a complete milestone takes one line:\n%s", got)
	}
	const none = "unnamed project\nno roadmap and no phases yet\n    ?  0 of 1 plan done\n\nno plans left\n"
	if got := printed(printer.Style{}, func(p *Printer) { p.Status(many(0), false) }); got != none {
		t.Errorf("%s", got)
	}
}

// TestStatusRows: if there is too little room, more is folded; then what says least about now is left out first.
func TestStatusRows(t *testing.T) {
	t.Parallel()
	st := kiln()
	for i := range 30 {
		st.Phases = append(st.Phases, overview.Phase{Number: fmt.Sprint(10 + i), Name: "Far", Status: overview.PhasePlanned, Milestone: -1})
	}
	st.Runs = append(st.Runs, runOf("ada", run.StateActive, "claude", 9, "lab", time.Hour, 0))
	whole := printed(printer.Style{}, func(p *Printer) { p.Status(st, false) })
	lines := strings.Count(whole, "\n")
	rows := func(n int, all bool) string {
		return printed(printer.Style{}, func(p *Printer) { p.Rows = n; p.Status(st, all) })
	}
	if got := rows(lines, false); got != whole {
		t.Errorf("nothing had to be folded:\n%s", got)
	}
	const folded = `
          31 later phases; --all lists them
  1 complete milestone; --all lists them
  v1.1 Glaze                                in progress      2/3
`
	if got := rows(lines-1, false); !strings.Contains(got, folded) || !strings.HasSuffix(got, "the next (code)\n") {
		t.Errorf("%s\nit has not\n%s", got, folded)
	}
	tight := rows(lines-1, false)
	for n := 1; n < strings.Count(tight, "\n"); n++ {
		got := rows(n, false)
		count := strings.Count(got, "\n")
		said := fmt.Sprintf("\n%s: `gsd status`\n", Count(strings.Count(tight, "\n")-count+1, "more line"))
		if n > 1 && !strings.HasSuffix(got, said) || count > n || count < n-2 {
			t.Errorf("%d rows, not %q:\n%s", n, said, got)
		}
		if strings.Contains(got, "verification:") && !strings.Contains(got, "3  Mix") {
			t.Errorf("%d rows: what is said of a phase stands below another:\n%s", n, got)
		}
		for at, part := range []string{"project: Kiln", "\nnext: x-PLAN.md", "\n  > ada  04-02", "\n    ada  claude", "\n    > 04.1  Dip"} {
			if least := []int{2, 6, 12, 19, 21}[at]; n >= least && !strings.Contains(got, part) {
				t.Errorf("%d rows without %q:\n%s", n, part, got)
			}
		}
	}
	if got := rows(3, true); got != printed(printer.Style{}, func(p *Printer) { p.Status(st, true) }) {
		t.Errorf("--all was cut:\n%s", got)
	}
}

var (
	colours  = regexp.MustCompile(`\x1b\[[0-9]+m`)
	lineEnds = regexp.MustCompile(`(?m) +$`) // colour keeps some blanks there
)

// uncoloured is a text without its colours and without blanks at the ends of its lines.
func uncoloured(text string) string {
	return lineEnds.ReplaceAllString(colours.ReplaceAllString(text, ""), "")
}

// TestStatusFits: no line is wider than a terminal, whatever the names are, but for a word that cannot be broken; and colour takes no room.
func TestStatusFits(t *testing.T) {
	alphabet := []string{"a", "Z", "4", "-", "/", ".", " ", "  ", "粘", "土", "か", "カ", "도", "ｆ", "。", "🔥", "👩‍🚀", "✅", "é", "e\u0301", "\u0301\u0308\u0323", "\t", "\x1b[31m", "\u202e"}
	word := rapid.Custom(func(t *rapid.T) string {
		return strings.Repeat(rapid.SampledFrom(alphabet).Draw(t, "letter"), rapid.SampledFrom([]int{1, 2, 3, 20, 120}).Draw(t, "times"))
	})
	names := rapid.Map(rapid.SliceOfN(word, 0, 8), func(words []string) string { return strings.Join(words, "") })
	for _, test := range []struct {
		name    string
		text    *rapid.Generator[string]
		columns func(string) int
	}{
		{"names", names, columnsOf},
		{"any text", rapid.String(), layout.Columns},
	} {
		t.Run(test.name, func(t *testing.T) {
			rapid.Check(testenv.Laws(t), func(rt *rapid.T) {
				st := anyStatus(rt, test.text)
				bars, all := rapid.Bool().Draw(rt, "bars"), rapid.Bool().Draw(rt, "all")
				most := rapid.SampledFrom([]int{leastColumns, usualColumns, mostColumns}).Draw(rt, "columns")
				plain := printed(printer.Style{Bars: bars}, func(p *Printer) { p.Columns = most; p.Status(st, all) })
				coloured := printed(printer.Style{Bars: bars, Colour: true}, func(p *Printer) { p.Columns = most; p.Status(st, all) })
				if got, want := uncoloured(coloured), lineEnds.ReplaceAllString(plain, ""); got != want {
					rt.Fatalf("without its colours it is\n%s\nand not\n%s", got, want)
				}
				for text := range strings.Lines(plain) {
					text = strings.TrimSuffix(text, "\n")
					if n := test.columns(text); n > most && layout.Wrap(text, most) != text {
						rt.Fatalf("%d columns: %q", n, text)
					}
					if len(text) > 4000 {
						rt.Fatalf("%d bytes in a line", len(text))
					}
				}
			})
		})
	}
}

// TestStatusRuns: what stands in a pipe, and what is folded away.
func TestStatusRuns(t *testing.T) {
	died := func(n int) (runs []status.UserRun) {
		for range n {
			runs = append(runs, runOf("bo", run.StateCrashed, "codex", 9, "lab", time.Hour, time.Hour))
		}
		return runs
	}
	const row = "    bo  codex  crashed  9@lab  2026-03-20T14:04Z\n"
	hour := runOf("粘土", run.StateActive, "claude", 4711, "lab-3", time.Hour, time.Minute)
	hour.Mine = true
	own := died(1)[0]
	own.Mine = true
	nobody := runOf("bo", run.StateUnknown, "", 0, "", time.Hour, time.Minute)
	notes := make([]answer.Incomplete, folds+2)
	for i := range notes {
		notes[i] = answer.Incomplete{Kind: answer.ContinueHere, Path: fmt.Sprintf("n%d", i)}
	}
	for _, test := range []struct {
		name   string
		status status.Status
		all    bool
		want   string // how it ends
		lines  int
	}{
		{"tight", status.Status{Runs: died(2), Incomplete: notes}, false, "\nruns\n  2 runs crashed\n\nunfinished\n  22; --all lists them\n", 6},
		{"nothing", status.Status{Incomplete: []answer.Incomplete{{Kind: answer.BegunPlan, ID: "01-01"}}}, false, "", 0},
		{
			"at work", status.Status{Runs: []status.UserRun{hour, nobody}}, false, "\nruns\n" +
				"  > 粘土  claude  active   4711@lab-3  2026-03-20T14:04Z\n" +
				"    bo    -       unknown  -           2026-03-20T14:04Z\n", 4,
		},
		{"died", status.Status{Runs: died(1)}, false, "\nruns\n" + row + "  1 run crashed\n", 4},
		{
			"one's own died",
			status.Status{Runs: []status.UserRun{own}},
			false,
			"\nruns\n" + "  > " + row[4:] + "  1 run crashed: `gsd run sweep` cleans up after yours\n", 4,
		},
		{
			"many died",
			status.Status{Runs: died(folds + 3)},
			false,
			row + "  and 3 more that crashed; --all lists them\n  23 runs crashed\n", folds + 4,
		},
		{"many died, all", status.Status{Runs: died(folds + 3)}, true, row + "  23 runs crashed\n", folds + 6},
		{"lost", status.Status{Lost: 2}, false, "\n2 lost sessions: `gsd restore --list`\n", 2},
		{"unfinished", status.Status{Incomplete: notes}, false, "  a hand-off note: n19\n  and 2 more; --all lists them\n", folds + 3},
		{"unfinished, all", status.Status{Incomplete: notes}, true, "  a hand-off note: n21\n", folds + 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := printed(printer.Style{}, func(p *Printer) {
				p.Columns = usualColumns
				b := board{Printer: p, status: &test.status, all: test.all, tight: test.name == "tight"}
				b.openRuns()
				b.unfinished()
			})
			if !strings.HasSuffix(got, test.want) || strings.Count(got, "\n") != test.lines {
				t.Errorf("%d lines:\n%s", strings.Count(got, "\n"), got)
			}
		})
	}
}

// TestStatusRunsFit: names that are as long as they may be, in letters of each width.
func TestStatusRunsFit(t *testing.T) {
	for _, letter := range []string{"a", "a ", "粘", "👩‍🚀", "\u0301", "x\u0301\u0308"} {
		name := strings.Repeat(letter, 5000)
		st := &status.Status{Lost: 1 << 62}
		for _, state := range []run.State{run.StateActive, run.StateIdle, run.StateUnknown, run.StateCrashed} {
			r := runOf(name, state, name, 1<<62, name, 250*365*24*time.Hour, 0)
			st.Runs = append(st.Runs, r, runOf("bo", state, "", 0, "", 0, 0))
		}
		for _, kind := range []answer.IncompleteKind{answer.ContinueHere, answer.WorkItem} {
			st.Incomplete = append(st.Incomplete, answer.Incomplete{Kind: kind, ID: name, Path: name, Detail: name})
		}
		for _, bars := range []bool{false, true} {
			out := printed(printer.Style{Bars: bars}, func(p *Printer) {
				p.Columns = usualColumns
				b := board{Printer: p, status: st}
				b.openRuns()
				b.unfinished()
			})
			for text := range strings.Lines(out) {
				if text = strings.TrimSuffix(text, "\n"); columnsOf(text) > usualColumns || len(text) > 4000 {
					t.Errorf("%q: %d columns, %d bytes", letter, columnsOf(text), len(text))
				}
			}
		}
	}
}
