package view

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Columns returns how many columns a cleaned text takes on a terminal: two for an East Asian wide character or an
// emoji, none for a mark that stands on the one before.
func Columns(s string) int {
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
	case wide(r):
		return 2
	}
	return 1
}

// wide reports whether a terminal gives r two columns (Unicode, EastAsianWidth.txt).
func wide(r rune) bool {
	kind := width.LookupRune(r).Kind()
	return kind == width.EastAsianWide || kind == width.EastAsianFullwidth
}

// Fit returns s exactly n columns wide: cut with an ellipsis, or filled up with spaces.
func Fit(s string, n int) string {
	s = Fitted(s, n)
	return s + strings.Repeat(" ", max(0, n-Columns(s)))
}

// Fitted returns s cut to at most n columns.
func Fitted(s string, n int) string {
	switch {
	case Columns(s) <= n:
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

// Wrap breaks a text of one line into lines of at most n columns, between words where that is possible. A word
// that is too long is broken, not cut: it may be a path.
func Wrap(s string, n int) []string {
	var lines []string
	current := ""
	for word := range strings.FieldsSeq(s) {
		if current != "" && Columns(current)+1+Columns(word) <= n {
			current += " " + word
			continue
		}
		if current != "" {
			lines = append(lines, current)
		}
		for Columns(word) > n {
			head := prefix(word, n)
			lines, word = append(lines, head), word[len(head):]
		}
		current = word
	}
	return append(lines, current)
}
