package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// otherGSDs are what a colleague may have instead of this gsd, as the text of a program: nothing, an older or a broken one. One that ends
// well is answer.
var otherGSDs = map[string]string{
	"none":             "",
	"an old one":       "#!/bin/sh\necho 'usage: gsd COMMAND'\necho \"gsd: no command\" >&2\nexit 64\n",
	"one that denies":  "#!/bin/sh\necho '{\"decision\":\"deny\"}'\nexit 2\n",
	"one that fails":   "#!/bin/sh\nprintf '{\"half'\necho rubbish >&2\nexit 1\n",
	"one that crashes": "#!/bin/sh\nprintf '{\"half'\nkill -SEGV $$\n",
	"a killed one":     "#!/bin/sh\nkill -9 $$\n",
	"no program":       "\x7fELF\x02rubbish\x00",
	"no interpreter":   "#!/no/such/interpreter\n",
}

const answer = "#!/bin/sh\nread -r input\necho noise >&2\nprintf '{\"a\":\"é \\\\n\",\"called\":\"%s\"}\\n' \"$*\"\n"

// shellsOf is how each host runs a command line here. Claude, Gemini and Copilot take one shell, Codex the one of the person, and Cursor
// is not known to.
var shellsOf = map[string][]string{
	Claude: {"sh -c", "bash -c"}, Codex: {"sh -lc", "bash -lc", "dash -c", "zsh -lc", "fish -lc"}, Gemini: {"bash -c"}, Copilot: {"bash -c", "sh -c"},
	Qwen: {"bash -c"}, Cursor: {"sh -c", "bash -c", "dash -c", "zsh -c"},
}

// commandsHere lists the command lines of a host's settings that run on this system.
func commandsHere(t testing.TB, w Where) (lines []string) {
	t.Helper()
	s, err := w.setup()
	noError(t, err)
	for _, name := range []string{s.settings, s.line} {
		text, err := os.ReadFile(w.path(name))
		if name == "" || err != nil {
			continue
		}
		d, err := parse(text)
		noError(t, err)
		for _, h := range d.ours() {
			for _, m := range members(d.find(h.path...)) {
				if text, _ := textOf(m.value); m.name == "command" || m.name == "bash" {
					lines = append(lines, text)
				}
			}
		}
	}
	return lines
}

// TestNoHarm: whatever a colleague has for gsd, each command that Install writes into a host ends well, and neither prints nor says
// anything. With a gsd that answers, it is only what that prints.
func TestNoHarm(t *testing.T) {
	if filepath.Separator != '/' {
		t.Skip("the stubs are shell scripts")
	}
	t.Parallel()
	dirs := map[string]string{}
	for name, text := range otherGSDs {
		dirs[name] = dirWith(t, text)
	}
	answers := dirWith(t, answer)
	for host, shells := range shellsOf {
		w := newWhere(t, host, User)
		w.StatusLine = hasStatusLine(host, User)
		install(t, w)
		lines := commandsHere(t, w)
		if s, _ := w.setup(); len(lines) < len(find(host).hooks.list) || len(s.entries) == 0 {
			t.Fatalf("%s: %q", host, lines)
		}
		if host == Claude {
			text, err := os.ReadFile(w.path("commands/" + CommandName(Claude, "hydrate") + ".md"))
			noError(t, err)
			inline := regexp.MustCompile("(?m)^!`(.*)`$").FindSubmatch(text)
			for name, dir := range dirs { // which prints what an old gsd prints there, and an agent reads
				if out, said, err := runAs("bash -c", string(inline[1]), dir); err != nil || name == "none" && out+said != "" {
					t.Errorf("%s: %s: %q, %q, %v", name, inline[1], out, said, err)
				}
			}
		}
		for _, shell := range shells {
			if _, err := exec.LookPath(strings.Fields(shell)[0]); err != nil {
				continue
			}
			for _, line := range slices.Compact(slices.Sorted(slices.Values(lines))) {
				for name, dir := range dirs {
					if out, said, err := runAs(shell, line, dir); err != nil || out+said != "" {
						t.Errorf("%s, %s: %s %s: %q, %q, %v", host, name, shell, line, out, said, err)
					}
				}
				out, said, err := runAs(shell, line, answers)
				var is struct{ Called string }
				if e := json.Unmarshal([]byte(out), &is); err != nil || said != "" || e != nil {
					t.Errorf("%s: %s %s: %q, %q, %v, %v", host, shell, line, out, said, err, e)
				}
				_, kind := splitCommand(line)
				pid := fmt.Sprintf(" --pid=%d", os.Getpid())
				if kind != lineKind && !strings.HasSuffix(is.Called, kind+" --host "+host+pid) || kind == lineKind && is.Called != kind {
					t.Errorf("%s: %s %s: gsd %s, not by %s", host, shell, line, is.Called, pid)
				}
			}
		}
	}
}

// dirWith returns a new directory with a program called gsd, or without one if its text is empty.
func dirWith(t testing.TB, text string) string {
	t.Helper()
	dir := t.TempDir()
	if text != "" {
		put(t, filepath.Join(dir, "gsd"), []byte(text))
		noError(t, os.Chmod(filepath.Join(dir, "gsd"), 0o755))
	}
	return dir
}

// runAs runs a command line in a shell as a host does, where gsd is looked for in dir.
func runAs(shell, line, dir string) (out, said string, err error) {
	words := append(strings.Fields(shell), line)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = dir
	// A login shell sets PATH again, and reads HOME's profile.
	if err := os.WriteFile(filepath.Join(dir, ".profile"), []byte("PATH='"+dir+":/usr/bin:/bin'\n"), 0o600); err != nil {
		return "", "", err
	}
	cmd.Env = []string{"PATH=" + dir + ":/usr/bin:/bin", "HOME=" + dir}
	cmd.Stdin = strings.NewReader(`{"session_id":"s","hook_event_name":"SessionStart","source":"startup"}` + "\n")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	return stdout.String(), stderr.String(), err
}

// TestNoHarmWindows: what a shell of Windows runs is not tried here. It has the shape that its own rules call for.
func TestNoHarmWindows(t *testing.T) {
	t.Parallel()
	for host, want := range map[string][2]string{
		Codex:   {"commandWindows", `gsd hook start --host codex 2>nul & exit 0`},
		Copilot: {"powershell", `try { & gsd hook start --host copilot 2>$null } catch {}; exit 0`},
	} {
		h := find(host)
		if e := h.entry(h.hooks.list[0], program); !strings.Contains(e.handler, quoted(want[0])+":"+quoted(want[1])) {
			t.Errorf("%s: %s", host, e.handler)
		}
	}
	for _, host := range []string{Claude, Gemini, Cursor, Qwen} {
		h := find(host)
		_, lines := h.commandsOf(startKind, program)
		// What PowerShell reads is without the comment, and with its escaped #.
		_, rest, _ := strings.Cut(lines[0], "`# <#")
		comment, rest, ok := strings.Cut(rest, " #> ")
		if !ok || strings.Contains(comment, "#>") || strings.ContainsAny(rest, "|&") && rest != `| Out-Null; try { & gsd hook start --host `+host+` 2>$null } catch {}; exit 0` {
			t.Errorf("%s: %s", host, lines[0])
		}
	}
}

// TestNoHarmOpenCode: the plugin neither throws nor prints, and adds nothing to the system prompt.
func TestNoHarmOpenCode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not here to run the plugin")
	}
	if filepath.Separator != '/' {
		t.Skip("the stubs are shell scripts")
	}
	t.Parallel()
	w := newWhere(t, OpenCode, Project)
	install(t, w)
	plugin, err := os.ReadFile(w.path("plugins/gsd.js"))
	noError(t, err)
	const driver = `import plugin from "./gsd.mjs"
const hooks = await plugin.server({ directory: process.cwd(), client: { session: { get: async () => ({ data: { directory: process.cwd() } }) } } })
const system = ["You are an agent."]
const args = { prompt: "Execute 01-02" }
const output = { message: { id: "m" }, parts: [{ id: "p", type: "text", text: "Go on" }] }
await hooks["chat.message"]({ sessionID: "s" }, output)
await hooks["experimental.chat.system.transform"]({ sessionID: "s" }, { system })
await hooks["tool.execute.before"]({ tool: "task", sessionID: "s" }, { args })
await hooks["chat.message"]({ sessionID: "s" }, output)
await hooks.dispose()
if (system.length !== 1 || output.parts.length !== 1 || args.prompt !== "Execute 01-02") throw new Error(JSON.stringify({ system, args }))
`
	for name, text := range otherGSDs {
		dir := dirWith(t, text)
		put(t, filepath.Join(dir, "gsd.mjs"), plugin)
		put(t, filepath.Join(dir, "driver.mjs"), []byte(driver))
		if out, said, err := runAs("sh -c", "exec '"+node+"' driver.mjs", dir); err != nil || out+said != "" {
			t.Errorf("%s: %q, %q, %v", name, out, said, err)
		}
	}
}

// BenchmarkGuard runs a hook's command as its host does, beside the call alone, with a gsd that does nothing. The difference is what the
// guard costs.
func BenchmarkGuard(b *testing.B) {
	dir := dirWith(b, "")
	var stub string
	for _, name := range []string{"/usr/bin/true", "/bin/true"} {
		if _, err := os.Stat(name); err == nil {
			stub = name
		}
	}
	if stub == "" {
		b.Skip("no true here")
	}
	noError(b, os.Symlink(stub, filepath.Join(dir, "gsd")))
	for _, host := range Names() {
		h := find(host)
		if len(h.hooks.list) == 0 { // OpenCode's plugin runs gsd itself, without a shell
			continue
		}
		_, lines := h.commandsOf(startKind, program)
		for name, line := range map[string]string{"bare": callOf(program, startKind, host), "guarded": lines[0]} {
			b.Run(host+"/"+name, func(b *testing.B) {
				for b.Loop() {
					if _, _, err := runAs(shellsOf[host][0], line, dir); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
