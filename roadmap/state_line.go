package roadmap

// state_line.go: the position lines of the body. They are looked for in one section only, outside fences and
// comments, because the same words stand in the history and in examples too (upstream lesson 28).

import "strings"

// stateField is what a position line is about.
type stateField string

const (
	stateMilestoneLine   stateField = "Milestone"
	statePhaseLine       stateField = "Phase"
	statePhaseNameLine   stateField = "Phase name"
	stateTotalPhasesLine stateField = "Total phases"
	statePlanLine        stateField = "Plan"
	stateTotalPlansLine  stateField = "Total plans"
	stateStatusLine      stateField = "Status"
	stateActivityLine    stateField = "Last activity"
	stateProgressLine    stateField = "Progress"
)

// stateLabel is the field that a label names: the template's, and those that upstream's commands look for.
func stateLabel(label string) (stateField, bool) {
	switch strings.Join(wordsOf(label), " ") {
	case "milestone", "current milestone":
		return stateMilestoneLine, true
	case "phase", "current phase":
		return statePhaseLine, true
	case "phase name", "current phase name":
		return statePhaseNameLine, true
	case "total phases":
		return stateTotalPhasesLine, true
	case "plan", "current plan":
		return statePlanLine, true
	case "total plans in phase":
		return stateTotalPlansLine, true
	case "status":
		return stateStatusLine, true
	case "last activity":
		return stateActivityLine, true
	case "progress", "progress bar", "overall progress":
		return stateProgressLine, true
	}
	return "", false
}

// stateLine is one position line: src[from:to] is its value without blanks around it.
type stateLine struct {
	field    stateField
	no       int
	from, to int
	cell     bool // it is the second cell of a table's row
}

// splice puts value in the place of the line's own. An empty value is filled in on the same line.
func (l stateLine) splice(src, value string) stateSplice {
	old := src[l.from:l.to]
	s := stateSplice{from: l.from, to: l.to, text: value, edit: StateEdit{l.no, string(l.field), old, value}}
	if old != "" {
		return s
	}
	if blank := stateBlanks(src[l.from:]); blank > 0 {
		s.from, s.to = l.from+1, l.from+1
		if blank > 1 || !l.cell {
			return s
		}
	} else {
		s.text = " " + s.text
	}
	if l.cell {
		s.text += " "
	}
	return s
}

// stateBlanks is how many spaces and tabs s begins with.
func stateBlanks(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }

// stateLines finds the section in src, not before offset start, and in it the first line of each field. The
// section ends at the next heading.
func stateLines(src string, start int) (section int, lines []stateLine) {
	body := src[start:]
	before := strings.Count(src[:start], "\n")
	visibleLines := visible(body)
	section = statePositionHeading(visibleLines)
	if section == 0 {
		return 0, nil
	}
	offsets := lineOffsets(body)
	seen := map[stateField]bool{}
	for _, v := range visibleLines {
		if v.no <= section {
			continue
		}
		if isStateHeading(v.text) {
			break
		}
		from := offsets[v.no-1]
		raw := body[from:]
		if end := strings.IndexByte(raw, '\n'); end >= 0 {
			raw = raw[:end]
		}
		l, ok := cutStateLine(raw, v.text)
		if !ok || seen[l.field] || l.to-l.from > maxStateValue {
			continue
		}
		seen[l.field] = true
		l.no = before + v.no
		l.from += start + from
		l.to += start + from
		lines = append(lines, l)
	}
	return section + before, lines
}

// statePositionHeading is the line of the section's heading: `Current Position`, else `Position` as upstream
// has it for parallel milestones; 0 for none.
func statePositionHeading(lines []line) int {
	other := 0
	for _, l := range lines {
		if !isStateHeading(l.text) {
			continue
		}
		switch words := strings.Join(wordsOf(l.text), " "); {
		case words == "current position", strings.HasPrefix(words, "current position "):
			return l.no
		case words == "position" && other == 0:
			other = l.no
		}
	}
	return other
}

// isStateHeading tells whether a line is an ATX heading.
func isStateHeading(s string) bool {
	if n := len(s) - len(strings.TrimLeft(s, " ")); n > 3 {
		return false
	}
	s = strings.TrimLeft(s, " ")
	level := len(s) - len(strings.TrimLeft(s, "#"))
	return level >= 1 && level <= 6 && (len(s) == level || s[level] == ' ' || s[level] == '\t')
}

// lineOffsets is where each line of s begins.
func lineOffsets(s string) []int {
	offsets := make([]int, 1, strings.Count(s, "\n")+1)
	for i := range len(s) {
		if s[i] == '\n' {
			offsets = append(offsets, i+1)
		}
	}
	return offsets
}

// cutStateLine finds label and value in a line: `Phase: 3`, `**Phase:** 3`, `- **Phase**: 3`, `**Phase: 3**`,
// `| Phase | 3 |`. seen is what of the line is no comment; offsets are into raw.
func cutStateLine(raw, seen string) (stateLine, bool) {
	// What a byte order mark or a comment's end leaves before the label is no label.
	if open := strings.Index(raw, "<!--"); open >= 0 {
		if !strings.HasPrefix(seen, raw[:open]) {
			return stateLine{}, false
		}
		raw = raw[:open]
	}
	raw = strings.TrimRight(raw, " \t\r")
	at := stateBlanks(raw)
	if strings.HasPrefix(raw[at:], "|") {
		return cutStateRow(raw, seen, at)
	}
	if at+1 < len(raw) && strings.IndexByte("-*+>", raw[at]) >= 0 && raw[at+1] == ' ' {
		at += 1 + stateBlanks(raw[at+1:])
	}
	mark := stateEmphasis(raw[at:])
	at += len(mark)
	colon := strings.IndexByte(raw[at:], ':')
	if colon < 0 || colon > 40 {
		return stateLine{}, false
	}
	label := raw[at : at+colon]
	at += colon + 1
	inside, outside := false, mark == ""
	if mark != "" {
		if cut, ok := strings.CutSuffix(strings.TrimRight(label, " "), mark); ok {
			label, outside = cut, true
		} else if strings.HasPrefix(raw[at:], mark) {
			at += len(mark)
		} else {
			inside = true
		}
	}
	if strings.ContainsAny(label, "*_`[]()|") {
		return stateLine{}, false
	}
	field, ok := stateLabel(label)
	if !ok {
		return stateLine{}, false
	}
	l := stateLine{field: field}
	l.from, l.to = at, len(raw)
	if l.from == l.to || strings.TrimLeft(raw[at:], " \t") == "" {
		l.to = l.from
		return l, !inside
	}
	l.from += stateBlanks(raw[at:])
	if l.from == at && outside && mark == "" && raw[at] == ':' {
		return stateLine{}, false
	}
	value := raw[l.from:l.to]
	if inside {
		cut, ok := strings.CutSuffix(value, mark)
		if !ok || strings.Contains(cut, mark) {
			return stateLine{}, false
		}
		l.to -= len(mark)
		value = cut
	}
	// A value that is emphasised as a whole stays so.
	if wrap := stateEmphasis(value); wrap != "" && len(value) > 2*len(wrap) && strings.HasSuffix(value, wrap) {
		if inner := value[len(wrap) : len(value)-len(wrap)]; !strings.Contains(inner, wrap) {
			l.from, l.to = l.from+len(wrap), l.to-len(wrap)
			value = inner
		}
	}
	l.from += stateBlanks(value)
	l.to = l.from + len(strings.Trim(value, " \t"))
	return l, l.to >= l.from
}

// stateEmphasis is the mark of emphasis or code that s begins with.
func stateEmphasis(s string) string {
	for _, mark := range []string{"**", "__", "*", "_", "`"} {
		if strings.HasPrefix(s, mark) {
			return mark
		}
	}
	return ""
}

// cutStateRow finds label and value in a table's row of two cells.
func cutStateRow(raw, seen string, at int) (stateLine, bool) {
	cells := cutRow(seen)
	if len(cells) != 2 || strings.Contains(raw, `\|`) || !strings.HasSuffix(raw, "|") || strings.Count(raw, "|") != 3 {
		return stateLine{}, false
	}
	field, ok := stateLabel(strings.TrimSuffix(plain(cells[0]), ":"))
	if !ok {
		return stateLine{}, false
	}
	from := at + 1 + strings.IndexByte(raw[at+1:], '|') + 1
	value := raw[from : len(raw)-1]
	l := stateLine{field: field, from: from, to: from, cell: true}
	if text := strings.Trim(value, " \t"); text != "" {
		l.from += strings.Index(value, text)
		l.to = l.from + len(text)
	}
	return l, true
}
