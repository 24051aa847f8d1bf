package roadmap

// merge.go: the progress in two versions of a ROADMAP.md that were changed apart. The check boxes, the rows of progress tables
// and the `Plans:` lines are merged cell by cell; all other lines are left to a merge of lines.

import (
	"fmt"
	"maps"
	"strings"
)

// Reduce merges the progress in a ROADMAP.md, and returns the three texts with the merged lines in place, so that a merge of
// lines has only the rest to merge. A box that one side ticked is ticked, of two counts the higher one wins, and a cell that
// both sides changed in another way leaves its line alone. both lists the phases whose progress each side changed, by
// [planref.Number.Key]: what they are together, only their directories say; see [SetCounts].
func Reduce(base, ours, theirs []byte) (b, o, t []byte, both map[string]bool) {
	texts := [3]string{string(base), string(ours), string(theirs)}
	var all [3]map[string]progressLine
	var lines [3][]string
	for i, text := range texts {
		all[i], lines[i] = progressLines(text), strings.SplitAfter(text, "\n")
	}
	changed := [3]map[string]bool{1: {}, 2: {}}
	for key, line := range all[1] {
		was, ok := all[0][key]
		other, there := all[2][key]
		if !ok || !there {
			continue
		}
		changed[1][line.phase] = changed[1][line.phase] || line.text != was.text
		changed[2][line.phase] = changed[2][line.phase] || other.text != was.text
		if merged, ok := line.merge(was, other); ok {
			for i, l := range [3]progressLine{was, line, other} {
				lines[i][l.line-1] = merged + strings.TrimPrefix(lines[i][l.line-1], l.text)
			}
		}
	}
	both = map[string]bool{}
	for phase, is := range changed[1] {
		if is && changed[2][phase] && phase != "" {
			both[phase] = true
		}
	}
	join := func(i int) []byte { return []byte(strings.Join(lines[i], "")) }
	return join(0), join(1), join(2), both
}

// progressLine is a line that states progress, found by a key that does not change with it.
type progressLine struct {
	mark
	text string // without the line's end
}

var (
	// A check box, its text, and when it was ticked, as upstream's commands write it (roadmap.cjs).
	boxForm = newForm(`^(\s*[-*+] \[)([ xX])(\] .*?)( \(completed \d{4}-\d\d-\d\d\))?(\s*)$`)
	// A line of plans with its two counts.
	plansForm = newForm(`^(\s*\*\*Plans(?:\*\*:|:\*\*)\s*)(\d+/\d+)( plans (?:executed|complete))?(\s*)$`)
	dateForm  = newForm(`^\d{4}-\d\d-\d\d$`)
	// A cell that is wholly a status, in the words of upstream's template and commands, with or without an emoji and a date.
	// Any other word in a cell is a person's, and is not replaced.
	statusForm = newForm(`(?i)^(?:[✅✓✔☑🚧🔄⬜○◆📋] ?)?\*{0,2}(?:not started|pending|planned|planning|ready to plan|ready to execute|` +
		`in[ _-]progress|executing|complete|completed|done|deferred|blocked|paused)\*{0,2}(?: (\d{4}-\d\d-\d\d))?$`)
)

// progressLines returns the lines that state progress by their keys. A key that occurs twice is left out, because such lines could be
// mistaken for each other, and so is a line with a comment.
func progressLines(text string) map[string]progressLine {
	found, twice := map[string]progressLine{}, map[string]bool{}
	raw := strings.Split(text, "\n")
	for _, m := range parseText(text).marks {
		line := progressLine{m, strings.TrimSuffix(raw[m.line-1], "\r")}
		if key := line.key(); key != "" {
			_, known := found[key]
			twice[key], found[key] = known, line
		}
	}
	maps.DeleteFunc(found, func(key string, _ progressLine) bool { return twice[key] })
	return found
}

// key returns what identifies the line among those of its heading; "" if it cannot be merged.
func (l *progressLine) key() string {
	where := fmt.Sprintf("%d %s\n", l.source, l.under)
	switch box := boxForm().FindStringSubmatch(l.text); {
	case strings.Contains(l.text, "<!--") || len(l.text) > maxLine:
	case l.table != nil:
		return where + strings.TrimSpace(cutRow(l.text)[0])
	case l.source == planCount && plansForm().MatchString(l.text):
		return where
	case l.source != planCount && box != nil:
		return where + box[1] + box[3]
	}
	return ""
}

// cells splits a row at its bars, and returns the index of its first cell; any other line is a cell of its own.
func (l *progressLine) cells() (all []string, first int) {
	if l.table == nil {
		return []string{l.text}, 0
	}
	if strings.HasPrefix(strings.TrimSpace(l.text), "|") {
		first = 1
	}
	return strings.Split(l.text, "|"), first
}

// merge merges three versions of a line cell by cell, with the spaces around each; it returns false if both sides changed it in ways that
// do not fit together.
func (l *progressLine) merge(base, theirs progressLine) (string, bool) {
	o, first := l.cells()
	b, _ := base.cells()
	t, _ := theirs.cells()
	switch {
	case l.text == theirs.text || theirs.text == base.text:
		return l.text, true
	case l.text == base.text:
		return theirs.text, true
	case len(b) != len(o) || len(o) != len(t) || l.table != nil && (*l.table != *theirs.table || *l.table != *base.table):
		return "", false
	}
	for i := range o {
		was, is, other := strings.TrimSpace(b[i]), strings.TrimSpace(o[i]), strings.TrimSpace(t[i])
		further, ok := is == was, true
		if is != was && is != other && other != was {
			further, ok = l.compare(i-first, is, other)
		}
		if !ok {
			return "", false
		}
		if further {
			o[i] = t[i]
		}
	}
	return strings.Join(o, "|"), true
}

// compare reports whether the other one of two cells in a column is further on; it returns false as ok if they have words of a
// person, and for a column without progress.
func (l *progressLine) compare(column int, is, other string) (further, ok bool) {
	switch {
	case l.source == planCount:
		m, n := plansForm().FindStringSubmatch(is), plansForm().FindStringSubmatch(other)
		return isFurther(m[2], n[2])
	case l.table == nil: // a box that both ticked, or ticked and dated
		m, n := boxForm().FindStringSubmatch(is), boxForm().FindStringSubmatch(other)
		return n[2] != " " && (m[2] == " " || n[4] > m[4]), true
	case column <= 0:
	case column == l.table.plans:
		return isFurther(is, other)
	case column == l.table.status:
		m, n := statusForm().FindStringSubmatch(is), statusForm().FindStringSubmatch(other)
		status, otherStatus := statusIn(is), statusIn(other)
		ok = m != nil && n != nil && (status == otherStatus || status == Complete || otherStatus == Complete)
		further = ok && (status != Complete && otherStatus == Complete || status == otherStatus && n[1] > m[1])
	case column == l.table.done:
		isDate, otherIs := dateForm().MatchString(is), dateForm().MatchString(other)
		ok = isDate && (otherIs || isBlank(other)) || otherIs && isBlank(is)
		further = otherIs && (!isDate || other > is)
	}
	return further, ok
}

// isFurther compares two texts that are counts of as many plans.
func isFurther(is, other string) (further, ok bool) {
	a, aOK := readDone(is)
	b, bOK := readDone(other)
	return b.Done > a.Done, aOK && bOK && a.Total == b.Total
}

// isBlank reports whether a cell has nothing but a dash.
func isBlank(cell string) bool { return strings.Trim(cell, " -–—") == "" }

// Done is how many of a phase's plans are done, by its directory.
type Done struct{ Done, Total int }

func (d Done) String() string { return fmt.Sprintf("%d/%d", d.Done, d.Total) }

// readDone reads a text that is `2/5` and no more.
func readDone(s string) (d Done, ok bool) {
	d.Done, d.Total = counts(s)
	return d, d.String() == s
}

// SetCounts sets the counts of phases, by [planref.Number.Key], in the rows of progress tables and in `Plans:` lines, and where
// all plans are done it completes the row and ticks the phase's check box, as upstream's commands do when the last plan is
// finished on date. Nothing goes backwards, and a count with another total is left alone.
func SetCounts(src []byte, phases map[string]Done, date string) []byte {
	lines := strings.SplitAfter(string(src), "\n")
	for _, l := range progressLines(string(src)) {
		is := phases[l.phase]
		text, over := l.text, is.Done == is.Total && is.Total > 0
		switch l.source {
		case tableRow:
			text = l.setRow(is, date)
		case planCount:
			m := plansForm().FindStringSubmatch(text)
			if is.isAfter(m[2]) {
				if over && m[3] != "" {
					m[3] = " plans complete"
				}
				text = m[1] + is.String() + m[3] + m[4]
			}
		case checkbox:
			if m := boxForm().FindStringSubmatch(text); over && m[2] == " " && m[4] == "" {
				text = m[1] + "x" + m[3] + " (completed " + date + ")" + m[5]
			}
		}
		lines[l.line-1] = text + strings.TrimPrefix(lines[l.line-1], l.text)
	}
	return []byte(strings.Join(lines, ""))
}

// isAfter reports whether a text counts as many plans, of which fewer are done.
func (d Done) isAfter(text string) bool {
	further, ok := isFurther(text, d.String())
	return further && ok
}

// setRow returns a row with the counts of its phase.
func (l *progressLine) setRow(is Done, date string) string {
	cells, first := l.cells()
	cell := func(column int) *string {
		if column == 0 || first+column >= len(cells) {
			return new(string)
		}
		return &cells[first+column]
	}
	plans, status, done := cell(l.table.plans), cell(l.table.status), cell(l.table.done)
	if !is.isAfter(strings.TrimSpace(*plans)) {
		return l.text
	}
	setCell(plans, is.String())
	text := strings.TrimSpace(*status)
	isOver := statusIn(text) == Complete
	if is.Done == is.Total && (isOver || isBlank(text) || statusForm().MatchString(text)) { // no words of a person
		if !isOver {
			setCell(status, "Complete")
		}
		if isBlank(*done) {
			setCell(done, date)
		}
	}
	return strings.Join(cells, "|")
}

// setCell sets the text of a cell, and keeps its width if the text fits.
func setCell(cell *string, text string) {
	width := len([]rune(*cell))
	text = " " + text
	if len(text) > width {
		text += " "
	}
	*cell = text + strings.Repeat(" ", max(0, width-len(text)))
}
