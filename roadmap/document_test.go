package roadmap

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

func parse(src string) *Roadmap { return Parse([]byte(src), "") }

// readText renders what a reader of a roadmap wants to know, a thing a line: title, milestones, phases, titles of plans.
func readText(r *Roadmap) string {
	var b strings.Builder
	if r.Title != "" {
		fmt.Fprintf(&b, "title %s\n", r.Title)
	}
	for _, m := range r.Milestones {
		fmt.Fprintf(&b, "%s@%d\n", milestoneText(m), m.Line)
	}
	for _, ph := range r.Phases() {
		b.WriteString(phaseText(ph) + "\n")
	}
	byID := func(a, b planID) int {
		return cmp.Or(strings.Compare(a.milestone, b.milestone), strings.Compare(a.id, b.id))
	}
	for _, id := range slices.SortedFunc(maps.Keys(r.titles), byID) {
		fmt.Fprintf(&b, "%s %q %s\n", id.id, r.titles[id], id.milestone)
	}
	return b.String()
}

func milestoneText(m Milestone) string {
	return strings.ReplaceAll(fmt.Sprintf("v%s %s: %s", m.Version, m.Name, m.Status), " :", ":")
}

// phaseText is `3 "Title" status@LINE 1/2 v1.1 retired`.
func phaseText(ph Phase) string {
	s := fmt.Sprintf("%s %q %s@%d", ph.Number, ph.Title, ph.Status, ph.Line)
	if ph.Total > 0 {
		s += fmt.Sprintf(" %d/%d", ph.Done, ph.Total)
	}
	if ph.Milestone != "" {
		s += " v" + ph.Milestone
	}
	if ph.Retired {
		s += " retired"
	}
	return s
}

// Each source follows a first line that says nothing.
func TestPhaseLine(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"### Phase 3: Harbour", `3 "Harbour" unknown@2`},
		{"## Phase 03 — Harbour", `3 "Harbour" unknown@2`},
		{"## Phase 3 - Harbour", `3 "Harbour" unknown@2`},
		{"## Phase 3. Harbour", `3 "Harbour" unknown@2`},
		{"### Phase 02.1: Harbour (INSERTED)", `2.1 "Harbour" unknown@2`},
		{"### ✅ Phase 4: Harbour (COMPLETE)", `4 "Harbour" complete@2`},
		{"### Phase 4: Harbour ✅", `4 "Harbour" complete@2`},
		{"### Phase 4: 🚧 Harbour", `4 "Harbour" in progress@2`},
		{"### Phase PROJ-42: Harbour", `42 "Harbour" unknown@2`},
		{"### Phase 12A: Harbour", `12A "Harbour" unknown@2`},
		{"### Phase 2 (v2.0): Harbour", `2 "Harbour" unknown@2 v2`},
		{"### **Phase 3: Harbour**", `3 "Harbour" unknown@2`},
		{"### **Phase 3**: Harbour", `3 "Harbour" unknown@2`},
		{"### Phase 3: Harbour — IN PROGRESS", `3 "Harbour" in progress@2`},
		{"### Phase 3: Harbour (2/5 plans)", `3 "Harbour" unknown@2 2/5`},
		{"### Phase 3: Quay — West Side", `3 "Quay — West Side" unknown@2`},
		{"### Phase 3: Quay (west) and SLIP_WAY", `3 "Quay (west) and SLIP_WAY" unknown@2`},
		{"### Phase 3: **Quay** in `docs/*.md` and ~~_slip~~", `3 "Quay in docs/*.md and _slip" unknown@2`},
		{"### Phase 3: Quay™ → Sea", `3 "Quay™ → Sea" unknown@2`},
		{"### Phase 3: Complete the quay", `3 "Complete the quay" unknown@2`},
		{"### Phase 3: 港", `3 "港" unknown@2`},
		{"### Phase 3: [BLOCKED] Harbour", `3 "Harbour" deferred@2`},
		{"### Phase 3: [BLOCKED] - Harbour (2 plans)", `3 "Harbour" deferred@2`},
		{"### Phase 3: (INSERTED)", `3 "" unknown@2`},
		{"### Phase 3: (Re)build", `3 "(Re)build" unknown@2`},
		{"### Phase 3", `3 "" unknown@2`},
		{"### Phase 99999999999999999999: Far", `99999999999999999999 "Far" unknown@2`},
		{"###### Phase 3: Deep", `3 "Deep" unknown@2`},
		{"####### Phase 3: Too deep", ""},
		{"### Phase 1-3: Range", ""},
		{"* [X] Phase 7: Harbour", `7 "Harbour" complete@2`},
		{"- [-] Phase 7: Harbour", `7 "Harbour" unknown@2`},
		{"- [ ] Phase 7: Harbour (2/4 plans)", `7 "Harbour" unknown@2 2/4`},
		{"- [x]", ""},
		{"- [ ] 7-1", `7 "" unknown@2 0/1`},
		{"- [ ] 7-", ""},
		{"- [ ] 3-legged stool", ""},
		// Tags in front of the phase and behind its number, and the bracket convention.
		{"### [GSD] Phase 1: Harbour", `1 "Harbour" unknown@2`},
		{"### [GSD.02] Phase 05: Harbour", `5 "Harbour" unknown@2 v2`},
		{"### [GSD.02] 05.03: Harbour", `5.3 "Harbour" unknown@2 v2`},
		{"### [GSD.02] 05 piers", ""},
		{"### [x1] 05: Harbour", ""},
		{"- [ ] **[GSD.02] Phase 05: Harbour** - Piers", `5 "Harbour" unknown@2 v2`},
		{"### Phase AUTH: Harbour", `AUTH "Harbour" unknown@2`},
		{"### [GSD] Phase AUTH: Harbour", `AUTH "Harbour" unknown@2`},
		{"### [GSD.02] AUTH: Harbour", ""},
		{"### Phase AUTH Harbour", ""},
		{"### Phase Auth: Harbour", ""},
		{"### Phase ABC-B7: Harbour", `B7 "Harbour" unknown@2`},
		{"### Phase 2 (Cluster B): Harbour", `2 "Harbour" unknown@2`},
		{"### Phase 2 (Cluster B) Harbour", `2 "(Cluster B) Harbour" unknown@2`},
		// A name keeps its own emoji.
		{"### Phase 3: 🚀 Launch 🎉 ✅", `3 "🚀 Launch 🎉" complete@2`},
		// A paragraph is no phase.
		{"**Phase 6: Harbour**", ""},
		// Check boxes.
		{"- [x] **Phase 7: Harbour** (completed 2026-01-02)", `7 "Harbour" complete@2`},
		{"- [ ] **Phase 7: Harbour** - Piers, cranes (all of them)", `7 "Harbour" unknown@2`},
		{"- [ ] **Phase 7: Harbour (North)** - Piers", `7 "Harbour (North)" unknown@2`},
		{"- [ ] [Phase 7: Harbour](#phase-7) - Piers", `7 "Harbour" unknown@2`},
		{"- [ ] **[Phase 7: Harbour](#phase-7)** - Piers", `7 "Harbour" unknown@2`},
		{"- [ ] ~~Phase 7: Harbour~~", `7 "Harbour" deferred@2 retired`},
		{"- [x] ~~Phase 7: Harbour~~", `7 "Harbour" complete@2 retired`},
		{"- [x] Phase 7: Harbour (4/4 plans) — completed 2026-02-02", `7 "Harbour" complete@2 4/4`},
		{"- [x] Phase 7: Quay — West (4/4 plans) — completed 2026-02-02", `7 "Quay — West" complete@2 4/4`},
		{"- ✅ **Phase 7: Harbour** - Piers", `7 "Harbour" complete@2`},
		{"- **Phase 7 — Harbour**", `7 "Harbour" unknown@2`},
		{"- Phase 7: Harbour", ""},
	} {
		for _, end := range []string{"\n", "\r\n"} {
			var got []string
			for _, ph := range parse("\ufeffText" + end + c.src + end).Phases() {
				got = append(got, phaseText(ph))
			}
			if s := strings.Join(got, "\n"); s != c.want {
				t.Errorf("%q: got %q, want %q", c.src, s, c.want)
			}
		}
	}
}

func TestPhaseFields(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"**Depends on:** Phase 2", `3 "A" unknown@1`},
		{"It depends on: nothing", `3 "A" unknown@1`},
		{"**Plans:** 3 plans", `3 "A" unknown@1 0/3`},
		{"**Plans**: 2/4 plans complete", `3 "A" unknown@1 2/4`},
		{"   **Plans**: 5 plans in 2 waves", `3 "A" unknown@1 0/5`},
		{"**Plans:** 5 plans (3 complete, 2 gap closure)", `3 "A" unknown@1 0/5`},
		{"**Plans:** 03-01 through 03-05 (5 plans in 2 waves)", `3 "A" unknown@1`},
		{"**Plans**: 7", `3 "A" unknown@1 0/7`},
		{"**Plans**: 2-3", `3 "A" unknown@1`},
		{"**Plans**: TBD (5 areas to break up)", `3 "A" unknown@1`},
		{"**Plans**: 5 areas", `3 "A" unknown@1`},
		{"**Plans**: 1/TBD", `3 "A" unknown@1`},
		{"**Plans**: 99999999999999999999 plans", `3 "A" unknown@1`},
		{"**Status**: Complete\n**Plans**: 2 plans", `3 "A" complete@2 2/2`},
		{"Text\n\n**Status:** in-progress", `3 "A" in progress@4`},
		{"## Other\n**Status:** complete\n**Plans:** 3", `3 "A" unknown@1`},
	} {
		var got []string
		for _, ph := range parse("### Phase 3: A\n" + c.src + "\n").Phases() {
			got = append(got, phaseText(ph))
		}
		if s := strings.Join(got, "\n"); s != c.want {
			t.Errorf("%q: got %q, want %q", c.src, s, c.want)
		}
	}
}

func TestCounts(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"the table's total, and what is done anywhere", "### Phase 3: A\n**Plans**: 2 plans\n- [x] 03-01: a\n- [x] 03-02: b\n" + head + "| 3 | 1/3 | Planned |\n", "2/3"},
		{"the box before the line", "- [ ] Phase 3: A (1/4 plans)\n### Phase 3: A\n**Plans**: 2 plans\n", "1/4"},
		{"the line before the list", "### Phase 3: A\n**Plans**: 3 plans\n- [x] 03-01: a\n", "1/3"},
		{"the list", "### Phase 3: A\n- [x] 03-01: a\n- [ ] 03-02: b\n- [ ] 03-03: c\n", "1/3"},
		{"complete, and nothing ticked", "- [x] Phase 3: A\n### Phase 3: A\n- [ ] 03-01: a\n", "1/1"},
		{"complete, and counted", "- [x] Phase 3: A\n" + head + "| 3 | 1/2 | In progress |\n", "1/2"},
		{"a total to come", "### Phase 3: A\n" + head + "| 3 | 0/TBD | Planned |\n", "0/0"},
		{"more than all is done by nobody", head + "| 3 | 5/3 | Planned |\n", "0/3"},
	} {
		ph := parse(c.src).Phases()[0]
		if got := fmt.Sprintf("%d/%d", ph.Done, ph.Total); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestRowTitle(t *testing.T) {
	const columns = "| Phase | Name | Status |\n|---|---|---|\n"
	for _, c := range []struct{ row, want string }{
		{"| 3. Harbour | | Planned |", "Harbour"},
		{"| Phase 3: Harbour | | Planned |", "Harbour"},
		{"| [Phase 3: Harbour](#3) | | Planned |", "Harbour"},
		{"| ~~3. Harbour~~ | | Dropped |", "Harbour"},
		{"| **3. Harbour (INSERTED)** | | Planned |", "Harbour"},
		{"| 3 - Quay Pier ✅ | | Planned |", "Quay Pier"},
		{"| 03-harbour | | Planned |", "harbour"},
		{"| 3 | Harbour | Planned |", "Harbour"},
		{"| 3 | 2 harbours | Planned |", "2 harbours"},
		{"| 3 | | Planned |", ""},
	} {
		phases := parse(columns + c.row + "\n").Phases()
		if len(phases) != 1 || phases[0].Title != c.want || phases[0].Number.String() != "3" || phases[0].Line != 3 {
			t.Errorf("%s: %+v, want %q", c.row, phases, c.want)
		}
	}
}

func TestTitle(t *testing.T) {
	for in, want := range map[string]string{
		"# Roadmap: Harbour":             "Harbour",
		"# Roadmap":                      "",
		"# Harbour — Roadmap":            "Harbour",
		"# Harbour Roadmap":              "Harbour",
		"# 🚢 Roadmap – Harbour":          "Harbour",
		"# Roadmap: Harbour 🚢":           "Harbour 🚢",
		"# Harbour":                      "Harbour",
		"# Roadmapper":                   "Roadmapper",
		"## Roadmap: Harbour":            "",
		"# Phase 1: A\n# Harbour\n# B":   "Harbour",
		"```\n# no\n```\n# Harbour":      "Harbour",
		"# Roadmap\r\n\r\n# Harbour\r\n": "Harbour",
		"":                               "",
	} {
		if got := parse(in).Title; got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestMilestoneLine(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"## v1.10 Polish", `v1.10 Polish: unknown`},
		{"## V2", `v2: unknown`},
		{"### 🚧 v1.1 Polish (In Progress)", `v1.1 Polish: in progress`},
		{"### ✅ v1.7 Tokens (Phases 5–8) — SHIPPED 2026-04-09", `v1.7 Tokens: complete`},
		{"### v1.7 Ships, Cranes & Piers — ACTIVE", `v1.7 Ships, Cranes & Piers: in progress`},
		{"### v1.7 Piers — planned", `v1.7 Piers: not started`},
		{"## v1.0.0: Base — Phase Complete Locally 2026-06-02", `v1 Base: complete`},
		{"## v3.2 Import — IMPLEMENTATION COMPLETE 2026-06-08", `v3.2 Import: complete`},
		// Shipped, wherever the sign stands.
		{"## v1.0 Foundation ✅ SHIPPED", `v1 Foundation: complete`},
		{"## v1.0 Foundation, shipped to all", `v1 Foundation, shipped to all: complete`},
		{"<details><summary>Shipped milestone v1.2</summary></details>", `v1.2: complete`},
		{"## Archived: v1.2 Base", `v1.2 Base: complete`},
		{"## Released v1.2 Base", `v1.2 Base: complete`},
		{"## v1.2 Base 🗄", `v1.2 Base: complete`},
		{"## v1.2 Base (closed)", `v1.2 Base: complete`},
		{"## v1.2 Base — ABANDONED", `v1.2 Base: deferred`},
		{"## v1.2 Base (FAILED)", `v1.2 Base: deferred`},
		{"## v1.2 Shipped builds 🚧", `v1.2 Shipped builds: in progress`},
		{"## v1.2 Shipped builds (in progress)", `v1.2 Shipped builds: in progress`},
		{"## v1.2 Archived logs, WIP", `v1.2 Archived logs, WIP: in progress`},
		{"## v1.2 Ship it", `v1.2 Ship it: unknown`},
		// The words before the version.
		{"# Roadmap v2.0: Base", `v2 Base: unknown`},
		{"## Roadmap v2.0: Base", `v2 Base: unknown`},
		{"## Milestone v2.0 — Base", `v2 Base: unknown`},
		{"## Current Milestone: v2.1", `v2.1: in progress`},
		{"## Next Milestone: v2.1", `v2.1: not started`},
		{"## Milestone 3-5", ""},
		{"## [GSD.02] Base", `v2 Base: unknown`},
		{"## [GSD] Base", ""},
		{"## **v2.1 Base**", `v2.1 Base: unknown`},
		{"## v2.1 Base 🚢", `v2.1 Base 🚢: unknown`},
		{"## Milestone: Base", ""},
		{"## Milestones", ""},
		{"## Milestone Overview", ""},
		{"## About v3.0", ""},
		{"## v2x", ""},
		{"## v2.x Base", ""},
		{"## v1.10.0 Base", `v1.10 Base: unknown`},
		{"## v Base", ""},
		{"- v1.0 Base — Phases 1-2", `v1 Base: unknown`},
		{"- v1.0 Base", ""},
		{"<details>\n</details>\n## Milestones\n", ""},
	} {
		var got []string
		for _, m := range parse(c.src + "\n").Milestones {
			got = append(got, milestoneText(m))
			if m.Line != 1 {
				t.Errorf("%q: line %d", c.src, m.Line)
			}
		}
		if s := strings.Join(got, "\n"); s != c.want {
			t.Errorf("%q: got %q, want %q", c.src, s, c.want)
		}
	}
}

func TestDocument(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"nothing", "", ""},
		{"the list of milestones", `# Roadmap: Port
## Milestones
- ✅ **v1.0 Base** — Phases 1-2, 9 plans (shipped 2026-01-18) → [archive](milestones/v1.0-ROADMAP.md)
- 🚧 **v1.1 Ships & Cranes** - Phases 3–4, 6
- [x] **v0.9 Try** - Phase 0
- **v1.2 Later** (planned)
- 📋 **Dreams** — Phases 20-30
- Nothing else
## Phases
- [x] Phase 1: Quay
- v1.9 is not told here
### Phase 3.1: Ship
### Phase 4.2: Crane
### Phase 5: Loose
### Phase 6: Tug
`, `title Port
v0.9 Try: unknown@5
v1 Base: complete@3
v1.1 Ships & Cranes: in progress@4
1 "Quay" complete@10 v1
3.1 "Ship" unknown@12 v1.1
4.2 "Crane" unknown@13 v1.1
5 "Loose" unknown@14
6 "Tug" unknown@15 v1.1
`},
		{"merged by version, the heading's line", `## Milestones
- ✅ **v1.0 Base** — Phases 1-2 (shipped 2026-01-18)
- **v1.1 Ships** - Phases 3-4 (in progress)
<details>
<summary>v1 First Base</summary>

### Phase 1: Quay
### Phase 2: Pier
</details>

### v1.1
### Phase 3: Ship

| Phase | Milestone | Plans | Status |
|---|---|---|---|
| 1-2 | v1.0 | 4/4 | Complete |
| 3. Ship | v1.1 | 1/2 | In progress |
| 5 | v1.10 | 0/2 | |
`, `v1 First Base: complete@5
v1.1 Ships: in progress@11
v1.10: unknown@18
1 "Quay" complete@5 v1
2 "Pier" complete@5 v1
3 "Ship" in progress@17 1/2 v1.1
5 "" unknown@18 0/2 v1.10
`},
		{"folds", `<details>
<summary>
v1.0 Base
</summary>
- [ ] Phase 1: Quay
</details>
<details open><summary><strong>v1.1 Ships</strong></summary>
- [ ] Phase 2: Ship
</details>
<details>
<summary>🚧 v1.2 Cranes — ACTIVE</summary>
- [ ] Phase 3: Crane
<details><summary>Notes</summary>
- [ ] Phase 4: Tug
</details>
</details>
- [ ] Phase 5: Loose
`, `v1.1 Ships: unknown@7
v1.2 Cranes: in progress@11
1 "Quay" unknown@5
2 "Ship" unknown@8 v1.1
3 "Crane" unknown@12 v1.2
4 "Tug" unknown@14 v1.2
5 "Loose" unknown@17
`},
		{"numbers start again", `<details>
<summary>v1.0 Base</summary>
### Phase 1: Quay
- [x] 01-01-PLAN.md — stones
### Phase 2: Pier
</details>

## v2.0 Ships
### Phase 1: Ship
**Depends on**: Nothing
- [ ] 01-01-PLAN.md — keel
### Phase 10: Crane

| Phase | Milestone | Plans Complete | Status |
|---|---|---|---|
| 1. Quay | v1.0 | 0/1 | Planned |
| 1. Ship | v2.0 | 0/1 | In Progress |
`, `v1 Base: unknown@2
v2 Ships: unknown@8
1 "Quay" not started@16 1/1 v1
2 "Pier" unknown@5 v1
1 "Ship" in progress@17 0/1 v2
10 "Crane" unknown@12 v2
01-01 "stones" 1
01-01 "keel" 2
`},
		{"a phase with a milestone of its own", "## v1.0 A\n### Phase 2 (v2.0): B\n- [ ] 02-01-PLAN.md — b\n- [ ] 03-01-PLAN.md — c\n", `v1 A: unknown@1
v2: unknown@2
3 "" unknown@4 0/1 v1
2 "B" unknown@2 0/1 v2
03-01 "c" 1
02-01 "b" 2
`},
		{"an end of a fold that did not begin", "</details>\n<details><summary>v1.0 A</summary>\n- [ ] Phase 1: A\n</details>\n</details>\n- [ ] Phase 2: B\n", `v1 A: unknown@2
1 "A" unknown@3 v1
2 "B" unknown@6
`},
		{"a phase that follows by its number", "## v1.0 A\n### Phase 1: A\n### Phase 3: C\n# Rest\n### Phase 2: B\n### Phase 9: D\n## v2.0 E\n### Phase 5: E\n", `title Rest
v1 A: unknown@1
v2 E: unknown@7
1 "A" unknown@2 v1
2 "B" unknown@5
3 "C" unknown@3 v1
5 "E" unknown@8 v2
9 "D" unknown@6
`},
		{"ranges", "- v1.0 A — Phases 1-4, 6 & 8–9, 22 plans\n- v2.0 B — Phases 10 + 10.5\n- [ ] Phase 4.1: A\n- [ ] Phase 5: A\n- [ ] Phase 6: A\n- [ ] Phase 9: A\n- [ ] Phase 10.5: A\n- [ ] Phase 11: A\n- [ ] Phase 22: A\n", `v1 A: unknown@1
v2 B: unknown@2
4.1 "A" unknown@3 v1
5 "A" unknown@4
6 "A" unknown@5 v1
9 "A" unknown@6 v1
10.5 "A" unknown@7 v2
11 "A" unknown@8
22 "A" unknown@9
`},
		{"two headings of a milestone", "## v1.0 A\n### Phase 1: A\n## v1.0 B (shipped)\n", "v1 A: complete@1\n1 \"A\" complete@1 v1\n"},
		{"v0.10 comes after v0.9 (#2619)", "## v0.10 B\n- [ ] Phase 3: C\n## v0.9 A\n- [ ] Phase 4: D\n", `v0.9 A: unknown@3
v0.10 B: unknown@1
4 "D" unknown@4 v0.9
3 "C" unknown@2 v0.10
`},
		{"items", `### Phase 3: Port
Plans:
- [x] 03-01-PLAN.md — Quay: stones (granite) - completed 2026-01-19
- [ ] 03-02: TBD
- [ ] **03-03** — Pier
- [x] 03-04-PLAN.md — Crane
- [x] ~~03-05-tug-PLAN.md~~: Tug
* 03-06: Ship
- [ ] 03-06: Ship
- [x] 3-6: Ship again
- [ ] 03-08 Raft
- [ ] 02.1-03 -- elsewhere
- 04-01: of another phase
- [ ] 5-10 users can log in
- [ ] 3-4 cranes
- 3-4 cranes
- [ ] 2026-03-06: meeting
- [ ] 12A-01-PLAN.md
- [ ] 99999999999999999999-01: far
`, `2.1 "" unknown@12 0/1
3 "Port" unknown@1 4/7
12A "" unknown@18 0/1
99999999999999999999 "" unknown@19 0/1
02.1-03 "elsewhere" 
03-01 "Quay: stones (granite)" 
03-02 "TBD" 
03-03 "Pier" 
03-04 "Crane" 
03-05 "Tug" 
03-06 "Ship" 
12A-01 "" 
99999999999999999999-01 "far" 
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, src := range []string{c.src, "\ufeff" + strings.ReplaceAll(c.src, "\n", "\r\n")} {
				if got := readText(parse(src)); got != c.want {
					t.Errorf("got\n%swant\n%s", got, c.want)
				}
			}
		})
	}
}

func TestCurrent(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"nothing", "", ""},
		{"the first in progress", head + "| 1 | 0/1 | Planned |\n| 2 | 0/1 | In progress |\n| 3 | 0/1 | In progress |\n", "2@4"},
		{"partly done", head + "| 1 | 0/1 | Planned |\n| 2 | 1/2 | Planned |\n", "2@4"},
		{"the first to come", head + "| 1 | 1/1 | Complete |\n| 2 | 0/1 | Deferred |\n| 3 | | |\n| 4 | 0/1 | Planned |\n", "3@5"},
		{"all done", head + "| 1 | 1/1 | Complete |\n| 2 | 0/1 | Deferred |\n", ""},
		{"all plans done, not called complete", head + "| 1 | 2/2 | Planned |\n| 2 | 0/1 | Planned |\n", "2@4"},
		{"in progress, but all plans done", head + "| 1 | 2/2 | In progress |\n| 2 | 0/1 | Planned |\n", "2@4"},
		{"in progress, all plans done, and nothing else", head + "| 1 | 2/2 | In progress |\n| 2 | 1/1 | Complete |\n", "1@3"},
		{"of the milestone under way", "## v1 A\n- [ ] Phase 1: A\n## 🚧 v2 B\n- [ ] Phase 2: B\n## v3 C\n- [ ] Phase 3: C\n", "2@4"},
		{"of the first milestone with an open phase", "## v1 A\n- [x] Phase 1: A\n## v2 B\n- [x] Phase 2: B\n- [ ] Phase 3: B\n## v3 C\n- [~] Phase 4: C (in progress)\n", "3@5"},
		{"of the first milestone", "## v1 A\n- [ ] Phase 1: A\n## v2 B\n- [ ] Phase 2: B\n", "1@2"},
		{"not of a shipped one", "## ✅ v1 A\n" + head + "| 1 | 1/2 | In progress |\n\n## v2 B\n- [ ] Phase 2: B\n", "2@7"},
		{"folded, but under way", "<details>\n<summary>v1 A — ACTIVE</summary>\n- [ ] Phase 1: A\n</details>\n", "1@3"},
		{"backlog is for later", "- [ ] Phase 999.1: A\n- [ ] Phase 1000: B\n", "1000@2"},
		{"nothing but backlog", "- [x] Phase 1: B\n- [ ] Phase 999.1: A\n", ""},
		{"backlog is never current", "- [x] Phase 1: B\n- [ ] Phase 999.1: A (in progress)\n- [ ] Phase 0.1: C (in progress)\n", ""},
		{"all shipped, and a row forgotten", "## ✅ v1 A\n" + head + "| 1 | 1/2 | In progress |\n", ""},
		{"the last word counts", "- [x] Phase 1: A\n" + head + "| 1 | 2/3 | In progress |\n", "1@4"},
	} {
		ph, ok := parse(c.src).Current()
		got := ""
		if ok {
			got = fmt.Sprintf("%s@%d", ph.Number, ph.Line)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// However long a line is, a title is not, and lines are told right.
func TestLongTitles(t *testing.T) {
	long := strings.Repeat("Über ", 1<<20)
	r := parse("## v1 " + long + "\n### Phase 3: " + long + "\n- [ ] 03-01-PLAN.md: " + long + "\n# Roadmap: " + long + "\n")
	want := strings.Repeat("Über ", maxText/5)
	want = want[:len(want)-len(" ")] + "…"
	if ph := r.Phases()[0]; ph.Title != want || ph.Line != 2 {
		t.Errorf("line %d, %q", ph.Line, ph.Title[:min(len(ph.Title), 300)])
	}
	if item := r.PlanTitle("1", "03-01"); item != want {
		t.Errorf("%q", item[:min(len(item), 300)])
	}
	if r.Title != want {
		t.Errorf("%q", r.Title[:min(len(r.Title), 300)])
	}
	if m := r.Milestones[0]; m.Name != want || m.Line != 1 {
		t.Errorf("line %d, %q", m.Line, m.Name[:min(len(m.Name), 300)])
	}
	for s, want := range map[string]string{
		"": "", "a": "a", strings.Repeat("ü", maxText): strings.Repeat("ü", maxText), strings.Repeat("ü", maxText+1): strings.Repeat("ü", maxText-1) + "…",
	} {
		if got := cutText(s); got != want {
			t.Errorf("%q became %q", s, got)
		}
	}
}
