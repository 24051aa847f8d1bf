package host

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
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
