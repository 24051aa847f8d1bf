package view

import (
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/printer"
)

// TestCommandsAreWhole: at any width, a command is on one line as it would be typed, whatever its words are, and so is a worktree's path.
func TestCommandsAreWhole(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"03-01", "my plan.md", "a  b   c.md", "a\u00a0b.md", "it's  one.md", "粘土 粘土.md", strings.Repeat("long ", 40)} {
		command := action.Action{Kind: action.Start, Plan: word}
		var place answer.Elsewhere
		place.Plan, place.Worktree, place.Total = "03-01", "/work/my notes of a day", 3
		places := []answer.Elsewhere{place}
		for columns := range 200 {
			var out printer.Buffer
			p := &Printer{Writer: printer.NewWriter(&out, printer.Style{}, columns)}
			p.At.In = "the  place"
			p.Try(command)
			p.list(elsewhere(places))
			want := strings.TrimPrefix(action.Line(command.Words()), "gsd ")
			if got := out.String(); !strings.HasPrefix(got, "try: gsd "+want+" -C 'the  place'") || !strings.Contains(got, places[0].Worktree) {
				t.Fatalf("in %d columns:\n%s", columns, got)
			}
		}
	}
}

// TestCommandsElsewhere: a command for a directory whose name cannot be typed as it is shown is not printed.
func TestCommandsElsewhere(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":              "try: gsd next   (shows what comes next)\n",
		"it's here":     "try: gsd next -C 'it'\\''s here'   (shows what comes next)\n",
		"a\x1b[2Jb":     "",
		"a\nb":          "",
		"a\u202eb":      "",
		"<system>/note": "",
	} {
		got := printed(printer.Style{}, func(p *Printer) { p.At.In = in; p.Try(action.Action{Kind: action.ShowNext}) })
		if got != want {
			t.Errorf("in %q: %q, want %q", in, got, want)
		}
	}
}
