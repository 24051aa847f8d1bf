package verdict

// temps.go: what killed writers leave in directories that git tracks, where "git add -A" would take it.

import (
	"path"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitexec"
	"github.com/gsd-cli/gsd/internal/project"
)

// WriteTracked makes text the content of a file of the project that git tracks. What killed writers of the file have left goes.
func (p *Project) WriteTracked(name, text string, was durable.Stamp) error {
	durable.SweepTempsOf(p.Planning.Root(), path.Dir(name), path.Base(name), time.Now().Add(-durable.TempLife))
	w := p.Write
	w.Shared = true
	return w.Replace(p.Planning.Root(), name, [][]byte{[]byte(text)}, 0o666, was)
}

// SweepTracked removes the temporaries of all killed writers from the directories of plans, those of the hosts, and the project's own,
// and returns how many.
func (p *Project) SweepTracked(now time.Time, dryRun bool) (swept int) {
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
