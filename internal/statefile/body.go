package statefile

// body.go: the lines of the section Current Position. The same words stand in the history, in examples and in
// comments too, so no line is looked for elsewhere.

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/roadmap"
)

// The labels of the template's lines, as Edit.Field has them.
const (
	labelPhase    = "Phase"
	labelPlan     = "Plan"
	labelStatus   = "Status"
	labelActivity = "Last activity"
	labelProgress = "Progress"
)

var labels = []string{labelPhase, labelPlan, labelStatus, labelActivity, labelProgress}

// openBody finds the section and the lines of its fields in src, from offset start on. The section ends at the next
// heading.
func (d *document) openBody(start int) {
	body := d.src[start:]
	before := strings.Count(d.src[:start], "\n")
	seen := map[int]string{}
	for no, text := range roadmap.Visible(body) {
		seen[no] = text
	}
	d.body = map[string]value{}
	for no, at := 1, 0; at < len(body); no++ {
		raw, next := nextLine(body, at)
		from := start + at
		at = next
		text, ok := seen[no]
		if !ok {
			continue
		}
		if level, title := cutHeading(text); level > 0 {
			if d.section > 0 {
				return
			}
			if (level == 2 || level == 3) && strings.EqualFold(title, "current position") {
				d.section = before + no
			}
			continue
		}
		if d.section == 0 {
			continue
		}
		label, v, ok := cutField(raw)
		if !ok {
			continue
		}
		v.line, v.from, v.to = before+no, from+v.from, from+v.to
		v.free = raw != text || continues(seen[no+1]) || strings.ContainsAny(v.text, "\r\u2028\u2029")
		if first, again := d.body[label]; again {
			v = first
			v.repeated = true
		}
		d.body[label] = v
	}
}

// cutHeading gives the level and the title of an ATX heading; 0 for another line.
func cutHeading(s string) (level int, title string) {
	s = strings.TrimSpace(s)
	rest := strings.TrimLeft(s, "#")
	level = len(s) - len(rest)
	if level > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return 0, ""
	}
	return level, strings.TrimSpace(strings.TrimRight(rest, "# \t"))
}

// cutField finds label and value in a line, in the two ways that upstream reads: `Phase: 3` at its start, and
// `**Phase:** 3` (upstream's state-document.cjs, stateExtractField). Offsets are into the line.
func cutField(s string) (label string, v value, ok bool) {
	for _, label := range labels {
		for _, prefix := range []string{label + ":", "**" + label + ":**"} {
			from := 0
			if prefix[0] == '*' {
				from = len(s) - len(strings.TrimLeft(s, " \t"))
			}
			if end := from + len(prefix); end <= len(s) && strings.EqualFold(s[from:end], prefix) {
				v.text = strings.Trim(s[end:], " \t")
				v.from = end + len(s[end:]) - len(strings.TrimLeft(s[end:], " \t"))
				v.to = v.from + len(v.text)
				return label, v, true
			}
		}
	}
	return "", v, false
}

// continues reports whether a line goes on with the paragraph above it: it begins with a word, and is no field of its
// own.
func continues(s string) bool {
	s = strings.TrimLeft(s, " ")
	first, _ := utf8.DecodeRuneInString(s)
	if s == "" || !unicode.IsLetter(first) && !unicode.IsDigit(first) && !strings.ContainsRune("(\"'", first) {
		return false
	}
	end := strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" _-.", r)
	})
	return end < 0 || s[end] != ':'
}
