package main

import (
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// mayMakeDevices tells whether mknod is allowed, which even root may not do in a container.
var mayMakeDevices = sync.OnceValue(func() bool {
	dir, err := os.MkdirTemp("", "gsd-mknod-")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	return makeNull(filepath.Join(dir, "null")) == nil
})

func makeNull(name string) error { return unix.Mknod(name, unix.S_IFCHR|0o666, int(unix.Mkdev(1, 3))) }

// cmdDevice makes a file that is the same device as /dev/null.
func cmdDevice(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(makeNull(ts.MkAbs(args[0])))
}

// mayMount tells whether this process may mount a file system.
var mayMount = sync.OnceValue(func() bool {
	dir, err := os.MkdirTemp("", "gsd-mount-")
	if err != nil {
		return false
	}
	defer os.Remove(dir)
	return mount(dir, "64k") == nil && unix.Unmount(dir, 0) == nil
})

func mount(dir, size string) error { return unix.Mount("gsd-test", dir, "tmpfs", 0, "size="+size) }

// cmdTmpfs mounts a small file system of its own on a directory until the script ends: "tmpfs DIR SIZE".
func cmdTmpfs(ts *testscript.TestScript, neg bool, args []string) {
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o777))
	ts.Check(mount(dir, args[1]))
	ts.Defer(func() { ts.Check(unix.Unmount(dir, unix.MNT_DETACH)) })
}

const canWatch = true

// cmdWatch begins to watch a file for being opened, for awaitopen.
func cmdWatch(ts *testscript.TestScript, neg bool, args []string) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	ts.Check(err)
	events := os.NewFile(uintptr(fd), "inotify")
	ts.Defer(func() { events.Close() })
	_, err = unix.InotifyAddWatch(fd, ts.MkAbs(args[0]), unix.IN_OPEN)
	ts.Check(err)
	stateOf(ts).watched = func() error {
		if err := events.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
			return err
		}
		_, err := events.Read(make([]byte, 4096))
		return err
	}
}
