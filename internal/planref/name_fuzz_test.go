package planref

import (
	"slices"
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
		n, ok := ParseName(name)
		if IsPlan(name) != (ok && n.Kind == Plan) {
			t.Fatalf("%q: IsPlan disagrees with ParseName", name)
		}
		summary, isPlan := SummaryName(name)
		if !isPlan || n.Kind != Plan {
			return
		}
		if IsPlan(summary) {
			t.Fatalf("%q: its summary %q is a plan", name, summary)
		}
		if got, ok := NewSiblings([]string{name, summary}, Number{}).Summary(n); !ok || got != summary {
			t.Fatalf("%q: found %q, %v among its own, want %q", name, got, ok, summary)
		}
		if n.Ref() == (Ref{}) || n.Phase.IsZero() {
			return
		}
		id := n.Phase.Padded() + "-" + n.Plan.Padded()
		if found := ParseSubject("feat(" + id + "): x"); !slices.Equal(found.Plans, []Ref{n.Ref()}) {
			t.Fatalf("%q: a commit that names %s names %v", name, id, found.Plans)
		}
		if ref, _ := ParseID(id); ref != n.Ref() {
			t.Fatalf("%q: its id %s means %v", name, id, ref)
		}
	})
}
