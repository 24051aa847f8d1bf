package statefile

// resuming.go: what STATE.md tells the one who continues (gsd-core, templates/state.md, Session Continuity and Blockers/Concerns).

import (
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/markdown"
	"github.com/gsd-cli/gsd/internal/text"
)

var (
	// an item of a list that is not indented
	itemForm = newForm(`^(?:[-*+]|\d+[.)]) +(?:\[ \])?(.*)$`)
	// an item that is ticked, struck out, or has the word resolved where a clause begins: (resolved in 04-02), but neither "must be
	// resolved" nor "not resolved"
	closedForm = newForm(`(?i)^\[x\]|~~|(?:^|[^\pL\p{Nd} -] *|- +)resolved(?:\PL|$)`)
	// what stands where there is nothing to say, by its letters
	nothing = []string{"", "none", "noneyet", "noneactive", "na", "noblockers"}
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
		} else if item := itemForm().FindStringSubmatch(line); inside && item != nil && !closedForm().MatchString(strings.TrimSpace(item[1])) {
			if blocker := said(item[1]); blocker != "" {
				blockers = append(blockers, blocker)
			}
		}
	}
	return stopped, blockers
}

// said returns a value on one line; "" for none and for the template's own words in brackets.
func said(value string) string {
	value = text.OneLine(value)
	if slices.Contains(nothing, letters(value)) || strings.HasPrefix(value, "[") && strings.HasSuffix(value, "]") {
		return ""
	}
	return value
}
