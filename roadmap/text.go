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
	if len(s) <= maxText {
		return s
	}
	n, last := 0, 0 // runes, and where the last begins that may stay
	for i := range s {
		if n++; n == maxText {
			last = i
		}
		if n > maxText {
			return s[:last] + "…"
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

// wordsOf is s in lower case as words of letters and digits: what people mean to be the same is the same.
func wordsOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}
