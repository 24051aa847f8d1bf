package roadmap

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/testenv"
)

func parse(src string) *Roadmap { return Parse([]byte(src), "") }

// readText formats a roadmap, one line each for the title, the milestones, the phases and the titles of plans.
func readText(r *Roadmap) string {
	var b strings.Builder
	if r.Title != "" {
		fmt.Fprintf(&b, "title %s\n", r.Title)
	}
	for _, m := range r.Milestones {
		fmt.Fprintf(&b, "%s@%d\n", milestoneText(m), m.Line)
	}
	for _, ph := range r.Phases() {
		b.WriteString(phaseText(ph) + "\n")
	}
	byID := func(a, b planID) int {
		return cmp.Or(strings.Compare(a.milestone, b.milestone), strings.Compare(a.id, b.id))
	}
	for _, id := range slices.SortedFunc(maps.Keys(r.titles), byID) {
		fmt.Fprintf(&b, "%s %q %s\n", id.id, r.titles[id], id.milestone)
	}
	return b.String()
}

func milestoneText(m Milestone) string {
	return strings.ReplaceAll(fmt.Sprintf("v%s %s: %s", m.Version, m.Name, m.Status), " :", ":")
}

// phaseText formats a phase as `3 "Title" status@LINE 1/2 v1.1 retired`.
func phaseText(ph Phase) string {
	s := fmt.Sprintf("%s %q %s@%d", ph.Number, ph.Title, ph.Status, ph.Line)
	if ph.Total > 0 {
		s += fmt.Sprintf(" %d/%d", ph.Done, ph.Total)
	}
	if ph.Milestone != "" {
		s += " v" + ph.Milestone
	}
	if ph.Retired {
		s += " retired"
	}
	return s
}

func TestStatusWords(t *testing.T) {
	for want, cells := range map[Status][]string{
		NotStarted: {"Not started", "NOT STARTED", "Planned", "Planning complete", "Ready to execute", "Pending", "TODO", "to do", "○ Planned", "⬜", "Not planned", "Planned (05-01)", "Upcoming", "No completado", "Planificación completada", "не готово"},
		InProgress: {"In progress", "in-progress", "In Progress", "in_progress", "🚧", "🔄 Executing", "WIP", "Active", "Gap closure (05-03)", "Partially complete", "🚧 In Progress ✅ 2", "Current", "En progreso", "Teilweise erledigt"},
		Complete:   {"Complete", "✅", "✓ Complete", "Done", "Shipped", "✅ Shipped", "COMPLETED 2026-01-02", "Complete (gaps)", "Implementation Complete (UAT pending)", "Completada (2/2)", "已完成", "Verified", "Executed"},
		Deferred:   {"Deferred", "Blocked", "⏸ paused", "On hold", "Cancelled", "Superseded"},
		Unknown:    {"", "-", "—", "24%", "v1.0", "2026-01-02", "какой"},
	} {
		for _, cell := range cells {
			if got := statusIn(plain(cell)); got != want {
				t.Errorf("%q is %s, want %s", cell, got, want)
			}
		}
	}
}

// TestHostile reads a quarter of a megabyte each of text on which a quadratic search would take minutes, so that the
// test would time out.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("reads many megabytes")
	}
	size := testenv.Count(1<<15, 1<<18)
	for _, s := range []string{
		"<!--", "<!--\n", "<!-- -->", "`<!---->", "`", "`\n", "```go\n", "```\n~~~~x\n", "~~~~\n", "](", "[", "[x](", "(", " - ", " — (",
		"#", "#\n", "# Phase 1\n", "## v1.0 A\n", "|", "|\n", "| |-\n", "|-|\n", "<", "<a", "<>", "<details>", "<details>\n",
		"<details><summary>v1</summary>\n", "<summary>\n", "- [ ] 1-1\n", "- [x] v1.0 Phases 1-2\n", "- [x] **Phase 1", "**Phase 1: x** ",
		"Phases 1-2, ", "9", "v9.", "*", "_", "- - ", "1. ",
	} {
		for _, head := range []string{"", "# Phase 1: "} {
			src := head + strings.Repeat(s, size/len(s)) + ">)]\n-->"
			r := parse(src)
			if lines := strings.Count(src, "\n") + 1; len(r.Phases()) > 2*lines {
				t.Errorf("%q after %q: %d phases on %d lines", s, head, len(r.Phases()), lines)
			}
		}
	}
}

// TestParseLimit checks that a roadmap longer than any real one is read up to a limit, and says so.
func TestParseLimit(t *testing.T) {
	const last = "### Phase 7: last"
	whole := strings.Repeat("\n", maxLines-1) + last
	for _, c := range []struct {
		src    string
		cut    int
		phases int
	}{
		{whole, 0, 1},
		{whole + "\n", 0, 1},
		{whole + "\nx", maxLines, 1},
		{"\n" + whole, maxLines, 0},
	} {
		if r := parse(c.src); r.Cut != c.cut || len(r.Phases()) != c.phases {
			t.Errorf("%d bytes: cut at %d, %d phases; want %d and %d", len(c.src), r.Cut, len(r.Phases()), c.cut, c.phases)
		}
	}
}
