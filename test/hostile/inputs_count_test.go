//go:build linux

package hostile

// inputs_count_test.go: many files and directories, wherever gsd lists a directory.

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

var countInputs = []input{
	{name: "100,000 plans in a phase", make: files(100_000, func(i int) string { return planName(i + 2) }), commands: "status\nstate\nhydrate\nbootstrap 01-01\nbootstrap nothing"},
	{name: "100,000 files that are no plans in a phase", make: files(100_000, func(i int) string { return fmt.Sprintf("%s/%d.txt", phase, i) }), commands: "status\nhydrate\nbootstrap 01-01"},
	{name: "100,000 summaries in a phase", make: files(100_000, func(i int) string { return fmt.Sprintf("%s/01-%02d-SUMMARY.md", phase, i+2) }), commands: "status\nhydrate\nbootstrap 01-01"},
	{name: "50,000 notes to go on from", make: files(50_000, func(i int) string { return fmt.Sprintf("%s/.continue-here%d.md", phase, i) }), commands: "status\nhydrate"},
	{name: "10,000 notes for roles", make: files(10_000, func(i int) string { return fmt.Sprintf(".planning/HANDOFF.latest.r%d.json", i) }), commands: "status\nhydrate"},
	{name: "50,000 sessions of upstream", make: files(50_000, func(i int) string { return fmt.Sprintf(".planning/sessions/s%d.json", i) }), commands: "status\nhydrate\nrun sweep --dry-run"},
	{name: "20,000 phases", make: files(20_000, func(i int) string { return fmt.Sprintf(".planning/phases/%02d-x/%02d-01-PLAN.md", i+2, i+2) }), commands: "status\nstate\nhydrate\nbootstrap 01-01"},
	{name: "20,000 archived milestones", make: directories(20_000, ".planning/milestones/v%d-phases"), commands: "status\nstate\nhydrate\nbootstrap 99-01"},
	{name: "10,000 workstreams", make: directories(10_000, ".planning/workstreams/w%d/phases"), commands: "status\nstate\nhydrate\nbootstrap 99-01"},
	{name: "20,000 quick tasks", make: files(20_000, func(i int) string { return fmt.Sprintf(".planning/quick/%03d-x/%03d-PLAN.md", i, i) }), commands: "status\nstate\nhydrate\nbootstrap quick/1"},
	{name: "directories 1,000 deep", make: func(p *project) { p.deep(1000) }, commands: "status\nstate\nhydrate\nbootstrap 99-01\ntasks .planning/phases/x-PLAN.md"},
	{name: "names as long as there are, 5,000 of them", make: files(5000, func(i int) string {
		return fmt.Sprintf("%s/01-%02d-%s-PLAN.md", phase, i+2, strings.Repeat("x", 220))
	}), commands: "status\nstate\nhydrate\nbootstrap 01-01"},
	{name: "numbers as long as names, 5,000 of them", make: files(5000, func(i int) string {
		return fmt.Sprintf("%s/%s.%d-01-PLAN.md", phase, strings.Repeat("1.", 110)+"1", i)
	}), commands: "status\nstate\nhydrate"},
	{name: "10,000 users with sessions of 1 MB", make: users(10_000, 1<<20), commands: "status\nhydrate\nrun sweep --dry-run"},
	{name: "50,000 users without a session", make: directories(50_000, ".planning/sessions/u%d"), commands: "status\nhydrate\nrun sweep --dry-run"},
	{name: "50,000 archives of a session", make: files(50_000, func(i int) string {
		return own + "/current-plan." + time.Unix(1_700_000_000+int64(i), 0).UTC().Format("20060102150405") + ".stale"
	}), commands: "status\nhydrate\nbootstrap 01-01\nmark 1 complete\nrun sweep"},
	{name: "2,000 archives of a session of 15 MB", make: archives(2000, 15<<20), commands: "hydrate\nbootstrap 01-01\nbootstrap 01-01 --fresh"},
	{name: "50,000 temporaries of writers that crashed", make: files(50_000, func(i int) string { return fmt.Sprintf("%s/.current-plan.md.%d.tmp", own, i) }), commands: "hydrate\nmark 1 complete\nrun sweep --dry-run\nrun sweep"},
	{name: "10,000 breadcrumbs", make: crumbs(10_000, false), commands: "hydrate\nrestore --list\nrestore\nrun sweep --dry-run\nstatus\nmark 1 complete"},
	{name: "10,000 breadcrumbs of this session's user", make: crumbs(10_000, true), commands: "hydrate\nrestore --list\nrestore\nrun sweep --dry-run\nstatus\nmark 1 complete"},
	{name: "a plan that moved, among 5,000 of 15 MB", make: moved(5000), commands: "hydrate\nstatus\nnext\nbootstrap 01-01"},
	{name: "50,000 commands of a host", make: files(50_000, func(i int) string { return fmt.Sprintf(".claude/commands/c%d.md", i) }), commands: "install\ninstall claude --check"},
	{name: "3,000 work items in each directory", make: files(6000, func(i int) string {
		return fmt.Sprintf("docs/work/%s/w%d/WORK.md", []string{"active", "blocked"}[i%2], i)
	}), commands: "hydrate\nstatus"},
}

// files makes n names of one short file.
func files(n int, name func(i int) string) func(p *project) {
	return func(p *project) {
		p.write("x", honestPlan(1))
		made := map[string]bool{}
		f := p.path("x")
		for i := range n {
			at := p.path(name(i))
			if dir := filepath.Dir(at); !made[dir] {
				p.mkdir(dir)
				made[dir] = true
			}
			if i%30_000 == 29_999 { // a file has at most 65,000 names
				p.write(fmt.Sprintf("x%d", i), honestPlan(1))
				f = p.path(fmt.Sprintf("x%d", i))
			}
			p.ok(os.Link(f, at))
		}
	}
}

// directories makes n directories.
func directories(n int, name string) func(p *project) {
	return func(p *project) {
		for i := range n {
			p.mkdir(fmt.Sprintf(name, i))
		}
	}
}

// deep makes directories in directories, deeper than the longest path.
func (p *project) deep(n int) {
	p.t.Helper()
	root, err := os.OpenRoot(p.path(".planning/phases"))
	p.ok(err)
	for range n {
		p.ok(root.Mkdir("02-deep", 0o777))
		p.ok(root.Mkdir("plans", 0o777))
		next, err := root.OpenRoot("02-deep")
		p.ok(err)
		root.Close()
		root = next
	}
	root.Close()
}

// users makes other people's sessions.
func users(n, size int) func(p *project) {
	return func(p *project) {
		p.repeat(".planning/sessions/u0/current-plan.md", honestSession(3, "pending"), strings.Repeat(" ", 1<<10)+"\n", size)
		for i := 1; i < n; i++ {
			p.hardlink(".planning/sessions/u0/current-plan.md", fmt.Sprintf(".planning/sessions/u%d/current-plan.md", i))
		}
	}
}

// archives makes archived sessions.
func archives(n, size int) func(p *project) {
	return func(p *project) {
		p.repeat(own+"/current-plan.20200101000000.stale", honestSession(3, "complete"), strings.Repeat(" ", 1<<10)+"\n", size)
		for i := 1; i < n; i++ {
			p.hardlink(own+"/current-plan.20200101000000.stale", own+"/current-plan."+time.Unix(1_700_000_000+int64(i), 0).UTC().Format("20060102150405")+".stale")
		}
	}
}

// crumbs makes breadcrumbs of lost sessions as gsd leaves them, of this project and user or of others.
func crumbs(n int, mine bool) func(p *project) {
	return func(p *project) {
		for i := range n {
			of, project := user, must[string](p.t)(filepath.EvalSymlinks(p.dir))
			if !mine {
				project = fmt.Sprintf("/nowhere/%d", i)
			}
			p.crumb(project, of, fmt.Sprintf("%s/01-%02d-PLAN.md", phase, i+2))
		}
	}
}

// moved makes a session whose plan was moved, and many plans that might be it.
func moved(n int) func(p *project) {
	return func(p *project) {
		text := strings.Replace(honestSession(3, "pending"), plan, phase+"/01-99-gone-PLAN.md", 1)
		p.write(session, strings.Replace(text, "-->\n\n", "-->\n<!-- Plan-Digest: sha256:"+strings.Repeat("1", 64)+" -->\n\n", 1))
		p.repeat(".planning/phases/02-b/02-99-gone-PLAN.md", honestPlan(3), strings.Repeat(" ", 1<<16), 15<<20)
		for i := range n {
			p.hardlink(".planning/phases/02-b/02-99-gone-PLAN.md", fmt.Sprintf(".planning/phases/%02d-c/01-99-gone-PLAN.md", i+3))
		}
	}
}
