package statefile

// resuming.go: what STATE.md tells the one who continues (gsd-core, templates/state.md, Session Continuity and Blockers/Concerns).

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/markdown"
	"github.com/gsd-cli/gsd/internal/text"
)

// Resuming returns where the work stopped, by the front matter of a STATE.md, else by its text, and its open blockers, each on one line.
// They are empty if it does not say, or says only what the template does.
func Resuming(src []byte) (stopped string, blockers []string) {
	stopped = said(frontmatter.Texts(src)["stoppedat"])
	_, body, _ := markdown.CutFrontMatter(src)
	inside := false
	for _, line := range markdown.Visible(string(body)) {
		if title, is := strings.CutPrefix(line, "#"); is {
			inside = strings.Contains(strings.ToLower(title), "blockers")
		} else if label, value, ok := cutLabel(line); ok && label == "Stopped at" && stopped == "" {
			stopped = said(value)
		}
		if item := openItem(line); inside && said(item) != "" {
			blockers = append(blockers, said(item))
		}
	}
	return stopped, blockers
}

// openItem returns the text of an item of a list that is not indented; "" for another line, and for an item that is ticked, struck out or
// called resolved.
func openItem(line string) string {
	marker, item, _ := strings.Cut(line, " ")
	number := strings.TrimRight(marker, ".)")
	isNumber := number != "" && len(marker) == len(number)+1 && strings.Trim(number, "0123456789") == ""
	if marker != "-" && marker != "*" && marker != "+" && !isNumber {
		return ""
	}
	item = strings.TrimSpace(item)
	if strings.HasPrefix(item, "[x]") || strings.HasPrefix(item, "[X]") || strings.Contains(item, "~~") || isResolved(item) {
		return ""
	}
	return strings.TrimPrefix(item, "[ ]")
}

// isResolved reports whether an item has the word resolved where a clause begins: (resolved in 04-02), but not "must be resolved", and not
// "not resolved".
func isResolved(item string) bool {
	lower := strings.ToLower(item)
	for at := 0; ; {
		before, after, found := strings.Cut(lower[at:], "resolved")
		if !found {
			return false
		}
		before = lower[:at+len(before)]
		at = len(lower) - len(after)
		last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, " "))
		next, _ := utf8.DecodeRuneInString(after)
		begins := strings.TrimSpace(before) == "" || !unicode.IsLetter(last) && !unicode.IsDigit(last) && !strings.HasSuffix(before, "-")
		if begins && !unicode.IsLetter(next) {
			return true
		}
	}
}

// said returns a value on one line; "" for none and for the template's own words in brackets.
func said(value string) string {
	value = text.OneLine(value)
	words := strings.FieldsFunc(strings.ToLower(value), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	switch strings.Join(words, " ") {
	case "", "none", "none yet", "none active", "n a", "no blockers":
		return ""
	}
	if strings.HasPrefix(value, "[") && strings.HasSuffix(value, "]") {
		return ""
	}
	return value
}
