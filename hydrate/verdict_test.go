package hydrate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/roadmap"
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
	live := Plan{Path: planPath, Exists: true, Tasks: 3, Digest: "sha256:aa"}
	with := func(change func(*Plan)) Plan {
		p := live
		change(&p)
		return p
	}
	three := func(line int, s string) *roadmap.Roadmap {
		return roadmap.Parse([]byte(strings.Repeat("\n", line-1)+"- ["+s+"] **Phase 3: API**\n\n| Phase | Status |\n|---|---|\n| 4. Next | In progress |\n"), "")
	}
	number := func(s string) planref.Number {
		n, _ := planref.ParseNumber(s)
		return n
	}
	tests := []struct {
		name        string
		facts       Facts
		verdict     Verdict
		token       string
		interrupted bool
		stale       []string
		warnings    []string
	}{
		{name: "nothing", verdict: None, token: "NO_SESSION"},
		{name: "first", facts: Facts{Session: sessionOf("pending", "pending", "pending"), Plan: live}, verdict: Resume, token: "1"},
		{name: "second", facts: Facts{Session: sessionOf("complete", "pending", "pending"), Plan: live}, verdict: Resume, token: "2"},
		{name: "a gap", facts: Facts{Session: sessionOf("complete", "pending", "complete"), Plan: live}, verdict: Resume, token: "2"},
		{name: "interrupted", facts: Facts{Session: sessionOf("complete", "in-progress", "pending"), Plan: live}, verdict: Resume, token: "2", interrupted: true},
		{name: "complete", facts: Facts{Session: sessionOf("complete", "complete", "complete"), Plan: live}, verdict: Finished, token: "ALL_COMPLETE"},
		{name: "unknown status", facts: Facts{Session: sessionOf("complete", "done", "pending"), Plan: live}, verdict: Resume, token: "2", warnings: []string{"status-unknown"}},

		{name: "empty file", facts: Facts{Session: planfile.Parse(nil)}, verdict: Corrupt, token: "NO_SESSION"},
		{name: "no header", facts: Facts{Session: planfile.Parse([]byte("<task status=\"pending\">\n</task>\n"))}, verdict: Corrupt, token: "NO_SESSION"},
		{name: "no status", facts: Facts{Session: planfile.Parse([]byte("<!-- Plan: p -->\n\n<task>\n</task>\n")), Plan: live}, verdict: Corrupt, token: "NO_SESSION"},
		{name: "header outside", facts: Facts{Session: sessionOf("pending"), Plan: Plan{Invalid: "why"}}, verdict: Corrupt, token: "NO_SESSION"},

		{name: "plan gone", facts: Facts{Session: sessionOf("pending"), Plan: Plan{Path: planPath, Tasks: -1}}, verdict: Stale, token: "STALE", stale: []string{PlanMissing}},
		{name: "summary", facts: Facts{Session: sessionOf("complete", "complete", "complete"), Plan: with(func(p *Plan) { p.Summary = "s" })}, verdict: Stale, token: "STALE", stale: []string{PlanCompleted}},
		{name: "count", facts: Facts{Session: sessionOf("pending", "pending"), Plan: live}, verdict: Stale, token: "STALE", stale: []string{TaskCount}},
		{name: "advanced", facts: Facts{Session: sessionOf("pending", "pending", "pending"), Plan: live, Roadmap: Roadmap{Advance: roadmap.Advanced(three(5, "x"), number("3"))}}, verdict: Stale, token: "STALE", stale: []string{PhaseAdvanced}},
		{
			name: "all at once, in order",
			facts: Facts{
				Session: sessionOf("pending", "pending"), Plan: with(func(p *Plan) { p.Summary = "s"; p.Digest = "sha256:bb" }),
				Roadmap: Roadmap{Advance: roadmap.Advanced(three(5, "x"), number("3"))},
			},
			verdict: Stale, token: "STALE", stale: []string{PlanCompleted, PhaseAdvanced, TaskCount},
		},
		{name: "gone, but finished", facts: Facts{Session: sessionOf("pending"), Plan: Plan{Path: planPath, Tasks: -1, Summary: "s"}}, verdict: Stale, token: "STALE", stale: []string{PlanMissing, PlanCompleted}},

		{name: "edited", facts: Facts{Session: sessionOf("pending", "pending", "pending"), Plan: with(func(p *Plan) { p.Digest = "sha256:bb" })}, verdict: Resume, token: "1", warnings: []string{PlanEdited}},
		{name: "digest in capitals", facts: Facts{Session: sessionOf("pending", "pending", "pending"), Plan: with(func(p *Plan) { p.Digest = "sha256:AA" })}, verdict: Resume, token: "1"},
		{name: "lagging", facts: Facts{Session: sessionOf("pending", "pending", "pending"), Plan: live, Roadmap: Roadmap{Advance: roadmap.Advanced(three(5, " "), number("5"))}}, verdict: Resume, token: "1", warnings: []string{RoadmapLags}},
		{name: "unreadable plan", facts: Facts{Session: sessionOf("pending"), Plan: Plan{Path: planPath, Exists: true, Tasks: -1, Problem: "why"}}, verdict: Resume, token: "1", warnings: []string{PlanUnreadable}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.facts.Roadmap.Path = ".planning/ROADMAP.md"
			j := Judge(test.facts)
			if j.Verdict != test.verdict || j.Token() != test.token || j.InProgress != test.interrupted {
				t.Errorf("verdict %s, token %s, interrupted %v", j.Verdict, j.Token(), j.InProgress)
			}
			if (j.Corrupt != "") != (test.verdict == Corrupt) {
				t.Errorf("corrupt because %q", j.Corrupt)
			}
			var stale, warnings []string
			for _, s := range j.Stale {
				stale = append(stale, s.Reason)
				if s.Reason == PhaseAdvanced && s.Detail != "phase 3 is complete (.planning/ROADMAP.md:5); in progress: phase 4 (.planning/ROADMAP.md:9)" {
					t.Errorf("detail: %s", s.Detail)
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
