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
	const archived, renamed, renumbered = 0, 1, 2
	var same []string
	var fit [3][]string // by the rule
	for _, p := range slices.Sorted(slices.Values(plans)) {
		isNamed := path.Base(p) == path.Base(oldPath)
		isBeside := path.Dir(path.Dir(p)) == path.Dir(path.Dir(oldPath))
		isArchived := isNamed && path.Base(path.Dir(p)) == path.Base(path.Dir(oldPath))
		switch {
		case p == oldPath:
			continue
		case isArchived:
			fit[archived] = append(fit[archived], p)
		case isNamed && isBeside && isRenamed(oldPath, p):
			fit[renamed] = append(fit[renamed], p)
		case !isNamed && isBeside && isRenumbered(oldPath, p):
			fit[renumbered] = append(fit[renumbered], p)
		}
		if isNamed && digestMatches(p) {
			same = append(same, p)
		}
	}
	if len(same) > 0 {
		at := slices.IndexFunc(same, func(p string) bool { return slices.Contains(fit[archived], p) })
		return same[max(0, at)], true
	}
	for _, plans := range fit {
		if len(plans) == 1 {
			return plans[0], true
		}
	}
	return "", false
}

// isRenamed reports whether two plans lie in directories of the same number.
func isRenamed(old, now string) bool {
	was, _, ok := cutDirOf(old)
	is, _, ok2 := cutDirOf(now)
	return ok && ok2 && planref.Compare(was, is) == 0
}

// isRenumbered reports whether two plans have one number in phases of the same slug.
func isRenumbered(old, now string) bool {
	_, was, _ := cutDirOf(old)
	_, is, _ := cutDirOf(now)
	n, _ := planref.ParseName(path.Base(old))
	m, _ := planref.ParseName(path.Base(now))
	return was != "" && was == is && !m.Plan.IsZero() && planref.Compare(n.Plan, m.Plan) == 0 && n.Slug == m.Slug
}

// cutDirOf divides the name of a plan's directory into its number and its slug.
func cutDirOf(plan string) (planref.Number, string, bool) {
	return planref.CutDir(path.Base(path.Dir(plan)), path.Base(plan))
}
