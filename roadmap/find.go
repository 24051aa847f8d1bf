package roadmap

// find.go: looking up a roadmap or a plan among what a scan has found.

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// FileName is what the roadmap of a root is called.
const FileName = "ROADMAP.md"

// Nearest is the path of the roadmap that a plan belongs to: the nearest one upwards from it, up to and with
// .planning. exists reports whether there is anything of a name.
func Nearest(exists func(name string) bool, plan string) (string, bool) {
	if !fs.ValidPath(plan) {
		return "", false
	}
	for dir := path.Dir(plan); dir != "."; dir = path.Dir(dir) {
		if name := path.Join(dir, FileName); exists(name) {
			return name, true
		}
		if path.Base(dir) == ".planning" {
			break
		}
	}
	return "", false
}

// FindByID lists the paths of the plans that id names among those of some roots, sorted: 03-01, 3-1, 02.1-03, ABC-03-01 a
// plan of a phase; 03 the phase's only PLAN.md or 03-PLAN.md; quick/001 a quick task, and 001 either. Those of archived
// milestones count only where nothing live has the name. quick lists the quick tasks of a root. An id is a project's, ABC-03,
// where it is no plan's: AUTH-03 may be one of phase AUTH.
func FindByID(disks []*Disk, quick func(root string) []Plan, id string) []string {
	var found []string
	pick := func(dirs []Dir) {
		for i := range dirs {
			for _, p := range dirs[i].Plans {
				if planref.SameID(p.ID, id) {
					found = append(found, p.Path)
				}
			}
		}
	}
	for _, d := range disks {
		pick(d.Phases)
	}
	// A phase's plan may be called like a quick task (260322-14r), which then is the second choice.
	if name, isQuick := strings.CutPrefix(id, "quick/"); isQuick || len(found) == 0 || !strings.Contains(id, "-") {
		for _, d := range disks {
			for _, p := range quick(d.Root) {
				dir := path.Base(path.Dir(p.Path))
				if planref.SameID(p.ID, "quick/"+name) || name != "" && (dir == name || strings.HasPrefix(dir, name+"-")) {
					found = append(found, p.Path)
				}
			}
		}
	}
	if len(found) == 0 {
		for _, d := range disks {
			pick(d.Archived)
		}
	}
	if bare := planref.CutProject(id); len(found) == 0 && bare != id {
		return FindByID(disks, quick, bare)
	}
	slices.Sort(found)
	return slices.Compact(found)
}
