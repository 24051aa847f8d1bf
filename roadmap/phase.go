// Package roadmap reads what a project says about its phases and plans: phase numbers, plan and
// summary names, ROADMAP.md. It is pure: bytes or an fs.FS in, values out; it writes nothing.
package roadmap

// phase.go: a phase number is compared as numbers, never as text (DESIGN.md, roadmap), so 02.1 = 2.1 <
// 2.10 < 3 < 3A. Digits are compared as digit strings, so none overflows.

import (
	"cmp"
	"path"
	"strings"
)

// Number is a phase or plan number: integers joined by dots, each with an optional letter. The zero
// value is no number and comes before every other. Equality is Compare(a, b) == 0, not ==, because
// the letter keeps its case: upstream names directories by it (test phase:2991, #1962).
type Number struct {
	text string // without leading zeros and project code
}

// ParseNumber reads a whole string as a number. Leading zeros and a project code (`ABC-03`) are
// dropped, as upstream's normalizePhaseName does (core.cjs:648); a trailing zero counts, so 999.6 is
// not 999.60. It answers false where anything else is in the string.
func ParseNumber(s string) (Number, bool) {
	if n, rest, ok := cutNumber(s); ok && rest == "" {
		return n, true
	}
	return Number{}, false
}

// Compare orders a and b: -1, 0 or 1. Each part is compared by its integer, then its letter without
// case (none first); a number comes before those that it begins. That is upstream's order,
// 12 < 12.1 < 12A < 12A.1 < 12B < 13 (core.cjs:711).
func Compare(a, b Number) int {
	x, y := a.text, b.text
	for x != "" && y != "" {
		var p, q string
		p, x, _ = strings.Cut(x, ".")
		q, y, _ = strings.Cut(y, ".")
		if c := comparePart(p, q); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(x), 0) - cmp.Compare(len(y), 0)
}

// String is the number as people write it: no padding, the letter as it was, "" for none.
func (n Number) String() string { return n.text }

// IsZero tells whether n is no number at all.
func (n Number) IsZero() bool { return n.text == "" }

// Padded is the number with its integer at two digits, as upstream names directories and plans: 02.1.
func (n Number) Padded() string {
	if digits(n.text) == 1 {
		return "0" + n.text
	}
	return n.text
}

// key is one string for all numbers that compare equal.
func (n Number) key() string { return strings.ToUpper(n.text) }

// PhaseOfPlan is the phase of the plan at path (slashes, any root): the number of its directory below
// `phases` or `*-phases`, else the first number of its file name (`03-01-PLAN.md`). A quick task has
// no phase, and neither has a plan in a folder that merely begins with a number, such as a date.
func PhaseOfPlan(plan string) (Number, bool) {
	dirs := strings.Split(path.Dir(plan), "/")
	for _, dir := range dirs {
		if dir == "quick" {
			return Number{}, false
		}
	}
	for i := len(dirs) - 1; i > 0; i-- {
		if isPhases(dirs[i-1]) {
			if n, _, ok := cutDir(dirs[i]); ok {
				return n, true
			}
			break
		}
	}
	n, ok := parseName(path.Base(plan))
	if !ok || n.kind != planFile || n.phase.IsZero() || n.plan.IsZero() {
		return Number{}, false
	}
	return n.phase, true
}

// isPhases tells whether a directory holds phase directories: `phases`, or `v1.2-phases` as upstream
// archives a milestone.
func isPhases(dir string) bool {
	return dir == "phases" || strings.HasSuffix(dir, "-phases")
}

// cutDir splits a phase directory's name in its number and its slug: `02.1-api` is 2.1 and `api`.
func cutDir(dir string) (Number, string, bool) {
	n, rest, ok := cutNumber(dir)
	if !ok || rest != "" && rest[0] != '-' {
		return Number{}, "", false
	}
	return n, strings.TrimPrefix(rest, "-"), true
}

// maxNumber is the length of the longest number, in bytes: comparing numbers stays cheap whatever a file
// holds.
const maxNumber = 64

// cutNumber reads a number at the start of s and answers what follows it. A number does not end in
// the middle of a word: `2nd` and `3.x` are none.
func cutNumber(s string) (Number, string, bool) {
	s = cutProject(s)
	whole := s
	var text strings.Builder
	for {
		n := digits(s)
		if n == 0 {
			return Number{}, "", false
		}
		integer := strings.TrimLeft(s[:n], "0")
		if integer == "" {
			integer = "0"
		}
		text.WriteString(integer)
		s = s[n:]
		if s != "" && isLetter(s[0]) {
			text.WriteByte(s[0])
			s = s[1:]
		}
		if len(s) > 1 && s[0] == '.' && isDigit(s[1]) {
			text.WriteByte('.')
			s = s[1:]
			continue
		}
		break
	}
	if len(whole)-len(s) > maxNumber || s != "" && (isWord(s[0]) || s[0] == '.' && len(s) > 1 && isWord(s[1])) {
		return Number{}, "", false
	}
	return Number{text.String()}, s, true
}

// cutProject drops a project code: one to six capitals and a dash before a digit (core.cjs:648).
func cutProject(s string) string {
	for i := range min(len(s), 7) {
		switch c := s[i]; {
		case 'A' <= c && c <= 'Z':
		case c == '-' && i > 0 && i+1 < len(s) && isDigit(s[i+1]):
			return s[i+1:]
		default:
			return s
		}
	}
	return s
}

// comparePart compares two parts such as 12 and 12A; neither has leading zeros.
func comparePart(p, q string) int {
	i, j := digits(p), digits(q)
	if i != j {
		return cmp.Compare(i, j)
	}
	if c := strings.Compare(p[:i], q[:j]); c != 0 {
		return c
	}
	return strings.Compare(strings.ToUpper(p[i:]), strings.ToUpper(q[j:]))
}

// digits is how many bytes at the start of s are ASCII digits.
func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// isWord tells whether a number would end in the middle of a word before c.
func isWord(c byte) bool { return isDigit(c) || isLetter(c) || c == '_' }
