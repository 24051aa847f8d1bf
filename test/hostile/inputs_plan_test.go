//go:build linux

package hostile

// inputs_plan_test.go: single files of the maximum size, made of what a parser looks for.

import (
	"bufio"
	"fmt"
	"strings"
)

// most is a little less than the size of the largest file that is read.
const most = 16<<20 - 1<<16

var planInputs = []input{
	roadmapInput("headings of phases", func(i int) string { return fmt.Sprintf("### Phase %d: Part\n", i) }),
	roadmapInput("headings of one phase", func(int) string { return "### Phase 1: Part\n" }),
	roadmapInput("check boxes", func(i int) string { return fmt.Sprintf("- [ ] **Phase %d: Part**\n", i) }),
	roadmapInput("plans of one phase", func(i int) string { return fmt.Sprintf("- [x] 01-%02d-PLAN.md: Part\n", i) }),
	roadmapInput("milestones", func(i int) string { return fmt.Sprintf("## v%d.%d: Part\n", i/100, i%100) }),
	roadmapInput("folds in folds", func(int) string { return "<details>\n" }),
	roadmapInput("milestones in folds", func(i int) string {
		return fmt.Sprintf("<details>\n<summary>v%d Part (Phases %d-%d)</summary>\n</details>\n", i, i, i+3)
	}),
	{name: "a roadmap of 16 MB: rows", make: func(p *project) {
		p.repeat(".planning/ROADMAP.md", "| Phase | Plans Complete | Status |\n|---|---|---|\n", "| 1. Part | 0/2 | - |\n", most)
	}, commands: roadmapCommands},
	{name: "a roadmap of 16 MB: one row", make: func(p *project) {
		p.repeat(".planning/ROADMAP.md", "| Phase | Plans Complete | Status |\n|---|---|---|\n", "| 1 ", most)
	}, commands: roadmapCommands},
	{name: "a roadmap of 16 MB: nested lists", make: func(p *project) {
		p.lines(".planning/ROADMAP.md", "### Phase 1: Part\n", 7900, func(i int) string { return strings.Repeat(" ", i/2) + "- [ ] 01-01: Part\n" })
	}, commands: roadmapCommands},
	{name: "a roadmap of 16 MB: one line", make: func(p *project) { p.repeat(".planning/ROADMAP.md", "### Phase 1: ", "x (y) ", most) }, commands: roadmapCommands},
	{name: "a roadmap of 16 MB: one line of tags", make: func(p *project) { p.repeat(".planning/ROADMAP.md", "<details><summary>", "<a", most) }, commands: roadmapCommands},
	{name: "a roadmap of 16 MB: one line of ranges", make: func(p *project) { p.repeat(".planning/ROADMAP.md", "## v1: Phases 1", ", 2-3", most) }, commands: roadmapCommands},
	{name: "a roadmap of 16 MB: one number", make: func(p *project) { p.repeat(".planning/ROADMAP.md", "### Phase 1", ".1", most) }, commands: roadmapCommands},
	{name: "a roadmap in UTF-16", make: func(p *project) { p.write(".planning/ROADMAP.md", utf16("# Roadmap\n### Phase 1: A\n")) }, commands: roadmapCommands},

	planInput("tasks", "", "<task>\n", ""),
	planInput("tasks on one line", "", "<task><name>A</name></task>", ""),
	planInput("features", "", "<feature>\n</feature>\n", ""),
	planInput("headings", "", "## Task 1\n", ""),
	planInput("comments that do not end", "", "<!-- ", "\n<task>\n</task>\n"),
	planInput("fences that do not end", "", "```\n~~~\n", "\n<task>\n</task>\n"),
	smallerPlan("one tag", "<task type=\"auto\" ", "a='b' ", ">\n</task>\n"),
	smallerPlan("one tag that does not end", "<task type=\"auto\" ", "a=\"b ", ""),
	planInput("children of one task", "<task type=\"auto\">\n", "<name>A</name><files>a.go</files>\n", "</task>\n"),
	smallerPlan("children in children", "<task type=\"auto\">\n", "<name>", "</task>\n"),
	planInput("front matter", "---\n", "wave: 1\ndepends_on: [01-01]\n", "---\n<task>\n</task>\n"),
	planInput("front matter that does not end", "---\n", "wave: 1\n", "<task>\n</task>\n"),
	planInput("comments before the plan", "", "<!-- a: b -->\n\n", "<task>\n</task>\n"),
	{name: "a session of 16 MB: 400,000 tasks", make: func(p *project) {
		p.repeat(plan, "", "<task><name>A</name></task>\n", most*2/3)
		p.repeat(session, sessionHead(plan), "<task status=\"in-progress\"></task>\n", most)
	}, commands: "hydrate\nmark 7 complete\nmark 7 pending\ntasks\nstatus\nrun sweep --dry-run"},

	{name: "a STATE.md of 16 MB: lines", make: func(p *project) {
		p.repeat(".planning/STATE.md", "# State\n\n## Current Position\n\n", "Phase: 1 of 2 (A)\nPlan: 1 of 2\nStatus: Ready\n", most)
	}, commands: "state\nstate --write\nstatus"},
	{name: "a STATE.md of 16 MB: front matter", make: func(p *project) {
		p.repeat(".planning/STATE.md", "---\n", "current_phase: 1\nprogress:\n  percent: 0\n", most)
	}, commands: "state\nstate --write\nstatus"},
	{name: "a STATE.md of 16 MB: one line", make: func(p *project) {
		p.repeat(".planning/STATE.md", "# State\n\n## Current Position\n\nPhase: ", "1 of 2 (", most)
	}, commands: "state\nstate --write\nstatus"},
}

const roadmapCommands = "status\nstate\nhydrate\nstatus --all --json"

func roadmapInput(of string, line func(i int) string) input {
	return input{name: "a roadmap of 16 MB: " + of, commands: roadmapCommands, make: func(p *project) {
		p.fill(".planning/ROADMAP.md", func(w *bufio.Writer) {
			head := "# Roadmap\n\n## Phases\n\n"
			w.WriteString(head)
			for i, size := 1, len(head); size < most; i++ {
				n, _ := w.WriteString(line(i))
				size += n
			}
		})
	}}
}

func planInput(of, head, piece, tail string) input {
	return planOf(most, of, head, piece, tail)
}

// smallerPlan is for what a command takes seconds of processor time to read in a plan of the maximum size.
func smallerPlan(of, head, piece, tail string) input {
	return planOf(most/4, of, head, piece, tail)
}

func planOf(size int, of, head, piece, tail string) input {
	return input{name: fmt.Sprintf("a plan of %d MB: %s", (size+1<<20-1)>>20, of), commands: "tasks 01-01\nbootstrap 01-01 --fresh\nhydrate\nmark 1 complete\nbootstrap 01-01 --dry-run", make: func(p *project) {
		n := (size - len(head) - len(tail)) / len(piece) * 9 / 10 // a session of it is larger
		p.lines(plan, head, n, func(i int) string {
			if i == n-1 {
				return piece + tail
			}
			return piece
		})
	}}
}

// utf16 encodes a text as some editors save it.
func utf16(s string) string {
	out := []byte{0xff, 0xfe}
	for _, c := range []byte(s) {
		out = append(out, c, 0)
	}
	return string(out)
}
