package upstream

import (
	"testing"

	facts "github.com/gsd-cli/gsd/internal/project"
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
