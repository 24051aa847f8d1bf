package roadmap

import (
	"strings"
	"testing"
)

// FuzzPlanName: what is a plan has a summary of a name that is no plan's, and finds it; its id is what commits
// may name it by.
func FuzzPlanName(f *testing.F) {
	for _, name := range []string{
		"PLAN.md", "03-01-PLAN.md", "02.1-03-auth-PLAN.md", "3-PLAN-01-setup.md", "PLAN-01-x.md", "PLAN-01-SUMMARY.md", "SUMMARY-01.md",
		"ABC-03-01-PLAN.md", "12A-01-PLAN.md", "001-PLAN.md", "auth-PLAN.md", "PLAN-PLAN.md", "-PLAN.md", "03-01-PLAN-OUTLINE.md",
		"PLAN--PLAN.md", "PLAN-x-PLAN.md", "PLAN-3xy-PLAN.md",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if strings.Contains(name, "/") {
			return // no name of a file
		}
		n, ok := parseName(name)
		if IsPlan(name) != (ok && n.kind == planFile) {
			t.Fatalf("%q: IsPlan disagrees with parseName", name)
		}
		summary, isPlan := SummaryName(name)
		if !isPlan || n.kind != planFile {
			return
		}
		if IsPlan(summary) {
			t.Fatalf("%q: its summary %q is a plan", name, summary)
		}
		if got, ok := newSiblings([]string{name, summary}, Number{}).summary(n); !ok || got != summary {
			t.Fatalf("%q: found %q, %v among its own, want %q", name, got, ok, summary)
		}
		if n.phase.IsZero() || n.plan.IsZero() {
			return
		}
		id := n.phase.Padded() + "-" + n.plan.Padded()
		found := mentions("feat(" + id + "): x")
		if len(found) != 1 || found[0].id() != n.id() {
			t.Fatalf("%q: a commit that names %s names %v", name, id, found)
		}
	})
}
