package roadmap

// find.go: finding the roadmap of a plan.

import (
	"io/fs"
	"path"
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
