// Package planref parses the references by which a project names its phases and plans: phase numbers, the names of
// directories and files, plan ids, and the subjects of commits. No other package parses these. It does no I/O. The
// oracle is what upstream accepts (gsd-core's phase-id, plan-scan and core-utils).
package planref

// number.go: phase numbers are compared by value, never as text, so 02.1 = 2.1 < 2.10 < 3 < 3A. Integers are compared
// as strings of digits, so none overflows.

import (
	"cmp"
	"strings"
)

// Number is the number of a phase or a plan: integers joined by dots, each optionally followed by a letter, the first
// optionally preceded by one (B7). If phases are numbered within milestones, the milestone and a dash come first: 2-01.
// A phase may have a word instead: AUTH. The zero Number means no number and sorts before all others. Numbers are equal
// if Compare returns 0; == does not do, because letters keep their case, which upstream uses in directory names.
type Number struct {
	text string // without leading zeros and project code
}

// ParseNumber parses a string that is a number and nothing else; it returns false for any other. Leading zeros and a
// project code (ABC-03) are dropped; a trailing zero counts, so 999.6 is not 999.60.
func ParseNumber(s string) (Number, bool) {
	if n, rest, ok := CutNumber(s); ok && rest == "" {
		return n, true
	}
	return Number{}, false
}

// Compare returns -1, 0 or 1 as a comes before, equals or comes after b. Parts are compared by the letter before the
// integer (none first), the integer, and the letter after it, ignoring case (none first); a prefix comes first. That is
// upstream's order: 12 < 12.1 < 12A < 12A.1 < 12B < 13, and 2 < 2.1 < 2-1 < 3.
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
			const order = " .-" // Index finds the empty string first: a prefix comes first
			return cmp.Compare(strings.Index(order, joint), strings.Index(order, joint2))
		}
		x, y = rest, rest2
	}
	return cmp.Compare(len(x), len(y)) // one of them is empty
}

// cutPart splits a number at its first dot or dash.
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

// String returns the number as people write it: without padding, with letters in their original case, "" for zero.
func (n Number) String() string { return n.text }

// IsZero reports whether n is the zero Number.
func (n Number) IsZero() bool { return n.text == "" }

// Padded returns the number with two digits for its first integer, as upstream names directories and plans, and for the
// phase after a milestone: 02.1, 02-01.
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

// Key returns the same string for numbers that compare equal.
func (n Number) Key() string { return strings.ToUpper(n.text) }

// IsSentinel reports whether n is reserved by upstream and never counts as a phase: 0.x, or the backlog 999.x.
func (n Number) IsSentinel() bool {
	first, _, _ := cutPart(n.text)
	return first == "0" || first == "999"
}

// join returns the number of a phase within the milestone n: 2 joined with 1 is 2-1.
func (n Number) join(phase Number) Number { return Number{n.text + "-" + phase.text} }

// maxNumber is the maximum length of a number in bytes. It keeps comparisons cheap whatever a file holds.
const maxNumber = 64

// CutNumber parses a number at the start of s and returns the rest. A number does not end in the middle of a word, so
// 2nd and 3.x have none. Numbers with a milestone are left to [CutDir], because elsewhere a plan follows the dash.
func CutNumber(s string) (n Number, rest string, ok bool) {
	s = CutProject(s)
	whole, text := s, ""
	from := 0 // whole from here up to s is still to be added to text
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

// CutPhase is CutNumber for the name of a phase in prose, where no plan follows a dash: 2-02 is phase 2 of milestone 2.
// The second number has a leading zero; 2-10 is a range.
func CutPhase(s string) (n Number, rest string, ok bool) {
	n, rest, ok = CutNumber(s)
	if second, ok := strings.CutPrefix(rest, "-0"); ok && digits(second) == 1 {
		if phase, after, ok := CutNumber(second); ok {
			return n.join(phase), after, true
		}
	}
	return n, rest, ok
}

// CutProject drops a project code at the start of s, a word of capitals and a dash before a number: ABC-03, APP2-03,
// ABC-B7. The B7 of B7-03 is a phase, not a project.
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

// CutCustom parses the word that a phase has instead of a number at the start of s, as in AUTH: Login and AUTH-login. A
// word before a number is a project code instead.
func CutCustom(s string) (Number, string, bool) {
	n := word(s)
	if n < 2 || len(CutProject(s)) != len(s) || n < len(s) && s[n] != '-' && s[n] != ':' {
		return Number{}, "", false
	}
	return Number{s[:n]}, s[n:], true
}

// word returns the length of the word of capitals at the start of s, 0 if it is longer than 31 bytes. The first two
// bytes must be letters.
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

// cutLetter splits off a letter at the start of s and returns it in upper case.
func cutLetter(s string) (letter, rest string) {
	if s != "" && isLetter(s[0]) {
		return strings.ToUpper(s[:1]), s[1:]
	}
	return "", s
}

// digits returns the number of ASCII digits at the start of s.
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

// isWord reports whether c continues a word, so that a number cannot end before it.
func isWord(c byte) bool { return isDigit(c) || isLetter(c) || c == '_' }

// endsPart reports whether rest, the text after a number in a name, begins a new part or is empty.
func endsPart(rest string) bool { return rest == "" || rest[0] == '-' }
