package roadmap

// merge.go: the progress in two versions of a ROADMAP.md that were changed apart. The check boxes, the rows of progress tables
// and the `Plans:` lines are merged cell by cell; all other lines are left to a merge of lines.

import (
	"maps"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/gsd-cli/gsd/internal/markdown"
	"github.com/gsd-cli/gsd/internal/planref"
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
		merged, ok := mergeLine(was, line, other)
		if !ok {
			continue
		}
		for i, at := range [3]int{was.no, line.no, other.no} {
			lines[i][at] = merged + strings.TrimPrefix(lines[i][at], []string{was.text, line.text, other.text}[i])
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

// progressLine is a line that states the progress of a phase.
type progressLine struct {
	no    int    // index of the line
	text  string // without the line's end
	phase string // Number.Key
	kind  lineKind
	table *table // of a row
}

type lineKind int

const (
	boxLine   lineKind = iota // the check box of a phase or a plan
	rowLine                   // a row of a progress table
	plansLine                 // `**Plans:** 1/3 plans executed`, below the heading of a phase
)

var (
	// A check box, its text, and when it was ticked, as upstream's commands write it (roadmap.cjs).
	boxForm = newForm(`^(\s*[-*+] \[)([ xX])(\] .*?)( \(completed \d{4}-\d\d-\d\d\))?(\s*)$`)
	// A line of plans with its two counts.
	plansForm = newForm(`^(\s*\*\*Plans(?:\*\*:|:\*\*)\s*)(\d{1,6})/(\d{1,6})( plans (?:executed|complete))?(\s*)$`)
	countForm = newForm(`^(\d{1,6})/(\d{1,6})$`)
	dateForm  = newForm(`^\d{4}-\d\d-\d\d$`)
	// A cell that is wholly a status, in the words of upstream's template and commands, with or without an emoji and a date.
	// Any other word in a cell is a person's, and is not replaced.
	statusForm = newForm(`(?i)^(?:[✅✓✔☑🚧🔄⬜○◆📋] ?)?\*{0,2}(?:not started|pending|planned|planning|ready to plan|ready to execute|` +
		`in[ _-]progress|executing|complete|completed|done|deferred|blocked|paused)\*{0,2}(?: (\d{4}-\d\d-\d\d))?$`)
)

// newForm compiles a form when it is first used, which most commands never do.
func newForm(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// progressLines finds the lines that state progress, by a key that does not change with it. A key that occurs twice is left
// out: such lines could be mistaken for each other.
func progressLines(text string) map[string]progressLine {
	found, twice := map[string]progressLine{}, map[string]bool{}
	raw := strings.Split(text, "\n")
	phase, previous, section := "", "", ""
	var in *table
	for no, line := range markdown.Visible(text) {
		if no > maxLines {
			break
		}
		is := strings.TrimSuffix(raw[no-1], "\r")
		if is != line || len(line) > maxLine {
			in, previous = nil, ""
			continue // it has a comment or a byte order mark, or begins a hidden block
		}
		trimmed := unlink(strings.TrimSpace(line))
		at := progressLine{no: no - 1, text: is, phase: phase}
		key := ""
		switch {
		case isDelimiter(trimmed) && isRow(previous):
			in = tableHead(previous)
		case in != nil && isRow(trimmed):
			if f, ok := in.row(trimmed); ok {
				at.kind, at.table, at.phase = rowLine, in, f.number.Key()
				key = "row " + section + strings.TrimSpace(cutRow(line)[0])
			}
		default:
			in = nil
			if strings.HasPrefix(trimmed, "#") {
				section, phase = trimmed+"\n", ""
				if h, ok := phaseTitle(strings.TrimLeft(trimmed, "# ")); ok {
					phase = h.number.Key()
				}
			} else if m := boxForm().FindStringSubmatch(line); m != nil {
				key = "box " + section + m[1] + m[3]
				at.kind, at.phase = boxLine, boxPhase(unlink(m[3][2:]))
			} else if phase != "" && plansForm().MatchString(line) {
				key, at.kind = "plans "+section, plansLine
			}
		}
		previous = trimmed
		if key != "" {
			if _, known := found[key]; known {
				twice[key] = true
			}
			found[key] = at
		}
	}
	maps.DeleteFunc(found, func(key string, _ progressLine) bool { return twice[key] })
	return found
}

// boxPhase returns the key of the phase that the text after a check box is about, or whose plan it is; "" for any other text.
func boxPhase(text string) string {
	if h, ok := phaseTitle(text); ok {
		return h.number.Key()
	}
	number, rest, ok := planref.CutNumber(skipMarkup(text))
	if !ok || len(rest) < 2 || rest[0] != '-' || !isDigit(rest[1]) {
		return ""
	}
	return number.Key()
}

// mergeLine merges three versions of a line; it returns false if both sides changed it in ways that do not fit together.
func mergeLine(base, ours, theirs progressLine) (string, bool) {
	switch {
	case ours.text == theirs.text || theirs.text == base.text:
		return ours.text, true
	case ours.text == base.text:
		return theirs.text, true
	case ours.kind == rowLine:
		return mergeRow(base, ours, theirs)
	case ours.kind == plansLine:
		o, t := plansForm().FindStringSubmatch(ours.text), plansForm().FindStringSubmatch(theirs.text)
		if o[3] != t[3] {
			return "", false
		} else if atoi(t[2]) > atoi(o[2]) {
			return theirs.text, true
		}
		return ours.text, true
	}
	// A box that both sides ticked, or ticked and dated.
	o, t := boxForm().FindStringSubmatch(ours.text), boxForm().FindStringSubmatch(theirs.text)
	if t[2] != " " && (o[2] == " " || t[4] > o[4]) {
		return theirs.text, true
	}
	return ours.text, true
}

// mergeRow merges three versions of a row. Its cells keep the spaces around them.
func mergeRow(base, ours, theirs progressLine) (string, bool) {
	b, o, t := strings.Split(base.text, "|"), strings.Split(ours.text, "|"), strings.Split(theirs.text, "|")
	if len(b) != len(o) || len(o) != len(t) || *ours.table != *theirs.table || *ours.table != *base.table {
		return "", false
	}
	first := firstCell(ours.text)
	for i := range o {
		was, is, other := strings.TrimSpace(b[i]), strings.TrimSpace(o[i]), strings.TrimSpace(t[i])
		further, ok := is == was, true
		if is != was && is != other && other != was {
			further, ok = ours.table.compare(i-first, is, other)
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
func (t *table) compare(column int, is, other string) (further, ok bool) {
	switch {
	case column <= 0:
	case column == t.plans:
		m, n := countForm().FindStringSubmatch(is), countForm().FindStringSubmatch(other)
		ok = m != nil && n != nil && m[2] == n[2]
		further = ok && atoi(n[1]) > atoi(m[1])
	case column == t.status:
		m, n := statusForm().FindStringSubmatch(is), statusForm().FindStringSubmatch(other)
		mine, their := statusIn(is), statusIn(other)
		ok = m != nil && n != nil && (mine == their || mine == Complete || their == Complete)
		further = ok && (mine != Complete && their == Complete || mine == their && n[1] > m[1])
	case column == t.done:
		isDate, otherIs := dateForm().MatchString(is), dateForm().MatchString(other)
		ok = isDate && (otherIs || isBlank(other)) || otherIs && isBlank(is)
		further = otherIs && (!isDate || other > is)
	}
	return further, ok
}

// isBlank reports whether a cell has nothing but a dash.
func isBlank(cell string) bool { return strings.Trim(cell, " -–—") == "" }

// firstCell returns the index of the first column in a row that is split at its bars.
func firstCell(row string) int {
	if strings.HasPrefix(strings.TrimSpace(row), "|") {
		return 1
	}
	return 0
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// Done is how many of a phase's plans are done, by its directory.
type Done struct{ Done, Total int }

// SetCounts sets the counts of phases, by [planref.Number.Key], in the rows of progress tables and in `Plans:` lines, and where
// all plans are done it completes the row and ticks the phase's check box, as upstream's commands do when the last plan is
// finished on date. Nothing goes backwards, and a count with another total is left alone.
func SetCounts(src []byte, phases map[string]Done, date string) []byte {
	lines := strings.SplitAfter(string(src), "\n")
	for _, at := range progressLines(string(src)) {
		is, known := phases[at.phase]
		if !known || is.Total == 0 {
			continue
		}
		text, over := at.text, is.Done == is.Total
		switch at.kind {
		case rowLine:
			text = setRowCounts(at, is, date)
		case plansLine:
			m := plansForm().FindStringSubmatch(text)
			if atoi(m[3]) == is.Total && atoi(m[2]) < is.Done {
				if over && m[4] != "" {
					m[4] = " plans complete"
				}
				text = m[1] + strconv.Itoa(is.Done) + "/" + m[3] + m[4] + m[5]
			}
		case boxLine:
			m := boxForm().FindStringSubmatch(text)
			if _, isPhase := phaseTitle(m[3][2:]); isPhase && over && m[2] == " " && m[4] == "" {
				text = m[1] + "x" + m[3] + " (completed " + date + ")" + m[5]
			}
		}
		lines[at.no] = text + strings.TrimPrefix(lines[at.no], at.text)
	}
	return []byte(strings.Join(lines, ""))
}

// setRowCounts sets the counts of a row.
func setRowCounts(at progressLine, is Done, date string) string {
	cells := strings.Split(at.text, "|")
	first := firstCell(at.text)
	cell := func(column int) *string {
		if column == 0 || first+column >= len(cells) {
			return new(string)
		}
		return &cells[first+column]
	}
	plans, status, done := cell(at.table.plans), cell(at.table.status), cell(at.table.done)
	m := countForm().FindStringSubmatch(strings.TrimSpace(*plans))
	if m == nil || atoi(m[2]) != is.Total || atoi(m[1]) >= is.Done {
		return at.text
	}
	setCell(plans, strconv.Itoa(is.Done)+"/"+m[2])
	if is.Done < is.Total {
		return strings.Join(cells, "|")
	}
	if text := strings.TrimSpace(*status); statusIn(plain(text)) != Complete {
		if !isBlank(text) && !statusForm().MatchString(text) {
			return strings.Join(cells, "|") // a person's words
		}
		setCell(status, "Complete")
	}
	if isBlank(*done) {
		setCell(done, date)
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
