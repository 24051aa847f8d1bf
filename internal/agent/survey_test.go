package agent

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// surveyOf returns what Survey says of a host, and its scopes with their states.
func surveyOf(t *testing.T, w Where, host string) (installed Installed, states string) {
	t.Helper()
	i := slices.IndexFunc(Survey(w), func(surveyed Installed) bool { return surveyed.Host == host })
	installed = Survey(w)[i]
	for _, in := range installed.Scopes {
		state := string(in.State)
		if in.Problem != "" {
			state = "problem"
		}
		states += string(in.Scope) + " " + state + ", "
	}
	return installed, strings.TrimSuffix(states, ", ")
}

// at is where, for a host and scope.
func (w Where) at(host string, scope Scope) Where {
	w.Host, w.Scope = host, scope
	return w
}

func TestSurvey(t *testing.T) {
	w := newWhere(t, "", "")
	root := filepath.Dir(w.Project)
	for i, installed := range Survey(w) {
		if installed.Host != Names()[i] || installed.Found || len(installed.Notes) > 0 {
			t.Errorf("of nothing: %+v", installed)
		}
	}
	if left := treeOf(t, root).kept(); len(left) > 0 {
		t.Errorf("a survey wrote %q", left)
	}
	install(t, w.at(Claude, Project))
	install(t, w.at(Codex, User))
	put(t, w.at(Gemini, Project).path("settings.json"), []byte("{"))
	put(t, w.at(Cursor, User).path("hooks.json"), []byte(`{"hooks":{"sessionStart":[`+setupOf(Cursor, User, program, false).entries[0].value()+`]}}`))
	install(t, w.at(OpenCode, Project))
	install(t, w.at(Copilot, Project))
	noError(t, os.Remove(filepath.Join(w.Project, ".agents", "skills", "mark-gsd", "SKILL.md"))) // which both read
	before := treeOf(t, root)
	for host, want := range map[string]string{
		Claude:   "project installed, local absent, user absent",
		Codex:    "project absent, user installed",
		Gemini:   "project problem, user absent",
		Copilot:  "project partly, user absent",
		Cursor:   "project absent, user partly",
		OpenCode: "project partly, user absent",
	} {
		installed, got := surveyOf(t, w, host)
		if got != want || len(installed.Notes) > 0 {
			t.Errorf("%s: %s, want %s; notes %q", host, got, want, installed.Notes)
		}
		if installed.Found != (host == Codex || host == Cursor) { // the others have nothing at home
			t.Errorf("%s: found: %v", host, installed.Found)
		}
	}
	sameTree(t, "a survey", treeOf(t, root), before)

	w.Project = ""
	if _, got := surveyOf(t, w, Claude); got != "user absent" {
		t.Errorf("outside of a project: %s", got)
	}
	w.Home = ""
	if installed, got := surveyOf(t, w, Codex); got != "user problem" || installed.Found {
		t.Errorf("without a home: %s, found %v", got, installed.Found)
	}
}

// Where it is installed and cannot run, the survey says so once.
func TestSurveyIdle(t *testing.T) {
	w := newWhere(t, Claude, User)
	put(t, w.path("settings.json"), []byte(`{"disableAllHooks":true}`))
	installed, _ := surveyOf(t, w, Claude)
	if len(installed.Notes) > 0 || slices.ContainsFunc(installed.Scopes, func(in InScope) bool { return len(in.Faults) > 0 }) {
		t.Errorf("of nothing: %+v", installed)
	}
	for _, w.Scope = range []Scope{Project, Local} {
		install(t, w)
	}
	installed, got := surveyOf(t, w, Claude)
	if want := "project installed, local installed, user absent"; got != want || len(installed.Scopes[0].Faults) == 0 || len(installed.Scopes[1].Faults) == 0 || len(installed.Scopes[2].Faults) > 0 {
		t.Errorf("%s: %+v", got, installed)
	}
	if len(installed.Notes) != 1 || !strings.Contains(installed.Notes[0], "disableAllHooks") {
		t.Errorf("notes %q", installed.Notes)
	}
}

func TestSurveyFinds(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("programs there are known by their names")
	}
	for name, c := range map[string]struct {
		host, program string
		mode          os.FileMode
		path          string // below the root; DIR is where the program is
		want          bool
	}{
		"a program":             {Codex, "codex", 0o755, "DIR", true},
		"Cursor's is longer":    {Cursor, "cursor-agent", 0o755, "DIR", true},
		"and this one no agent": {Cursor, "cursor", 0o755, "DIR", false},
		"no program":            {Codex, "codex", 0o644, "DIR", false},
		"a relative directory":  {Codex, "codex", 0o755, ".:bin:", false},
		"another program":       {Claude, "claude2", 0o755, "DIR", false},
	} {
		w := newWhere(t, c.host, "")
		bin := filepath.Join(w.Project, "bin")
		put(t, filepath.Join(bin, c.program), []byte("#!/bin/sh\n"))
		noError(t, os.Chmod(filepath.Join(bin, c.program), c.mode))
		w.Getenv = func(name string) string {
			if name == "PATH" {
				return strings.ReplaceAll(c.path, "DIR", bin)
			}
			return ""
		}
		if installed, _ := surveyOf(t, w, c.host); installed.Found != c.want {
			t.Errorf("%s: found: %v", name, installed.Found)
		}
	}
	// What an installation leaves of a directory that it made is no host.
	for _, host := range Names() {
		w := newWhere(t, host, User)
		install(t, w)
		uninstall(t, w)
		if installed, _ := surveyOf(t, w, host); installed.Found {
			t.Errorf("%s is found where only gsd has been", host)
		}
	}
	w := newWhere(t, "", "")
	other := filepath.Join(w.Project, "elsewhere")
	put(t, filepath.Join(other, "a"), nil)
	w.Getenv = func(name string) string {
		return map[string]string{"CODEX_HOME": other, "COPILOT_HOME": "elsewhere"}[name]
	}
	for _, installed := range Survey(w) {
		if installed.Found != (installed.Host == Codex) {
			t.Errorf("%s: found: %v", installed.Host, installed.Found)
		}
	}
}

// Hooks that would run twice are named; what cannot be read elsewhere does not stop an installation.
func TestCopies(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	const on, off = `{"enabledPlugins":{"gsd@gsd":true}}`, `{"enabledPlugins":{"gsd@gsd":false}}`
	names := map[Scope]string{Project: "settings.json", Local: "settings.local.json", User: "settings.json"}
	for name, c := range map[string]struct {
		there    []Scope
		settings map[Scope]string
		scope    Scope
		want     string // in the note
		host     string // Claude if empty
		program  string // of the last
	}{
		"alone":                     {scope: Project},
		"once in the same words":    {there: []Scope{Project}, scope: User},
		"three":                     {there: []Scope{User, Local}, scope: Project},
		"by another path":           {there: []Scope{Project, Local}, scope: User, program: "/opt/gsd", want: "project and user"},
		"codex":                     {there: []Scope{Project}, scope: User, host: Codex, want: "project and user"},
		"copilot":                   {there: []Scope{User}, scope: Project, host: Copilot, want: "project and user"},
		"cursor":                    {there: []Scope{User}, scope: Project, host: Cursor, want: "project and user"},
		"gemini":                    {there: []Scope{User}, scope: Project, host: Gemini},
		"gemini by another path":    {there: []Scope{User}, scope: Project, host: Gemini, program: "/opt/gsd", want: "project and user"},
		"a plugin for oneself":      {settings: map[Scope]string{User: on}, scope: Project, want: "project and the plugin"},
		"one that is off":           {settings: map[Scope]string{User: off}, scope: Project},
		"off for oneself, on here":  {settings: map[Scope]string{Project: on, User: off}, scope: User, want: "user and the plugin"},
		"a plugin that is no word":  {settings: map[Scope]string{User: `{"enabledPlugins":{"gsd@gsd":"true","gsd@x":["1.0"]}}`}, scope: Project},
		"a plugin behind a mark":    {settings: map[Scope]string{User: "\ufeff" + on}, scope: Project, want: "the plugin"},
		"a mere word of gsd":        {settings: map[Scope]string{User: `{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"echo gsd hook start"}]}]}}`}, scope: Project},
		"invalid, and one that is":  {settings: map[Scope]string{User: `{`, Local: on}, scope: Project, want: "project and the plugin"},
		"a hook of theirs with gsd": {settings: map[Scope]string{User: `{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"gsd hook start && make"}]}]}}`}, scope: Project},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWhere(t, cmp.Or(c.host, Claude), c.scope)
			for scope, text := range c.settings {
				put(t, w.at(Claude, scope).path(names[scope]), []byte(text))
			}
			for _, scope := range c.there {
				install(t, w.at(w.Host, scope))
			}
			w.Program = c.program
			p := install(t, w)
			notes := slices.DeleteFunc(p.Notes, func(s string) bool { return !strings.Contains(s, "more than once") })
			if p.Twice != (c.want != "") || !slices.Equal(p.Repeated, notes) {
				t.Errorf("twice: %t, %q", p.Twice, p.Repeated)
			}
			if (c.want == "") != (len(notes) == 0) || len(notes) > 1 || c.want != "" && !strings.Contains(notes[0], c.want+"; ") {
				t.Errorf("notes %q, want %q", p.Notes, c.want)
			}
			surveyed, _ := surveyOf(t, w, w.Host)
			if (len(surveyed.Notes) > 0) != (c.want != "") {
				t.Errorf("then the survey's notes are %q", surveyed.Notes)
			}
			if p := uninstall(t, w); len(p.Notes) > 0 {
				t.Errorf("a removal says %q", p.Notes)
			}
		})
	}
	// What switches hooks off in Claude does so in Qwen.
	idle := newWhere(t, Qwen, Project)
	install(t, idle)
	put(t, idle.at(Qwen, User).path("settings.json"), []byte(`{"disableAllHooks":true}`))
	if surveyed, _ := surveyOf(t, idle, Qwen); len(surveyed.Notes) != 1 || !strings.Contains(surveyed.Notes[0], "disableAllHooks") {
		t.Errorf("notes %q", surveyed.Notes)
	}
	// The survey lists the plugin, also where it is all there is; one that Claude has not downloaded does not run.
	w := newWhere(t, Claude, User)
	put(t, w.path("settings.json"), []byte(on))
	for text, want := range map[string]string{
		`{"version":2,"plugins":{"gsd@gsd":[{"scope":"user"}]}}`: "gsd@gsd", `{"version":2,"plugins":{"other@x":[]}}`: "", `[]`: "gsd@gsd",
	} {
		put(t, w.path("plugins/installed_plugins.json"), []byte(text))
		if surveyed, _ := surveyOf(t, w, Claude); strings.Join(surveyed.Plugins, " ") != want || len(surveyed.Notes) > 0 {
			t.Errorf("with %s: %+v", text, surveyed)
		}
	}
	for host, texts := range map[string]map[string]string{
		Codex: {
			"[plugins.\"gsd@gsd-cli\"]\r\nenabled = true\r\n":               "gsd@gsd-cli",
			"[a]\n\n[plugins.\"gsd@x\"]\nscope = \"u\"\nenabled = true":     "gsd@x",
			"[plugins.\"gsd@x\"]\nenabled = false\n[b]\nenabled = true\n":   "",
			"[plugins.\"agsd@x\"]\nenabled = true\n":                        "",
			"# [plugins.\"gsd@x\"]\nenabled = true\n":                       "",
			"[plugins.\"gsd@x\"]\n[plugins.\"b@x\"]\nenabled = true\n":      "",
			"[plugins.\"b@x\"]\nenabled = true\n[plugins.\"gsd@x\"]\na = 1": "",
		},
		Copilot: {
			`{"enabledPlugins":{"gsd@gsd-cli":true}}`: "", // whose hooks do nothing there
		},
	} {
		for text, want := range texts {
			w := newWhere(t, host, User)
			put(t, w.path(map[string]string{Codex: "config.toml", Copilot: "settings.json"}[host]), []byte(text))
			surveyed, _ := surveyOf(t, w, host)
			p := install(t, w)
			if strings.Join(surveyed.Plugins, " ") != want || p.Twice != (want != "") {
				t.Errorf("%s with %s: %+v, twice: %t", host, text, surveyed, p.Twice)
			}
		}
	}
	// Not a project, and settings that are no file.
	w = newWhere(t, Claude, User)
	w.Project = ""
	noError(t, os.MkdirAll(w.path("settings.local.json"), 0o755))
	install(t, w)
	installed(t, w)
}

// A conversation was started below the project for certain if its host says so, or has kept nothing of it yet.
func TestStartedBelow(t *testing.T) {
	w := newWhere(t, Claude, Project)
	sub := filepath.Join(w.Project, "a.b", "c")
	talked := func(start string) {
		t.Helper()
		name := strings.NewReplacer("/", "-", `\`, "-", ":", "-", ".", "-", "_", "-", "~", "-", " ", "-").Replace(start)
		put(t, filepath.Join(w.Home, ".claude", "projects", name, "0f3a.jsonl"), nil)
	}
	is := func(what, host, dir string, want bool) {
		t.Helper()
		if got := w.at(host, "").StartedBelow("0f3a", dir); got != want {
			t.Errorf("%s: %t", what, got)
		}
	}
	is("nothing is installed", Claude, sub, false)
	install(t, w)
	install(t, w.at(Codex, Project))
	is("the first prompt", Claude, sub, true)
	is("the first prompt in the project", Claude, w.Project, false)
	is("beside the project", Claude, w.Home, false)
	is("a host of which that is not known", Codex, sub, false)
	if w.StartedBelow("../x", sub) {
		t.Error("an id that is none")
	}
	for _, c := range []struct {
		start string
		want  bool
	}{{sub, true}, {filepath.Dir(sub), true}, {w.Project, false}, {filepath.Dir(w.Project), false}, {w.Home, false}} {
		talked(c.start)
		is("it was started in "+c.start, Claude, sub, c.want)
		noError(t, os.RemoveAll(filepath.Join(w.Home, ".claude")))
	}
	install(t, w.at(Claude, User))
	is("the user's settings have the hooks, too", Claude, sub, false)
	uninstall(t, w.at(Claude, User))
	put(t, w.at(Claude, User).path("settings.json"), []byte(`{"enabledPlugins": {"gsd@gsd-cli": true}}`))
	is("the plugin has the hooks, too", Claude, sub, false)
}
