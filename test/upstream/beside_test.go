package upstream

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	facts "github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/internal/work"
)

// A session has the same name for both, so that nobody's own claim on a phase is somebody else's.
func TestSessionNames(t *testing.T) {
	c := startCore(t)
	names := []string{
		"GSD_SESSION_KEY", "CODEX_THREAD_ID", "CLAUDE_SESSION_ID", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_SSE_PORT", "OPENCODE_SESSION_ID",
		"GEMINI_SESSION_ID", "CURSOR_SESSION_ID", "WINDSURF_SESSION_ID", "TERM_SESSION_ID", "WT_SESSION", "TMUX_PANE", "ZELLIJ_SESSION_NAME", "TTY", "SSH_TTY",
	}
	all := []map[string]string{{"HOME": "/"}}
	for i, name := range names {
		all = append(all, map[string]string{name: "1f2e-33/a b%"}, map[string]string{name: "/dev/pts/3"}, map[string]string{name: " // "})
		for _, after := range names[i+1:] { // which of two counts
			all = append(all, map[string]string{name: "x", after: "y"})
		}
	}
	for _, env := range all {
		want := c.ask(t, question{Env: env}).Session
		if got := facts.SessionKeyOf(func(name string) string { return env[name] }); got != want {
			t.Errorf("%v: %q, and upstream has %q", env, got, want)
		}
	}
}

// A batch that upstream made is unfinished until upstream has completed each of its tasks.
func TestBatches(t *testing.T) {
	c := startCore(t)
	for done, want := range []string{"0 of 2 tasks done, next: Fix the lint", "1 of 2 tasks done, next: Rename", ""} {
		dir := t.TempDir()
		p := &project{}
		p.add("ROADMAP.md", "# Roadmap: Larch\n\n### Phase 1: Hull\n")
		p.add("STATE.md", "# Project State\n\n### Quick Tasks Completed\n\n| # | Description | Date | Commit | Directory |\n|---|-------------|------|--------|-----------|\n")
		if err := p.write(dir); err != nil {
			t.Fatal(err)
		}
		id := c.ask(t, question{Dir: dir, Batch: &batch{[]string{"Fix the lint", "Rename"}, done}}).Batch
		opened, err := hydrate.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, left := range work.Left(opened.Project, time.Now()) {
			if left.Kind == verdict.WorkBatch && left.ID == id && filepath.Base(left.Path) == "BATCH.json" {
				got = left.Detail
			}
		}
		opened.Close()
		if got != want {
			t.Errorf("with %d done: %q, want %q", done, got, want)
		}
	}
}
