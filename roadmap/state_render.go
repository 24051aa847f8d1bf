package roadmap

// state_render.go: a STATE.md where there was none, in the form of upstream's template (templates/state.md) and in
// fewer than its 100 lines. What is not known is left out, or says so; nothing is made up.

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
)

// StateExtras is what a new STATE.md says beside the position.
type StateExtras struct {
	Title     string    // the project's; `Project State` stands alone without it
	CoreValue string    // the line of that name in PROJECT.md
	Updated   time.Time // when PROJECT.md was
	ByPhase   []StatePhaseRow
	Root      string // the directory that the file lies in, `.planning` if empty
	Todos     int    // the files in todos/pending below Root
	Resume    string // the path of a .continue-here file
}

// StatePhaseRow is a row of the table By Phase.
type StatePhaseRow struct {
	Number      planref.Number
	Name        string
	Done, Total int
}

// maxStatePhases is how many rows the table has: STATE.md is a digest.
const maxStatePhases = 25

// RenderState is a whole STATE.md. Updating it with the same position changes nothing.
func RenderState(p StatePosition, x StateExtras) []byte {
	p = p.clean()
	var b strings.Builder
	title := OneLine(x.Title)
	if title != "" {
		title = ": " + title
	}
	root := cmp.Or(OneLine(x.Root), ".planning")
	b.WriteString("# Project State" + title + "\n\n## Project Reference\n\nSee: " + root + "/PROJECT.md")
	if !x.Updated.IsZero() {
		b.WriteString(" (updated " + x.Updated.Format(time.DateOnly) + ")")
	}
	b.WriteString("\n\n")
	if value := OneLine(x.CoreValue); value != "" {
		b.WriteString("**Core value:** " + value + "\n")
	}
	fmt.Fprintf(&b, "**Current focus:** %s\n\n", cmp.Or(p.focus(), "none"))
	p.renderPosition(&b)
	p.renderMetrics(&b, x.ByPhase)
	b.WriteString("## Accumulated Context\n\n### Decisions\n\n")
	b.WriteString("Decisions are logged in the Key Decisions table of PROJECT.md.\n\nNone yet.\n\n")
	b.WriteString("### Pending Todos\n\n")
	if x.Todos > 0 {
		fmt.Fprintf(&b, "%d in %s/todos/pending/\n\n", x.Todos, root)
	} else {
		b.WriteString("None yet.\n\n")
	}
	b.WriteString("### Blockers/Concerns\n\nNone yet.\n\n")
	b.WriteString("## Session Continuity\n\n")
	last := "unknown"
	if !p.LastActivity.IsZero() {
		last = p.LastActivity.Format("2006-01-02 15:04")
	}
	fmt.Fprintf(&b, "Last session: %s\n", last)
	fmt.Fprintf(&b, "Stopped at: %s\n", cmp.Or(p.LastWhat, "unknown"))
	fmt.Fprintf(&b, "Resume file: %s\n", cmp.Or(OneLine(x.Resume), "None"))
	// The two must not differ, whatever the names are.
	src, _ := UpdateState([]byte(b.String()), p)
	return src
}

// focus is the phase in words.
func (p StatePosition) focus() string {
	switch {
	case p.Phase.IsZero():
		return ""
	case p.PhaseName == "":
		return "Phase " + p.Phase.String()
	}
	return "Phase " + p.Phase.String() + ": " + p.PhaseName
}

// renderPosition writes the section that UpdateState keeps. Each value is what its rule makes of none, so that the
// two cannot differ.
func (p StatePosition) renderPosition(b *strings.Builder) {
	u := stateUpdate{p: p}
	line := func(label, value, unknown string) { fmt.Fprintf(b, "%s: %s\n", label, cmp.Or(value, unknown)) }
	b.WriteString("## Current Position\n\n")
	if p.Milestone != "" {
		line("Milestone", u.milestone("— —"), "")
	}
	line("Phase", u.phase(""), "Not started")
	line("Plan", u.plan(""), "Not started")
	line("Status", u.status(""), "Not started")
	line("Last activity", u.activity(""), "None")
	b.WriteByte('\n')
	line("Progress", u.progress("[░░░░░░░░░░] 0%"), "")
	b.WriteByte('\n')
}

// renderMetrics writes what is known of how the work goes.
func (p StatePosition) renderMetrics(b *strings.Builder, rows []StatePhaseRow) {
	b.WriteString("## Performance Metrics\n\n**Velocity:**\n")
	fmt.Fprintf(b, "- Total plans completed: %d\n\n", p.DonePlans)
	if len(rows) == 0 {
		return
	}
	b.WriteString("**By Phase:**\n\n| Phase | Plans | Done |\n|-------|-------|------|\n")
	if more := len(rows) - maxStatePhases; more > 0 {
		fmt.Fprintf(b, "| (%d earlier) | | |\n", more)
		rows = rows[more:]
	}
	for _, r := range rows {
		name := strings.ReplaceAll(OneLine(r.Name), "|", "/")
		fmt.Fprintf(b, "| %s | %d | %d |\n", strings.TrimSpace(r.Number.String()+". "+name), r.Total, r.Done)
	}
	b.WriteByte('\n')
}
