package host

import (
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

// kindsOf are the kinds of command that each entry holds, however deep.
func kindsOf(t rapid.TB, e entry) []string {
	t.Helper()
	var kinds []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, member := range v {
				if s, ok := member.(string); ok && (name == "command" || name == "bash" || name == "powershell") {
					kinds = append(kinds, kindOf(s))
				}
				walk(member)
			}
		case []any:
			for _, member := range v {
				walk(member)
			}
		}
	}
	var v any
	if err := json.Unmarshal([]byte(e.value), &v); err != nil {
		t.Fatalf("%s: %v", e.value, err)
	}
	walk(v)
	return kinds
}

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

// checkSetup holds what is installed against the laws of the hosts.
func checkSetup(t rapid.TB, host string, scope Scope, bin string, line bool) {
	t.Helper()
	s := setupOf(host, scope, bin, line)
	wants := map[string]map[string]string{ // event to kind
		Claude:  {"SessionStart": "hydrate", "SessionEnd": "hook end", "TaskCompleted": "hook task", "PostToolUse": "hook task"},
		Codex:   {"SessionStart": "hydrate", "SessionEnd": "hook end", "PostToolUse": "hook task"},
		Gemini:  {"SessionStart": "hydrate", "SessionEnd": "hook end", "AfterTool": "hook task"},
		Copilot: {"SessionStart": "hydrate", "SessionEnd": "hook end"},
		Cursor:  {"sessionStart": "hydrate", "sessionEnd": "hook end"},
	}[host]
	if line && host == Claude {
		wants["statusLine"] = "statusline"
	}
	seen := map[string]bool{}
	for _, e := range s.entries {
		if e.isVersion() {
			if e.value != "1" || host != Copilot && host != Cursor {
				t.Errorf("%s: version %s", host, e.value)
			}
			seen["version"] = true
			continue
		}
		event := e.path[len(e.path)-1]
		kinds := kindsOf(t, e)
		if seen[event] = true; len(kinds) != 1 || kinds[0] != wants[event] || kinds[0] == "" {
			t.Errorf("%s, %s, %s: %s is of kinds %q, want %q", host, scope, bin, event, kinds, wants[event])
		}
	}
	for event := range wants {
		if !seen[event] {
			t.Errorf("%s: no %s", host, event)
		}
	}
	if seen["version"] != (host == Copilot || host == Cursor) {
		t.Errorf("%s: a version: %v", host, seen["version"])
	}
	if (s.settings == "") != (host == OpenCode) || (len(s.files) == 0) != (scope == Local) {
		t.Errorf("%s, %s: settings %q, %d files", host, scope, s.settings, len(s.files))
	}
	if s.settings == "" {
		return
	}
	text, err := insertEntries(nil, s.entries, kindOf)
	if err != nil {
		t.Fatalf("%s, %s: %v", host, bin, err)
	}
	if host == Cursor && strings.Contains(string(text), "//") {
		t.Errorf("Cursor would take // for a comment:\n%s", text)
	}
	for _, e := range s.entries {
		if is, _, err := stateOf(text, e, kindOf); err != nil || is != current {
			t.Errorf("%s: %v is %v in its own file (%v)", host, e.path, is, err)
		}
	}
	if back, err := removeEntries(text, s.version(), kindOf); back != nil || err != nil {
		t.Errorf("%s, %s: of a file of ours %q stays (%v)", host, bin, back, err)
	}
}

func TestSetup(t *testing.T) {
	t.Parallel()
	for host, scope := range places {
		for _, bin := range programs {
			checkSetup(t, host, scope, bin, false)
			checkSetup(t, host, scope, bin, true)
		}
	}
}

func TestSetupLaw(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		dir := rapid.StringMatching(`(/|[A-Z]:/)([^"$\x60\x00-\x1f\x7f/]{1,8}/){0,4}`).Draw(r, "dir")
		bin := `"` + dir + rapid.SampledFrom([]string{"gsd", "gsd.exe"}).Draw(r, "name") + `"`
		host := rapid.SampledFrom(Names()).Draw(r, "host")
		checkSetup(r, host, rapid.SampledFrom(Scopes(host)).Draw(r, "scope"), bin, rapid.Bool().Draw(r, "line"))
	})
}

// The shapes, as each host's own loader wants them.
func TestSetupShape(t *testing.T) {
	type handler struct {
		Type       string
		Command    string
		Timeout    int
		TimeoutSec int `json:"timeoutSec"`
	}
	type group struct {
		Matcher *string
		Hooks   []handler
		handler
	}
	type settings struct {
		Version int
		Hooks   map[string][]group
		Line    *handler `json:"statusLine"`
	}
	get := func(host string) settings {
		t.Helper()
		text, err := insertEntries(nil, setupOf(host, Project, "gsd", true).entries, kindOf)
		var s settings
		if err == nil {
			err = json.Unmarshal(text, &s)
		}
		if err != nil {
			t.Fatal(host, err)
		}
		return s
	}
	for _, host := range []string{Claude, Codex, Gemini} {
		s := get(host)
		unit, matchers := 1, map[string]string{"PostToolUse": "TodoWrite"}
		switch host {
		case Codex:
			matchers = map[string]string{"PostToolUse": "update_plan"}
		case Gemini:
			unit, matchers = 1000, map[string]string{"AfterTool": "write_todos"} // it counts in milliseconds
		}
		for event, groups := range s.Hooks {
			if len(groups) != 1 || len(groups[0].Hooks) != 1 || groups[0].Command != "" {
				t.Fatalf("%s, %s: %+v", host, event, groups)
			}
			h, matcher := groups[0].Hooks[0], ""
			if groups[0].Matcher != nil {
				matcher = *groups[0].Matcher
			}
			if h.Type != "command" || matcher != matchers[event] || h.Timeout%unit != 0 {
				t.Errorf("%s, %s: %+v, matcher %q", host, event, h, matcher)
			}
			most := 60
			if event == "SessionEnd" {
				most = 3 // Codex allows no more, and warns at each start
			}
			if seconds := h.Timeout / unit; seconds < 1 || seconds > most {
				t.Errorf("%s, %s: %d s", host, event, seconds)
			}
		}
		if (s.Line != nil) != (host == Claude) || s.Version != 0 {
			t.Errorf("%s: %+v", host, s)
		}
	}
	// Cursor's own list; one that is not in it voids the whole file (@cursor/sdk 1.0.32).
	cursors := strings.Fields(`beforeShellExecution beforeMCPExecution afterShellExecution afterMCPExecution beforeReadFile afterFileEdit
		beforeTabFileRead afterTabFileEdit stop beforeSubmitPrompt afterAgentResponse afterAgentThought sessionStart sessionEnd preCompact
		subagentStart subagentStop preToolUse postToolUse postToolUseFailure workspaceOpen`)
	for _, host := range []string{Copilot, Cursor} {
		s := get(host)
		if s.Version != 1 || s.Line != nil || len(s.Hooks) != 2 {
			t.Errorf("%s: %+v", host, s)
		}
		for event, list := range s.Hooks {
			if len(list) != 1 || list[0].Command == "" || list[0].Hooks != nil || list[0].Matcher != nil {
				t.Fatalf("%s, %s: %+v", host, event, list)
			}
			seconds, other := list[0].Timeout, list[0].TimeoutSec
			if host == Copilot {
				seconds, other = other, seconds
			}
			if seconds < 1 || seconds > 60 || other != 0 {
				t.Errorf("%s, %s: %+v", host, event, list[0])
			}
			if host == Cursor && (!slices.Contains(cursors, event) || list[0].Type != "") {
				t.Errorf("%s: %s, type %q", host, event, list[0].Type)
			}
			if host == Copilot && (event != "SessionStart" && event != "SessionEnd" || list[0].Type != "command") {
				t.Errorf("%s: %s, type %q: only in this spelling does its input name the event", host, event, list[0].Type)
			}
		}
	}
}

var (
	inline     = regexp.MustCompile("(?s)!`[^`]*`|!\\{[^}]*\\}|`[^`\n]*`|```.*?```")
	argument   = regexp.MustCompile(`\$ARGUMENTS|\{\{args\}\}|\$[0-9]`)
	tomlString = regexp.MustCompile(`^description = ("(?:[^"\\\x00-\x1f]|\\["\\bfnrt]|\\u[0-9a-fA-F]{4})*")\nprompt = '''\n((?s).*)'''\n$`)
)

// What a person types gets into the text, and never into anything that a shell sees or that looks like a command.
func TestCommandFiles(t *testing.T) {
	spliced := map[string]string{Claude: "$ARGUMENTS", Gemini: "{{args}}", OpenCode: "$ARGUMENTS"}
	for host, scope := range places {
		names := map[string]bool{}
		for _, f := range setupOf(host, scope, "gsd", false).files {
			if strings.HasPrefix(f.path, "plugins/") {
				continue // opencode_test.go
			}
			if names[f.path] || path.Clean(f.path) != f.path || !filepath.IsLocal(f.path) {
				t.Errorf("%s: %s", host, f.path)
			}
			names[f.path] = true
			if !signed(f.signed()) || strings.Contains(f.text, "\r") || !strings.HasSuffix(f.text, "\n") {
				t.Errorf("%s: %s cannot be signed", host, f.path)
			}
			body := checkMeta(t, host, f)
			for _, code := range inline.FindAllString(body, -1) {
				if argument.MatchString(code) {
					t.Errorf("%s: %s has what was typed in %s", host, f.path, code)
				}
			}
			typed := spliced[host]
			wants := strings.Contains(f.path, "mark") || strings.Contains(f.path, "bootstrap")
			if got := typed != "" && strings.Contains(body, typed); got != (wants && typed != "") {
				t.Errorf("%s: %s takes what was typed: %v", host, f.path, got)
			}
			for _, left := range []string{"ARGUMENTS", "INLINE"} {
				if strings.Contains(strings.ReplaceAll(body, "$ARGUMENTS", ""), left) {
					t.Errorf("%s: %s still has %s", host, f.path, left)
				}
			}
			if shell := strings.Contains(body, "!`") || strings.Contains(body, "!{"); shell != (host == Claude && path.Base(f.path) == "hydrate.md") {
				t.Errorf("%s: %s runs a command while it is loaded: %v", host, f.path, shell)
			}
		}
		if want := 4; scope != Local && len(names) != want {
			t.Errorf("%s: %d commands, want %d", host, len(names), want)
		}
	}
}

// checkMeta reads what a command's file says about itself, and gives the text that goes to the model.
func checkMeta(t *testing.T, host string, f file) string {
	t.Helper()
	name := strings.TrimSuffix(path.Base(f.path), path.Ext(f.path))
	whole := string(f.signed())
	switch host {
	case Gemini:
		at := strings.LastIndex(whole, "\n# "+signature) + 1
		m := tomlString.FindStringSubmatch(whole[:max(at, 0)])
		if m == nil || strings.Contains(m[2], "'''") || strings.ContainsAny(m[2], "\x00\x7f") || path.Ext(f.path) != ".toml" {
			t.Fatalf("%s is no TOML\n%s", f.path, whole)
		}
		if path.Dir(f.path) != "commands/gsd" {
			t.Errorf("%s would not be /gsd:%s", f.path, name)
		}
		return m[2]
	case Cursor: // reads no front matter
		if strings.HasPrefix(whole, "---") || path.Dir(f.path) != "commands" || !strings.HasPrefix(name, "gsd-") {
			t.Errorf("%s begins %.20q", f.path, whole)
		}
		return whole
	}
	front, body, ok := strings.Cut(strings.TrimPrefix(whole, "---\n"), "---\n\n")
	if !ok || !strings.HasPrefix(whole, "---\n") {
		t.Fatalf("%s: %s has no front matter\n%s", host, f.path, whole)
	}
	var meta struct {
		Name         *string
		Description  string
		ArgumentHint string `yaml:"argument-hint"`
		AllowedTools string `yaml:"allowed-tools"`
	}
	d := yaml.NewDecoder(strings.NewReader(front))
	d.KnownFields(true)
	if err := d.Decode(&meta); err != nil || meta.Description == "" || len(meta.Description) > 1024 {
		t.Fatalf("%s: %s: %v, %+v", host, f.path, err, meta)
	}
	switch host {
	case Codex, Copilot:
		if dir := path.Base(path.Dir(f.path)); meta.Name == nil || *meta.Name != dir || path.Base(f.path) != "SKILL.md" || path.Dir(path.Dir(f.path)) != "skills" {
			t.Errorf("%s: %s has another name: %v", host, f.path, meta.Name)
		}
	case Claude:
		// Without it, the command that is run while the text is loaded would void the whole.
		for _, code := range regexp.MustCompile("`(gsd [a-z]+)").FindAllStringSubmatch(body, -1) {
			if !strings.Contains(meta.AllowedTools, "Bash("+code[1]+":*)") {
				t.Errorf("%s runs %s, which it is not allowed", f.path, code[1])
			}
		}
		if path.Dir(f.path) != "commands/gsd" {
			t.Errorf("%s would not be /gsd:%s", f.path, name)
		}
	case OpenCode:
		if path.Dir(f.path) != "commands" || !strings.HasPrefix(name, "gsd-") {
			t.Error(f.path)
		}
	}
	return body
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
		{Claude, Local, nil, at(project, ".claude")},
		{Codex, Project, nil, at(project, ".codex")},
		{Gemini, Project, nil, at(project, ".gemini")},
		{Copilot, Project, nil, at(project, ".github")},
		{Cursor, Project, nil, at(project, ".cursor")},
		{OpenCode, Project, nil, at(project, ".opencode")},
		{Claude, User, nil, at(home, ".claude")},
		{Codex, User, nil, at(home, ".codex")},
		{Gemini, User, nil, at(home, ".gemini")},
		{Copilot, User, nil, at(home, ".copilot")},
		{Cursor, User, nil, at(home, ".cursor")},
		{OpenCode, User, nil, at(home, ".config/opencode")},
		{Claude, User, map[string]string{"CLAUDE_CONFIG_DIR": other}, other},
		{Codex, User, map[string]string{"CODEX_HOME": other}, other},
		{Gemini, User, map[string]string{"GEMINI_CLI_HOME": other}, at(other, ".gemini")},
		{Copilot, User, map[string]string{"COPILOT_HOME": other}, other},
		{OpenCode, User, map[string]string{"XDG_CONFIG_HOME": other}, at(other, "opencode")},
		{OpenCode, User, map[string]string{"OPENCODE_CONFIG_DIR": other}, other},
		{OpenCode, User, map[string]string{"OPENCODE_CONFIG_DIR": other, "XDG_CONFIG_HOME": home}, other},
		// What is relative is relative to wherever the host is started.
		{Claude, User, map[string]string{"CLAUDE_CONFIG_DIR": "x"}, at(home, ".claude")},
		{Codex, User, map[string]string{"CODEX_HOME": "./x"}, at(home, ".codex")},
		{Gemini, User, map[string]string{"GEMINI_CLI_HOME": "~"}, at(home, ".gemini")},
		{Copilot, User, map[string]string{"COPILOT_HOME": ".."}, at(home, ".copilot")},
		{OpenCode, User, map[string]string{"XDG_CONFIG_HOME": "x"}, at(home, ".config/opencode")},
		{OpenCode, User, map[string]string{"OPENCODE_CONFIG_DIR": "x"}, at(home, ".config/opencode")},
		{OpenCode, User, map[string]string{"OPENCODE_CONFIG_DIR": "x", "XDG_CONFIG_HOME": other}, at(other, "opencode")},
		// In a project they do not count.
		{Claude, Project, map[string]string{"CLAUDE_CONFIG_DIR": other}, at(project, ".claude")},
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
		"no host":                  func(w *Where) { w.Host = "" },
		"another host":             func(w *Where) { w.Host = "vim" },
		"a host in another case":   func(w *Where) { w.Host = "Claude" },
		"no scope":                 func(w *Where) { w.Scope = "" },
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
	for host, scope := range places {
		w := good
		w.Host, w.Scope = host, scope
		if scope == User {
			w.Project = ""
		} else {
			w.Home = ""
		}
		if p, err := Install(w); err != nil || p.State != Absent || len(p.Changes) == 0 {
			t.Errorf("%s, %s: %v, %v", host, scope, fmt.Sprint(p), err)
		}
	}
}
