package agent

import (
	"strings"
	"testing"
)

func TestCallsUs(t *testing.T) {
	for command, want := range map[string]string{
		"gsd hook start --host claude --pid=$PPID":                startKind,
		"gsd hook end --host codex --pid=$PPID":                   "hook end",
		"gsd statusline":                                          "statusline",
		"/usr/local/bin/gsd hook start --host claude":             startKind,
		"$HOME/go/bin/gsd hook start --host claude":               startKind,
		`C:\gsd\gsd.exe hook start --host claude`:                 startKind,
		`"C:/Program Files/gsd/gsd.exe" hook start --host claude`: startKind,
		`"C:/R&D; (new)/gsd.exe" hook end`:                        "hook end",
		"'/home/a b/gsd' statusline":                              "statusline",

		"GSD_X=1 gsd hook start --host claude":         startKind,
		`bash -lc "gsd hook start --host claude"`:      startKind,
		"sh -c 'gsd hook start --host x'":              startKind,
		"gsd -C sub hook start --host claude":          startKind,
		"gsd hook start":                               startKind,
		"echo $(gsd hook start)":                       startKind,
		"make\ngsd hook  agent\n":                      agentKind,
		`"/a/gsd" "hydrate" --host x`:                  startKind,
		"if [ -d .planning ]; then gsd hook start; fi": startKind,
		"# mine\ngsd hook start":                       startKind,
		"'gsd' 'hydrate' '--host' 'claude'":            startKind,

		"# gsd hook start --host claude":                       "",
		"echo gsd hook start":                                  "",
		"echo 'tip: gsd hook start shows the plan'":            "",
		`echo "; gsd hook start"`:                              "",
		"make -C gsd hook start":                               "",
		`bash -c "\"$HOME/a b/gsd\" hydrate"`:                  "",
		"sh -c 'bash -c \"gsd hook start\"'":                   "",
		"go run github.com/gsd-cli/gsd/cmd/gsd@latest hydrate": "",
		"cat <<E\ngsd hook start\nE":                           "",
		"a=b=gsd hook start":                                   "",
		"'gsd hook start --host claude'":                       "",

		"gsd hook start--host claude":      "",
		"gsd.exe.old hook start --host x":  "",
		"/opt/gsd/run hook start --host x": "",
		"GSD hook start --host claude":     "",
	} {
		if got := kindBy(callForm(), command); got != want {
			t.Errorf("%q: %q, want %q", command, got, want)
		}
	}
}

// A mention may be a call.
func TestNamesUs(t *testing.T) {
	for command, want := range map[string]string{
		"gsd hook start":                            startKind,
		"# gsd hook start --host claude":            startKind,
		"echo 'tip: gsd  hook  end tells'":          endKind,
		"bunx gsd@latest hydrate":                   startKind,
		"sh -c 'a' \"`gsd -C 'a b' hydrate`\"":      startKind,
		"gsd status; mygsd hook start; gsd-hydrate": "",
	} {
		if got := kindBy(nameForm(), command); got != want {
			t.Errorf("%q: %q, want %q", command, got, want)
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
					if got := kindOf(other); got != "" {
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
			if got := kindOf(guard(call)); got != "" {
				t.Errorf("%s: %q: %q", name, call, got)
			}
		}
	}
	for _, bare := range []string{"gsd hook start --host claude --pid=$PPID", "gsd statusline"} {
		if got := kindOf(bare); got != "" {
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
