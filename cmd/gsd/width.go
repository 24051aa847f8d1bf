package main

import (
	"strings"
	"unicode"
)

// wide is what takes two columns: East Asian Wide and Fullwidth (Unicode, EastAsianWidth.txt), in blocks where
// that is nearly so. What is not assigned there is counted as wide too, which at worst leaves a gap.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115f, 1},
		{0x231a, 0x231b, 1},
		{0x2329, 0x232a, 1},
		{0x23e9, 0x23ec, 1},
		{0x23f0, 0x23f3, 3},
		{0x25fd, 0x25fe, 1},
		{0x2614, 0x2615, 1},
		{0x2630, 0x2637, 1},
		{0x2648, 0x2653, 1},
		{0x267f, 0x267f, 1},
		{0x268a, 0x268f, 1},
		{0x2693, 0x2693, 1},
		{0x26a1, 0x26a1, 1},
		{0x26aa, 0x26ab, 1},
		{0x26bd, 0x26be, 1},
		{0x26c4, 0x26c5, 1},
		{0x26ce, 0x26ce, 1},
		{0x26d4, 0x26d4, 1},
		{0x26ea, 0x26ea, 1},
		{0x26f2, 0x26f3, 1},
		{0x26f5, 0x26f5, 1},
		{0x26fa, 0x26fa, 1},
		{0x26fd, 0x26fd, 1},
		{0x2705, 0x2705, 1},
		{0x270a, 0x270b, 1},
		{0x2728, 0x2728, 1},
		{0x274c, 0x274e, 2},
		{0x2753, 0x2755, 1},
		{0x2757, 0x2757, 1},
		{0x2795, 0x2797, 1},
		{0x27b0, 0x27bf, 15},
		{0x2b1b, 0x2b1c, 1},
		{0x2b50, 0x2b55, 5},
		{0x2e80, 0x303e, 1},
		{0x3040, 0xa4cf, 1},
		{0xa960, 0xa97f, 1},
		{0xac00, 0xd7a3, 1},
		{0xf900, 0xfaff, 1},
		{0xfe10, 0xfe19, 1},
		{0xfe30, 0xfe6f, 1},
		{0xff01, 0xff60, 1},
		{0xffe0, 0xffe6, 1},
	},
	R32: []unicode.Range32{
		{0x16fe0, 0x18dff, 1},
		{0x1aff0, 0x1b2ff, 1},
		{0x1d300, 0x1d37f, 1},
		{0x1f004, 0x1f0cf, 0xcb},
		{0x1f18e, 0x1f18e, 1},
		{0x1f191, 0x1f19a, 1},
		{0x1f200, 0x1f265, 1},
		{0x1f300, 0x1faff, 1},
		{0x20000, 0x3fffd, 1},
	},
}

// width is how many columns a cleaned text takes on a terminal: two for an East Asian wide character or an
// emoji, none for a mark that stands on the one before.
func width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

// fit makes a text exactly n columns wide: cut with an ellipsis, or filled up with spaces.
func fit(s string, n int) string {
	s = fitted(s, n)
	return s + strings.Repeat(" ", max(0, n-width(s)))
}

// fitted cuts a text to at most n columns.
func fitted(s string, n int) string {
	switch {
	case width(s) <= n:
		return s
	case n < 1:
		return ""
	}
	return prefix(s, n-1) + "…"
}

// prefix is as much of the beginning of a text as n columns take.
func prefix(s string, n int) string {
	for i, r := range s {
		if n -= runeWidth(r); n < 0 {
			return s[:i]
		}
	}
	return s
}

// wrap breaks a text of one line into lines of at most n columns, between words where that is possible. A word
// that is too long is broken, not cut: it may be a path.
func wrap(s string, n int) []string {
	var lines []string
	current := ""
	for word := range strings.FieldsSeq(s) {
		if current != "" && width(current)+1+width(word) <= n {
			current += " " + word
			continue
		}
		if current != "" {
			lines = append(lines, current)
		}
		for width(word) > n {
			head := prefix(word, n)
			lines, word = append(lines, head), word[len(head):]
		}
		current = word
	}
	return append(lines, current)
}
