//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A program that PATH does not lead to is called by its path.
func TestCallable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	put := func(name, text string, mode os.FileMode) {
		t.Helper()
		noError(t, os.MkdirAll(filepath.Dir(at(name)), 0o755))
		noError(t, os.WriteFile(at(name), []byte(text), mode))
	}
	put("own/gsd", "\x7fELF", 0o755)
	put("a b/gsd", "\x7fELF", 0o755)
	put("$x/gsd", "\x7fELF", 0o755)
	put("other/gsd", "\x7fELF another", 0o755)
	put("script/gsd", "#!/bin/sh\nexec own/gsd \"$@\"\n", 0o755)
	put("data/gsd", "\x7fELF", 0o644)
	put("folder/gsd/x", "", 0o644)
	put("link/x", "", 0o644)
	noError(t, os.Symlink(at("own/gsd"), at("link/gsd")))
	own := at("own/gsd")
	for name, c := range map[string]struct{ called, path, want string }{
		"by its name":               {"gsd", "", "gsd"},
		"in a test":                 {"", "", "gsd"},
		"by its path":               {own, at("data") + ":" + at("folder") + ":" + at("none"), own},
		"PATH leads to it":          {own, at("none") + ":" + at("own"), "gsd"},
		"PATH leads to a link":      {own, at("link"), "gsd"},
		"called by the link":        {at("link/gsd"), at("own"), "gsd"},
		"the link is not in PATH":   {at("link/gsd"), "", at("link/gsd")},
		"another comes first":       {own, at("other") + ":" + at("own"), own},
		"a script comes first":      {own, at("script"), "gsd"},
		"a relative directory":      {own, ".", own},
		"a space":                   {at("a b/gsd"), "", `"` + at("a b/gsd") + `"`},
		"no place in double quotes": {at("$x/gsd"), "", "gsd"},
		"it is gone":                {at("gone/gsd"), "", "gsd"},
	} {
		a := &app{called: c.called, env: []string{"PATH=" + c.path}}
		if got := a.callable(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// Hooks call gsd by its bare name only if what PATH leads to says that it is gsd.
func TestInstead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := func(name, script string) string {
		t.Helper()
		path := filepath.Join(dir, name, "gsd")
		noError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		syscall.ForkLock.RLock() // a process that another test starts now would keep the file open, and nobody could run it
		defer syscall.ForkLock.RUnlock()
		noError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755))
		return path
	}
	says := "[ \"$*\" = --version ] && echo 'gsd version " + version() + "'\n"
	own := program("own", "exit 1\n")
	for name, c := range map[string]struct{ path, want string }{
		"it is this file":             {own, ""},
		"there is none":               {filepath.Join(dir, "none", "gsd"), own},
		"it starts this program":      {program("shim", says), ""},
		"it has another version":      {program("old", "echo 'gsd version v9.9.9 of github.com/gsd-cli/gsd, go9 plan9/mips'\n"), ""},
		"it is another program":       {program("other", "echo 2.3.0\n"), own},
		"another, with our words":     {program("words", "echo 'gsd version 2.3.0'\n"), own},
		"it fails":                    {program("fails", says+"exit 3\n"), own},
		"it is only there within npm": {program("node_modules/.bin", says), own},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := &app{called: own, env: []string{"PATH=" + filepath.Dir(c.path)}}
			if got := a.instead(); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// What a hook or a slash command prints names the program as it can be called. The text of the plan stays as it is.
func TestBriefNamesProgram(t *testing.T) {
	t.Parallel()
	a, _ := ada(t, time.Now())
	const plan = ".planning/phases/77-a/77-01-PLAN.md"
	noError(t, os.MkdirAll(filepath.Dir(filepath.Join(a.dir, plan)), 0o755))
	text := "<task type=\"auto\">\n<name>Say it</name>\n<action>Run `gsd version`.</action>\n</task>\n"
	noError(t, os.WriteFile(filepath.Join(a.dir, plan), []byte(text), 0o644))
	do(t, a, "bootstrap", plan, "--force")
	if got := do(t, a, "hydrate", "--inline"); !strings.Contains(got, "\n- `gsd done 1`: ") || strings.Contains(got, "PATH") {
		t.Errorf("called by its name, it prints\n%s", got)
	}
	dir := t.TempDir()
	own := filepath.Join(dir, "gsd")
	noError(t, os.WriteFile(own, []byte("\x7fELF"), 0o755))
	a.called, a.env = own, append(a.env, "PATH="+filepath.Dir(gitProgram(t)))
	for _, line := range [][]string{{"hydrate", "--inline"}, {"hook", "start", "--host", "opencode"}} {
		a.raw.Reset()
		got := do(t, a, line...)
		for _, want := range []string{
			"\n- PATH does not lead to gsd here; it is called as `" + own + "`.\n", "\n- `" + own + " done 1`: ",
			" `" + own + " hydrate` shows the current one.", "\n> Run `gsd version`.\n",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is not in\n%s", line, want, got)
			}
		}
	}
}

// A merge driver that PATH leads to another program of that name might lose a side without a word, so git calls this one by its path.
func TestInstallGitBesideAnotherProgram(t *testing.T) {
	t.Parallel()
	a, _ := ada(t, time.Now())
	a.env = append(a.env, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	git := func(args ...string) string {
		cmd := exec.Command(gitProgram(t), args...)
		cmd.Dir, cmd.Env = a.dir, a.env
		out, err := cmd.Output()
		noError(t, err)
		return string(out)
	}
	git("init", "--quiet")
	do(t, a, "install", "git")
	own, other := filepath.Join(t.TempDir(), "gsd"), filepath.Join(t.TempDir(), "gsd")
	for _, file := range []string{own, other} {
		noError(t, os.WriteFile(file, []byte("\x7fELF"), 0o755))
	}
	a.called, a.env = own, append(a.env, "PATH="+filepath.Dir(other))
	if got := do(t, a, "install", "git"); !strings.Contains(got, "git, scope project: installed\n") {
		t.Error(got)
	}
	if got := git("config", "merge.gsd.driver"); !strings.HasPrefix(got, own+" state merge %O ") {
		t.Error(got)
	}
}

// gitProgram returns the path of git.
func gitProgram(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("git")
	if err != nil {
		t.Skip(err)
	}
	return path
}
