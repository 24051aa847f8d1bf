package planref

// dir.go: the names of phase directories, and which phase a plan's path belongs to.

import (
	"path"
	"slices"
	"strings"
)

// CutDir splits the name of a phase's directory into its number and its slug: 02.1-api is 2.1 and api, and AUTH-login
// is the directory of phase AUTH. If phases are numbered within milestones, the phase follows the milestone as two
// digits with a leading zero: 02-01-core is phase 2-1, but 14-2026-photos is 14 and 05-80-20-rule is 5. Without a
// leading zero it takes a file in the directory to show that both numbers are the phase's: 02-10-core is phase 2-10 if
// 02-10-01-PLAN.md is in it. A leading project and milestone, as in GSD.02-05-core, are dropped, and so is the word phase before a
// number: phase-19-rates.
func CutDir(dir string, files ...string) (n Number, slug string, ok bool) {
	if word := len("phase-"); len(dir) > word && strings.EqualFold(dir[:word], "phase-") && digits(dir[word:]) > 0 {
		dir = dir[word:]
	}
	n, rest, ok := CutNumber(cutBracket(dir))
	if !ok {
		n, rest, ok = CutCustom(dir)
	}
	if !ok || !endsPart(rest) {
		return Number{}, "", false
	}
	second, after, ok := cutDashed(rest)
	twoDigits := ok && endsPart(after) && digits(rest[1:]) == 2 && (len(rest) == 3 || !isLetter(rest[3]))
	if twoDigits && !strings.Contains(n.text, ".") {
		both := n.join(second)
		repeats := func(file string) bool {
			name, _ := ParseName(file)
			return Compare(name.Phase.join(name.Plan), both) == 0 && digits(name.Slug) > 0
		}
		if rest[1] == '0' || slices.ContainsFunc(files, repeats) {
			n, rest = both, after
		}
	}
	return n, strings.TrimPrefix(rest, "-"), true
}

// cutBracket drops a leading project and milestone, as in GSD.02-, from the name of a phase's directory or of a file in
// it. Such projects write their phases as [GSD.02] Phase 05.
func cutBracket(s string) string {
	code, after, _ := strings.Cut(s, ".")
	milestone, rest, ok := strings.Cut(after, "-")
	if !ok || code == "" || word(code) < len(code) || milestone == "" || digits(milestone) < len(milestone) {
		return s
	}
	return rest
}

// IsPhases reports whether a directory of this name holds phases: `phases`, or `v1.2-phases` as upstream archives a
// milestone.
func IsPhases(dir string) bool { return dir == "phases" || strings.HasSuffix(dir, "-phases") }

// PhaseOfPlan returns the phase of the plan at a path with slashes: the number of its directory below `phases` or
// `*-phases`, else the first number of its file name (03-01-PLAN.md). It returns false for a quick task, and for a plan
// in a folder that merely begins with a number, such as a date.
func PhaseOfPlan(plan string) (Number, bool) {
	dirs := strings.Split(path.Dir(plan), "/")
	if slices.Contains(dirs, "quick") {
		return Number{}, false
	}
	for i := len(dirs) - 1; i > 0; i-- {
		if IsPhases(dirs[i-1]) {
			if n, _, ok := CutDir(dirs[i], path.Base(plan)); ok {
				return n, true
			}
			break
		}
	}
	n, ok := ParseName(path.Base(plan))
	if !ok || n.Kind != Plan || n.Phase.IsZero() || n.Plan.IsZero() {
		return Number{}, false
	}
	return n.Phase, true
}

// PhaseOfDir returns the phase that the directory gives its plans, zero for none.
func PhaseOfDir(dir string) Number {
	n, _ := PhaseOfPlan(path.Join(dir, "PLAN.md")) // which has no number of its own
	return n
}
