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
	dir, err := os.MkdirTemp("", "gsd") // a socket's path is at most about 100 bytes
	noError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	root, err := os.OpenRoot(dir)
	noError(t, err)
	defer root.Close()
	names := []string{"fifo", "socket", "link"}
	l, err := net.Listen("unix", filepath.Join(dir, "socket"))
	noError(t, errors.Join(err, unix.Mkfifo(filepath.Join(dir, "fifo"), 0o644), os.Symlink("fifo", filepath.Join(dir, "link"))))
	defer l.Close()
	for _, name := range names {
		_, _, err := Read(root, name, 100)
		wantErr(t, err, ErrNotRegular)
		_, err = Open(root, name)
		wantErr(t, err, ErrNotRegular)
		_, err = StampOf(root, name)
		wantErr(t, err, ErrNotRegular)
		_, err = zero.keep(root, name, "as", Stamp{})
		wantErr(t, err, ErrNotRegular)
		wantErr(t, zero.Replace(root, name, [][]byte{[]byte("x")}, 0o644, Stamp{}), ErrNotRegular)
		wantErr(t, zero.AppendLine(root, name, []byte("x"), 0o644), ErrNotRegular)
	}
	wantNames(t, dir, names...)

	// One that is put there after the look: it is opened, but not waited for and not written to.
	write(t, dir, "log", "a\n")
	w := Writer{Before: func(s Step) error {
		if s == StepCreate {
			os.Remove(filepath.Join(dir, "log"))
			return unix.Mkfifo(filepath.Join(dir, "log"), 0o644)
		}
		return nil
	}}
	wantErr(t, w.AppendLine(root, "log", []byte("x"), 0o644), ErrNotRegular)
	for _, name := range append(names, "log") { // removing takes them away as it does a file
		wantErr(t, zero.Remove(root, name), nil)
	}
	wantNames(t, dir)
}

// TestMode: an old file keeps its mode, a new one has what the umask leaves.
func TestMode(t *testing.T) {
	defer unix.Umask(unix.Umask(0o022))
	root, dir := newRoot(t)
	path := filepath.Join(dir, "file")
	ways := map[string]func(text string, was Stamp) error{
		"Replace": func(text string, was Stamp) error {
			return zero.Replace(root, "file", [][]byte{[]byte(text)}, 0o666|fs.ModeSetuid, was)
		},
		"AppendLine": func(text string, _ Stamp) error {
			return zero.AppendLine(root, "file", []byte(text), 0o666|fs.ModeSetuid)
		},
	}
	for way, do := range ways {
		for umask, want := range map[int]fs.FileMode{0o022: 0o644, 0o077: 0o600, 0o002: 0o664} {
			os.Remove(path)
			unix.Umask(umask)
			wantErr(t, do("new", Stamp{}), nil)
			if info, _ := os.Lstat(path); info.Mode() != want {
				t.Errorf("%s, umask %03o: mode %v, want %v", way, umask, info.Mode(), want)
			}
		}
		for i, want := range []fs.FileMode{0o600, 0o644, 0o640, 0o666, 0o777} {
			os.Chmod(path, want)
			wantErr(t, do(string(rune('a'+i)), stampInPlace(t, root, "file")), nil)
			if info, _ := os.Lstat(path); info.Mode() != want {
				t.Errorf("%s: mode %v, want %v", way, info.Mode(), want)
			}
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

// TestAppendLineLinked: a file with another name is not appended to.
func TestAppendLineLinked(t *testing.T) {
	root, dir := newRoot(t)
	victim := filepath.Join(t.TempDir(), "victim")
	noError(t, os.WriteFile(victim, []byte("precious"), 0o600))
	if err := os.Link(victim, filepath.Join(dir, "log")); err != nil {
		t.Skip("no hard links here:", err)
	}
	wantErr(t, zero.AppendLine(root, "log", []byte("x"), 0o644), ErrLinked)
	wantContent(t, filepath.Dir(victim), "victim", "precious")
	// Replacing it makes a separate file.
	was := stampOfFile(t, root, "log")
	noError(t, zero.Replace(root, "log", [][]byte{[]byte(next)}, 0o644, was))
	wantContent(t, filepath.Dir(victim), "victim", "precious")
	if err := zero.AppendLine(root, "log", []byte("x"), 0o644); err != nil {
		t.Error(err)
	}
}
