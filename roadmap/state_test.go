package roadmap

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// statePhaseComplete is a status that is read and that gsd does not write by itself.
const statePhaseComplete = "Phase complete"

var stateDay = time.Date(2026, 1, 18, 23, 30, 0, 0, time.UTC)

// updateLine is what one line of the section becomes, below lines that say where the file is.
func updateLine(t *testing.T, above, line string, p StatePosition) string {
	t.Helper()
	head := "# Project State\n\n## Current Position\n\n" + above
	src := head + line + "\n\n## Session Continuity\n\nStatus: Phase 9\nPhase: 9 of 9\n"
	out, _ := UpdateState([]byte(src), p)
	if bad, _ := checkStateLaws([]byte(src), p); bad != "" {
		t.Errorf("%s: %s", line, bad)
	}
	lines := strings.Split(string(out), "\n")
	return lines[strings.Count(head, "\n")]
}

func TestStatePhaseLine(t *testing.T) {
	web := StatePosition{Phase: number("3"), PhaseName: "Web", Phases: 4, Status: StateInProgress, Milestone: "1.2"}
	for _, c := range []struct{ old, want string }{
		{"Phase: 2 of 4 (API)", "Phase: 3 of 4 (Web)"},
		{"**Phase:** 2 of 4 (API)", "**Phase:** 3 of 4 (Web)"},
		{"- **Phase**: 2 of 4 (API)  ", "- **Phase**: 3 of 4 (Web)  "},
		{"**Phase: 2 of 4**", "**Phase: 3 of 4**"},
		{"Phase: **2 of 4 (API)**", "Phase: **3 of 4 (Web)**"},
		{"**Current Phase:** 2", "**Current Phase:** 3"},
		{"| Phase | 2 of 4 (API) |", "| Phase | 3 of 4 (Web) |"},
		{"| **Phase** | |", "| **Phase** | 3 of 4 (Web) |"},
		{"Phase:\t02 of 04 (api-layer) — EXECUTING", "Phase:\t03 of 04 (web) — EXECUTING"},
		{"Phase: 2 of 4 (API) — COMPLETE", "Phase: 3 of 4 (Web)"},
		{"Phase: 2 of 4 (API) — waiting for keys", "Phase: 3 of 4 (Web) — waiting for keys"},
		{"Phase: 2 of 4 (API) <!-- mine -->", "Phase: 3 of 4 (Web) <!-- mine -->"},
		{"Phase: 2/3", "Phase: 3/4"},
		{"Phase: 2 of TBD (API (v2))", "Phase: 3 of 4 (Web)"},
		{"Phase: 2", "Phase: 3"},
		{"Phase: Phase 2: API Layer", "Phase: Phase 3: Web"},
		{"Phase: 2 — API Layer (done)", "Phase: 3 — Web"},
		{"Phase: 2 API Layer — planned", "Phase: 3 Web"},
		{"Phase: 02-api-layer", "Phase: 03-web"},
		{"Phase: 2 of 4 (v1.2) - Complete", "Phase: 3 of 4 (v1.2)"},
		{"Phase: 2 of 4 (v1.1)", "Phase: 3 of 4 (v1.2)"},
		{"Phase: 2 (second of 4 in v1.2) — API Layer", "Phase: 3 — Web"},
		{"- **Phase**: 2 of 4 (executed, pending review)", "- **Phase**: 3 of 4"},
		{"Phase: Not started (defining requirements)", "Phase: 3 of 4 (Web)"},
		{"Phase: — (between milestones)", "Phase: 3 of 4 (Web)"},
		{"Phase: v1.1 COMPLETE", "Phase: 3 of 4 (Web)"},
		{"Phase:", "Phase: 3 of 4 (Web)"},
		{"Phase: ", "Phase: 3 of 4 (Web)"},
		// The same in other words.
		{"Phase: 03 of 04 (the web)", "Phase: 03 of 04 (the web)"},
		{"Phase: 3", "Phase: 3"},
		{"Phase: 3 of 6 (Web)", "Phase: 3 of 4 (Web)"},
		// What is not understood.
		{"Phase: 2 & 3 (in parallel)", "Phase: 2 & 3 (in parallel)"},
		{"Phase: 1-3 archived", "Phase: 1-3 archived"},
		{"Phase: see the board", "Phase: see the board"},
		{"Phase: 2nd", "Phase: 2nd"},
		{"Phase: 2 von 4 (API)", "Phase: 2 von 4 (API)"},
		{"Phase: 2 bis 4", "Phase: 2 bis 4"},
		{"Phase: 2 api layer — COMPLETE", "Phase: 2 api layer — COMPLETE"},
		{"Phase: 2 of 4 (API and", "Phase: 2 of 4 (API and"},
		{"Phases: 2 of 4", "Phases: 2 of 4"},
		{"Phase 2: done", "Phase 2: done"},
	} {
		if got := updateLine(t, "", c.old, web); got != c.want {
			t.Errorf("%q became %q, want %q", c.old, got, c.want)
		}
	}
}

func TestStatePhaseTotal(t *testing.T) {
	for _, c := range []struct {
		phase  string
		phases int
		old    string
		want   string
	}{
		{"33", 5, "Phase: 32 of 36 (A)", "Phase: 33 of 36"}, // 5 counts the milestone's, 36 all
		{"37", 5, "Phase: 36 of 36", "Phase: 37 of TBD"},
		{"37", 0, "Phase: 36 of 36", "Phase: 37 of TBD"},
		{"38", 40, "Phase: 37 of TBD", "Phase: 38 of 40"},
		{"4.1", 4, "Phase: 4 of 4 (A)", "Phase: 4.1 of 4"},
		{"3", 0, "Phase: 2.1 of 5.1", "Phase: 3 of 5.1"},
		{"3A", 12, "Phase: 02 of 09", "Phase: 03A of 12"},
	} {
		p := StatePosition{Phase: number(c.phase), Phases: c.phases}
		if got := updateLine(t, "", c.old, p); got != c.want {
			t.Errorf("%q became %q, want %q", c.old, got, c.want)
		}
	}
}

func TestStatePlanLine(t *testing.T) {
	for _, c := range []struct {
		above, old, want string
	}{
		{"", "Plan: 1 of 3 in current phase", "Plan: 2 of 4 in current phase"},
		{"", "**Current Plan:** 1", "**Current Plan:** 2"},
		{"", "Plan: 01 of 03", "Plan: 02 of 04"},
		{"", "Plan: 1/4 complete", "Plan: 2/4"},
		{"", "Plan: 2 of TBD in current phase", "Plan: 2 of 4 in current phase"},
		{"", "Plan: 1 of ? (not yet planned)", "Plan: 2 of 4"},
		{"", "Plan: 1 of 4 in Phase 2", "Plan: 2 of 4 in Phase 3"},
		{"", "Plan: 1 of 4 in current phase (02-01 complete)", "Plan: 2 of 4 in current phase"},
		{"", "Plan: 1 of 4 — waiting for keys", "Plan: 2 of 4 — waiting for keys"},
		{"", "Plan: 03-01-PLAN.md", "Plan: 03-02-PLAN.md"},
		{"", "Plan: 3-01 executed", "Plan: 3-02"},
		{"", "Plan: 03-01 Token Store and Rotation", "Plan: 03-02"},
		{"Phase: 2 of 5\n", "Plan: 02-04", "Plan: 03-02"},
		{"", "Plan: Not started", "Plan: 2 of 4 in current phase"},
		{"", "Plan:", "Plan: 2 of 4 in current phase"},
		{"", "Plan: All 4 plans executed", "Plan: 2 of 4 in current phase"},
		{"Phase: 2 of 5\n", "Plan: gathering context", "Plan: 2 of 4 in current phase"},
		// The same, or not understood.
		{"", "Plan: 2/4", "Plan: 2/4"},
		{"", "Plan: 02 of 04 (the token store)", "Plan: 02 of 04 (the token store)"},
		{"", "Plan: 03-02-rotation-PLAN.md", "Plan: 03-02-rotation-PLAN.md"},
		{"", "Plan: 03-01, 03-02 in parallel", "Plan: 03-01, 03-02 in parallel"},
		{"", "Plan: gathering context", "Plan: gathering context"},
		// The same numbers of another phase.
		{"Phase: 2 of 5\n", "Plan: 2 of 4 (tests of the API)", "Plan: 2 of 4"},
	} {
		p := StatePosition{Phase: number("3"), Plan: 2, Plans: 4, Status: StateInProgress}
		if got := updateLine(t, c.above, c.old, p); got != c.want {
			t.Errorf("%q became %q, want %q", c.old, got, c.want)
		}
	}
	unplanned := StatePosition{Phase: number("4"), Status: StateReadyToPlan}
	for old, want := range map[string]string{
		"Plan: 4 of 4 in current phase":   "Plan: Not started",
		"Plan: All 4 plans executed":      "Plan: Not started",
		"Plan: 0 of TBD in current phase": "Plan: 0 of TBD in current phase",
		"Plan: —":                         "Plan: —",
	} {
		if got := updateLine(t, "Phase: 3\n", old, unplanned); got != want {
			t.Errorf("%q became %q, want %q", old, got, want)
		}
	}
	none := StatePosition{Phase: number("4"), Plans: 3, Status: StateReadyToExecute}
	for old, want := range map[string]string{
		"Plan: Not started":          "Plan: Not started",
		"Plan: — (not yet planned)":  "Plan: 0 of 3 in current phase",
		"Plan: 0 of TBD":             "Plan: 0 of 3",
		"Plan: 03-04":                "Plan: Not started",
		"Plan: Ready to execute now": "Plan: Ready to execute now",
	} {
		if got := updateLine(t, "", old, none); got != want {
			t.Errorf("%q became %q, want %q", old, got, want)
		}
	}
}

func TestStateStatusLine(t *testing.T) {
	for _, c := range []struct{ above, old, status, want string }{
		{"", "Status: Ready to execute", StateInProgress, "Status: In progress"},
		{"", "Status:", StateInProgress, "Status: In progress"},
		{"", "**Status:**", StateInProgress, "**Status:** In progress"},
		{"", "**Status:** ", StateInProgress, "**Status:** In progress"},
		{"", "Status: executing", statePhaseComplete, "Status: phase complete"},
		{"", "Status: in-progress", statePhaseComplete, "Status: phase-complete"},
		{"", "Status: in_progress", statePhaseComplete, "Status: phase_complete"},
		{"", "Status: **IN PROGRESS**", statePhaseComplete, "Status: **PHASE COMPLETE**"},
		{"", "Status: v1.0 complete — planning the next", StateReadyToExecute, "Status: Ready to execute"},
		{"", "Status: In progress — waiting for keys", statePhaseComplete, "Status: Phase complete — waiting for keys"},
		{"", "Status: In progress — executing 03-02", statePhaseComplete, "Status: Phase complete"},
		{"", "Status: Executing Phase 2", StateInProgress, "Status: In progress"},
		{"", "Status: Phase 2 complete, ready for Phase 4", StateReadyToPlan, "Status: Ready to plan"},
		{"Phase: 2\n", "Status: Phase 2 complete — review passed", StateInProgress, "Status: In progress"},
		{"Phase: 2\n", "Status: In progress — executing 02-04", StateInProgress, "Status: In progress"},
		{"Phase: 2\n", "Status: Paused", StateInProgress, "Status: In progress"},
		{"Phase: 2\n", "Status: Verifying phase 2", StateInProgress, "Status: In progress"},
		// A remark of somebody's stays whatever moves.
		{"Phase: 2\n", "Status: Waiting on the design", StateReadyToPlan, "Status: Waiting on the design"},
		{"Phase: 2\n", "Status: Blocked: waiting for API key from ops (ticket 123)", StateReadyToExecute, "Status: Blocked: waiting for API key from ops (ticket 123)"},
		{"Phase: 2\n", "Status: Blocked — ops owes us a key", StateReadyToExecute, "Status: Blocked — ops owes us a key"},
		{"Phase: 2\n", "Status: In progress — waiting for ticket 123", StateReadyToExecute, "Status: Ready to execute — waiting for ticket 123"},
		{"Phase: 2\n", "Status: In progress — waiting for ticket 123", StateInProgress, "Status: In progress — waiting for ticket 123"},
		{"Phase: 2\n", "Status: Ann is on holiday", StateReadyToExecute, "Status: Ann is on holiday"},
		{"Phase: 2\n", "Status: TBD", StateReadyToExecute, "Status: Ready to execute"},
		{"", "Status: Waiting on the design", StateInProgress, "Status: Waiting on the design"},
		// The same in other words.
		{"", "Status: In Progress — executing 03-02", StateInProgress, "Status: In Progress — executing 03-02"},
		{"", "Status: executing", StateInProgress, "Status: executing"},
		{"", "Status: Executing Phase 03", StateInProgress, "Status: Executing Phase 03"},
		{"", "Status: Phase 2 complete, ready for Phase 3", StateReadyToPlan, "Status: Phase 2 complete, ready for Phase 3"},
		{"", "Status: Not started", StateReadyToPlan, "Status: Not started"},
		{"", "Status: v1.2 shipped", StateMilestoneComplete, "Status: v1.2 shipped"},
		{"", "Status: Phase complete ✅", statePhaseComplete, "Status: Phase complete ✅"},
		// What only people know.
		{"", "Status: Paused", StateInProgress, "Status: Paused"},
		{"", "Status: UAT passed; review pending", statePhaseComplete, "Status: UAT passed; review pending"},
		{"", "Status: Writing the parser", StateInProgress, "Status: Writing the parser"},
		{"", "Status: Writing the parser", statePhaseComplete, "Status: Writing the parser"},
		{"", "Status: costs $1 and $2", StateMilestoneComplete, "Status: costs $1 and $2"},
		{"", "Status: Ready to plan", "", "Status: Ready to plan"},
		{"", "Status: Ready to plan", "${1} $0\nx", "Status: ${1} $0 x"},
	} {
		p := StatePosition{Phase: number("3"), Status: c.status}
		if got := updateLine(t, c.above, c.old, p); got != c.want {
			t.Errorf("%q became %q, want %q", c.old, got, c.want)
		}
	}
}

func TestStateActivityLine(t *testing.T) {
	for _, c := range []struct{ old, what, want string }{
		{"Last activity: 2026-01-17 — Planned phase 3", "Completed 03-01", "Last activity: 2026-01-18 — Completed 03-01"},
		{"Last activity: 2026-01-17 -- Planned", "Paid $2,500 ($1)", "Last activity: 2026-01-18 -- Paid $2,500 ($1)"},
		{"Last Activity: 2026-01-17", "Completed 03-01", "Last Activity: 2026-01-18"},
		{"Last activity: 2026-01-17 09:15 - Planned", "Completed 03-01", "Last activity: 2026-01-18 23:30 - Completed 03-01"},
		{"Last activity: 2026-01-17 — Planned", "", "Last activity: 2026-01-18"},
		{"- **Last Activity**: Phase 3 planned (2026-01-17)", "Completed 03-01", "- **Last Activity**: Completed 03-01 (2026-01-18)"},
		{"Last activity:", "Completed 03-01", "Last activity: 2026-01-18 — Completed 03-01"},
		{"Last activity: None", "", "Last activity: 2026-01-18"},
		{"Last activity: 2026-01-18 — Planned", "Completed 03-01", "Last activity: 2026-01-18 — Planned"},
		{"Last activity: 2026-01-18 — completed 03-01 (tokens)", "Completed 03-01", "Last activity: 2026-01-18 — completed 03-01 (tokens)"},
		{"Last activity: 2026-01-19 — Discussed", "Completed 03-01", "Last activity: 2026-01-19 — Discussed"},
		{"Last activity: last Tuesday", "Completed 03-01", "Last activity: last Tuesday"},
		{"Last activity: 2026-01-17 — x", "a\nStatus: b <!-- c", "Last activity: 2026-01-18 — a Status: b <! -- c"},
	} {
		if got := updateLine(t, "", c.old, StatePosition{LastActivity: stateDay, LastWhat: c.what}); got != c.want {
			t.Errorf("%q became %q, want %q", c.old, got, c.want)
		}
	}
}

func TestStateProgressLine(t *testing.T) {
	for _, c := range []struct{ above, old, want string }{
		{"", "Progress: [████░░░░░░] 40%", "Progress: [██████░░░░] 55%"},
		{"", "Progress: ████░░░░ 40.5%", "Progress: ████░░░░ 55%"},
		{"", "Progress: [####......] 40% (8/20 plans complete)", "Progress: [######....] 55% (11/20 plans complete)"},
		{"", "Progress: [=====     ] ~50% (10/19 plans)", "Progress: [======    ] ~55% (11/20 plans)"},
		{"", "Progress: [▓░░░] 8/20 plans (40%)", "Progress: [▓▓░░] 11/20 plans (55%)"},
		{"", "Progress: [##--------] 2/10 phases", "Progress: [###-------] 3/9 phases"},
		{"", "Progress bar: `[░░░░░░░░░░]` 0% (v1.2)", "Progress bar: `[██████░░░░]` 55% (v1.2)"},
		{"", "Progress: 40% (3/TBD plans complete)", "Progress: 55% (11/20 plans complete)"},
		{"", "Progress: [░░░░] 20% (phases 1 + 2 complete, 3 remaining)", "Progress: [██░░] 55%"},
		{"", "Progress: [████] 100% (all plans complete)", "Progress: [██░░] 55%"},
		{"", "Progress:", "Progress: [██████░░░░] 55%"},
		{"", "Progress: [█████] 55%", "Progress: [█████] 55%"},
		{"", "Progress: 11 of 20 plans (60%)", "Progress: 11 of 20 plans (60%)"},
		{"", "Progress: [####------] 40% (Phase 3: 2/5 plans)", "Progress: [####------] 40% (Phase 3: 2/5 plans)"},
		{"Phase: 2\n", "Progress: [####------] 40% (Phase 2: 2/5 plans)", "Progress: [######----] 55%"},
		{"", "Progress: v1.0 shipped", "Progress: v1.0 shipped"},
		{"", "Progress: 40% of 50%", "Progress: 40% of 50%"},
	} {
		p := StatePosition{Phase: number("3"), DonePhases: 3, TotalPhases: 9, DonePlans: 11, TotalPlans: 20}
		if got := updateLine(t, c.above, c.old, p); got != c.want {
			t.Errorf("%q became %q, want %q", c.old, got, c.want)
		}
	}
}

func TestStateMilestoneLine(t *testing.T) {
	for _, c := range []struct{ old, want string }{
		{"Milestone: v1.1 Alpha — archived", "Milestone: v1.2 Polish"},
		{"Milestone: 1.1", "Milestone: 1.2"},
		{"Milestone: between milestones", "Milestone: v1.2 Polish"},
		{"Milestone: v1.2 Something", "Milestone: v1.2 Something"},
		{"Milestone: The big one", "Milestone: The big one"},
	} {
		if got := updateLine(t, "", c.old, StatePosition{Milestone: "v1.2", MilestoneName: "Polish"}); got != c.want {
			t.Errorf("%q became %q, want %q", c.old, got, c.want)
		}
	}
}

// The whole of a file: which lines change, and that no other does.
func TestUpdateState(t *testing.T) {
	p := StatePosition{
		Milestone: "1.2", MilestoneName: "a: b", Phase: number("4"), PhaseName: `Say "no" #2`, Phases: 5, Plans: 2, Status: StateReadyToExecute,
		LastActivity: stateDay, LastWhat: "Planned: phase 4", DonePhases: 3, TotalPhases: 5, DonePlans: 6, TotalPlans: 8,
	}
	for _, c := range []struct {
		name, src string
		want      []StateEdit
	}{
		{
			"front matter and section", "---\r\ngsd_state_version: 1.0\r\nmilestone: v1.1 # ours\r\nmilestone_name: 'it''s'\r\ncurrent_phase: \"03\"\r\n" +
				"current_phase_name: web\r\ncurrent_plan: 2\r\nstatus: paused\r\nstopped_at: Phase 3\r\nlast_activity: 2026-01-17 -- Completed\r\n" +
				"progress:\r\n  total_phases: 5\r\n  completed_phases: 2\r\n  total_plans: 8\r\n  completed_plans: '4'\r\n  percent: 50\r\n---\r\n" +
				"# Project State\r\n\r\n## Current Position\r\n\r\nPhase: 3 of 5 (Web)\r\nPlan: 2 of 2\r\nStatus: Phase complete",
			[]StateEdit{
				{3, "milestone", "v1.1", "v1.2"},
				{4, "milestone_name", "'it''s'", "'a: b'"},
				{5, "current_phase", `"03"`, `"04"`},
				{6, "current_phase_name", "web", "say-no-2"},
				{8, "status", "paused", "executing"},
				{10, "last_activity", "2026-01-17 -- Completed", `"2026-01-18 -- Planned: phase 4"`},
				{13, "progress.completed_phases", "2", "3"},
				{15, "progress.completed_plans", "'4'", "'6'"},
				{16, "progress.percent", "50", "75"},
				{22, "Phase", "3 of 5 (Web)", `4 of 5 (Say "no" #2)`},
				{23, "Plan", "2 of 2", "0 of 2"},
				{24, "Status", "Phase complete", "Ready to execute"},
			},
		},
		{
			"held while the phase is the same", "---\ncurrent_phase: 4\nstatus: verifying\n---\n## Current Position\nStatus: Verifying\n", nil,
		},
		{
			"examples, comments and other sections",
			"```\n## Current Position\nPhase: 1\n```\n<!--\n## Current Position\n-->\n## History\nPhase: 1 of 5\n### Current Position\n```yaml\nStatus: x\n```\n" +
				"<!-- Status: y -->\nPhase: 3\nPhase: 2\n#### Before\nPlan: 1 of 2\n## Current Position\nPhase: 1\n",
			[]StateEdit{{15, "Phase", "3", "4"}},
		},
		{
			"broken front matter is left alone", "---\nstatus: planning\nlast_activity: 2026-01-17 -- a: b: c\n---\n## Current Position\nStatus: Planning\n",
			[]StateEdit{{6, "Status", "Planning", "Ready to execute"}},
		},
		{
			"a key twice is left alone", "---\nstatus: planning\nstatus: paused\n---\n## Current Position\nPhase: 3\n",
			[]StateEdit{{6, "Phase", "3", "4"}},
		},
		{
			"only plain values", "---\ncurrent_phase: &a 3\nmilestone: |\n  v1.1\nstatus: in\n  progress\nprogress: {percent: 3}\n---\n", nil,
		},
		{
			"an empty value never takes the next line", "---\nstatus:\ncurrent_phase: 3\n---\n## Current Position\n\n**Status:**\nPhase: 3\n**Plan:**",
			[]StateEdit{
				{2, "status", "", "executing"},
				{3, "current_phase", "3", "4"},
				{7, "Status", "", "Ready to execute"},
				{8, "Phase", "3", "4"},
				{9, "Plan", "", "0 of 2 in current phase"},
			},
		},
		{"no section", "# State\nPhase: 3\nStatus: x\n", nil},
		{"thematic breaks", "---\ntext\n---\n## Current Position\nPhase: 3\n", []StateEdit{{5, "Phase", "3", "4"}}},
		{"byte order mark", "\ufeff---\ncurrent_phase: 3\n---\n", []StateEdit{{2, "current_phase", "3", "4"}}},
		{"legacy labels", "## Current Position\n**Current Phase Name:** Web\n**Total Phases:** 4\n**Total Plans in Phase:** 2\n", []StateEdit{
			{2, "Phase name", "Web", `Say "no" #2`},
			{3, "Total phases", "4", "5"},
		}},
	} {
		out, edits := UpdateState([]byte(c.src), p)
		if diff := cmp.Diff(c.want, edits); diff != "" {
			t.Errorf("%s: %s\n%s", c.name, diff, out)
		}
		if bad, _ := checkStateLaws([]byte(c.src), p); bad != "" {
			t.Errorf("%s: %s", c.name, bad)
		}
		if out, edits := UpdateState([]byte(c.src), StatePosition{}); len(edits) > 0 || !bytes.Equal(out, []byte(c.src)) {
			t.Errorf("%s: the zero position edits %v", c.name, edits)
		}
	}
}

// A long line costs little, and so does front matter that is none. What is quadratic takes minutes here.
func TestStateHuge(t *testing.T) {
	p := StatePosition{Phase: number("4"), Status: StateInProgress, DonePlans: 1, TotalPlans: 3}
	for _, src := range []string{
		"## Current Position\nPhase: 3" + strings.Repeat(" (", 1<<20),
		"## Current Position\nStatus: x" + strings.Repeat(" - y (z)", 1<<18),
		"## Current Position\nProgress: " + strings.Repeat("1/2 plans ", 1<<18),
		"---\n" + strings.Repeat("[", 1<<20) + "\n---\n",
		"---\n" + strings.Repeat("- a\n", 1<<18),
	} {
		start := time.Now()
		if _, edits := UpdateState([]byte(src), p); len(edits) > 0 {
			t.Errorf("%.30q: %d edits", src, len(edits))
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%.30q took %s", src, took)
		}
	}
}

func TestReadState(t *testing.T) {
	src := "---\nmilestone: v1.1\ncurrent_phase: 2\nstatus: executing\nprogress:\n  total_plans: 8\n  completed_plans: 3\n---\n" +
		"## Current Position\n\nMilestone: v1.2 Polish\nPhase: 03 of 05 (Web) — EXECUTING\nPlan: 2/4\nStatus: In progress\n" +
		"Last activity: 2026-01-18 — Completed 03-01\nProgress: [##--] 50% (4/8 plans)\n"
	facts := ReadState([]byte(src))
	body := StateSaid{
		StatePosition: StatePosition{
			Milestone: "v1.2", MilestoneName: "Polish", Phase: number("3"), PhaseName: "Web", Phases: 5, Plan: 2, Plans: 4, Status: "In progress",
			LastActivity: time.Date(2026, 1, 18, 0, 0, 0, 0, time.UTC), LastWhat: "Completed 03-01", DonePlans: 4, TotalPlans: 8,
		},
		PhaseLine: 12,
	}
	if facts.Body != body {
		t.Errorf("%+v\nwant %+v", facts.Body, body)
	}
	front := facts.Front
	if front.Phase.String() != "2" || front.PhaseLine != 3 || front.Status != "executing" || front.DonePlans != 3 {
		t.Errorf("%+v", front)
	}
	if n, line := facts.Phase(); n.String() != "3" || line != 12 || facts.Section != 9 || len(facts.Warnings) != 0 {
		t.Errorf("phase %s on line %d, section %d, %v", n, line, facts.Section, facts.Warnings)
	}
	for src, want := range map[string]string{
		"":                      "section-missing",
		"---\na: [\n---\n":      "front-matter-broken",
		"---\na: 1\na: 2\n---":  "front-matter-broken",
		"---\nstatus: x\n\n# S": "front-matter-open",
	} {
		if w := ReadState([]byte(src)).Warnings; len(w) == 0 || w[0].Code != want {
			t.Errorf("%q: %v, want %s", src, w, want)
		}
	}
}

func TestRenderState(t *testing.T) {
	p := StatePosition{
		Milestone: "1.2", MilestoneName: "Polish", Phase: number("3"), PhaseName: "Web", Phases: 5, Plan: 1, Plans: 3, Status: StateInProgress,
		LastActivity: stateDay, LastWhat: "Completed 03-01-PLAN.md", DonePhases: 2, TotalPhases: 5, DonePlans: 4, TotalPlans: 10,
	}
	got := string(RenderState(p, StateExtras{
		Title: "Notes", CoreValue: "Nothing is lost", Updated: stateDay, Resume: ".planning/phases/03-web/.continue-here.md",
		ByPhase: []StatePhaseRow{{number("1"), "Core | API", 2, 2}, {number("3"), "Web", 1, 3}},
	}))
	want := `# Project State: Notes

## Project Reference

See: .planning/PROJECT.md (updated 2026-01-18)

**Core value:** Nothing is lost
**Current focus:** Phase 3: Web

## Current Position

Milestone: v1.2 Polish
Phase: 3 of 5 (Web)
Plan: 1 of 3 in current phase
Status: In progress
Last activity: 2026-01-18 — Completed 03-01-PLAN.md

Progress: [████░░░░░░] 40%

## Performance Metrics

**Velocity:**
- Total plans completed: 4

**By Phase:**

| Phase | Plans | Done |
|-------|-------|------|
| 1. Core / API | 2 | 2 |
| 3. Web | 3 | 1 |

## Accumulated Context

### Decisions

Decisions are logged in the Key Decisions table of PROJECT.md.

None yet.

### Pending Todos

None yet.

### Blockers/Concerns

None yet.

## Session Continuity

Last session: 2026-01-18 23:30
Stopped at: Completed 03-01-PLAN.md
Resume file: .planning/phases/03-web/.continue-here.md
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	stream := string(RenderState(StatePosition{}, StateExtras{Root: ".planning/workstreams/api", Todos: 2}))
	for _, l := range []string{"See: .planning/workstreams/api/PROJECT.md\n", "\n2 in .planning/workstreams/api/todos/pending/\n"} {
		if !strings.Contains(stream, l) {
			t.Errorf("%q is missing:\n%s", l, stream)
		}
	}
	empty := string(RenderState(StatePosition{}, StateExtras{}))
	for _, l := range []string{"Phase: Not started\n", "Plan: Not started\n", "Last activity: None\n", "Progress: [░░░░░░░░░░] 0%\n", "Resume file: None\n"} {
		if !strings.Contains(empty, l) {
			t.Errorf("%q is missing:\n%s", l, empty)
		}
	}
}

func TestStatePercent(t *testing.T) {
	for _, c := range []struct{ done, total, want int }{{0, 0, 0}, {1, 3, 33}, {2, 3, 67}, {1, 1000, 1}, {999, 1000, 99}, {3, 3, 100}, {5, 3, 100}, {-1, 3, 0}} {
		if got := Percent(c.done, c.total); got != c.want {
			t.Errorf("%d of %d is %d %%, want %d", c.done, c.total, got, c.want)
		}
	}
}
