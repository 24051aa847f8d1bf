//go:build linux

package hostile

// inputs_memory_test.go: inputs that once cost gsd much memory, because it kept a plan's bytes when it needed only the
// front matter.

import (
	"fmt"
	"strings"
)

var memoryInputs = []input{
	{name: "199 links to a plan of 15 MB", make: linkedPlans(200), commands: "status\nstate\nbootstrap 01-01 --dry-run\ntasks 01-01\nbootstrap 01-01 --fresh", hosts: allHosts},
	{name: "799 links to a plan of 15 MB", make: linkedPlans(800), commands: "status"},
	{name: "200 equal plans of 15 MB, as from a pack of 17 KiB", make: equalPlans, commands: "status\nbootstrap 01-01 --dry-run\nhydrate"},
	{name: "1,000 squashes of 400 lines each", make: squashes(1000, 400), commands: "bootstrap 01-01 --dry-run\nhydrate\nstatus"},
	{name: "one squash of 300,000 lines", make: squashes(1, 300_000), commands: "bootstrap 01-01 --dry-run\nhydrate\nstatus"},
}

var allHosts = []string{"claude", "codex", "gemini", "copilot", "cursor", "opencode"}

// linkedPlans makes a plan of 15 MB, most of it blanks, and links to it as the other plans of its phase. Each is read
// for its front matter.
func linkedPlans(n int) func(p *project) {
	return func(p *project) {
		p.repeat(plan, "---\nwave: 1\n---\n", strings.Repeat(" ", 1<<16), 15<<20)
		for i := 2; i <= n; i++ {
			p.symlink("01-01-PLAN.md", planName(i))
		}
	}
}

// equalPlans is linkedPlans with files of the same content, which a repository of 17 KiB checks out as 3 GB. Here they
// are hard links, which to a reader are the same and take no space.
func equalPlans(p *project) {
	p.repeat(plan, "---\nwave: 1\n---\n", strings.Repeat(" ", 1<<16), 15<<20)
	p.history(func(w *importer) {
		w.commit("plan everything")
		for i := 1; i <= 200; i++ {
			w.file(planName(i), honestPlan(3))
		}
	})
	for i := 2; i <= 200; i++ {
		p.hardlink(plan, planName(i))
	}
}

// squashes makes squashed commits of a plan, each of which lists the given number of commits.
func squashes(commits, lines int) func(p *project) {
	return func(p *project) {
		p.history(func(w *importer) {
			w.commit("docs: plan")
			w.file(plan, honestPlan(3))
			for n := range commits {
				var body strings.Builder
				fmt.Fprintf(&body, "feat(01-01): all of it (#%d)\n\n", n)
				for i := range lines {
					fmt.Fprintf(&body, "* feat(01-01): part %d of %d, in its order\n", i, n)
				}
				w.commit(body.String())
				w.file("part.go", fmt.Sprint(n))
			}
		})
	}
}
