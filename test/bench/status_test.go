package bench

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// BenchmarkStatus runs `gsd status` on a project of 300 phases, 2,000 plans and 50 users' sessions, and on a project a
// quarter of that size.
func BenchmarkStatus(b *testing.B) {
	gsd := must(b, gsdBinary)
	large, small := newTeam(b, 300, 2000, 50), newTeam(b, 75, 500, 12)
	whole := large.contender(b, "gsd status, 300 phases", gsd, "status")
	quarter := small.contender(b, "gsd status, 75 phases", gsd, "status")
	git := large.contender(b, "git config user.name", "git", "config", "user.name")

	r := raced(b, whole, quarter, git)
	atMost(b, r, whole, git, "of-git", 10)
	growth := compare(whole, quarter)
	b.ReportMetric(growth.medians, "of-quarter")
	r.bar(b, fmt.Sprintf("four times as much takes %.1f times as long (minima %.1f)", growth.medians, growth.minima), "at most 4.4", growth.medians <= 4.4)
}

// newTeam makes a project in which the plans of the first half of the phases are done, and each user has a session on a
// plan of the second half.
func newTeam(t testing.TB, phases, plans, users int) *project {
	t.Helper()
	p := newProject(t, 3)
	var list, table strings.Builder
	var open []string
	for phase := 1; phase <= phases; phase++ {
		box, status, done := "x", "Complete", true
		if phase > phases/2 {
			box, status, done = " ", "Not started", false
		}
		count := plans*phase/phases - plans*(phase-1)/phases
		fmt.Fprintf(&list, "- [%s] **Phase %d: Part %d**: what it is about\n", box, phase, phase)
		fmt.Fprintf(&table, "| %d. Part %d | %d/%d | %s | - |\n", phase, phase, count, count, status)
		dir := fmt.Sprintf(".planning/phases/%02d-part-%d", phase, phase)
		for plan := 1; plan <= count; plan++ {
			name := fmt.Sprintf("%s/%02d-%02d", dir, phase, plan)
			write(t, p.path(name+"-PLAN.md"), fmt.Sprintf("---\nphase: %d\nplan: %d\nwave: 1\ndepends_on: []\n---\n"+
				"<task type=\"auto\">\n  <name>Task 1: A</name>\n</task>\n<task type=\"auto\">\n  <name>Task 2: B</name>\n</task>\n", phase, plan))
			if done {
				write(t, p.path(name+"-SUMMARY.md"), "done\n")
			} else {
				open = append(open, name+"-PLAN.md")
			}
		}
	}
	write(t, p.path(".planning/ROADMAP.md"), "# Roadmap: Team\n\n## Phases\n\n"+list.String()+
		"\n## Progress\n\n| Phase | Plans Complete | Status | Completed |\n|---|---|---|---|\n"+table.String())
	for user := range users {
		plan := open[user*len(open)/users]
		write(t, p.path(fmt.Sprintf(".planning/sessions/user-%d/current-plan.md", user)), fmt.Sprintf("<!-- Session progress for user-%d -->\n"+
			"<!-- Plan: %s -->\n<!-- Started: 2026-01-02T03:04:05Z -->\n\n"+
			"<task type=\"auto\" status=\"complete\">\n  <name>Task 1: A</name>\n</task>\n<task type=\"auto\" status=\"pending\">\n  <name>Task 2: B</name>\n</task>\n", user, plan))
	}
	return p
}

// BenchmarkStatusShared runs `gsd status` and `gsd next` where gsd sync has seen 10,000 sessions of others, and claims of theirs on 90 plans.
func BenchmarkStatusShared(b *testing.B) {
	const sessions = 10_000
	gsd := must(b, gsdBinary)
	p := newTeam(b, 30, 200, 1)
	var team strings.Builder
	team.WriteString("gsd team\torigin\trefs/gsd/\t259200\t1\t10000\n")
	now := time.Now().UnixMilli()
	for n := range 90 { // a plan has one claim at most
		phase := 16 + n%15
		plan := fmt.Sprintf("phases/%02d-part-%d/%02d-%02d-PLAN.md", phase, phase, phase, 1+n/15)
		fmt.Fprintf(&team, "claim\tclaims/x-%d\t%040x\t%s\tuser-%d-0123abcd\tuser-%d\tw%d\tlaptop-%d\t%d\t%d\t%d\n", n, n, plan, n, n, n, n, now, now, now)
	}
	for n := range sessions {
		phase := 16 + n%15
		plan := fmt.Sprintf("phases/%02d-part-%d/%02d-%02d-PLAN.md", phase, phase, phase, 1+n%6)
		fmt.Fprintf(&team, "user\tuser-%d-0123abcd/clone\t%040x\non\t%s\tw%d\tlaptop-%d\t1\t2\t3\t%d\t%d\t0\n", n, n, plan, n, n, now, now)
	}
	write(b, p.teamFile(b), team.String())
	if out := p.gsd(b, "status"); !strings.Contains(out, fmt.Sprintf("and %d more", sessions-20)) {
		b.Fatal(out)
	}
	if out := p.gsd(b, "next"); !strings.Contains(out, "user-0 has a session") {
		b.Fatal(out)
	}

	text := p.contender(b, "gsd status, 10,000 sessions elsewhere", gsd, "status")
	json := p.contender(b, "gsd status --json", gsd, "status", "--json")
	next := p.contender(b, "gsd next", gsd, "next")
	git := p.contender(b, "git config user.name", "git", "config", "user.name")
	r := raced(b, text, json, next, git)
	atMost(b, r, text, git, "of-git", 20)
	atMost(b, r, next, git, "next/git", 20)
}
