package agent

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/testenv"
	_ "github.com/gsd-cli/gsd/testdata/memory" // sync is slow on a disk
)

// places yields every host with every scope that it has.
func places(yield func(host string, scope Scope) bool) {
	for _, host := range Names() {
		for _, scope := range Scopes(host) {
			if !yield(host, scope) {
				return
			}
		}
	}
}

// Every file that is installed for every host, byte for byte. What a person types goes into the text for the agent, never
// into anything that a shell sees; testdata/setup.txt shows it.
func TestSetupFiles(t *testing.T) {
	var all strings.Builder
	shared := map[string]string{}
	for host, scope := range places {
		s := setupOf(host, scope, "gsd", true)
		if s.line != "" {
			fmt.Fprintf(&all, "-- %s %s %s --\n%s", host, scope, s.line, mustMerge(t, nil, wanted{entries: []entry{statusLineOf("gsd")}}))
		}
		if scope == Project && s.settings != "" {
			fmt.Fprintf(&all, "-- %s %s %s --\n%s", host, scope, s.settings, newSettings(t, host, s))
		}
		for _, f := range s.files {
			switch {
			case scope != Project || filepath.Ext(f.path) == ".js":
			case !f.shared:
				fmt.Fprintf(&all, "-- %s %s --\n%s", host, f.path, f.signed())
			case host == Codex: // and the same for all others
				fmt.Fprintf(&all, "-- %s/%s --\n%s", agentsDir, f.path, f.signed())
			}
			if f.shared && shared[f.path] != "" && shared[f.path] != f.text {
				t.Errorf("%s has another text for %s", host, f.path)
			} else if f.shared {
				shared[f.path] = f.text
			}
			if !filepath.IsLocal(f.path) || f.state(f.signed()) != current {
				t.Errorf("%s: %s", host, f.path)
			}
		}
	}
	const golden = "testdata/setup.txt"
	if *update {
		noError(t, os.WriteFile(golden, []byte(all.String()), 0o644))
	}
	if diff := cmp.Diff(readTestdata(t, "setup.txt"), all.String()); diff != "" {
		t.Errorf("go test ./internal/agent -run Setup -update (-want +got)\n%s", diff)
	}
}

// newSettings is a new settings file with all of a setup.
func newSettings(t rapid.TB, host string, s setup) []byte {
	t.Helper()
	return mustMerge(t, nil, wanted{find(host).settings.version, s.entries})
}

// Whatever path the program has, what is installed is known to be ours, and is removed whole.
func TestSetupLaw(t *testing.T) {
	rapid.Check(testenv.Laws(t), func(r *rapid.T) {
		dir := rapid.StringMatching(`(/|[A-Z]:/)([^"$\x60\x00-\x1f\x7f/]{1,8}/){0,4}`).Draw(r, "dir")
		bin := rapid.SampledFrom(append([]string{`"` + dir + `gsd"`, `"` + dir + `gsd.exe"`}, programs...)).Draw(r, "bin")
		host := rapid.SampledFrom(Names()).Draw(r, "host")
		scope := rapid.SampledFrom(Scopes(host)).Draw(r, "scope")
		s := setupOf(host, scope, bin, rapid.Bool().Draw(r, "line"))
		if (s.settings == "") != (host == OpenCode) || (len(s.files) == 0) != (scope == Local) {
			r.Fatalf("settings %q, %d files", s.settings, len(s.files))
		}
		if s.settings == "" {
			return
		}
		text := newSettings(r, host, s)
		if host == Cursor && strings.Contains(string(text), "//") {
			r.Fatalf("Cursor would take // for a comment:\n%s", text)
		}
		sameBytes(r, "a second insertion", mustMerge(r, text, wanted{find(host).settings.version, s.entries}), text)
		if back, err := remove(text, find(host).settings.version); back != nil || err != nil {
			r.Fatalf("of a file of ours %q stays (%v)", back, err)
		}
	})
}

func TestBase(t *testing.T) {
	root := t.TempDir()
	home, other, project := filepath.Join(root, "home"), filepath.Join(root, "other"), filepath.Join(root, "project")
	at := func(dir, name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, c := range []struct {
		host  string
		scope Scope
		env   map[string]string
		want  string
	}{
		{Claude, Project, nil, at(project, ".claude")},
		{Copilot, Project, nil, at(project, ".github")},
		{Gemini, User, nil, at(home, ".gemini")},
		{Cursor, User, nil, at(home, ".cursor")},
		{OpenCode, User, nil, at(home, ".config/opencode")},
		{Claude, User, map[string]string{"CLAUDE_CONFIG_DIR": other}, other},
		{Codex, User, map[string]string{"CODEX_HOME": other}, other},
		{Gemini, User, map[string]string{"GEMINI_CLI_HOME": other}, at(other, ".gemini")},
		{Copilot, User, map[string]string{"COPILOT_HOME": other}, other},
		{Qwen, User, nil, at(home, ".qwen")},
		{Qwen, User, map[string]string{"QWEN_HOME": other}, other},
		{OpenCode, User, map[string]string{"XDG_CONFIG_HOME": other}, at(other, "opencode")},
		{OpenCode, User, map[string]string{"OPENCODE_CONFIG_DIR": other}, other},
		{OpenCode, User, map[string]string{"OPENCODE_CONFIG_DIR": other, "XDG_CONFIG_HOME": home}, other},
		// What is relative is relative to wherever the host is started.
		{Claude, User, map[string]string{"CLAUDE_CONFIG_DIR": "x"}, at(home, ".claude")},
		{OpenCode, User, map[string]string{"OPENCODE_CONFIG_DIR": "x"}, at(home, ".config/opencode")},
		{OpenCode, User, map[string]string{"OPENCODE_CONFIG_DIR": "x", "XDG_CONFIG_HOME": other}, at(other, "opencode")},
		// In a project they do not count.
		{OpenCode, Project, map[string]string{"OPENCODE_CONFIG_DIR": other, "XDG_CONFIG_HOME": other}, at(project, ".opencode")},
	} {
		w := Where{Host: c.host, Scope: c.scope, Project: project, Home: home, Getenv: func(name string) string { return c.env[name] }}
		if got := w.base(); got != c.want {
			t.Errorf("%s, %s, %v: %s, want %s", c.host, c.scope, c.env, got, c.want)
		}
	}
}

// What cannot be installed is a usage error, and nothing is looked for.
func TestWhereRefused(t *testing.T) {
	root := t.TempDir()
	good := Where{Host: Claude, Scope: Project, Project: root, Home: root, Getenv: func(string) string { return "" }}
	for name, change := range map[string]func(*Where){
		"another host":             func(w *Where) { w.Host = "vim" },
		"a host in another case":   func(w *Where) { w.Host = "Claude" },
		"another scope":            func(w *Where) { w.Scope = "global" },
		"a scope of Claude's only": func(w *Where) { w.Host, w.Scope = Gemini, Local },
		"outside of a project":     func(w *Where) { w.Project = "" },
		"local outside of one":     func(w *Where) { w.Project, w.Scope = "", Local },
		"no home":                  func(w *Where) { w.Home, w.Scope = "", User },
		"a relative home":          func(w *Where) { w.Home, w.Scope = "home", User },
		// Such hooks would not be known again: they could be neither brought up to date nor taken away.
		"a program of another name":   func(w *Where) { w.Program = "/usr/bin/gsd-1.2" },
		"a program with a backtick":   func(w *Where) { w.Program = "\"/a`b/gsd\"" },
		"a program with a dollar":     func(w *Where) { w.Program = `"/a$b/gsd"` },
		"a program with a quote":      func(w *Where) { w.Program = `"/a"b/gsd"` },
		"a program with a line end":   func(w *Where) { w.Program = "\"/a\nb/gsd\"" },
		"a program and what it is to": func(w *Where) { w.Program = "/a/gsd -C /tmp" },
	} {
		w := good
		change(&w)
		for _, plan := range []func(Where) (*Plan, error){Install, Remove} {
			p, err := plan(w)
			if e, ok := err.(*Error); !ok || e.Kind != Usage || e.Text == "" || e.Hint == "" || p != nil {
				t.Errorf("%s: %v, %#v", name, p, err)
			}
		}
	}
}

func readTestdata(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	noError(t, err)
	return strings.ReplaceAll(string(text), "\r", "")
}

// noError ends a test that cannot go on after an error.
func noError(t interface{ Fatal(args ...any) }, err error) {
	if t, ok := t.(interface{ Helper() }); ok {
		t.Helper()
	}
	if err != nil {
		t.Fatal(err)
	}
}
