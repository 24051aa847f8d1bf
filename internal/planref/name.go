package planref

// name.go: the one parser of the names of plans and summaries. Upstream had four, which disagreed.

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Planning is the name of the directory that makes another one a project.
const Planning = ".planning"

// Kind is the kind of a file in a phase's directory.
type Kind int

// The kinds of files that have a [Name].
const (
	Plan Kind = iota + 1
	Summary
)

// Name is the parsed name of a plan or a summary. For 02.1-03-auth-PLAN.md the stem is 02.1-03-auth, the phase 2.1, the
// plan 3 and the slug auth; for PLAN.md all of them are empty; 001-PLAN.md has a phase but no plan.
type Name struct {
	Kind  Kind
	Stem  string // the name without .md and without a final -PLAN or -SUMMARY
	Phase Number
	Plan  Number
	Slug  string
	infix bool // PLAN or SUMMARY comes before the plan's number: PLAN-01-setup, 3-PLAN-01-setup

	shared bool // another plan of its directory has its number
}

// ParseName parses the base name of a file; it returns false if that is neither a plan's nor a summary's. Files that
// upstream derives from a plan (-OUTLINE, .pre-bounce, -PLAN-REVIEW) are not plans, and neither are hidden files, which
// operating systems and editors create beside a plan.
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
	before, after, isPlan := cutWord(n.Stem, "PLAN")
	first, rest, isSummary := cutWord(n.Stem, "SUMMARY")
	switch {
	case isSummary && n.Kind == 0 && (!isPlan || len(first) < len(before)): // the first of both words, as SUMMARY-01-PLAN-2
		numbers, n.infix, n.Kind = first+rest, true, Summary
	case isPlan:
		numbers, n.infix, n.Kind = before+after, true, cmp.Or(n.Kind, Plan)
	}
	if n.Kind == 0 || n.Stem == "" {
		return Name{}, false
	}
	rest = cutBracket(numbers)
	if phase, after, ok := CutNumber(rest); ok && endsPart(after) { // else the directory has the phase
		n.Phase, rest = phase, after
	}
	n.cutPlan(rest)
	return n, true
}

// isDerived reports whether the stem is of a file that upstream derives from a plan.
func isDerived(stem string) bool {
	for _, ending := range []string{"-outline", ".pre-bounce", "-plan-review"} {
		if len(stem) >= len(ending) && strings.EqualFold(stem[len(stem)-len(ending):], ending) {
			return true
		}
	}
	return false
}

// cutWord splits a stem at a word before the number of a plan: for PLAN it splits PLAN-01-setup into "" and -01-setup,
// and 3-PLAN-01-setup into 3 and -01-setup. A purpose and a date may take the place of the number:
// 5-PLAN-DELTA-2026-05-05.
func cutWord(stem, word string) (before, after string, ok bool) {
	at := strings.Index(stem, word+"-")
	if at < 0 || at > 0 && stem[at-1] != '-' {
		return "", "", false
	}
	before, after = stem[:at], stem[at+len(word):]
	numbered := digits(after[1:]) > 0 || at > 0 && word == "PLAN" && strings.ContainsAny(after, "0123456789")
	return strings.TrimSuffix(before, "-"), after, numbered
}

// cutPlan reads -MM and -slug. Anything but a number is slug, so 03-auth-PLAN.md has no plan number.
func (n *Name) cutPlan(rest string) {
	if plan, after, ok := cutDashed(rest); ok && endsPart(after) {
		n.Plan, rest = plan, after
	}
	n.Slug = strings.TrimPrefix(rest, "-")
}

// In returns the name as read in the directory of a phase, zero for none. There PLAN-01.md is plan 1 of that phase, and
// so is 01-PLAN.md if the phase has another number; in the directory of phase 2-1, 02-01-03-PLAN.md is plan 3. In that of phase AUTH,
// AUTH-login-PLAN.md has the slug login.
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
		if _, _, custom := CutCustom(phase.text); custom {
			n.Slug = strings.TrimPrefix(n.Slug, phase.text+"-")
		}
	}
	return n
}

// Ref returns the reference to the plan; zero if the name has neither a plan's number nor a word.
func (n Name) Ref() Ref {
	word := n.Word()
	if n.Plan.IsZero() && word == "" {
		return Ref{}
	}
	return NewRef(n.Phase, n.Plan).With(word)
}

// Word returns the slug, if that tells the plan from others: it has no number, or shares it; see [NewSiblings].
func (n Name) Word() string {
	if (n.Plan.IsZero() || n.shared) && isSlug(n.Slug) {
		return n.Slug
	}
	return ""
}

// ID returns the id of the plan in the directory of a phase, zero for none; false if it has no id. See [PlanID].
func (n Name) ID(phase Number) (string, bool) {
	n = n.In(phase)
	id, word := n.Phase.Padded(), n.Word()
	if id == "" || word == "" && n.Slug != "" && (n.Plan.IsZero() || n.shared) {
		return "", false
	}
	for _, part := range []string{n.Plan.Padded(), word} {
		if part != "" {
			id += "-" + part
		}
	}
	return id, true
}

// IsPlan reports whether a file of this name is a plan: PLAN.md, NN-MM-PLAN.md, NN-MM-slug-PLAN.md, NNN-PLAN.md (a
// quick task), NN-PLAN-MM-slug.md, or PLAN-MM-slug.md (upstream's nested layout).
func IsPlan(name string) bool {
	n, ok := ParseName(name)
	return ok && n.Kind == Plan
}

// IsOther reports whether a file of this name is known not to be a plan: a document of the project, or one that a phase
// keeps beside its plans. A plan may have a name that neither IsPlan nor IsOther knows.
func IsOther(name string) bool {
	stem, ok := strings.CutSuffix(strings.ToUpper(name), ".MD")
	if _, isDraft := DraftOf(name); !ok || isDraft {
		return isDraft
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

// PlanID returns the short name of the plan at a path with slashes: 03-01 or 02.1-03 for a plan of a phase, 03 for the
// PLAN.md of a phase's directory, 11-fix-auth for a plan without a number, quick/001 for a quick task. It returns false for a plan without
// a phase, and for one whose slug cannot be typed as it is, or would be taken for the name of a file. Where other plans may have its number,
// see [Siblings.PlanID].
func PlanID(plan string) (string, bool) { return planID(plan, false) }

// planID returns the id of a plan that shares its number with another one of its directory, or does not.
func planID(plan string, shared bool) (string, bool) {
	n, ok := ParseName(path.Base(plan))
	if !ok || n.Kind != Plan {
		return "", false
	}
	dirs := strings.Split(path.Dir(plan)+"/", "/")
	if i := slices.Index(dirs, "quick"); i >= 0 {
		number, _, _ := strings.Cut(dirs[i+1], "-")
		if number = cmp.Or(n.Stem, number); number == "" || endsLikeFile(number) {
			return "", false
		}
		return "quick/" + number, true
	}
	own, _ := PhaseOfPlan(plan)
	n.shared = shared
	return n.ID(own)
}

// mayShare reports whether the plan would have another id if another one had its number.
func (n Name) mayShare() bool { return n.Slug != "" && (!n.Plan.IsZero() || !n.Phase.IsZero()) }
