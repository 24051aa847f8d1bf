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

// What is allowed is our seven commands and nothing else, in the form of each host.
func TestPermissions(t *testing.T) {
	for _, c := range []struct {
		host  string
		scope Scope
		bin   string
		want  string
	}{
		{Claude, Project, "gsd", `"Bash(gsd bootstrap:*)" "Bash(gsd done:*)" "Bash(gsd hydrate:*)" "Bash(gsd mark:*)" "Bash(gsd next:*)" "Bash(gsd status:*)" "Bash(gsd tasks:*)" ` +
			`"Bash(gsd takeover:*)" "Bash(gsd takeover)"`},
		{Claude, User, `"/a b/gsd"`, `"Bash(\"/a b/gsd\" bootstrap:*)" "Bash(\"/a b/gsd\" done:*)" "Bash(\"/a b/gsd\" hydrate:*)" "Bash(\"/a b/gsd\" mark:*)" "Bash(\"/a b/gsd\" next:*)" ` +
			`"Bash(\"/a b/gsd\" status:*)" "Bash(\"/a b/gsd\" tasks:*)" "Bash(\"/a b/gsd\" takeover:*)" "Bash(\"/a b/gsd\" takeover)"`},
		// Such a rule would also match other programs.
		{Claude, User, `"/a*/gsd"`, ""},
		{Claude, User, `"/a)/gsd"`, ""},
		{Codex, Project, `"/a b/gsd"`, "# gsd's commands for the work on a plan run without a question, and outside of the sandbox.\n" +
			`prefix_rule(pattern = ["/a b/gsd", ["bootstrap", "done", "hydrate", "mark", "next", "status", "tasks"]], decision = "allow")` + "\n" +
			"# What may take work away from somebody is asked about.\n" + `prefix_rule(pattern = ["/a b/gsd", "takeover"], decision = "prompt")` + "\n"},
		{Gemini, User, `"/a b/gsd"`, "# gsd's commands for the work on a plan run without a question.\n[[rule]]\n" +
			"toolName = \"run_shell_command\"\ncommandPrefix = [\n  \"\\\"/a b/gsd\\\" bootstrap\",\n  \"\\\"/a b/gsd\\\" done\",\n  \"\\\"/a b/gsd\\\" hydrate\",\n  \"\\\"/a b/gsd\\\" mark\",\n" +
			"  \"\\\"/a b/gsd\\\" next\",\n  \"\\\"/a b/gsd\\\" status\",\n  \"\\\"/a b/gsd\\\" tasks\",\n]\ndecision = \"allow\"\npriority = 100\n" +
			"modes = [\"default\", \"autoEdit\", \"yolo\"]\n"},
		{Gemini, Project, "gsd", ""}, // which has no such file
		{Qwen, User, `"/a*/gsd"`, ""},
		{Copilot, User, "gsd", ""},
		{Cursor, User, "gsd", ""},
		{OpenCode, User, "gsd", ""},
	} {
		s := setup{}.allowing(c.host, c.scope, c.bin, true)
		var got []string
		for _, e := range s.entries {
			for _, text := range e.rules {
				got = append(got, quoted(text))
			}
		}
		for _, f := range s.files {
			got = append(got, f.text)
			if !s.wants(f) || f.state(f.signed()) != current {
				t.Errorf("%s: %s", c.host, f.path)
			}
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s, %s, %s (-want +got)\n%s", c.host, c.scope, c.bin, diff)
		}
	}
}

// A new installation allows our commands, unless it is told not to. A later one keeps what the former did, and so does a
// check.
func TestNoPermissions(t *testing.T) {
	for host, scope := range places {
		t.Run(host+" "+string(scope), func(t *testing.T) {
			t.Parallel()
			with := newWhere(t, host, scope)
			none := treeOf(t, filepath.Dir(with.Project))
			without := with
			without.NoPermissions = true

			install(t, with)
			full := treeOf(t, filepath.Dir(with.Project))
			has := func(want bool) {
				t.Helper()
				text, err := os.ReadFile(with.path(setupOf(host, scope, program, false).settings))
				is := err == nil && strings.Contains(string(text), "Bash(gsd mark:*)")
				for _, name := range []string{"rules/gsd.rules", "policies/gsd.toml"} {
					_, err := os.Stat(with.path(name))
					is = is || err == nil
				}
				can := host == Claude || host == Qwen || host == Codex || host == Gemini && scope == User
				if is != (want && can) {
					t.Fatalf("allows our commands: %t, want %t\n%s", is, want && can, text)
				}
			}
			has(true)

			p := install(t, without) // which takes them back
			if has(false); len(p.Changes) > 0 && p.State != Outdated {
				t.Errorf("with permissions it is %s to an installation without", p.State)
			}
			installed(t, without)
			installed(t, with)
			has(false)

			uninstall(t, with)
			install(t, without)
			has(false)
			installed(t, with)
			uninstall(t, with)
			install(t, with)
			sameTree(t, "installed again", treeOf(t, filepath.Dir(with.Project)), full)

			uninstall(t, without)
			left := treeOf(t, filepath.Dir(with.Project))
			if scope != User {
				sameTree(t, "removed", left, none)
			} else if len(left.kept()) != len(none.kept()) {
				t.Errorf("removed: %v", left.kept())
			}
		})
	}
}

// A rule of the user's own stays, whether it was there before or is what he made of ours.
func TestPermissionsOfTheUser(t *testing.T) {
	w := newWhere(t, Claude, Local)
	name := w.path("settings.local.json")
	const before = "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(gsd mark:*)\"\n    ]\n  }\n}\n"
	put(t, name, []byte(before))
	install(t, w)
	text, _ := os.ReadFile(name)
	if n := strings.Count(string(text), "Bash(gsd mark:*)"); n != 2 {
		t.Errorf("%d times in\n%s", n, text)
	}
	uninstall(t, w)
	if text, _ := os.ReadFile(name); string(text) != before {
		t.Errorf("removed: %s", text)
	}

	install(t, w)
	text, _ = os.ReadFile(name)
	mine := strings.Replace(string(text), "      \"Bash(gsd next:*)\",\n", "", 1)
	put(t, name, []byte(mine))
	if p := install(t, w); len(p.Changes) > 0 {
		t.Errorf("a changed list is changed back")
	}
	if !strings.Contains(string(text), "Bash(gsd takeover:*)") {
		t.Errorf("nothing is asked about: %s", text)
	}
	uninstall(t, w)
	text, _ = os.ReadFile(name)
	if !strings.Contains(string(text), "Bash(gsd done:*)") || strings.Contains(string(text), "hooks") {
		t.Errorf("removed: %s", text)
	}
}

// A rule of the user's own about what is asked stays as well.
func TestAskedByTheUser(t *testing.T) {
	t.Parallel()
	const before = `{"permissions":{"ask":["Bash(rm:*)","Bash(gsd takeover:*)"]}}`
	w := newWhere(t, Claude, Project)
	name := w.path("settings.json")
	put(t, name, []byte(before))
	if p := uninstall(t, w); p.State != Absent {
		t.Errorf("before: %s", p.State)
	}
	without := w
	without.NoPermissions = true
	for _, w := range []Where{w, without, w} {
		install(t, w)
		installed(t, w)
	}
	if text, _ := os.ReadFile(name); strings.Count(string(text), "takeover") != 1 {
		t.Errorf("without permissions: %s", text)
	}
	uninstall(t, w)
	install(t, w)
	uninstall(t, w)
	if text, _ := os.ReadFile(name); string(text) != before {
		t.Errorf("removed: %s", text)
	}
}

// An update of the program updates the rules with it.
func TestPermissionsUpdate(t *testing.T) {
	for _, host := range []string{Claude, Codex, Gemini, Qwen} {
		w := newWhere(t, host, User)
		w.Program = "/old/gsd"
		install(t, w)
		w.Program = "/new/gsd"
		p := install(t, w)
		if p.State != Outdated || slices.ContainsFunc(p.Changes, func(c Change) bool { return strings.Contains(string(c.After), "/old/gsd") }) {
			t.Errorf("%s: %s\n%+v", host, p.State, p.Changes)
		}
		w.Program = ""
		installed(t, w)
		uninstall(t, w)
	}
}

// What the agent may run is listed as it is, and as it will be; what others have allowed is not gsd's to list.
func TestAllowed(t *testing.T) {
	all := []string{"gsd bootstrap", "gsd done", "gsd hydrate", "gsd mark", "gsd next", "gsd status", "gsd tasks"}
	check := func(t *testing.T, w Where, now, then []string) {
		t.Helper()
		p := planned(t, Install, w)
		if got := [][]string{p.Allowed(true), p.Allowed(false)}; !slices.Equal(got[0], now) || !slices.Equal(got[1], then) {
			t.Errorf("%q, want %q and %q", got, now, then)
		}
	}
	for host, scope := range places {
		t.Run(host+" "+string(scope), func(t *testing.T) {
			w := newWhere(t, host, scope)
			var granted []string
			if host == Claude || host == Qwen || host == Codex || host == Gemini && scope == User {
				granted = all
			}
			check(t, w, nil, granted)
			install(t, w)
			check(t, w, granted, granted)
			w.NoPermissions = true
			check(t, w, granted, nil)
			install(t, w)
			w.NoPermissions = false
			check(t, w, nil, nil)
		})
	}
	w := newWhere(t, Claude, Local)
	install(t, w)
	name := w.path("settings.local.json")
	text, _ := os.ReadFile(name)
	put(t, name, bytes.Replace(text, []byte("      \"Bash(gsd next:*)\",\n"), nil, 1))
	check(t, w, nil, nil)

	w = newWhere(t, Codex, User)
	put(t, w.path("rules/gsd.rules"), []byte("# mine\n"))
	check(t, w, nil, nil)
}
