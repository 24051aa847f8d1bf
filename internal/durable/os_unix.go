//go:build unix

package durable

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// openNonblock keeps the open of a FIFO, put in the place of a regular file
// after it was looked at, from waiting for its other end.
const openNonblock = syscall.O_NONBLOCK

// openDirectory opens nothing else.
const openDirectory = syscall.O_DIRECTORY | syscall.O_NONBLOCK

// transient: on Unix an open or rename that fails will fail again.
func transient(error) bool { return false }

// keepOwner gives f the owner and group of the file that it will replace, as
// far as this process may: root may do all, others only a group they are in.
// It returns the mode that f should have. Where the group cannot be kept, its
// bits are cut down to those of everybody else: another group must not gain
// what the old one had (vim does the same).
func keepOwner(f *os.File, old fs.FileInfo) (fs.FileMode, error) {
	perm := old.Mode().Perm()
	info, err := f.Stat()
	if err != nil {
		return perm, err
	}
	was, ok1 := old.Sys().(*syscall.Stat_t)
	is, ok2 := info.Sys().(*syscall.Stat_t)
	if !ok1 || !ok2 || (was.Uid == is.Uid && was.Gid == is.Gid) {
		return perm, nil
	}
	if f.Chown(int(was.Uid), int(was.Gid)) == nil {
		return perm, nil
	}
	if was.Gid == is.Gid || f.Chown(-1, int(was.Gid)) == nil {
		return perm, nil
	}
	return perm &^ (0o070 &^ (perm & 0o007 << 3)), nil
}

// syncDir makes the names in the open directory d durable. Some network and
// FUSE file systems cannot sync a directory; theirs is the guarantee, then.
func syncDir(d *os.File) error {
	err := d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOSYS) {
		return nil
	}
	return err
}
