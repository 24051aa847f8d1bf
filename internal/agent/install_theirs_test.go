package agent

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What others have that may call gsd stays, and ours comes beside it; the survey names it.
func TestInstallBesideTheirs(t *testing.T) {
	t.Parallel()
	for name, theirs := range map[string]string{
		"another call":         `{"matcher":"","hooks":[{"type":"command","command":"gsd hook start -C sub"}]}`,
		"ours and more":        `{"matcher":"","hooks":[{"type":"command","command":"@start; make"}]}`,
		"half of it is ours":   `{"bash":"@start","powershell":"gsd hydrate --quiet"}`,
		"a shell around it":    `{"hooks":[{"command":"bash -lc 'gsd hydrate --inline'"}]}`,
		"for a part of it all": `{"matcher":"compact","hooks":[{"command":"/opt/gsd hydrate --inline"}]}`,
	} {
		w := newWhere(t, Claude, Project)
		theirs = lines(theirs)
		put(t, w.path("settings.json"), []byte(`{"hooks":{"SessionStart":[`+theirs+`]}}`))
		install(t, w)
		installed(t, w)
		text, _ := os.ReadFile(w.path("settings.json"))
		if !bytes.Contains(text, []byte(theirs)) || len(commandsOf(t, text)) != len(claude().hooks.list) {
			t.Errorf("%s: %s", name, text)
		}
		if surveyed, _ := surveyOf(t, w, Claude); len(surveyed.Scopes[0].Mentions) != 1 {
			t.Errorf("%s: %q", name, surveyed.Scopes[0].Mentions)
		}
		uninstall(t, w)
		if text, _ := os.ReadFile(w.path("settings.json")); string(text) != `{"hooks":{"SessionStart":[`+theirs+`]}}` {
			t.Errorf("%s, removed: %s", name, text)
		}
	}
}

// Ours in an event that it is not for, or in another spelling of one, goes with an installation.
func TestInstallStrays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		host, hooks string
		program     string
	}{
		"in another event":     {Claude, `"Stop":[{"hooks":[{"type":"command","command":"/old/gsd hook end --host claude --pid=$PPID"}]}]`, "gsd"},
		"of another kind":      {Claude, `"SessionStart":[{"hooks":[{"type":"command","command":"gsd hook end --host claude --pid=$PPID"}]}]`, "gsd"},
		"before every request": {Gemini, `"BeforeModel":[{"hooks":[{"type":"command","command":"gsd hook start --host gemini --pid=$PPID"}]}]`, "gsd"},
		"in another spelling":  {Copilot, `"sessionStart":[{"type":"command","command":"/o/gsd hook start --host copilot --pid=$PPID","timeoutSec":10}]`, "/o/gsd"},
		"in both":              {Copilot, `"sessionEnd":[{"command":"gsd hook end --host copilot --pid=$PPID"}],"SessionEnd":[{"command":"gsd hook end --host copilot --pid=$PPID"}]`, "gsd"},
	} {
		w := newWhere(t, c.host, Project)
		s, _ := w.setup()
		c.hooks = lines(c.hooks)
		put(t, w.path(s.settings), []byte(`{"version":1,"hooks":{`+c.hooks+`}}`))
		if p := install(t, w); p.State != Partly {
			t.Errorf("%s: %s", name, p.State)
		}
		text, _ := os.ReadFile(w.path(s.settings))
		want := mustMerge(t, []byte(`{"version":1}`), wanted{"", setupOf(c.host, Project, c.program, false).entries})
		if diff := cmp.Diff(decoded(t, want), decoded(t, text)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
		installed(t, w)
		if strings.Contains(c.hooks, "SessionStart") || c.host == Copilot {
			continue // which would be there twice
		}
		put(t, w.path(s.settings), bytes.Replace(text, []byte(`"hooks":{`), []byte(`"hooks":{`+c.hooks+`,`), 1))
		p := planned(t, Install, w)
		if p.State != Outdated {
			t.Errorf("%s beside all of ours: %s", name, p.State)
		}
	}
}

// Everything calls us as the hooks that are there do, where they agree and could be ours.
func TestInstallAdopts(t *testing.T) {
	t.Parallel()
	const rooted = filepath.Separator == '/' // elsewhere /gone is no whole path
	there := filepath.ToSlash(filepath.Join(t.TempDir(), "a b", "gsd"))
	put(t, there, nil)
	for name, c := range map[string]struct {
		settings string // of Claude
		want     string // in the place of the program
		idle     bool
	}{
		"of one hook":         {`{"hooks":{"SessionEnd":[{"hooks":[{"command":"\"` + there + `\" hook end --host claude --pid=$PPID"}]}]}}`, `\"` + there + `\"`, false},
		"of one that is gone": {`{"hooks":{"SessionEnd":[{"hooks":[{"command":"/gone/gsd hook end --host claude --pid=$PPID"}]}]}}`, "/gone/gsd", true},
		"two agree": {`{"hooks":{"SessionEnd":[{"hooks":[{"command":"/gone/gsd hook end --host claude --pid=$PPID"}]}],
			"SubagentStart":[{"hooks":[{"command":"/gone/gsd hook agent --host claude --pid=$PPID"}]}]}}`, "/gone/gsd", true},
		"two differ": {`{"hooks":{"SessionEnd":[{"hooks":[{"command":"/gone/gsd hook end --host claude --pid=$PPID"}]}],
			"SubagentStart":[{"hooks":[{"command":"gsd hook agent --host claude --pid=$PPID"}]}]}}`, "gsd", false},
		"a status line alone": {`{"statusLine":{"command":"/gone/gsd statusline"}}`, "gsd", false},
		"of this directory":   {`{"hooks":{"SessionEnd":[{"hooks":[{"command":"./tools/gsd hook end --host claude --pid=$PPID"}]}]}}`, "gsd", false},
	} {
		w := newWhere(t, Claude, Project)
		put(t, w.path("settings.json"), []byte(lines(c.settings)))
		p := install(t, w)
		text, _ := os.ReadFile(w.path("settings.json"))
		if !bytes.Contains(text, []byte(`(`+c.want+` hook start --host claude`)) || p.Inactive != (c.idle && rooted) || p.Inactive && len(p.Notes) != 1 {
			t.Errorf("%s: idle %v, %q: %s", name, p.Inactive, p.Notes, text)
		}
		installed(t, w)
	}
	for _, bin := range []string{`"` + there + `"`, "/gone/gsd"} {
		w := newWhere(t, OpenCode, Project)
		w.Program = bin
		install(t, w)
		w.Program = ""
		p := planned(t, Install, w)
		if p.State != Complete || len(p.Changes) > 0 || p.Inactive != (bin == "/gone/gsd" && rooted) {
			t.Errorf("OpenCode calls %s: %s, %d changes, %q", bin, p.State, len(p.Changes), p.Notes)
		}
	}
	for _, name := range []string{`"/a$b/gsd"`, `"gsd2"`, `7`, `"/a\"b/gsd"`} { // signed by somebody else
		w := newWhere(t, OpenCode, Project)
		put(t, w.path("plugins/gsd.js"), file{path: "plugins/gsd.js", text: "\nconst PROGRAM = " + name + "\n"}.signed())
		install(t, w)
		if text, _ := os.ReadFile(w.path("plugins/gsd.js")); !bytes.Contains(text, []byte(`PROGRAM = "gsd"`)) {
			t.Errorf("OpenCode calls %s", name)
		}
	}
}

// Where the bare name leads to another program, it is replaced, and only it: a path that hooks already have is somebody's choice.
func TestInstallInstead(t *testing.T) {
	t.Parallel()
	there, chosen := filepath.ToSlash(filepath.Join(t.TempDir(), "gsd")), filepath.ToSlash(filepath.Join(t.TempDir(), "gsd"))
	put(t, there, nil)
	put(t, chosen, nil)
	for _, name := range Names() {
		for before, want := range map[string]string{"": there, "gsd": there, chosen: chosen} {
			w := newWhere(t, name, Project)
			if before != "" {
				w.Program = before
				install(t, w)
				w.Program = ""
			}
			w.Instead = there
			p := install(t, w)
			if noted := strings.Contains(strings.Join(p.Notes, "\n"), "PATH does not lead to this gsd"); noted != (want == there) {
				t.Errorf("%s with %q: %q", name, before, p.Notes)
			}
			again := planned(t, Install, w)
			if again.State != Complete || len(again.Changes) > 0 || again.Where.Program != want {
				t.Errorf("%s with %q: %s, %d changes, called as %s", name, before, again.State, len(again.Changes), again.Where.Program)
			}
		}
	}
}

// What is there and cannot run is said.
func TestInstallIdle(t *testing.T) {
	t.Parallel()
	const off, on = `{"disableAllHooks":true}`, `{"disableAllHooks":false}`
	for name, c := range map[string]struct {
		settings map[Scope]string
		scope    Scope
		want     bool
	}{
		"nothing of it":          {nil, Project, false},
		"off":                    {map[Scope]string{Project: off}, Project, true},
		"on":                     {map[Scope]string{Project: on}, Project, false},
		"off for oneself":        {map[Scope]string{User: off}, Project, true},
		"on again":               {map[Scope]string{User: off, Local: on}, Project, false},
		"off here":               {map[Scope]string{Local: off, Project: on}, User, true},
		"off, behind a mark":     {map[Scope]string{User: "\ufeff" + off}, Project, true},
		"off, and nonsense":      {map[Scope]string{User: `{"disableAllHooks":true,"enabledPlugins":[]}`}, Project, true},
		"off in another case":    {map[Scope]string{User: `{"disableallhooks":true}`}, Project, false},
		"no word of it":          {map[Scope]string{Project: `{"disableAllHooks":"true"}`}, Project, false},
		"comments, and on":       {map[Scope]string{Project: "{} // mine"}, Project, true},
		"comments, and all else": {map[Scope]string{Project: off + " // mine"}, Project, true},
	} {
		w := newWhere(t, Claude, c.scope)
		w.Show = func(path string) string { return "<" + filepath.Base(path) + ">" }
		for scope, text := range c.settings {
			put(t, w.at(Claude, scope).path(setupOf(Claude, scope, program, false).settings), []byte(text))
		}
		p := install(t, w)
		said := slices.ContainsFunc(p.Notes, func(s string) bool { return strings.HasPrefix(s, "<settings.") && strings.Contains(s, "hooks will") })
		if p.Inactive != c.want || said != c.want {
			t.Errorf("%s: %v, %q", name, p.Inactive, p.Notes)
		}
		if p := uninstall(t, w); p.Inactive {
			t.Errorf("%s: a removal says %q", name, p.Notes)
		}
	}
}
