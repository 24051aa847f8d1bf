package roadmap

// table.go: tables of phases. Their columns differ, so they are recognised by the words of the header. As in upstream
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
}

// column returns the field for the column with a word of a header in lower case, nil for any other word.
func (t *table) column(head string) *int {
	switch head {
	case "phase", "name", "phase name", "nombre", "nome", "nom", "名称", "名前":
		return &t.name
	case "milestone", "hito", "marco", "jalon", "meilenstein", "里程碑":
		return &t.milestone
	case "plans complete", "plans", "planes", "planos", "pläne", "планы", "计划", "計画":
		return &t.plans
	case "status", "estado", "statut", "stato", "durum", "статус", "状态", "状態", "ステータス", "상태":
		return &t.status
	case "completed", "complete", "done", "hecho", "hecha", "completado", "completada", "concluído", "concluída", "feito", "terminé", "terminée",
		"fait", "erledigt", "fertig", "abgeschlossen", "готово", "завершено", "выполнено", "完成", "已完成", "完了", "완료":
		return &t.done // not one of what was verified or shipped: a merge writes the date into it
	}
	return nil
}

// tableHead parses the header of a progress table; it returns nil for any other line.
func tableHead(line string) *table {
	t := &table{}
	for i, cell := range cutRow(strings.ToLower(plain(line))) {
		head := strings.TrimSpace(cell)
		if i == 0 && head != "phase" && head != "#" && head != "phase #" && head != "phase no." && head != "phase number" {
			return nil
		}
		if at := t.column(head); at != nil {
			*at = i
		}
	}
	if max(t.name, t.plans, t.status) == 0 {
		return nil
	}
	return t
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
	cell := plain(cells[0]) // `Phase 3: Name`, `3. Name`, `03-slug`, `3`
	f, ok := phaseTitle(cell)
	if _, _, isNumber := planref.CutPhase(skipMarkup(cell)); !ok && isNumber {
		f, ok = phaseTitle("Phase " + skipMarkup(cell))
	}
	f.title, f.milestone, f.status = cmp.Or(f.title, readTitle(at(t.name)).name), versionAt(at(t.milestone)), statusIn(at(t.status))
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
