package session

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestFindStateDir(t *testing.T) {
	type env map[string]string
	rows := map[StateDir]env{
		"/xdg/gsd":                 {"XDG_STATE_HOME": "/xdg", "HOME": "/home/u"},
		"/gsd":                     {"XDG_STATE_HOME": "/"},
		"/a/link/../b/gsd":         {"XDG_STATE_HOME": "/a/link/../b/"},
		"/home/u/.local/state/gsd": {"XDG_STATE_HOME": "state", "HOME": "/home/u"},
		"":                         {"HOME": "home"},
	}
	if runtime.GOOS == "windows" {
		rows = map[StateDir]env{
			`C:\xdg\gsd`:             {"XDG_STATE_HOME": `C:\xdg`, "LocalAppData": `C:\l`},
			`C:\l\gsd`:               {"LocalAppData": `C:\l`, "USERPROFILE": `D:\u`},
			`\\host\share\l\gsd`:     {"LocalAppData": `\\host\share\l`},
			`C:\u\AppData\Local\gsd`: {"LocalAppData": `\l`, "USERPROFILE": `C:\u`},
			"":                       {"LocalAppData": `C:l`},
		}
	}
	for want, in := range rows {
		if got := FindStateDir(func(key string) string { return in[key] }); got != want {
			t.Errorf("%v: %q, want %q", in, got, want)
		}
	}
}

// newState returns a state directory that does not exist, like its parent.
func newState(t testing.TB) (StateDir, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "state", "gsd")
	return StateDir(dir), dir
}

func mkdir(t testing.TB, dir string) {
	t.Helper()
	noError(t, os.MkdirAll(dir, 0o755))
}

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	mkdir(t, filepath.Dir(path))
	noError(t, os.WriteFile(path, []byte(text), 0o644))
}

func link(t testing.TB, to, at string) {
	t.Helper()
	mkdir(t, filepath.Dir(at))
	if err := os.Symlink(to, at); err != nil {
		t.Skip("no links here: ", err)
	}
}

func wantDir(t testing.TB, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	noError(t, err)
	if len(entries) != len(want) {
		t.Errorf("in %s are %v, want %q", filepath.Base(dir), entries, want)
		return
	}
	for i, e := range entries {
		if e.Name() != want[i] {
			t.Errorf("in %s is %s, want %s", filepath.Base(dir), e.Name(), want[i])
		}
	}
}

// TestHome: a process in a container may have HOME=/, whose state directory is made like any other.
func TestHome(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ home, state, want string }{
		{"/home/ada", "", "/home/ada"},
		{"/", "", "/"},
		{"/home/ada", "/var/state", ""},
	} {
		dir := FindStateDir(func(key string) string {
			return map[string]string{"HOME": test.home, "USERPROFILE": test.home, "XDG_STATE_HOME": test.state}[key]
		})
		if got := dir.home(); runtime.GOOS != "windows" && got != test.want {
			t.Errorf("HOME=%s, XDG_STATE_HOME=%s: %q, not %q", test.home, test.state, got, test.want)
		}
	}
}
