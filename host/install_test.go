package host

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Everything is there after an installation, nothing after its removal, and both may be done twice.
func TestInstall(t *testing.T) {
	for host, scope := range places {
		t.Run(host+" "+string(scope), func(t *testing.T) {
			t.Parallel()
			w := newWhere(t, host, scope)
			w.StatusLine = true
			root := filepath.Dir(w.Project)
			before := treeOf(t, root)
			p, err := Install(w)
			if mustPlan(t, p, err); p.State != Absent {
				t.Errorf("before: %s", p.State)
			}
			sameTree(t, "planned", treeOf(t, root), before)
			apply(t, p)
			installed(t, w)
			s, _ := w.setup()
			names := []string{s.settings}
			for _, f := range s.files {
				names = append(names, f.path)
			}
			wantMode := fs.FileMode(0o644)
			if scope == User {
				wantMode = 0o600
			}
			for _, name := range names {
				if name == "" {
					continue
				}
				info, err := os.Lstat(w.path(name))
				if err != nil || !info.Mode().IsRegular() || filepath.Separator == '/' && info.Mode().Perm()&^wantMode != 0 {
					t.Errorf("%s: %v, %v", name, info, err)
				}
			}
			if len(p.Changes) != len(slices.DeleteFunc(names, func(s string) bool { return s == "" })) {
				t.Errorf("%d changes for %q", len(p.Changes), names)
			}
			if p := remove(t, w); p.State != Complete {
				t.Errorf("removed what was %s", p.State)
			}
			after := treeOf(t, root)
			if scope == User { // a host's own directory stays, though it be empty
				delete(after, "home/.config")
				below, _ := filepath.Rel(root, w.base())
				if _, was := before[filepath.ToSlash(below)]; !was {
					delete(after, filepath.ToSlash(below))
				}
			}
			sameTree(t, "removed", after, before)
			if p := remove(t, w); len(p.Changes) != 0 || p.State != Absent {
				t.Errorf("removed once more: %s, %d changes", p.State, len(p.Changes))
			}
		})
	}
}

// settingsTexts are settings that people may have.
func settingsTexts(host string) [][]byte {
	event := "SessionStart"
	if host == Cursor {
		event = "sessionStart"
	}
	texts := []string{
		"{}", "{}\n", "{\n}\n", `{"hooks":{}}`, "{\n  \"hooks\": {\n    \"" + event + "\": []\n  }\n}\n", "{\"version\":1,\"hooks\":{}}",
		"{\n\t\"model\": \"opus\", // mine\n\t/* and */ \"env\": {\"A\": \"1\",},\n}\n",
		"{\r\n  \"a\": 12345678901234567890,\r\n  \"hooks\": {\r\n    \"" + event + "\": [\r\n      {\"command\": \"make && x > y\"} // theirs\r\n    ]\r\n  }\r\n}\r\n",
		"{\n  \"statusLine\": {\"type\": \"command\", \"command\": \"date\"}\n}", "\ufeff{\"a\": 1}",
		"{\n  \"hooks\": {\n    \"" + event + "\": [{\"matcher\": \"\", \"hooks\": [{\"type\": \"command\", \"command\": \"gsd hydrate\"}]}],\n    \"Stop\": [{\"hooks\":[{\"command\":\"a\"}]}]\n  },\n  \"z\": null\n}\n",
	}
	var all [][]byte
	for _, text := range texts {
		all = append(all, []byte(text))
	}
	return all
}

// TestInstallLaw: whatever was there before, an installation and its removal give it back, byte for byte, with its
// modes, and what others have put beside it stays.
func TestInstallLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		root, err := os.MkdirTemp("", "gsd")
		if err != nil {
			r.Fatal(err)
		}
		defer os.RemoveAll(root)
		if root, err = filepath.EvalSymlinks(root); err != nil {
			r.Fatal(err)
		}
		host := rapid.SampledFrom(Names()).Draw(r, "host")
		w := whereIn(r, root, host, rapid.SampledFrom(Scopes(host)).Draw(r, "scope"))
		w.StatusLine = rapid.Bool().Draw(r, "line")
		w.Program = rapid.SampledFrom([]string{"", "/opt/gsd", `"/opt/a b/gsd"`}).Draw(r, "program")
		s, err := w.setup()
		if err != nil {
			r.Fatal(err)
		}
		if s.settings != "" && rapid.IntRange(0, 3).Draw(r, "settings") > 0 {
			put(r, w.path(s.settings), rapid.OneOf(rapid.SampledFrom(settingsTexts(host)), rapid.Custom(anySettings)).Draw(r, "text"))
			modes := []fs.FileMode{0o644, 0o600, 0o664, 0o400}
			if filepath.Separator != '/' {
				modes = modes[:1]
			}
			mode := rapid.SampledFrom(modes).Draw(r, "mode")
			if err := os.Chmod(w.path(s.settings), mode); err != nil {
				r.Fatal(err)
			}
		}
		beside := []string{"other.json", "commands/mine.md", "commands/gsd/mine.md", "skills/gsd-hydrate/notes.md", "hooks/other.json", "plugins/a.js"}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(beside), 0, 4, rapid.ID).Draw(r, "beside") {
			put(r, w.path(name), []byte("mine\r\n"))
		}
		if len(s.files) > 0 && rapid.IntRange(0, 4).Draw(r, "theirs") == 0 { // a command of the same name
			f := rapid.SampledFrom(s.files).Draw(r, "file")
			put(r, w.path(f.path), rapid.SampledFrom([][]byte{{}, []byte("mine"), append(f.signed(), '\n'), bytes.TrimSuffix(f.signed(), []byte("\n"))}).Draw(r, "command"))
		}
		before := treeOf(r, root)
		p, err := Install(w)
		if err != nil { // what anySettings draws may be nothing to install into
			wantError(r, err, Bad)
			sameTree(r, "refused", treeOf(r, root), before)
			return
		}
		apply(r, p)
		after := treeOf(r, root)
		for name, was := range before {
			if _, ok := after[name]; !ok {
				r.Fatalf("%s is gone: %.60q", name, was)
			}
		}
		installed(r, w)
		remove(r, w)
		sameTree(r, "removed", treeOf(r, root).kept(), before.kept())
	})
}

// What others write after the installation stays when it is removed.
func TestRemoveLeavesTheirs(t *testing.T) {
	t.Parallel()
	for host, scope := range places {
		w := newWhere(t, host, scope)
		install(t, w)
		mine := w.path("mine/notes.md")
		put(t, mine, []byte("mine"))
		s, _ := w.setup()
		want := map[string]string{mine: "mine"}
		if s.settings != "" {
			name := w.path(s.settings)
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			put(t, name, append([]byte("{\n  \"mine\": [1, 2],"), text[1:]...))
			want[name] = "{\n  \"mine\": [1, 2]\n}\n"
		}
		remove(t, w)
		left := map[string]string{}
		for name, is := range treeOf(t, filepath.Dir(w.Project)) {
			if _, text, _ := strings.Cut(is, " "); is[0] == '-' {
				left[filepath.Join(filepath.Dir(w.Project), filepath.FromSlash(name))] = text
			}
		}
		if !maps.Equal(left, want) {
			t.Errorf("%s, %s: left %q, want %q", host, scope, left, want)
		}
	}
}

// A command's file that somebody has changed is theirs; one that git gave other line ends, or an older version wrote,
// is ours.
func TestCommandFileOwners(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		of    func(file) []byte // what is there, in the place of each
		ours  bool
		state State
		same  bool // and current
	}{
		"as it was":       {func(f file) []byte { return f.signed() }, true, Complete, true},
		"CRLF":            {func(f file) []byte { return bytes.ReplaceAll(f.signed(), []byte("\n"), []byte("\r\n")) }, true, Complete, true},
		"of an older one": {func(f file) []byte { return file{f.path, "older\n"}.signed() }, true, Outdated, false},
		"an older with CRLF": {func(f file) []byte {
			return []byte(strings.ReplaceAll(string(file{f.path, "older\ntext\n"}.signed()), "\n", "\r\n"))
		}, true, Outdated, false},
		"of a later one": {func(f file) []byte { return file{f.path, f.text + "later\n"}.signed() }, true, Outdated, false},
		"edited":         {func(f file) []byte { return bytes.Replace(f.signed(), []byte("gsd"), []byte("GSD"), 1) }, false, Complete, false},
		"with more":      {func(f file) []byte { return append(f.signed(), "mine\n"...) }, false, Complete, false},
		"with less":      {func(f file) []byte { return []byte(f.text) }, false, Complete, false},
		"another's":      {func(file) []byte { return []byte("mine\n") }, false, Complete, false},
		"empty":          {func(file) []byte { return []byte{} }, false, Complete, false},
		"a false digest": {func(file) []byte { return []byte("mine\n<!-- " + signature + "0123456789abcdef -->\n") }, false, Complete, false},
	} {
		for _, host := range []string{Claude, Gemini, OpenCode} { // of each kind of comment
			w := newWhere(t, host, Project)
			install(t, w)
			s, _ := w.setup()
			for _, f := range s.files {
				put(t, w.path(f.path), c.of(f))
			}
			before := treeOf(t, w.Project)
			p, err := Install(w)
			mustPlan(t, p, err)
			want := c.state
			if host == OpenCode && !c.ours { // has nothing else
				want = Absent
			}
			changes := 0
			if c.ours && !c.same {
				changes = len(s.files)
			}
			if p.State != want || len(p.Changes) != changes || (len(p.Notes) > 0) == c.ours {
				t.Errorf("%s, %s: %s, %d changes, notes %q", name, host, p.State, len(p.Changes), p.Notes)
			}
			apply(t, p)
			if !c.ours {
				sameTree(t, name, treeOf(t, w.Project), before)
			} else {
				installed(t, w)
			}
			for _, f := range s.files {
				put(t, w.path(f.path), c.of(f))
			}
			remove(t, w)
			for _, f := range s.files {
				if text, err := os.ReadFile(w.path(f.path)); (err == nil) == c.ours || err == nil && !bytes.Equal(text, c.of(f)) {
					t.Errorf("%s, %s: %s removed: %q, %v", name, host, f.path, text, err)
				}
			}
		}
	}
}

// Older hooks, some of them, and a status line of somebody else's.
func TestInstallStates(t *testing.T) {
	hooks := func(t *testing.T, w Where, change func(string) string) *Plan {
		t.Helper()
		install(t, w)
		name := w.path("settings.json")
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		put(t, name, []byte(change(string(text))))
		p, err := Install(w)
		return mustPlan(t, p, err)
	}
	for name, c := range map[string]struct {
		change func(string) string
		state  State
		notes  int
	}{
		"an older hook":       {func(s string) string { return strings.Replace(s, `"command": "gsd `, `"command": "/old/gsd `, 1) }, Outdated, 0},
		"their timeout":       {func(s string) string { return strings.Replace(s, `"timeout": 10`, `"timeout": 50`, 1) }, Complete, 0},
		"their way of a hook": {func(s string) string { return strings.Replace(s, " --pid=$PPID", " -C sub", 1) }, Complete, 1},
		"a hook less":         {func(s string) string { return strings.Replace(s, "gsd hook end", "my hook end", 1) }, Partly, 0},
		"no hook":             {func(string) string { return "{}" }, Partly, 0},
		"their status line": {func(s string) string {
			return strings.Replace(s, "{", `{"statusLine":{"type":"command","command":"date"},`, 1)
		}, Complete, 1},
		"comments": {func(s string) string { return "// mine\n" + s }, Complete, 1},
		"a comma":  {func(s string) string { return strings.TrimSuffix(s, "\n}\n") + ",}" }, Complete, 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWhere(t, Claude, Project)
			p := hooks(t, w, c.change)
			w.StatusLine = name == "their status line"
			if w.StatusLine {
				q, err := Install(w)
				p = mustPlan(t, q, err)
			}
			if p.State != c.state || len(p.Notes) != c.notes {
				t.Errorf("%s, notes %q", p.State, p.Notes)
			}
			apply(t, p)
			installed(t, w)
			if text, _ := os.ReadFile(w.path("settings.json")); w.StatusLine && !bytes.Contains(text, []byte(`"command":"date"`)) {
				t.Errorf("their status line is gone: %s", text)
			}
		})
	}
}

// What calls us as we do not write it is somebody's own: it stays through everything, and everything goes on.
func TestInstallTheirs(t *testing.T) {
	t.Parallel()
	for _, call := range []string{
		`\"$HOME/go/bin/gsd\" `, "$HOME/go/bin/gsd ", "~/bin/gsd ", "./tools/gsd ", "command -v gsd >/dev/null && gsd ", "env A=1 gsd ", "gsd -C sub ",
	} {
		for host, scope := range places {
			w := newWhere(t, host, scope)
			s, _ := w.setup()
			if s.settings == "" {
				continue
			}
			install(t, w)
			text, err := os.ReadFile(w.path(s.settings))
			if err != nil {
				t.Fatal(err)
			}
			theirs := bytes.ReplaceAll(text, []byte(`"gsd `), []byte(`"`+call))
			put(t, w.path(s.settings), theirs)
			p, err := Install(w)
			hooks := bytes.Count(theirs, []byte(call))
			if mustPlan(t, p, err); p.State != Complete || len(p.Changes) != 0 || len(p.Notes) != hooks {
				t.Errorf("%s, %s, %s: %s, %d changes, %d notes for %d hooks", call, host, scope, p.State, len(p.Changes), len(p.Notes), hooks)
			}
			if p := remove(t, w); len(p.Notes) != hooks {
				t.Errorf("%s, %s, %s: a removal says %q", call, host, scope, p.Notes)
			}
			install(t, w)
			if is, err := os.ReadFile(w.path(s.settings)); err != nil || !bytes.Equal(is, theirs) {
				t.Errorf("%s, %s, %s: theirs became %s, %v", call, host, scope, is, err)
			}
		}
	}
}

// Ours is not there only where theirs runs whenever ours would; and then it runs once. What may run beside it is said.
func TestInstallBesideTheirs(t *testing.T) {
	t.Parallel()
	const call, ours = `"type":"command","command":"gsd hydrate -C sub"`, `{"type":"command","command":"gsd hydrate --host HOST --pid=$PPID"}`
	group := func(matcher, handler string) string {
		return `{"matcher":"` + matcher + `","hooks":[` + handler + `]}`
	}
	for name, c := range map[string]struct {
		host  string
		event string // of SessionStart
		ours  bool   // is there then
		note  string // of the one that is there
		twice bool
	}{
		"for everything":           {Claude, group("", `{`+call+`}`), false, "in its own way", false},
		"for everything by a star": {Claude, group("*", `{`+call+`,"timeout":5,"async":false}`), false, "in its own way", false},
		"ours beside it":           {Claude, group("", `{`+call+`},`+ours), false, "in its own way", false},
		"ours in another group":    {Claude, group("", `{`+call+`}`) + "," + group("", ours), false, "in its own way", false},
		"our mess beside it":       {Claude, group("", `{`+call+`}`) + "," + group("compact", ours) + "," + ours, false, "in its own way", false},
		"for some":                 {Claude, group("compact", `{`+call+`}`), true, "a second time", true},
		"for some, and ours":       {Claude, group("compact", `{`+call+`},`+ours), true, "a second time", true},
		"not waited for":           {Claude, group("", `{`+call+`,"async":true}`), true, "a second time", true},
		"of another type":          {Claude, group("", `{"type":"prompt","command":"gsd hydrate"}`), true, "a second time", true},
		"in no group":              {Claude, `{` + call + `}`, true, "in its own way", false},
		"only a word of it":        {Claude, group("", `{"type":"command","command":"echo 'tip: gsd hydrate shows the plan'"}`), true, "a second time", false},
		"in a comment":             {Claude, group("", `{"type":"command","command":"true # gsd hydrate"}`), true, "a second time", false},
		"without a shell":          {Claude, group("", `{"type":"command","command":"gsd","args":["hydrate","--host","claude"]}`), false, "in its own way", false},
		"one that no shell finds":  {Claude, group("", `{"type":"command","command":"gsd hydrate -x","args":[]}`), true, "a second time", false},
		"a word without a shell":   {Claude, group("", `{"type":"command","command":"echo","args":["; gsd hydrate"]}`), true, "a second time", false},
		"Codex, for everything":    {Codex, group("", `{`+call+`}`), false, "in its own way", false},
		"Codex, on one system":     {Codex, group("", `{`+call+`,"commandWindows":"x"}`), true, "a second time", true},
		"Copilot, on all systems":  {Copilot, `{"type":"command","bash":"gsd hydrate -x","powershell":"& gsd hydrate -x"}`, false, "in its own way", false},
		"Copilot, on one":          {Copilot, `{"type":"command","bash":"gsd hydrate -x"}`, true, "a second time", true},
		"Copilot, ours on one":     {Copilot, `{"type":"command","bash":"gsd hydrate --host copilot --pid=$PPID","powershell":"x"}`, true, "a second time", true},
		"Copilot, theirs on one":   {Copilot, `{"type":"command","bash":"x","powershell":"gsd hydrate --host copilot --pid=$PPID"}`, true, "a second time", true},
		"Copilot, for some":        {Copilot, `{` + call + `,"matcher":"startup"}`, true, "a second time", true},
	} {
		w := newWhere(t, c.host, Project)
		s, _ := w.setup()
		event := strings.ReplaceAll(c.event, "HOST", c.host)
		put(t, w.path(s.settings), []byte(`{"version":1,"hooks":{"SessionStart":[`+event+`]}}`))
		p := install(t, w)
		if len(p.Notes) != 1 || !strings.Contains(p.Notes[0], c.note) || p.Twice != c.twice || p.State == Complete {
			t.Errorf("%s: %s, %v, %q", name, p.State, p.Twice, p.Notes)
		}
		text, _ := os.ReadFile(w.path(s.settings))
		all, _ := findEntries(text, kindOf)
		n := 0
		for _, h := range all {
			if h.kind == "hydrate" {
				n++
			}
		}
		if c.ours != (n == 1) || n > 1 {
			t.Errorf("%s: ours is there %d times: %s", name, n, text)
		}
		if others, _ := findTheirs(text); len(others) != 1 {
			t.Errorf("%s: theirs is not there: %s", name, text)
		}
		installed(t, w)
		remove(t, w)
		text, _ = os.ReadFile(w.path(s.settings))
		if all, err := findEntries(text, kindOf); len(all) > 0 || err != nil {
			t.Errorf("%s: left %s, %v", name, text, err)
		}
	}
	// Both of theirs run, and neither for what ours is for.
	w := newWhere(t, Claude, Project)
	put(t, w.path("settings.json"), []byte(`{"hooks":{"PostToolUse":[{"matcher":"Bash|Edit","hooks":[{"type":"command","command":"gsd hook task -x"}]}],
		"SessionEnd":[`+group("", `{"type":"command","command":"gsd hook end -1"},{"type":"command","command":"gsd hook end -`+strings.Repeat("é", 500)+`"}`)+`]}}`))
	p := install(t, w)
	if text, _ := os.ReadFile(w.path("settings.json")); !p.Twice || len(p.Notes) != 3 || !bytes.Contains(text, []byte(`"TodoWrite"`)) ||
		bytes.Contains(text, []byte("gsd hook end --host")) || slices.ContainsFunc(p.Notes, func(s string) bool { return strings.Count(s, "é") > 120 }) {
		t.Errorf("%v, %q: %s", p.Twice, p.Notes, text)
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
		"before every request": {Gemini, `"BeforeAgent":[{"hooks":[{"type":"command","command":"gsd hydrate --host gemini --pid=$PPID"}]}]`, "gsd"},
		"in another spelling":  {Copilot, `"sessionStart":[{"type":"command","command":"/o/gsd hydrate --host copilot --pid=$PPID","timeoutSec":10}]`, "/o/gsd"},
		"in both":              {Copilot, `"sessionEnd":[{"command":"gsd hook end --host copilot --pid=$PPID"}],"SessionEnd":[{"command":"gsd hook end --host copilot --pid=$PPID"}]`, "gsd"},
	} {
		w := newWhere(t, c.host, Project)
		s, _ := w.setup()
		put(t, w.path(s.settings), []byte(`{"version":1,"hooks":{`+c.hooks+`}}`))
		if p := install(t, w); p.State != Partly {
			t.Errorf("%s: %s", name, p.State)
		}
		text, _ := os.ReadFile(w.path(s.settings))
		want, err := insertEntries([]byte(`{"version":1}`), setupOf(c.host, Project, c.program, false).entries, kindOf)
		if got := decoded(t, text); err != nil || !reflect.DeepEqual(got, decoded(t, want)) {
			t.Errorf("%s: %s, want %s (%v)", name, text, want, err)
		}
		installed(t, w)
		if strings.Contains(c.hooks, "SessionStart") || c.host == Copilot {
			continue // which would be there twice
		}
		put(t, w.path(s.settings), bytes.Replace(text, []byte(`"hooks":{`), []byte(`"hooks":{`+c.hooks+`,`), 1))
		p, err := Install(w)
		if mustPlan(t, p, err); p.State != Outdated {
			t.Errorf("%s beside all of ours: %s", name, p.State)
		}
	}
}

// What could not be installed into can be removed from, as long as it is valid.
func TestRemoveFromAny(t *testing.T) {
	t.Parallel()
	const end = `{"hooks":[{"type":"command","command":"gsd hook end --host claude --pid=$PPID"}]}`
	for text, want := range map[string]string{
		`{"hooks":null}`:               ``,
		`{"hooks":[]}`:                 ``,
		`{"hooks":{},"hooks":{}}`:      ``,
		`{"hooks":{"SessionStart":7}}`: ``,
		`{"hooks":{"SessionEnd":[` + end + `],"SessionStart":null}}`:                `{"hooks":{"SessionStart":null}}`,
		`{"hooks":{"SessionEnd":[` + end + `]},"hooks":null}`:                       `{"hooks":null}`,
		`{"hooks":{"Stop":[` + end + `]},"hooks":{"Stop":[` + end + `],"Stop":{}}}`: `{"hooks":{"Stop":{}}}`,
	} {
		w := newWhere(t, Claude, Project)
		put(t, w.path("settings.json"), []byte(text))
		_, err := Install(w)
		wantError(t, err, Bad)
		state := Partly
		if want == "" {
			want, state = text, Absent
		}
		if p := remove(t, w); p.State != state || len(p.Notes) > 0 {
			t.Errorf("%s: %s, %q", text, p.State, p.Notes)
		}
		if is, err := os.ReadFile(w.path("settings.json")); err != nil || string(is) != want {
			t.Errorf("%s became %s, want %s (%v)", text, is, want, err)
		}
	}
}

// A command file of ours that somebody keeps elsewhere stays there; the link to it goes, and one to nowhere stops nothing.
func TestRemoveLinkedCommand(t *testing.T) {
	t.Parallel()
	w := newWhere(t, Claude, User)
	put(t, w.path("mine"), nil)
	install(t, w)
	root := filepath.Dir(w.Project)
	mark, kept := w.path("commands/gsd/mark.md"), filepath.Join(root, "dot", "mark.md")
	text, _ := os.ReadFile(mark)
	put(t, kept, text)
	if err := os.Remove(mark); err != nil {
		t.Fatal(err)
	}
	link(t, kept, mark)
	installed(t, w)
	remove(t, w)
	if is, err := os.ReadFile(kept); err != nil || !bytes.Equal(is, text) {
		t.Errorf("it became %q, %v", is, err)
	}
	if _, err := os.Lstat(w.path("commands")); err == nil {
		t.Error("the link is left")
	}
	for _, scope := range []Scope{User, Project} {
		w.Scope = scope
		install(t, w)
		gone := w.path("commands/gsd/mark.md")
		if err := os.Remove(gone); err != nil {
			t.Fatal(err)
		}
		link(t, filepath.Join(root, "nowhere"), gone)
		_, err := Install(w)
		wantError(t, err, Refused)
		if p := remove(t, w); p.State != Partly || len(p.Changes) != 4 {
			t.Errorf("%s: %s, %d changes", scope, p.State, len(p.Changes))
		}
		if _, err := os.Lstat(w.path("settings.json")); err == nil {
			t.Errorf("%s: settings are left", scope)
		}
		if to, err := os.Readlink(gone); err != nil || filepath.Base(to) != "nowhere" {
			t.Errorf("%s: the link became %q, %v", scope, to, err)
		}
	}
}

// A link that somebody puts in the place of another in the meantime stays.
func TestRemoveLinkedConflict(t *testing.T) {
	t.Parallel()
	w := newWhere(t, Claude, User)
	install(t, w)
	mark, kept := w.path("commands/gsd/mark.md"), filepath.Join(w.Home, "mark.md")
	if err := os.Rename(mark, kept); err != nil {
		t.Fatal(err)
	}
	link(t, kept, mark)
	p, err := Remove(w)
	mustPlan(t, p, err)
	if err := os.Remove(mark); err != nil {
		t.Fatal(err)
	}
	put(t, mark, []byte("mine"))
	wantError(t, p.Apply(), Conflict)
	if text, err := os.ReadFile(mark); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
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
			"TaskCompleted":[{"hooks":[{"command":"/gone/gsd hook task --host claude --pid=$PPID"}]}]}}`, "/gone/gsd", true},
		"two differ": {`{"hooks":{"SessionEnd":[{"hooks":[{"command":"/gone/gsd hook end --host claude --pid=$PPID"}]}],
			"TaskCompleted":[{"hooks":[{"command":"gsd hook task --host claude --pid=$PPID"}]}]}}`, "gsd", false},
		"a status line alone": {`{"statusLine":{"command":"/gone/gsd statusline"}}`, "gsd", false},
		"of this directory":   {`{"hooks":{"SessionEnd":[{"hooks":[{"command":"./tools/gsd hook end --host claude --pid=$PPID"}]}]}}`, "gsd", false},
	} {
		w := newWhere(t, Claude, Project)
		put(t, w.path("settings.json"), []byte(c.settings))
		p := install(t, w)
		text, _ := os.ReadFile(w.path("settings.json"))
		if !bytes.Contains(text, []byte(`"`+c.want+` hydrate --host claude`)) || p.Idle != (c.idle && rooted) || p.Idle && len(p.Notes) != 1 {
			t.Errorf("%s: idle %v, %q: %s", name, p.Idle, p.Notes, text)
		}
		installed(t, w)
	}
	for _, bin := range []string{`"` + there + `"`, "/gone/gsd"} {
		w := newWhere(t, OpenCode, Project)
		w.Program = bin
		install(t, w)
		w.Program = ""
		p, err := Install(w)
		if mustPlan(t, p, err); p.State != Complete || len(p.Changes) > 0 || p.Idle != (bin == "/gone/gsd" && rooted) {
			t.Errorf("OpenCode calls %s: %s, %d changes, %q", bin, p.State, len(p.Changes), p.Notes)
		}
	}
	for _, name := range []string{`"/a$b/gsd"`, `"gsd2"`, `7`, `"/a\"b/gsd"`} { // signed by somebody else
		w := newWhere(t, OpenCode, Project)
		put(t, w.path("plugins/gsd.js"), file{"plugins/gsd.js", "\nconst PROGRAM = " + name + "\n"}.signed())
		install(t, w)
		if text, _ := os.ReadFile(w.path("plugins/gsd.js")); !bytes.Contains(text, []byte(`PROGRAM = "gsd"`)) {
			t.Errorf("OpenCode calls %s", name)
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
			at := w
			at.Scope = scope
			put(t, at.path(setupOf(Claude, scope, program, false).settings), []byte(text))
		}
		p := install(t, w)
		said := slices.ContainsFunc(p.Notes, func(s string) bool { return strings.HasPrefix(s, "<settings.") && strings.Contains(s, "hooks will") })
		if p.Idle != c.want || said != c.want {
			t.Errorf("%s: %v, %q", name, p.Idle, p.Notes)
		}
		if p := remove(t, w); p.Idle {
			t.Errorf("%s: a removal says %q", name, p.Notes)
		}
	}
}

// A killed gsd's temporaries go with the next change of their file; others' stay.
func TestInstallSweeps(t *testing.T) {
	w := newWhere(t, Claude, Project)
	const hex = "0123456789abcdef"
	old := time.Now().Add(-time.Hour)
	for name, stays := range map[string]bool{
		".settings.json." + hex + ".tmp": false, ".other.json." + hex + ".tmp": true, ".settings.json." + hex[1:] + ".tmp": true, ".settings.json.tmp": true,
		".settings.json.mine.tmp": true, ".settings.json." + hex: true, "settings.json." + hex + ".tmp": true,
	} {
		put(t, w.path(name), nil)
		if err := os.Chtimes(w.path(name), old, old); err != nil {
			t.Fatal(err)
		}
		install(t, w)
		if _, err := os.Lstat(w.path(name)); (err == nil) != stays {
			t.Errorf("%s: %v", name, err)
		}
		remove(t, w)
	}
	put(t, w.path(".settings.json."+hex+".tmp"), nil)
	install(t, w)
	if _, err := os.Lstat(w.path(".settings.json." + hex + ".tmp")); err != nil {
		t.Error("that of a living gsd is gone")
	}
}

// A settings file that is none, or too long, is left alone, and then all the others are.
func TestInstallBadSettings(t *testing.T) {
	t.Parallel()
	huge := append([]byte(`{"a":"`), bytes.Repeat([]byte("x"), 5<<20)...)
	for name, text := range map[string][]byte{
		"empty": {}, "blank": []byte("\n"), "cut off": []byte(`{"hooks":`), "an array": []byte("[]"), "null": []byte("null"), "text": []byte("settings"),
		"no UTF-8": []byte("{\"a\":\"\xff\"}"),
		"5 MiB":    append(huge, `"}`...),
	} {
		for host, scope := range places {
			w := newWhere(t, host, scope)
			s, _ := w.setup()
			if s.settings == "" || len(text) > 1<<20 && scope != Local {
				continue
			}
			put(t, w.path(s.settings), text)
			before := treeOf(t, w.base())
			for _, plan := range []func(Where) (*Plan, error){Install, Remove} {
				p, err := plan(w)
				if err == nil {
					t.Errorf("%s, %s: %s: %v", host, scope, name, p)
					continue
				}
				wantError(t, err, Bad)
				if p != nil {
					t.Errorf("%s, %s: a plan of half of it", host, name)
				}
			}
			sameTree(t, name, treeOf(t, w.base()), before)
		}
	}
}

// A file that could not be read again with ours in it stays as it is, and so do the others.
func TestInstallNoRoom(t *testing.T) {
	w := newWhere(t, Claude, Project)
	text := append([]byte(`{"a":"`), bytes.Repeat([]byte("x"), maxSettings-20)...)
	put(t, w.path("settings.json"), append(text, `"}`...))
	before := treeOf(t, w.Project)
	p, err := Install(w)
	wantError(t, err, Bad)
	if p != nil {
		t.Error("a plan of half of it")
	}
	remove(t, w)
	sameTree(t, "no room", treeOf(t, w.Project), before)
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, name); err != nil {
		t.Skip("no links here: ", err)
	}
}

// In a project nothing leads out, and nothing but a regular file is written: all of it is looked at before the first
// file is.
func TestInstallRefused(t *testing.T) {
	for name, c := range map[string]struct {
		make func(t *testing.T, w Where, outside string)
		kind Kind
	}{
		"settings lead out": {func(t *testing.T, w Where, outside string) {
			put(t, filepath.Join(outside, "s.json"), []byte("{}"))
			link(t, filepath.Join(outside, "s.json"), w.path("settings.json"))
		}, Refused},
		"settings lead elsewhere": {func(t *testing.T, w Where, _ string) {
			put(t, filepath.Join(w.Project, "s.json"), []byte("{}"))
			link(t, "../s.json", w.path("settings.json"))
		}, Refused},
		"settings lead nowhere": {func(t *testing.T, w Where, _ string) { link(t, "nothing", w.path("settings.json")) }, Refused},
		"settings are a directory": {func(t *testing.T, w Where, _ string) {
			put(t, w.path("settings.json/a"), []byte("{}"))
		}, Refused},
		"the directory leads out":       {func(t *testing.T, w Where, outside string) { link(t, outside, w.base()) }, Refused},
		"the directory leads above":     {func(t *testing.T, w Where, _ string) { link(t, "../outside", w.base()) }, Refused},
		"the directory leads nowhere":   {func(t *testing.T, w Where, _ string) { link(t, "nothing", w.base()) }, Refused},
		"the directory is a file":       {func(t *testing.T, w Where, _ string) { put(t, w.base(), []byte("mine")) }, Refused},
		"the directory leads to itself": {func(t *testing.T, w Where, _ string) { link(t, ".claude", w.base()) }, Refused},
		"the last command leads out": {func(t *testing.T, w Where, outside string) {
			put(t, filepath.Join(outside, "status.md"), []byte("x"))
			link(t, filepath.Join(outside, "status.md"), w.path("commands/gsd/status.md"))
		}, Refused},
		"the last command is a directory": {func(t *testing.T, w Where, _ string) { put(t, w.path("commands/gsd/status.md/a"), nil) }, Refused},
		"the commands lead out":           {func(t *testing.T, w Where, outside string) { link(t, outside, w.path("commands")) }, Refused},
		"the commands lead nowhere":       {func(t *testing.T, w Where, _ string) { link(t, "../nothing", w.path("commands")) }, Refused},
		"the commands are a file":         {func(t *testing.T, w Where, _ string) { put(t, w.path("commands/gsd"), []byte("mine")) }, Refused},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWhere(t, Claude, Project)
			root := filepath.Dir(w.Project)
			outside := filepath.Join(root, "outside")
			put(t, filepath.Join(outside, "theirs"), []byte("x"))
			c.make(t, w, outside)
			before := treeOf(t, root)
			p, err := Install(w)
			wantError(t, err, c.kind)
			if p != nil {
				t.Error("a plan of half of it")
			}
			if p, err := Remove(w); err == nil {
				apply(t, p)
			}
			sameTree(t, name, treeOf(t, root), before)
		})
	}
}

// A link inside of the project may be how it keeps its files.
func TestInstallLinkInside(t *testing.T) {
	w := newWhere(t, Claude, Project)
	put(t, filepath.Join(w.Project, "config/claude/settings.json"), []byte("{}"))
	link(t, "config/claude", w.base())
	before := treeOf(t, w.Project)
	install(t, w)
	installed(t, w)
	if text, err := os.ReadFile(filepath.Join(w.Project, "config/claude/settings.json")); err != nil || !bytes.Contains(text, []byte("gsd hydrate")) {
		t.Errorf("%s, %v", text, err)
	}
	remove(t, w)
	sameTree(t, "removed", treeOf(t, w.Project).kept(), before.kept())
}

// A person's own settings may be links into their dotfiles: what they lead to is changed, and they stay.
func TestInstallDotfiles(t *testing.T) {
	for _, host := range Names() {
		for _, whole := range []bool{true, false} {
			t.Run(fmt.Sprint(host, whole), func(t *testing.T) {
				w := newWhere(t, host, User)
				root := filepath.Dir(w.Project)
				dotfiles := filepath.Join(root, "dotfiles")
				s, _ := w.setup()
				if whole {
					put(t, filepath.Join(dotfiles, "README"), []byte("mine"))
					link(t, dotfiles, w.base())
				} else {
					if s.settings == "" {
						t.Skip("no settings")
					}
					put(t, filepath.Join(dotfiles, "s.json"), []byte("{\"a\": 1}\n"))
					link(t, filepath.Join(dotfiles, "s.json"), w.path(s.settings))
					link(t, dotfiles, w.path("commands"))
				}
				before := treeOf(t, root)
				install(t, w)
				installed(t, w)
				after := treeOf(t, root)
				for name, is := range before {
					if is[0] == 'L' && after[name] != is {
						t.Errorf("the link %s became %q", name, after[name])
					}
				}
				if !whole && !strings.Contains(after["dotfiles/s.json"], "gsd hydrate") {
					t.Errorf("the link was not followed: %q", after["dotfiles/s.json"])
				}
				remove(t, w)
				sameTree(t, "removed", treeOf(t, root).kept(), before.kept())
			})
		}
	}
}

func TestInstallDotfilesRefused(t *testing.T) {
	for name, make := range map[string]func(t *testing.T, w Where){
		"settings lead nowhere":    func(t *testing.T, w Where) { link(t, "nothing", w.path("settings.json")) },
		"settings lead in a round": func(t *testing.T, w Where) { link(t, "settings.json", w.path("settings.json")) },
		"the directory is nowhere": func(t *testing.T, w Where) { link(t, "nothing", w.base()) },
		"the directory is a file":  func(t *testing.T, w Where) { put(t, w.base(), []byte("mine")) },
		"settings are a directory": func(t *testing.T, w Where) { put(t, w.path("settings.json/a"), nil) },
		"it leads to a directory": func(t *testing.T, w Where) {
			put(t, filepath.Join(w.Home, "dir/a"), nil)
			link(t, filepath.Join(w.Home, "dir"), w.path("settings.json"))
		},
		"the commands are nowhere": func(t *testing.T, w Where) { link(t, "nothing", w.path("commands")) },
		"the commands are a file":  func(t *testing.T, w Where) { put(t, w.path("commands/gsd"), nil) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWhere(t, Claude, User)
			make(t, w)
			before := treeOf(t, w.Home)
			_, err := Install(w)
			wantError(t, err, Refused)
			if e := err.(*Error); strings.Contains(e.Hint, "--scope") || strings.Contains(e.Text, "EvalSymlinks") {
				t.Errorf("%s; hint: %s", e.Text, e.Hint)
			}
			sameTree(t, name, treeOf(t, w.Home), before)
		})
	}
}

// Somebody writes between the look and the change: theirs stays, and nothing of it is lost.
func TestInstallConflict(t *testing.T) {
	for name, c := range map[string]struct {
		before, meanwhile string // of the settings; nothing for no file
	}{
		"changed":  {"{}", `{"a":1}`},
		"the same": {"{}", "{}"},
		"appeared": {"", `{"a":1}`},
		"vanished": {"{}", ""},
	} {
		for verb, plan := range map[string]func(Where) (*Plan, error){"install": Install, "remove": Remove} {
			t.Run(name+" "+verb, func(t *testing.T) {
				w := newWhere(t, Claude, Local)
				file := w.path("settings.local.json")
				if c.before != "" {
					put(t, file, []byte(c.before))
				}
				if verb == "remove" {
					install(t, w)
				}
				p, err := plan(w)
				mustPlan(t, p, err)
				if err := os.Remove(file); err != nil && verb == "remove" {
					t.Fatal(err)
				}
				if c.meanwhile != "" {
					put(t, file, []byte(c.meanwhile))
				}
				before := treeOf(t, w.Project)
				wantError(t, p.Apply(), Conflict)
				sameTree(t, name, treeOf(t, w.Project), before)
				p, err = plan(w)
				apply(t, mustPlan(t, p, err))
			})
		}
	}
}

// Two at once end in what either would have made, or one says that the other was faster.
func TestInstallAtOnce(t *testing.T) {
	for round := range 4 {
		for _, host := range []string{Claude, Copilot, OpenCode} {
			w := newWhere(t, host, Project)
			s, _ := w.setup()
			theirs := []byte("{\n  \"theirs\": 1\n}\n")
			if round%2 == 1 && s.settings != "" {
				put(t, w.path(s.settings), theirs)
			}
			var all sync.WaitGroup
			errs := make([]error, 4)
			for i := range errs {
				all.Go(func() {
					p, err := Install(w)
					if err == nil {
						p.writer = p.writer.Lazily()
						err = p.Apply()
					}
					errs[i] = err
				})
			}
			all.Wait()
			won := 0
			for _, err := range errs {
				if err == nil {
					won++
					continue
				}
				wantError(t, err, Conflict)
			}
			if won == 0 { // each met another one
				install(t, w)
			}
			installed(t, w)
			remove(t, w)
			left := treeOf(t, w.Project).kept()
			if round%2 == 1 && s.settings != "" {
				if is := left[strings.TrimPrefix(filepath.ToSlash(w.path(s.settings)), filepath.ToSlash(w.Project)+"/")]; !strings.HasSuffix(is, string(theirs)) {
					t.Errorf("%s: theirs became %q", host, is)
				}
			} else if len(left) != 0 {
				t.Errorf("%s: left %q", host, left)
			}
		}
	}
}
