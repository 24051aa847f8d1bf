package roadmap

// text.go: cleaning and limiting texts from files, which may be hostile.

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText is the maximum length in runes of a title or other text from a file. It keeps answers short, and STATE.md is
// meant to be a digest (templates/state.md, size_constraint).
const maxText = 200

// cutText cuts s off with an ellipsis if it is longer than maxText.
func cutText(s string) string {
	if len(s) > maxText {
		if runes := []rune(s[:min(len(s), utf8.UTFMax*(maxText+1))]); len(runes) > maxText {
			return string(runes[:maxText-1]) + "…"
		}
	}
	return s
}

// OneLine returns s as one line of plain text of at most maxText runes: each run of white space becomes one space,
// control, bidirectional and zero-width characters are removed, and a space is inserted into the delimiters of
// comments.
func OneLine(s string) string {
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, ""), unicode.IsSpace), " ")
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, s)
	s = strings.ReplaceAll(s, "<!--", "<! --")
	s = strings.ReplaceAll(s, "-->", "-- >")
	return strings.TrimSpace(cutText(s))
}

// digits returns the number of ASCII digits at the start of s.
func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// isWord reports whether c is part of a word.
func isWord(c byte) bool { return isDigit(c) || isLetter(c) || c == '_' }
