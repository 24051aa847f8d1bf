package planref

// name.go: one reading of the names of plans and summaries. Upstream had four that disagreed; here a name is taken apart
// once and everything asks the parts.

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Kind is what a name in a phase's directory says of its file.
type Kind int

// The kinds of files.
const (
	Plan Kind = iota + 1
	Summary
)

// Name is the name of a plan or a summary in its parts. For 02.1-03-auth-PLAN.md the stem is 02.1-03-auth, phase 2.1, plan
// 3, slug auth; for PLAN.md all of them are empty; for 001-PLAN.md there is a phase and no plan.
type Name struct {
	Kind  Kind
	Stem  string // the name without .md and, where that is at the end, without the word
	Phase Number
	Plan  Number
	Slug  string
	infix bool // the word stands before the plan's number: PLAN-01-setup, 3-PLAN-01-setup
}

// ParseName takes the base name of a file apart; false where it is neither a plan's nor a summary's. What upstream derives
// from a plan (-OUTLINE, .pre-bounce, -PLAN-REVIEW) is none, and neither are hidden files, which systems and editors put
// beside a plan.
func ParseName(name string) (Name, bool) {
	stem, ok := strings.CutSuffix(name, ".md")
	if !ok || strings.HasPrefix(name, ".") || isDerived(stem) {
		return Name{}, false
	}
	switch stem {
	case "PLAN":
		return Name{Kind: Plan}, true
	case "SUMMARY":
		return Name{Kind: Summary}, true
	}
	n := Name{}
	if n.Stem, ok = strings.CutSuffix(stem, "-PLAN"); ok {
		n.Kind = Plan
	} else if n.Stem, ok = strings.CutSuffix(stem, "-SUMMARY"); ok {
		n.Kind = Summary
	} else {
		n.Stem = stem
	}
	numbers := n.Stem
	if before, after, ok := cutWord(n.Stem, "PLAN"); ok {
		numbers, n.infix = before+after, true
		if n.Kind == 0 {
			n.Kind = Plan
		}
	} else if before, after, ok := cutWord(n.Stem, "SUMMARY"); ok && n.Kind == 0 {
		numbers, n.infix, n.Kind = before+after, true, Summary
	}
	if n.Kind == 0 || n.Stem == "" {
		return Name{}, false
	}
	rest := cutBracket(numbers)
	if phase, after, ok := CutNumber(rest); ok && endsPart(after) { // else its phase is the directory's
		n.Phase, rest = phase, after
	}
	n.cutPlan(rest)
	return n, true
}

// isDerived reports whether a stem is that of a file which upstream derives from a plan.
func isDerived(stem string) bool {
	for _, ending := range []string{"-outline", ".pre-bounce", "-plan-review"} {
		if len(stem) >= len(ending) && strings.EqualFold(stem[len(stem)-len(ending):], ending) {
			return true
		}
	}
	return false
}

// cutWord finds a word that stands before the number of a plan: PLAN-01-setup is "" and -01-setup, 3-PLAN-01-setup is 3 and
// -01-setup. What follows PLAN may also say what it is for and when: 5-PLAN-DELTA-2026-05-05.
func cutWord(stem, word string) (before, after string, ok bool) {
	at := strings.Index(stem, word+"-")
	if at < 0 || at > 0 && stem[at-1] != '-' {
		return "", "", false
	}
	before, after = stem[:at], stem[at+len(word):]
	numbered := digits(after[1:]) > 0 || at > 0 && word == "PLAN" && strings.ContainsAny(after, "0123456789")
	return strings.TrimSuffix(before, "-"), after, numbered
}

// cutPlan reads -MM and -slug. What is no number is slug, so 03-auth-PLAN.md has no plan number.
func (n *Name) cutPlan(rest string) {
	if plan, after, ok := cutDashed(rest); ok && endsPart(after) {
		n.Plan, rest = plan, after
	}
	n.Slug = strings.TrimPrefix(rest, "-")
}

// In returns the name as it is meant in a directory of a phase, zero for none: PLAN-01.md has its phase from there, the
// 01-PLAN.md of another phase's directory is its plan 1, and in the directory of phase 2-1 the name 02-01-03-PLAN.md is
// its plan 3.
func (n Name) In(phase Number) Name {
	if strings.Contains(phase.text, "-") && Compare(n.Phase.join(n.Plan), phase) == 0 {
		n.Phase, n.Plan = phase, Number{}
		n.cutPlan("-" + n.Slug)
		return n
	}
	if !phase.IsZero() && n.Plan.IsZero() && !n.Phase.IsZero() && Compare(n.Phase, phase) != 0 {
		n.Plan, n.Phase = n.Phase, phase
	}
	if n.Phase.IsZero() {
		n.Phase = phase
	}
	return n
}

// Ref returns what the name refers to; zero where it has no plan's number.
func (n Name) Ref() Ref {
	if n.Plan.IsZero() {
		return Ref{}
	}
	return NewRef(n.Phase, n.Plan)
}

// ID returns the id of a plan in the directory of a phase, zero for none; false where it has none. See [PlanID].
func (n Name) ID(phase Number) (string, bool) {
	if n.Stem != "" && n.Phase.IsZero() && n.Plan.IsZero() { // auth-PLAN.md
		return "", false
	}
	switch n = n.In(phase); {
	case n.Phase.IsZero():
		return "", false
	case n.Plan.IsZero():
		return n.Phase.Padded(), true
	}
	return n.Phase.Padded() + "-" + n.Plan.Padded(), true
}

// IsPlan reports whether a file of this name is a plan: PLAN.md, NN-MM-PLAN.md, NN-MM-slug-PLAN.md, NNN-PLAN.md of a quick
// task, NN-PLAN-MM-slug.md, and PLAN-MM-slug.md of upstream's nested layout.
func IsPlan(name string) bool {
	n, ok := ParseName(name)
	return ok && n.Kind == Plan
}

// IsOther reports whether a file of this name is known to be something else than a plan: a document of the project, or
// what a phase keeps beside its plans. A name that nobody knows may still be a plan's.
func IsOther(name string) bool {
	stem, ok := strings.CutSuffix(strings.ToUpper(name), ".MD")
	if !ok {
		return false
	}
	switch stem {
	case "ROADMAP", "STATE", "PROJECT", "REQUIREMENTS", "MILESTONES", "RETROSPECTIVE":
		return true
	}
	switch stem[strings.LastIndexByte(stem, '-')+1:] {
	case "SUMMARY", "CONTEXT", "RESEARCH", "VERIFICATION", "VALIDATION", "UAT", "DISCOVERY":
		return true
	}
	return false
}

// PlanID returns the short name of the plan at a path with slashes, such as 03-01 or 02.1-03 for a plan of a phase, 03 for
// the PLAN.md of a phase's directory, quick/001 for a quick task. It returns false for a plan that has no number: the
// auth-PLAN.md of a phase is not the one that its number means.
func PlanID(plan string) (string, bool) {
	n, ok := ParseName(path.Base(plan))
	if !ok || n.Kind != Plan {
		return "", false
	}
	dirs := strings.Split(path.Dir(plan)+"/", "/")
	if i := slices.Index(dirs, "quick"); i >= 0 {
		number, _, _ := strings.Cut(dirs[i+1], "-")
		if number = cmp.Or(n.Stem, number); number == "" {
			return "", false
		}
		return "quick/" + number, true
	}
	own, _ := PhaseOfPlan(plan)
	return n.ID(own)
}
