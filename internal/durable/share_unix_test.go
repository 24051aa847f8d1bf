//go:build unix

package durable

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestShared: what is made for all who share a directory has that one's mode, whatever the umask; everything else has
// what the umask leaves.
func TestShared(t *testing.T) {
	defer unix.Umask(unix.Umask(0o077))
	for _, tt := range []struct{ above, dir, file fs.FileMode }{
		{0o755, 0o755, 0o644},
		{0o775 | fs.ModeSetgid, 0o775 | fs.ModeSetgid, 0o664},
		{0o700, 0o700, 0o600},
		{0o777 | fs.ModeSticky, 0o777 | fs.ModeSticky, 0o666},
	} {
		root, dir := newRoot(t)
		mode := func(name string) fs.FileMode {
			info, err := os.Lstat(filepath.Join(dir, name))
			noError(t, err)
			return info.Mode() &^ fs.ModeDir
		}
		os.Mkdir(filepath.Join(dir, "a"), 0o755)
		os.Chmod(filepath.Join(dir, "a"), tt.above)
		noError(t, MkdirShared(root, "a/b"))
		noError(t, (Writer{Shared: true}).Replace(root, "a/b/file", [][]byte{[]byte(next)}, 0o666, Stamp{}))
		if dir, file := mode("a/b"), mode("a/b/file"); dir != tt.dir || file != tt.file {
			t.Errorf("in %v: a directory %v and a file %v, want %v and %v", tt.above, dir, file, tt.dir, tt.file)
		}
		// An existing one stays as it is, and others get what the umask leaves.
		os.Chmod(filepath.Join(dir, "a/b"), 0o700)
		if err := MkdirShared(root, "a/b"); err != nil || mode("a/b") != 0o700 {
			t.Errorf("%v, mode %v", err, mode("a/b"))
		}
		if err := MkdirAll(root, "a/b/own", 0o777); err != nil || mode("a/b/own").Perm() != 0o700 {
			t.Errorf("%v, mode %v", err, mode("a/b/own"))
		}
	}
}

// TestInherit: files that root makes in a user's directory belong to the user.
func TestInherit(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root makes something in the name of others")
	}
	root, dir := newRoot(t)
	const uid, gid = 65534, 65533
	if err := os.Chown(dir, uid, gid); err != nil {
		t.Skip("no other users here:", err)
	}
	for name, do := range map[string]func() error{
		"written":   func() error { return zero.Replace(root, "written", [][]byte{[]byte(next)}, 0o644, Stamp{}) },
		"a/b":       func() error { return MkdirAll(root, "a/b", 0o755) },
		"a":         func() error { return nil },
		"shared":    func() error { return MkdirShared(root, "shared") },
		"way/to/it": func() error { return MkdirAllAt(filepath.Join(dir, "way/to/it"), 0o700) },
		"way":       func() error { return nil },
	} {
		if err := do(); err != nil {
			t.Fatal(name, err)
		}
		defer func() {
			info, err := os.Lstat(filepath.Join(dir, name))
			noError(t, err)
			if is := info.Sys().(*syscall.Stat_t); is.Uid != uid || is.Gid != gid {
				t.Errorf("%s is of %d:%d", name, is.Uid, is.Gid)
			}
		}()
	}
}

func TestMkdirAllAt(t *testing.T) {
	dir := t.TempDir()
	os.Mkdir(filepath.Join(dir, "real"), 0o755)
	os.Symlink("real", filepath.Join(dir, "link"))
	write(t, dir, "file", "x")
	for _, name := range []string{"link/a/b", "link/a/b/", "real/a//c", "link/a"} {
		if err := MkdirAllAt(dir+"/"+name, 0o700); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.IsDir() {
			t.Errorf("%s: %v", name, err)
		}
	}
	wantErr(t, MkdirAllAt(dir+"/file/a", 0o700), syscall.ENOTDIR)
	wantErr(t, MkdirAllAt("", 0o700), fs.ErrNotExist)
}
