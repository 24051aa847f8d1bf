// Package planref reads the references by which a project names its phases and plans: phase numbers, the names of
// directories and files, plan ids, and the subjects of commits. Each is read here and nowhere else. It is pure:
// strings in, values out. What upstream accepts (gsd-core's phase-id, plan-scan and core-utils) is the oracle.
package planref

// number.go: a phase's number is compared as numbers, never as text, so 02.1 = 2.1 < 2.10 < 3 < 3A. Integers are
// compared as strings of digits, so none overflows.

import (
	"cmp"
	"strings"
)

// Number is the number of a phase or a plan: integers joined by dots, each with an optional letter behind it, the first
// with an optional one before it (B7). Where phases are numbered in each milestone, the milestone comes first, joined by
// a dash: 2-01. A phase may have a word instead, AUTH. The zero Number is none and comes before every other. Two are
// equal where Compare gives 0, not by ==, because a letter keeps its case: upstream names directories by it.
type Number struct {
	text string // without leading zeros and project code
}

// ParseNumber reads a whole string as a number. Leading zeros and a project code (ABC-03) are dropped; a trailing
// zero counts, so 999.6 is not 999.60. It returns false where there is anything else in the string.
func ParseNumber(s string) (Number, bool) {
	if n, rest, ok := CutNumber(s); ok && rest == "" {
		return n, true
	}
	return Number{}, false
}

// Compare orders a and b: -1, 0 or 1. Each part is compared by the letter before it (none first), its integer, and
// the letter behind it without case (none first); a number comes before those that it begins. That is upstream's
// order, 12 < 12.1 < 12A < 12A.1 < 12B < 13, and 2 < 2.1 < 2-1 < 3.
func Compare(a, b Number) int {
	if a == b {
		return 0 // the usual case
	}
	x, y := a.text, b.text
	for x != "" && y != "" {
		p, joint, rest := cutPart(x)
		q, joint2, rest2 := cutPart(y)
		if c := comparePart(p, q); c != 0 {
			return c
		}
		if joint != joint2 {
			const order = " .-" // the empty joint first: a number comes before those that it begins
			return cmp.Compare(strings.Index(order, joint), strings.Index(order, joint2))
		}
		x, y = rest, rest2
	}
	return cmp.Compare(len(x), len(y)) // one of them is empty
}

// cutPart divides a number at its first dot or dash.
func cutPart(s string) (part, joint, rest string) {
	for i := range len(s) {
		if s[i] == '.' || s[i] == '-' {
			return s[:i], s[i : i+1], s[i+1:]
		}
	}
	return s, "", ""
}

// comparePart compares two parts such as 12 and 12A; neither has leading zeros.
func comparePart(p, q string) int {
	before, p := cutLetter(p)
	before2, q := cutLetter(q)
	i, j := digits(p), digits(q)
	return cmp.Or(strings.Compare(before, before2), cmp.Compare(i, j), strings.Compare(p[:i], q[:j]),
		strings.Compare(strings.ToUpper(p[i:]), strings.ToUpper(q[j:])))
}

// String returns the number as people write it: no padding, the letter as it was, "" for none.
func (n Number) String() string { return n.text }

// IsZero reports whether n is no number at all.
func (n Number) IsZero() bool { return n.text == "" }

// Padded returns the number with its integers at two digits, as upstream names directories and plans: 02.1, 02-01.
func (n Number) Padded() string {
	milestone, phase, dashed := strings.Cut(n.text, "-")
	if dashed {
		return pad(milestone) + "-" + pad(phase)
	}
	return pad(n.text)
}

func pad(s string) string {
	if digits(s) == 1 {
		return "0" + s
	}
	return s
}

// Key returns one string for all numbers that compare equal.
func (n Number) Key() string { return strings.ToUpper(n.text) }

// IsSentinel reports whether n is one of the phases that upstream keeps for other things and never counts: 0.x, and the
// backlog, 999.x.
func (n Number) IsSentinel() bool {
	first, _, _ := cutPart(n.text)
	return first == "0" || first == "999"
}

// join returns the number of a phase that is numbered in the milestone n: 2 and 1 give 2-1.
func (n Number) join(phase Number) Number { return Number{n.text + "-" + phase.text} }

// maxNumber is the length of the longest number, in bytes: comparing numbers stays cheap whatever a file holds.
const maxNumber = 64

// CutNumber reads a number at the start of s and returns what follows it. A number does not end in the middle of a word:
// 2nd and 3.x are none. A milestone's number before the phase's is read by [CutDir] only, because elsewhere what follows
// a dash is a plan.
func CutNumber(s string) (n Number, rest string, ok bool) {
	s = CutProject(s)
	whole, text := s, ""
	from := 0 // whole[from:] up to s is still to be added to text
	if len(s) > 1 && isCapital(s[0]) && isDigit(s[1]) {
		s = s[1:]
	}
	for more := true; more; {
		n := digits(s)
		if n == 0 {
			return Number{}, "", false
		}
		if zeros := n - len(trimZeros(s[:n])); zeros > 0 {
			at := len(whole) - len(s)
			text, from = text+whole[from:at], at+zeros
		}
		s = s[n:]
		if s != "" && isLetter(s[0]) {
			s = s[1:]
		}
		if more = len(s) > 1 && s[0] == '.' && isDigit(s[1]); more {
			s = s[1:]
		}
	}
	text += whole[from : len(whole)-len(s)]
	if len(whole)-len(s) > maxNumber || s != "" && (isWord(s[0]) || s[0] == '.' && len(s) > 1 && isWord(s[1])) {
		return Number{}, "", false
	}
	return Number{text}, s, true
}

// CutPhase is CutNumber for what names a phase in prose, where a dash does not lead to a plan: 2-02 is phase 2 of milestone
// 2. The second number is padded; 2-10 is a range.
func CutPhase(s string) (n Number, rest string, ok bool) {
	n, rest, ok = CutNumber(s)
	if second, ok := strings.CutPrefix(rest, "-0"); ok && digits(second) == 1 {
		if phase, after, ok := CutNumber(second); ok {
			return n.join(phase), after, true
		}
	}
	return n, rest, ok
}

// CutProject drops a project's code, a word of capitals and a dash before a number (ABC-03, APP2-03, ABC-B7), from the start
// of s. B7-03 is not of a project but of phase B7.
func CutProject(s string) string {
	n := word(s)
	if n == 0 || n+1 >= len(s) || s[n] != '-' {
		return s
	}
	if rest := s[n+1:]; isDigit(rest[0]) || len(rest) > 1 && isCapital(rest[0]) && isDigit(rest[1]) {
		return rest
	}
	return s
}

// CutCustom reads the word that a phase has instead of a number at the start of s: AUTH: Login, AUTH-login. The word before a
// number is a project's code.
func CutCustom(s string) (Number, string, bool) {
	n := word(s)
	if n < 2 || len(CutProject(s)) != len(s) || n < len(s) && s[n] != '-' && s[n] != ':' {
		return Number{}, "", false
	}
	return Number{s[:n]}, s[n:], true
}

// word is how many bytes at the start of s are a word of capitals, at most 31. Its first two are letters.
func word(s string) int {
	for i := range min(len(s), 32) {
		if c := s[i]; !isCapital(c) && (i < 2 || !isDigit(c) && c != '_') {
			return i
		}
	}
	if len(s) < 32 {
		return len(s)
	}
	return 0
}

func trimZeros(integer string) string { return cmp.Or(strings.TrimLeft(integer, "0"), "0") }

// cutLetter divides a letter from the start of s.
func cutLetter(s string) (letter, rest string) {
	if s != "" && isLetter(s[0]) {
		return strings.ToUpper(s[:1]), s[1:]
	}
	return "", s
}

// digits is how many bytes at the start of s are ASCII digits.
func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

func isCapital(c byte) bool { return 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool   { return '0' <= c && c <= '9' }
func isLetter(c byte) bool  { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// isWord reports whether a number would end in the middle of a word before c.
func isWord(c byte) bool { return isDigit(c) || isLetter(c) || c == '_' }

// endsPart reports whether rest, what follows a number in a name, leaves it a part of its own.
func endsPart(rest string) bool { return rest == "" || rest[0] == '-' }
