package planref

// ref.go: references to plans in canonical form, so that 03-01, 3-1 and PROJ-03-01 are the same.

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Ref refers to a plan of a phase or to a quick task. References to the same plan are equal with ==. The zero Ref
// refers to nothing. A plan without a number has a word instead, the slug of its file, and so has one whose number another plan has
// as well: 11-fix-auth, 03-01-auth.
type Ref struct{ phase, plan, word string }

// Named are the plans that have a word in their references.
type Named map[Ref]bool

// NewRef returns the reference to a plan of a phase.
func NewRef(phase, plan Number) Ref { return Ref{phase: phase.Key(), plan: plan.Key()} }

// String returns the reference without padding: 3-1, QUICK-1, 11-FIX-AUTH; "-" for the zero Ref.
func (r Ref) String() string {
	if r.word == "" {
		return r.phase + "-" + r.plan
	}
	return strings.Replace(r.phase+"-"+r.plan+"-"+r.word, "--", "-", 1)
}

// With returns the reference with a word, a part of a file's name.
func (r Ref) With(word string) Ref {
	r.word = strings.ToUpper(word)
	return r
}

// Numbered returns the reference without a word, zero if there is nothing else.
func (r Ref) Numbered() Ref {
	if r.plan == "" {
		return Ref{}
	}
	return r.With("")
}

// Means reports whether what may be no plan's id means the plan at a path with slashes: the stem of its file, the number that it shares
// with another plan, or its number and its slug.
func Means(id, plan string) bool {
	n, _ := ParseName(path.Base(plan))
	if _, isNumber := ParseNumber(id); !isNumber && strings.EqualFold(n.Stem, id) {
		return n.Kind == Plan && id != ""
	}
	ref, _ := ParseID(id)
	own, _ := PhaseOfPlan(plan)
	n = n.In(own)
	with := NewRef(n.Phase, n.Plan).With(n.Slug)
	return ref.plan != "" && (ref == with || ref == with.Numbered())
}

// PhaseKey returns the [Number.Key] of the phase, or QUICK for a quick task.
func (r Ref) PhaseKey() string { return r.phase }

// ParseID parses a plan's id as returned by [PlanID], padded or not: 03-01, 02-01-03 (a phase within a milestone), 03-01-auth,
// 11-fix-auth or quick/001. For 03, the only plan of its phase, the Ref is zero; for a quick task the phase is. Both are zero for
// anything else.
func ParseID(id string) (ref Ref, phase Number) {
	if ref, ok := quickRef(id); ok {
		return ref, Number{}
	}
	phase, ref, n := cutRef(id)
	if n < len(id) {
		if ref, n = cutNamed(id); n != len(id) {
			return Ref{}, Number{}
		}
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

// CompareIDs compares ids by their numbers: 2-01 < 02-03 < 10-01. In a phase, those with a word instead of a plan's number come last, as
// ids without a number do, in the order of their text.
func CompareIDs(a, b string) int {
	cut := func(id string) (phase, plan Number, words int) {
		if _, n := cutNamed(id); n == len(id) && n > 0 {
			phase, rest, _ := CutNumber(id)
			plan, _, ok := cutDashed(rest)
			if !ok {
				words = 1
			}
			return phase, plan, words
		}
		dash := strings.LastIndex(id, "-")
		if dash < 0 {
			dash, id = len(id), id+"-"
		}
		phase, _ = ParseNumber(id[:dash])
		plan, _ = ParseNumber(id[dash+1:])
		return phase, plan, 0
	}
	phase, plan, words := cut(a)
	phase2, plan2, words2 := cut(b)
	return cmp.Or(CompareKnown(phase, phase2), cmp.Compare(words, words2), Compare(plan, plan2), strings.Compare(a, b))
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
	numbered = numbered && CutProject(number) == number // the word of GSD-API-01 is API-01
	if !ok || rest != "" || dashed && !numbered && !isSlug(number) {
		return Ref{}
	}
	if dashed && !numbered {
		return NewRef(phase, Number{}).With(number)
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
	return Ref{phase: strings.ToUpper(word), plan: strings.ToUpper(trimZeros(name[:n]) + name[n:])}, true
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

// afterWord are the bytes that end no word of an id, because in prose they follow it: _03-01-auth_.
const afterWord = ".-_"

// cutNamed parses a phase, perhaps a plan's number, and a word at the start of s: 11-fix-auth, 03-01-auth. It returns 0 if there is none.
func cutNamed(s string) (ref Ref, length int) {
	phase, ref, n := cutRef(s)
	if n == 0 || n == len(s) || s[n] != '-' {
		return Ref{}, 0
	}
	end := n + 1
	for end < len(s) && isSlugByte(s[end]) {
		end++
	}
	slug := strings.TrimRight(s[n+1:end], afterWord)
	if !isSlug(slug) {
		return Ref{}, 0
	}
	if ref == (Ref{}) {
		ref = NewRef(phase, Number{})
	}
	return ref.With(slug), n + 1 + len(slug)
}

// isSlug reports whether a part of a file's name may be one of an id, which is typed as it is, and written in the scopes of commits. One
// that begins with a number is not, because in an id that is the number of a plan.
func isSlug(s string) bool {
	for i := range len(s) {
		if !isSlugByte(s[i]) {
			return false
		}
	}
	if s == "" || len(s) > maxNumber || !isWord(s[0]) || strings.TrimRight(s, afterWord) != s || endsLikeFile(s) {
		return false
	}
	_, _, numbered := CutNumber(s)
	return !numbered || !isDigit(s[0])
}

// endsLikeFile reports whether the word at the end of an id is that of a file's name, in any case. On a command line 02-x-PLAN is the file.
func endsLikeFile(id string) bool {
	last := id[strings.LastIndexByte(id, '-')+1:]
	return strings.EqualFold(last, "PLAN") || strings.EqualFold(last, "SUMMARY") || strings.EqualFold(path.Ext(last), ".md")
}

func isSlugByte(c byte) bool { return isWord(c) || c == '-' || c == '.' }

// cutDashed parses a dash and a number at the start of s.
func cutDashed(s string) (Number, string, bool) {
	if len(s) < 2 || s[0] != '-' || !isDigit(s[1]) {
		return Number{}, s, false
	}
	return CutNumber(s[1:])
}
