//go:build unix

package session

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/gsd-cli/gsd/internal/durable"
)

// TestGuardMode: users who may not change the session may not hold its guard, whatever the umask.
func TestGuardMode(t *testing.T) {
	defer unix.Umask(unix.Umask(0))
	project, d := newProject(t)
	guard := filepath.Join(project, ".planning/sessions/user", guardFile)
	lock(t, d).Unlock()
	if info, err := os.Lstat(guard); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// TestLinked: a guard that has more than one hard link, as in a copy that cp -al made, does not belong to this directory alone: there is
// another guard, and its mode stays.
func TestLinked(t *testing.T) {
	project, d := newProject(t)
	lock(t, d).Unlock()
	guard := filepath.Join(project, ".planning/sessions/user", guardFile)
	victim := filepath.Join(t.TempDir(), "victim")
	os.WriteFile(victim, []byte("precious"), 0o644)
	os.Remove(guard)
	if err := os.Link(victim, guard); err != nil {
		t.Skip("no hard links here:", err)
	}
	g := lock(t, d)
	if info, err := os.Lstat(guard); err != nil || durable.Linked(info) {
		t.Errorf("the guard: %v, %v", info, err)
	}
	g.Unlock()
	info, err := os.Lstat(victim)
	text, _ := os.ReadFile(victim)
	if err != nil || string(text) != "precious" || info.Mode() != 0o644 {
		t.Errorf("%q, %v", text, info.Mode())
	}
}

// TestSharedProject: the first user's umask keeps nobody else of the group out, and nobody into the first one's own
// directory.
func TestSharedProject(t *testing.T) {
	project, d := newProject(t)
	os.Chmod(filepath.Join(project, ".planning"), 0o775|fs.ModeSetgid)
	defer unix.Umask(unix.Umask(0o077))
	lock(t, d).Unlock()
	for name, want := range map[string]fs.FileMode{
		"":            fs.ModeDir | fs.ModeSetgid | 0o775,
		"user":        fs.ModeDir | fs.ModeSetgid | 0o700,
		"user/.guard": 0o600,
	} {
		info, err := os.Lstat(filepath.Join(project, ".planning", sessionsDir, name))
		if err != nil || info.Mode() != want {
			t.Errorf("%q: %v, %v; want %v", name, info.Mode(), err, want)
		}
	}
}

// TestRootsFiles: one command with sudo leaves nothing that stops the user's next.
func TestRootsFiles(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root makes something in the name of others")
	}
	project, d := newProject(t)
	const uid = 65534
	if err := os.Chown(filepath.Join(project, ".planning"), uid, uid); err != nil {
		t.Skip("no other users here:", err)
	}
	g, _ := start(t, d, old)
	g.Unlock()
	err := filepath.WalkDir(filepath.Join(project, ".planning"), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Sys().(*syscall.Stat_t).Uid != uid {
			t.Errorf("%s is not the user's", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
