package roadmap

// state_phase.go: the value of `Phase:`, as the template has it, `3 of 5 (Web)`, and as people and models write
// it: `03 (web) — EXECUTING`, `27 - Grep Flags`, `61 Workflow Refactor — ready to plan`, `18 of 19 (v1.2)`.

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/internal/planref"
)

// statePhase is the value in parts; all of them together are the value.
type statePhase struct {
	lead   string // `Phase `, a project code
	text   string // the number as it is written
	number planref.Number
	of     string // ` of `
	total  string // `5`, `TBD`
	remark string // ` (fourth of 5 in v1.7)`: a count, no name
	open   string // ` (`, ` — `, `: `, ` `, `-`
	name   string
	close  string // `)`
	tail   string
	// odd: after the number stand words that are neither a name nor a status, such as ` von 5`. What belongs
	// to which phase then nobody knows.
	odd bool
}

// cutStatePhase reads a value; false where it is not understood, such as a range or several phases.
func cutStatePhase(s string) (statePhase, bool) {
	var v statePhase
	rest := s
	if len(rest) > 6 && strings.EqualFold(rest[:6], "phase ") {
		v.lead, rest = rest[:6], rest[6:]
	}
	cut := planref.CutProject(rest)
	v.lead, rest = v.lead+rest[:len(rest)-len(cut)], cut
	n, after, ok := planref.CutNumber(rest)
	if !ok || !startsPhase(after) {
		return v, false
	}
	v.number, v.text = n, rest[:len(rest)-len(after)]
	rest = after
	if v.of, v.total, rest, ok = cutStateOf(rest); !ok || unbalanced(rest) {
		return v, false // the name may go on in the next line
	}
	if _, inner, after, ok := cutStateBracket(rest); ok && isCountRemark(inner) {
		v.remark, rest = rest[:len(rest)-len(after)], after
	}
	v.cutName(rest)
	v.odd = v.open == "" && isStateProse(v.tail)
	return v, true
}

// isStateProse tells whether a text begins with words that are no status.
func isStateProse(s string) bool {
	words := strings.TrimSpace(s[:stateStop(s)])
	first, _ := utf8.DecodeRuneInString(words)
	return (unicode.IsLetter(first) || unicode.IsDigit(first)) && !isStateRemark(words)
}

// startsPhase tells whether a value may go on like this after one phase's number.
func startsPhase(rest string) bool {
	s := strings.TrimLeft(rest, " \t")
	if isRange(s) {
		return false
	}
	for _, more := range []string{"&", "+", ",", "and ", "to ", "through ", "or ", "*", "_", "`", "%"} {
		if strings.HasPrefix(s, more) {
			return false
		}
	}
	// A slug follows at once; another word does not.
	return s != rest || s == "" || strings.IndexByte("-:/(;.—", s[0]) >= 0 || s[0] >= utf8.RuneSelf
}

// cutStateOf cuts ` of 5`, `/5` off the start of s. It answers false where that begins and is no count.
func cutStateOf(s string) (of, total, rest string, ok bool) {
	blanks := stateBlanks(s)
	after := s[blanks:]
	switch {
	case strings.HasPrefix(after, "/"):
		of = s[:blanks+1]
	case blanks > 0 && strings.HasPrefix(after, "of "):
		of = s[:blanks+2]
	case blanks > 0 && strings.HasPrefix(after, "out of "):
		of = s[:blanks+6]
	default:
		return "", "", s, true
	}
	rest = s[len(of):]
	n := stateBlanks(rest)
	of, rest = of+rest[:n], rest[n:]
	end := strings.IndexAny(rest, " \t(),;)")
	if end < 0 {
		end = len(rest)
	}
	total = rest[:end]
	bare := strings.TrimSuffix(strings.TrimPrefix(total, "~"), "+")
	if _, isNumber := planref.ParseNumber(bare); !isNumber && !isStateUnknown(total) {
		return "", "", s, false
	}
	return of, total, rest[end:], true
}

// isStateUnknown tells whether a total is not known.
func isStateUnknown(total string) bool {
	switch strings.ToUpper(total) {
	case "TBD", "?", "??", "N", "X", "—", "-":
		return true
	}
	return false
}

// isCountRemark tells whether a bracket counts: `fourth of 5 in v1.7`.
func isCountRemark(s string) bool {
	_, after, ok := strings.Cut(" "+s, " of ")
	return ok && digits(after) > 0
}

// cutName finds the phase's name in what follows the numbers.
func (v *statePhase) cutName(rest string) {
	v.tail = rest
	if lead, inner, after, ok := cutStateBracket(rest); ok {
		if !isStateRemark(inner) {
			v.open, v.name, v.close, v.tail = lead+"(", inner, ")", after
		}
		return
	}
	open, after, ok := cutStateDash(rest)
	if !ok {
		switch {
		case strings.HasPrefix(rest, ": "):
			open, after, ok = rest[:2], rest[2:], true
		case len(rest) > 1 && rest[0] == '-' && isLetter(rest[1]):
			end := strings.IndexByte(rest, ' ')
			if end < 0 {
				end = len(rest)
			}
			v.open, v.name, v.tail = "-", rest[1:end], rest[end:]
			return
		case rest != "" && (rest[0] == ' ' || rest[0] == '\t') && rest[1] != '(':
			open, after, ok = rest[:1], rest[1:], true
		}
	}
	if !ok {
		return
	}
	name := after[:stateStop(after)]
	first, _ := utf8.DecodeRuneInString(name)
	if !unicode.IsLetter(first) || unicode.IsLower(first) || isStateRemark(name) {
		return // `— waiting for review`: titles begin with a capital
	}
	v.open, v.name, v.tail = open, name, after[len(name):]
}

// isStateRemark tells whether what could be a phase's name is how far it is: `COMPLETE`, `executed, pending
// review`, `not yet planned`.
func isStateRemark(s string) bool {
	if statusOnly(s) != Unknown || statePlaceholder(s) {
		return true
	}
	if first, _ := utf8.DecodeRuneInString(s); unicode.IsLower(first) || allUpper(s) {
		class, _ := stateClassOf(s)
		return class != 0
	}
	return false
}

func allUpper(s string) bool { return strings.ToUpper(s) == s && strings.ToLower(s) != s }

func (v statePhase) String() string {
	return v.lead + v.text + v.of + v.total + v.remark + v.open + v.name + v.close + v.tail
}

// phase is the rule of `Phase:`.
func (u stateUpdate) phase(old string) string {
	p := u.p
	if p.Phase.IsZero() || strings.Contains(old, " / ") { // `1 of 9 / Milestone 2 of 4` counts two things
		return old
	}
	v, ok := cutStatePhase(old)
	if !ok {
		if isNoPhase(old) {
			return u.newPhase()
		}
		return old
	}
	if planref.Compare(v.number, p.Phase) == 0 {
		v.total = u.phases(v.total)
		v.tail = stateTail(v.tail, func(_, text string) bool {
			return u.agreed || statusOnly(text) == Unknown || stateMaySay(text, p)
		})
		return v.String()
	}
	if v.odd {
		return old
	}
	v.text = statePadded(p.Phase, v.text)
	v.total = u.phases(v.total)
	v.remark = ""
	switch version := versionAt(v.name); {
	case v.open == "-":
		v.rename(stateSlug(p.PhaseName))
	case version != "" && strings.TrimLeft(v.name, "vV.0123456789") == "":
		if p.Milestone != "" && !sameVersion(v.name, p.Milestone) {
			v.rename(stateVersion(v.name, p.Milestone))
		}
	default:
		v.rename(stateNameLike(p.PhaseName, v.name))
	}
	v.tail = stateTail(v.tail, func(_, text string) bool { return stateFree(text) || stateStillSays(text, p) })
	return v.String()
}

// rename puts a name in the place of the one of another phase. Where it is not known there is none, because a
// wrong name is worse.
func (v *statePhase) rename(name string) {
	if v.open == "" {
		return
	}
	v.name = name
	if name == "" {
		v.open, v.close = "", ""
	}
}

// phases is Y of `X of Y`. A total that the phase has passed is not known any more.
func (u stateUpdate) phases(old string) string {
	if old == "" {
		return ""
	}
	total, _ := planref.ParseNumber(strings.TrimSuffix(strings.TrimPrefix(old, "~"), "+"))
	if u.p.Phases > 0 {
		known := mustNumber(stateDigits(u.p.Phases, ""))
		if planref.Compare(mustNumber(u.p.Phase.String()[:digits(u.p.Phase.String())]), known) <= 0 {
			if planref.Compare(total, known) == 0 {
				return old
			}
			return stateDigits(u.p.Phases, old)
		}
	}
	if !total.IsZero() && planref.Compare(mustNumber(u.p.Phase.String()[:digits(u.p.Phase.String())]), total) > 0 {
		return "TBD"
	}
	return old
}

// newPhase is the value where the old one names no phase.
func (u stateUpdate) newPhase() string {
	s := u.p.Phase.String()
	if total := u.phases("TBD"); total != "TBD" {
		s += " of " + total
	}
	if u.p.PhaseName != "" {
		s += " (" + u.p.PhaseName + ")"
	}
	return s
}

// isNoPhase tells whether a value says that the project is at no phase.
func isNoPhase(s string) bool {
	if statePlaceholder(s) {
		return true
	}
	class, ref := stateClassOf(s)
	return class != 0 && ref.IsZero() && !isDigit(s[0])
}

// phaseName is the rule of `Current Phase Name:`.
func (u stateUpdate) phaseName(old string) string {
	if u.p.PhaseName == "" || stateSame(old, u.p.PhaseName) {
		return old
	}
	return stateNameLike(u.p.PhaseName, old)
}

// stateNameLike writes a name as its predecessor was written: in words, or as directories have it, which is what
// upstream's SDK writes.
func stateNameLike(name, like string) string {
	if slug := stateSlug(name); slug != "" && like != "" && stateSlug(like) == like {
		return slug
	}
	return name
}

// statePadded writes n as its predecessor was written: with or without a leading zero.
func statePadded(n planref.Number, like string) string {
	if len(like) > 1 && like[0] == '0' && isDigit(like[1]) {
		return n.Padded()
	}
	return n.String()
}

// stateSlug is a name as directories have it.
func stateSlug(name string) string {
	return strings.Join(wordsOf(name), "-")
}

// sameVersion tells whether two milestones are one: `v1.0` and `1`.
func sameVersion(a, b string) bool {
	a, b = strings.TrimLeft(a, "vV"), strings.TrimLeft(b, "vV")
	x, y := versionAt("v"+a), versionAt("v"+b)
	return strings.EqualFold(a, b) || x != "" && x == y
}

// stateVersion writes a milestone as its predecessor was written: with or without a v.
func stateVersion(like, milestone string) string {
	if !isDigit(milestone[0]) || like != "" && isDigit(like[0]) {
		return milestone
	}
	return "v" + milestone
}

// milestone is the rule of `Milestone:`, `v1.2 Polish`, which is not of the template and is found in one file of
// eight.
func (u stateUpdate) milestone(old string) string {
	p := u.p
	if p.Milestone == "" {
		return old
	}
	first, _, _ := strings.Cut(old, " ")
	if sameVersion(first, p.Milestone) {
		return old
	}
	if !statePlaceholder(old) && versionAt(first) == "" {
		if _, ok := planref.ParseNumber(first); !ok {
			return old
		}
	}
	value := stateVersion(first, p.Milestone)
	if p.MilestoneName != "" && (first != old || old == "") {
		value += " " + p.MilestoneName
	}
	return value
}

func mustNumber(s string) planref.Number { n, _ := planref.ParseNumber(s); return n }
