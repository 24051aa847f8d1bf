package work

// temps.go: what killed writers leave in directories that git tracks, where "git add -A" would take it.

import (
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitexec"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// SweepTracked removes the temporaries of all killed writers from the directories of plans, those of the hosts, and the project's own,
// and returns how many.
func SweepTracked(p *verdict.Project, now time.Time, dryRun bool) (swept int) {
	before := now.Add(-durable.TempLife)
	sweep := func(dirs []string, of func(string) bool) {
		for _, dir := range dirs {
			swept += durable.SweepTempsIf(p.Planning.Root(), dir, of, before, dryRun)
		}
	}
	sweep([]string{"."}, func(base string) bool { return base == ".gitattributes" || gitexec.IsMerged(base) })
	sweep(p.Planning.Directories(project.Planning, 4), func(base string) bool { return base == "STATE.md" || strings.Contains(base, "SUMMARY") })
	for _, dir := range agent.ProjectDirs() {
		sweep(p.Planning.Directories(dir, 2), func(string) bool { return true })
	}
	return swept
}
