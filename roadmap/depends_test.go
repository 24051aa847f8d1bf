package roadmap

import (
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/planref"
)

// indices lists the plans that are meant.
func (m meaning) indices() []int {
	var all []int
	for _, g := range m.groups {
		all = append(all, g.all...)
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(i int) bool { return i == m.self })
}

func TestResolve(t *testing.T) {
	var all []planPlace
	var names []string
	add := func(phase, plan, stem string) {
		var p planPlace
		p.phase, _ = planref.ParseNumber(phase)
		p.plan, _ = planref.ParseNumber(plan)
		p.stem = stem
		all, names = append(all, p), append(names, stem)
	}
	add("1", "1", "01-01")
	add("1", "2", "01-02-auth")
	add("2", "1", "02-01-schema")
	add("2", "2", "02-02-auth")
	add("2.1", "1", "02.1-01")
	add("2.1", "2", "02.1-02")
	add("3", "2", "03-02")
	add("3", "", "03-extra")
	add("4", "1", "04-01")
	add("4", "2", "04-02")
	add("4", "10", "04-10")
	add("4", "3", "04-03-mail-queue")
	add("5", "", "01")
	add("5", "", "02")
	add("5", "", "03-mail")
	add("5", "", "05-GC4")
	add("", "", "001")
	add("", "", "260322-14r")
	index := indexPlans(all, func(int) bool { return true })
	for _, c := range []struct{ self, ref, want string }{
		{"04-02", "04-01", "04-01"},
		{"04-02", "4-1", "04-01"},
		{"04-02", "01", "04-01"},
		{"04-02", "4-10", "04-10"},
		{"02.1-02", "01", "02.1-01"},        // upstream lesson 19
		{"03-02", "01", "01-01 01-02-auth"}, // there is no 03-01: the whole phase
		{"03-02", "2", "02-01-schema 02-02-auth"},
		{"04-01", "1", "01-01 01-02-auth"}, // not itself
		{"03-02", "4", ""},                 // a later phase was not meant
		{"04-01", "9", ""},
		{"04-02", "2.1", "02.1-01 02.1-02"},
		{"04-02", "3.2", "03-02"},
		{"04-02", "4.1", "04-01"},
		{"04-02", "Phase 1", "01-01 01-02-auth"},
		{"04-02", "Phase 4", ""}, // its own
		{"03-02", "Phase 4", "04-01 04-02 04-10 04-03-mail-queue"},
		{"04-02", "Phase 2.1", "02.1-01 02.1-02"},
		{"04-02", "Phase 2 plan 1", "02-01-schema"},
		{"04-02", "02-01-schema", "02-01-schema"},
		{"04-02", "02-01-renamed", "02-01-schema"},
		{"04-02", "02-01-PLAN.md", "02-01-schema"},
		{"04-02", "schema", "02-01-schema"},
		{"04-02", "auth", "01-02-auth 02-02-auth"},
		{"02-01-schema", "auth", "02-02-auth"},
		{"04-02", "03-extra", "03-extra"},
		{"04-02", "01-base", "01-01 01-02-auth"},
		{"04-02", "03-mail-queue", "04-03-mail-queue"},
		{"04-02", "04-send-the-mail-10", "04-10"},
		{"04-02", "05-archive", ""}, // a later phase was not meant
		{"02", "01-PLAN.md", "01"},
		{"02", "05-01", "01"},
		{"02", "5.1", "01"},
		{"02", "03", "03-mail"},
		{"02", "03-mail", "03-mail"},
		{"02", "[05-GC4]", "05-GC4"},
		{"02", "PLAN-01", "01"},
		{"260322-14r", "001", "001"},
		{"04-02", "04-02", ""},
		{"04-02", "quick/001", ""}, // of no phase,
		{"04-02", ".planning/quick/001-fix/001-PLAN.md", ""},
		{"04-02", "quick/260322-14r-fix", ""},
		{"04-02", "260322-14r", ""},
		{"001", "260322-14r", ""},
		{"04-02", "quick/00", ""},
		{"04-02", "unknown", ""},
		{"04-02", "the schema must be there", ""},
	} {
		self := slices.Index(names, c.self)
		var got []string
		for _, i := range index.resolve(firstReference(c.ref, noWord), self).indices() {
			got = append(got, names[i])
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s depends on %q: got %q, want %q", c.self, c.ref, s, c.want)
		}
	}
}
