//go:build linux

package hostile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// smallIndex is a number of commits that git keeps in a pack whose index is read in cached blocks. Lookups in a larger
// index take a constant factor more, which would look like growth between two sizes of which one is larger.
const smallIndex = 5000

var growths = []growth{
	// A roadmap's items of each kind.
	roadmapGrowth("roadmap: headings of phases", "# Roadmap\n", func(i int) string { return fmt.Sprintf("### Phase %d: Part\n**Plans:** 2\n", i+1) }),
	roadmapGrowth("roadmap: headings of one phase", "# Roadmap\n", func(int) string { return "### Phase 1: Part\n" }),
	roadmapGrowth("roadmap: check boxes", "# Roadmap\n", func(i int) string { return fmt.Sprintf("- [ ] **Phase %d: Part**\n", i+1) }),
	roadmapGrowth("roadmap: rows of the progress table", "| Phase | Plans Complete | Status |\n|---|---|---|\n", func(i int) string { return fmt.Sprintf("| %d. Part | 0/2 | - |\n", i+1) }),
	roadmapGrowth("roadmap: cells of a row", "| Phase | Plans Complete | Status |\n|---|---|---|\n", func(int) string { return "| 1. Part " }),
	roadmapGrowth("roadmap: tables", "# Roadmap\n", func(i int) string {
		return fmt.Sprintf("\n| Phase | Status |\n|---|---|\n| %d. Part | - |\n", i+1)
	}),
	roadmapGrowth("roadmap: plans in nested lists", "### Phase 1: Part\n", func(i int) string { return fmt.Sprintf("  - [ ] 01-%02d-PLAN.md: Part\n", i+1) }),
	roadmapGrowth("roadmap: plans of many phases", "# Roadmap\n", func(i int) string { return fmt.Sprintf("- [ ] %02d-01-PLAN.md: Part\n", i+1) }),
	roadmapGrowth("roadmap: milestones by heading", "# Roadmap\n", func(i int) string { return fmt.Sprintf("## v%d.%d: Part\n### Phase %d: Part\n", i/100+1, i%100, i+1) }),
	roadmapGrowth("roadmap: milestones by list", "# Roadmap\n## Milestones\n", func(i int) string { return fmt.Sprintf("- v%d.%d Part (Phases %d-%d)\n", i/100+1, i%100, i+1, i+4) }),
	roadmapGrowth("roadmap: milestones without a version", "# Roadmap\n", func(i int) string { return fmt.Sprintf("## Milestone: Part %d\n", i) }),
	roadmapGrowth("roadmap: folded milestones", "# Roadmap\n", func(i int) string {
		return fmt.Sprintf("<details>\n<summary>v%d Part</summary>\n\n### Phase %d: Part\n</details>\n", i+1, i+1)
	}),
	roadmapGrowth("roadmap: folds in folds", "# Roadmap\n", func(int) string { return "<details>\n" }),
	roadmapGrowth("roadmap: comments that do not end", "# Roadmap\n", func(int) string { return "<!-- \n" }),
	roadmapGrowth("roadmap: fences that do not end", "# Roadmap\n", func(i int) string { return "```" + strings.Repeat("`", i%7) + "\n" }),
	roadmapGrowth("roadmap: words of one heading", "### Phase 1: Part", func(int) string { return " (x) - y" }),
	roadmapGrowth("roadmap: tags of one line", "<details><summary>", func(int) string { return "<a" }),
	roadmapGrowth("roadmap: ranges of one milestone", "## v1: Phases 1", func(int) string { return ", 2-3" }),
	roadmapGrowth("roadmap: parts of one number", "### Phase 1", func(int) string { return ".1" }),
	{what: "roadmap: check boxes, seen by a session", command: "hydrate", most: 400_000, make: func(p *project, n int) {
		p.write(session, honestSession(3, "pending"))
		p.lines(".planning/ROADMAP.md", "# Roadmap\n", n, func(i int) string { return fmt.Sprintf("- [x] **Phase %d: Part**\n", i+1) })
	}},

	// Plans, and their tasks in each dialect.
	{what: "plans of a phase", command: "next", most: 40_000, make: func(p *project, n int) { p.plans(n+1, honestEach) }},
	{what: "plans of a phase, by hydrate --host", command: "hook start --host claude", stdin: func(int) string { return starts }, most: 8000, make: func(p *project, n int) { p.plans(n+1, honestEach) }, resets: (*project).forget},
	{what: "plans of a phase, by an id", command: "tasks 01-01", most: 60_000, make: func(p *project, n int) { files(n, func(i int) string { return planName(i + 2) })(p) }},
	{what: "phases", command: "next", most: 16_000, make: func(p *project, n int) { phases(p, n) }},
	{what: "phases, by status", command: "status", most: 16_000, make: func(p *project, n int) { phases(p, n) }},
	{what: "phases of the roadmap and on disk", command: "status", most: 16_000, make: func(p *project, n int) {
		phases(p, n)
		p.lines(".planning/ROADMAP.md", "# Roadmap\n", n, func(i int) string { return fmt.Sprintf("- [ ] **Phase %d: Part**\n", i+1) })
	}},
	taskGrowth("tasks: elements", func(i int) string { return honestTask(i+1, "") }),
	taskGrowth("tasks: elements of one line", func(int) string { return "<task><name>A</name></task>\n" }),
	taskGrowth("tasks: elements that do not end", func(int) string { return "<task>\n<name>A</name>\n" }),
	taskGrowth("tasks: features", func(int) string { return "<feature>\n<name>A</name>\n</feature>\n" }),
	taskGrowth("tasks: headings", func(i int) string { return fmt.Sprintf("## Task %d: Part\nText.\n", i+1) }),
	taskGrowth("plan: comments that do not end", func(int) string { return "<!-- " + padding + "\n" }),
	taskGrowth("plan: fences that do not end", func(i int) string { return "```" + strings.Repeat("`", i%7) + padding + "\n" }),
	taskGrowth("plan: fences and tasks", func(i int) string { return "~~~\n<task>\n~~~~\n</task>\n" }),
	taskGrowth("plan: attributes of a tag", func(i int) string { return []string{"", "<task "}[b(i == 0)] + "a='b' " }),
	taskGrowth("plan: quotes that do not end", func(int) string { return "<task a=\"" + padding + "\n" }),
	taskGrowth("plan: children of a task", func(i int) string { return []string{"", "<task>\n"}[b(i == 0)] + "<name>A</name><files>a</files>\n" }),
	taskGrowth("plan: children in children", func(i int) string { return []string{"", "<task>\n"}[b(i == 0)] + "<action>" }),
	taskGrowth("plan: ends of children without a start", func(i int) string { return []string{"", "<task>\n"}[b(i == 0)] + "</name>" }),
	partGrowth("task: elements in a child", "<verify>", "<automated>a && b</automated>\n", "</verify>"),
	partGrowth("task: elements in elements", strings.Repeat("<a>", 8), "<b>x</b><c>a && b</c>\n", strings.Repeat("</a>", 8)),
	partGrowth("task: elements in a child that do not end", "<verify><a>x</a>\n", "<automated>\n", "</verify>"),
	partGrowth("task: children with elements", "", "<verify><automated>a && b</automated></verify>\n", ""),
	partGrowth("task: children in children", "", "<action>", ""),
	partGrowth("task: children in children that end", "", "<a>x</b>\n", "</a>"),
	partGrowth("task: fences that do not end", "", "```go\n", ""),
	partGrowth("task: fences", "", "```go\n<b>x</b>\n```\n", ""),
	partGrowth("task: comments that do not end", "", "<!-- x\n", ""),
	// From about 40,000 of them on each costs half more, once and for all: a step, which three sizes around it mistake for growth.
	below(40_000, partGrowth("task: comments", "", "<!-- x --><!--y-->\n", "")),
	{what: "tasks of a session", command: "hydrate", most: 400_000, make: func(p *project, n int) { sessionOf(p, n, "pending") }},
	{what: "tasks of a session, by mark", command: "mark 1 complete", most: 200_000, make: func(p *project, n int) { sessionOf(p, n, "pending") }, resets: func(p *project) { p.gsd("mark", "1", "pending") }},
	{what: "tasks in progress, by sweep --reset-tasks", command: "run sweep --reset-tasks --dry-run", most: 100_000, make: func(p *project, n int) { interrupted(max(n, 1))(p) }},
	{what: "tasks in progress, reset by sweep", command: "run sweep --reset-tasks", most: 40_000, make: func(p *project, n int) {
		interrupted(max(n, 1))(p)
		p.ok(os.CopyFS(filepath.Join(p.home, "own"), os.DirFS(p.path(own))))
	}, resets: func(p *project) {
		p.remove(own)
		p.ok(os.CopyFS(p.path(own), os.DirFS(filepath.Join(p.home, "own"))))
	}},

	// What plans say of their order.
	{what: "entries of depends_on in each of 100 plans", command: "next", most: 1000, from: 25, make: func(p *project, n int) { dependencies(100, n)(p) }},
	{what: "plans that depend on 100 each", command: "next", most: 8000, from: 100, make: func(p *project, n int) { dependencies(max(n, 1), 100)(p) }},
	{what: "a chain of dependencies", command: "next", most: 32_000, make: func(p *project, n int) { chain(n + 1)(p) }},
	{what: "a chain of dependencies, from its other end", command: "next", most: 32_000, make: func(p *project, n int) {
		p.plans(n+1, func(i int) string {
			return fmt.Sprintf("---\nwave: 1\ndepends_on: [01-%02d]\n---\n<task>\n</task>\n", i+1)
		})
	}},
	{what: "waves", command: "next", most: 32_000, make: func(p *project, n int) {
		p.plans(n+1, func(i int) string { return fmt.Sprintf("---\nwave: %d\n---\n<task>\n</task>\n", i) })
	}},
	{what: "lines of a front matter", command: "next", most: 400_000, make: func(p *project, n int) { p.lines(plan, "---\n", n, func(int) string { return "wave: 1\n" }) }},
	{what: "summaries", command: "next", most: 40_000, make: summaries},
	{what: "summaries, by status", command: "status", most: 40_000, make: summaries},

	// Git.
	{what: "commits", command: "next", most: 200_000, make: func(p *project, n int) { commits(n)(p) }},
	{what: "commits, by what a dry run of bootstrap reads", command: "bootstrap 01-01 --dry-run", most: smallIndex, make: func(p *project, n int) { commits(n)(p) }},
	{what: "commits, by the timeline", command: "status --format html", most: smallIndex, make: func(p *project, n int) { commits(n)(p) }},
	{what: "commits that revert each other", command: "bootstrap 01-01 --dry-run", most: smallIndex, make: reverts},
	{what: "lines of a squash", command: "bootstrap 01-01 --dry-run", most: 200_000, make: func(p *project, n int) { squashes(b(n > 0), n)(p) }},
	{what: "lines of git's own squash", command: "bootstrap 01-01 --dry-run", most: 100_000, make: gitSquash},
	{what: "squashes of 100 lines", command: "bootstrap 01-01 --dry-run", from: 50, most: 4000, make: func(p *project, n int) { squashes(n, 100)(p) }},
	// Commits are aligned with tasks, which takes the product of both, up to a bound.
	{what: "tasks of a plan with 20 commits", command: "bootstrap 01-01 --dry-run", from: 50, most: 8000, make: func(p *project, n int) { commitsOfTasks(p, n, 20) }},
	{what: "commits of a plan with 10 tasks", command: "bootstrap 01-01 --dry-run", from: 800, most: smallIndex, make: func(p *project, n int) { commitsOfTasks(p, 10, n) }},
	{what: "alternates", command: "next", most: 200_000, from: 16, make: func(p *project, n int) { alternates(n)(p) }},
	{what: "packed references", command: "next", most: 800_000, make: func(p *project, n int) {
		p.lines(".git/packed-refs", "# pack-refs with: peeled fully-peeled sorted\n", n, func(i int) string { return fmt.Sprintf("%040x refs/heads/b%d\n", i+1, i) })
	}},
	{what: "edges of a shallow clone", command: "next", most: 800_000, make: func(p *project, n int) {
		p.write(".git/refs/heads/main", noCommit)
		p.lines(".git/shallow", "", n, func(i int) string { return fmt.Sprintf("%040x\n", i) })
	}},
	{what: "packs", command: "next", most: 20_000, from: 100, make: func(p *project, n int) {
		p.write(".git/refs/heads/main", noCommit)
		for i := range n {
			p.write(fmt.Sprintf(".git/objects/pack/pack-%040x.idx", i), "\xfftOc\x00\x00\x00\x02"+strings.Repeat("\x00", 1024+40))
		}
	}},
	{what: "parents of a commit", command: "next", most: 400_000, make: func(p *project, n int) { manyParents(n)(p) }},
	{what: "files that a commit changes", command: "next", most: 200_000, make: func(p *project, n int) { wideTree(n, 3)(p) }},
	{what: "worktrees", command: "status", most: 4000, from: 100, make: func(p *project, n int) {
		if n > 0 {
			worktrees(n)(p)
		}
	}},
	{what: "lines of git's configuration", command: "whoami", most: 800_000, make: func(p *project, n int) {
		p.lines(".git/config", "[core]\n\trepositoryformatversion = 0\n[a]\n", n, func(i int) string { return fmt.Sprintf("\tname%d = b\n", i) })
	}},

	// Sessions, runs and what is left of them.
	{what: "breadcrumbs", command: "restore --list", most: 40_000, from: 100, make: func(p *project, n int) { crumbs(n, false)(p) }},
	{what: "breadcrumbs of this user and project", command: "hydrate", most: 40_000, from: 100, make: func(p *project, n int) { crumbs(n, true)(p) }},
	{what: "breadcrumbs of this user and project, by sweep", command: "run sweep --dry-run", most: 40_000, from: 100, make: func(p *project, n int) { crumbs(n, true)(p) }},
	{what: "open runs, by run start", command: "run start --host claude --id x", most: 2000, from: 100, make: func(p *project, n int) { openRuns(n)(p); p.keepRuns() }, resets: (*project).resetRuns},
	{what: "open runs, by run list", command: "run list", most: 2000, from: 100, make: func(p *project, n int) { openRuns(n)(p) }},
	{what: "open runs, by sweep", command: "run sweep --dry-run", most: 2000, from: 100, make: func(p *project, n int) { openRuns(n)(p) }},
	{what: "tasks of runs, by mark", command: "mark 1 in-progress", most: 7000, from: 100, make: func(p *project, n int) { markedTasks(n)(p); p.keepRuns() }, resets: (*project).resetRuns},
	{what: "work items", command: "hydrate", most: 20_000, from: 100, make: func(p *project, n int) {
		p.write(session, honestSession(3, "pending"))
		if n > 0 {
			workItems(n, func() string { return "node_history:\n- {node: plan}\n" })(p)
		}
	}},
	{what: "entries of a work item", command: "status", most: 2000, from: 100, make: func(p *project, n int) {
		workItems(100, func() string {
			return "node_history:\n" + strings.Repeat("- {node: a, exited: 2}\n", n) + "- {node: plan}\n"
		})(p)
	}},
	{what: "brackets of a work item", command: "status", most: 8000, from: 100, make: func(p *project, n int) {
		workItems(100, func() string { return "node_history: " + strings.Repeat("[", n) + strings.Repeat("]", n) + "\n" })(p)
	}},
	{what: "archives of a session", command: "bootstrap 01-01", most: 40_000, from: 100, make: func(p *project, n int) {
		p.write("x", honestSession(3, "complete"))
		for i := range n {
			p.hardlink("x", own+"/current-plan."+time.Unix(1_700_000_000+int64(i), 0).UTC().Format("20060102150405")+".stale")
		}
	}, resets: func(p *project) { p.remove(session) }},
	{what: "users", command: "status", most: 16_000, from: 100, make: func(p *project, n int) { users(max(n, 1), 1000)(p) }},
	{what: "users, by next", command: "next", most: 16_000, from: 100, make: func(p *project, n int) { users(max(n, 1), 1000)(p) }},
	{what: "users whose session cannot be read", command: "status", most: 16_000, from: 100, make: func(p *project, n int) {
		for i := range n {
			p.symlink("/dev/null", fmt.Sprintf(".planning/sessions/u%d/current-plan.md", i))
		}
	}},

	// Links and directories.
	{what: "links to the directory of the phases in itself", command: "next", most: 16_000, from: 100, make: func(p *project, n int) { linkedPhases(n)(p) }},
	{what: "links to the planning directory in itself", command: "next", most: 8000, from: 100, make: func(p *project, n int) {
		for i := range n {
			p.symlink(".", fmt.Sprintf(".planning/sub%d", i))
		}
	}},
	{what: "workstreams", command: "status", most: 16_000, from: 100, make: func(p *project, n int) { directories(n, ".planning/workstreams/w%d/phases")(p) }},
	{what: "archived milestones", command: "status", most: 16_000, make: func(p *project, n int) { directories(n, ".planning/milestones/v%d-phases")(p) }},
	{what: "archived phases of one number", command: "status", most: 16_000, make: func(p *project, n int) { directories(n, ".planning/milestones/v%d-phases/01-a")(p) }},
	{what: "quick tasks", command: "status", most: 16_000, make: func(p *project, n int) {
		files(n, func(i int) string { return fmt.Sprintf(".planning/quick/%03d-x/%03d-PLAN.md", i, i) })(p)
	}},
	{what: "notes to go on from", command: "status", most: 100_000, make: func(p *project, n int) {
		files(n, func(i int) string { return fmt.Sprintf("%s/.continue-here%d.md", phase, i) })(p)
	}},

	// STATE.md, a host's settings, a hook's input.
	stateGrowth("STATE.md: lines", "# State\n\n## Current Position\n\n", func(int) string { return "Phase: 1 of 2 (A)\nPlan: 1 of 2\nStatus: Ready\n" }),
	stateGrowth("STATE.md: lines that are none of ours", "# State\n\n## Current Position\n\nPhase: 1 of 2 (A)\n\n", func(i int) string { return fmt.Sprintf("- decision %d\n", i) }),
	stateGrowth("STATE.md: words of a line", "# State\n\n## Current Position\n\nStatus: ", func(int) string { return "x (y), " }),
	stateGrowth("STATE.md: front matter", "---\n", func(i int) string { return fmt.Sprintf("key%d: 1\n", i) }),
	stateGrowth("STATE.md: progress in the front matter", "---\nprogress:\n", func(i int) string { return fmt.Sprintf("  key%d: 1\n", i) }),
	settingsGrowth("settings: hooks of one event", `{"hooks":{"SessionStart":[`, `{"hooks":[{"type":"command","command":"x"}]},`, `{}]}}`),
	settingsGrowth("settings: events", `{"hooks":{`, `"E":[],`, `"F":[]}}`),
	settingsGrowth("settings: comments", `{`, "/* a */ // b\n", `}`),
	settingsGrowth("settings: brackets in brackets", `{"a":`, "[", ``),
	inputGrowth("bytes of a hook's input", `{"session_id":"a","prompt":"`, "x", `"}`),
	inputGrowth("names in a hook's input", `{"session_id":"a"`, `,"a":1`, `}`),
	inputGrowth("brackets in brackets of a hook's input", `{"session_id":"a","a":`, "[", ``),
}

func roadmapGrowth(what, head string, line func(i int) string) growth {
	return growth{what: what, command: "status", most: (most - len(head)) / len(line(1_000_000)), make: func(p *project, n int) {
		p.lines(".planning/ROADMAP.md", head, n, line)
	}}
}

// padding makes lines so long that a plan reaches 1 MiB before it has more lines than any plan.
const padding = "                                "

func taskGrowth(what string, text func(i int) string) growth {
	// Plans of more than 1 MiB are read twice: all sizes are above that.
	size := len(text(1_000_000))
	return growth{what: what, command: "tasks 01-01", from: 1<<20/size + 1, most: most / (size + 1), make: func(p *project, n int) {
		p.lines(plan, "---\nwave: 1\n---\n\n<objective>\nA.\n</objective>\n", n, text)
	}}
}

// partGrowth measures how one task is shown.
func partGrowth(what, head, text, tail string) growth {
	size := len(text)
	return growth{what: what, command: "tasks 01-01 1", from: 1<<16/size + 1, most: most / (size + 1), make: func(p *project, n int) {
		p.lines(plan, "<task>\n"+head, n, func(i int) string { return text + []string{"", tail + "\n</task>\n"}[b(i == n-1)] })
	}}
}

// below limits the number of a growth.
func below(most int, g growth) growth {
	g.most = min(g.most, most)
	return g
}

func stateGrowth(what, head string, line func(i int) string) growth {
	return growth{what: what, command: "state", most: (most - len(head)) / len(line(1_000_000)), make: func(p *project, n int) {
		p.lines(".planning/STATE.md", head, n, line)
	}}
}

func settingsGrowth(what, head, piece, tail string) growth {
	return growth{what: what, command: "install claude --check", most: most / len(piece), make: func(p *project, n int) {
		p.write(".claude/settings.json", head+strings.Repeat(piece, n)+tail)
	}}
}

func inputGrowth(what, head, piece, tail string) growth {
	return growth{what: what, command: "hook start --host claude", most: 32 << 20 / len(piece), make: func(*project, int) {}, stdin: func(n int) string {
		return head + strings.Repeat(piece, n) + tail
	}}
}

func honestEach(int) string { return honestPlan(2) }

func b(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func phases(p *project, n int) {
	for i := range n {
		p.write(fmt.Sprintf(".planning/phases/%02d-x/%02d-01-PLAN.md", i+2, i+2), honestPlan(1))
	}
}

// sessionOf makes a session of n tasks.
func sessionOf(p *project, n int, status string) {
	p.write(plan, honestPlan(max(n, 1)))
	p.write(session, honestSession(max(n, 1), status))
}

func summaries(p *project, n int) {
	for i := 2; i <= n+1; i++ {
		p.write(planName(i), honestPlan(1))
		p.write(strings.Replace(planName(i), "PLAN", "SUMMARY", 1), "# Summary\n")
	}
}

// reverts: each commit reverts the one before.
func reverts(p *project, n int) {
	p.history(func(w *importer) {
		w.commit("docs: plan")
		w.file(plan, honestPlan(3))
		subject := "feat(01-01): part 1"
		for i := range n {
			w.commit(subject)
			w.file("part1.go", fmt.Sprint(i))
			if subject = fmt.Sprintf("Revert %q", fmt.Sprintf("feat(01-01): part %d", i)); i%2 == 1 {
				subject = fmt.Sprintf("feat(01-01): part %d", i+1)
			}
		}
	})
}

// gitSquash makes a commit as `git merge --squash` writes it.
func gitSquash(p *project, n int) {
	p.history(func(w *importer) {
		w.commit("docs: plan")
		w.file(plan, honestPlan(3))
		var text strings.Builder
		text.WriteString("Squashed commit of the following:\n\n")
		for i := range n {
			fmt.Fprintf(&text, "commit %040x\nAuthor: A <a@b>\nDate:   now\n\n    feat(01-01): part %d\n\n", i, i)
		}
		w.commit(text.String())
		w.file("part1.go", "1")
	})
}

// commitsOfTasks makes a plan of many tasks, and a commit for each.
func commitsOfTasks(p *project, tasks, commits int) {
	p.write(plan, honestPlan(max(tasks, 1)))
	p.history(func(w *importer) {
		w.commit("docs: plan")
		w.file(plan, honestPlan(max(tasks, 1)))
		for i := range commits {
			w.commit(fmt.Sprintf("feat(01-01): part %d", i+1))
			w.file(fmt.Sprintf("part%d.go", i%10+1), fmt.Sprint(i)) // the trees stay small
		}
	})
}

// keepRuns keeps the records of runs for resetRuns, which undoes what a command has written.
func (p *project) keepRuns() {
	if text, err := os.ReadFile(p.path(records)); err == nil {
		p.write("runs", string(text))
	}
}

func (p *project) resetRuns() {
	p.remove(records)
	if text, err := os.ReadFile(p.path("runs")); err == nil {
		p.write(records, string(text))
	}
}
