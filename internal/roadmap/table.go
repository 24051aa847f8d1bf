package roadmap

// table.go: tables of phases, and of the plans of one. Their columns differ, so they are recognised by the words of the header. As in upstream
// (PHASE_LISTING_HEADER_RE, roadmap-parser.cjs) the phase must be the first column, because tables of requirements or
// tasks may have it in another one.

import (
	"cmp"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// table holds the indexes of the columns of a progress table; 0 means that there is no such column, because the first
// is always the phase.
type table struct {
	name, milestone, plans, done, status int
	about                                int  // what a plan is for
	ofPlans                              bool // the first column is a plan's
}

// tableHead parses the header of a progress table, or of a table of plans; it returns nil for any other line.
func tableHead(line string) *table {
	cells := cutRow(strings.ToLower(plain(line)))
	t := &table{}
	switch strings.TrimSpace(cells[0]) {
	case "phase", "#", "phase #", "phase no.", "phase number":
	case "plan", "plan id", "plan #":
		t.ofPlans = true
	default:
		return nil
	}
	for i, cell := range cells {
		switch strings.TrimSpace(cell) {
		case "name", "phase name", "phase":
			t.name = i
		case "title", "objective", "what", "description", "goal":
			t.about = i
		case "milestone":
			t.milestone = i
		case "plans complete", "plans":
			t.plans = i
		case "completed", "complete", "done":
			t.done = i
		case "status":
			t.status = i
		}
	}
	if max(t.name, t.plans, t.status) == 0 && !(t.ofPlans && t.done > 0) {
		return nil
	}
	return t
}

// plan returns whether a row of a table of plans calls its plan done, and the plan with its title, as a list has them.
func (t *table) plan(line string) (done bool, text string) {
	cells := cutRow(line)
	text, _, _ = strings.Cut(strings.TrimSpace(cells[0]), "](")
	if at := cmp.Or(t.name, t.about); at > 0 && at < len(cells) {
		text += " — " + strings.TrimSpace(cells[at])
	}
	for _, column := range []int{t.status, t.done} {
		done = done || column > 0 && column < len(cells) && statusIn(plain(cells[column])) == Complete
	}
	return done, text
}

// row parses a row; it returns false if the row is not of one phase, but of a total or a range.
func (t *table) row(line string) (fact, bool) {
	cells := cutRow(line)
	at := func(column int) string {
		if column == 0 || column >= len(cells) {
			return ""
		}
		return plain(cells[column])
	}
	f := fact{source: tableRow, milestone: versionAt(at(t.milestone)), status: statusIn(at(t.status))}
	cell := plain(cells[0]) // `Phase 3: Name`, `3. Name`, `03-slug`, `3`
	h, ok := phaseTitle(cell)
	if _, _, isNumber := planref.CutPhase(skipMarkup(cell)); !ok && isNumber {
		h, ok = phaseTitle("Phase " + skipMarkup(cell))
	}
	f.number, f.title = h.number, cmp.Or(h.name, cutName(at(t.name)))
	plans, done := at(t.plans), at(t.done)
	if f.done, f.total = counts(plans); f.total == 0 && isCount(done) && isCount(plans) {
		f.done, f.total = counts(done + "/" + plans) // in columns of their own
	}
	return f, ok
}

func isCount(s string) bool { return s != "" && digits(s) == len(s) }

// isRow reports whether a line may be a row of a table.
func isRow(s string) bool { return strings.Contains(s, "|") }

// isDelimiter reports whether a line is the row of dashes below a header.
func isDelimiter(s string) bool {
	return strings.Contains(s, "-") && isRow(s) && strings.Trim(s, "|-: \t") == ""
}

// cutRow splits a row into its cells.
func cutRow(s string) []string {
	s = strings.TrimPrefix(strings.TrimSpace(s), "|")
	return strings.Split(strings.TrimSuffix(s, "|"), "|")
}
