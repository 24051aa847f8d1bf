// Package layout fits text to a terminal: how wide it is there, how it is cut and padded, and where its lines are broken. Of what the
// text says it knows only what commands and paths look like, which stay whole.
package layout

import (
	"unicode"

	"golang.org/x/text/width"
)

// Columns returns the width of a cleaned text on a terminal: two columns for an East Asian wide character or an emoji, none
// for a combining mark.
func Columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	switch width.LookupRune(r).Kind() { // Unicode, EastAsianWidth.txt
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Cut returns s cut to at most n columns.
func Cut(s string, n int) string {
	switch {
	case Columns(s) <= n:
		return s
	case n < 1:
		return ""
	}
	return prefix(s, n-1) + "…"
}

// prefix returns as much of the beginning of a text as fits into n columns.
func prefix(s string, n int) string {
	for i, r := range s {
		if n -= runeWidth(r); n < 0 {
			return s[:i]
		}
	}
	return s
}
