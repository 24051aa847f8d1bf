package statefile

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/testenv"

	"pgregory.net/rapid"
)

// checkLaws returns which law of Update does not hold for src and p, or "".
func checkLaws(src []byte, p Position) (bad string, edits []Edit, left []Left) {
	before := bytes.Clone(src)
	out, edits, left := Update(src, p)
	if !bytes.Equal(src, before) {
		return "Update wrote into its argument", edits, left
	}
	if (len(edits) == 0) != bytes.Equal(out, src) {
		return fmt.Sprintf("%d edits, changed: %v", len(edits), !bytes.Equal(out, src)), edits, left
	}
	if again, more, _ := Update(out, p); !bytes.Equal(again, out) || len(more) > 0 {
		return fmt.Sprintf("the second update edits %+v", more), edits, left
	}
	if bad := checkLines(src, out, edits); bad != "" {
		return bad, edits, left
	}
	was, is := Read(src), Read(out)
	if planref.Compare(was.Phase, is.Phase) > 0 || len(was.Problems) != len(is.Problems) {
		return fmt.Sprintf("%+v became %+v", was, is), edits, left
	}
	for _, e := range edits {
		if bad := checkEdit(e); bad != "" {
			return bad, edits, left
		}
	}
	seen := map[int]bool{}
	for _, e := range edits {
		seen[e.Line] = true
	}
	for _, l := range left {
		if l.Reason == "" || l.Line < 1 || l.Field == "" || seen[l.Line] {
			return fmt.Sprintf("left %+v", l), edits, left
		}
	}
	return "", edits, left
}

// checkLines compares the lines of out with those of src: only the values that edits name may differ.
func checkLines(src, out []byte, edits []Edit) string {
	was, is := bytes.SplitAfter(src, []byte("\n")), bytes.SplitAfter(out, []byte("\n"))
	if len(was) != len(is) {
		return fmt.Sprintf("%d lines became %d", len(was), len(is))
	}
	edited := map[int]Edit{}
	for i, e := range edits {
		if e.Line < 1 || e.Line > len(was) || i > 0 && e.Line <= edits[i-1].Line {
			return fmt.Sprintf("edit %d: %+v", i, e)
		}
		edited[e.Line] = e
	}
	for i := range was {
		e, ok := edited[i+1]
		if !ok {
			if !bytes.Equal(was[i], is[i]) {
				return fmt.Sprintf("line %d is not edited and changed: %q", i+1, is[i])
			}
			continue
		}
		before, after, ok := strings.Cut(string(was[i]), e.Old)
		if e.Old == "" { // filled in, with or without a space before it
			before, after, ok = strings.Cut(string(is[i]), e.New)
			if strings.ReplaceAll(before+after, " ", "") == strings.ReplaceAll(string(was[i]), " ", "") {
				continue
			}
		}
		if !ok || !strings.HasPrefix(string(is[i]), before) || !strings.HasSuffix(string(is[i]), after) || !strings.Contains(string(is[i]), e.New) {
			return fmt.Sprintf("line %d: %q became %q by %+v", i+1, was[i], is[i], e)
		}
	}
	return ""
}

// checkEdit checks that an edit loses no words of a person and lowers no number.
func checkEdit(e Edit) string {
	r := rows[e.Field]
	was, is := r.read(strings.Trim(e.Old, `"'`)), r.read(strings.Trim(e.New, `"'`))
	ok := !was.own && !is.own && planref.Compare(was.phase, is.phase)*len(was.title) <= 0 && was.date <= is.date
	switch e.Field {
	case keyDonePhases, keyDonePlans, keyTotalPhases, keyTotalPlans:
		ok = ok && was.n < is.n
	}
	if !ok {
		return fmt.Sprintf("%+v", e)
	}
	return ""
}

// drawFile draws a STATE.md of lines from real ones, and of lines that may break rules.
func drawFile(t *rapid.T) []byte {
	pick := func(label string, from ...string) string { return rapid.SampledFrom(from).Draw(t, label) }
	var b strings.Builder
	b.WriteString(pick("bom", "", "", "\ufeff"))
	if rapid.Bool().Draw(t, "front") {
		b.WriteString("---\n")
		b.WriteString(pick("fm", "gsd_state_version: 1.0\n", "", "a: [\n", "status: planning # was: paused\n", "<<: x\n", "x: &a y\n"))
		b.WriteString("milestone: " + pick("ms", "v1.0", "1.0", `"v1.0"`, "none", "", "v9") + "\n")
		b.WriteString("current_phase: " + pick("cp", "3", "\"03\"", "'3'", "3.1", "03 # here", "", "#x", "*a", "2.10") + "\n")
		b.WriteString("current_phase_name: " + pick("cn", "Web", "'it''s'", `"a \"b\""`, "web-ui", "Web\n  UI", "|\n  Web") + "\n")
		b.WriteString("current_plan: " + pick("pl", "1", "'2 of 4'", "Not started", "x") + "\n")
		b.WriteString(pick("stat", "status: paused\n", "status: executing\n", "status: In progress — now\n", "status:\n", "state: x\n"))
		b.WriteString("last_activity: " + pick("la", "2026-01-18", "2026-01-18 -- Completed", `"2026-01-18T10:00:00Z"`, "") + "\n")
		b.WriteString(pick("ld", "", "last_activity_desc: Done\n", "last_activity_desc: >-\n  Done\n"))
		b.WriteString(pick("pr", "progress:\n  total_plans: 10\n  completed_plans: 4\n  percent: 40\n",
			"progress: {total_plans: 3}\n", "progress:\n    completed_phases: '2'\n    percent: 99\n", "progress:\n  total_phases:\n"))
		b.WriteString(pick("close", "---\n", "---  \n", ""))
	}
	b.WriteString(pick("head", "# Project State\n\n", "```\n## Current Position\nPhase: 1\n```\n", "<!--\n## Current Position\n-->\n"))
	b.WriteString(pick("section", "## Current Position\n\n", "### Current position\n", "## Position\n", ""))
	for range rapid.IntRange(0, 7).Draw(t, "lines") {
		style := pick("style", "%s: %s", "%s: %s", "**%s:** %s", "- **%s**: %s", "| %s | %s |", "%s: **%s**", "%s: %s  ", "%s:%s", "**%s: %s**", "  **%s:** %s")
		label := pick("label", "Phase", "Plan", "Status", "Last activity", "Progress", "Milestone", "Last Activity", "Note")
		value := pick("value", "", "3 of 5 (Web)", "03 of 05", "3", "3.1 of 5.1 (A (b)) — COMPLETE", "2/4", "03-02-PLAN.md", "3 (Web) — EXECUTING",
			"27 - Grep Flags (complete)", "18 of 19 (v1.2) - Complete", "46 (fourth of 5 in v1.7) — Topology", "2-02 of 5", "PROJ-03 of 4",
			"Not started", "—", "- (x)", "None — between", "1 of TBD in current phase", "2 of 3 in Phase 3 (03-01 complete)", "[X] of [Y] ([Phase name])",
			"All 4 plans executed", "Ready to plan", "In progress — waiting", "Phase 3 complete", "Executing Phase 3", "Executing Phase 9", "executing",
			"Paused", "Verifying", "v1.0 milestone complete", "Milestone v1.0 complete", "2026-01-18 — Completed 03-01", "2026-01-18", "2026-01-18 10:30 - X",
			"2 of 3", "0 of 3 in current phase", "Reviewed (2026-01-18)", "[████░░░░░░] 40%", "████░░ 41.5% (v1.0)", "`[##--]` ~50% (5/10 plans complete)",
			"[██░░] 50%", "100%", "40% (Phase 2)", "$1 ${x}", "x <!-- y -->", "3 & 4", "1-3", "3 | 4", "(", "3 of 5 (Web", "3 of 5 (Web)\nand more words")
		if rapid.IntRange(0, 9).Draw(t, "free") == 0 {
			value = rapid.StringOf(rapid.RuneFrom([]rune("0123./-—() :vofPhaseplan%[]█░#*`|<!>\\\"'\r"))).Draw(t, "any")
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

// drawPosition draws a position, with hostile names.
func drawPosition(t *rapid.T) Position {
	name := rapid.SampledFrom([]string{
		"", "Web", "a: b", "#x", "- y", `say "no"`, "it's", "<!-- x", "x -->", "```", "$1", "a|b", "x\ny", "\u202e\x1b[1m", "Complete",
		"not started", "v2.0", "(", "A (b)", "Done — really", "3 of 4", "- [x] z", "null", "\\", "1e3", "2026-01-01", strings.Repeat("😀", 200),
	})
	number := rapid.SampledFrom([]string{"", "1", "3", "3.1", "2.10", "4", "12", "99", "3A", "3A.1B"})
	phase, _ := planref.ParseNumber(number.Draw(t, "phase"))
	names := []string{name.Draw(t, "name"), name.Draw(t, "other name")}
	p := Position{
		PhaseName: names[0], Names: func(n planref.Number) string { return names[map[bool]int{true: 1}[planref.Compare(n, phase) != 0]] },
		Milestones: rapid.Bool().Draw(t, "milestones"), Milestone: rapid.SampledFrom([]string{"", "1.0", "v1.0", "M3", "a: b"}).Draw(t, "milestone"),
		MilestoneName: name.Draw(t, "milestone name"), Phase: phase,
		Plan: rapid.IntRange(0, 4).Draw(t, "plan"), Plans: rapid.IntRange(0, 4).Draw(t, "plans"),
		Status:     rapid.SampledFrom([]Status{"", ReadyToPlan, ReadyToExecute, InProgress, MilestoneComplete}).Draw(t, "status"),
		LastWhat:   rapid.OneOf(name, rapid.Just("Completed 03-01-PLAN.md")).Draw(t, "what"),
		DonePhases: rapid.IntRange(0, 5).Draw(t, "dp"), TotalPhases: rapid.IntRange(0, 5).Draw(t, "tp"),
		DonePlans: rapid.IntRange(0, 30).Draw(t, "dn"), TotalPlans: rapid.IntRange(0, 30).Draw(t, "tn"),
		Percent: rapid.IntRange(0, 100).Draw(t, "percent"),
	}
	p.Plan = min(p.Plan, p.Plans)
	if rapid.Bool().Draw(t, "active") {
		p.LastActivity = time.Date(2026, 1, rapid.IntRange(17, 19).Draw(t, "day"), 23, 5, 0, 0, time.FixedZone("", 2*3600))
	}
	return p
}

// readable reports whether upstream reads a phase's number back.
func readable(n planref.Number) bool { return !phaseForm.read(n.String()).own }

func TestLaws(t *testing.T) {
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		src, p := drawFile(t), drawPosition(t)
		if bad, edits, left := checkLaws(src, p); bad != "" {
			t.Fatalf("%s\n%s\n%+v\n%+v\n%+v", bad, src, p, edits, left)
		}
	})
}

func TestNewLaws(t *testing.T) {
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		p := drawPosition(t)
		x := Extras{Title: p.PhaseName, CoreValue: p.MilestoneName, Root: p.LastWhat, Todos: p.Plan, Resume: p.LastWhat}
		src := New(p, x)
		if out, edits, left := Update(src, p); len(edits) > 0 || len(left) > 0 && readable(p.Phase) || !bytes.Equal(out, src) {
			t.Fatalf("updating a new file changes it: %+v %+v\n%s", edits, left, src)
		}
		if lines := bytes.Count(src, []byte("\n")); lines >= 100 {
			t.Fatalf("%d lines", lines)
		}
		f := Read(src)
		if len(f.Problems) > 0 || planref.Compare(f.Phase, p.Phase) != 0 && readable(p.Phase) {
			t.Fatalf("%+v\n%s", f, src)
		}
	})
}

func FuzzUpdate(f *testing.F) {
	for _, seed := range []string{
		"",
		"# S\n\n## Current Position\n\nPhase: 3 of 5 (Web)\nPlan: 1 of 3 in current phase\nStatus: In progress\n" +
			"Last activity: 2026-01-18 — Completed 03-01-PLAN.md\n\nProgress: [████░░░░░░] 40%\n",
		"\ufeff---\r\nmilestone: v1.0\r\nstatus: paused # x\r\nprogress:\r\n  percent: 4\r\n---\r\n## Current Position\r\n**Phase:** 03 (web) — EXECUTING\r\n",
		"---\na: [\n---\n## Current Position\n**Phase:** 3\n**Status:**\nnext\n",
		"---\ncurrent_phase: 2\ncurrent_phase_name: 'x' # y\ncurrent_plan: \"1\"\nlast_activity: 2025-01-01\nlast_activity_desc: z\n---\n",
		"---\ncurrent_phase:\ncurrent_phase_name::\n---",
		"## Current Position\nPhase: 46 (fourth of 5 in v1.7) — Topology\nPlan: 46-01 x — y\nProgress: `[##--]` 50% (2/4 phases)",
	} {
		f.Add([]byte(seed), "3", "Web: \"x\"", 5, 2, 3, string(InProgress), "Completed 03-01", 4, 10)
	}
	f.Fuzz(func(t *testing.T, src []byte, phase, name string, phases, plan, plans int, status, what string, done, total int) {
		number, _ := planref.ParseNumber(phase)
		plans, plan, done, total, phases = max(plans, 0), min(max(plan, 0), max(plans, 0)), min(max(done, 0), 100), max(total, 0), max(phases, 0)
		p := Position{
			Milestone: name, MilestoneName: what, Phase: number, PhaseName: name, Names: func(planref.Number) string { return name }, Plan: plan, Plans: plans,
			LastActivity: time.Date(2026, 1, 18, 1, 2, 3, 0, time.UTC), LastWhat: what,
			DonePhases: plan, TotalPhases: phases, DonePlans: done, TotalPlans: total, Percent: done,
		}
		if _, ok := stages[strings.ToLower(status)]; ok {
			p.Status = Status(status)
		}
		if bad, edits, _ := checkLaws(src, p); bad != "" {
			t.Fatalf("%s\n%+v", bad, edits)
		}
		made := New(p, Extras{Title: name, Root: what, Resume: status})
		if _, edits, _ := Update(made, p); len(edits) > 0 {
			t.Fatalf("updating a new file changes it: %+v\n%s", edits, made)
		}
	})
}

// drawStatements draws a STATE.md whose values state positions that may contradict each other.
func drawStatements(t *rapid.T) []byte {
	values := map[string][]string{
		"Phase":  {"3 of 6 (Mix)", "4 of 6 (Dip)", "3 (Mix) - done", "5", "Not started", "third", "4 (Dip) — EXECUTING", ""},
		"Plan":   {"1 of 3 in current phase", "2 of 3", "3 of 3", "1 of 3, nearly", "1 of TBD", "Not started", "04-01-PLAN.md", "3"},
		"Status": {"In progress", "Ready to plan", "Phase complete", "Phase 4 Plan 1 complete", "Phase 3 complete, review pending", "Executing Phase 4", "Milestone complete", "Paused", "Plan 2 next", "Who knows"},
		"Count":  {"80%", "[█████████░] 90%", "100%", "40% (of all)", "[#### ] 50%", "most of it", "0%"},
	}
	value := func(kind string) string { return rapid.SampledFrom(values[kind]).Draw(t, kind) }
	var front, body, rest strings.Builder
	for _, l := range []struct{ label, kind string }{
		{"current_phase", "Phase"},
		{"current_plan", "Plan"},
		{"status", "Status"},
		{"Phase", "Phase"},
		{"Current Phase", "Phase"},
		{"Plan", "Plan"},
		{"Status", "Status"},
		{"Progress", "Count"},
	} {
		switch to := rapid.IntRange(0, 3).Draw(t, "where"); {
		case to == 0:
		case l.label == strings.ToLower(l.label):
			text := value(l.kind)
			if l.kind == "Status" && to > 1 {
				text = rapid.SampledFrom([]string{"planning", "executing", "completed", "verifying", "paused"}).Draw(t, "token")
			}
			fmt.Fprintf(&front, "%s: %s\n", l.label, text)
		case l.label == "Current Phase" && to == 1:
			fmt.Fprintf(&rest, "**%s:** %s\n", l.label, value(l.kind))
		default:
			fmt.Fprintf(&body, "%s: %s\n", l.label, value(l.kind))
		}
	}
	n := func(label string) int { return rapid.SampledFrom([]int{5, 8, 9, 10, 11}).Draw(t, label) }
	if rapid.Bool().Draw(t, "counts") {
		fmt.Fprintf(&front, "progress:\n  total_plans: %d\n  completed_plans: %d%s\n  percent: %d\n",
			n("total"), n("done"), rapid.SampledFrom([]string{"", "", " of 10"}).Draw(t, "words"), n("tenths")*10)
	}
	heading := rapid.SampledFrom([]string{"## Current Position\n\n", "## Current Position\n\n", "# State\n\n"}).Draw(t, "heading")
	above := rapid.SampledFrom([]string{"", "**Current Phase:** 03\n\n", "Phase: 3\n\n"}).Draw(t, "above")
	return []byte("---\n" + front.String() + "---\n\n" + above + heading + body.String() + "\n## Progress\n\n" + rest.String())
}

// statement is a fact that one line of a STATE.md states, as Update's reader understands it.
type statement struct {
	line  int
	about string
	says  string
}

// statements reads every statement of a STATE.md about phase, plan and completeness.
func statements(src []byte) (all []statement) {
	d := open(src)
	for _, at := range append(d.loose, d.places...) {
		add := func(about string, says any) { all = append(all, statement{at.line, about, fmt.Sprint(says)}) }
		switch at.name {
		case labelPhase, labelLegacy, keyPhase:
			if !at.phase.IsZero() {
				add("phase", at.phase.String())
			}
		case "Plan", "current_plan":
			if !at.none && at.n >= 0 {
				add("plan", at.n)
				if at.total > 0 {
					add("plans", at.total)
				}
				if at.n < at.total {
					add("phase's work", "open")
				}
			}
		case "Status", "status":
			if len(at.phases) == 1 {
				add("phase", at.phases[0].String())
			}
			if len(at.plans) == 1 {
				add("plan", at.plans[0])
			}
			switch at.stage {
			case toPlan, toExecute, running:
				add("milestone", "open")
				add("phase's work", "open")
			case checking:
				add("phase's work", "done")
			case closed:
				add("phase's work", "done")
				add("milestone", "done")
			}
		case labelProgress, keyPercent:
			if !at.none && at.n >= 0 {
				add("percent", at.n)
				if at.n < 100 {
					add("milestone", "open")
				}
			}
		}
	}
	return all
}

// What Update writes contradicts nothing that it leaves: two lines disagree only if it changed neither of them.
func TestNoContradictions(t *testing.T) {
	changed := 0
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		p := Position{
			PhaseName: "Dip", Plan: rapid.IntRange(1, 3).Draw(t, "plan"), Plans: 3, TotalPhases: 6, DonePhases: 3, TotalPlans: 10,
			DonePlans: rapid.SampledFrom([]int{8, 9, 10}).Draw(t, "done"), Status: rapid.SampledFrom([]Status{InProgress, ReadyToPlan, ReadyToExecute}).Draw(t, "status"),
			Names: func(n planref.Number) string { return map[string]string{"3": "Mix"}[n.String()] },
		}
		if p.DonePlans == 10 {
			p.Status, p.Plan = MilestoneComplete, 3
		}
		p.Percent = p.DonePlans * 10
		p.Phase, _ = planref.ParseNumber("4")
		src := drawStatements(t)
		bad, edits, left := checkLaws(src, p)
		if bad != "" {
			t.Fatalf("%s\n%s", bad, src)
		}
		changed += len(edits)
		edited := map[int]bool{}
		for _, e := range edits {
			edited[e.Line] = true
		}
		for _, l := range left {
			if by := l.Because; (l.Reason == Contradicts) != (by.Line > 0) || edited[by.Line] || by.Line == l.Line {
				t.Errorf("left %+v", l)
			}
		}
		out, _, _ := Update(src, p)
		all := statements(out)
		for i, a := range all {
			for _, b := range all[:i] {
				if a.about == b.about && a.says != b.says && (edited[a.line] || edited[b.line]) {
					t.Fatalf("%+v contradicts %+v\n%s\nbecame\n%s\n%+v", a, b, src, out, left)
				}
			}
		}
	})
	if changed == 0 {
		t.Error("no file was changed")
	}
}
