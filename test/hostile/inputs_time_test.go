//go:build linux

package hostile

// inputs_time_test.go: inputs that once cost gsd much time: work that grows with a product of two counts, or never
// ends.

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

var timeInputs = []input{
	{name: "899 dependencies in each of 400 plans", make: dependencies(400, 899), commands: "status\nstate"},
	{name: "a chain of 16,000 dependencies", make: chain(16_000), commands: "status\nstate"},
	{name: "ten links to the objects in themselves, as alternates", make: linkedAlternates, commands: "status\nbootstrap 01-01 --dry-run\nhydrate", quick: true},
	{name: "80,000 alternates", make: alternates(80_000), commands: "status\nbootstrap 01-01 --dry-run\nhydrate"},
	{name: "8,000 tasks in progress, and their run is dead", make: interrupted(8000), commands: "hydrate\nmark 4000 complete\nrun sweep --dry-run --reset-tasks\nrun sweep --reset-tasks\nhydrate"},
	{name: "1,000 WORK.md of 60 KiB", make: workItems(1000, workHistory), commands: "hydrate\nstatus"},
	{name: "1,000 WORK.md of 60 KiB, brackets in brackets", make: workItems(1000, workNested), commands: "hydrate\nstatus"},
	{name: "1,000 WORK.md of 60 KiB, aliases of aliases", make: workItems(1000, workAliases), commands: "hydrate\nstatus"},
	{name: "3,200 links to the directory of the phases in itself", make: linkedPhases(3200), commands: "status\nstate\nhydrate\nbootstrap 02-01\nbootstrap 99-01", quick: true},
	{name: "3,200 links to the planning directory in itself", make: linkedRoots, commands: "status\nstate\nhydrate\nbootstrap 02-01"},
	{name: "records of runs of 20 GB", make: func(p *project) { p.sparse(records, `{"runs":[`, 20<<30) }, commands: runCommands},
}

// dependencies makes plans that each depend on as many others as fit into the maximum length of a value.
func dependencies(plans, entries int) func(p *project) {
	var list strings.Builder
	for i := range entries {
		fmt.Fprintf(&list, "01-%03d, ", i%(plans+1))
	}
	text := "---\nwave: 1\ndepends_on: [" + strings.TrimSuffix(list.String(), ", ") + "]\n---\n<task type=\"auto\">\n<name>A</name>\n</task>\n"
	return func(p *project) {
		p.write(plan, text)
		p.plans(plans, func(int) string { return text })
	}
}

// chain makes plans that each depend on the one before.
func chain(plans int) func(p *project) {
	return func(p *project) {
		p.plans(plans, func(i int) string {
			return fmt.Sprintf("---\nwave: 1\ndepends_on: [01-%02d]\n---\n<task type=\"auto\">\n<name>A</name>\n</task>\n", i-1)
		})
	}
}

const noCommit = "1111111111111111111111111111111111111111\n"

// linkedAlternates makes links in the object directory to itself and lists them as alternates, so that each has all of
// them as alternates again. Objects are looked for in each.
func linkedAlternates(p *project) {
	p.write(".git/refs/heads/main", noCommit)
	var list strings.Builder
	for i := range 10 {
		p.symlink(".", fmt.Sprintf(".git/objects/link%d", i))
		fmt.Fprintf(&list, "link%d\n", i)
	}
	p.write(".git/objects/info/alternates", list.String())
}

// alternates makes a repository with alternates that do not exist.
func alternates(n int) func(p *project) {
	return func(p *project) {
		p.write(".git/refs/heads/main", noCommit)
		p.lines(".git/objects/info/alternates", "", n, func(i int) string { return fmt.Sprintf("../a%06d\n", i) })
	}
}

// interrupted makes a session whose tasks are all in progress, and the run that crashed on them: what its start had found in
// progress would be nobody's, which up to 1,000 tasks are listed for.
func interrupted(tasks int) func(p *project) {
	return func(p *project) {
		p.write(plan, honestPlan(tasks))
		p.write(session, honestSession(tasks, "pending"))
		p.deadRun()
		p.write(session, honestSession(tasks, "in-progress"))
	}
}

// deadRun records a run whose process is dead.
func (p *project) deadRun() {
	p.t.Helper()
	sleep := exec.Command("sleep", "600")
	p.ok(sleep.Start())
	p.gsd("run", "start", "--host", "claude", "--id", "dead", "--pid", strconv.Itoa(sleep.Process.Pid))
	p.ok(sleep.Process.Kill())
	_ = sleep.Wait() // it was killed
}

// workItems makes as many work items as are read, each with the longest front matter that is read.
func workItems(n int, front func() string) func(p *project) {
	return func(p *project) {
		text := "---\nid: W\nstatus: active\n" + front() + "---\n"
		p.write("docs/work/active/w0/WORK.md", text)
		for i := 1; i < n; i++ {
			p.hardlink("docs/work/active/w0/WORK.md", fmt.Sprintf("docs/work/active/w%d/WORK.md", i))
		}
	}
}

const workFront = 60 << 10

// workHistory is a node_history of many short entries, the last of them open.
func workHistory() string {
	var text strings.Builder
	text.WriteString("node_history:\n")
	for text.Len() < workFront {
		text.WriteString("- {node: a, entered: 1, exited: 2}\n")
	}
	return text.String() + "- {node: plan}\n"
}

// workNested is a value in many nested brackets.
func workNested() string {
	const deep = 5000
	return "node_history: " + strings.Repeat("[", deep) + strings.Repeat("]", deep) + "\n" + strings.Repeat("# a comment\n", workFront/12)
}

// workAliases is a list of ten aliases of a list of ten, and so on: expanded, it would be enormous.
func workAliases() string {
	text := "a0: &a0 [x]\n"
	for i := 1; i < 500; i++ {
		text += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	return text + "node_history: [*a499]\n"
}

// linkedPhases makes phases that are links to the directory they are in, so that each contains all of them again.
func linkedPhases(n int) func(p *project) {
	return func(p *project) {
		for i := range n {
			p.symlink(".", fmt.Sprintf(".planning/phases/%02d-x", i+2))
		}
		for i := range 20 { // which are plans of each of them
			p.write(fmt.Sprintf(".planning/phases/02-%02d-PLAN.md", i+1), honestPlan(1))
		}
	}
}

// linkedRoots makes workstreams, archives and sub-projects that are links to the planning directory itself.
func linkedRoots(p *project) {
	for i := range 1000 {
		p.symlink("..", fmt.Sprintf(".planning/workstreams/w%d", i))
		p.symlink("../phases", fmt.Sprintf(".planning/milestones/v%d-phases", i))
		p.symlink(".", fmt.Sprintf(".planning/sub%d", i))
		p.symlink("../phases", fmt.Sprintf(".planning/quick/%03d-x", i))
	}
}

// recordsLimit is how much gsd reads of the records of runs.
const recordsLimit = 1 << 20

// runText is the record of a run.
func runText(n int, more string) string {
	return fmt.Sprintf(`{"id":"%012x","token":"t%d","host":"claude","plan":"%s","owner":{"pid":4711,"start_time":"1","boot_id":"b","machine":"m","host_name":"box"},`+
		`"started":"2026-01-02T03:04:05Z","seen":"2026-01-02T03:04:05Z","ttl":3600%s}`, n, n, plan, more)
}

// runs writes the records of n runs.
func (p *project) runs(n int, text func(i int) string) {
	p.write(session, honestSession(3, "pending"))
	p.lines(records, `{"runs":[`+"\n", n, func(i int) string {
		if i < n-1 {
			return text(i) + ",\n"
		}
		return text(i) + "\n]}\n"
	})
	if n == 0 {
		p.remove(records)
	}
}

// endedRuns are runs that ended, and openRuns runs that did not.
func endedRuns(n int) func(p *project) {
	return func(p *project) {
		p.runs(n, func(i int) string {
			return runText(i, `,"end":{"status":"success","cause":"exit","at":"2026-01-02T03:05:05Z"}`)
		})
	}
}

func openRuns(n int) func(p *project) {
	return func(p *project) { p.runs(n, func(i int) string { return runText(i, "") }) }
}

// markedTasks are tasks that a run marked.
func markedTasks(n int) func(p *project) {
	return func(p *project) {
		p.write(session, honestSession(3, "pending"))
		p.lines(records, `{"runs":[`+runText(1, "")+"],\n"+`"tasks":[`+"\n", n+1, func(i int) string {
			if i < n {
				return fmt.Sprintf(`{"plan":"%s","task":%d,"run":"000000000001","began":"2026-01-02T03:04:05Z"},`+"\n", plan, i+1)
			}
			return fmt.Sprintf(`{"plan":"%s","task":%d}]}`+"\n", plan, i+1)
		})
	}
}
