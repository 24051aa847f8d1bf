package roadmap

// text.go: names come from files that anybody wrote.

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText is the length of the longest title or other text out of a file that is shown or written, in runes: no
// answer of gsd is as long as somebody else's line, and STATE.md is a digest (templates/state.md, size_constraint).
const maxText = 200

// cutText is s, or its beginning and an ellipsis where it is longer than maxText.
func cutText(s string) string {
	if len(s) > maxText {
		if runes := []rune(s[:min(len(s), utf8.UTFMax*(maxText+1))]); len(runes) > maxText {
			return string(runes[:maxText-1]) + "…"
		}
	}
	return s
}

// OneLine makes s one line of plain text: white space becomes one space each, control, bidirectional and
// zero-width characters go, and the marks of a comment are torn apart.
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

// isWord reports whether c goes on with a word.
func isWord(c byte) bool { return isDigit(c) || isLetter(c) || c == '_' }
