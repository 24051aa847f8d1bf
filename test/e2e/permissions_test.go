//go:build e2e && unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPermissions lets each client run with its own default approvals, without a person who could answer: a command that
// gsd install allows runs, and what is chained to it, or written by it, does not.
func TestPermissions(t *testing.T) {
	t.Parallel()
	gsd := build(t)
	for _, c := range clients() {
		if c.cautious == nil {
			continue
		}
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
			outside := func(i int) string { return filepath.Join(w.home, fmt.Sprint("larch", i)) }
			other := filepath.Join(w.home, "elsewhere", "gsd") // another program, which touches FILE
			write(t, filepath.Join(w.project, ".planning", "phases", "01-larch", "01-02-PLAN.md"), "<task type=\"auto\"><name>Ash</name></task>\n")
			lines := []string{
				"gsd mark 2 complete; touch FILE", "gsd mark 2 complete && touch FILE", "gsd mark 2 complete | tee FILE", "gsd status > FILE",
				"gsd mark $(touch FILE)", "gsd mark `touch FILE`", "gsd status & touch FILE", "gsd status\ntouch FILE", "touch FILE; gsd status",
				"PATH=" + filepath.Dir(other) + ":$PATH gsd done", "gsd takeover 01-02",
			}
			script := []reply{{shell: "gsd mark 1 complete"}}
			for i, line := range lines {
				if strings.HasPrefix(line, "PATH=") {
					write(t, other, "#!/bin/sh\ntouch "+outside(i)+"\n")
					if err := os.Chmod(other, 0o755); err != nil {
						t.Fatal(err)
					}
				}
				script = append(script, reply{shell: strings.ReplaceAll(line, "FILE", outside(i))})
			}
			w.start(t, c, w.project, "Go on.", script...)
			for i, line := range lines {
				if _, err := os.Stat(outside(i)); err == nil {
					t.Errorf("%s: it ran", line)
				}
			}
			if !strings.Contains(done(), "1  complete") {
				t.Errorf("gsd mark did not run, or gsd takeover did: %s", done())
			}
			if runs("gsd bootstrap 01-01 --fresh"); strings.Contains(done(), "1  complete") {
				t.Errorf("gsd bootstrap --fresh did not run: %s", done())
			}
			if c.host != "gemini" { // which has no permissions in a project
				before := done()
				w.gsd(t, "install", c.host, "--scope", "user", "--remove")
				w.gsd(t, "install", c.host)
				if c.host == "claude" { // which ignores those of a project that is not trusted, also with -p
					write(t, filepath.Join(w.home, ".claude", ".claude.json"), `{"projects":{"`+w.project+`":{"hasTrustDialogAccepted":true}}}`)
				}
				runs("gsd mark 3 complete")
				if done() == before {
					t.Error("gsd mark did not run with a project's permissions")
				}
			}
		})
	}
}
