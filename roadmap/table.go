package roadmap

// table.go: progress tables differ in columns and in their order, so a column is known by the words of
// its header. A table whose rows are requirements or tasks also has a phase and a status column, but
// speaks of something else.

import "strings"

// table is where a progress table has its columns; -1 for one that it has not.
type table struct {
	number, phase, milestone, plans, done, status int
	width                                         int
}

// tableHeader reads the head of a progress table: a row of words and the row of dashes below it.
func tableHeader(lines []line) (table, bool) {
	t := table{-1, -1, -1, -1, -1, -1, 0}
	if len(lines) < 2 || lines[1].no != lines[0].no+1 || !isDelimiter(lines[1].text) || !isRow(lines[0].text) {
		return t, false
	}
	cells := cutRow(lines[0].text)
	t.width = len(cells)
	for i, cell := range cells {
		var column *int
		switch word := strings.ToLower(plain(cell)); word {
		case "#", "no", "no.", "nr", "number", "phase #", "phase no.":
			column = &t.number
		case "phase", "phases", "phase name":
			column = &t.phase
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
		}
	}
	return t, t.phase+t.number > -2 && t.status+t.plans > -2
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
			cells[j] = plain(cell)
		}
		if f, ok := t.row(cells); ok {
			f.Line = lines[i].no
			if t.milestone < 0 {
				f.Milestone = p.milestone
			}
			p.add(f)
		}
	}
	return i
}

// row is what one row says; false where it names no phase, such as a total or a range.
func (t table) row(cells []string) (Fact, bool) {
	at := func(i int) string {
		if i < 0 || i >= len(cells) {
			return ""
		}
		return cells[i]
	}
	f := Fact{Source: Table}
	var ok bool
	if f.Number, ok = phaseCell(at(t.number)); !ok {
		if f.Number, ok = phaseCell(at(t.phase)); !ok {
			return f, false
		}
	}
	f.Milestone = versionAt(at(t.milestone))
	f.Status = statusIn(at(t.status))
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

// phaseCell reads the phase of a cell: `3. Name`, `Phase 3: Name`, `03-slug`, `3`, `3 ✅`.
func phaseCell(cell string) (Number, bool) {
	if n, _, _, ok := phaseTitle(cell); ok {
		return n, true
	}
	n, rest, ok := cutNumber(skipMarkup(cell))
	return n, ok && !isRange(rest)
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
