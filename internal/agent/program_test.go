package agent

import (
	"strings"
	"testing"
)

// Another hook may call gsd if it has its name as a word, and is not one of gsd-core's.
func TestMention(t *testing.T) {
	for command, want := range map[string]bool{
		"gsd hook start": true, "cd x; /usr/bin/gsd hydrate": true, `"C:/a b/gsd.exe" hook end`: true, "bash -lc 'gsd status'": true,
		"echo tip: gsd hydrate": true, "node ~/.claude/hooks/gsd-check-update.js": false, "cat ~/.gsd/defaults.json": false, "mygsd hook": false,
		"gsd-tools query state": false, "cd gsd": false, "./gsd.sh start": false, "bunx gsd@latest hydrate": false,
	} {
		if got := mention().MatchString(command); got != want {
			t.Errorf("%q: %t", command, got)
		}
	}
}

// Only what we write ourselves is ours: whatever the guard is, exactly so.
func TestKindOf(t *testing.T) {
	for name, guard := range guards {
		for _, bin := range programs {
			for _, kind := range []string{startKind, promptKind, compactKind, agentKind, endKind, lineKind} {
				line := guard(callOf(bin, kind, Codex))
				if is, got := splitCommand(line); is != bin || got != kind {
					t.Errorf("%s: %q: %q by %q", name, line, got, is)
				}
				for _, other := range []string{line + "\n", line + "; make", " " + line, strings.ReplaceAll(line, "gsd", "my")} {
					if _, got := splitCommand(other); got != "" {
						t.Errorf("%s: %q: %q", name, other, got)
					}
				}
			}
		}
		for _, call := range []string{
			"gsd hook start --host claude --pid $PPID", "gsd hook start --host claude -C sub --pid=$PPID", "gsd hook later --host claude --pid=$PPID",
			"\"/a`b/gsd\" statusline", `"$HOME/bin/gsd" hook start --host claude --pid=$PPID`, "/a/$b/gsd statusline", "./tools/gsd statusline",
			`"./my tools/gsd" statusline`, "my-gsd statusline",
		} {
			if _, got := splitCommand(guard(call)); got != "" {
				t.Errorf("%s: %q: %q", name, call, got)
			}
		}
	}
	for _, bare := range []string{"gsd hook start --host claude --pid=$PPID", "gsd statusline"} {
		if _, got := splitCommand(bare); got != "" {
			t.Errorf("%q: %q", bare, got)
		}
	}
}

var guards = map[string]guard{
	"either": inEither, "shell": inShell, "any shell": inAnyShell, "PowerShell": inPowerShell, "cmd": inCmd,
}

// programs are ways to call us: as cmd/gsd writes them for --absolute, with slashes and, where a path is no plain
// word, in double quotes.
var programs = []string{
	"gsd", "/usr/local/bin/gsd", "C:/gsd/gsd.exe", `"C:/Program Files (x86)/gsd.exe"`, `"/home/a b/gsd"`, `"/home/R&D; <x>|y/gsd"`,
	`"/home/o'neil/gsd"`, "//server/share/gsd.exe", `"//server/a b/gsd.exe"`, "/a//gsd", `"/größe/日本/gsd"`, `"C:/a\b/gsd.exe"`,
}
