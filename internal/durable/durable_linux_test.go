package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/gsd-cli/gsd/internal/testenv"
)

// asNobody runs f while dir may not be written to. For root, whom no mode
// stops, f runs with another user's rights: they are the thread's on Linux.
func asNobody(t *testing.T, dir string, f func()) {
	if os.Geteuid() != 0 {
		os.Chmod(dir, 0o555)
		defer os.Chmod(dir, 0o755)
		f()
		return
	}
	os.Chmod(filepath.Dir(dir), 0o755) // t.TempDir is closed to others above it
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Setfsuid(65534); err != nil {
		t.Skip(err)
	}
	defer unix.Setfsuid(0)
	f()
}

// TestReadOnlyDirectory: what may not be written stays unchanged.
func TestReadOnlyDirectory(t *testing.T) {
	root, dir := newRoot(t)
	write(t, dir, "file", old)
	was := stampOfFile(t, root, "file")
	asNobody(t, dir, func() {
		wantErr(t, zero.Replace(root, "file", [][]byte{[]byte(next)}, 0o644, was), fs.ErrPermission)
		wantErr(t, zero.Replace(root, "new", [][]byte{[]byte(next)}, 0o644, Stamp{}), fs.ErrPermission)
		wantErr(t, zero.Remove(root, "file"), fs.ErrPermission)
		wantErr(t, keepFile(zero, root, was), fs.ErrPermission)
		wantErr(t, MkdirAll(root, "sub", 0o777), fs.ErrPermission)
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

// TestReadBelievesTheSize: files of /proc say that they are empty. Reading some of them waits for the kernel, so none is.
func TestReadBelievesTheSize(t *testing.T) {
	root, err := os.OpenRoot("/proc/self")
	if err != nil {
		t.Skip(err)
	}
	defer root.Close()
	if text, _, err := Read(root, "status", 1<<20); err != nil || len(text) > 0 {
		t.Errorf("%q, %v", text, err)
	}
}

// TestSwappedForAFIFO: a directory or a file is exchanged for a FIFO and back all the time. No open and no read waits for
// the FIFO's other end.
func TestSwappedForAFIFO(t *testing.T) {
	root, dir := newRoot(t)
	at, fileAt := filepath.Join(dir, "at"), filepath.Join(dir, "file")
	os.Mkdir(at, 0o755)
	write(t, dir, "file", "content")
	for _, path := range []string{at, fileAt} {
		fifo := path + ".fifo"
		noError(t, unix.Mkfifo(fifo, 0o644))
		end, err := os.OpenFile(fifo, os.O_RDWR, 0) // so that a read would wait, too
		noError(t, err)
		defer end.Close()
		swap := func() error { return unix.Renameat2(unix.AT_FDCWD, path, unix.AT_FDCWD, fifo, unix.RENAME_EXCHANGE) }
		if err := swap(); err != nil {
			t.Skip("no exchange of names here:", err)
		}
		defer keepDoing(swap)()
	}
	times := testenv.Count(2_000, 20_000)
	for name, open := range map[string]func() error{
		"OpenRoot": func() error {
			is, err := OpenRoot(root, "at")
			if err == nil {
				is.Close()
			}
			return err
		},
		"OpenRootAt": func() error {
			is, err := OpenRootAt(at)
			if err == nil {
				is.Close()
			}
			return err
		},
		"Names":    func() error { _, err := Names(root, "at"); return err },
		"NamesAt":  func() error { _, err := NamesAt(at); return err },
		"Read":     func() error { _, _, err := Read(root, "at/none", 1); return err },
		"MkdirAll": func() error { return MkdirAll(root, "at/made", 0o755) },
		"Remove":   func() error { return Writer{Lazy: true}.Remove(root, "at/none") },
		"ReadAt":   func() error { _, err := (*Budget)(nil).ReadAt(fileAt, 100); return err },
		"a file":   func() error { _, _, err := Read(root, "file", 100); return err },
	} {
		refused := 0
		for range times {
			switch err := open(); {
			case errors.Is(err, syscall.ENOTDIR), errors.Is(err, ErrNotRegular):
				refused++
			case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrChanged):
				t.Fatalf("%s: %v", name, err)
			}
		}
		t.Logf("%s: %d of %d times a FIFO", name, refused, times)
	}
}
