package planref

import "testing"

func TestCutDir(t *testing.T) {
	for _, test := range []struct{ dir, file, want string }{
		{"03-auth", "", "3 auth"},
		{"03", "", "3 "},
		{"02.1-fix", "", "2.1 fix"},
		{"12A-ui", "", "12A ui"},
		{"B7-x", "", "B7 x"},
		{"ABC-04-api", "", "4 api"},
		{"AUTH-login", "", "AUTH login"},
		{"AUTH", "", "AUTH "},
		{"AUTH-01-login", "", "1 login"},
		{"GSD-B7-login", "", "B7 login"},
		{"phase-19-real-rates", "", "19 real-rates"},
		{"Phase-02.1", "", "2.1 "},
		{"phase-in", "", "none"},
		{"phases-2", "", "none"},
		// a project and a milestone
		{"GSD.02-05-core", "", "5 core"},
		{"AZ.2-05", "", "5 "},
		{"APP2.02-05-core", "", "5 core"},
		{"gsd.02-05-core", "", "none"},
		{".02-05", "", "none"},
		{"G.-05", "", "none"},
		{"G.x-05", "", "none"},
		// a phase that is numbered in its milestone
		{"02-02-core", "", "2-2 core"},
		{"02-02", "", "2-2 "},
		{"02-02.1-x", "", "2-2.1 x"},
		{"02-002-core", "", "2 002-core"},
		{"02-02x-core", "", "2 02x-core"},
		{"02-02_x", "", "2 02_x"},
		{"02-14r-x", "", "2 14r-x"},
		{"02.1-02-core", "", "2.1 02-core"},
		{"14-2026-photos", "", "14 2026-photos"},
		{"46-6-rs", "", "46 6-rs"},
		{"02-10-core", "", "2 10-core"},
		{"02-10-core", "02-10-01-PLAN.md", "2-10 core"},
		{"02-10-core", "02-11-01-PLAN.md", "2 10-core"},
		{"02-10-core", "02-10-PLAN.md", "2 10-core"},
		{"02-10-core", "02-10-x-PLAN.md", "2 10-core"},
		{"02-10-core", "notes.md", "2 10-core"},
		{"02-01-core", "PLAN.md", "2-1 core"},
		{"05-80-20-rule", "05-01-PLAN.md", "5 80-20-rule"},

		{"03_auth", "", "none"},
		{"auth", "", "none"},
		{"2nd-try", "", "none"},
		{"3.x", "", "none"},
		{"", "", "none"},
	} {
		n, slug, ok := CutDir(test.dir, test.file)
		got := n.String() + " " + slug
		if !ok {
			got = "none"
		}
		if got != test.want {
			t.Errorf("%s with %q: %s, want %s", test.dir, test.file, got, test.want)
		}
	}
}

func TestPhaseOfPlan(t *testing.T) {
	for plan, want := range map[string]string{
		".planning/phases/03-auth/03-01-PLAN.md":                  "3",
		".planning/phases/02.1-hot-fix/02.1-03-PLAN.md":           "2.1",
		".planning/phases/03/PLAN.md":                             "3",
		".planning/phases/ABC-04-api/ABC-04-01-PLAN.md":           "4",
		".planning/phases/05-x/plans/05-01-PLAN.md":               "5",
		".planning/phases/05-x/06-01-PLAN.md":                     "5",
		".planning/phases/auth/07-01-PLAN.md":                     "7",
		".planning/workstreams/web/phases/12A-ui/12A-01-PLAN.md":  "12A",
		".planning/milestones/v1.2-phases/08-old/08-02-a-PLAN.md": "8",
		".planning/archive/v1/01-base/01-00-PLAN.md":              "1",
		"phases/9-x/PLAN.md":                                      "9",
		"03-02-PLAN.md":                                           "3",
		"phases/02-10-core/02-10-01-PLAN.md":                      "2-10",
		"phases/05-80-20-rule/05-01-PLAN.md":                      "5",
	} {
		if got, ok := PhaseOfPlan(plan); !ok || got.String() != want {
			t.Errorf("PhaseOfPlan(%s) = %q, %v, want %s", plan, got, ok, want)
		}
	}
	for _, plan := range []string{
		".planning/quick/001-fix/001-PLAN.md",
		".planning/quick/260322-14r-fix/260322-14r-PLAN.md",
		".planning/todos/2026-03-06-cli/PLAN.md",
		".planning/phases/auth/PLAN.md",
		".planning/phases/2nd-try/PLAN.md",
		".planning/PLAN.md",
		".planning/phases/x/001-PLAN.md",
		"",
	} {
		if got, ok := PhaseOfPlan(plan); ok {
			t.Errorf("PhaseOfPlan(%s) = %s, want none", plan, got)
		}
	}
}
