//go:build e2e && unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPermissions lets each client run with its own default approvals, without a person who could answer: a command that
// gsd install allows runs, and what is chained to it, or written by it, does not.
func TestPermissions(t *testing.T) {
	gsd := build(t)
	for _, c := range clients() {
		t.Run(c.host, func(t *testing.T) {
			t.Parallel()
			c.args = c.cautious
			w := newWorld(t, c, gsd)
			for name, text := range c.config(w, "http://127.0.0.1:9") {
				write(t, filepath.Join(w.home, name), text)
			}
			done := func() string { return w.gsd(t, "tasks") }
			runs := func(line string) {
				t.Helper()
				w.start(t, c, w.project, "Go on.", reply{shell: line})
			}
			before := done()
			if c.host != "codex" { // which runs what it does not know in its sandbox
				w.gsd(t, "install", c.host, "--scope", "user", "--no-permissions")
				_, _ = w.talk(t, c, w.project, "Go on.", []reply{{shell: "gsd mark 1 complete"}, {text: "The larch."}}) // gemini offers no shell
				if done() != before {
					t.Error("gsd mark ran without a permission")
				}
			}
			w.gsd(t, "install", c.host, "--scope", "user", "--remove")
			w.gsd(t, "install", c.host, "--scope", "user")
			runs("gsd mark 1 complete")
			one := done()
			if one == before {
				t.Fatal("gsd mark did not run")
			}
			outside := filepath.Join(w.home, "larch")
			for _, line := range []string{
				"gsd mark 2 complete; touch " + outside, "gsd mark 2 complete && touch " + outside, "gsd mark 2 complete | tee " + outside,
				"gsd status > " + outside, "gsd mark $(touch " + outside + ")", "gsd mark `touch " + outside + "`", "gsd status & touch " + outside,
				"gsd status\ntouch " + outside, "gsd bootstrap 01-01 --fresh", "PATH=/tmp gsd done",
			} {
				runs(line)
				if _, err := os.Stat(outside); err == nil {
					t.Errorf("%s: it ran", line)
					os.Remove(outside)
				}
				if strings.Contains(line, "bootstrap") && c.host != "codex" && done() != one {
					t.Errorf("%s: it ran", line)
				}
			}
			if c.host != "gemini" { // which has no permissions in a project
				before := done()
				w.gsd(t, "install", c.host, "--scope", "user", "--remove")
				w.gsd(t, "install", c.host)
				runs("gsd mark 3 complete")
				if done() == before {
					t.Error("gsd mark did not run with a project's permissions")
				}
			}
		})
	}
}
