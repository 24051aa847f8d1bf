package layout

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// labels are what lines of gsd's own begin with that somebody may obey, or take for gsd's statement.
var labels = []string{"try", "fix", "hint", "gsd", "next", "warning", "note", "resume"}

// longestLabel is how many bytes of a line are looked at, which is more than resume at task N has.
const longestLabel = 40

// Marks are the blanks and marks of lists that may be before a label.
const Marks = " >*+-•"

// Label returns how many colons come after the label of gsd's own that a line without colours begins with; 0 if it begins with none.
func Label(line string) int {
	line = strings.TrimLeft(line, Marks+glue)
	line = strings.ReplaceAll(line[:min(len(line), longestLabel)], glue, " ")
	colon := strings.IndexFunc(line, IsColon)
	if colon < 0 {
		return 0
	}
	word := strings.ToLower(strings.TrimSpace(line[:colon]))
	if at, isAt := strings.CutPrefix(word, "resume at "); !slices.Contains(labels, word) && (!isAt || strings.ContainsAny(at, ";,.")) {
		return 0
	}
	after := line[colon:]
	return utf8.RuneCountInString(after) - utf8.RuneCountInString(strings.TrimLeftFunc(after, IsColon))
}

// beginsLabel reports whether a word of a line, with what follows, is a label. No line is broken before one, or what others wrote
// could begin a line with it.
func beginsLabel(word, rest string) bool {
	r, _ := utf8.DecodeRuneInString(Plain(word))
	return strings.ContainsRune("tfhgnwrTFHGNWR"+Marks+glue, r) && Label(Plain(word+rest[:min(len(rest), longestLabel)])) > 0
}

// IsColon reports whether a character is a colon or taken for one.
func IsColon(r rune) bool { return strings.ContainsRune(":：﹕∶ː꞉︓", r) }
