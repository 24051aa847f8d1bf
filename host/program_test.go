package host

import (
	"slices"
	"testing"
)

func TestCallsUs(t *testing.T) {
	for command, want := range map[string]string{
		"gsd hydrate --host claude --pid=$PPID":                "hydrate",
		"gsd hydrate --host claude --pid $PPID":                "hydrate",
		"gsd hydrate --host=claude":                            "hydrate",
		"gsd hydrate --pid 7 --host claude":                    "hydrate",
		"gsd hydrate --host":                                   "hydrate",
		"  gsd  hydrate   --host  codex ":                      "hydrate",
		"gsd hydrate --host of-a-later-version":                "hydrate",
		"gsd hook end --host codex --pid=$PPID":                "hook end",
		"gsd hook task --host gemini":                          "hook task",
		"gsd statusline":                                       "statusline",
		"gsd statusline --color":                               "statusline",
		"gsd.exe hook end":                                     "hook end",
		"/usr/local/bin/gsd hydrate --host claude":             "hydrate",
		"./gsd hydrate --host claude":                          "hydrate",
		"~/go/bin/gsd hydrate --host claude":                   "hydrate",
		"$HOME/go/bin/gsd hydrate --host claude":               "hydrate",
		`"$HOME/my tools/gsd" hydrate --host claude`:           "hydrate",
		"C:/gsd/gsd.exe hydrate --host claude":                 "hydrate",
		`C:\gsd\gsd.exe hydrate --host claude`:                 "hydrate",
		`"C:/Program Files/gsd/gsd.exe" hydrate --host claude`: "hydrate",
		`"C:\Program Files\gsd\gsd.exe" hook end`:              "hook end",
		`"C:/R&D; (new)/gsd.exe" hook end`:                     "hook end",
		`"/home/a <b>/gsd" statusline`:                         "statusline",
		"'/home/a b/gsd' statusline":                           "statusline",
		"'/home/a|b/gsd' statusline":                           "statusline",

		"command -v gsd >/dev/null && gsd hydrate --host claude": "hydrate",
		"gsd hydrate --host claude 2>/dev/null || true":          "hydrate",
		"exec gsd hydrate --host claude --pid=$PPID":             "hydrate",
		"GSD_X=1 gsd hydrate --host claude":                      "hydrate",
		"env A=1 gsd hydrate --host x":                           "hydrate",
		`bash -lc "gsd hydrate --host claude"`:                   "hydrate",
		"sh -c 'gsd hydrate --host x'":                           "hydrate",
		"gsd -C sub hydrate --host claude":                       "hydrate",
		`gsd -C "a b" --json hydrate`:                            "hydrate",
		"gsd hydrate --inline":                                   "hydrate",
		"gsd hydrate":                                            "hydrate",
		"gsd hydrate;make":                                       "hydrate",
		"gsd hydrate&":                                           "hydrate",
		"make&&gsd hydrate":                                      "hydrate",
		"echo $(gsd hydrate)":                                    "hydrate",
		"echo `gsd hydrate`":                                     "hydrate",
		"make\ngsd hook  task\n":                                 "hook task",
		"gsd status; gsd statusline":                             "statusline",
		"[ -d .planning ] && ~/bin/gsd hook end --host codex":    "hook end",
		`"/a/gsd" "hydrate" --host x`:                            "hydrate",
		`& "C:\gsd.exe" hydrate`:                                 "hydrate",
		"if [ -d .planning ]; then gsd hydrate; fi":              "hydrate",
		"{ gsd hydrate; }":                                       "hydrate",
		"(gsd hydrate)":                                          "hydrate",
		"false || gsd hydrate":                                   "hydrate",
		"timeout 5 gsd hydrate":                                  "hydrate",
		`bash -c "\"$HOME/a b/gsd\" hydrate"`:                    "hydrate",
		"sh -c 'bash -c \"gsd hydrate\"'":                        "hydrate",
		"gsd hydrate # mine":                                     "hydrate",
		"# mine\ngsd hydrate":                                    "hydrate",
		"'gsd' 'hydrate' '--host' 'claude'":                      "hydrate",
		"npx -y gsd@latest hydrate":                              "hydrate",
		"go run github.com/gsd-cli/gsd/cmd/gsd@latest hydrate":   "hydrate",

		"# gsd hydrate --host claude":            "",
		"echo gsd hydrate":                       "",
		"echo 'tip: gsd hydrate shows the plan'": "",
		"make # && gsd hydrate":                  "",
		`grep -q "gsd hydrate" x || true`:        "",
		`echo "; gsd hydrate"`:                   "",
		"make -C gsd hydrate":                    "",
		"pnpm --filter gsd hydrate":              "",
		"npx other@latest hydrate gsd":           "",
		"npx":                                    "",
		"go run ./gsd hydrate":                   "",
		"go test gsd@latest hydrate":             "",
		"cat <<E\ngsd hydrate\nE":                "",
		"sh -c":                                  "",
		"sh gsd hydrate":                         "",
		"A=1":                                    "",
		"gsd -C hydrate":                         "",
		"gsd -C hydrate status":                  "",
		"gsd -C":                                 "",
		"a=b=gsd hydrate":                        "",
		"'gsd hydrate --host claude'":            "",

		"":                              "",
		"gsd":                           "",
		"gsd hydrate--host claude":      "",
		"gsd hydrate-all":               "",
		"gsd mark 1 complete":           "",
		"gsd mark 1 hydrate":            "",
		"gsd status":                    "",
		"gsd hook":                      "",
		"gsd hook --host claude":        "",
		"gsd hook later":                "",
		"gsd statusline2":               "",
		"gsd install claude":            "",
		"notgsd hydrate --host claude":  "",
		"my-gsd hydrate --host claude":  "",
		"gsd-cli hydrate --host claude": "",
		"gsd2 hydrate --host claude":    "",
		"gsd.sh hydrate --host claude":  "",
		"gsd.exe.old hydrate --host x":  "",
		"/opt/gsd/run hydrate --host x": "",
		"/opt/my-gsd hydrate --host x":  "",
		"GSD hydrate --host claude":     "",
		"hydrate; gsd status":           "",
		"gsd && hydrate":                "",
	} {
		if got := callsUs(command); got != want {
			t.Errorf("%q: %q, want %q", command, got, want)
		}
	}
}

// Talk of a call costs a note: it may be one.
func TestNamesUs(t *testing.T) {
	for command, want := range map[string]string{
		"gsd hydrate":                            "hydrate",
		"# gsd hydrate --host claude":            "hydrate",
		"echo 'tip: gsd  hook  end tells'":       "hook end",
		"direnv exec . gsd statusline":           "statusline",
		"bunx gsd@latest hydrate":                "hydrate",
		"sh -c 'a' \"`gsd -C 'a b' hydrate`\"":   "hydrate",
		"'gsd' 'hydrate'":                        "hydrate",
		"gsd status; mygsd hydrate; gsd-hydrate": "",
		"":                                       "",
	} {
		if got := namesUs(command); got != want {
			t.Errorf("%q: %q, want %q", command, got, want)
		}
	}
}

// No line is too odd to be looked at.
func FuzzCallsUs(f *testing.F) {
	f.Add("sh -c 'gsd hydrate' \"a\\\"b\" $(c) <d")
	f.Fuzz(func(t *testing.T, line string) {
		if called, named := callsUs(line), namesUs(line); called != "" && named != called {
			t.Errorf("%q: runs %s, names %s", line, called, named)
		}
		for _, words := range simpleCommands(line) {
			if len(words) == 0 || slices.Contains(words, "") {
				t.Errorf("%q: %q", line, words)
			}
		}
	})
}

// Only what we write ourselves is ours.
func TestKindOf(t *testing.T) {
	for command, want := range map[string]string{
		"gsd hydrate --host claude --pid=$PPID":                      "hydrate",
		"gsd hook end --host codex --pid=$PPID":                      "hook end",
		"gsd hook task --host gemini --pid=$PPID":                    "hook task",
		"gsd statusline":                                             "statusline",
		"/usr/local/bin/gsd statusline":                              "statusline",
		`"C:/R&D; (new)/gsd.exe" hook end --host cursor --pid=$PPID`: "hook end",
		"'/home/a b/gsd' hydrate --host copilot --pid=$PPID":         "hydrate",
		"gsd hydrate --host claude":                                  "",
		"gsd hydrate --host claude --pid $PPID":                      "",
		"gsd hydrate --host claude -C sub --pid=$PPID":               "",
		" gsd statusline":                                            "",
		"gsd statusline --color":                                     "",
		"gsd hook later --host claude --pid=$PPID":                   "",
		"gsd hydrate --host claude --pid=$PPID && make":              "",
		"make;gsd statusline":                                        "",
		"x&gsd statusline":                                           "",
		"gsd hydrate --host claude --pid=$PPID\n":                    "",
		"\"/a`b/gsd\" statusline":                                    "",
		"$HOME/bin/gsd statusline":                                   "",
		`"$HOME/bin/gsd" hydrate --host claude --pid=$PPID`:          "",
		"'/$a/gsd' statusline":                                       "",
		"/a/$b/gsd statusline":                                       "",
		"./tools/gsd statusline":                                     "",
		"tools/gsd statusline":                                       "",
		`"./my tools/gsd" statusline`:                                "",
		"~/bin/gsd statusline":                                       "",
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
