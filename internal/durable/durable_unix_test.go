//go:build unix

package durable

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestSpecialFiles: none is opened, none is replaced, and none of this hangs
// (a FIFO without a writer would).
func TestSpecialFiles(t *testing.T) {
	// A socket's path is at most about 100 bytes, t.TempDir may be longer.
	dir, err := os.MkdirTemp("", "gsd")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()

	names := []string{"fifo", "socket", "directory", "link"}
	if err := unix.Mkfifo(filepath.Join(dir, "fifo"), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	os.Mkdir(filepath.Join(dir, "directory"), 0o755)
	os.Symlink("fifo", filepath.Join(dir, "link"))
	if err := makeDevice(filepath.Join(dir, "null")); err == nil {
		names = append(names, "null")
	} else {
		t.Log("no device made:", err)
	}
	for _, name := range names {
		_, _, err := Read(root, name, 100)
		wantErr(t, err, ErrNotRegular)
		wantErr(t, zero.Replace(root, name, chunks("x"), 0o644, Stamp{}), ErrNotRegular)
		_, err = zero.Keep(root, name, "as", Stamp{})
		wantErr(t, err, ErrNotRegular)
	}
	wantNames(t, dir, names...)
}

func TestReplaceKeepsTheMode(t *testing.T) {
	defer unix.Umask(unix.Umask(0o022))
	root, dir := newRoot(t)
	path := filepath.Join(dir, "file")
	mode := func() fs.FileMode {
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode()
	}
	write(t, dir, "file", "")
	for i, want := range []fs.FileMode{0o600, 0o644, 0o640, 0o444, 0o666, 0o777} {
		if err := os.Chmod(path, want); err != nil {
			t.Fatal(err)
		}
		if err := zero.Replace(root, "file", chunks(string(rune('a'+i))), 0o604, stampInPlace(t, root, "file")); err != nil {
			t.Fatal(err)
		}
		if got := mode(); got != want {
			t.Errorf("mode %v, want %v", got, want)
		}
	}
	// A new file: what the umask leaves.
	for umask, want := range map[int]fs.FileMode{0o022: 0o644, 0o077: 0o600, 0o002: 0o664} {
		os.Remove(path)
		unix.Umask(umask)
		if err := zero.Replace(root, "file", chunks("x"), 0o666, Stamp{}); err != nil {
			t.Fatal(err)
		}
		if got := mode(); got != want {
			t.Errorf("umask %03o: mode %v, want %v", umask, got, want)
		}
	}
}

// TestReplaceSeesAModificationTimePutBack: same file, same size, same time.
func TestReplaceSeesAModificationTimePutBack(t *testing.T) {
	root, dir := newRoot(t)
	path := filepath.Join(dir, "file")
	past := time.Now().Add(-time.Hour)
	write(t, dir, "file", "one")
	os.Chtimes(path, past, past)
	was := stampOfFile(t, root, "file")

	// The change time moves with the kernel's clock tick: wait for it to.
	for stampOfFile(t, root, "file").changed.Equal(was.changed) {
		write(t, dir, "file", "two")
		os.Chtimes(path, past, past)
	}
	wantErr(t, zero.Replace(root, "file", chunks("three"), 0o644, was), ErrChanged)
	wantContent(t, dir, "file", "two")
}

func TestReplaceKeepsTheOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root may give files away")
	}
	root, dir := newRoot(t)
	write(t, dir, "file", old)
	path := filepath.Join(dir, "file")
	if err := os.Chown(path, 12345, 23456); err != nil {
		t.Skip(err)
	}
	os.Chmod(path, 0o664)
	if err := zero.Replace(root, "file", chunks(next), 0o644, stampInPlace(t, root, "file")); err != nil {
		t.Fatal(err)
	}
	info, _ := os.Stat(path)
	st := info.Sys().(*syscall.Stat_t)
	if st.Uid != 12345 || st.Gid != 23456 || info.Mode() != 0o664 {
		t.Errorf("owner %d:%d mode %v", st.Uid, st.Gid, info.Mode())
	}
}

func TestReadOnlyDirectory(t *testing.T) {
	root, dir := newRoot(t)
	write(t, dir, "file", old)
	was := stampOfFile(t, root, "file")
	asNobody(t, dir, func() {
		wantErr(t, zero.Replace(root, "file", chunks(next), 0o644, was), fs.ErrPermission)
		wantErr(t, zero.Replace(root, "new", chunks(next), 0o644, Stamp{}), fs.ErrPermission)
		_, err := zero.Keep(root, "file", "as", was)
		wantErr(t, err, fs.ErrPermission)
		wantErr(t, MkdirAll(root, "sub", 0o777), fs.ErrPermission)
		if err := zero.Replace(root, "file", chunks(old), 0o644, was); err != nil {
			t.Error("the same bytes:", err)
		}
		if data, _, err := Read(root, "file", 100); string(data) != old || err != nil {
			t.Error("reading:", err)
		}
	})
	wantContent(t, dir, "file", old)
	wantNames(t, dir, "file")

	os.Chmod(filepath.Join(dir, "file"), 0)
	asNobody(t, dir, func() {
		_, _, err := Read(root, "file", 100)
		wantErr(t, err, fs.ErrPermission)
		if errors.Is(err, ErrEscapes) {
			t.Error("a missing permission is taken for an escape")
		}
	})
}
