//go:build unix

package durable

import (
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestAppendLineSpecialFiles: none is opened, and none of this hangs (a FIFO without a reader would).
func TestAppendLineSpecialFiles(t *testing.T) {
	dir, err := os.MkdirTemp("", "gsd") // a socket's path is at most about 100 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := unix.Mkfifo(filepath.Join(dir, "fifo"), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	os.Mkdir(filepath.Join(dir, "directory"), 0o755)
	names := []string{"fifo", "socket", "directory"}
	if err := makeDevice(filepath.Join(dir, "null")); err == nil {
		names = append(names, "null")
	} else {
		t.Log("no device made:", err)
	}
	for _, name := range names {
		wantErr(t, zero.AppendLine(root, name, []byte("x"), 0o644), ErrNotRegular)
		_, err := Look(root, name)
		wantErr(t, err, ErrNotRegular)
		_, err = Open(root, name)
		wantErr(t, err, ErrNotRegular)
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

	// Removing takes them away as it does a file.
	for _, name := range append(names, "log") {
		if err := zero.Remove(root, name); err != nil {
			t.Error(err)
		}
	}
	wantNames(t, dir)
}

func TestAppendLineMode(t *testing.T) {
	defer unix.Umask(unix.Umask(0o022))
	root, dir := newRoot(t)
	mode := func() fs.FileMode {
		info, err := os.Lstat(filepath.Join(dir, "log"))
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode()
	}
	for umask, want := range map[int]fs.FileMode{0o022: 0o644, 0o077: 0o600, 0o002: 0o664} {
		os.Remove(filepath.Join(dir, "log"))
		unix.Umask(umask)
		if err := zero.AppendLine(root, "log", []byte("x"), 0o666|fs.ModeSetuid); err != nil {
			t.Fatal(err)
		}
		if got := mode(); got != want {
			t.Errorf("umask %03o: mode %v, want %v", umask, got, want)
		}
	}
	// An old file keeps its own.
	os.Chmod(filepath.Join(dir, "log"), 0o640)
	if err := zero.AppendLine(root, "log", []byte("y"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := mode(); got != 0o640 {
		t.Errorf("mode %v", got)
	}
}

func TestAppendAndRemoveInAReadOnlyDirectory(t *testing.T) {
	root, dir := newRoot(t)
	write(t, dir, "log", "a\n")
	os.Chmod(filepath.Join(dir, "log"), 0o444)
	asNobody(t, dir, func() {
		wantErr(t, zero.AppendLine(root, "log", []byte("x"), 0o644), fs.ErrPermission)
		wantErr(t, zero.AppendLine(root, "new", []byte("x"), 0o644), fs.ErrPermission)
		wantErr(t, zero.Remove(root, "log"), fs.ErrPermission)
	})
	wantContent(t, dir, "log", "a\n")
	wantNames(t, dir, "log")
}

// TestAppendLineLinked: what has another name is somebody else's too, and stays as it is.
func TestAppendLineLinked(t *testing.T) {
	root, dir := newRoot(t)
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(victim, filepath.Join(dir, "log")); err != nil {
		t.Skip("no hard links here:", err)
	}
	wantErr(t, zero.AppendLine(root, "log", []byte("x"), 0o644), ErrLinked)
	wantContent(t, filepath.Dir(victim), "victim", "precious")
	// One that is replaced gets a file of its own.
	was := stampOfFile(t, root, "log")
	if err := zero.Replace(root, "log", chunks(next), 0o644, was); err != nil {
		t.Fatal(err)
	}
	wantContent(t, filepath.Dir(victim), "victim", "precious")
	if err := zero.AppendLine(root, "log", []byte("x"), 0o644); err != nil {
		t.Error(err)
	}
}
