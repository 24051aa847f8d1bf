package durable

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
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

// makeDevice makes another /dev/null at path, if this process may.
func makeDevice(path string) error {
	return unix.Mknod(path, unix.S_IFCHR|0o666, int(unix.Mkdev(1, 3)))
}

// TestReadRefusesAFileThatGrew: the files of /proc say that they are empty, so
// every read of one finds it longer than it was.
func TestReadRefusesAFileThatGrew(t *testing.T) {
	root, err := os.OpenRoot("/proc/self")
	if err != nil {
		t.Skip(err)
	}
	defer root.Close()
	_, _, err = Read(root, "status", 1<<20)
	wantErr(t, err, ErrChanged)
}

// inMountNamespace runs the calling test again in a child with mounts of its
// own, and returns true in that child. The kernel unmounts when it ends.
func inMountNamespace(t *testing.T) bool {
	const child = "GSD_TEST_MOUNTS"
	if os.Getenv(child) != "" {
		if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
			t.Skip("mounts cannot be made private:", err)
		}
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), child+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if uid, gid := os.Geteuid(), os.Getegid(); uid != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: uid, Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: gid, Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	switch {
	case errors.Is(err, os.ErrPermission):
		t.Skip("no namespaces here:", err)
	case err != nil:
		t.Fatalf("%v\n%s", err, out)
	case bytes.Contains(out, []byte("--- SKIP")):
		t.Skipf("in the child:\n%s", out)
	}
	return false
}

func TestFullDisk(t *testing.T) {
	if !inMountNamespace(t) {
		return
	}
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skip("no tmpfs:", err)
	}
	defer unix.Unmount(dir, unix.MNT_DETACH)
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	write(t, dir, "file", old)
	was := stampOfFile(t, root, "file")

	half := make([]byte, 200<<10)
	wantErr(t, zero.Replace(root, "file", [][]byte{half, half}, 0o644, was), syscall.ENOSPC)
	wantErr(t, zero.Replace(root, "new", [][]byte{half, half}, 0o644, Stamp{}), syscall.ENOSPC)
	wantContent(t, dir, "file", old)
	wantNames(t, dir, "file")
	if err := zero.Replace(root, "file", chunks(next), 0o644, was); err != nil {
		t.Error("room again:", err)
	}
}

func TestReadOnlyFileSystem(t *testing.T) {
	if !inMountNamespace(t) {
		return
	}
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skip("no tmpfs:", err)
	}
	defer unix.Unmount(dir, unix.MNT_DETACH)
	write(t, dir, "file", old)
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skip("not read-only:", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	was := stampOfFile(t, root, "file")
	wantErr(t, zero.Replace(root, "file", chunks(next), 0o644, was), syscall.EROFS)
	wantErr(t, zero.Replace(root, "new", chunks(next), 0o644, Stamp{}), syscall.EROFS)
	_, err = zero.Keep(root, "file", "as", was)
	wantErr(t, err, syscall.EROFS)
	wantErr(t, MkdirAll(root, "a/b", 0o777), syscall.EROFS)
	if err := MkdirAll(root, ".", 0o777); err != nil {
		t.Error(err)
	}
	wantContent(t, dir, "file", old)
}

// TestSwappedForAFIFO: somebody exchanges a directory for a FIFO and back, all the time. Whatever is there when it is
// opened, nobody waits for the FIFO's other end.
func TestSwappedForAFIFO(t *testing.T) {
	root, dir := newRoot(t)
	at, fifo := filepath.Join(dir, "at"), filepath.Join(dir, "fifo")
	if err := os.Mkdir(at, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mkfifo(fifo, 0o644); err != nil {
		t.Fatal(err)
	}
	swap := func() error { return unix.Renameat2(unix.AT_FDCWD, at, unix.AT_FDCWD, fifo, unix.RENAME_EXCHANGE) }
	if err := swap(); err != nil {
		t.Skip("no exchange of names here:", err)
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				swap()
			}
		}
	}()
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
		"Names":      func() error { _, err := Names(root, "at"); return err },
		"NamesAt":    func() error { _, err := NamesAt(at); return err },
		"Read":       func() error { _, _, err := Read(root, "at/none", 1); return err },
		"MkdirAll":   func() error { return MkdirAll(root, "at/made", 0o755) },
		"AppendLine": func() error { return zero.Lazily().AppendLine(root, "at/log", []byte("x"), 0o644) },
	} {
		opened, refused := 0, 0
		for range 2000 {
			if err := open(); errors.Is(err, syscall.ENOTDIR) {
				refused++
			} else {
				opened++
			}
		}
		t.Logf("%s: %d times a directory, %d times a FIFO", name, opened, refused)
	}
	close(stop)
	<-stopped
}
