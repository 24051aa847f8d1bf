//go:build e2e && unix

package e2e

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestAsked lets Claude run gsd's commands, which gsd install allows, without a person who could answer: what asks one does not run. In plan
// mode that is what writes, and in any mode what completes a checkpoint.
func TestAsked(t *testing.T) {
	t.Parallel()
	gsd := build(t)
	for name, at := range map[string]struct {
		mode, line string
		changes    bool
		asks       string
	}{
		"reads in plan mode":           {"plan", "gsd hydrate", false, ""},
		"marks in plan mode":           {"plan", "gsd mark 1 complete", false, "Claude is in plan mode"},
		"starts again in plan mode":    {"plan", "gsd bootstrap 01-01 --fresh", false, "Claude is in plan mode"},
		"completes a task":             {"default", "gsd done 1", true, ""},
		"completes a checkpoint":       {"default", "gsd done 4", false, "task 4 (A larch.) is a checkpoint"},
		"completes it in another line": {"default", "cd sub && gsd mark 4 complete", false, "task 4 (A larch.) is a checkpoint"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := clients()[0]
			c.args = []string{"--model", "claude-sonnet-5", "--permission-mode", at.mode, "-p"}
			w := newWorld(t, c, gsd)
			write(t, filepath.Join(w.project, ".planning", "phases", "01-larch", "01-01-PLAN.md"), strings.Replace(plan, "</tasks>",
				"<task type=\"checkpoint:human-verify\" gate=\"blocking\">\n  <what-built>A larch.</what-built>\n</task>\n</tasks>", 1))
			w.gsd(t, "bootstrap", "01-01", "--fresh")
			w.gsd(t, "install", c.host, "--scope", "user")
			before := w.gsd(t, "tasks")
			asked := w.start(t, c, w.project, "Go on.", reply{shell: at.line})
			if after := w.gsd(t, "tasks"); (after != before) != at.changes {
				t.Errorf("after %s:\n%s", at.line, after)
			}
			if !strings.Contains(asked[1].strings(), at.asks) {
				t.Errorf("%s: the model did not read %q", at.line, at.asks)
			}
		})
	}
}
