package main

import (
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

// TestStatusFits: no line is wider than a terminal, whatever the names are.
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
				a := &app{now: time.Now, style: style{bars: rapid.Bool().Draw(rt, "bars")}}
				a.printStatus(st, identity.User{}, rapid.Bool().Draw(rt, "all"))
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
