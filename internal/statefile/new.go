package statefile

// new.go: a STATE.md where there was none, in the form of upstream's template and in fewer than its 100 lines. What is
// not known is left out, or says so.

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/roadmap"
)

// Extras is what a new STATE.md says beside the position.
type Extras struct {
	Title     string    // the project's; may be empty
	CoreValue string    // the line of that name in PROJECT.md
	Updated   time.Time // when PROJECT.md was
	ByPhase   []PhaseRow
	Root      string // the directory that the file lies in, `.planning` if empty
	Todos     int    // the files in todos/pending below Root
	Resume    string // the path of a .continue-here file
}

// PhaseRow is a row of the table By Phase.
type PhaseRow struct {
	Number      planref.Number
	Name        string
	Done, Total int
}

// maxRows is how many rows the table has: STATE.md is a digest.
const maxRows = 25

// New is a whole STATE.md. Updating it with the same position changes nothing.
func New(p Position, x Extras) []byte {
	p = p.clean()
	root := cmp.Or(roadmap.OneLine(x.Root), ".planning")
	var b strings.Builder
	p.writeFront(&b)
	title := ""
	if x.Title != "" {
		title = ": " + roadmap.OneLine(x.Title)
	}
	b.WriteString("# Project State" + title + "\n\n## Project Reference\n\nSee: " + root + "/PROJECT.md")
	if !x.Updated.IsZero() {
		b.WriteString(" (updated " + x.Updated.Format(time.DateOnly) + ")")
	}
	b.WriteString("\n\n")
	if text := roadmap.OneLine(x.CoreValue); text != "" {
		b.WriteString("**Core value:** " + text + "\n")
	}
	focus := "none"
	if !p.Phase.IsZero() {
		focus = strings.TrimSuffix("Phase "+p.Phase.String()+": "+p.PhaseName, ": ")
	}
	b.WriteString("**Current focus:** " + focus + "\n\n")
	p.writePosition(&b)
	p.writeMetrics(&b, x.ByPhase)
	b.WriteString("## Accumulated Context\n\n### Decisions\n\n" +
		"Decisions are logged in the Key Decisions table of PROJECT.md.\n\nNone yet.\n\n### Pending Todos\n\n")
	if x.Todos > 0 {
		fmt.Fprintf(&b, "%d in %s/todos/pending/\n\n", x.Todos, root)
	} else {
		b.WriteString("None yet.\n\n")
	}
	b.WriteString("### Blockers/Concerns\n\nNone yet.\n\n## Session Continuity\n\n")
	last := "unknown"
	if !p.LastActivity.IsZero() {
		last = p.LastActivity.Format("2006-01-02 15:04")
	}
	fmt.Fprintf(&b, "Last session: %s\n", last)
	fmt.Fprintf(&b, "Stopped at: %s\n", cmp.Or(p.LastWhat, "unknown"))
	fmt.Fprintf(&b, "Resume file: %s\n", cmp.Or(roadmap.OneLine(x.Resume), "None"))
	return []byte(b.String())
}

// writeFront writes the front matter that the template begins with, and the milestone.
func (p Position) writeFront(b *strings.Builder) {
	var plain value
	b.WriteString("---\ngsd_state_version: '1.0'\n")
	if p.Milestone != "" {
		b.WriteString("milestone: " + plain.written(p.Milestone) + "\n")
	}
	if p.MilestoneName != "" {
		b.WriteString("milestone_name: " + plain.written(p.MilestoneName) + "\n")
	}
	b.WriteString("status: " + readStatus(p.Status).stage.token() + "\nprogress:\n")
	for _, c := range p.counts() {
		b.WriteString("  " + strings.TrimPrefix(c.key, "progress.") + ": " + strconv.Itoa(c.n) + "\n")
	}
	b.WriteString("---\n\n")
}

// writePosition writes the section that Update keeps. A line of which nothing is known stays as the template has it.
func (p Position) writePosition(b *strings.Builder) {
	if !upstreamReads(p.Phase) {
		p.Phase = planref.Number{}
	}
	u := update{document: &document{}, p: p}
	line := func(label, unknown string) {
		text := rules[label](&u, field{name: label}).want
		fmt.Fprintf(b, "%s: %s\n", label, cmp.Or(text, unknown))
	}
	b.WriteString("## Current Position\n\n")
	line(labelPhase, "Not started")
	line(labelPlan, "Not started")
	line(labelStatus, "Unknown")
	line(labelActivity, "[YYYY-MM-DD] — [What happened]")
	b.WriteByte('\n')
	line(labelProgress, drawProgress(0, 10))
	b.WriteByte('\n')
}

// writeMetrics writes what is known of how the work goes.
func (p Position) writeMetrics(b *strings.Builder, rows []PhaseRow) {
	fmt.Fprintf(b, "## Performance Metrics\n\n**Velocity:**\n- Total plans completed: %d\n\n", p.DonePlans)
	if len(rows) == 0 {
		return
	}
	b.WriteString("**By Phase:**\n\n| Phase | Plans | Done |\n|-------|-------|------|\n")
	if more := len(rows) - maxRows; more > 0 {
		fmt.Fprintf(b, "| (%d earlier) | | |\n", more)
		rows = rows[more:]
	}
	for _, r := range rows {
		name := strings.ReplaceAll(roadmap.OneLine(r.Name), "|", "/")
		fmt.Fprintf(b, "| %s | %d | %d |\n", strings.TrimSpace(r.Number.String()+". "+name), r.Total, r.Done)
	}
	b.WriteByte('\n')
}
