package view

import (
	"fmt"
	"strings"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/layout"
	"github.com/gsd-cli/gsd/internal/printer"
)

const (
	// lineBar is the width of the bar, in columns. A line that is too short for it has none.
	lineBar = 8
	// leastName is the least room for a task's name, in columns.
	leastName = 12
)

// StatusLine returns a report as one line of at most so many columns. The most important parts are kept if there
// is little room.
func StatusLine(r *answer.Report, columns int) printer.Text {
	sign, says := "", ""
	switch r.Verdict {
	case answer.None:
		return printer.Cut(printer.Sprintf("no session on a plan"), columns)
	case answer.Corrupt:
		return printer.Cut(printer.Sprintf("⚠ the session file is unreadable"), columns)
	case answer.Stale:
		sign, says = "⚠", "stale: "+strings.Join(staleReasons(r.Stale), ", ")
	case answer.Finished:
		says = "complete"
		if r.Summary != "" {
			says = "summary is due"
		}
	case answer.Resume:
		says = fmt.Sprintf("%d: %s", r.Resume.Number, TaskTitle(r.Resume.Name, r.Resume.Number))
		if r.Resume.Checkpoint() {
			sign, says = "⏸", "waits for you, task "+says
		}
		if left := r.Resume.FirstLeft(); left != nil && left.State != answer.Unattended {
			sign, says = "⚠", fmt.Sprintf("%s, task %d: %s", stoppedWord[left.State], left.Number, TaskTitle(left.Name, left.Number))
		}
	}
	head := strings.TrimSpace(layout.Cut(Title(r.PlanInText()), 2*leastName))
	ratio := fmt.Sprintf("%d/%d", r.Done, r.Total)
	full := (r.Done + r.Skipped) * lineBar / max(1, r.Total)
	bar := strings.Repeat("█", full) + strings.Repeat("░", lineBar-full)
	text := spaced(head, ratio, sign)
	if layout.Columns(text)+1+lineBar+1+leastName <= columns {
		text = spaced(head, bar, ratio, sign)
	}
	if left := columns - layout.Columns(text) - 1; left >= leastName {
		text = spaced(text, layout.Cut(says, left))
	}
	if layout.Columns(text) > columns {
		text = layout.Cut(spaced(sign, ratio), columns)
	}
	return printer.Of(text)
}

// spaced joins non-empty words with spaces.
func spaced(words ...string) string {
	var there []string
	for _, w := range words {
		if w != "" {
			there = append(there, w)
		}
	}
	return strings.Join(there, " ")
}
