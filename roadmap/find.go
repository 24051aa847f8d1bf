package roadmap

// find.go: finding the roadmap of a plan, and plans by id.

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// FileName is the name of a root's roadmap.
const FileName = "ROADMAP.md"

// Nearest returns the path of the roadmap that a plan belongs to: the nearest one in its directory or above, up to and
// including .planning. exists reports whether a name exists.
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

// FindByID returns the paths of the plans with the given id, sorted: 03-01, 3-1, 02.1-03 and ABC-03-01 mean a plan of a
// phase, 03 the phase's only PLAN.md or 03-PLAN.md, quick/001 a quick task, and 001 either of the two. Plans of
// archived milestones count only if no live plan has the id. A prefix is first taken as the name of a phase, since
// AUTH-03 may be a plan of phase AUTH, and dropped as a project code only if nothing is found. quick returns the quick
// tasks of a root.
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
	// An id like 260322-14r may be a plan of a phase; only if there is none, it is a quick task.
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
