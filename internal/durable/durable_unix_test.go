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

// TestSpecialFiles: none is opened, none is replaced, and none of this hangs (a FIFO without its other end would).
func TestSpecialFiles(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir) // a socket's path is at most about 100 bytes
	root, err := os.OpenRoot(dir)
	noError(t, err)
	defer root.Close()
	names := []string{"fifo", "socket", "link"}
	l, err := net.Listen("unix", "socket")
	noError(t, errors.Join(err, unix.Mkfifo(filepath.Join(dir, "fifo"), 0o644), os.Symlink("fifo", filepath.Join(dir, "link"))))
	defer l.Close()
	for _, name := range names {
		_, _, err := Read(root, name, 100)
		wantErr(t, err, ErrNotRegular)
		_, _, err = OpenAt(filepath.Join(dir, name))
		wantErr(t, err, ErrNotRegular)
		_, err = StampOf(root, name)
		wantErr(t, err, ErrNotRegular)
		_, err = zero.keep(root, name, "as", Stamp{})
		wantErr(t, err, ErrNotRegular)
		wantErr(t, zero.Replace(root, name, [][]byte{[]byte("x")}, 0o644, Stamp{}), ErrNotRegular)
	}
	wantNames(t, dir, names...)
	for _, name := range names { // removing takes them away as it does a file
		wantErr(t, zero.Remove(root, name), nil)
	}
	wantNames(t, dir)
}

// TestMode: an old file keeps its mode, a new one has what the umask leaves.
func TestMode(t *testing.T) {
	defer unix.Umask(unix.Umask(0o022))
	root, dir := newRoot(t)
	path := filepath.Join(dir, "file")
	replace := func(was Stamp) error {
		return zero.Replace(root, "file", [][]byte{[]byte(next)}, 0o666|fs.ModeSetuid, was)
	}
	for umask, want := range map[int]fs.FileMode{0o022: 0o644, 0o077: 0o600, 0o002: 0o664} {
		os.Remove(path)
		unix.Umask(umask)
		wantErr(t, replace(Stamp{}), nil)
		if info, _ := os.Lstat(path); info.Mode() != want {
			t.Errorf("umask %03o: mode %v, want %v", umask, info.Mode(), want)
		}
	}
	for _, want := range []fs.FileMode{0o600, 0o644, 0o640, 0o666, 0o777} {
		os.Chmod(path, want)
		wantErr(t, replace(stampInPlace(t, root, "file")), nil)
		if info, _ := os.Lstat(path); info.Mode() != want {
			t.Errorf("mode %v, want %v", info.Mode(), want)
		}
	}
}

// TestTempIsPrivate: no other user may read a temporary before it has the mode of the file that it replaces.
func TestTempIsPrivate(t *testing.T) {
	defer unix.Umask(unix.Umask(0))
	root, dir := newRoot(t)
	write(t, dir, "file", old)
	os.Chmod(filepath.Join(dir, "file"), 0o600)
	steps := 0
	w := Writer{Before: func(s Step) error {
		if s != StepWrite && s != StepMode {
			return nil
		}
		steps++
		for name := range filesIn(t, dir) {
			if info, err := root.Lstat(name); err != nil || info.Mode() != 0o600 {
				t.Errorf("before %s: %s is %v, %v", s, name, info.Mode(), err)
			}
		}
		return nil
	}}
	wantErr(t, w.Replace(root, "file", [][]byte{[]byte(next)}, 0o666, stampOfFile(t, root, "file")), nil)
	if steps != 2 {
		t.Errorf("%d steps", steps)
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
	wantErr(t, zero.Replace(root, "file", [][]byte{[]byte("three")}, 0o644, was), ErrChanged)
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
	noError(t, zero.Replace(root, "file", [][]byte{[]byte(next)}, 0o644, stampInPlace(t, root, "file")))
	info, _ := os.Stat(path)
	st := info.Sys().(*syscall.Stat_t)
	if st.Uid != 12345 || st.Gid != 23456 || info.Mode() != 0o664 {
		t.Errorf("owner %d:%d mode %v", st.Uid, st.Gid, info.Mode())
	}
}
