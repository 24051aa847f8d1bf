package roadmap

import (
	"cmp"
	"strings"
	"testing"
)

const (
	head          = "| Phase | Plans Complete | Status |\n|---|---|---|\n"
	milestoneHead = "| Phase | Milestone | Plans Complete | Status |\n|---|---|---|---|\n"
)

// reading is a roadmap and its reading; see readText.
type reading struct{ src, want string }

// check reads each roadmap with both line endings, and with a byte order mark.
func check(t *testing.T, cases []reading) {
	t.Helper()
	for _, c := range cases {
		for _, src := range []string{c.src, "\ufeff" + strings.ReplaceAll(c.src, "\n", "\r\n")} {
			if got := strings.TrimSuffix(readText(parse(src)), "\n"); got != c.want {
				t.Errorf("%q: got\n%s\nwant\n%s", src, got, c.want)
			}
		}
	}
}

func TestPhaseLine(t *testing.T) {
	check(t, []reading{
		{"### Phase 3: Harbour", `3 "Harbour" unknown@1`},
		{"## Phase 03 — Harbour", `3 "Harbour" unknown@1`},
		{"## Phase 3 - Harbour", `3 "Harbour" unknown@1`},
		{"## Phase 3. Harbour", `3 "Harbour" unknown@1`},
		{"### Phase 02.1: Harbour (INSERTED)", `2.1 "Harbour" unknown@1`},
		{"### ✅ Phase 4: Harbour (COMPLETE)", `4 "Harbour" complete@1`},
		{"### Phase 4: Harbour ✅", `4 "Harbour" complete@1`},
		{"### Phase 4: 🚧 Harbour", `4 "Harbour" in progress@1`},
		{"### Phase PROJ-42: Harbour", `42 "Harbour" unknown@1`},
		{"### Phase 12A: Harbour", `12A "Harbour" unknown@1`},
		{"### Phase 2 (v2.0): Harbour", "v2: unknown@1\n2 \"Harbour\" unknown@1 v2"},
		{"### **Phase 3: Harbour**", `3 "Harbour" unknown@1`},
		{"### **Phase 3**: Harbour", `3 "Harbour" unknown@1`},
		{"### Phase 3: Harbour — IN PROGRESS", `3 "Harbour" in progress@1`},
		{"### Phase 3: Harbour (2/5 plans)", `3 "Harbour" unknown@1 2/5`},
		{"### Phase 3: Quay — West Side", `3 "Quay — West Side" unknown@1`},
		{"### Phase 3: Quay (west) and SLIP_WAY", `3 "Quay (west) and SLIP_WAY" unknown@1`},
		{"### Phase 3: **Quay** in `docs/*.md` and ~~_slip~~", `3 "Quay in docs/*.md and _slip" unknown@1`},
		{"### Phase 3: Quay™ → Sea", `3 "Quay™ → Sea" unknown@1`},
		{"### Phase 3: Complete the quay", `3 "Complete the quay" unknown@1`},
		{"### Phase 3: 港", `3 "港" unknown@1`},
		{"### Phase 3: [BLOCKED] Harbour", `3 "Harbour" deferred@1`},
		{"### Phase 3: [BLOCKED] - Harbour (2 plans)", `3 "Harbour" deferred@1`},
		{"### Phase 3: (INSERTED)", `3 "" unknown@1`},
		{"### Phase 3: (Re)build", `3 "(Re)build" unknown@1`},
		{"### Phase 3", `3 "" unknown@1`},
		{"### Phase 99999999999999999999: Far", `99999999999999999999 "Far" unknown@1`},
		{"###### Phase 3: Deep", `3 "Deep" unknown@1`},
		{"####### Phase 3: Too deep", ""},
		{"### Phase 1-3: Range", ""},
		{"* [X] Phase 7: Harbour", `7 "Harbour" complete@1`},
		{"- [-] Phase 7: Harbour", `7 "Harbour" unknown@1`},
		{"- [ ] Phase 7: Harbour (2/4 plans)", `7 "Harbour" unknown@1 2/4`},
		{"- [x]", ""},
		{"- [ ] 7-1", "7 \"\" unknown@1 0/1\n07-01 \"\" "},
		{"- [ ] 7-", ""},
		{"- [ ] 3-legged stool", ""},
		{"### [GSD] Phase 1: Harbour", `1 "Harbour" unknown@1`},
		{"### [GSD.02] Phase 05: Harbour", "v2: unknown@1\n5 \"Harbour\" unknown@1 v2"},
		{"### [GSD.02] 05.03: Harbour", "v2: unknown@1\n5.3 \"Harbour\" unknown@1 v2"},
		{"### [GSD.02] 05 piers", "v2 05 piers: unknown@1"},
		{"### [x1] 05: Harbour", ""},
		{"- [ ] **[GSD.02] Phase 05: Harbour** - Piers", "v2: unknown@1\n5 \"Harbour\" unknown@1 v2"},
		{"### Phase AUTH: Harbour", `AUTH "Harbour" unknown@1`},
		{"### [GSD] Phase AUTH: Harbour", `AUTH "Harbour" unknown@1`},
		{"### [GSD.02] AUTH: Harbour", "v2 AUTH: Harbour: unknown@1"},
		{"### Phase AUTH Harbour", ""},
		{"### Phase Auth: Harbour", ""},
		{"### Phase ABC-B7: Harbour", `B7 "Harbour" unknown@1`},
		{"### Phase 2 (Cluster B): Harbour", `2 "Harbour" unknown@1`},
		{"### Phase 2 (Cluster B) Harbour", `2 "(Cluster B) Harbour" unknown@1`},
		{"### Phase 3: 🚀 Launch 🎉 ✅", `3 "🚀 Launch 🎉" complete@1`},
		{"**Phase 6: Harbour**", ""},
		{"- Phase 9 waits for **the harbour**", ""},
		{"- **Phase 3:** Some **bold** piers", `3 "Some bold piers" unknown@1`},
		{"- **Phase 4**: Ship it, **now**", `4 "Ship it, now" unknown@1`},
		{"- [ ] ~~Phase 3: Harbour~~ moved to v2", `3 "Harbour" deferred@1 retired`},
		{"### Phase 3: Harbour: (shipped)", `3 "Harbour" complete@1`},
		{"### Phase 3: Harbour — (INSERTED)", `3 "Harbour" unknown@1`},
		{"### Phase 3: Harbour → (2/3 plans)", `3 "Harbour" unknown@1 2/3`},
		{"| Phase | Plans |\n|---|---|\n| TOTAL: | 5/9 |\n| 3. Harbour | 1/2 |", `3 "Harbour" unknown@4 1/2`},
		{"| Phase | Plans | Done |\n|---|---|---|\n| 3. Harbour | 3 | 2 |\n| 4. Quay | 3 | 2/2 |", "3 \"Harbour\" unknown@3 2/3\n4 \"Quay\" unknown@4"},
		{
			"### Phase 3: Harbour\n- [x] 03-01: A\n**Status:** In progress\n- [ ] 03-02: B\n",
			"3 \"Harbour\" in progress@3 1/2\n03-01 \"A\" \n03-02 \"B\" ",
		},
		{"- [x] **Phase 7: Harbour** (completed 2026-01-02)", `7 "Harbour" complete@1`},
		{"- [ ] **Phase 7: Harbour** - Piers, cranes (all of them)", `7 "Harbour" unknown@1`},
		{"- [ ] **Phase 7: Harbour (North)** - Piers", `7 "Harbour (North)" unknown@1`},
		{"- [ ] [Phase 7: Harbour](#phase-7) - Piers", `7 "Harbour" unknown@1`},
		{"- [ ] **[Phase 7: Harbour](#phase-7)** - Piers", `7 "Harbour" unknown@1`},
		{"- [ ] ~~Phase 7: Harbour~~", `7 "Harbour" deferred@1 retired`},
		{"- [x] ~~Phase 7: Harbour~~", `7 "Harbour" complete@1 retired`},
		{"- [x] Phase 7: Harbour (4/4 plans) — completed 2026-02-02", `7 "Harbour" complete@1 4/4`},
		{"- [x] Phase 7: Quay — West (4/4 plans) — completed 2026-02-02", `7 "Quay — West" complete@1 4/4`},
		{"- ✅ **Phase 7: Harbour** - Piers", `7 "Harbour" complete@1`},
		{"- **Phase 7 — Harbour**", `7 "Harbour" unknown@1`},
		{"- Phase 7: Harbour", ""},
	})
}

func TestPhaseFields(t *testing.T) {
	check(t, []reading{
		{"### Phase 3: A\n**Depends on:** Phase 2", `3 "A" unknown@1`},
		{"### Phase 3: A\nIt depends on: nothing", `3 "A" unknown@1`},
		{"### Phase 3: A\n**Plans:** 3 plans", `3 "A" unknown@1 0/3`},
		{"### Phase 3: A\n**Plans**: 2/4 plans complete", `3 "A" unknown@1 2/4`},
		{"### Phase 3: A\n   **Plans**: 5 plans in 2 waves", `3 "A" unknown@1 0/5`},
		{"### Phase 3: A\n**Plans:** 5 plans (3 complete, 2 gap closure)", `3 "A" unknown@1 0/5`},
		{"### Phase 3: A\n**Plans:** 03-01 through 03-05 (5 plans in 2 waves)", `3 "A" unknown@1`},
		{"### Phase 3: A\n**Plans**: 7", `3 "A" unknown@1 0/7`},
		{"### Phase 3: A\n**Plans**: 2-3", `3 "A" unknown@1`},
		{"### Phase 3: A\n**Plans**: TBD (5 areas to break up)", `3 "A" unknown@1`},
		{"### Phase 3: A\n**Plans**: 5 areas", `3 "A" unknown@1`},
		{"### Phase 3: A\n**Plans**: 1/TBD", `3 "A" unknown@1`},
		{"### Phase 3: A\n**Plans**: 99999999999999999999 plans", `3 "A" unknown@1`},
		{"### Phase 3: A\n**Status**: Complete\n**Plans**: 2 plans", `3 "A" complete@2 2/2`},
		{"### Phase 3: A\nText\n\n**Status:** in-progress", `3 "A" in progress@4`},
		{"### Phase 3: A\n## Other\n**Status:** complete\n**Plans:** 3", `3 "A" unknown@1`},
		// Counts in several places.
		{"### Phase 3: A\n**Plans**: 2 plans\n- [x] 03-01: a\n- [x] 03-02: b\n" + head + "| 3 | 1/3 | Planned |", "3 \"A\" not started@7 2/3\n03-01 \"a\" \n03-02 \"b\" "}, // the table's total, and what is done anywhere
		{"- [ ] Phase 3: A (1/4 plans)\n### Phase 3: A\n**Plans**: 2 plans", `3 "A" unknown@1 1/4`},                                                                        // the box before the line
		{"### Phase 3: A\n**Plans**: 3 plans\n- [x] 03-01: a", "3 \"A\" unknown@1 1/3\n03-01 \"a\" "},                                                                      // the line before the list
		{"### Phase 3: A\n- [x] 03-01: a\n- [ ] 03-02: b\n- [ ] 03-03: c", "3 \"A\" unknown@1 1/3\n03-01 \"a\" \n03-02 \"b\" \n03-03 \"c\" "},                              // the list
		{"- [x] Phase 3: A\n### Phase 3: A\n- [ ] 03-01: a", "3 \"A\" complete@1 1/1\n03-01 \"a\" "},                                                                       // complete, and nothing ticked
		{"- [x] Phase 3: A\n" + head + "| 3 | 1/2 | In progress |", `3 "A" in progress@4 1/2`},                                                                             // complete, and counted
		{"### Phase 3: A\n" + head + "| 3 | 0/TBD | Planned |", `3 "A" not started@4`},                                                                                     // a total to come
		{head + "| 3 | 5/3 | Planned |", `3 "" not started@3 0/3`},                                                                                                         // more than all is done by nobody
	})
}

// Forms of real projects that were misread.
func TestForms(t *testing.T) {
	check(t, []reading{
		// What some place calls shipped is not in progress.
		{"- ✅ **v1.2 SHIPPED** — Phases 1-2\n\n### 🚧 v1.2 Sea (In Progress)\n", "v1.2 Sea: complete@3"},
		{"- 🚧 **v1.2 Sea** — Phases 1-2\n\n### v1.2 Sea (shipped)\n", "v1.2 Sea: complete@3"},
		{"- 🚧 **v1.2 Sea** — Phases 1-2\n\n### v1.2 Sea (deferred)\n", "v1.2 Sea: deferred@3"},
		// A project's code before a milestone.
		{"## [GSD] v2.0 — Sea", "v2 Sea: unknown@1"},
		{"## 🚧 [GSD] v2.0 — Sea", "v2 Sea: in progress@1"},
		{"## [GSD] Milestone v2.0: Sea", "v2 Sea: unknown@1"},
		{"## [v2.0 Sea](x.md) at v3.0", "v2 Sea at v3.0: unknown@1"},
		{"## [GSD] Sea v2.0", ""},
		{"## V1 Archive", "v1: complete@1"},
		{"## v1.0 Archive search", "v1 Archive search: unknown@1"},
		// What is said of another phase.
		{"### Phase 3: A\n**Deliverables:**\n- **Phase 1 — X:** its API\n- **Phase 2 — Y**: done\n", `3 "A" unknown@1`},
		{"### Phase 3: A\n#### Deliverables\n- **Phase 1 — X:** its API\n", `3 "A" unknown@1`},
		{"### Phase 3: A\n## Next\n- **Phase 4 — X:** its API\n", "3 \"A\" unknown@1\n4 \"X\" unknown@3"},
		{"### Phase 3: A\n- [x] **Phase 1 — X**\n", "1 \"X\" complete@2\n3 \"A\" unknown@1"},
		{"<details>\n<summary>v1.0</summary>\n\n### Phase 3: A\n</details>\n- **Phase 4 — X**\n", "v1: unknown@2\n3 \"A\" unknown@4 v1\n4 \"X\" unknown@6"},
	})
}

func TestTable(t *testing.T) {
	const (
		named      = "| Phase | Name | Status |\n|---|---|---|\n"
		ownColumns = "| # | Phase | Plans | Completed | Status |\n|---|-------|-------|-----------|--------|\n"
	)
	check(t, []reading{
		{head + "| 1. Base | 3/3 | Complete    | 2026-02-01 |\n| **Total** | 4/6 | 66% | |", `1 "Base" complete@3 3/3`},
		{head + "| 2. Login | 1/3 | In Progress|", `2 "Login" in progress@3 1/3`},
		{head + "| 3-4 | 1/3 | In Progress|", ""},
		{milestoneHead + "| 9. Base | v1.10 | 3/3 | ✓ Complete |", "v1.10: unknown@3\n9 \"Base\" complete@3 3/3 v1.10"},
		{"Phase | Plans | Status\n:--|:-:|--:\n**03-mail** | 0/2 | `planned`", `3 "mail" not started@3 0/2`},
		{head + `| [Phase 02.1: A \| B](#x) | 1/2 | **in-progress**`, `2.1 "A \\" unknown@3`},
		{ownColumns + "| 3 | 2FA login | 3 | 1 | ◆ Gap Closure |", `3 "2FA login" in progress@3 1/3`},
		{ownColumns + "| 4 | Mail | ~2 | 0 | Pending |", `4 "Mail" not started@3 0/2`},
		{ownColumns + "| 4 | Mail | 2-3 | 0 | Pending |", `4 "Mail" not started@3`},
		{ownColumns + "| 4 | Mail | 3 | | Pending |", `4 "Mail" not started@3`},
		{ownColumns + "| 4 | Mail | 123456 | 7 | Pending |", `4 "Mail" not started@3 7/123456`},
		{ownColumns + "| 4 | Mail | 1234567 | 7 | Pending |", `4 "Mail" not started@3`},
		{ownColumns + "| 4 |", `4 "" unknown@3`},
		// In other languages, and of what is not a table of phases.
		{"| Fase | Planes | Estado | Completado |\n|---|---|---|---|\n| 1. Base | 2/2 | Completada | 2026-01-01 |\n| Fase 2: Red | 0/1 | No iniciado | - |", "1 \"Base\" complete@3 2/2\n2 \"Red\" not started@4 0/1"},
		{"| 阶段 | 计划 | 状态 |\n|---|---|---|\n| 1 | 1/2 | 进行中 |\n", `1 "" in progress@3 1/2`},
		{"## Fase 1: Base\n**Estado:** hecho\n", `1 "Base" complete@2`},
		{"| Fase | Precio |\n|---|---|\n| 1. Base | 3 |", ""},
		{"| Phase # | Phase name |\n|---|---|\n| 1 | Base |", `1 "Base" unknown@3`},
		{"| Phase | Progress |\n|---|---|\n| 1 | 2/2 |", ""},
		{"| Requirement | Phase | Status |\n|---|---|---|\n| 1 | Phase 4 | In progress |", ""},
		{"| Phase | Status |\n| 4 | In progress |", ""}, // no row of dashes
		{head + "| 4 | | Planned |\n\n| Metric | Value |\n|---|---|\n| 5 | In progress |\n### Phase 6: A", "4 \"\" not started@3\n6 \"A\" unknown@8"},
		{named + "| 3. Harbour | | Planned |", `3 "Harbour" not started@3`},
		{named + "| Phase 3: Harbour | | Planned |", `3 "Harbour" not started@3`},
		{named + "| [Phase 3: Harbour](#3) | | Planned |", `3 "Harbour" not started@3`},
		{named + "| ~~3. Harbour~~ | | Dropped |", `3 "Harbour" deferred@3`},
		{named + "| **3. Harbour (INSERTED)** | | Planned |", `3 "Harbour" not started@3`},
		{named + "| 3 - Quay Pier ✅ | | Planned |", `3 "Quay Pier" not started@3`},
		{named + "| 03-harbour | | Planned |", `3 "harbour" not started@3`},
		{named + "| 3 | Harbour | Planned |", `3 "Harbour" not started@3`},
		{named + "| 3 | 2 harbours | Planned |", `3 "2 harbours" not started@3`},
		{named + "| 3 | | Planned |", `3 "" not started@3`},
	})
}

func TestTitle(t *testing.T) {
	check(t, []reading{
		{"# 🚢 Roadmap – Harbour", "title Harbour"},
		{"# Roadmap: Harbour 🚢", "title Harbour 🚢"},
		{"# Harbour", "title Harbour"},
		{"# Phase 1: A\n# Harbour\n# B", "title Harbour\n1 \"A\" unknown@1"},
		{"", ""},
		{"# Roadmap: Harbour", "title Harbour"},
		{"# Roadmap", ""},
		{"# Harbour — Roadmap", "title Harbour"},
		{"# Harbour Roadmap", "title Harbour"},
		{"# Roadmapper", "title Roadmapper"},
		{"## Roadmap: Harbour", ""},
		{"```\n# no\n```\n# Harbour", "title Harbour"},
	})
}

func TestMilestoneLine(t *testing.T) {
	check(t, []reading{
		{"## v1.10 Polish", "v1.10 Polish: unknown@1"},
		{"- 🚧 **v1.1 Polish** (3-4)\n### Phase 4: Harbour", "v1.1 Polish (3-4): in progress@1\n4 \"Harbour\" unknown@2 v1.1"},
		{
			"## v1.0 Base ✅ (Phases 1-2)\n## v2.0 Polish (Phases 1-3)\n# Details\n### Phase 1: Harbour\n### Phase 3: Quay",
			"title Details\nv1 Base: complete@1\nv2 Polish: unknown@2\n1 \"Harbour\" complete@1 v1\n3 \"Quay\" unknown@5 v2",
		},
		{"## V2", "v2: unknown@1"},
		{"### 🚧 v1.1 Polish (In Progress)", "v1.1 Polish: in progress@1"},
		{"### ✅ v1.7 Tokens (Phases 5–8) — SHIPPED 2026-04-09", "v1.7 Tokens: complete@1"},
		{"### v1.7 Ships, Cranes & Piers — ACTIVE", "v1.7 Ships, Cranes & Piers: in progress@1"},
		{"### v1.7 Piers — planned", "v1.7 Piers: not started@1"},
		{"## v1.0.0: Base — Phase Complete Locally 2026-06-02", "v1 Base: complete@1"},
		{"## v3.2 Import — IMPLEMENTATION COMPLETE 2026-06-08", "v3.2 Import: complete@1"},
		{"## v1.0 Foundation ✅ SHIPPED", "v1 Foundation: complete@1"},
		{"## v1.0 Foundation, shipped to all", "v1 Foundation, shipped to all: complete@1"},
		{"<details><summary>Shipped milestone v1.2</summary></details>", "v1.2: complete@1"},
		{"## Archived: v1.2 Base", "v1.2 Base: complete@1"},
		{"## Released v1.2 Base", "v1.2 Base: complete@1"},
		{"## v1.2 Base 🗄", "v1.2 Base: complete@1"},
		{"## v1.2 Base (closed)", "v1.2 Base: complete@1"},
		{"## v1.2 Base — ABANDONED", "v1.2 Base: deferred@1"},
		{"## v1.2 Base (FAILED)", "v1.2 Base: deferred@1"},
		{"## v1.2 Shipped builds 🚧", "v1.2 Shipped builds: in progress@1"},
		{"## v1.2 Shipped builds (in progress)", "v1.2 Shipped builds: in progress@1"},
		{"## v1.2 Archived logs, WIP", "v1.2 Archived logs, WIP: in progress@1"},
		{"## v1.2 Ship it", "v1.2 Ship it: unknown@1"},
		{"# Roadmap v2.0: Base", "title v2.0: Base\nv2 Base: unknown@1"},
		{"## Roadmap v2.0: Base", "v2 Base: unknown@1"},
		{"## Milestone v2.0 — Base", "v2 Base: unknown@1"},
		{"## Current Milestone: v2.1", "v2.1: in progress@1"},
		{"## Next Milestone: v2.1", "v2.1: not started@1"},
		{"## Milestone 3-5", ""},
		{"## [GSD.02] Base", "v2 Base: unknown@1"},
		{"## [GSD] Base", ""},
		{"## **v2.1 Base**", "v2.1 Base: unknown@1"},
		{"## <a>v2.1</a> <z>Base</z> <A>at</A> <Z>sea</Z> < 3", "v2.1 Base at sea < 3: unknown@1"},
		{"## v2.1 Base 🚢", "v2.1 Base 🚢: unknown@1"},
		{"## ✅ [v1.0 Base](milestones/v1.0-ROADMAP.md) — SHIPPED", "v1 Base: complete@1"},
		{"## Milestone Overview", ""},
		{"## About v3.0", ""},
		{"## v2x", ""},
		{"## v2.x Base", ""},
		{"## v1.10.0 Base", "v1.10 Base: unknown@1"},
		{"## v Base", ""},
		{"- v1.0 Base — Phases 1-2", "v1 Base: unknown@1"},
		{"- v1.0 Base", ""},
		{"<details>\n</details>\n## Milestones", ""},
		{"### Phase 1: Go to v2.0", `1 "Go to v2.0" unknown@1`},
	})
}

func TestDocument(t *testing.T) {
	check(t, []reading{
		// A fold that never closes.
		{"<details>\n<summary>v1.0 First</summary>\n- [x] Phase 1: A\n## v2.0 Second\n- [ ] Phase 2: B", "v1 First: unknown@2\nv2 Second: unknown@4\n1 \"A\" complete@3 v1\n2 \"B\" unknown@5 v2"},
		// Fence.
		{"```md\n## Phase 1: example\n```\n## Phase 2: real\n~~~~\n```\n## Phase 3: example\n~~~~\n## Phase 4: real", "2 \"real\" unknown@4\n4 \"real\" unknown@9"},
		// An empty fence.
		{"```\n```\n```\n## Phase 1: example\n```\n## Phase 2: real", `2 "real" unknown@6`},
		// Open fence.
		{"## Phase 1: real\n```md\n## Phase 2: real\n~~~\n## Phase 3: real", "1 \"real\" unknown@1\n2 \"real\" unknown@3\n3 \"real\" unknown@5"},
		// Open comment.
		{"<!-- a -->## Phase 1: real\n<!-- closed -->\n## Phase 2: real\n<!-- open\n## Phase 3: real", "1 \"real\" unknown@1\n2 \"real\" unknown@3\n3 \"real\" unknown@5"},
		// Fences and comments without an end hide nothing; the others do.
		{"<!-- open\n```\n## Phase 1: example\n```\n~~~\n## Phase 2: real\n```\n## Phase 3: real", "2 \"real\" unknown@6\n3 \"real\" unknown@8"},
		{"## v1.0 A\n### Phase 2 (v2.0): B\n- [ ] 02-01-PLAN.md — b\n- [ ] 03-01-PLAN.md — c", "v1 A: unknown@1\nv2: unknown@2\n3 \"\" unknown@4 0/1 v1\n2 \"B\" unknown@2 0/1 v2\n03-01 \"c\" 1\n02-01 \"b\" 2"}, // a phase with a milestone of its own
		{"## v1.0 A\n### Phase 1: A\n## v1.0 B (shipped)", "v1 A: complete@1\n1 \"A\" complete@1 v1"},                                                                                                             // two headings of a milestone
		{"## v0.10 B\n- [ ] Phase 3: C\n## v0.9 A\n- [ ] Phase 4: D", "v0.9 A: unknown@3\nv0.10 B: unknown@1\n4 \"D\" unknown@4 v0.9\n3 \"C\" unknown@2 v0.10"},                                                   // v0.10 comes after v0.9 (#2619)
		// Milestones folded and not.
		{`# Roadmap
<details>
<summary>✅ v1.0 First (Phases 1-2) — SHIPPED</summary>

- [x] Phase 1: Base (2/2 plans)
### Phase 2: More
</details>

### 🚧 v1.1 Second (In Progress)
#### Phase 3: Login
**Status:** In progress. 2/3 done
Status: Complete
- [x] 03-01-PLAN.md
- [x] 03-02: mail
- [ ] 03-03: rest
- [ ] 03-04: TBD

### Later
**Status**: Complete
- [ ] Phase 4: Rest`, `v1 First: complete@3
v1.1 Second: in progress@9
1 "Base" complete@5 2/2 v1
2 "More" complete@3 v1
3 "Login" complete@12 2/4 v1.1
4 "Rest" unknown@20
03-01 "" 1.1
03-02 "mail" 1.1
03-03 "rest" 1.1
03-04 "TBD" 1.1`},
		// Comment.
		{`<!-- ## Phase 1: no
## Phase 2: no
-->
## Phase 3: real <!-- (complete) -->
- [ ] <!-- x --> Phase 4: real
<!-- ---- -->
<!-- v2 -->
## Phase 5: real`, `3 "real" unknown@4
4 "real" unknown@5
5 "real" unknown@8`},
		// The list of milestones.
		{`# Roadmap: Port
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
### Phase 6: Tug`, `title Port
v0.9 Try: unknown@5
v1 Base: complete@3
v1.1 Ships & Cranes: in progress@4
1 "Quay" complete@10 v1
3.1 "Ship" unknown@12 v1.1
4.2 "Crane" unknown@13 v1.1
5 "Loose" unknown@14
6 "Tug" unknown@15 v1.1`},
		// Merged by version, the heading's line.
		{`## Milestones
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
| 5 | v1.10 | 0/2 | |`, `v1 First Base: complete@5
v1.1 Ships: in progress@11
v1.10: unknown@18
1 "Quay" complete@5 v1
2 "Pier" complete@5 v1
3 "Ship" in progress@17 1/2 v1.1
5 "" unknown@18 0/2 v1.10`},
		// Folds.
		{`<details>
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
- [ ] Phase 5: Loose`, `v1.1 Ships: unknown@7
v1.2 Cranes: in progress@11
1 "Quay" unknown@5
2 "Ship" unknown@8 v1.1
3 "Crane" unknown@12 v1.2
4 "Tug" unknown@14 v1.2
5 "Loose" unknown@17`},
		// Numbers start again.
		{`<details>
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
| 1. Ship | v2.0 | 0/1 | In Progress |`, `v1 Base: unknown@2
v2 Ships: unknown@8
1 "Quay" not started@16 1/1 v1
2 "Pier" unknown@5 v1
1 "Ship" in progress@17 0/1 v2
10 "Crane" unknown@12 v2
01-01 "stones" 1
01-01 "keel" 2`},
		// The end of a fold without a beginning.
		{`</details>
<details><summary>v1.0 A</summary>
- [ ] Phase 1: A
</details>
</details>
- [ ] Phase 2: B`, `v1 A: unknown@2
1 "A" unknown@3 v1
2 "B" unknown@6`},
		// A phase that follows by its number.
		{`## v1.0 A
### Phase 1: A
### Phase 3: C
# Rest
### Phase 2: B
### Phase 9: D
## v2.0 E
### Phase 5: E`, `title Rest
v1 A: unknown@1
v2 E: unknown@7
1 "A" unknown@2 v1
2 "B" unknown@5
3 "C" unknown@3 v1
5 "E" unknown@8 v2
9 "D" unknown@6`},
		// Ranges.
		{`- v1.0 A — Phases 1-4, 6 & 8–9, 22 plans
- v2.0 B — Phases 10 + 10.5
- [ ] Phase 4.1: A
- [ ] Phase 5: A
- [ ] Phase 6: A
- [ ] Phase 9: A
- [ ] Phase 10.5: A
- [ ] Phase 11: A
- [ ] Phase 22: A`, `v1 A: unknown@1
v2 B: unknown@2
4.1 "A" unknown@3 v1
5 "A" unknown@4
6 "A" unknown@5 v1
9 "A" unknown@6 v1
10.5 "A" unknown@7 v2
11 "A" unknown@8
22 "A" unknown@9`},
		// Items.
		{`### Phase 3: Port
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
- [ ] 99999999999999999999-01: far`, `2.1 "" unknown@12 0/1
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
99999999999999999999-01 "far" `},
	})
}

// Titles are limited however long a line is, and line numbers are right.
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

func TestCompareMilestones(t *testing.T) {
	order := []string{"", "alpha", "beta", "mvp", "0.9", "1", "1.9", "1.10", "2"}
	for i, a := range order {
		for j, b := range order {
			if got, want := compareMilestones(a, b), cmp.Compare(i, j); got != want {
				t.Errorf("%q and %q: %d, want %d", a, b, got, want)
			}
		}
	}
}
