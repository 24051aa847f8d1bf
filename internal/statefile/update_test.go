package statefile

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
)

// number parses a phase's number.
func number(t *testing.T, s string) planref.Number {
	t.Helper()
	n, ok := planref.ParseNumber(s)
	if !ok && s != "" {
		t.Fatalf("%q is not a number", s)
	}
	return n
}

// at returns the position that the tables start from: plan 2 of 3 in phase 4 of 6.
func at(t *testing.T) Position {
	return Position{
		Phase: number(t, "4"), PhaseName: "Dip", Plan: 2, Plans: 3, Status: InProgress,
		LastActivity: time.Date(2026, 3, 6, 23, 30, 0, 0, time.FixedZone("", 2*3600)), LastWhat: "Completed 04-01",
		DonePhases: 3, TotalPhases: 6, DonePlans: 8, TotalPlans: 16, Percent: 50,
		Names: func(n planref.Number) string {
			return map[string]string{"3": "Mix", "3.1": "Stir", "5": "Fire"}[n.String()]
		},
	}
}

// become formats the result of Update: the new lines and, after a `!`, the reason and the wanted value of those left.
func become(src string, p Position) string {
	text, edits, left := Update([]byte(src), p)
	lines := strings.Split(string(text), "\n")
	var all []string
	for _, e := range edits {
		all = append(all, strings.TrimSpace(lines[e.Line-1]))
	}
	for _, l := range left {
		all = append(all, fmt.Sprintf("!%s %s: %s", l.Reason, l.Field, l.Want))
	}
	return strings.Join(all, "; ")
}

type lineCase struct{ value, want string }

// checkValues checks what becomes of the values of one label below a phase line.
func checkValues(t *testing.T, phase, label string, p Position, all []lineCase) {
	t.Helper()
	for _, r := range all {
		src := "## Current Position\n\n"
		if label != labelPhase {
			src += phase + "\n"
			p.PhaseName = ""
		}
		src += label + ": " + r.value + "\n"
		got := become(src, p)
		if label != labelPhase {
			// The phase has its own table.
			if first, rest, _ := strings.Cut(got, "; "); strings.HasPrefix(first, "Phase: ") || strings.Contains(first, " Phase: ") {
				got = rest
			}
		}
		want := r.want
		if want != "" && want[0] != '!' {
			want = label + ": " + want
		}
		if got != want {
			t.Errorf("%s: %q\nbecomes %q\nwant    %q", label, r.value, got, want)
		}
	}
}

func TestPhaseLine(t *testing.T) {
	p := at(t)
	checkValues(t, "", labelPhase, p, []lineCase{
		{"3 of 6 (Mix)", "4 of 6 (Dip)"},
		{"3 of 5 (Mix)", "4 of 6 (Dip)"},
		{"3 of 9 (Mix)", "4 of 9 (Dip)"}, // it may count the phases of all milestones
		{"3 of 3 (Mix)", "4 of 6 (Dip)"},
		{"03 (mix) — EXECUTING", "4 of 6 (Dip)"},
		{"3 (Mix) — READY TO EXECUTE", "4 of 6 (Dip)"},
		{"3", "4 of 6 (Dip)"},
		{"3.1", "4 of 6 (Dip)"},
		{"", "4 of 6 (Dip)"},
		{"Not started", "4 of 6 (Dip)"},
		{"Not started (defining requirements)", "4 of 6 (Dip)"},
		{"[X] of [Y] ([Phase name])", "4 of 6 (Dip)"},

		{"4 of 6 (Whatever it is called)", ""},
		{"04 (dip) — EXECUTING", ""},
		{"4 (third of 5 in v2) — Dip", ""},
		{"4 of 5 (Their name)", "4 of 6 (Their name)"},
		{"4 of 9 (Dip)", ""},

		{"5 of 6 (Fire)", "!backwards Phase: 4 of 6 (Dip)"},
		{"5 (Their name)", "!backwards Phase: 4 of 6 (Dip)"},
		{"5 — waiting for wood", "!words Phase: 4 of 6 (Dip)"},
		{"4.1 of 6 (Hotfix)", "!backwards Phase: 4 of 6 (Dip)"},

		{"3 of 6 (Mix) - done", "!words Phase: 4 of 6 (Dip)"},
		{"3 of 6 (all phases complete)", "!words Phase: 4 of 6 (Dip)"},
		{"3 of 6 (v1.2)", "!words Phase: 4 of 6 (Dip)"},
		{"3 of 6 (Mix - INSERTED)", "!words Phase: 4 of 6 (Dip)"},
		{"2 of 6 (Mix)", "!words Phase: 4 of 6 (Dip)"},
		{"3 of 6 (Mix (wet))", "!words Phase: 4 of 6 (Dip)"},
		{"3 of 6 ()", "!words Phase: 4 of 6 (Dip)"},
		{"3 of TBD (Mix)", "!words Phase: 4 of 6 (Dip)"},
		{"3 of 1234567", "!words Phase: 4 of 6 (Dip)"},
		{"Phase 3 of 6", "!words Phase: 4 of 6 (Dip)"},
		{"3 - Mix", "!words Phase: 4 of 6 (Dip)"},
		{"3-5", "!words Phase: 4 of 6 (Dip)"},
		{"3 & 4", "!words Phase: 4 of 6 (Dip)"},
		{"None active", "!words Phase: 4 of 6 (Dip)"},
		{"Milestone v1.0 complete", "!words Phase: 4 of 6 (Dip)"},
		{"3 of 6 (Mix) <!-- mine -->", "!words Phase: 4 of 6 (Dip)"},
		{"3 of 6 (Mix)\nand then some", "4 of 6 (Dip)"},
		{"3 of 6 (Mix)\rPhase: 9", "!words Phase: 4 of 6 (Dip)"},
	})
	p.PhaseName, p.TotalPhases = "A (b)", 3
	checkValues(t, "", labelPhase, p, []lineCase{{"3 of 3 (Mix)", "4 (A [b])"}, {"4 of 9 (X)", ""}, {"3 of 4", "4 of 4 (A [b])"}})
	p.TotalPhases, p.LastPhase = 4, number(t, "7") // its milestone has phases 4 to 7
	checkValues(t, "", labelPhase, p, []lineCase{{"3 of 3 (Mix)", "4 (A [b])"}, {"4 of 4 (X)", ""}, {"4 of 7 (X)", ""}, {"3 of 9", "4 of 9 (A [b])"}})
	p.TotalPhases, p.LastPhase = 3, number(t, "3.2")
	checkValues(t, "", labelPhase, p, []lineCase{{"3 of 4", "4 of 4 (A [b])"}})
	p.Names = func(n planref.Number) string {
		return map[string]string{"3": "npm package (old)", "4": "iOS app"}[n.String()]
	}
	p.PhaseName = "iOS app"
	checkValues(t, "", labelPhase, p, []lineCase{{"3 (npm package [old])", "4 (iOS app)"}, {"3 (iOS app)", "!words Phase: 4 (iOS app)"}})
	for _, odd := range []string{"4A.1B", "4AB"} {
		if n, ok := planref.ParseNumber(odd); ok {
			p.Phase = n
			checkValues(t, "", labelPhase, p, []lineCase{{"3", "!unreadable Phase: " + odd + " (" + p.PhaseName + ")"}})
		}
	}
	p.Phase, p.PhaseName = number(t, "4A.10"), ""
	checkValues(t, "", labelPhase, p, []lineCase{{"4", "4A.10"}, {"4A.10", ""}})
	checkValues(t, "", labelPhase, Position{Status: InProgress}, []lineCase{{"3", ""}, {"", ""}})
}

func TestPlanLine(t *testing.T) {
	p := at(t)
	checkValues(t, "Phase: 4 of 6", "Plan", p, []lineCase{
		{"1 of 3 in current phase", "2 of 3 in current phase"},
		{"0 of 3", "2 of 3 in current phase"},
		{"1 of 2", "2 of 3 in current phase"},
		{"1 of 4", "2 of 3 in current phase"}, // of which one was dropped
		{"1 of TBD in current phase", "2 of 3 in current phase"},
		{"1 of ?", "2 of 3 in current phase"},
		{"1", "2 of 3 in current phase"},
		{"—", "2 of 3 in current phase"},
		{"Not started", "2 of 3 in current phase"},
		{"2 of 3", ""},
		{"2", ""},
		{"2 of 3 (almost there)", ""},
		{"1 of 3 — COMPLETE", "2 of 3 in current phase"},
		{"2 of 3 — COMPLETE", ""},
		{"1 of 3 — COMPLETE, all of it", "!words Plan: 2 of 3 in current phase"},
		{"3 of 3", "!backwards Plan: 2 of 3 in current phase"},
		{"2 of 4 in current phase", "!backwards Plan: 2 of 3 in current phase"},
		{"1 of 3 in Phase 4", "!words Plan: 2 of 3 in current phase"},
		{"04-01-PLAN.md", "!words Plan: 2 of 3 in current phase"},
		{"1/3 complete", "!words Plan: 2 of 3 in current phase"},
		{"1 of ", "!words Plan: 2 of 3 in current phase"},
		{"1234567", "!words Plan: 2 of 3 in current phase"},
	})
	checkValues(t, "Phase: 3 of 6", "Plan", p, []lineCase{
		{"3 of 3 in current phase", "2 of 3 in current phase"},
		{"7 of 9", "2 of 3 in current phase"},
		{"3 of 3 — COMPLETE", "2 of 3 in current phase"}, // it would be said of phase 4
		{"2 of 3", ""},
		{"2 of 3 (almost there)", "!words Plan: 2 of 3 in current phase"},
	})
	checkValues(t, "Phase: 5 of 6", "Plan", p, []lineCase{{"1 of 1", "!contradicts Plan: 2 of 3 in current phase"}, {"2 of 3", ""}})
	checkValues(t, "Phase: 3, soon 4", "Plan", p, []lineCase{{"1 of 3", "!contradicts Plan: 2 of 3 in current phase"}})
	checkValues(t, "Note: no phase", "Plan", p, []lineCase{{"1 of 3", "!phase Plan: 2 of 3 in current phase"}})
	p.Plan = 0
	checkValues(t, "Phase: 4 of 6", "Plan", p, []lineCase{{"2 of 4", "!backwards Plan: 0 of 3 in current phase"}, {"Not started", ""}})
	p.Plans = 0
	checkValues(t, "Phase: 3 of 6", "Plan", p, []lineCase{{"3 of 3", "Not started"}, {"—", ""}, {"1 of many", "!words Plan: Not started"}})
	checkValues(t, "Phase: 4 of 6", "Plan", p, []lineCase{{"1 of TBD", ""}, {"3 of 3", ""}})
}

func TestStatusLine(t *testing.T) {
	p := at(t)
	checkValues(t, "Phase: 4 of 6", "Status", p, []lineCase{
		{"Ready to plan", "In progress"},
		{"ready to execute", "In progress"},
		{"Planning Phase 4", "In progress"},
		{"unknown", "In progress"},
		{"", "In progress"},
		{"In Progress", ""},
		{"Executing Phase 4", ""},
		{"Active", ""},
		{"Paused", ""},
		{"Discussing", ""},
		{"Phase complete", "!backwards Status: In progress"},
		{"Phase 4 complete", "!backwards Status: In progress"},
		{"Verifying Phase 4", "!backwards Status: In progress"},
		{"v1.0 milestone complete", "!backwards Status: In progress"},
		{"Executing Phase 5", "!backwards Status: In progress"},
		{"Executing Phase 3", "In progress"},
		{"In progress — waiting for clay", "!words Status: In progress"},
		{"Executing Phase 4 — final stretch", "!words Status: In progress"},
		{"The first milestone complete", "!words Status: In progress"},
	})
	checkValues(t, "Phase: 3 of 6", "Status", p, []lineCase{
		{"Phase complete", "In progress"},
		{"Phase 3 complete", "In progress"},
		{"All phases complete", "In progress"},
		{"Paused", "In progress"},
		{"Executing Phase 4", ""},
		{"Phase 3 complete, review pending", "!words Status: In progress"},
	})
	checkValues(t, "Phase: 5 of 6", "Status", p, []lineCase{{"Ready to plan", "!contradicts Status: In progress"}, {"In progress", ""}})
	p.Status = ReadyToExecute
	checkValues(t, "Phase: 4 of 6", "Status", p, []lineCase{{"Planning complete", ""}, {"Planning", string(p.Status)}, {"Executing", ""}})
	checkValues(t, "Phase: 3 of 6", "Status", p, []lineCase{{"Executing", string(p.Status)}})
	p.Status = ReadyToPlan
	checkValues(t, "Phase: 4 of 6", "Status", p, []lineCase{{"Planning", ""}, {"Executing", "!backwards Status: Ready to plan"}})
	p.Status = MilestoneComplete
	checkValues(t, "Phase: 4 of 6", "Status", p, []lineCase{{"In progress", "Milestone complete"}, {"Phase complete", "Milestone complete"}, {"Awaiting next milestone", ""}})
	checkValues(t, "Phase: Milestone v1.0 complete", "Status", p, []lineCase{{"Awaiting next milestone", ""}, {"v1.0 milestone complete", ""}, {"In progress", "Milestone complete"}})
	checkValues(t, "Phase: Milestone v1.0 complete", "Plan", p, []lineCase{{"—", ""}, {"1 of 2", ""}})
}

func TestActivityLine(t *testing.T) {
	p := at(t)
	checkValues(t, "Phase: 4", "Last activity", p, []lineCase{
		{"2026-03-05 — Mixed", "2026-03-06 — Completed 04-01"},
		{"2026-03-05 -- Mixed", "2026-03-06 — Completed 04-01"},
		{"2026-03-05 - Mixed", "2026-03-06 — Completed 04-01"},
		{"2026-03-05", "2026-03-06"},
		{"[YYYY-MM-DD] — [What happened]", "2026-03-06 — Completed 04-01"},
		{"None", "2026-03-06 — Completed 04-01"},
		{"2026-03-06 — Said more", ""},
		{"2026-03-07 14:30", ""},
		{"2026-03-05 14:30 — Mixed", "!words Last activity: 2026-03-06"},
		{"2026-03-05 — " + strings.Repeat("x", maxValue-15), "2026-03-06 — Completed 04-01"},
		{"2026-03-05 — " + strings.Repeat("x", maxValue-14), "!words Last activity: 2026-03-06"},
		{"Mixed (2026-03-05)", "!words Last activity: 2026-03-06"},
		{"2026-3-5", "!words Last activity: 2026-03-06"},
		{"2026-03-055", "!words Last activity: 2026-03-06"},
	})
	p.LastWhat = ""
	checkValues(t, "Phase: 4", "Last activity", p, []lineCase{{"2026-03-05 — Mixed", "2026-03-06"}})
	p.LastWhat = "e"
	checkValues(t, "Phase: 4", "Last activity", p, []lineCase{{"None", "2026-03-06"}})
	for _, year := range []int{1, 999, 10000} {
		p.LastActivity = time.Date(year, 5, 5, 0, 0, 0, 0, time.UTC)
		checkValues(t, "Phase: 4", "Last activity", p, []lineCase{{"0001-01-01", ""}, {"None", ""}})
	}
}

func TestProgressLine(t *testing.T) {
	p := at(t)
	checkValues(t, "Phase: 4", labelProgress, p, []lineCase{
		{"[████░░░░░░] 40%", "[█████░░░░░] 50%"},
		{"[█░░░] 25%", "[██░░] 50%"},
		{"49%", "50%"},
		{"", "[█████░░░░░] 50%"},
		{"[████░░░░░░] 50%", ""},
		{"50% (8/16 plans)", ""},
		{"[██████░░░░] 60%", "!backwards Progress: [█████░░░░░] 50%"},
		{"[████░░░░░░] 40% (75/87 total plans estimated)", "!words Progress: [█████░░░░░] 50%"},
		{"[####------] 40%", "!words Progress: 50%"},
		{"████░░░░░░ 40%", "!words Progress: 50%"},
		{"[░░██] 40%", "!words Progress: 50%"},
		{"~40%", "!words Progress: 50%"},
		{"[] 40%", "50%"},
		{"99.5%", "!words Progress: [█████░░░░░] 50%"},
		{"[########--] 50% (8/16 plans)", ""},
		{"40% of 40%", "!words Progress: 50%"},
		{"most of it", "!words Progress: [█████░░░░░] 50%"},
	})
	p.Percent = 100
	checkValues(t, "Phase: 4", labelProgress, p, []lineCase{{"99%", "100%"}})
	p.TotalPlans = 0
	checkValues(t, "Phase: 4", labelProgress, p, []lineCase{{"99%", "100%"}})
	p.TotalPhases = 0
	checkValues(t, "Phase: 4", labelProgress, p, []lineCase{{"99%", ""}})
	for percent, want := range map[int]string{0: "[░░░░] 0%", 12: "[░░░░] 12%", 13: "[█░░░] 13%", 99: "[███░] 99%", 100: "[████] 100%"} {
		if got := drawProgress(percent, 4); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

const front = `---
gsd_state_version: '1.0'
milestone: v1.1
current_phase: 3
current_phase_name: "Mix"
current_plan: 1
status: planning # by hand
last_activity: 2026-03-01
last_activity_desc: Mixed
progress:
  total_phases: 5
  completed_phases: 2
  total_plans: 12
  completed_plans: 7
  percent: 58
---
`

func TestFrontMatter(t *testing.T) {
	p := at(t)
	p.PhaseName = "Dip: #2"
	p.Milestones, p.Milestone = true, "1.1.0"
	for _, c := range []struct{ name, old, new, want string }{
		{
			"all of it", "", "",
			"current_phase: 4; current_phase_name: \"Dip: #2\"; current_plan: 2; status: executing # by hand; last_activity: 2026-03-06; " +
				"last_activity_desc: \"Completed 04-01\"; total_phases: 6; completed_phases: 3; total_plans: 16; completed_plans: 8; percent: 50",
		},
		{"quotes", "current_phase: 3\n", "current_phase: '03'\n", "current_phase: \"4\""},
		{"another milestone", "v1.1", "v1.0", "!milestone milestone: 1.1.0"},
		{"no milestone", "milestone: v1.1\n", "", "current_phase: 4"},
		{"words", "planning #", "in-progress #", "!words status: executing"},
		{"active", "planning #", "active #", "status: executing # by hand"}, // which upstream does not know
		{"a command's words", "planning #", "Executing Phase 4 #", "status: executing # by hand"},
		{"the same", "planning #", "executing #", "current_plan: 2; last_activity"},
		{"verifying", "planning #", "verifying #", "status: executing # by hand"},
		{"unknown", "planning #", "unknown #", "status: executing # by hand"},
		{"several lines", "current_plan: 1", "current_plan:\n  1", "!words current_plan: 2"},
		{"escapes", `"Mix"`, `"M\u0069x"`, "!words current_phase_name: Dip: #2"},
		{"a block", `"Mix"`, "|\n  Mix", "!words current_phase_name: Dip: #2"},
		{"a flow", "current_plan: 1", "current_plan: [1]", "!words current_plan: 2"},
		{"empty", "current_plan: 1", "current_plan: # none", "current_plan: 2 # none"},
		{"nothing", "current_plan: 1", `current_plan: ""`, `current_plan: "2"`},
		{"of", "current_plan: 1", "current_plan: 1 of 3", "current_plan: 2"},
		{"a later date", "2026-03-01", "2026-03-06", "current_plan: 2; status: executing # by hand; total_phases"},
		{"a date in words", "2026-03-01", "early March", "!words last_activity: 2026-03-06"},
		{"a date and more", "2026-03-01", "2026-03-01 — Mixed", "last_activity: \"2026-03-06 — Completed 04-01\""},
		{"a later phase", "current_phase: 3", "current_phase: 5", "!contradicts current_plan: 2"},
		{"fewer phases", "total_phases: 5", "total_phases: 7", "!scope progress.total_phases: 6; !scope progress.completed_phases: 3; !scope progress.total_plans: 16"},
		{"fewer plans done", "completed_plans: 7", "completed_plans: 9", "!contradicts progress.total_plans: 16; !backwards progress.completed_plans: 8; !contradicts progress.percent: 50"},
		{"counts in words", "completed_plans: 7", "completed_plans: 7 of 12", "!words progress.completed_plans: 8"},
		{"no counts", "  total_phases: 5\n  completed_phases: 2\n  total_plans: 12\n  completed_plans: 7\n", "", "!backwards progress.percent: 50"},
		{"counts that are the same", "total_plans: 12", "total_plans: 16", "total_phases: 6; completed_phases: 3; completed_plans: 8; percent: 50"},
	} {
		src := strings.Replace(front, c.old, c.new, 1)
		if c.old != "" && src == front {
			t.Fatalf("%s: not found", c.name)
		}
		got := become(src, p)
		if !strings.Contains(got, c.want) || c.name == "all of it" && got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
		if bad, _, _ := checkLaws([]byte(src), p); bad != "" {
			t.Errorf("%s: %s", c.name, bad)
		}
	}
	for word, want := range map[string]string{"active": "status: executing", "executing": "", "paused": "", "planning": "status: executing", "verifying": "!backwards status: executing"} {
		p := Position{Phase: number(t, "3"), Status: ReadyToExecute}
		src := "---\ncurrent_phase: 3\nstatus: " + word + "\n---\n"
		if got := become(src, p); got != want {
			t.Errorf("status: %s in the same phase: %s, want %s", word, got, want)
		}
	}
	p.PhaseName = ""
	if got := become(front, p); !strings.Contains(got, "!words current_phase_name: ") {
		t.Errorf("a phase without a name: %s", got)
	}
	p.Phase = number(t, "3")
	if got := become(front, p); strings.Contains(got, "current_phase") {
		t.Errorf("the same phase: %s", got)
	}
	p = at(t)
	p.Phase = number(t, "4.10")
	if got := become(front, p); !strings.Contains(got, `current_phase: "4.10"`) {
		t.Errorf("a phase that YAML reads as a number: %s", got)
	}
}

// Where everything is done, a file that says that the next milestone has started is ahead: that one has no phases yet.
func TestMilestoneBegun(t *testing.T) {
	p := at(t)
	p.Phase, p.PhaseName, p.Status = number(t, "6"), "End", MilestoneComplete
	for _, c := range []struct{ phase, want string }{
		{"Not started (defining requirements)", "!backwards status: completed; !backwards Status: Milestone complete"},
		{"Not started", "Phase: 6 (End); Status: Milestone complete"},
	} {
		src := "---\nstatus: active\n---\n## Current Position\n\nPhase: " + c.phase + "\nStatus: Defining requirements\n"
		got := strings.ReplaceAll(become(src, p), " of 6", "")
		if got = strings.TrimPrefix(got, "status: completed; "); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.phase, got, c.want)
		}
	}
}

// state_head is the commit that the file was written at, so it moves with another value, and only then.
func TestHead(t *testing.T) {
	const old, now = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222abc"
	p := at(t)
	for _, c := range []struct{ front, head, want string }{
		{"state_head: " + old + "\ncurrent_plan: 1", now, "state_head: " + now + "; current_plan: 2"},
		{"state_head: 1111111\ncurrent_plan: 1", now, "state_head: " + now + "; current_plan: 2"},
		{"state_head: \"" + old + "\"\ncurrent_plan: 1", now, "state_head: \"" + now + "\"; current_plan: 2"},
		{"state_head:\ncurrent_plan: 1", now, "state_head: " + now + "; current_plan: 2"},
		{"state_head: " + old + "\ncurrent_plan: 2", now, ""},                                         // nothing else is written
		{"state_head: " + old + "\ncurrent_plan: 3", now, "!backwards current_plan: 2"},               // nor here
		{"state_head: " + old + "\ncurrent_plan: 1", "", "current_plan: 2"},                           // unknown
		{"state_head: main, see notes\ncurrent_plan: 1", now, "current_plan: 2"},                      // a person's words
		{"state_head: " + now + "\ncurrent_plan: 1", now, "current_plan: 2"},                          // as it is
		{"current_plan: 1", now, "current_plan: 2"},                                                   // upstream adds the key
		{"state_head: " + old + "\ncurrent_plan: 1", "12e4", "state_head: \"12e4\"; current_plan: 2"}, // YAML's number
	} {
		p.Head = func() string { return c.head }
		src := "---\n" + c.front + "\n---\n## Current Position\n\nPhase: 4 of 6 (Dip)\n"
		if got := become(src, p); got != c.want {
			t.Errorf("%q at %s becomes\n%q, want\n%q", c.front, c.head, got, c.want)
		}
	}
}

func TestPartsDisagree(t *testing.T) {
	p := at(t)
	for _, c := range []struct{ src, want string }{
		{"---\ncurrent_phase: 3\ncurrent_plan: 3\n---\n## Current Position\nPhase: 4\nPlan: 1 of 3\n", "current_phase: 4; current_plan: 2; Plan: 2 of 3 in current phase"},
		{"---\ncurrent_phase: 5\n---\n## Current Position\nPhase: 3\nPlan: 1 of 3\n", "!backwards current_phase: 4; !contradicts Phase: 4 of 6 (Dip); !contradicts Plan: 2 of 3 in current phase"},
		{"---\ncurrent_phase: 3\n---\n## Current Position\nPhase: 3, or so\n", "!contradicts current_phase: 4; !words Phase: 4 of 6 (Dip)"},
		{"---\ncurrent_phase: 3\n---\n## Current Position\nPlan: 3 of 3\n", "current_phase: 4; Plan: 2 of 3 in current phase"},
		{"---\npercent: 4\nprogress:\n  percent: 60\n---\n## Current Position\nProgress: 40%\n", "!backwards progress.percent: 50; !contradicts Progress: 50%"},
		{"---\ncurrent_phase: 3\n---\n## Current Position\n**Current Phase:** 03\nPlan: 1 of 3\n", "current_phase: 4; **Current Phase:** 4; Plan: 2 of 3 in current phase"},
		{"---\ncurrent_phase: 3\n---\n## Current Position\n**Current Phase:** 03, or so\nPlan: 1 of 3\n", "!contradicts current_phase: 4; !words Current phase: 4; !contradicts Plan: 2 of 3 in current phase"},
		{"---\ncurrent_phase: 3\n---\n# State\n**Current Phase:** 03\n", "!contradicts current_phase: 4"}, // upstream looks there where there is no section
		{"---\ncurrent_phase: 3\n---\n# State\n**Current Phase:** 04\n", "current_phase: 4"},
		{"---\ncurrent_phase: 3 (Mix)\n---\n## Current Position\n", "current_phase: 4"},
		{"---\ncurrent_phase: 3 (Bob's)\n---\n## Current Position\n", "!words current_phase: 4"},                      // a name that is nowhere else
		{"---\ncurrent_phase: 3\n---\n**Current Phase:** 03\n## Current Position\n", "!contradicts current_phase: 4"}, // and everywhere for this label
		{"---\ncurrent_phase: 3\n---\nPhase: 3\n## Current Position\n", "current_phase: 4"},
		{"---\ncurrent_phase: 3\n---\n## Current Position\nPhase: 3\n## Notes\n**Current Phase:** 03\n", "!contradicts current_phase: 4; !contradicts Phase: 4 of 6 (Dip)"},
		{"---\ncurrent_phase: 3\n---\n## Current Position\n**Current Phase:** 3\n## Old\n**Current Phase:** 02\n", "current_phase: 4; **Current Phase:** 4"}, // the first counts
		{"---\ncurrent_phase: 3\n---\n## Current Position\n```\n**Current Phase:** 03\n```\n", "current_phase: 4"},
		{"## Current Position\nPhase: 3\nPhase: 2\nStatus: Planning\n", "Phase: 4 of 6 (Dip); Status: In progress"},
		{"## Current Position\nPhase: 4\nPlan: 1\nPlan: 1\n", "Plan: 2 of 3 in current phase"},
	} {
		if got := become(c.src, p); got != c.want {
			t.Errorf("%s%s\nwant %s", c.src, got, c.want)
		}
	}
}

// A value that must stay keeps those that would contradict it, and is named with each.
func TestContradictions(t *testing.T) {
	p := at(t)
	p.Plan, p.DonePlans, p.TotalPlans, p.Percent = 3, 9, 10, 90
	for _, c := range []struct{ name, src, want string }{
		{
			"a status names a plan", "Phase: 4 of 6 (Dip)\nPlan: 1 of 3\nStatus: Phase 4 Plan 1 complete\nProgress: [████████░░] 80%\n",
			"!contradicts Plan: 3 of 3 in current phase (Status: Phase 4 Plan 1 complete); !words Status: In progress; Progress: [█████████░] 90%",
		},
		{
			"a status names another phase", "Phase: 3 of 6 (Mix)\nPlan: 1 of 3\nStatus: Phase 3 complete, review pending\n",
			"!contradicts Phase: 4 of 6 (Dip) (Status: Phase 3 complete, review pending); " +
				"!contradicts Plan: 3 of 3 in current phase (Status: Phase 3 complete, review pending); !words Status: In progress",
		},
		{"a status names both phases", "Phase: 3 of 6 (Mix)\nStatus: Phase 3 complete, phase 4 next\n", "Phase: 4 of 6 (Dip); !words Status: In progress"},
		{
			"a plan in words", "Phase: 4\nPlan: 1 of 3, nearly\n---\ncurrent_plan: 1\n",
			"!contradicts current_plan: 3 (Plan: 1 of 3, nearly); !words Plan: 3 of 3 in current phase",
		},
		{
			"progress in words", "Phase: 4\nProgress: 80% (of what is estimated)\n---\nprogress:\n  completed_plans: 8\n  percent: 80\n",
			"!contradicts progress.completed_plans: 9 (Progress: 80% (of what is estimated)); " +
				"!contradicts progress.percent: 90 (Progress: 80% (of what is estimated)); !words Progress: 90%",
		},
		{
			"progress that would go backwards", "Phase: 4\nPlan: 3 of 3\nStatus: Phase 4 Plan 1 complete\nProgress: [██████████] 100%\n---\nprogress:\n  completed_plans: 8\n",
			"!contradicts progress.completed_plans: 9 (Progress: [██████████] 100%); !words Status: In progress; !backwards Progress: [█████████░] 90%",
		},
		{
			"a complete phase", "Phase: 4\nPlan: 1 of 3\nStatus: Phase complete\n---\nstatus: planning\n",
			"!contradicts status: executing (Status: Phase complete); !contradicts Plan: 3 of 3 in current phase (Status: Phase complete); !backwards Status: In progress",
		},
		{
			"a complete milestone", "Phase: 4\nStatus: Milestone complete\nProgress: 80%\n",
			"!backwards Status: In progress; !contradicts Progress: 90% (Status: Milestone complete)",
		},
		{
			"the name of another phase", "Phase: 3 (Mix)\n---\ncurrent_phase: 3\ncurrent_phase_name: |\n  Mix\n",
			"!contradicts current_phase: 4 (current_phase_name: |); !words current_phase_name: Dip; !contradicts Phase: 4 of 6 (Dip) (current_phase_name: |)",
		},
		{
			"the legacy label below another heading", "Plan: 1 of 3\n\n## Progress\n\n**Current Phase:** 03\n---\ncurrent_phase: 3\n",
			"!contradicts current_phase: 4 (Current phase: 03); !contradicts Plan: 3 of 3 in current phase (Current phase: 03)",
		},
		{
			"paused", "Phase: 4\nPlan: 1 of 3\nStatus: Paused\n---\nstatus: paused\n", "Plan: 3 of 3 in current phase",
		},
	} {
		body, front, ok := strings.Cut(c.src, "---\n")
		src := "## Current Position\n\n" + body
		if ok {
			src = "---\n" + front + "---\n" + src
		}
		text, edits, left := Update([]byte(src), p)
		var all []string
		lines := strings.Split(string(text), "\n")
		for no := range lines {
			for _, e := range edits {
				if e.Line == no+1 {
					all = append(all, strings.TrimSpace(lines[no]))
				}
			}
			for _, l := range left {
				if l.Line != no+1 {
					continue
				}
				by := ""
				if l.Reason == Contradicts {
					by = fmt.Sprintf(" (%s: %s)", l.Because.Field, l.Because.Value)
				}
				all = append(all, fmt.Sprintf("!%s %s: %s%s", l.Reason, l.Field, l.Want, by))
			}
		}
		if got := strings.Join(all, "; "); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

// A milestone is not complete beside a plan or a percentage that says otherwise.
func TestCompleteBesideOpen(t *testing.T) {
	p := at(t)
	p.Plan, p.DonePlans, p.Percent, p.Status = 3, 16, 100, MilestoneComplete
	for _, c := range []struct{ src, want string }{
		{"Plan: 2 of 3\nStatus: In progress\nProgress: 90%\n", "Plan: 3 of 3 in current phase; Status: Milestone complete; Progress: 100%"},
		{"Plan: 2 of 3, nearly\nStatus: In progress\n", "!words Plan: 3 of 3 in current phase; !contradicts Status: Milestone complete"},
		{"Status: In progress\nProgress: 90% (estimated)\n", "!contradicts Status: Milestone complete; !words Progress: 100%"},
	} {
		if got := become("## Current Position\n\nPhase: 4\n"+c.src, p); got != c.want {
			t.Errorf("%s becomes %s\nwant %s", c.src, got, c.want)
		}
	}
}

// Only some lines are fields, and the text around their values is kept.
func TestLines(t *testing.T) {
	p := Position{Phase: number(t, "4"), TotalPlans: 2, Percent: 50}
	for _, c := range []struct{ src, want string }{
		{"## Current Position\nPhase: 3\n", "## Current Position\nPhase: 4\n"},
		{"# S\r\n### current position ##\r\nPhase: 3  \r\n\r\nnone", "# S\r\n### current position ##\r\nPhase: 4  \r\n\r\nnone"},
		{"## Current Position\nphase:3", "## Current Position\nphase:4"},
		{"## Current Position\nPhase:\t3\nLast activity:\n", "## Current Position\nPhase:\t4\nLast activity:\n"},
		{"## Current Position\n  **Phase:** 3\n", "## Current Position\n  **Phase:** 4\n"},
		{"## Current Position\n**Phase:**\n\nx", "## Current Position\n**Phase:** 4\n\nx"},
		{"## Current Position\nPhase: \nPlan: \n", "## Current Position\nPhase: 4\nPlan: \n"},
		{"#### Current Position\nPhase: 3\n(that is all)\n", "#### Current Position\nPhase: 4\n(that is all)\n"},
		{"## Current Position\nPhase: 3\n- a note\n", "## Current Position\nPhase: 4\n- a note\n"},
		{"## Current Position\nPhase: 3\nMy note: x\n", "## Current Position\nPhase: 4\nMy note: x\n"},
		{"\ufeff---\nprogress:\n  percent: 4\n---\n", "\ufeff---\nprogress:\n  percent: 50\n---\n"},
		// None of these is a field.
		{"Current Position\nPhase: 3\n", ""},
		{"##Current Position\nPhase: 3\n", ""},
		{"## Current Position of it\nPhase: 3\n", ""},
		{"Phase: 3\n## Current Position\n### History\nPhase: 3\n", ""},
		{"## Current Position\n- Phase: 3\n", ""},
		{"## Current Position\n  Phase: 3\n", ""},
		{"## Current Position\nPhase 3\nPhases: 3\n**Phase**: 3\n| Phase | 3 |\n", ""},
		{"```\n## Current Position\nPhase: 3\n```\n", ""},
		{"## Current Position\n<!--\nPhase: 3\n-->\n```\nPhase: 3\n```\n", ""},
		{"## Current Position\n**Phase: 3\n", ""},
		{"## Current Position\n: 3\n", ""},
		{"x\n---\nprogress:\n  percent: 4\n---\n", ""},
		{"--- \nprogress: {percent: 4}\n---\n", ""},
		{"---\n- percent: 4\n---\n", ""},
	} {
		want := c.want
		if want == "" {
			want = c.src
		}
		if got, _, _ := Update([]byte(c.src), p); string(got) != want {
			t.Errorf("%q\nbecomes %q\nwant    %q", c.src, got, want)
		}
	}
}

func TestEditsAndLeft(t *testing.T) {
	src := "---\ncurrent_phase: '3'\n---\n\n## Current Position\n\nPhase: 3 of 6 (Mix)\nStatus: Who knows\n"
	_, edits, left := Update([]byte(src), at(t))
	if len(edits) != 2 || edits[0] != (Edit{2, "current_phase", "'3'", `"4"`}) || edits[1] != (Edit{7, "Phase", "3 of 6 (Mix)", "4 of 6 (Dip)"}) {
		t.Errorf("edits %+v", edits)
	}
	if len(left) != 1 || left[0] != (Left{Line: 8, Field: "Status", Value: "Who knows", Want: "In progress", Reason: Words}) {
		t.Errorf("left %+v", left)
	}
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		src, phase string
		line       int
		problem    string
	}{
		{front + "\n## Current Position\n\nPhase: 4 of 6\n", "4", 20, ""},
		{front + "\n## Current Position\n\nPhase: None\n", "3", 4, ""},
		{front, "3", 4, "0: there is no section"},
		{"## Current Position\n**Phase:** Phase 3.1 - Web\n", "3.1", 2, ""},
		{"## Current Position\nPhase: third\n", "", 0, ""},
		{"", "", 0, "0: there is no section"},
		{"---\ncurrent_phase: 3\na: [\n---\n## Current Position\n", "3", 2, ""},
		{"---\ncurrent_phase: 3\n## Current Position\n", "", 0, "1: the front matter is never closed"},
		{"---\ncurrent_phase: 3\n...\n## Current Position\n", "3", 2, ""},
		{"---\ncurrent_phase: 3\ncurrent_phase: 4\n---\n## Current Position\n", "3", 2, ""},
		{"---\nPhase: 3\n---\n## Current Position\n", "", 0, ""},
		{"## Current Position\ncurrent_phase: 3\n", "", 0, ""},
		{"---\n---\n## Current Position\n", "", 0, ""},
	} {
		f := Read([]byte(c.src))
		if f.Phase.String() != c.phase || f.PhaseLine != c.line {
			t.Errorf("%q: %+v", c.src, f)
		}
		problem := ""
		for _, p := range f.Problems {
			problem = fmt.Sprintf("%d: %s", p.Line, p.Detail)
		}
		if !strings.HasPrefix(problem, c.problem) || (problem == "") != (c.problem == "") {
			t.Errorf("%q: %s, want %s", c.src, problem, c.problem)
		}
	}
}

func TestNew(t *testing.T) {
	p := at(t)
	p.Milestone, p.MilestoneName = "v1.1", "Glaze: the second"
	x := Extras{Title: "Kiln", CoreValue: "It burns.", Updated: p.LastActivity, Root: ".planning/workstreams/x", Todos: 2, Resume: "a.md"}
	text := string(New(p, x))
	for _, want := range []string{
		"---\ngsd_state_version: '1.0'\nmilestone: \"v1.1\"\nmilestone_name: \"Glaze: the second\"\nstatus: executing\nprogress:\n" +
			"  total_phases: 6\n  completed_phases: 3\n  total_plans: 16\n  completed_plans: 8\n  percent: 50\n---\n\n# Project State: Kiln\n",
		"\nSee: .planning/workstreams/x/PROJECT.md (updated 2026-03-06)\n\n**Core value:** It burns.\n**Current focus:** Phase 4: Dip\n\n",
		"\n## Current Position\n\nPhase: 4 of 6 (Dip)\nPlan: 2 of 3 in current phase\nStatus: In progress\n" +
			"Last activity: 2026-03-06 — Completed 04-01\n\nProgress: [█████░░░░░] 50%\n\n",
		"- Total plans completed: 8\n",
		"2 in .planning/workstreams/x/todos/pending/\n", "Last session: 2026-03-06 23:30\nStopped at: Completed 04-01\nResume file: a.md\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	none := string(New(Position{}, Extras{}))
	for _, want := range []string{
		"status: unknown\n", "# Project State\n", "See: .planning/PROJECT.md\n\n**Current focus:** none\n",
		"Phase: Not started\nPlan: Not started\nStatus: Unknown\nLast activity: [YYYY-MM-DD] — [What happened]\n\nProgress: [░░░░░░░░░░] 0%\n",
		"### Pending Todos\n\nNone yet.\n", "Last session: unknown\nStopped at: unknown\nResume file: None\n",
	} {
		if !strings.Contains(none, want) {
			t.Errorf("%q is missing:\n%s", want, none)
		}
	}
	if strings.Contains(none, "{") || strings.Contains(none, "milestone") || strings.Contains(none, "Core value") {
		t.Errorf("made up:\n%s", none)
	}
}

// Hostile files are not slow.
func TestHuge(t *testing.T) {
	if testing.Short() {
		t.Skip("reads files of megabytes")
	}
	p := at(t)
	for _, src := range []string{
		"## Current Position\nPhase: 3" + strings.Repeat(" (", 1<<19),
		"## Current Position\nStatus: x" + strings.Repeat(" - y (z)", 1<<17),
		"## Current Position\nProgress: " + strings.Repeat("1/2 plans ", 1<<16),
		"## Current Position\n" + strings.Repeat("Plan: 1\n", 1<<17),
		"---\n" + strings.Repeat("[", 1<<20) + "\n---\n",
		"---\n" + strings.Repeat("- a\n", 1<<18),
	} {
		if bad, edits, _ := checkLaws([]byte(src), p); bad != "" || len(edits) > 0 {
			t.Errorf("%.30q: %s, %d edits", src, bad, len(edits))
		}
	}
}
