package roadmap

// moved.go: a plan that left its place was most often archived with its milestone, or its phase was
// renamed or renumbered. A wrong answer is worse than none, so each rule below must leave one plan.

import (
	"io/fs"
	"path"
	"slices"
)

// FindMoved looks below planningDir for the plan that was at oldPath and answers where it is now. A
// plan of the same file name whose bytes are the same (digestMatches, asked only about plans) comes
// first; of several, one in a directory of the same name, then the first by path. Else, if exactly one
// plan fits: the same file name in a directory of the same name elsewhere (archived); the same in a
// directory beside the old one with the same number (renamed); in a directory beside the old one with
// the same slug, the same plan number (renumbered). sessions/ is not entered.
func FindMoved(fsys fs.FS, planningDir, oldPath string, digestMatches func(path string) bool) (string, bool) {
	old := newPlace(oldPath)
	var named, renumbered []place
	const most = 50_000 // the largest of the replayed histories has fewer than 2,000 files
	walkPlans(fsys, planningDir, most, func(p string, e fs.DirEntry) {
		if p == oldPath || !e.Type().IsRegular() {
			return
		}
		switch at := newPlace(p); {
		case at.base == old.base:
			named = append(named, at)
		case old.renumbered(at):
			renumbered = append(renumbered, at)
		}
	})

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
	name                    fileName
}

func newPlace(p string) place {
	dir := path.Dir(p)
	at := place{path: p, base: path.Base(p), dir: path.Base(dir), parent: path.Dir(dir)}
	at.name, _ = parseName(at.base)
	return at
}

// renamed tells whether at lies in a directory of the same number beside the old one.
func (old place) renamed(at place) bool {
	was, _, ok := cutDir(old.dir)
	is, _, ok2 := cutDir(at.dir)
	return ok && ok2 && at.parent == old.parent && Compare(was, is) == 0
}

// renumbered tells whether at is the same plan of a phase with the same slug and another number.
func (old place) renumbered(at place) bool {
	_, was, ok := cutDir(old.dir)
	_, is, ok2 := cutDir(at.dir)
	return ok && ok2 && was != "" && was == is && at.parent == old.parent &&
		!at.name.plan.IsZero() && Compare(at.name.plan, old.name.plan) == 0 && at.name.slug == old.name.slug
}
