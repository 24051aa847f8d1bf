package planref

// moved.go: finding a plan that was moved. Most were archived with their milestone, or their phase was renamed or
// renumbered. A wrong answer is worse than none, so a rule applies only if a single plan fits.

import (
	"path"
	"slices"
)

// FindMoved returns the path of the plan that was at oldPath, given the paths of all plans. It is a plan with the same
// file name and the same bytes, as reported by digestMatches; of several, one in a directory of the same name, else the
// first by path. Failing that, it is the only plan that fits one of these, in this order: the same file name in a
// directory of the same name elsewhere (archived); the same file name in a directory beside the old one with the same
// number (renamed); the same plan number in a directory beside the old one with the same slug (renumbered). Failing these,
// too, it is the only plan with the same bytes, whatever its name.
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
	same = slices.DeleteFunc(slices.Clone(plans), func(p string) bool { return p == oldPath || !digestMatches(p) })
	if len(same) == 1 {
		return same[0], true
	}
	return "", false
}

// isRenamed reports whether two plans are in directories with the same number.
func isRenamed(old, now string) bool {
	was, _, ok := cutDirOf(old)
	is, _, ok2 := cutDirOf(now)
	return ok && ok2 && Compare(was, is) == 0
}

// isRenumbered reports whether two plans have the same number in phases with the same slug.
func isRenumbered(old, now string) bool {
	_, was, _ := cutDirOf(old)
	_, is, _ := cutDirOf(now)
	n, _ := ParseName(path.Base(old))
	m, _ := ParseName(path.Base(now))
	return was != "" && was == is && !m.Plan.IsZero() && Compare(n.Plan, m.Plan) == 0 && n.Slug == m.Slug
}

// cutDirOf splits the name of a plan's directory into its number and its slug.
func cutDirOf(plan string) (Number, string, bool) {
	return CutDir(path.Base(path.Dir(plan)), path.Base(plan))
}
