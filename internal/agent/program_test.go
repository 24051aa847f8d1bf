package agent

import (
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
		"make\ngsd hook  task\n":                       "hook task",
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

// Only what we write ourselves is ours.
func TestKindOf(t *testing.T) {
	for command, want := range map[string]string{
		"gsd hook start --host claude --pid=$PPID":                   startKind,
		"gsd hook end --host codex --pid=$PPID":                      "hook end",
		"gsd statusline":                                             "statusline",
		`"C:/R&D; (new)/gsd.exe" hook end --host cursor --pid=$PPID`: "hook end",
		"'/home/a b/gsd' hook start --host copilot --pid=$PPID":      startKind,
		"gsd hook start --host claude":                               startKind, // on Windows
		"gsd hook start --host claude --pid $PPID":                   "",
		"gsd hook start --host claude -C sub --pid=$PPID":            "",
		"gsd hook later --host claude --pid=$PPID":                   "",
		"gsd hook start --host claude --pid=$PPID && make":           "",
		"gsd hook start --host claude --pid=$PPID\n":                 "",
		"\"/a`b/gsd\" statusline":                                    "",
		`"$HOME/bin/gsd" hook start --host claude --pid=$PPID`:       "",
		"'/$a/gsd' statusline":                                       "",
		"/a/$b/gsd statusline":                                       "",
		"./tools/gsd statusline":                                     "",
		`"./my tools/gsd" statusline`:                                "",
		`C:\gsd\gsd.exe statusline`:                                  "statusline",
		"/gsd statusline":                                            "statusline",
	} {
		if got := kindOf(command); got != want {
			t.Errorf("%q: %q, want %q", command, got, want)
		}
	}
}

// programs are ways to call us: as cmd/gsd writes them for --absolute, with slashes and, where a path is no plain
// word, in double quotes.
var programs = []string{
	"gsd", "/usr/local/bin/gsd", "C:/gsd/gsd.exe", `"C:/Program Files (x86)/gsd.exe"`, `"/home/a b/gsd"`, `"/home/R&D; <x>|y/gsd"`,
	`"/home/o'neil/gsd"`, "//server/share/gsd.exe", `"//server/a b/gsd.exe"`, "/a//gsd", `"/größe/日本/gsd"`, `"C:/a\b/gsd.exe"`,
}
