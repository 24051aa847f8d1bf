package planref

import (
	"slices"
	"strings"
	"testing"
)

func TestIsPlan(t *testing.T) {
	for _, name := range []string{
		"PLAN.md", "03-01-PLAN.md", "3-1-PLAN.md", "02.1-03-PLAN.md", "03-01-auth-PLAN.md",
		"001-PLAN.md", "260322-14r-PLAN.md", "12A-01-PLAN.md", "ABC-03-01-PLAN.md", "3-PLAN-01-setup.md", "auth-PLAN.md",
		"PLAN-01.md", "5-PLAN-DELTA-2026-05-05.md", "5-PLAN-01-outlines.md",
	} {
		if !IsPlan(name) {
			t.Errorf("%s is not a plan", name)
		}
	}
	for _, name := range []string{
		"", "PLAN", "SUMMARY.md", "03-01-SUMMARY.md", "3-EXPLANATION.md", "EXPLAN.md", "PAPER_PLAN.md", "-PLAN.md",
		"03-01-PLAN.pre-bounce.md", "03-PLAN-OUTLINE.md", "03-01-PLAN.md.bak", "3-PLAN-01-SUMMARY.md", "ROADMAP.md", "plan.md",
		"._03-01-PLAN.md", ".#03-01-PLAN.md", ".PLAN.md", "PLAN-x.md", "PLAN-DELTA-2026.md", "5-PLAN-DELTA.md", "5-PLANS-01.md", "5-XPLAN-01.md",
		"5-PLAN-01.pre-bounce.md", "5-PLAN-01-OUTLINE.md", "5-PLAN-01-plan-review.md", // derived from a plan
	} {
		if IsPlan(name) {
			t.Errorf("%s is a plan", name)
		}
	}
}

func TestPlanID(t *testing.T) {
	for plan, want := range map[string]string{
		".planning/phases/AUTH-login/AUTH-01-PLAN.md":        "AUTH-01",
		".planning/phases/AUTH-login/PLAN.md":                "AUTH",
		".planning/phases/03-auth/03-01-PLAN.md":             "03-01",
		".planning/phases/3-auth/3-1-login-PLAN.md":          "03-01",
		".planning/phases/02.1-fix/02.1-03-PLAN.md":          "02.1-03",
		".planning/phases/12a-ui/12a-02-PLAN.md":             "12a-02",
		".planning/phases/ABC-3-x/ABC-3-10-PLAN.md":          "03-10",
		".planning/phases/GSD.02-03-x/GSD.02-03-10-PLAN.md":  "03-10",
		".planning/phases/20-blades/PLAN.md":                 "20",
		".planning/phases/20-blades/01-PLAN.md":              "20-01",
		".planning/phases/20-blades/20-auth-PLAN.md":         "20-auth",
		".planning/phases/20-blades/auth-PLAN.md":            "20-auth",
		".planning/phases/01-etl/01-A-PLAN.md":               "01-A",
		".planning/phases/11-voice/11-fix-auth-gaps-PLAN.md": "11-fix-auth-gaps",
		".planning/phases/AUTH-login/AUTH-forms-PLAN.md":     "AUTH-forms",
		".planning/phases/03-01-PLAN.md":                     "03-01",
		".planning/phases/20-blades/20-PLAN.md":              "20",
		".planning/phases/3-x/3-PLAN-01-setup.md":            "03-01",
		".planning/quick/001-fix/001-PLAN.md":                "quick/001",
		".planning/quick/260322-14r-fix/260322-14r-PLAN.md":  "quick/260322-14r",
		".planning/quick/007-fix/PLAN.md":                    "quick/007",
	} {
		if got, ok := PlanID(plan); !ok || got != want {
			t.Errorf("PlanID(%s) = %q, %v, want %s", plan, got, ok, want)
		}
	}
	for _, plan := range []string{
		"", ".planning/PLAN.md", ".planning/phases/PLAN.md", ".planning/phases/03-x/03-what now-PLAN.md", ".planning/phases/03-x/03-$(id)-PLAN.md", ".planning/phases/x/auth-PLAN.md",
		".planning/phases/03-x/03-4..5-PLAN.md", ".planning/phases/03-x/03-y-PLAN-PLAN.md", ".planning/phases/03-x/03-summary-PLAN.md", ".planning/quick/001-x/001-Plan-PLAN.md", ".planning/quick/001-x/001.md-PLAN.md", ".planning/phases/03-x/03-01-SUMMARY.md",
	} {
		if got, ok := PlanID(plan); ok {
			t.Errorf("PlanID(%s) = %s, want none", plan, got)
		}
	}
}

func TestIsOther(t *testing.T) {
	for _, name := range []string{"ROADMAP.md", "state.md", "03-CONTEXT.md", "03-x-VERIFICATION.MD", "SUMMARY.md", "03-01-SUMMARY.md"} {
		if !IsOther(name) {
			t.Errorf("%s may be a plan", name)
		}
	}
	for _, name := range []string{"03-01-PLAN.md", "03-ROADMAP.md", "ROADMAP.txt", "README.md", "CONTEXTS.md", "03-CONTEXT-x.md", ""} {
		if IsOther(name) {
			t.Errorf("%s cannot be a plan", name)
		}
	}
}

func TestNameIn(t *testing.T) {
	for _, test := range []struct{ name, phase, want string }{
		{"02-01-03-PLAN.md", "2-01", "2-1 3 "},
		{"02-01-03-core-PLAN.md", "2-01", "2-1 3 core"},
		{"02-01-PLAN.md", "2-01", "2-1  "},
		{"03-01-PLAN.md", "2-01", "3 1 "},
		{"01-PLAN.md", "2-01", "2-1 1 "},
		{"01-PLAN.md", "5", "5 1 "},
		{"05-PLAN.md", "5", "5  "},
		{"PLAN.md", "5", "5  "},
		{"PLAN-01-x.md", "5", "5 1 x"},
		{"03-01-PLAN.md", "", "3 1 "},
	} {
		n, _ := ParseName(test.name)
		phase, _, _ := CutPhase(test.phase)
		n = n.In(phase)
		if got := n.Phase.String() + " " + n.Plan.String() + " " + n.Slug; got != test.want {
			t.Errorf("%s in phase %s: %q, want %q", test.name, test.phase, got, test.want)
		}
	}
}

// FuzzPlanName checks that a plan's summary is not itself a plan and is found, and that commits can name the plan by
// its id.
func FuzzPlanName(f *testing.F) {
	for _, name := range []string{
		"PLAN.md", "03-01-PLAN.md", "02.1-03-auth-PLAN.md", "3-PLAN-01-setup.md", "PLAN-01-x.md", "PLAN-01-SUMMARY.md", "SUMMARY-01.md",
		"ABC-03-01-PLAN.md", "12A-01-PLAN.md", "001-PLAN.md", "auth-PLAN.md", "PLAN-PLAN.md", "-PLAN.md", "03-01-PLAN-OUTLINE.md",
		"PLAN--PLAN.md", "PLAN-x-PLAN.md", "PLAN-3xy-PLAN.md", "PLAN-0-PLAN-0.md", "PLAN-0-SUMMARY-0.md",
		"0-A-PLAN.md", "02-fix-auth-PLAN.md", "0-PLAN-00..0000.md", "03-01-2-x-PLAN.md", "0-PLAN-00_.md",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if strings.Contains(name, "/") {
			return // not a file name
		}
		n, ok := ParseName(name)
		if IsPlan(name) != (ok && n.Kind == Plan) {
			t.Fatalf("%q: IsPlan disagrees with ParseName", name)
		}
		summary, isPlan := SummaryName(name)
		if !isPlan || n.Kind != Plan {
			return
		}
		draft := DraftName(summary)
		if of, ok := DraftOf(draft); of != summary || !ok || upstreamTakes.MatchString(draft) {
			t.Fatalf("%q: the draft %q of its summary is one of %q, %v", name, draft, of, ok)
		}
		if _, known := ParseName(draft); known {
			t.Fatalf("%q: the draft %q of its summary is a plan or a summary", name, draft)
		}
		if IsPlan(summary) {
			t.Fatalf("%q: its summary %q is a plan", name, summary)
		}
		if got, ok := NewSiblings(".", Number{}, []string{name, summary}).Summary(n); !ok || got != summary {
			t.Fatalf("%q: found %q, %v among its own, want %q", name, got, ok, summary)
		}
		for _, n.shared = range []bool{false, !n.Plan.IsZero()} {
			id, ok := n.ID(Number{})
			if !ok || n.Ref() == (Ref{}) {
				continue // the plan is named by its path, or by its phase
			}
			if found := ParseSubject("feat("+id+"): x", Named{n.Ref(): true}); !slices.Equal(found.Plans, []Ref{n.Ref()}) {
				t.Fatalf("%q: a commit that names %s names %v", name, id, found.Plans)
			}
			if ref, _ := ParseID(id); ref != n.Ref() {
				t.Fatalf("%q: its id %s means %v", name, id, ref)
			}
		}
	})
}
