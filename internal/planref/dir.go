package planref

// dir.go: the directories that hold phases, and where in them a plan is.

import (
	"path"
	"slices"
	"strings"
)

// CutDir divides the name of a phase's directory into its number and its slug: 02.1-api is 2.1 and api. Where phases are
// numbered in each milestone, the second number has exactly two digits, as upstream has it: 02-01-core is phase 2-1, and
// 14-2026-photos is 14. A project and milestone in front, GSD.02-05-core, are dropped.
func CutDir(dir string) (n Number, slug string, ok bool) {
	if code, rest, found := strings.Cut(dir, "."); found && isCode(code) {
		if milestone, phase, found := strings.Cut(rest, "-"); found && digits(milestone) == len(milestone) && milestone != "" {
			dir = phase
		}
	}
	n, rest, ok := CutNumber(dir)
	if !ok || rest != "" && rest[0] != '-' {
		return Number{}, "", false
	}
	rest = strings.TrimPrefix(rest, "-")
	if second, rest2, ok := cutSecond(rest); ok && !n.IsInserted() {
		n.text += "-" + second.text
		rest = rest2
	}
	return n, rest, true
}

// cutSecond reads a number of exactly two digits at the start of s, the rest of which a dash divides from it.
func cutSecond(s string) (Number, string, bool) {
	if digits(s) != 2 || len(s) > 2 && isLetter(s[2]) {
		return Number{}, "", false
	}
	n, rest, ok := CutNumber(s)
	if !ok || rest != "" && rest[0] != '-' {
		return Number{}, "", false
	}
	return n, strings.TrimPrefix(rest, "-"), true
}

// isCode reports whether s is a project's code.
func isCode(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r < 'A' || r > 'Z' })
}

// IsPhases reports whether a directory of this name holds phases: `phases`, or `v1.2-phases` as upstream archives a
// milestone.
func IsPhases(dir string) bool { return dir == "phases" || strings.HasSuffix(dir, "-phases") }

// PhaseOfPlan returns the phase of the plan at a path with slashes: the number of its directory below `phases` or
// `*-phases`, else the first number of its file's name (03-01-PLAN.md). A quick task has no phase, and neither has a plan in
// a folder that merely begins with a number, such as a date.
func PhaseOfPlan(plan string) (Number, bool) {
	dirs := strings.Split(path.Dir(plan), "/")
	if slices.Contains(dirs, "quick") {
		return Number{}, false
	}
	for i := len(dirs) - 1; i > 0; i-- {
		if IsPhases(dirs[i-1]) {
			if n, _, ok := CutDir(dirs[i]); ok {
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

// PhaseOfDir returns the phase that plans in dir have from it, zero for none.
func PhaseOfDir(dir string) Number {
	n, _ := PhaseOfPlan(path.Join(dir, "PLAN.md")) // which has no number of its own
	return n
}
