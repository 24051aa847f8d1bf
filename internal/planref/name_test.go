package planref

import "testing"

func TestIsPlan(t *testing.T) {
	for _, name := range []string{
		"PLAN.md", "03-01-PLAN.md", "3-1-PLAN.md", "02.1-03-PLAN.md", "03-01-auth-PLAN.md",
		"001-PLAN.md", "260322-14r-PLAN.md", "12A-01-PLAN.md", "ABC-03-01-PLAN.md", "3-PLAN-01-setup.md", "auth-PLAN.md",
	} {
		if !IsPlan(name) {
			t.Errorf("%s is no plan", name)
		}
	}
	for _, name := range []string{
		"", "PLAN", "SUMMARY.md", "03-01-SUMMARY.md", "3-EXPLANATION.md", "EXPLAN.md", "PAPER_PLAN.md", "-PLAN.md",
		"03-01-PLAN.pre-bounce.md", "03-PLAN-OUTLINE.md", "03-01-PLAN.md.bak", "3-PLAN-01-SUMMARY.md", "ROADMAP.md", "plan.md",
		"._03-01-PLAN.md", ".#03-01-PLAN.md", ".PLAN.md",
	} {
		if IsPlan(name) {
			t.Errorf("%s is a plan", name)
		}
	}
}

func TestPlanID(t *testing.T) {
	for plan, want := range map[string]string{
		".planning/phases/AUTH-login/AUTH-01-PLAN.md":       "AUTH-01",
		".planning/phases/AUTH-login/PLAN.md":               "AUTH",
		".planning/phases/03-auth/03-01-PLAN.md":            "03-01",
		".planning/phases/3-auth/3-1-login-PLAN.md":         "03-01",
		".planning/phases/02.1-fix/02.1-03-PLAN.md":         "02.1-03",
		".planning/phases/12a-ui/12a-02-PLAN.md":            "12a-02",
		".planning/phases/ABC-3-x/ABC-3-10-PLAN.md":         "03-10",
		".planning/phases/GSD.02-03-x/GSD.02-03-10-PLAN.md": "03-10",
		".planning/phases/20-blades/PLAN.md":                "20",
		".planning/phases/20-blades/01-PLAN.md":             "20-01",
		".planning/phases/20-blades/20-auth-PLAN.md":        "20",
		".planning/phases/03-01-PLAN.md":                    "03-01",
		".planning/phases/20-blades/20-PLAN.md":             "20",
		".planning/phases/3-x/3-PLAN-01-setup.md":           "03-01",
		".planning/quick/001-fix/001-PLAN.md":               "quick/001",
		".planning/quick/260322-14r-fix/260322-14r-PLAN.md": "quick/260322-14r",
		".planning/quick/007-fix/PLAN.md":                   "quick/007",
	} {
		if got, ok := PlanID(plan); !ok || got != want {
			t.Errorf("PlanID(%s) = %q, %v, want %s", plan, got, ok, want)
		}
	}
	for _, plan := range []string{"", ".planning/PLAN.md", ".planning/phases/PLAN.md", ".planning/phases/03-x/auth-PLAN.md", ".planning/phases/x/auth-PLAN.md", ".planning/phases/03-x/03-01-SUMMARY.md"} {
		if got, ok := PlanID(plan); ok {
			t.Errorf("PlanID(%s) = %s, want none", plan, got)
		}
	}
}
