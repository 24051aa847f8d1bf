package roadmap

// table.go: tables of phases differ in columns and in their order, so a column is known by the words of its header.
// As upstream has it (PHASE_LISTING_HEADER_RE, roadmap-parser.cjs) the first column is the phase; tables whose rows
// are requirements or tasks have a phase further on, and speak of something else.

import (
	"cmp"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// table is where a progress table has its columns; 0 for one that it has not, for the first is the phase.
type table struct{ name, milestone, plans, done, status int }

// tableHeader reads the head of a progress table: a row of words and the row of dashes below it.
func tableHeader(lines []line) (table, bool) {
	var t table
	if len(lines) < 2 || lines[1].no != lines[0].no+1 || !isDelimiter(lines[1].text) || !isRow(lines[0].text) {
		return t, false
	}
	for i, cell := range cutRow(lines[0].text) {
		var column *int
		word := strings.ReplaceAll(strings.ToLower(plain(cell)), "_", " ")
		if i == 0 {
			switch word {
			case "phase", "#", "phase #", "phase no.", "phase number":
				continue
			}
			return t, false
		}
		switch word {
		case "name", "title", "phase name", "phase":
			column = &t.name
		case "milestone":
			column = &t.milestone
		case "plans complete", "plans", "progress":
			column = &t.plans
		case "completed", "complete", "done":
			column = &t.done
		case "status", "state":
			column = &t.status
		}
		if column != nil && *column == 0 {
			*column = i
		}
	}
	return t, t.name+t.plans+t.status > 0
}

// table reads the rows from index i on and answers the index of the first line after them.
func (p *parser) table(t table, lines []line, i int) int {
	for ; i < len(lines) && lines[i].no == lines[i-1].no+1 && isRow(lines[i].text); i++ {
		cells := cutRow(lines[i].text)
		for j, cell := range cells {
			cells[j] = strings.ReplaceAll(plain(cell), `\|`, "|")
		}
		f, ok := t.row(cells)
		if f.Line = lines[i].no; !ok {
			continue
		}
		if t.milestone == 0 {
			f.Milestone = p.milestone
		}
		p.add(f)
	}
	return i
}

// row is what one row says; false where it names no phase, such as a total or a range.
func (t table) row(cells []string) (Fact, bool) {
	at := func(column int) string {
		if column == 0 || column >= len(cells) {
			return ""
		}
		return cells[column]
	}
	f := Fact{Source: Table, Milestone: versionAt(at(t.milestone)), Status: statusIn(at(t.status))}
	var ok bool
	if f.Number, f.Title, ok = phaseCell(cells[0]); !ok {
		return f, false
	}
	f.Title = cmp.Or(f.Title, cutName(at(t.name)))
	f.Done, f.Total = counts(at(t.plans))
	// Plans and Completed in columns of their own.
	if plans, done := at(t.plans), at(t.done); f.Total == 0 && isCount(plans) && isCount(done) {
		f.Done, f.Total = small(done), small(plans)
	}
	return f, true
}

func isCount(s string) bool { return s != "" && len(s) <= 6 && digits(s) == len(s) }

// phaseCell reads the phase of a cell and its name: `3. Name`, `Phase 3: Name`, `03-slug`, `3`, `3 ✅`.
func phaseCell(cell string) (planref.Number, string, bool) {
	if h, ok := phaseTitle(cell); ok {
		return h.number, h.name, true
	}
	n, rest, ok := planref.CutPhase(strings.ReplaceAll(skipMarkup(cell), "_", " "))
	if !ok || isRange(rest) {
		return n, "", false
	}
	return n, cutName(afterNumber(rest)), true
}

// isRow reports whether a line can be a row of a table.
func isRow(s string) bool { return strings.Contains(s, "|") }

// isDelimiter reports whether a line is the row of dashes below a header.
func isDelimiter(s string) bool {
	return strings.Contains(s, "-") && strings.Contains(s, "|") && strings.Trim(s, "|-: \t") == ""
}

// cutRow splits a row in its cells. A \| does not end one.
func cutRow(s string) []string {
	s = strings.TrimPrefix(strings.TrimSpace(s), "|")
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
