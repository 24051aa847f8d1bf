package planref

// ref.go: references to plans in canonical form, so that 03-01, 3-1 and PROJ-03-01 are the same.

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Ref refers to a plan of a phase or to a quick task. References to the same plan are equal with ==. The zero Ref
// refers to nothing.
type Ref struct{ phase, plan string }

// NewRef returns the reference to a plan of a phase.
func NewRef(phase, plan Number) Ref { return Ref{phase.Key(), plan.Key()} }

// String returns the reference without padding: 3-1, QUICK-1; "-" for the zero Ref.
func (r Ref) String() string { return r.phase + "-" + r.plan }

// PhaseKey returns the [Number.Key] of the phase, or QUICK for a quick task.
func (r Ref) PhaseKey() string { return r.phase }

// ParseID parses a plan's id as returned by [PlanID], padded or not: 03-01, 02-01-03 (a phase within a milestone) or
// quick/001. For 03, the only plan of its phase, the Ref is zero; for a quick task the phase is. Both are zero for
// anything else.
func ParseID(id string) (ref Ref, phase Number) {
	if ref, ok := quickRef(id); ok {
		return ref, Number{}
	}
	phase, ref, n := cutRef(id)
	if n != len(id) {
		return Ref{}, Number{}
	}
	return ref, phase
}

// SameID reports whether two ids mean the same plan. AUTH-01 is a plan of phase AUTH, and ABC-03-01 is 03-01 of the
// project ABC.
func SameID(a, b string) bool {
	if custom, custom2 := customRef(a), customRef(b); custom != (Ref{}) || custom2 != (Ref{}) {
		return custom == custom2
	}
	ref, phase := ParseID(a)
	ref2, phase2 := ParseID(b)
	return ref == ref2 && (ref != Ref{} || !phase.IsZero() && phase.Key() == phase2.Key())
}

// CompareIDs compares ids by their numbers: 2-01 < 02-03 < 10-01. Ids without a number come last, in the order of their text.
func CompareIDs(a, b string) int {
	cut := func(id string) (phase, plan Number) {
		dash := strings.LastIndex(id, "-")
		if dash < 0 {
			dash, id = len(id), id+"-"
		}
		phase, _ = ParseNumber(id[:dash])
		plan, _ = ParseNumber(id[dash+1:])
		return phase, plan
	}
	phase, plan := cut(a)
	phase2, plan2 := cut(b)
	return cmp.Or(CompareKnown(phase, phase2), Compare(plan, plan2), strings.Compare(a, b))
}

// ComparePlans compares the paths of plans by their phases, then by their numbers in the phase, then by their text. Plans without a
// phase come last, and in a phase those without a number.
func ComparePlans(a, b string) int { return placeOf(a).compare(placeOf(b)) }

// SortPlans sorts the paths of plans by ComparePlans. It reads the numbers of each path once: there may be thousands.
func SortPlans(plans []string) {
	places := make([]planPlace, len(plans))
	for i, plan := range plans {
		places[i] = placeOf(plan)
	}
	slices.SortFunc(places, planPlace.compare)
	for i, place := range places {
		plans[i] = place.path
	}
}

// A planPlace is the path of a plan, and its numbers.
type planPlace struct {
	path        string
	phase, plan Number
}

func placeOf(plan string) planPlace {
	phase, _ := PhaseOfPlan(plan)
	name, _ := ParseName(path.Base(plan))
	return planPlace{plan, phase, name.In(phase).Plan}
}

func (p planPlace) compare(other planPlace) int {
	return cmp.Or(CompareKnown(p.phase, other.phase), CompareKnown(p.plan, other.plan), strings.Compare(p.path, other.path))
}

// CompareKnown compares numbers as Compare does, but zero, which stands for none, comes last.
func CompareKnown(a, b Number) int {
	if a.IsZero() || b.IsZero() {
		return Compare(b, a)
	}
	return Compare(a, b)
}

// customRef parses the id of a plan of a phase that is named by a word: AUTH-01, or AUTH for its only plan.
func customRef(id string) Ref {
	word, number, dashed := strings.Cut(id, "-")
	phase, rest, ok := CutCustom(word)
	plan, numbered := ParseNumber(number)
	if !ok || rest != "" || dashed && !numbered {
		return Ref{}
	}
	return NewRef(phase, plan)
}

// quickRef parses quick/001 and quick-1.
func quickRef(s string) (Ref, bool) {
	const word = "quick"
	if len(s) < len(word)+2 || !strings.EqualFold(s[:len(word)], word) || s[len(word)] != '/' && s[len(word)] != '-' {
		return Ref{}, false
	}
	name := s[len(word)+1:]
	n := digits(name)
	if n == 0 || strings.ContainsAny(name, " ,()[]:") {
		return Ref{}, false
	}
	return Ref{strings.ToUpper(word), strings.ToUpper(trimZeros(name[:n]) + name[n:])}, true
}

// cutRef parses a phase, or a phase and a plan, at the start of s and returns its length, 0 if there is none.
func cutRef(s string) (phase Number, ref Ref, length int) {
	phase, rest, ok := CutNumber(s)
	if !ok {
		return Number{}, Ref{}, 0
	}
	plan, after, ok := cutDashed(rest)
	if !ok {
		return phase, Ref{}, len(s) - len(rest)
	}
	if third, end, ok := cutDashed(after); ok { // 02-01-03
		phase, plan, after = phase.join(plan), third, end
	}
	return phase, NewRef(phase, plan), len(s) - len(after)
}

// cutDashed parses a dash and a number at the start of s.
func cutDashed(s string) (Number, string, bool) {
	if len(s) < 2 || s[0] != '-' || !isDigit(s[1]) {
		return Number{}, s, false
	}
	return CutNumber(s[1:])
}
