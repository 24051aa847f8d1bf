package roadmap

import (
	"fmt"
	"strings"
	"testing"
)

// phasesOf lists the phases of a roadmap, one a line.
func phasesOf(src string) string {
	var b strings.Builder
	for _, ph := range parse(src).Phases() {
		b.WriteString(phaseText(ph) + "\n")
	}
	return b.String()
}

func TestParseTable(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"four columns", `
| Phase | Plans Complete | Status | Completed |
|-------|----------------|--------|-----------|
| 1. Base | 3/3 | Complete    | 2026-02-01 |
| 2. Login | 1/3 | In Progress|  |
| 3. Mail | 0/TBD | Not started | - |
| **Total** | 4/6 | 66% | |
`, `1 "Base" complete@4 3/3
2 "Login" in progress@5 1/3
3 "Mail" not started@6
`},
		{"five columns", `
| Phase | Milestone | Plans Complete | Status | Completed |
|---|---|---|---|---|
| 1-8 | v1.0 | 44/44 | Complete | 2026-02-04 |
| 9. Base | v1.10 | 3/3 | ✓ Complete | 2026-02-01 |
`, `9 "Base" complete@5 3/3 v1.10
`},
		{"links and markup", `
Phase | Plans | Status
:--|:-:|--:
[Phase 02.1: A \| B](#x) | 1/2 | **in-progress**
**03-mail** | 0/2 | ` + "`planned`" + `
`, `2.1 "A \\" unknown@4
3 "mail" not started@5 0/2
`},
		{"names and counts in columns of their own", `
| # | Phase | Plans | Completed | Status |
|---|-------|-------|-----------|--------|
| 3 | 2FA login | 3 | 1 | ◆ Gap Closure |
| 4 | Mail | ~2 | 0 | Pending |
`, `3 "2FA login" in progress@4 1/3
4 "Mail" not started@5 0/2
`},
		{"no status column", `
| Phase | Progress |
|---|---|
| 1 | 2/2 |
`, ``},
		{"a list of phases", `
| Phase # | Phase name |
|---|---|
| 1 | Base |
`, `1 "Base" unknown@4
`},
		{"neither names nor progress", `
| Phase | Risk |
|---|---|
| 1 | Base |
`, ""},
		{"requirements are not phases", `
| Requirement | Phase | Status |
|---|---|---|
| AUTH-01 | Phase 4 | In progress |
`, ""},
		{"requirements of a phase", `
| Phase | Name | Requirements | Status |
|---|---|---|---|
| 4 ✅ | Login | AUTH-01 | Done |
`, `4 "Login" complete@4
`},
		{"numbers that are too long to be counts", `
| Phase | Name | Plans | Done |
|---|---|---|---|
| 1 | A | 123456 | 7 |
| 2 | B | 1234567 | 7 |
| 3 | C | 3 | |
| 4 |
`, `1 "A" unknown@4 7/123456
2 "B" unknown@5
3 "C" unknown@6
4 "" unknown@7
`},
		{"no delimiter row", `
| Phase | Status |
| 4 | In progress |
`, ""},
		{"another table right behind", `
| Phase | Status |
|---|---|
| 4 | Planned |

| Metric | Value |
|---|---|
| 5 | In progress |
### Phase 6: Next
`, `4 "" not started@4
6 "Next" unknown@9
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := phasesOf(c.src); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

func TestStatusWords(t *testing.T) {
	for want, cells := range map[Status][]string{
		NotStarted: {"Not started", "NOT STARTED", "Planned", "Planning complete", "Ready to execute", "Pending", "TODO", "to do", "○ Planned", "⬜", "Not planned", "Planned (05-01)", "Upcoming"},
		InProgress: {"In progress", "in-progress", "In Progress", "in_progress", "🚧", "🔄 Executing", "WIP", "Active", "Gap closure (05-03)", "Partially complete", "🚧 In Progress ✅ 2", "Current"},
		Complete:   {"Complete", "✅", "✓ Complete", "Done", "Shipped", "✅ Shipped", "COMPLETED 2026-01-02", "Complete (gaps)", "Implementation Complete (UAT pending)", "Verified", "Executed"},
		Deferred:   {"Deferred", "Blocked", "⏸ paused", "On hold", "Cancelled", "Superseded"},
		Unknown:    {"", "-", "—", "24%", "v1.0", "2026-01-02", "完了"},
	} {
		for _, cell := range cells {
			if got := statusIn(plain(cell)); got != want {
				t.Errorf("%q is %s, want %s", cell, got, want)
			}
		}
	}
}

func TestParseDocument(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"milestones folded and not", `# Roadmap
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
- [ ] Phase 4: Rest
`, `1 "Base" complete@5 2/2 v1
2 "More" complete@3 v1
3 "Login" complete@12 2/4 v1.1
4 "Rest" unknown@20
`},
		{
			"a fold that never closes", "<details>\n<summary>v1.0 First</summary>\n- [x] Phase 1: A\n## v2.0 Second\n- [ ] Phase 2: B\n",
			`1 "A" complete@3 v1
2 "B" unknown@5 v2
`,
		},
		{
			"a version in a title is no milestone (#2619)", "### Phase 1: Go to v2.0\n## About v3.0\n### Phase 2: B\n",
			`1 "Go to v2.0" unknown@1
2 "B" unknown@3
`,
		},
		{
			"v0.10 is not v0.1", "## v0.1 A\n- [x] Phase 1: A\n## v0.10 B\n- [ ] Phase 1: B\n",
			`1 "A" complete@2 v0.1
1 "B" unknown@4 v0.10
`,
		},
		{
			"fence", "```md\n## Phase 1: example\n```\n## Phase 2: real\n~~~~\n```\n## Phase 3: example\n~~~~\n## Phase 4: real\n",
			`2 "real" unknown@4
4 "real" unknown@9
`,
		},
		{
			"an empty fence", "```\n```\n```\n## Phase 1: example\n```\n## Phase 2: real\n", `2 "real" unknown@6
`,
		},
		{
			"open fence", "## Phase 1: real\n```md\n## Phase 2: real\n~~~\n## Phase 3: real\n",
			`1 "real" unknown@1
2 "real" unknown@3
3 "real" unknown@5
`,
		},
		{
			"comment", "<!-- ## Phase 1: no\n## Phase 2: no\n-->\n## Phase 3: real <!-- (complete) -->\n- [ ] <!-- x --> Phase 4: real\n<!-- ---- -->\n<!-- v2 -->\n## Phase 5: real\n",
			`3 "real" unknown@4
4 "real" unknown@5
5 "real" unknown@8
`,
		},
		{
			"open comment", "<!-- a -->## Phase 1: real\n<!-- closed -->\n## Phase 2: real\n<!-- open\n## Phase 3: real",
			`1 "real" unknown@1
2 "real" unknown@3
3 "real" unknown@5
`,
		},
		{
			"fences and comments that do not end hide nothing, the others do", "<!-- open\n```\n## Phase 1: example\n```\n~~~\n## Phase 2: real\n```\n## Phase 3: real\n",
			`2 "real" unknown@6
3 "real" unknown@8
`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, src := range []string{c.src, strings.ReplaceAll(c.src, "\n", "\r\n")} {
				if got := phasesOf(src); got != c.want {
					t.Errorf("got\n%swant\n%s", got, c.want)
				}
			}
		})
	}
}

// generated is a roadmap as upstream writes it: 300 phases in 30 milestones, all but the last folded away, and
// 2,000 plans.
func generated() []byte {
	var b strings.Builder
	b.WriteString("# Roadmap: Generated\n\n## Milestones\n\n")
	for m := range 30 {
		fmt.Fprintf(&b, "- ✅ **v%d.0 Name** — Phases %d-%d (shipped 2026-01-18)\n", m+1, 10*m+1, 10*m+10)
	}
	plans := 0
	for m := range 30 {
		fmt.Fprintf(&b, "\n<details>\n<summary>✅ v%d.0 Name (Phases %d-%d) — SHIPPED 2026-01-18</summary>\n\n", m+1, 10*m+1, 10*m+10)
		for i := 10*m + 1; i <= 10*m+10; i++ {
			n := 7 - min(i%3, 1)
			n = min(n, 2000-plans)
			plans += n
			fmt.Fprintf(&b, "### Phase %d: Name of it (INSERTED)\n**Goal**: words of some length <!-- c -->\n**Depends on**: Phase %d\n**Plans**: %d plans\n\nPlans:\n", i, i-1, n)
			for plan := 1; plan <= n; plan++ {
				fmt.Fprintf(&b, "- [x] %02d-%02d-PLAN.md — what the plan is about, in some words\n", i, plan)
			}
			b.WriteByte('\n')
		}
		b.WriteString("</details>\n")
	}
	b.WriteString("\n## Progress\n\n| Phase | Milestone | Plans Complete | Status | Completed |\n|---|---|---|---|---|\n")
	for i := 1; i <= 300; i++ {
		fmt.Fprintf(&b, "| %d. Name of it | v%d.0 | 6/6 | Complete | 2026-01-18 |\n", i, (i-1)/10+1)
	}
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	src := generated()
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		Parse(src, "")
	}
}

// hostile is text that a scanner with a careless search would take minutes for.
var hostile = []string{
	"<!--", "<!--\n", "<!-- -->", "`<!---->", "`", "`\n", "```go\n", "```\n~~~~x\n", "~~~~\n", "](", "[", "[x](", "(", " - ", " — (",
	"#", "#\n", "# Phase 1\n", "## v1.0 A\n", "|", "|\n", "| |-\n", "|-|\n", "<", "<a", "<>", "<details>", "<details>\n",
	"<details><summary>v1</summary>\n", "<summary>\n", "- [ ] 1-1\n", "- [x] v1.0 Phases 1-2\n", "- [x] **Phase 1", "**Phase 1: x** ",
	"Phases 1-2, ", "9", "v9.", "*", "_", "- - ", "1. ",
}

// TestHostile reads a quarter of a megabyte of everything that a careless search would walk through again and
// again; such a search makes the test run into its time-out. BenchmarkParseHostile gives the figures.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("reads many megabytes")
	}
	const size = 1 << 18
	check := func(name, src string) {
		r := parse(src)
		if lines := strings.Count(src, "\n") + 1; len(r.Phases()) > 2*lines {
			t.Errorf("%s: %d phases on %d lines", name, len(r.Phases()), lines)
		}
		r.Current()
		Advanced(r, number("1"))
	}
	for _, s := range hostile {
		for _, head := range []string{"", "# Phase 1: "} {
			check(fmt.Sprintf("%q after %q", s, head), head+strings.Repeat(s, size/len(s))+">)]\n-->")
		}
	}
	for _, line := range []string{
		"## v%[1]d A (Phases %[1]d-99999)\n- [ ] Phase %[1]d: B\n", "- [ ] v%d A — Phase 1\n- [ ] Phase 1: B\n",
		"## v%[1]d\n### Phase 1: A\n- [ ] 01-%[1]d: x\n", "<details><summary>v%d</summary>\n- [ ] Phase 1: A\n</details>\n- [ ] Phase 1: B\n",
	} {
		var b strings.Builder
		for i := 1; b.Len() < size; i++ {
			fmt.Fprintf(&b, line, i)
		}
		check(line, b.String())
	}
}

func BenchmarkParseHostile(b *testing.B) {
	for _, s := range hostile {
		b.Run(fmt.Sprintf("%q", s), func(b *testing.B) {
			src := []byte("# Phase 1: " + strings.Repeat(s, 1<<20/len(s)))
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				Advanced(Parse(src, ""), number("1"))
			}
		})
	}
}

// TestParseReadsSoMuch: a roadmap longer than any real one is read up to a line, and says so.
func TestParseReadsSoMuch(t *testing.T) {
	const last = "### Phase 7: last"
	whole := strings.Repeat("\n", maxLines-1) + last
	for _, c := range []struct {
		src    string
		cut    int
		phases int
	}{
		{whole, 0, 1},
		{whole + "\n", 0, 1},
		{whole + "\nx", maxLines, 1},
		{"\n" + whole, maxLines, 0},
	} {
		if r := parse(c.src); r.Cut != c.cut || len(r.Phases()) != c.phases {
			t.Errorf("%d bytes: cut at %d, %d phases; want %d and %d", len(c.src), r.Cut, len(r.Phases()), c.cut, c.phases)
		}
	}
}
