//go:build linux

package hostile

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gsd-cli/gsd/internal/testenv"
)

// TestHookInput tries hostile input for hooks.
func TestHookInput(t *testing.T) {
	p := newProject(t)
	p.write(session, honestSession(3, "pending"))
	pipe := filepath.Join(p.home, "pipe")
	p.ok(syscall.Mkfifo(pipe, 0o666))
	for _, in := range []struct {
		name  string
		stdin string
		held  bool
	}{
		{name: "nothing"},
		{name: "nothing, and no end", held: true},
		{name: "an object, and no end", stdin: starts, held: true},
		{name: "half an object, and no end", stdin: starts[:20], held: true},
		{name: "50 MB of a prompt", stdin: `{"session_id":"a","prompt":"` + strings.Repeat("x", 50<<20) + `"}`},
		{name: "50 MB of blanks", stdin: strings.Repeat(" ", 50<<20)},
		{name: "1 MB of brackets", stdin: `{"session_id":` + strings.Repeat("[", 1<<20-20)},
		{name: "1 MB of names", stdin: `{"session_id":"a"` + strings.Repeat(`,"cwd":"/"`, 100_000) + "}"},
		{name: "a pipe for a directory", stdin: `{"session_id":"a","cwd":"` + pipe + `"}`},
		{name: "a device for a directory", stdin: `{"session_id":"a","cwd":"/dev/zero"}`},
		{name: "a long way to a directory", stdin: `{"session_id":"a","cwd":"` + p.dir + strings.Repeat("/.", 1900) + `"}`},
	} {
		t.Run(in.name, func(t *testing.T) {
			if !testenv.Thorough() && (in.held || len(in.stdin) > 1<<20) {
				t.Skip("only with GSD_THOROUGH=1")
			}
			t.Parallel()
			tried := &trial{project: p, t: t}
			defer tried.report("a hook is told " + in.name)
			for _, line := range []string{"hook start --host claude", "hook start --host cursor", "hook compact --host gemini", "hook prompt --host gemini", "hook end --host claude", "statusline"} {
				tried.hookAs(manner{stdin: in.stdin, held: in.held}, line)
			}
		})
	}
}
