package roadmap

// project.go: PROJECT.md, of which a new STATE.md quotes one line.

import (
	"strings"

	"github.com/gsd-cli/gsd/internal/markdown"
)

// CoreValue returns the core value in PROJECT.md: the text of `**Core value:** …`, else the first line of text below
// the heading `## Core Value`, else "".
func CoreValue(src []byte) string {
	below := false
	for _, line := range markdown.Visible(string(src)) {
		text := strings.TrimSpace(line)
		label, value, ok := strings.Cut(plain(text), ":")
		switch {
		case ok && strings.EqualFold(strings.TrimSpace(label), "core value") && strings.TrimSpace(value) != "":
			return cutText(strings.TrimSpace(value))
		case strings.HasPrefix(text, "#"):
			below = strings.EqualFold(strings.Trim(text, "# :"), "core value")
		case below && text != "":
			return cutText(plain(text))
		}
	}
	return ""
}
