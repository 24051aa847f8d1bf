//go:build linux

package hostile

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/testenv"
)

// victims are the files that gsd writes, with the content that makes it write them.
var victims = []struct{ name, text, commands string }{
	{records, "{}", "run start --host claude --id r\nrun end --host claude --id r --status success\nrun sweep"},
	{own + "/.guard", "secret\n", "mark 1 complete\nrun start\nbootstrap 01-01 --fresh"},
	{session, honestSession(3, "pending"), "mark 1 complete\nbootstrap 01-01 --fresh\nrun sweep --reset-tasks"},
	{own + "/.gitignore", "secret\n", "mark 1 complete\nrun start"},
	{".planning/STATE.md", "# State\n\n## Current Position\n\nPhase: 9 of 9 (X)\nPlan: 9 of 9\nStatus: Ready\nLast activity: 2026-01-01\n\nProgress: 0%\n", "state --write"},
	{".claude/settings.json", "{}\n", "install claude\ninstall claude --remove"},
	{".claude/commands/gsd.hydrate.md", "secret\n", "install claude\ninstall claude --remove"},
	{".codex/hooks.json", "{}\n", "install codex\ninstall codex --remove"},
	{".gemini/settings.json", "{}\n", "install gemini\ninstall gemini --remove"},
}

// TestLinkedFiles replaces each file that gsd writes by a hard or symbolic link to somebody's file: no command changes
// that file, its mode or its time.
func TestLinkedFiles(t *testing.T) {
	for _, v := range victims {
		for _, kind := range []string{"hard link", "symbolic link"} {
			t.Run(kind+" "+v.name, func(t *testing.T) {
				if !testenv.Thorough() && v.name != records {
					t.Skip("only with GSD_THOROUGH=1")
				}
				t.Parallel()
				p := newProject(t)
				p.write(session, honestSession(3, "pending"))
				victim := filepath.Join(p.home, "victim")
				p.write(victim, v.text)
				p.ok(os.Chmod(victim, 0o644))
				p.ok(os.Chtimes(victim, time.Unix(1_700_000_000, 0), time.Unix(1_700_000_000, 0)))
				p.remove(v.name)
				if kind == "hard link" {
					p.hardlink(victim, v.name)
				} else {
					p.symlink(victim, v.name)
				}
				was := p.describe(victim)
				tried := &trial{project: p, t: t}
				try := func(line string, run func() usage) {
					run()
					if is := p.describe(victim); is != was {
						t.Errorf("gsd %s: the victim was %s and is %s", line, was, is)
						was = is
					}
				}
				for _, line := range splitLines(v.commands) {
					try(line, func() usage { return tried.command(line) })
				}
				try("hook start --host claude", func() usage { tried.start("claude", starts); return usage{} })
				try("hook compact", func() usage { return tried.hook("hook compact --host gemini", prompts) })
				try("hook prompt", func() usage { return tried.hook("hook prompt --host gemini", prompts) })
				try("hook end", func() usage { return tried.hook("hook end --host claude", ends) })
			})
		}
	}
}

// describe returns everything about a file that must not change.
func (p *project) describe(name string) string {
	p.t.Helper()
	info := must[os.FileInfo](p.t)(os.Stat(name))
	owner := info.Sys().(*syscall.Stat_t).Uid
	return fmt.Sprintf("%q, %v of %d, written at %v", must[[]byte](p.t)(os.ReadFile(name)), info.Mode(), owner, info.ModTime().UTC())
}
