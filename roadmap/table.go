package roadmap

// table.go: progress tables differ in columns and in their order, so a column is known by the words of
// its header. A table whose rows are requirements or tasks also has a phase and a status column, but
// speaks of something else.

import (
	"cmp"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// table is where a progress table has its columns; -1 for one that it has not.
type table struct {
	number, phase, name, milestone, plans, done, status int
	width                                               int
	many                                                bool // the column is `Phases`
}

// tableHeader reads the head of a progress table: a row of words and the row of dashes below it.
func tableHeader(lines []line) (table, bool) {
	t := table{number: -1, phase: -1, name: -1, milestone: -1, plans: -1, done: -1, status: -1}
	if len(lines) < 2 || lines[1].no != lines[0].no+1 || !isDelimiter(lines[1].text) || !isRow(lines[0].text) {
		return t, false
	}
	cells := cutRow(lines[0].text)
	t.width = len(cells)
	for i, cell := range cells {
		var column *int
		word := strings.ReplaceAll(strings.ToLower(plain(cell)), "_", " ")
		switch word {
		case "#", "no", "no.", "nr", "number", "phase #", "phase no.":
			column = &t.number
		case "phase", "phases", "phase name":
			column = &t.phase
		case "name", "title":
			column = &t.name
		case "milestone", "version", "release":
			column = &t.milestone
		case "plans complete", "plans", "plans completed", "progress", "plans done":
			column = &t.plans
		case "completed", "complete", "done":
			column = &t.done
		case "status", "state":
			column = &t.status
		default:
			// What the rows are comes first.
			if t.phase < 0 && t.number < 0 && isOtherKey(word) {
				return t, false
			}
		}
		if column != nil && *column < 0 {
			*column = i
			t.many = t.many || word == "phases"
		}
	}
	if t.ofMilestones() {
		return t, t.status > 0
	}
	return t, t.phase+t.number > -2 && t.status+t.plans > -2
}

// ofMilestones tells whether the rows are milestones: these come first, and with them at most their
// phases.
func (t table) ofMilestones() bool {
	return t.milestone == 0 && t.number < 0 && (t.phase < 0 || t.many)
}

// isOtherKey tells whether a column of this name makes the table's rows something else than phases.
func isOtherKey(word string) bool {
	for _, key := range []string{
		"req", "id", "task", "plan", "todo", "feature", "bug", "issue", "decision",
		"risk", "pitfall", "finding", "gap", "story", "metric",
	} {
		if strings.HasPrefix(word, key) {
			return true
		}
	}
	return false
}

// table reads the rows from index i on and answers the index of the first line after them.
func (p *parser) table(t table, lines []line, i int) int {
	for ; i < len(lines) && lines[i].no == lines[i-1].no+1 && isRow(lines[i].text); i++ {
		cells := cutRow(lines[i].text)
		for j, cell := range cells {
			cells[j] = strings.ReplaceAll(plain(cell), `\|`, "|")
		}
		f, ok := t.row(cells)
		f.Line = lines[i].no
		if ok {
			if t.milestone < 0 {
				f.Milestone = p.milestone
			}
			p.add(f)
		} else if f.Milestone != "" {
			p.milestoneRow(t, cells, f)
		}
	}
	return i
}

// cell is the text of a column in a row; "" where there is none.
func cell(cells []string, column int) string {
	if column < 0 || column >= len(cells) {
		return ""
	}
	return cells[column]
}

// row is what one row says; false where it names no phase, such as a total, a range or a milestone.
func (t table) row(cells []string) (Fact, bool) {
	at := func(i int) string { return cell(cells, i) }
	f := Fact{Source: Table, Milestone: versionAt(at(t.milestone)), Status: statusIn(at(t.status))}
	if t.ofMilestones() {
		return f, false
	}
	var ok, named bool
	if f.Number, f.Title, ok = phaseCell(at(t.number)); ok {
		var n planref.Number
		var name string
		if n, name, named = phaseCell(at(t.phase)); !named || planref.Compare(n, f.Number) != 0 {
			name = cutName(at(t.phase))
		}
		f.Title = cmp.Or(name, f.Title)
	} else if f.Number, f.Title, ok = phaseCell(at(t.phase)); !ok {
		return f, false
	}
	f.Title = cmp.Or(f.Title, cutName(at(t.name)))
	f.Done, f.Total = counts(at(t.plans))
	if f.Total == 0 && f.Done == 0 && t.done >= 0 {
		// Plans and Completed in columns of their own.
		plans, done := strings.TrimPrefix(at(t.plans), "~"), at(t.done)
		if digits(plans) == len(plans) && digits(done) == len(done) && done != "" && len(plans) <= 6 && len(done) <= 6 {
			f.Done, f.Total = small(done), small(plans)
		}
	}
	if f.Status == Unknown && len(cells) != t.width {
		// Upstream has written rows of four cells below a header of five.
		for i, cell := range cells {
			if i == t.phase || i == t.number {
				continue
			}
			if st := statusOnly(cell); st != Unknown {
				f.Status = st
			}
			if done, total := counts(cell); total > 0 {
				f.Done, f.Total = done, total
			}
		}
	}
	if f.Status == Unknown && t.status < 0 {
		f.Status = counted(f.Done, f.Total)
		if st := statusOnly(at(t.plans)); st != Unknown {
			f.Status = st
		}
	}
	return f, true
}

// counted is the status that a count stands for in a table without words.
func counted(done, total int) Status {
	switch {
	case total == 0 && done == 0:
		return Unknown
	case done == 0:
		return NotStarted
	case total > 0 && done >= total:
		return Complete
	}
	return InProgress
}

// phaseCell reads the phase of a cell and its name: `3. Name`, `Phase 3: Name`, `03-slug`, `3`, `3 ✅`.
func phaseCell(cell string) (planref.Number, string, bool) {
	if h, ok := phaseTitle(cell); ok {
		return h.number, h.name, true
	}
	n, rest, ok := planref.CutNumber(strings.ReplaceAll(skipMarkup(cell), "_", " "))
	if !ok || isRange(rest) {
		return n, "", false
	}
	return n, cutName(afterNumber(rest)), true
}

// isRow tells whether a line can be a row of a table.
func isRow(s string) bool { return strings.Contains(s, "|") }

// isDelimiter tells whether a line is the row of dashes below a header.
func isDelimiter(s string) bool {
	return strings.Contains(s, "-") && strings.Contains(s, "|") && strings.Trim(s, "|-: \t") == ""
}

// cutRow splits a row in its cells. A \| does not end one.
func cutRow(s string) []string {
	s = strings.TrimSpace(s)
	s = strings.TrimPrefix(s, "|")
	if !strings.HasSuffix(s, `\|`) {
		s = strings.TrimSuffix(s, "|")
	}
	var cells []string
	from := 0
	for i := range len(s) {
		if s[i] == '|' && (i == 0 || s[i-1] != '\\') {
			cells = append(cells, strings.TrimSpace(s[from:i]))
			from = i + 1
		}
	}
	return append(cells, strings.TrimSpace(s[from:]))
}
