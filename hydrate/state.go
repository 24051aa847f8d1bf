package hydrate

import (
	"path"

	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/roadmap"
)

// stateMissing returns the path of the STATE.md that gsd state --write would create, and that upstream's commands need; "" if it
// exists, or there is no position to write.
func (p *Project) stateMissing(r *Report) string {
	root, known := project.RootOf(r.Plan.Path)
	if r.Verdict != Resume { // then the phases have been listed
		root = p.Planning.DiskFor(r.Plan.Path).Root
	} else if !known {
		return ""
	}
	name, disk := path.Join(root, "STATE.md"), p.Planning.Listed(root)
	if p.Planning.Exists(name) || !p.Planning.Exists(path.Join(root, roadmap.FileName)) && (disk == nil || len(disk.Phases) == 0) ||
		session.CheckDirectory(p.Planning.Root(), root) != nil {
		return ""
	}
	return name
}
