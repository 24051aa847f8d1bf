package roadmap

// text.go: texts from files, which may be hostile.

import (
	"regexp"
	"strings"
	"sync"

	"github.com/gsd-cli/gsd/internal/text"
)

// maxText is the maximum length in runes of a title or other text from a file. It keeps answers short.
const maxText = 200

// cutText cuts s off with an ellipsis if it is longer than maxText.
func cutText(s string) string { return text.Cut(s, maxText) }

// unlink replaces links in Markdown by their texts, which stand out. That of a check box is shorter.
func unlink(s string) string {
	if !strings.Contains(s, "](") {
		return s
	}
	return link().ReplaceAllString(s, "**$1**")
}

var link = newForm(`\[([^\[\]]{2,})\]\([^()]*\)`)

// newForm compiles a form when it is first used, which most commands never do.
func newForm(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// digits returns the number of ASCII digits at the start of s.
func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// isWord reports whether c is part of a word.
func isWord(c byte) bool { return isDigit(c) || isLetter(c) || c == '_' }
