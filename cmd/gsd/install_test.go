package main

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/host"
)

// installs sees what is said of every host, in every state.
func installs(t *testing.T, look func(*place, string)) {
	t.Helper()
	p := newPlace(t)
	look(p, "install")
	for _, name := range host.Names() {
		for _, scope := range host.Scopes(name) {
			line := "install " + name + " --scope " + string(scope)
			for _, how := range []string{" --dry-run", "", "", " --check", " --dry-run --remove"} {
				look(p, line+how)
			}
		}
	}
	look(p, "install")
	p.write(".gemini/commands/gsd/mark.toml", "")
	look(p, "install")
	look(p, "install gemini --dry-run") // partly
	text, err := os.ReadFile(filepath.Join(p.dir, ".claude", "settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	p.write(".claude/settings.json", strings.ReplaceAll(string(text), `"TodoWrite"`, `"Bash"`))
	p.write(".codex/hooks.json", "nonsense")
	look(p, "install") // outdated, and nobody can tell
	look(p, "install claude --scope project")
	look(p, "install claude --remove")
	look(p, "install claude --remove")
}

// tree is what is in a directory: every file with its mode and bytes.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		all[name] = info.Mode().String()
		if info.Mode().IsRegular() {
			text, err := os.ReadFile(name)
			all[name] += " " + string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// settingsOf is where the hooks of a host stand, below the directory of its scope; empty where it has none.
func settingsOf(name string, scope host.Scope) string {
	switch {
	case name == host.Claude && scope == host.Local:
		return ".claude/settings.local.json"
	case name == host.Copilot && scope == host.User:
		return ".copilot/hooks/gsd.json"
	case name == host.Copilot:
		return ".github/hooks/gsd.json"
	case name == host.Codex, name == host.Cursor:
		return "." + name + "/hooks.json"
	case name == host.OpenCode:
		return ""
	}
	return "." + name + "/settings.json"
}

// event is under which name a host starts a conversation.
func event(name string) string {
	if name == host.Cursor {
		return "sessionStart"
	}
	return "SessionStart"
}

// TestInstall: for every host and scope: it is there, it is there once, and it goes away without a trace, whatever was
// in the settings before.
func TestInstall(t *testing.T) {
	nested := `{"hooks":[{"type":"command","command":"make"}]}`
	settings := map[string]string{
		"none":    "",
		"empty":   "{}",
		"others":  "{\n\t\"model\": \"x\",\n\t\t\"big\": 12345678901234567890,   \"f\": 1.0e+05,\n\t\"hooks\": {\n\t\t\"EVENT\": [ENTRY ],\n\"Stop\":[]},\n\t\"text\": \"a && b > c\\u003c\"\n}\n",
		"crlf":    "{\r\n    \"hooks\": {\r\n        \"EVENT\": [\r\n            ENTRY\r\n        ]\r\n    }\r\n}\r\n",
		"comment": "// mine\n{\n  /* all */ \"a\": 1, // one\n  \"hooks\": {\n    // nothing yet\n  }, // hooks\n}\n",
	}
	for _, name := range host.Names() {
		for _, scope := range host.Scopes(name) {
			for kind, text := range settings {
				file := settingsOf(name, scope)
				if file == "" && kind != "none" || scope != host.Project && kind != "none" && kind != "others" {
					continue
				}
				t.Run(name+"/"+string(scope)+"/"+kind, func(t *testing.T) {
					p := newPlace(t)
					base := p.dir
					if scope == host.User {
						base = p.home
					}
					if scope == host.User { // the host's own directory is there, and stays
						own := "." + name
						if name == host.OpenCode {
							own = ".config/opencode"
						}
						if err := os.MkdirAll(filepath.Join(p.home, own), 0o777); err != nil {
							t.Fatal(err)
						}
					}
					entry := nested
					if name == host.Cursor || name == host.Copilot {
						entry = `{"command":"make"}`
					}
					file := filepath.Join(base, filepath.FromSlash(file))
					if text != "" {
						text := strings.NewReplacer("EVENT", event(name), "ENTRY", entry).Replace(text)
						if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
							t.Fatal(err)
						}
						if err := os.WriteFile(file, []byte(text), 0o640); err != nil {
							t.Fatal(err)
						}
					}
					p.installs(name, scope, file, kind)
				})
			}
		}
	}
}

func (p *place) installs(name string, scope host.Scope, file, kind string) {
	t := p.t
	t.Helper()
	install := func(words ...string) string {
		return p.here(append([]string{"install", name, "--scope", string(scope)}, words...)...)
	}
	before := []map[string]string{tree(t, p.dir), tree(t, p.home)}
	same := func(what string, want []map[string]string) {
		t.Helper()
		for i, dir := range []string{p.dir, p.home} {
			got := tree(t, dir)
			for file := range got {
				if got[file] != want[i][file] {
					t.Errorf("%s: %s is %q, was %q", what, file, got[file], want[i][file])
				}
			}
			for file := range want[i] {
				if _, ok := got[file]; !ok {
					t.Errorf("%s: %s is gone", what, file)
				}
			}
		}
	}
	if out := install("--dry-run"); !strings.Contains(out, "+++ b/") || !strings.Contains(out, "gsd") {
		t.Errorf("a dry run says %q", out)
	}
	same("a dry run", before)
	install()
	there := []map[string]string{tree(t, p.dir), tree(t, p.home)}
	if name != host.OpenCode {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), "gsd hook start --host "+name+" --pid=$PPID"); n != 1 {
			t.Errorf("%d hooks:\n%s", n, text)
		}
		var value map[string]any
		if err := json.Unmarshal(text, &value); err != nil && kind != "comment" {
			t.Errorf("%v:\n%s", err, text)
		}
		if kind == "others" && !strings.Contains(string(text), "12345678901234567890,   \"f\": 1.0e+05,") {
			t.Errorf("numbers changed:\n%s", text)
		}
	}
	if out := install(); !strings.Contains(out, ": installed already\n") {
		t.Errorf("a second installation says %q", out)
	}
	if kind != "comment" { // which some hosts cannot read: install.txtar
		if out := install("--check"); !strings.Contains(out, ": installed\n") {
			t.Errorf("a check says %q", out)
		}
	}
	same("a second installation", there)
	install("--remove", "--dry-run")
	same("a dry removal", there)
	install("--remove")
	same("a removal", before)
	if out := install("--remove"); !strings.Contains(out, ": nothing of gsd's own is there\n") {
		t.Errorf("a second removal says %q", out)
	}
	same("a second removal", before)
}

// here runs a command that must succeed, within this process.
func (p *place) here(words ...string) string {
	p.t.Helper()
	return p.hook(nil, nil, words...)
}

// What a shell may read something in is no path to call gsd by: nothing is installed.
func TestInstallAbsoluteRefused(t *testing.T) {
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{`a\b`, "a$b", `a"b`, "a`b"} {
		p := newPlace(t)
		bin := filepath.Join(p.home, dir)
		if err := os.Mkdir(bin, 0o777); err != nil {
			continue // no such names here
		}
		if err := os.Symlink(own, filepath.Join(bin, filepath.Base(own))); err != nil {
			t.Skip("no links here: ", err)
		}
		before := tree(t, p.dir)
		var stderr bytes.Buffer
		a := &app{stdout: io.Discard, stderr: &stderr, dir: p.dir, now: time.Now, env: append(p.env(), "PATH="+bin)}
		if code := a.run(t.Context(), []string{"install", "claude", "--absolute"}); code != 64 || !strings.Contains(stderr.String(), "hooks cannot call") {
			t.Errorf("%s: exit code %d, %s", dir, code, &stderr)
		}
		if after := tree(t, p.dir); !maps.Equal(before, after) {
			t.Errorf("%s: something was written", dir)
		}
	}
}
