package agent

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/testenv"
	"pgregory.net/rapid"
)

// Everything is there after an installation, nothing after its removal, and both may be done twice.
func TestInstall(t *testing.T) {
	for host, scope := range places {
		t.Run(host+" "+string(scope), func(t *testing.T) {
			t.Parallel()
			w := newWhere(t, host, scope)
			w.StatusLine = hasStatusLine(host, scope)
			root := filepath.Dir(w.Project)
			before := treeOf(t, root)
			other := w // which does without the other's directory
			if other.Home = ""; scope == User {
				other.Home, other.Project = w.Home, ""
			}
			if _, err := Install(other); err != nil {
				t.Error(err)
			}
			p := planned(t, Install, w)
			if p.State != Absent {
				t.Errorf("before: %s", p.State)
			}
			sameTree(t, "planned", treeOf(t, root), before)
			apply(t, p)
			installed(t, w)
			mode := fs.FileMode(0o644)
			if scope == User {
				mode = 0o600
			}
			s, _ := w.setup()
			if want := len(s.files) + min(len(s.settings), 1) + min(len(s.line), 1); len(p.Changes) != want {
				t.Errorf("%d changes, want %d", len(p.Changes), want)
			}
			for _, c := range p.Changes {
				info, err := os.Lstat(c.Path)
				if err != nil || !info.Mode().IsRegular() || filepath.Separator == '/' && info.Mode().Perm()&^mode != 0 {
					t.Errorf("%s: %v, %v", c.Path, info, err)
				}
			}
			if p := uninstall(t, w); p.State != Complete {
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
			if p := uninstall(t, w); len(p.Changes) != 0 || p.State != Absent {
				t.Errorf("removed once more: %s, %d changes", p.State, len(p.Changes))
			}
		})
	}
}

// TestInstallLaw: whatever was there before, an installation and its removal give it back, byte for byte, with its
// modes, and what others have put beside it stays.
func TestInstallLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(testenv.Laws(t), func(r *rapid.T) {
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
		w.StatusLine = hasStatusLine(w.Host, w.Scope) && rapid.Bool().Draw(r, "line")
		w.Program = rapid.SampledFrom([]string{"", "/opt/gsd", `"/opt/a b/gsd"`}).Draw(r, "program")
		s, err := w.setup()
		if err != nil {
			r.Fatal(err)
		}
		mode := fs.FileMode(0o644)
		if s.settings != "" && rapid.IntRange(0, 3).Draw(r, "settings") > 0 {
			put(r, w.path(s.settings), anySettings(r))
			mode = rapid.SampledFrom([]fs.FileMode{0o644, 0o600, 0o664, 0o400}).Draw(r, "mode")
			if err := os.Chmod(w.path(s.settings), mode); filepath.Separator == '/' && err != nil {
				r.Fatal(err)
			}
		}
		if s.line != "" && rapid.Bool().Draw(r, "line's settings") {
			put(r, w.path(s.line), anySettings(r))
		}
		beside := []string{"other.json", "commands/mine.md", "commands/gsd.mine.md", "skills/gsd.hydrate/notes.md", "hooks/other.json", "plugins/a.js"}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(beside), 0, 4, rapid.ID).Draw(r, "beside") {
			put(r, w.path(name), []byte("mine\r\n"))
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
		uninstall(r, w)
		for _, name := range []string{s.settings, s.line} { // what does not come back is named
			c, err := w.read(name)
			named := func(note string) bool {
				return strings.HasPrefix(note, w.path(name)) && strings.Contains(note, "byte for byte")
			}
			if name != "" && err == nil && slices.ContainsFunc(p.Notes, named) {
				put(r, w.path(name), p.Changes[slices.IndexFunc(p.Changes, func(was Change) bool { return was.Path == c.Path })].Before)
				if err := os.Chmod(w.path(s.settings), mode); name == s.settings && filepath.Separator == '/' && err != nil {
					r.Fatal(err)
				}
			}
		}
		sameTree(r, "removed", treeOf(r, root).kept(), before.kept())
	})
}

// A settings file that holds nothing but ours is removed, also with the line ends that git may have given it.
func TestNewSettingsAreRemoved(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"\n", "\r\n"} {
		w := newWhere(t, Claude, Project)
		install(t, w)
		text, err := os.ReadFile(w.path("settings.json"))
		noError(t, err)
		put(t, w.path("settings.json"), bytes.ReplaceAll(text, []byte("\n"), []byte(end)))
		uninstall(t, w)
		if _, err := os.Stat(w.path("settings.json")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("with %q at the ends of lines: %v", end, err)
		}
	}
}

// A settings file that was there before stays, though nothing was in it, unless it looks as if gsd had made it: then the plan names it.
func TestEmptySettings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{}\n": "", "{}": "{}", "{\n}\n": "", `{"hooks":{}}`: "{}", "{\n  \"hooks\": {}\n}\n": "", "{\r\n  \"hooks\": {}\r\n}\r\n": "",
		`{"permissions":{"allow":[],"ask":[]},"hooks":{}}`:  "{}",
		`{"permissions":{"allow":[],"deny":[]},"hooks":{}}`: `{"permissions":{"deny":[]}}`,
		"{\n  \"hooks\": {},\n  \"permissions\": {}\n}\n":   "",
	} {
		w := newWhere(t, Claude, Project)
		put(t, w.path("settings.json"), []byte(text))
		p := install(t, w)
		if named := slices.ContainsFunc(p.Notes, func(note string) bool { return strings.Contains(note, "byte for byte") }); named != (text != want) {
			t.Errorf("%q: notes %q", text, p.Notes)
		}
		installed(t, w)
		w.Program = "/opt/gsd"
		install(t, w)
		uninstall(t, w)
		if is, err := os.ReadFile(w.path("settings.json")); (err != nil) != (want == "") || string(is) != want {
			t.Errorf("%q became %q (%v), want %q", text, is, err, want)
		}
	}
}

// No rule can name a program whose path has characters that mean something in one.
func TestNoRuleForTheProgram(t *testing.T) {
	t.Parallel()
	w := newWhere(t, Claude, Project)
	w.Program = `"/opt/a,b/gsd"`
	p := install(t, w)
	if !slices.ContainsFunc(p.Notes, func(note string) bool { return strings.Contains(note, "a rule cannot name") }) {
		t.Errorf("notes %q", p.Notes)
	}
	for _, name := range []string{"settings.json", "commands/gsd.mark.md"} {
		if text, err := os.ReadFile(w.path(name)); err != nil || bytes.Contains(text, []byte(allowOpen)) {
			t.Errorf("%s: %v, %s", name, err, text)
		}
	}
}

// A command's file that somebody has changed is theirs; one that git gave other line ends, or an older version wrote,
// is ours.
func TestCommandFileOwners(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	crlf := func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")) }
	for _, host := range []string{Claude, Gemini, OpenCode} { // a command, a shared skill, a plugin
		f := filesOf(host, program)[len(filesOf(host, program))-1]
		w := newWhere(t, host, Project)
		for name, c := range map[string]struct {
			text []byte
			want itemState
		}{
			"as it was":          {f.signed(), current},
			"CRLF":               {crlf(f.signed()), current},
			"of an older one":    {file{path: f.path, text: "older\n"}.signed(), outdated},
			"an older with CRLF": {crlf(file{path: f.path, text: "older\ntext\n"}.signed()), outdated},
			"edited":             {bytes.Replace(f.signed(), []byte("gsd"), []byte("GSD"), 1), taken},
			"with more":          {append(f.signed(), "mine\n"...), taken},
			"with less":          {[]byte(f.text), taken},
			"empty":              {[]byte{}, taken},
			"a false digest":     {[]byte("mine\n<!-- " + signature + "0123456789abcdef -->\n"), taken},
		} {
			install(t, w)
			put(t, w.pathOf(f), c.text)
			p := install(t, w)
			text, _ := os.ReadFile(w.pathOf(f))
			is := f.state(c.text)
			if is != c.want || (len(p.Notes) > 0) != (is == taken) || len(p.Changes) > 0 != (is == outdated) ||
				(is != outdated) != bytes.Equal(text, c.text) {
				t.Errorf("%s, %s: %v, %d changes, notes %q", name, host, is, len(p.Changes), p.Notes)
			}
			uninstall(t, w)
			if _, err := os.Lstat(w.pathOf(f)); (err == nil) != (is == taken) {
				t.Errorf("%s, %s removed: %v", name, host, err)
			}
		}
	}
}

// Older hooks, some of them, and a status line of somebody else's.
func TestInstallStates(t *testing.T) {
	for name, c := range map[string]struct {
		old, new string // in the settings
		state    State
		notes    int
	}{
		"an older hook":       {lines("@start"), lines("@old"), Outdated, 0},
		"their timeout":       {`"timeout": 10`, `"timeout": 50`, Complete, 0},
		"their way of a hook": {lines("@start"), strings.ReplaceAll(lines("@start"), " --pid=$PPID", " -C sub"), Partly, 0},
		"a hook less":         {lines("@end"), "my hook end", Partly, 0},
		"no hook":             {`"hooks"`, `"nothing"`, Partly, 0},
		"their status line":   {"{", `{"statusLine":{"type":"command","command":"date"},`, Complete, 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWhere(t, Claude, Project)
			install(t, w)
			file := w.path("settings.json")
			text, _ := os.ReadFile(file)
			put(t, file, bytes.Replace(text, []byte(c.old), []byte(c.new), 1))
			w.StatusLine = name == "their status line"
			p := install(t, w)
			if p.State != c.state || len(p.Notes) != c.notes {
				t.Errorf("%s, notes %q", p.State, p.Notes)
			}
			installed(t, w)
			if text, _ := os.ReadFile(file); w.StatusLine && !bytes.Contains(text, []byte(`"command":"date"`)) {
				t.Errorf("their status line is gone: %s", text)
			}
		})
	}
}

// What could not be installed into can be removed from, as long as it is valid.
func TestRemoveFromAny(t *testing.T) {
	t.Parallel()
	end := lines(`{"hooks":[{"type":"command","command":"@end"}]}`)
	for text, want := range map[string]string{
		`{"hooks":null}`:               ``,
		`{"hooks":[]}`:                 ``,
		`{"hooks":{"SessionStart":7}}`: ``,
		`{"hooks":{"SessionEnd":[` + end + `],"SessionStart":null}}`: `{"hooks":{"SessionStart":null}}`,
	} {
		w := newWhere(t, Claude, Project)
		put(t, w.path("settings.json"), []byte(text))
		_, err := Install(w)
		wantError(t, err, Bad)
		state := Partly
		if want == "" {
			want, state = text, Absent
		}
		if p := uninstall(t, w); p.State != state || len(p.Notes) > 0 {
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
		noError(t, os.Chtimes(w.path(name), old, old))
		install(t, w)
		if _, err := os.Lstat(w.path(name)); (err == nil) != stays {
			t.Errorf("%s: %v", name, err)
		}
		uninstall(t, w)
	}
	put(t, w.path(".settings.json."+hex+".tmp"), nil)
	install(t, w)
	if _, err := os.Lstat(w.path(".settings.json." + hex + ".tmp")); err != nil {
		t.Error("that of a living gsd is gone")
	}
}

// In a project nothing leads out, and nothing but a regular file is written: all of it is looked at before the first
// file is. A person's own links may lead anywhere, but to a regular file.
func TestInstallRefused(t *testing.T) {
	type arrangement func(t *testing.T, w Where, outside string)
	link := func(to, name string) arrangement {
		return func(t *testing.T, w Where, outside string) {
			put(t, filepath.Join(outside, "s.json"), []byte("{}"))
			link(t, strings.Replace(to, "OUTSIDE", outside, 1), w.path(name))
		}
	}
	file := func(name string, text string) arrangement {
		return func(t *testing.T, w Where, _ string) { put(t, w.path(name), []byte(text)) }
	}
	for name, c := range map[string]struct {
		make   arrangement
		scopes []Scope
		kind   Kind
	}{
		"settings lead out":             {link("OUTSIDE/s.json", "settings.json"), []Scope{Project}, Refused},
		"settings lead elsewhere":       {link("../../outside/s.json", "settings.json"), []Scope{Project}, Refused},
		"settings lead nowhere":         {link("nothing", "settings.json"), []Scope{Project, User}, Refused},
		"settings lead in a round":      {link("settings.json", "settings.json"), []Scope{Project, User}, Refused},
		"settings lead to a directory":  {link("OUTSIDE", "settings.json"), []Scope{Project, User}, Refused},
		"settings are a directory":      {file("settings.json/a", "{}"), []Scope{Project, User}, Refused},
		"settings are empty":            {file("settings.json", ""), []Scope{Project, User}, Bad},
		"settings are cut off":          {file("settings.json", `{"hooks":`), []Scope{Project, User}, Bad},
		"settings are too long":         {file("settings.json", strings.Repeat(" ", 5<<20)), []Scope{Project}, Bad},
		"the directory leads out":       {link("OUTSIDE", "."), []Scope{Project}, Refused},
		"the directory leads above":     {link("../outside", "."), []Scope{Project}, Refused},
		"the directory leads nowhere":   {link("nothing", "."), []Scope{Project, User}, Refused},
		"the directory leads to itself": {link(".claude", "."), []Scope{Project}, Refused},
		"the directory is a file":       {file(".", "mine"), []Scope{Project, User}, Refused},
		"the last command leads out":    {link("OUTSIDE/s.json", "commands/gsd.status.md"), []Scope{Project}, Refused},
		"the last command is no file":   {file("commands/gsd.status.md/a", "x"), []Scope{Project}, Refused},
		"the commands lead out":         {link("OUTSIDE", "commands"), []Scope{Project}, Refused},
		"the commands lead nowhere":     {link("../nothing", "commands"), []Scope{Project, User}, Refused},
		"the commands are a file":       {file("commands", "mine"), []Scope{Project, User}, Refused},
	} {
		for _, scope := range c.scopes {
			t.Run(name+" "+string(scope), func(t *testing.T) {
				w := newWhere(t, Claude, scope)
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
				if e := err.(*Error); scope == User && (strings.Contains(e.Hint, "--scope") || strings.Contains(e.Text, "EvalSymlinks")) {
					t.Errorf("%s; hint: %s", e.Text, e.Hint)
				}
				if p, err := Remove(w); err == nil {
					apply(t, p)
				}
				sameTree(t, name, treeOf(t, root), before)
			})
		}
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
				p := planned(t, plan, w)
				if err := os.Remove(file); err != nil && verb == "remove" {
					t.Fatal(err)
				}
				if c.meanwhile != "" {
					put(t, file, []byte(c.meanwhile))
				}
				before := treeOf(t, w.Project)
				wantError(t, p.Apply(), Conflict)
				sameTree(t, name, treeOf(t, w.Project), before)
				apply(t, planned(t, plan, w))
			})
		}
	}
}

// Every error of the disk has its kind, and says what to do.
func TestFailed(t *testing.T) {
	for err, want := range map[error]Kind{
		durable.ErrChanged: Conflict, durable.ErrEscapes: Refused, durable.ErrNotRegular: Refused, syscall.ENOTDIR: Refused, syscall.ELOOP: Refused,
		durable.ErrTooLarge: Bad, fs.ErrPermission: Denied, syscall.ENOSPC: Failed,
	} {
		for _, scope := range []Scope{Project, User} {
			e := Where{Scope: scope}.failed("write", "/a/b", &fs.PathError{Op: "open", Path: "b", Err: err})
			wantError(t, e, want)
			if e.Text != "cannot write /a/b: "+err.Error() || !errors.Is(e, err) || strings.Contains(e.Hint, "--scope") != (want == Refused && scope == Project) {
				t.Errorf("%v: %s; hint: %s", err, e.Text, e.Hint)
			}
		}
	}
}
