package view

import (
	"fmt"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/overview"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/statefile"
	"github.com/gsd-cli/gsd/internal/status"
)

func TestState(t *testing.T) {
	t.Parallel()
	at := overview.Position{Phases: 2, AllPlans: 3, AllDone: 1, PhasesDone: 1, Percent: -1}
	const head = "done    1 of 3 plans, 1 of 2 phases\n\n"
	edits := []statefile.Edit{{Line: 7, Field: "Phase", Old: "1 of 9", New: "2 of\n2"}, {Line: 8, Field: "a", Old: `"b"`, New: `"c"`}}
	left := []statefile.Left{
		{Line: 8, Field: "Plan", Value: "2 of 3", Want: "1 of 1", Reason: statefile.Backwards},
		{Line: 9, Field: "Status", Value: "Waiting", Reason: statefile.Words},
		{Line: 10, Field: "x", Reason: statefile.OtherMilestone},
		{Line: 11, Field: "y", Reason: statefile.NoPhase},
		{Line: 12, Field: "z", Reason: statefile.Unreadable},
		{Line: 13, Field: "n", Reason: statefile.Contradicts, Because: statefile.Statement{Line: 9, Field: "Status", Value: "Waiting\x1b"}},
		{Line: 14, Field: "m", Reason: statefile.Scope},
	}
	const more = "--json has the values\n"
	unknown := status.Stated{DonePlans: -1, Percent: -1}
	says := unknown
	says.Phase = "3"
	says.DonePlans = 7
	several := append(left[:3:3], statefile.Left{Line: 15, Field: "Progress", Value: "9 %", Want: "8 %", Reason: statefile.Backwards}, left[6])
	for i := range 6 {
		several = append(several, statefile.Left{Line: 20 + i, Field: fmt.Sprint("k", i), Reason: statefile.Scope})
	}
	for _, test := range []struct {
		name  string
		state status.State
		want  string
	}{
		{"made", status.State{Missing: true, Written: true}, head + "S was missing and has been created\n"},
		{"missing", status.State{Missing: true, Do: []action.Action{{Kind: action.WriteState}}}, head + "S is missing\ntry: gsd state --write   (creates STATE.md)\n"},
		{"no section", status.State{NoSection: true, Left: left[:0], Says: unknown}, head + "S has no position lines to compare\n"},
		{
			"left alone",
			status.State{Left: several, Says: unknown},
			head + "S has nothing that gsd would change\nleft alone although different: 11 values\n" +
				"  2 would go backwards: Plan, Progress\n  1 has text of its own: Status\n  1 is of a milestone that is not the roadmap's current one: x\n" +
				"  7 count more than the current milestone has: m, k0, k1, k2, k3, k4 and 1 more\n" + more,
		},
		{
			"each reason",
			status.State{Left: left, Says: unknown},
			head + "S has nothing that gsd would change\nleft alone although different: 7 values\n" +
				"  1 would go backwards: Plan\n  1 has text of its own: Status\n  1 is of a milestone that is not the roadmap's current one: x\n" +
				"  1 belongs to a phase, and the file names none: y\n  1 would be something that GSD cannot parse: z\n" +
				"  1 would contradict line 9, Status: \"Waiting\", which is kept: n\n  1 counts more than the current milestone has: m\n" + more,
		},
		{"up to date", status.State{Says: unknown}, head + "S is up to date\n"},
		{
			"out of date",
			status.State{Edits: edits, Says: says, Do: []action.Action{{Kind: action.UpdateState}}},
			head + "S is out of date in 2 values: Phase, a\nit says 7 plans done; gsd finds 1 plan done\ntry: gsd state --write   (changes these values and nothing else)\n" + more,
		},
		{"changed", status.State{Edits: edits[:1], Written: true, Says: unknown}, head + "S was updated:\n  line 7, Phase: \"1 of 9\" -> \"2 of 2\"\n"},
		{
			"changed, with words of its own beside it",
			status.State{Edits: edits[:1], Written: true, Says: unknown, Left: []statefile.Left{
				{Line: 8, Field: "Plan", Value: "the second", Want: "1 of 1", Reason: statefile.Words}, left[1],
			}},
			head + "S was updated:\n  line 7, Phase: \"1 of 9\" -> \"2 of 2\"\nleft alone although different: 2 values\n  2 have text of their own: Plan, Status\n" +
				"  line 8, Plan: \"the second\"; gsd finds \"1 of 1\"\n" + more,
		},
		{
			"warnings",
			status.State{Warnings: []problem.Warning{{Code: "a"}}, Unlisted: []problem.Warning{{Code: "b", Says: "odd"}}, Says: unknown},
			head + "S is up to date\nwarning: odd (b)\n",
		},
	} {
		test.state.Path, test.state.Position = "S", at
		if got := printed(printer.Style{}, func(p *Printer) { p.State(&test.state) }); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

func TestStatePosition(t *testing.T) {
	t.Parallel()
	s := &status.State{
		Status: statefile.InProgress, Activity: overview.Activity{When: time.Date(2026, 3, 4, 23, 0, 0, 0, time.FixedZone("", -3600)), What: "feat(02-01): x"},
		Position: overview.Position{Phase: "2", PhaseName: "Dip", PhaseIndex: 1, Phases: 1, Plan: 2, Plans: 3, AllPlans: 1, Percent: 0},
	}
	const want = "phase   2, the only one (Dip)\nplan    2 of 3 in this phase\nstatus  In progress\ndone    0 of 1 plan, 0 of 1 phase, 0 %\nlast    2026-03-04  feat(02-01): x\n"
	if got := printed(printer.Style{}, func(p *Printer) { p.statePosition(s) }); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
