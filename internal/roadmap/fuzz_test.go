package roadmap

// fuzz_test.go: properties that hold for any bytes.

import (
	"reflect"
	"strings"
	"testing"
)

func FuzzRoadmap(f *testing.F) {
	for _, s := range []string{
		"", "\ufeff## Phase 1: A\r\n", "- [x] **Phase 2.1: B** (1/2 plans)\n- [ ] 02.1-03-PLAN.md",
		"| Phase | Milestone | Plans Complete | Status |\n|---|---|---|---|\n| 3. C | v1.0 | 1/2 | In Progress |\n| 4-6 | v2.0 | | Complete |\n",
		"```\n```go\n~~~\n", "<!-- <!-- --> `<!--`", "<details><summary>v1.0</summary>\n</details></details>",
		"|\n|-\n|", "### Phase 8: T [", "#", "- [", "Status:", "### Phase 1:\nStatus: ", "| # | Status |\n|-|-|\n| \\| |",
		"# Roadmap: T\n## Milestones\n- ✅ **v1.0 A** — Phases 1-4, 6 (shipped 2026-01-18)\n- 🚧 **v1.1 B** - Phases 5-6\n## Phase 5: C\n",
		"<details open>\n<summary>\n<b>v1.0 A</b>\n</summary>\n### Phase 1: X\n**Depends on:** Phase 0\n**Plans:** 2/3 plans\n- [x] 01-01: t\n- 01-02 — u\n",
		"<details>\n<summary>v1</summary>\n- [x] Phase 1: A\n</details>\n- [ ] Phase 1: B\n## Milestone: New\n## Milestone 2: Newer\n**Status:** done\n**Phases:** 1-2",
		"**Phase 6: Bold** (complete)\n1. [~] Phase 7 (v3): x\n## Phase 999.1: Later\n",
		"# v1.0\n- [x] Phase 1: A\n# v02\n- [ ] Phase 1: A\n# v2\n- [ ] Phase 01: A\n- [ ] 1-1\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		r := Parse(src, "")
		checkLines(t, r, string(src))
		checkPhases(t, r)
		checkRoadmap(t, r)

		// Line endings do not matter.
		unix := strings.ReplaceAll(string(src), "\r", "")
		dos := strings.ReplaceAll(unix, "\n", "\r\n")
		if a, b := parse(unix), parse(dos); !reflect.DeepEqual(a, b) {
			t.Fatalf("line endings change\n%+v\nto\n%+v", a, b)
		}

		// Inside a fence that is longer than all others it is an example.
		fence := strings.Repeat("~", 3+strings.Count(unix, "~"))
		if r := parse(fence + "\n" + unix + "\n" + fence); !reflect.DeepEqual(r, parse("")) {
			t.Fatalf("an example is read as %+v", r)
		}
	})
}

// checkLines checks that every line number is of a line in the file that is not blank.
func checkLines(t *testing.T, r *Roadmap, src string) {
	t.Helper()
	lines := strings.Split(strings.TrimPrefix(src, "\ufeff"), "\n")
	check := func(what string, no int) {
		if no < 1 || no > len(lines) || strings.TrimSpace(lines[no-1]) == "" {
			t.Fatalf("%s on line %d of %d", what, no, len(lines))
		}
	}
	for _, m := range r.Milestones {
		check("milestone", m.Line)
	}
	for _, ph := range r.Phases() {
		check("status", ph.Line)
	}
}

// checkPhases checks that each phase is listed once.
func checkPhases(t *testing.T, r *Roadmap) {
	t.Helper()
	phases := r.Phases()
	seen := map[planID]bool{}
	for _, ph := range phases {
		id := planID{ph.Milestone, ph.Number.Key()}
		if seen[id] || ph.Number.IsZero() || ph.Done < 0 || ph.Done > ph.Total {
			t.Fatalf("%+v in %+v", ph, phases)
		}
		seen[id] = true
	}
}

// checkRoadmap checks that each version is listed once and in order, and that the milestone of every phase is listed.
func checkRoadmap(t *testing.T, r *Roadmap) {
	t.Helper()
	versions := map[string]bool{"": true}
	last := ""
	for _, m := range r.Milestones {
		if m.Version == "" {
			continue
		}
		if compareMilestones(m.Version, last) <= 0 {
			t.Fatalf("%s after %s", m.Version, last)
		}
		last, versions[m.Version] = m.Version, true
	}
	for _, ph := range r.Phases() {
		if !versions[ph.Milestone] {
			t.Fatalf("no milestone for %+v", ph)
		}
	}
	for id := range r.titles {
		if !versions[id.milestone] {
			t.Fatalf("no milestone for %+v", id)
		}
	}
}
