package statefile

// resuming.go: what STATE.md tells the one who continues (gsd-core, templates/state.md, Session Continuity and Blockers/Concerns).

import (
	"slices"
	"strings"
	"unicode"

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
		item, isItem := strings.CutPrefix(line, "- ")
		if inside && isItem && said(item) != "" {
			blockers = append(blockers, said(item))
		}
	}
	return stopped, blockers
}

// said returns a value on one line; "" for none, the template's own words in brackets, and a blocker that was struck out or is called resolved.
func said(value string) string {
	value = text.OneLine(value)
	words := strings.FieldsFunc(strings.ToLower(value), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	switch {
	case len(words) == 0, words[0] == "none", slices.Contains(words, "resolved"), strings.Contains(value, "~~"),
		strings.HasPrefix(value, "[") && strings.HasSuffix(value, "]"):
		return ""
	}
	return value
}
