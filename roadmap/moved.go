package roadmap

// moved.go: a plan that left its place was most often archived with its milestone, or its phase was
// renamed or renumbered. A wrong answer is worse than none, so each rule below must leave one plan.

import (
	"path"
	"slices"

	"github.com/gsd-cli/gsd/internal/planref"
)

// FindMoved looks among the paths of all plans for the one that was at oldPath and returns where it is now. A
// plan of the same file name whose bytes are the same (digestMatches, asked only about plans) comes
// first; of several, one in a directory of the same name, then the first by path. Else, if exactly one
// plan fits: the same file name in a directory of the same name elsewhere (archived); the same in a
// directory beside the old one with the same number (renamed); in a directory beside the old one with
// the same slug, the same plan number (renumbered).
func FindMoved(plans []string, oldPath string, digestMatches func(path string) bool) (string, bool) {
	old := newPlace(oldPath)
	var named, renumbered []place
	for _, p := range slices.Sorted(slices.Values(plans)) {
		if p == oldPath {
			continue
		}
		switch at := newPlace(p); {
		case at.base == old.base:
			named = append(named, at)
		case old.renumbered(at):
			renumbered = append(renumbered, at)
		}
	}

	same := slices.DeleteFunc(slices.Clone(named), func(at place) bool { return !digestMatches(at.path) })
	if len(same) > 0 {
		i := max(0, slices.IndexFunc(same, func(at place) bool { return at.dir == old.dir }))
		return same[i].path, true
	}
	for _, rule := range []struct {
		among []place
		fits  func(place) bool
	}{
		{named, func(at place) bool { return at.dir == old.dir }},
		{named, old.renamed},
		{renumbered, func(place) bool { return true }},
	} {
		fit := slices.DeleteFunc(slices.Clone(rule.among), func(at place) bool { return !rule.fits(at) })
		if len(fit) == 1 {
			return fit[0].path, true
		}
	}
	return "", false
}

// place is where a plan is: its name in its phase directory in the directory that holds the phases.
type place struct {
	path, base, dir, parent string
	name                    planref.Name
}

func newPlace(p string) place {
	dir := path.Dir(p)
	at := place{path: p, base: path.Base(p), dir: path.Base(dir), parent: path.Dir(dir)}
	at.name, _ = planref.ParseName(at.base)
	return at
}

// renamed reports whether at lies in a directory of the same number beside the old one.
func (old place) renamed(at place) bool {
	was, _, ok := planref.CutDir(old.dir)
	is, _, ok2 := planref.CutDir(at.dir)
	return ok && ok2 && at.parent == old.parent && planref.Compare(was, is) == 0
}

// renumbered reports whether at is the same plan of a phase with the same slug and another number.
func (old place) renumbered(at place) bool {
	_, was, ok := planref.CutDir(old.dir)
	_, is, ok2 := planref.CutDir(at.dir)
	return ok && ok2 && was != "" && was == is && at.parent == old.parent &&
		!at.name.Plan.IsZero() && planref.Compare(at.name.Plan, old.name.Plan) == 0 && at.name.Slug == old.name.Slug
}
