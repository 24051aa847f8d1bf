package session

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFindStateDir(t *testing.T) {
	for _, tt := range []struct {
		name, goos string
		env        map[string]string
		want       StateDir
	}{
		{"XDG", "linux", map[string]string{"XDG_STATE_HOME": "/xdg", "HOME": "/home/u"}, "/xdg/gsd"},
		{"XDG at the root", "linux", map[string]string{"XDG_STATE_HOME": "/"}, "/gsd"},
		{"XDG through a link", "linux", map[string]string{"XDG_STATE_HOME": "/a/link/../b"}, "/a/link/../b/gsd"},
		{"XDG relative", "linux", map[string]string{"XDG_STATE_HOME": "state", "HOME": "/home/u"}, "/home/u/.local/state/gsd"},
		{"XDG of Windows", "linux", map[string]string{"XDG_STATE_HOME": `C:\state`, "HOME": "/home/u"}, "/home/u/.local/state/gsd"},
		{"home", "linux", map[string]string{"HOME": "/home/u"}, "/home/u/.local/state/gsd"},
		{"home relative", "linux", map[string]string{"HOME": "home"}, ""},
		{"nothing", "linux", nil, ""},

		{"local", "windows", map[string]string{"LocalAppData": `C:\Users\u\AppData\Local`, "USERPROFILE": `D:\u`}, `C:\Users\u\AppData\Local\gsd`},
		{"local on a share", "windows", map[string]string{"LocalAppData": `\\host\share\l`}, `\\host\share\l\gsd`},
		{"profile", "windows", map[string]string{"USERPROFILE": `C:\Users\u`}, `C:\Users\u\AppData\Local\gsd`},
		{"local without a drive", "windows", map[string]string{"LocalAppData": `\l`, "USERPROFILE": `C:\u`}, `C:\u\AppData\Local\gsd`},
		{"local relative to a drive", "windows", map[string]string{"LocalAppData": `C:l`, "USERPROFILE": `C:\u`}, `C:\u\AppData\Local\gsd`},
		{"local on no drive", "windows", map[string]string{"LocalAppData": `1:\l`}, ""},
		{"local on no share", "windows", map[string]string{"LocalAppData": `\\`}, ""},
		{"XDG wins", "windows", map[string]string{"XDG_STATE_HOME": `C:\xdg`, "LocalAppData": `C:\l`}, `C:\xdg\gsd`},
		{"nothing on Windows", "windows", nil, ""},
	} {
		if got := FindStateDir(func(key string) string { return tt.env[key] }, tt.goos); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// newState gives a state directory that is not there, below one that is not either.
func newState(t testing.TB) (StateDir, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "state", "gsd")
	return StateDir(dir), dir
}

func mkdir(t testing.TB, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
}

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	mkdir(t, filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
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
