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

// thatDirectory behind a path keeps it from being opened as anything but a directory, see [OpenRoot].
const thatDirectory = "/."

// transient: on Unix an open or rename that fails will fail again.
func transient(error) bool { return false }

// keepOwner gives f the owner and group of the file that it will replace, as far as this process may: root may do
// all, others only a group they are in. It returns the mode that f should have. Where the group cannot be kept, its
// bits are cut down to those of everybody else: another group must not gain what the old one had (vim does the same).
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

// Inherit gives what root has made to the owner of the directory that it was made in: one command with sudo must not
// stop the owner's next one. For everybody else the system has decided whose a new file is. Where it cannot be given
// away it stays root's.
func Inherit(made *os.File, in *os.Root) {
	if os.Geteuid() != 0 {
		return
	}
	dir, err1 := in.Stat(".")
	info, err2 := made.Stat()
	if err1 != nil || err2 != nil {
		return
	}
	above, ok1 := dir.Sys().(*syscall.Stat_t)
	is, ok2 := info.Sys().(*syscall.Stat_t)
	if ok1 && ok2 && is.Uid == 0 && above.Uid != 0 {
		_ = made.Chown(int(above.Uid), int(above.Gid))
	}
}

// giveDir does what Inherit does for the directory name, just made. A shared one gets the owner and the group of the one
// above it as far as this process may, and its mode.
func giveDir(in *os.Root, name string, shared bool) error {
	if !shared && os.Geteuid() != 0 {
		return nil
	}
	made, err := in.OpenFile(name, os.O_RDONLY|openDirectory, 0)
	if err != nil {
		return err
	}
	defer made.Close()
	is, err1 := in.Lstat(name)
	opened, err2 := made.Stat()
	above, err3 := in.Stat(".")
	switch {
	case err1 != nil || err2 != nil || err3 != nil || !os.SameFile(is, opened): // another, that a link leads to
		return ErrChanged
	case !shared:
		Inherit(made, in)
		return nil
	}
	perm, err := keepOwner(made, above)
	if err != nil {
		return err
	}
	return made.Chmod(perm | above.Mode()&(fs.ModeSetgid|fs.ModeSticky))
}

// Linked reports whether a file has more names than one. What is changed in place under one of them changes under all.
func Linked(info fs.FileInfo) bool {
	is, ok := info.Sys().(*syscall.Stat_t)
	return ok && is.Nlink > 1
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

// IDOf returns which file it is that a look at it, through any links, has found.
func IDOf(info fs.FileInfo) FileID {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return FileID{uint64(s.Dev), s.Ino} //nolint:unconvert // Dev is an int32 on macOS
	}
	return FileID{}
}
