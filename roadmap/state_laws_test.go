package roadmap

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"

	"pgregory.net/rapid"
)

// checkStateLaws tells which law of UpdateState does not hold for src and p; "" for none.
func checkStateLaws(src []byte, p StatePosition) (string, []StateEdit) {
	before := bytes.Clone(src)
	out, edits := UpdateState(src, p)
	if !bytes.Equal(src, before) {
		return "UpdateState wrote into its argument", edits
	}
	if (len(edits) == 0) != bytes.Equal(out, src) {
		return fmt.Sprintf("%d edits, changed: %v", len(edits), !bytes.Equal(out, src)), edits
	}
	if again, more := UpdateState(out, p); !bytes.Equal(again, out) || len(more) > 0 {
		return fmt.Sprintf("the second update edits %v", more), edits
	}
	was, is := bytes.SplitAfter(src, []byte("\n")), bytes.SplitAfter(out, []byte("\n"))
	if len(was) != len(is) {
		return fmt.Sprintf("%d lines became %d", len(was), len(is)), edits
	}
	edited := map[int]StateEdit{}
	for i, e := range edits {
		if e.Line < 1 || e.Line > len(was) || e.Old == e.New || i > 0 && e.Line <= edits[i-1].Line {
			return fmt.Sprintf("edit %d: %+v", i, e), edits
		}
		edited[e.Line] = e
	}
	for i := range was {
		e, ok := edited[i+1]
		if !ok {
			if !bytes.Equal(was[i], is[i]) {
				return fmt.Sprintf("line %d is not edited and changed: %q", i+1, is[i]), edits
			}
			continue
		}
		if !bytes.Contains(was[i], []byte(e.Old)) || !bytes.Contains(is[i], []byte(e.New)) {
			return fmt.Sprintf("line %d: %q became %q by %+v", i+1, was[i], is[i], e), edits
		}
		if end := lineTail(was[i]); lineTail(is[i]) != end {
			return fmt.Sprintf("line %d ended in %q and ends in %q", i+1, end, lineTail(is[i])), edits
		}
	}
	return "", edits
}

// lineTail is the white space that a line ends with, as far as it is not between label and value.
func lineTail(l []byte) string {
	end := l[len(bytes.TrimRight(l, "\r\n")):]
	return string(end)
}

// checkStateSaid tells which line UpdateState changes although the position says what the file says.
func checkStateSaid(src []byte) string {
	facts := ReadState(src)
	_, edits := UpdateState(src, facts.Body.StatePosition)
	for _, e := range edits {
		if e.Line > facts.Section {
			return fmt.Sprintf("the file's own position edits %+v", e)
		}
	}
	return ""
}

// stateDraw draws a STATE.md out of what real ones are made of, and of what breaks rules.
func stateDraw(t *rapid.T) []byte {
	pick := func(label string, from ...string) string { return rapid.SampledFrom(from).Draw(t, label) }
	var b strings.Builder
	b.WriteString(pick("bom", "", "", "\ufeff"))
	if rapid.Bool().Draw(t, "front") {
		b.WriteString("---\n")
		b.WriteString(pick("fm", "gsd_state_version: 1.0\n", "", "a: [\n", "status: planning # was: paused\n", "<<: x\n"))
		b.WriteString("milestone: " + pick("ms", "v1.0", "1.0", `"v1.0"`, "none", "") + "\n")
		b.WriteString("current_phase: " + pick("cp", "3", "\"03\"", "'3'", "3.1", "03 # here", "") + "\n")
		b.WriteString("current_phase_name: " + pick("cn", "Web", "'it''s'", `"a \"b\""`, "web-ui", "Web\n  UI", "|\n  Web") + "\n")
		b.WriteString(pick("stat", "status: paused\n", "status: executing\n", "status: In progress — now\n", "status:\n", "state: x\n"))
		b.WriteString("last_activity: " + pick("la", "2026-01-18", "2026-01-18 -- Completed", `"2026-01-18T10:00:00Z"`, "") + "\n")
		b.WriteString(pick("pr", "progress:\n  total_plans: 10\n  completed_plans: 4\n  percent: 40\n",
			"progress: {total_plans: 3}\n", "progress:\n    completed_phases: '2'\n    percent: 99\n"))
		b.WriteString(pick("close", "---\n", "---  \n", ""))
	}
	b.WriteString(pick("head", "# Project State\n\n", "```\n## Current Position\nPhase: 1\n```\n", "<!--\n## Current Position\n-->\n"))
	b.WriteString(pick("section", "## Current Position\n\n", "### Current position\n", "## Position\n", ""))
	for range rapid.IntRange(0, 7).Draw(t, "lines") {
		style := pick("style", "%s: %s", "**%s:** %s", "- **%s**: %s", "| %s | %s |", "%s: **%s**", "%s: %s  ", "%s:%s", "**%s: %s**", "_%s:_ %s")
		label := pick("label", "Phase", "Plan", "Status", "Last activity", "Progress", "Milestone", "Current Phase", "Last Activity", "Progress bar", "Note")
		value := pick("value", "", "3 of 5 (Web)", "03 of 05", "3", "3.1 of 5.1 (A (b)) — COMPLETE", "2/4", "03-02-PLAN.md", "69-01 executed",
			"27 - Grep Flags (complete)", "61 Workflow — ready to plan", "18 of 19 (v1.2) - Complete", "46 (fourth of 5 in v1.7) — Topology",
			"04 (web-ui) — EXECUTING", "Not started", "—", "- (x)", "None — between", "1 of TBD in current phase", "2 of 3 in Phase 3 (03-01 complete)",
			"All 4 plans executed", "Ready to plan", "In progress — waiting", "Phase 3 complete, ready for Phase 4", "phase-complete", "executing",
			"PAUSED", "Verifying", "UAT passed; review pending", "2026-01-18 — Completed 03-01", "2026-01-18", "2026-01-18 10:30 - X",
			"Reviewed (2026-01-18)", "[████░░░░░░] 40%", "████░░ 41.5% (v1.0)", "`[##--]` ~50% (5/10 plans complete)", "[##..] 2/4 phases",
			"100% (all plans complete)", "40% (Phase 2)", "7/N plans (70%)", "$1 ${x}", "x <!-- y -->", "3 & 4", "1-3", "1 von 2 (A)", "2 api", "Blocked: waiting for a key (ticket 123)", "In progress — waiting for ticket 3", "|", "3 | 4", "(", "3 of 5 (Web")
		if rapid.IntRange(0, 9).Draw(t, "free") == 0 {
			value = rapid.StringOf(rapid.RuneFrom([]rune("0123./-—() :vofPhaseplan%[]█░#*`|<!>\\\"'"))).Draw(t, "any")
		}
		fmt.Fprintf(&b, style+"\n", label, value)
	}
	b.WriteString(pick("rest", "", "\n## Session Continuity\n\nStatus: x\nPhase: 1\n", "```\nPhase: 9\n", "<!-- Status: y", "Status:\nnext line"))
	src := b.String()
	if rapid.Bool().Draw(t, "crlf") {
		src = strings.ReplaceAll(src, "\n", "\r\n")
	}
	return []byte(src)
}

// statePositionDraw draws a position, with names that mean harm.
func statePositionDraw(t *rapid.T) StatePosition {
	name := rapid.SampledFrom([]string{
		"", "Web", "a: b", "#x", "- y", `say "no"`, "it's", "<!-- x", "x -->", "```", "$1", "a|b", "x\ny", "\u202e\x1b[1m", "Complete",
		"not started", "v2.0", "(", "Done — really", "3 of 4", "- [x] z", "null", "\\",
	})
	number := rapid.SampledFrom([]string{"", "1", "3", "3.1", "4", "12", "99", "3A"})
	phase, _ := planref.ParseNumber(number.Draw(t, "phase"))
	p := StatePosition{
		Milestone: rapid.SampledFrom([]string{"", "1.0", "v1.2", "M3", "a: b"}).Draw(t, "milestone"), MilestoneName: name.Draw(t, "milestone name"),
		Phase: phase, PhaseName: name.Draw(t, "name"), Phases: rapid.IntRange(0, 12).Draw(t, "phases"),
		Plan: rapid.IntRange(0, 4).Draw(t, "plan"), Plans: rapid.IntRange(0, 4).Draw(t, "plans"),
		Status: rapid.SampledFrom([]string{
			"", StateReadyToPlan, StateReadyToExecute, StateInProgress, statePhaseComplete,
			StateMilestoneComplete, "something else", "a: b",
		}).Draw(t, "status"),
		LastWhat:   rapid.OneOf(name, rapid.Just("Completed 03-01-PLAN.md")).Draw(t, "what"),
		DonePhases: rapid.IntRange(0, 5).Draw(t, "dp"), TotalPhases: rapid.IntRange(0, 5).Draw(t, "tp"),
		DonePlans: rapid.IntRange(0, 30).Draw(t, "dn"), TotalPlans: rapid.IntRange(0, 30).Draw(t, "tn"),
	}
	if rapid.Bool().Draw(t, "active") {
		p.LastActivity = time.Date(2026, 1, rapid.IntRange(17, 19).Draw(t, "day"), 23, 5, 0, 0, time.FixedZone("", 2*3600))
	}
	return p
}

func TestStateLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src, p := stateDraw(t), statePositionDraw(t)
		if bad, edits := checkStateLaws(src, p); bad != "" {
			t.Fatalf("%s\n%q\n%+v\n%+v", bad, src, p, edits)
		}
		// The net of UpdateState is for what nobody thought of: here nothing falls into it.
		if out, edits := statePass(src, p.clean()); len(edits) > 0 {
			if _, again := statePass(out, p.clean()); len(again) > 0 {
				t.Fatalf("does not settle\n%q\n%+v\n%+v\n%+v", src, p, edits, again)
			}
		}
	})
}

func TestStateRenderLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := statePositionDraw(t)
		x := StateExtras{Title: p.PhaseName, CoreValue: p.MilestoneName, Root: p.LastWhat, Todos: p.Plan}
		for n := range rapid.IntRange(0, 40).Draw(t, "rows") {
			x.ByPhase = append(x.ByPhase, StatePhaseRow{number(stateDigits(n+1, "")), p.PhaseName, n, n})
		}
		src := RenderState(p, x)
		if out, edits := UpdateState(src, p); len(edits) > 0 || !bytes.Equal(out, src) {
			t.Fatalf("rendered, then updated: %+v\n%s", edits, src)
		}
		if lines := bytes.Count(src, []byte("\n")); lines >= 100 {
			t.Fatalf("%d lines", lines)
		}
		facts := ReadState(src)
		if facts.Section == 0 || len(facts.Warnings) > 0 {
			t.Fatalf("%+v\n%s", facts, src)
		}
		if planref.Compare(facts.Body.Phase, p.Phase) != 0 {
			t.Fatalf("phase %s read as %s\n%s", p.Phase, facts.Body.Phase, src)
		}
	})
}

func FuzzState(f *testing.F) {
	for _, seed := range []string{
		"",
		"# S\n\n## Current Position\n\nPhase: 3 of 5 (Web)\nPlan: 1 of 3 in current phase\nStatus: In progress\n" +
			"Last activity: 2026-01-18 — Completed 03-01-PLAN.md\n\nProgress: [████░░░░░░] 40%\n",
		"\ufeff---\r\nmilestone: v1.0\r\nstatus: paused # x\r\nprogress:\r\n  percent: 4\r\n---\r\n## Current Position\r\n- **Phase**: 03 (web) — EXECUTING\r\n",
		"---\na: [\n---\n## Current Position\n**Current Phase:** 3\n**Status:**\nnext\n",
		"## Current Position\n| Phase | 3 |\n|---|---|\n| Status | |\n```\nPlan: 1\n```\n<!-- Plan: 2 -->\n",
		"## Current Position\nPhase: 46 (fourth of 5 in v1.7) — Topology\nPlan: 46-01 x — y\nProgress: `[##--]` 50% (2/4 phases)",
		"## Position\nphase: Phase 2.1 of ?\nProgress: ███░ ~60.5% (3/5 plans; Phase 2)\nMilestone: v1 Polish\n",
	} {
		f.Add([]byte(seed), "3", "Web: \"x\"", 5, 2, 3, "In progress", "Completed 03-01", 4, 10)
	}
	f.Add([]byte("0"), "0", "`", 88, 2, 24, "0", "`", -11, 10)
	f.Fuzz(func(t *testing.T, src []byte, phase, name string, phases, plan, plans int, status, what string, done, total int) {
		number, _ := planref.ParseNumber(phase)
		p := StatePosition{
			Milestone: name, MilestoneName: what, Phase: number, PhaseName: name, Phases: phases, Plan: plan, Plans: plans,
			Status: status, LastActivity: time.Date(2026, 1, 18, 1, 2, 3, 0, time.UTC), LastWhat: what,
			DonePhases: plan, TotalPhases: plans, DonePlans: done, TotalPlans: total,
		}
		if bad, edits := checkStateLaws(src, p); bad != "" {
			t.Fatalf("%s\n%+v", bad, edits)
		}
		ReadState(src)
		if n := p.Percent(); n < 0 || n > 100 {
			t.Fatalf("%d %%", n)
		}
		rendered := RenderState(p, StateExtras{Title: name, Root: what, Resume: status})
		if _, edits := UpdateState(rendered, p); len(edits) > 0 {
			t.Fatalf("rendered, then updated: %+v\n%s", edits, rendered)
		}
	})
}
