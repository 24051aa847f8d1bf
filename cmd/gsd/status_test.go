package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
)

// anyStatus draws a project in which everything may be called anything and every number be any.
func anyStatus(t *rapid.T, text *rapid.Generator[string]) *hydrate.Status {
	name := func() string { return text.Draw(t, "text") }
	n := func() int { return rapid.OneOf(rapid.IntRange(0, 12), rapid.IntRange(0, 1<<62)).Draw(t, "n") }
	states := rapid.SampledFrom([]string{
		hydrate.PhaseComplete, hydrate.PhaseInProgress, hydrate.PhasePlanned, hydrate.PhaseNotPlanned, hydrate.PhaseDeferred,
	})
	plan := rapid.Custom(func(t *rapid.T) hydrate.StatusPlan {
		states := rapid.SampledFrom([]string{hydrate.PlanDone, hydrate.PlanInFlight, hydrate.PlanReady, hydrate.PlanOpen})
		return hydrate.StatusPlan{ID: text.Draw(t, "id"), Path: text.Draw(t, "path"), Title: text.Draw(t, "title"), Status: states.Draw(t, "state")}
	})
	plans := func() []hydrate.StatusPlan { return rapid.SliceOfN(plan, 0, 3).Draw(t, "plans") }
	st := &hydrate.Status{
		Project: name(), Root: "." + name(),
		Position: hydrate.Position{
			Milestone: name(), Phase: name(), PhaseName: name(), PhaseIndex: n(), Phases: n(), PhasesDone: n(),
			Plan: n(), Plans: n(), AllPlans: n(), AllDone: n(), Percent: rapid.IntRange(0, 100).Draw(t, "percent"),
		},
		Milestones: []hydrate.Milestone{
			{Label: name(), Name: name(), Status: states.Draw(t, "state"), Current: rapid.Bool().Draw(t, "current"), Plans: n(), PlansDone: n()},
		},
		Quick:       plans(),
		Workstreams: []hydrate.Workstream{{Name: name(), Done: n(), Total: n()}},
		Next: &hydrate.Next{
			Plan: name(), ID: name(), Phase: name(), Wave: n(), HasWave: true, Because: []string{name(), name()},
			AlsoReady: []hydrate.PlanRef{{Plan: name(), ID: name()}, {Plan: name()}},
		},
		Warnings: []hydrate.Warning{{Code: "code", Detail: name()}},
	}
	run := rapid.SampledFrom([]hydrate.RunState{hydrate.RunActive, hydrate.RunIdle, hydrate.RunUnknown, hydrate.RunOrphaned})
	for range rapid.IntRange(0, 4).Draw(t, "runs") {
		r := openRun(name(), run.Draw(t, "state"), name(), n(), name(), 0, 0)
		r.At, r.Mine = time.Unix(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "begun"), 0), rapid.Bool().Draw(t, "holds")
		st.Runs = append(st.Runs, r)
	}
	st.Lost = n()
	for _, kind := range []string{hydrate.WorkHandOff, hydrate.WorkItem, hydrate.WorkPlan} {
		st.Incomplete = append(st.Incomplete, hydrate.Incomplete{Kind: kind, ID: name(), Path: name(), Detail: name()})
	}
	for range rapid.IntRange(0, 25).Draw(t, "phases") {
		st.Phases = append(st.Phases, hydrate.Phase{
			Number: name(), Name: name(), Milestone: rapid.IntRange(-1, 0).Draw(t, "milestone"), Status: states.Draw(t, "state"),
			Dir: name(), Current: rapid.Bool().Draw(t, "current"), Done: n(), Total: n(), Plans: plans(),
		})
	}
	for _, verdict := range []hydrate.Verdict{hydrate.Resume, hydrate.Finished, hydrate.Stale, hydrate.Corrupt} {
		st.Sessions = append(st.Sessions, hydrate.Session{
			User: name(), Plan: name(), ID: name(), Verdict: verdict, Done: n(), Total: n(), Resume: n(), ResumeName: name(),
			Interrupted: rapid.Bool().Draw(t, "interrupted"),
			Stale:       []hydrate.Reason{{Reason: hydrate.TaskCount}, {Reason: name()}},
			Changed:     time.Unix(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "changed"), 0),
		})
	}
	return st
}

var (
	colours  = regexp.MustCompile(`\x1b\[[0-9]+m`)
	lineEnds = regexp.MustCompile(`(?m) +$`) // colour keeps some blanks there
)

// uncoloured is a text without its colours and without blanks at the ends of its lines.
func uncoloured(text string) string {
	return lineEnds.ReplaceAllString(colours.ReplaceAllString(text, ""), "")
}

// TestStatusFits: no line is wider than a terminal, whatever the names are, and colour takes no room.
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
		{"any text", rapid.String(), width},
	} {
		t.Run(test.name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				st := anyStatus(rt, test.text)
				a := &app{now: func() time.Time { return pageNow }, style: style{bars: rapid.Bool().Draw(rt, "bars")}}
				all := rapid.Bool().Draw(rt, "all")
				a.printStatus(st, identity.User{}, all)
				coloured := &app{now: a.now, style: style{bars: a.style.bars, colour: true}}
				coloured.printStatus(st, identity.User{}, all)
				if got, want := uncoloured(coloured.out.String()), lineEnds.ReplaceAllString(a.out.String(), ""); got != want {
					rt.Fatalf("without its colours it is\n%s\nand not\n%s", got, want)
				}
				for text := range strings.Lines(a.out.String()) {
					text = strings.TrimSuffix(text, "\n")
					if n := test.columns(text); n > columns {
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
	died := func(n int) (runs []hydrate.UserRun) {
		for range n {
			runs = append(runs, openRun("bo", hydrate.RunOrphaned, "codex", 9, "lab", time.Hour, time.Hour))
		}
		return runs
	}
	const row = "    bo  codex  orphaned  9@lab  2026-03-20T14:04Z\n"
	hour := openRun("粘土", hydrate.RunActive, "claude", 4711, "lab-3", time.Hour, time.Minute)
	hour.Mine = true
	nobody := openRun("bo", hydrate.RunUnknown, "", 0, "", time.Hour, time.Minute)
	notes := make([]hydrate.Incomplete, folds+2)
	for i := range notes {
		notes[i] = hydrate.Incomplete{Kind: hydrate.WorkHandOff, Path: fmt.Sprintf("n%d", i)}
	}
	for _, test := range []struct {
		name   string
		status hydrate.Status
		all    bool
		want   string // how it ends
		lines  int
	}{
		{"nothing", hydrate.Status{Incomplete: []hydrate.Incomplete{{Kind: hydrate.WorkPlan, ID: "01-01"}}}, false, "", 0},
		{
			"at work", hydrate.Status{Runs: []hydrate.UserRun{hour, nobody}}, false, "\nruns\n" +
				"  > 粘土  claude  active    4711@lab-3  2026-03-20T14:04Z\n" +
				"    bo    -       unknown   -           2026-03-20T14:04Z\n", 4,
		},
		{"died", hydrate.Status{Runs: died(1)}, false, "\nruns\n" + row + "  1 run died without an end: gsd sweep ends your own\n", 4},
		{
			"many died",
			hydrate.Status{Runs: died(folds + 3)},
			false,
			row + "  and 3 more that died; --all lists them\n  23 runs died without an end: gsd sweep ends your own\n", folds + 4,
		},
		{"many died, all", hydrate.Status{Runs: died(folds + 3)}, true, row + "  23 runs died without an end: gsd sweep ends your own\n", folds + 6},
		{"lost", hydrate.Status{Lost: 2}, false, "\n2 lost sessions: gsd orphans\n", 2},
		{"unfinished", hydrate.Status{Incomplete: notes}, false, "  a note to go on from: n19\n  and 2 more; --all lists them\n", folds + 3},
		{"unfinished, all", hydrate.Status{Incomplete: notes}, true, "  a note to go on from: n21\n", folds + 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := &app{now: func() time.Time { return pageNow }}
			b := board{app: a, status: &test.status, all: test.all}
			b.printOpenRuns()
			b.printUnfinished()
			got := a.out.String()
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
		st := &hydrate.Status{Lost: 1 << 62}
		for _, state := range []hydrate.RunState{hydrate.RunActive, hydrate.RunIdle, hydrate.RunUnknown, hydrate.RunOrphaned} {
			r := openRun(name, state, name, 1<<62, name, 250*365*24*time.Hour, 0)
			st.Runs = append(st.Runs, r, openRun("bo", state, "", 0, "", 0, 0))
		}
		for _, kind := range []string{hydrate.WorkHandOff, hydrate.WorkItem} {
			st.Incomplete = append(st.Incomplete, hydrate.Incomplete{Kind: kind, ID: name, Path: name, Detail: name})
		}
		for _, bars := range []bool{false, true} {
			a := &app{now: func() time.Time { return pageNow }, style: style{bars: bars}}
			b := board{app: a, status: st}
			b.printOpenRuns()
			b.printUnfinished()
			for text := range strings.Lines(a.out.String()) {
				if text = strings.TrimSuffix(text, "\n"); columnsOf(text) > columns || len(text) > 4000 {
					t.Errorf("%q: %d columns, %d bytes", letter, columnsOf(text), len(text))
				}
			}
		}
	}
}

func TestFit(t *testing.T) {
	for _, test := range []struct {
		text string
		n    int
		want string
	}{
		{"", 0, ""},
		{"ab", 2, "ab"},
		{"ab", 4, "ab  "},
		{"abc", 2, "a…"},
		{"abc", 1, "…"},
		{"abc", 0, ""},
		{"abc", -3, ""},
		{"粘土", 4, "粘土"},
		{"粘土", 3, "粘…"},
		{"粘土", 2, "… "},
		{"🔥🔥", 3, "🔥…"},
		{"⚡x", 3, "⚡x"},
		{"ｶﾀ", 2, "ｶﾀ"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
	} {
		if got := fit(test.text, test.n); got != test.want {
			t.Errorf("%q in %d columns: %q, want %q", test.text, test.n, got, test.want)
		}
	}
}

// TestWrap: nothing is lost but the blanks between words.
func TestWrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := line(rapid.String().Draw(t, "text"))
		n := rapid.IntRange(2, 20).Draw(t, "columns")
		lines := wrap(text, n)
		for _, part := range lines {
			if width(part) > n {
				t.Fatalf("%q is wider than %d", part, n)
			}
			if !utf8.ValidString(part) {
				t.Fatalf("%q is torn", part)
			}
		}
		plain := strings.NewReplacer(" ", "")
		if got, want := plain.Replace(strings.Join(lines, "")), plain.Replace(text); got != want {
			t.Fatalf("%q became %q", want, got)
		}
	})
}
