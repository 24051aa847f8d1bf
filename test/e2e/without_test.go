//go:build e2e && unix

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/gsd-cli/gsd/internal/testenv"
)

// otherGSDs are what a colleague may have instead of gsd, as the text of a program.
var otherGSDs = map[string]string{
	"none":   "",
	"old":    "#!/bin/sh\necho 'usage: gsd COMMAND'\necho 'gsd: no command' >&2\nexit 64\n",
	"broken": "#!/bin/sh\nprintf '{\"half'\nkill -SEGV $$\n",
}

// disturbed finds what a client says of a hook that fails.
var disturbed = regexp.MustCompile(`(?i)usage: gsd|gsd: no command|gsd: (command )?not found|\bhook(\(s\)|s)? (error|failed|exited|denied|blocked)|segmentation fault`)

// TestWithoutGSD starts each client in a project whose settings call gsd, for somebody who has none, or another one: a prompt reaches the
// model, an agent starts, and nothing is said of hooks. Without any, so it is with the typed command.
func TestWithoutGSD(t *testing.T) {
	t.Parallel()
	gsd := build(t)
	for _, c := range clients() {
		if c.args == nil {
			continue
		}
		for name, text := range otherGSDs {
			if name != "broken" && !testenv.Thorough() && c.host != "claude" && c.host != "codex" {
				continue // a client takes up to a minute to start
			}
			t.Run(c.host+" "+name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, c, gsd)
				w.gsd(t, "install", c.host)
				if err := os.Remove(filepath.Join(w.bin, "gsd")); err != nil {
					t.Fatal(err)
				}
				if text != "" {
					write(t, filepath.Join(w.bin, "gsd"), text)
					if err := os.Chmod(filepath.Join(w.bin, "gsd"), 0o755); err != nil {
						t.Fatal(err)
					}
				}
				quiet := func(asked request) {
					t.Helper()
					for _, text := range []string{w.said, asked.strings()} {
						if said := disturbed.FindString(text); said != "" {
							t.Errorf("it says %q", said)
						}
					}
				}
				if name == "none" { // another gsd's usage is part of the command's text
					asked, err := w.talk(t, c, w.project, c.command, []reply{{text: "The larch."}})
					if err != nil {
						t.Fatalf("%s: %v", c.command, err)
					}
					quiet(asked[0])
				}
				script := []reply{{text: "The larch."}}
				if c.delegate != nil {
					script = []reply{c.delegate("Look around."), {shell: "sleep 5"}, {text: "So be it."}}
				}
				s := startStandIn()
				defer s.Close()
				s.on("Begin.", script...)
				s.on("Look around.", reply{text: "A larch."})
				for name, text := range c.config(w, s.URL) {
					write(t, filepath.Join(w.home, name), text)
				}
				w.run(t, w.project, w.env(c.env(w, s.URL)...), w.client, append(c.args, "Begin.")...)
				quiet(s.prompted(t, "Begin."))
				if c.delegate != nil {
					quiet(s.prompted(t, "Look around."))
				}
			})
		}
	}
}
