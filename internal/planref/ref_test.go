package planref

import (
	"slices"
	"testing"
)

func TestParseID(t *testing.T) {
	for id, want := range map[string]string{
		"03-01": "3-1 3", "3-1": "3-1 3", "02.1-03": "2.1-3 2.1", "ABC-03-01": "3-1 3", "02-01-03": "2-1-3 2-1", "03": "- 3",
		"03-01-auth": "3-1-AUTH 3", "11-fix-auth": "11-FIX-AUTH 11", "01-A": "1-A 1", "02-01-03-x": "2-1-3-X 2-1", "ABC-03-01-x": "3-1-X 3",
		"11-fix auth": "- ", "11-fix-": "- ", "11-$(id)": "- ", "11-fix.md": "- ",
		"quick/001": "QUICK-1 ", "quick/260322-14r": "QUICK-260322-14R ",
		"": "- ", "03-01-PLAN.md": "- ", "../03-01": "- ", "03-": "- ", "x": "- ", "quick/": "- ", "quick/x": "- ",
	} {
		if ref, phase := ParseID(id); ref.String()+" "+phase.String() != want {
			t.Errorf("%q is %s %s, want %s", id, ref, phase, want)
		}
	}
	for _, same := range [][2]string{{"03-01", "3-1"}, {"03", "3"}, {"quick/001", "quick/1"}, {"12a-1", "12A-01"}, {"AUTH-01", "AUTH-1"}, {"AUTH", "AUTH"}, {"11-fix", "11-FIX"}, {"3-1-auth", "03-01-auth"}, {"AUTH-forms", "AUTH-Forms"}} {
		if !SameID(same[0], same[1]) {
			t.Errorf("%s and %s are not the same", same[0], same[1])
		}
	}
	for _, other := range [][2]string{
		{"03-01", "03-010"},
		{"03", "03-01"},
		{"", ""},
		{"x", "x"},
		{"quick/1", "1"},
		{"3", "4"},
		{"AUTH-01", "1"},
		{"AUTH-01", "API-01"},
		{"AUTH-01", "AUTH-02"},
		{"AUTH-x", "AUTH"},
		{"AUTH", "AUTH-x"},
		{"AUTH-01", "AUTH"},
		{"GSD-AUTH-01", "GSD-01"},
		{"11-fix", "11"},
		{"11-fix", "11-fix-auth"},
		{"03-01-auth", "03-01"},
	} {
		if SameID(other[0], other[1]) {
			t.Errorf("%q and %q are the same", other[0], other[1])
		}
	}
}

func TestMeans(t *testing.T) {
	const at = "p/phases/"
	for id, plan := range map[string]string{
		"03-01-auth": "03-x/03-01-auth-PLAN.md", "3-1-Auth": "03-x/03-01-auth-PLAN.md", "03-01": "03-x/03-01-auth-PLAN.md", "auth": "03-x/auth-PLAN.md",
		"01-setup": "05-x/01-setup-PLAN.md", "05-01-setup": "05-x/01-setup-PLAN.md",
	} {
		if !Means(id, at+plan) {
			t.Errorf("%s does not mean %s", id, plan)
		}
	}
	for id, plan := range map[string]string{
		"03-01-db": "03-x/03-01-auth-PLAN.md", "03-02": "03-x/03-01-auth-PLAN.md", "03": "03-x/03-01-auth-PLAN.md", "01": "03-x/01-PLAN.md", "": "03-x/PLAN.md",
		"03-x": "03-x/03-fix-PLAN.md", "03-fix": "03-x/03-fix-SUMMARY.md", "fix": "03-x/03-fix-PLAN.md",
	} {
		if Means(id, at+plan) {
			t.Errorf("%s means %s", id, plan)
		}
	}
}

func TestComparePlans(t *testing.T) {
	want := []string{
		"p/phases/2-b/2-1-PLAN.md", "p/phases/2-b/2-9-PLAN.md", "p/phases/2-b/2-10-PLAN.md", "p/phases/2-b/auth-PLAN.md",
		"p/phases/02.1-c/02.1-01-PLAN.md", "p/phases/3-d/PLAN-02.md", "p/milestones/v1-phases/9-e/09-01-PLAN.md", "p/phases/9-e/09-01-PLAN.md",
		"p/phases/10-f/10-01-PLAN.md", "p/phases/notes/PLAN.md", "p/quick/001-x/001-PLAN.md",
	}
	got := slices.Clone(want)
	slices.Sort(got)
	slices.SortFunc(got, ComparePlans)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	slices.Reverse(got)
	if SortPlans(got); !slices.Equal(got, want) {
		t.Errorf("sorted they are %q, want %q", got, want)
	}
}

func TestCompareIDs(t *testing.T) {
	want := []string{"2", "2-1", "02-03", "02-03-auth", "02-10", "02-A", "02-fix", "02.1-01", "02.1-02", "03", "03-9", "03-10", "10-01", "auth", "oven"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, CompareIDs)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
