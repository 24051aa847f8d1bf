package planref

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestSummary(t *testing.T) {
	for _, c := range []struct{ name, plan, siblings, want string }{
		{"same stem", "03-01-PLAN.md", "03-01-PLAN.md 03-01-SUMMARY.md 03-02-SUMMARY.md", "03-01-SUMMARY.md"},
		{"same stem with slug", "p/03-01-auth-PLAN.md", "03-01-auth-PLAN.md 03-01-auth-SUMMARY.md 03-01-SUMMARY.md", "03-01-auth-SUMMARY.md"},
		{"the whole name of the plan", "03-01-PLAN.md", "03-01-PLAN.md 03-01-PLAN-SUMMARY.md", "03-01-PLAN-SUMMARY.md"},
		{"the whole name of a bare plan", "PLAN.md", "PLAN.md PLAN-SUMMARY.md", "PLAN-SUMMARY.md"},
		{"bare", "PLAN.md", "PLAN.md SUMMARY.md", "SUMMARY.md"},
		{"bare has no prefix", "PLAN.md", "PLAN.md 03-01-SUMMARY.md", ""},
		{"quick", "001-PLAN.md", "001-PLAN.md 001-SUMMARY.md", "001-SUMMARY.md"},
		{"quick of another number", "001-PLAN.md", "001-PLAN.md 002-SUMMARY.md", ""},
		{"summary without slug (#3101)", "03-01-auth-PLAN.md", "03-01-auth-PLAN.md 03-01-SUMMARY.md", "03-01-SUMMARY.md"},
		{"plan without slug", "03-01-PLAN.md", "03-01-PLAN.md 03-01-auth-SUMMARY.md", "03-01-auth-SUMMARY.md"},
		{"padding", "3-1-PLAN.md", "3-1-PLAN.md 03-01-SUMMARY.md", "03-01-SUMMARY.md"},
		{"decimal", "02.1-03-PLAN.md", "02.1-03-PLAN.md 2.1-3-x-SUMMARY.md 02-03-SUMMARY.md", "2.1-3-x-SUMMARY.md"},
		{"infix", "3-PLAN-01-setup.md", "3-PLAN-01-setup.md 3-PLAN-01-SUMMARY.md 3-PLAN-02-db.md", "3-PLAN-01-SUMMARY.md"},
		{"nested", "PLAN-01-x.md", "PLAN-01-x.md SUMMARY-01-x.md SUMMARY-02-x.md", "SUMMARY-01-x.md"},
		{"called PLAN, not nested", "PLAN-x-PLAN.md", "PLAN-x-PLAN.md PLAN-x-SUMMARY.md SUMMARY-x.md", "PLAN-x-SUMMARY.md"},
		{"another plan's stem", "03-01-PLAN.md", "03-01-PLAN.md 03-01-auth-PLAN.md 03-01-auth-SUMMARY.md", ""},
		{"two plans of one id", "03-01-a-PLAN.md", "03-01-a-PLAN.md 03-01-b-PLAN.md 03-01-SUMMARY.md", ""},
		{"longer number", "03-01-PLAN.md", "03-01-PLAN.md 03-010-SUMMARY.md 03-01A-SUMMARY.md 03-10-SUMMARY.md 13-01-SUMMARY.md", ""},
		{"letter", "3-01A-PLAN.md", "3-01A-PLAN.md 3-01-SUMMARY.md", ""},
		{"plan's number alone", ".planning/phases/05-gc/01-PLAN.md", "01-PLAN.md 05-01-SUMMARY.md", "05-01-SUMMARY.md"},
		{"plan's number alone, nested", ".planning/phases/05-gc/plans/PLAN-01.md", "PLAN-01.md 05-01-SUMMARY.md", "05-01-SUMMARY.md"},
		{"plan's number alone, another's", ".planning/phases/05-gc/01-PLAN.md", "01-PLAN.md 05-01-PLAN.md 05-01-SUMMARY.md", ""},
		{"plan's number alone, phase unknown", "01-PLAN.md", "01-PLAN.md 05-01-SUMMARY.md", ""},
		{"the first of several", "03-01-PLAN.md", "03-01-b-SUMMARY.md 03-01-a-SUMMARY.md 03-01-c-SUMMARY.md", "03-01-a-SUMMARY.md"},
		{"none", "03-01-PLAN.md", "03-01-PLAN.md 03-CONTEXT.md SUMMARY.md", ""},
		{"quick task", ".planning/quick/260322-14r-fix/260322-14r-PLAN.md", "260322-14r-PLAN.md SUMMARY.md", "SUMMARY.md"},
		{"quick task, its own first", ".planning/quick/260322-14r-fix/260322-14r-PLAN.md", "260322-14r-PLAN.md SUMMARY.md 260322-14r-SUMMARY.md", "260322-14r-SUMMARY.md"},
		{"quick task of two plans", ".planning/quick/260322-14r-fix/260322-14r-PLAN.md", "260322-14r-PLAN.md 260322-14r-02-PLAN.md SUMMARY.md", ""},
		{"beside the quick tasks", ".planning/quick/001-PLAN.md", "001-PLAN.md SUMMARY.md", ""},
		{"a closing note is no summary of a plan", "13-01-PLAN.md", "13-01-PLAN.md 13-CLOSEOUT-SUMMARY.md", ""},
		{"a closing plan's", "13-CLOSEOUT-PLAN.md", "13-01-PLAN.md 13-CLOSEOUT-PLAN.md 13-CLOSEOUT-SUMMARY.md", "13-CLOSEOUT-SUMMARY.md"},
		{"no plan", "03-01-SUMMARY.md", "03-01-SUMMARY.md", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			siblings := strings.Fields(c.siblings)
			for range 2 {
				if got, ok := SummaryOf(c.plan, siblings); got != c.want || ok != (c.want != "") {
					t.Errorf("got %q, %v, want %q", got, ok, c.want)
				}
				slices.Reverse(siblings) // the order of a listing does not matter
			}
		})
	}
}

func TestSummaryName(t *testing.T) {
	for plan, want := range map[string]string{
		"PLAN.md": "SUMMARY.md", "a/03-01-PLAN.md": "03-01-SUMMARY.md", "PLAN-01-x.md": "SUMMARY-01-x.md", "3-PLAN-01-x.md": "3-PLAN-01-x-SUMMARY.md",
		"03-01-SUMMARY.md": "", "README.md": "",
	} {
		if got, ok := SummaryName(plan); got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v", plan, got, ok)
		}
	}
}

func TestOrphans(t *testing.T) {
	for _, c := range []struct{ name, files, plans, want string }{
		{"none", "03-01-PLAN.md 03-01-SUMMARY.md", "1", ""},
		{"the plan is gone", "03-01-SUMMARY.md 03-02-PLAN.md 03-03-x-SUMMARY.md", "2", "03-01-SUMMARY.md 03-03-x-SUMMARY.md"},
		{"its number alone", "01-SUMMARY.md", "2", "01-SUMMARY.md"},
		{"each number once", "03-01-a-SUMMARY.md 03-01-b-SUMMARY.md", "", "03-01-a-SUMMARY.md"},
		{"of the phase", "03-SUMMARY.md SUMMARY.md", "", "03-SUMMARY.md"},
		{"of the phase, beside a plan", "03-SUMMARY.md SUMMARY.md 03-01-PLAN.md", "1", ""},
		{"of no plan", "03-CLOSEOUT-SUMMARY.md 03-GAPS-SUMMARY.md", "", ""},
	} {
		phase, _ := ParseNumber("3")
		var plans []Number
		for text := range strings.FieldsSeq(c.plans) {
			n, _ := ParseNumber(text)
			plans = append(plans, n)
		}
		if got := strings.Join(NewSiblings(".planning/phases/03-x", phase, strings.Fields(c.files)).Orphans(plans), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// upstreamTakes are the names that upstream takes for plans and summaries (plan-scan.cjs).
var upstreamTakes = regexp.MustCompile(`(?i)(^|-)PLAN(-\d+.*)?\.md$|^PLAN-\d+.*\.md$|-PLAN-\d+.*\.md$|SUMMARY\.md$|^SUMMARY-\d+.*\.md$|-SUMMARY-\d+.*\.md$`)

func TestDraft(t *testing.T) {
	for summary, want := range map[string]string{
		"03-01-SUMMARY.md": "03-01-SUMMARY.draft.md", "SUMMARY.md": "SUMMARY.draft.md", "03-01-planning-SUMMARY.md": "03-01-planning-SUMMARY.draft.md",
		"SUMMARY-01-x.md": "SUMMARY-01-x.md.draft", "3-PLAN-01-x-SUMMARY.md": "3-PLAN-01-x-SUMMARY.md.draft", "03-01-plan-plan-2-SUMMARY.md": "03-01-plan-plan-2-SUMMARY.md.draft",
		"3-PLAN-DELTA-2026-SUMMARY.md": "3-PLAN-DELTA-2026-SUMMARY.md.draft", "03-01-explan-2-SUMMARY.md": "03-01-explan-2-SUMMARY.draft.md",
	} {
		got := DraftName(summary)
		if _, known := ParseName(got); got != want || known || upstreamTakes.MatchString(got) || !IsOther(got) {
			t.Errorf("%s: draft %s, want %s, which nobody knows", summary, got, want)
		}
		if of, ok := DraftOf(got); of != summary || !ok {
			t.Errorf("%s: the draft of %s, %v", got, of, ok)
		}
	}
	for _, name := range []string{"03-01-SUMMARY.md", "03-01-PLAN.draft.md", "notes.draft.md", "draft.md", "03-01-SUMMARY.draft"} {
		if of, ok := DraftOf(name); ok {
			t.Errorf("%s is the draft of %s", name, of)
		}
	}
}
