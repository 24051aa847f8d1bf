package main

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/printer"
)

// TestScreen: on a terminal gsd hydrate fits, however small that is, and gsd tasks shows all; a pipe always gets all.
func TestScreen(t *testing.T) {
	t.Parallel()
	a, _ := ada(t, time.Now())
	do(t, a, "bootstrap", "01-02")
	do(t, a, "mark", "2", "in-progress")
	do(t, a, "mark", "1", "complete")
	piped := do(t, a, "hydrate")
	columns, rows := 80, 18
	a.style, a.size = printer.Style{Bars: true}, func(io.Writer) (int, int) { return columns, rows }
	const more = " more lines: `gsd tasks 2`\n"
	if got := do(t, a, "hydrate"); strings.Count(got, "\n") > rows || !strings.Contains(got, more) || !strings.Contains(got, "\ntry: gsd done 2 ") {
		t.Errorf("on a terminal:\n%s", got)
	}
	whole := do(t, a, "tasks", "2")
	if _, text, _ := strings.Cut(whole, "\n  from: "); text == "" || !strings.Contains(piped, text) {
		t.Errorf("gsd tasks says\n%s\nwhich is not in\n%s", whole, piped)
	}
	if got := do(t, a, "bootstrap", "01-02"); strings.Count(got, "\n") > rows || !strings.HasPrefix(got, "kept the valid session") || !strings.Contains(got, more) {
		t.Errorf("bootstrap:\n%s", got)
	}
	columns, rows = 40, 40
	if got := do(t, a, "hydrate"); strings.Contains(got, more) || !strings.Contains(got, "session of ada-lovelace on\n  .planning/") {
		t.Errorf("on a narrow terminal:\n%s", got)
	}
}
