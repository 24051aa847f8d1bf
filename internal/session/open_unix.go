//go:build unix

package session

import (
	"io/fs"
	"os"
	"syscall"

	"github.com/gsd-cli/gsd/internal/durable"
)

// openFlags: the guard is opened by path, after it was found to be a regular
// file. If it is a link or a FIFO by then, the open fails or comes back at once.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// tighten takes the right to hold a guard from all others: an earlier version left it what the umask does. One that
// root has made comes to the directory's owner, and somebody else's stays as it is.
func tighten(dir *os.Root, guard fs.FileInfo) {
	is, ok := guard.Sys().(*syscall.Stat_t)
	if !ok || guard.Mode().Perm()&^guardPerm == 0 || int(is.Uid) != os.Geteuid() {
		return
	}
	f, err := dir.OpenFile(guardFile, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if opened, err := f.Stat(); err == nil && os.SameFile(opened, guard) {
		_ = f.Chmod(guardPerm)
		durable.Inherit(f, dir)
	}
}
