//go:build unix

package self

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/gsd-cli/gsd/internal/agent"
)

// A program that PATH does not lead to is called by its path.
func TestCallable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	put := func(name, text string, mode os.FileMode) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	put("own/gsd", "\x7fELF", 0o755)
	put("a b/gsd", "\x7fELF", 0o755)
	put("$x/gsd", "\x7fELF", 0o755)
	put("other/gsd", "\x7fELF another", 0o755)
	put("script/gsd", "#!/bin/sh\nexec own/gsd \"$@\"\n", 0o755)
	put("data/gsd", "\x7fELF", 0o644)
	put("folder/gsd/x", "", 0o644)
	put("link/x", "", 0o644)
	if err := os.Symlink(at("own/gsd"), at("link/gsd")); err != nil {
		t.Fatal(err)
	}
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
		if got := (Program{Called: c.called, Path: c.path}).Name(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	// A login shell may have another PATH, so that a gsd that was called by a path is named by it.
	for called, want := range map[string]string{"gsd": "gsd", own: own, at("link/gsd"): at("link/gsd"), at("$x/gsd"): "gsd"} {
		if got := (Program{Called: called, Path: at("own"), Login: true}).Name(); got != want {
			t.Errorf("%s, in a login shell: %s, want %s", called, got, want)
		}
	}
}

// Hooks call gsd by its bare name only if what PATH leads to says that it is gsd.
func TestInstead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name, "gsd")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		syscall.ForkLock.RLock() // a process that another test starts now would keep the file open, and nobody could run it
		defer syscall.ForkLock.RUnlock()
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	says := "[ \"$*\" = --version ] && echo 'gsd version v1.0.0 of " + agent.Module + "'\n"
	own := script("own", "exit 1\n")
	for name, c := range map[string]struct{ path, want string }{
		"it is this file":             {own, ""},
		"there is none":               {filepath.Join(dir, "none", "gsd"), own},
		"it starts this program":      {script("shim", says), ""},
		"it has another version":      {script("old", "echo 'gsd version v9.9.9 of github.com/gsd-cli/gsd, go9 plan9/mips'\n"), ""},
		"it is another program":       {script("other", "echo 2.3.0\n"), own},
		"another, with our words":     {script("words", "echo 'gsd version 2.3.0'\n"), own},
		"it fails":                    {script("fails", says+"exit 3\n"), own},
		"it is only there within npm": {script("node_modules/.bin", says), own},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := (Program{Called: own, Path: filepath.Dir(c.path)}).Instead(); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
