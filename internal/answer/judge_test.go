package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/planfile"
)

const planPath = ".planning/phases/03-api/03-01-PLAN.md"

// sessionOf makes a session file with a task of each status.
func sessionOf(statuses ...string) *planfile.File {
	var b strings.Builder
	b.WriteString("<!-- Plan: " + planPath + " -->\n<!-- Plan-Digest: sha256:aa -->\n\n")
	for _, s := range statuses {
		b.WriteString("<task type=\"auto\" status=\"" + s + "\">\n<name>x</name>\n</task>\n")
	}
	return planfile.Parse([]byte(b.String()))
}

func TestJudge(t *testing.T) {
	live := Plan{Path: planPath, Exists: true, Tasks: 3}
	with := func(change func(*Plan)) Plan {
		p := live
		change(&p)
		return p
	}
	three := func(line int, s string) *roadmap.Roadmap {
		return roadmap.Parse([]byte(strings.Repeat("\n", line-1)+"- ["+s+"] **Phase 3: API**\n\n| Phase | Status |\n|---|---|\n| 4. Next | In progress |\n"), "")
	}
	tests := []struct {
		name        string
		facts       Facts
		verdict     Verdict
		token       string
		interrupted bool
		stale       []StaleReason
		warnings    []string
	}{
		{name: "nothing", verdict: None, token: "NO_SESSION"},
		{name: "first", facts: Facts{Session: sessionOf("pending", "pending", "pending"), Plan: live}, verdict: Resume, token: "1"},
		{name: "second", facts: Facts{Session: sessionOf("complete", "pending", "pending"), Plan: live}, verdict: Resume, token: "2"},
		{name: "a gap", facts: Facts{Session: sessionOf("complete", "pending", "complete"), Plan: live}, verdict: Resume, token: "2"},
		{name: "interrupted", facts: Facts{Session: sessionOf("complete", "in-progress", "pending"), Plan: live}, verdict: Resume, token: "2", interrupted: true},
		{name: "complete", facts: Facts{Session: sessionOf("complete", "complete", "complete"), Plan: live}, verdict: Finished, token: "ALL_COMPLETE"},
		{name: "skipped", facts: Facts{Session: sessionOf("skipped", "pending", "pending"), Plan: live}, verdict: Resume, token: "2"},
		{name: "complete or skipped", facts: Facts{Session: sessionOf("complete", "skipped", "complete"), Plan: live}, verdict: Finished, token: "ALL_COMPLETE"},
		{name: "unknown status", facts: Facts{Session: sessionOf("complete", "done", "pending"), Plan: live}, verdict: Resume, token: "2", warnings: []string{"status-unknown"}},

		{name: "empty file", facts: Facts{Session: planfile.Parse(nil)}, verdict: Corrupt, token: "NO_SESSION"},
		{name: "no header", facts: Facts{Session: planfile.Parse([]byte("<task status=\"pending\">\n</task>\n"))}, verdict: Corrupt, token: "NO_SESSION"},
		{name: "no status", facts: Facts{Session: planfile.Parse([]byte("<!-- Plan: p -->\n\n<task>\n</task>\n")), Plan: live}, verdict: Corrupt, token: "NO_SESSION"},
		{name: "header outside", facts: Facts{Session: sessionOf("pending"), Plan: Plan{Invalid: "why"}}, verdict: Corrupt, token: "NO_SESSION"},

		{name: "plan gone", facts: Facts{Session: sessionOf("pending"), Plan: Plan{Path: planPath, Tasks: -1}}, verdict: Stale, token: "STALE", stale: []StaleReason{PlanMissing}},
		{name: "summary", facts: Facts{Session: sessionOf("complete", "complete", "complete"), Plan: with(func(p *Plan) { p.Summary = "s" })}, verdict: Stale, token: "STALE", stale: []StaleReason{PlanCompleted}},
		{name: "count", facts: Facts{Session: sessionOf("pending", "pending"), Plan: live}, verdict: Stale, token: "STALE", stale: []StaleReason{TaskCount}},
		{name: "advanced", facts: Facts{Session: sessionOf("pending", "pending", "pending"), Plan: live, Roadmap: Roadmap{Advance: Advanced(three(5, "x"), number("3"), "")}}, verdict: Stale, token: "STALE", stale: []StaleReason{PhaseAdvanced}},
		{
			name: "all at once, in order",
			facts: Facts{
				Session: sessionOf("pending", "pending"), Plan: with(func(p *Plan) { p.Summary = "s"; p.Edited = true }),
				Roadmap: Roadmap{Advance: Advanced(three(5, "x"), number("3"), "")},
			},
			verdict: Stale, token: "STALE", stale: []StaleReason{PlanCompleted, PhaseAdvanced, TaskCount},
		},
		{name: "gone, but finished", facts: Facts{Session: sessionOf("pending"), Plan: Plan{Path: planPath, Tasks: -1, Summary: "s"}}, verdict: Stale, token: "STALE", stale: []StaleReason{PlanMissing, PlanCompleted}},

		{name: "edited", facts: Facts{Session: sessionOf("pending", "pending", "pending"), Plan: with(func(p *Plan) { p.Edited = true })}, verdict: Resume, token: "1", warnings: []string{PlanEdited}},
		{name: "lagging", facts: Facts{Session: sessionOf("pending", "pending", "pending"), Plan: live, Roadmap: Roadmap{Advance: Advanced(three(5, " "), number("5"), "")}}, verdict: Resume, token: "1", warnings: []string{RoadmapLags}},
		{name: "unreadable plan", facts: Facts{Session: sessionOf("pending"), Plan: Plan{Path: planPath, Exists: true, Tasks: -1, Problem: &problem.Warning{Code: problem.PlanUnreadable, Says: "why"}}}, verdict: Resume, token: "1", warnings: []string{problem.PlanUnreadable}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.facts.Roadmap.Path = ".planning/ROADMAP.md"
			j := Report{Facts: test.facts}
			j.Judge()
			interrupted := j.Resume != nil && j.Resume.State == InProgress
			if j.Verdict != test.verdict || j.Token != test.token || interrupted != test.interrupted {
				t.Errorf("verdict %s, token %s, interrupted %v", j.Verdict, j.Token, interrupted)
			}
			if s := test.facts.Session; s != nil && (j.Done != s.Count(planfile.Complete) || j.Skipped != s.Count(planfile.Skipped)) {
				t.Errorf("%d are complete, and %d skipped", j.Done, j.Skipped)
			}
			if (j.Corrupt != "") != (test.verdict == Corrupt) {
				t.Errorf("corrupt because %q", j.Corrupt)
			}
			var stale []StaleReason
			var warnings []string
			for _, s := range j.Stale {
				stale = append(stale, s.Reason)
				if got := fmt.Sprintf("%+v", s); s.Reason == PhaseAdvanced && !strings.Contains(got, "Roadmap:.planning/ROADMAP.md Phase:3 Status:complete Line:5 InProgress:[{Phase:4 Line:9}] More:0") {
					t.Errorf("advanced: %s", got)
				}
			}
			for _, w := range j.Warnings {
				warnings = append(warnings, w.Code)
			}
			if diff := cmp.Diff(test.stale, stale); diff != "" {
				t.Errorf("stale (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.warnings, warnings); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

// What the warnings of a verdict say.
func TestJudgeWords(t *testing.T) {
	phase := func(s string, line int, st roadmap.Status) roadmap.Phase {
		n, _ := planref.ParseNumber(s)
		return roadmap.Phase{Number: n, Line: line, Status: st}
	}
	phases := func(n int) (all []roadmap.Phase) {
		for i := range n {
			all = append(all, phase(string(rune('4'+i)), 10+i, roadmap.InProgress))
		}
		return all
	}
	live := Plan{Path: planPath, Exists: true, Tasks: 1}
	with := func(change func(*Plan)) Plan {
		p := live
		change(&p)
		return p
	}
	for _, c := range []struct {
		name  string
		facts Facts
		want  string // details of warnings
	}{
		{"edited", Facts{Session: sessionOf("pending"), Plan: with(func(p *Plan) { p.Edited = true })}, "plan-edited " + planPath},
		{
			"lagging",
			Facts{Session: sessionOf("pending"), Plan: live, Roadmap: Roadmap{Path: "R.md", Advance: Advance{Lagging: true, InProgress: phases(1)}}},
			"roadmap-lags R.md:10 phase 4",
		},
		{"unread roadmap", Facts{Session: sessionOf("pending"), Plan: live, Roadmap: Roadmap{Problem: &problem.Warning{Code: "code", Says: "why"}}}, "code why"},
	} {
		j := Report{Facts: c.facts}
		j.Judge()
		var details []string
		for _, w := range j.Warnings {
			said := w.Code
			if w.Path != "" {
				said += " " + w.Path
			}
			if w.Line > 0 {
				said += fmt.Sprintf(":%d phase %s", w.Line, w.Phase)
			}
			details = append(details, strings.TrimSpace(said+" "+w.Says))
		}
		if got := strings.Join(details, "\n"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	at := Roadmap{Path: "R.md", Advance: Advance{Advanced: true, InProgress: phases(5)}}
	if got := at.advanced(); len(got.InProgress) != 3 || got.More != 2 || got.Phase != "" {
		t.Errorf("advanced: %+v", got)
	}
	for verdict, want := range map[Verdict]bool{None: false, Corrupt: false, Stale: false, Finished: true, Resume: true} {
		if verdict.Live() != want {
			t.Errorf("%s is live: %t", verdict, !want)
		}
	}
}
