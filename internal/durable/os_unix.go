//go:build unix

package durable

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// openNonblock keeps an open from waiting for the other end of a FIFO that was put in the place of a regular file.
const openNonblock = syscall.O_NONBLOCK

// openDirectory opens nothing but directories.
const openDirectory = syscall.O_DIRECTORY | syscall.O_NONBLOCK

// dirSuffix after a path keeps anything but a directory from being opened, see [OpenRoot].
const dirSuffix = "/."

// inUse: on Unix a program that has a file open keeps nobody from reading or replacing it.
func inUse(error) bool { return false }

func (place) replaceable() error { return nil }

// transient: on Unix an open or rename that fails will fail again.
func transient(error) bool { return false }

// keepOwner gives f the owner and group of the file that it will replace, as far as this process may: root may set any,
// others only a group they are in. It returns the mode that f should have. If the group cannot be kept, its bits are
// reduced to those of everyone else: another group must not gain what the old one had (vim does the same).
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

// Inherit gives a file that root has made to the owner of its directory: one command with sudo must not block the
// owner's next one. For other users the system has decided who owns a new file. What cannot be given away stays root's.
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

// inheritDir is Inherit for the new directory name. A shared one gets its parent's mode, and its owner and group as far as
// this process may set them.
func inheritDir(in *os.Root, name string, shared bool) error {
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
	case err1 != nil || err2 != nil || err3 != nil || !os.SameFile(is, opened): // another one, which a link leads to
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

// Linked reports whether a file has more than one name. A change in place shows under all of them.
func Linked(info fs.FileInfo) bool {
	is, ok := info.Sys().(*syscall.Stat_t)
	return ok && is.Nlink > 1
}

// syncDir makes the names in the open directory d durable, unless its file system cannot sync a directory, as some
// network and FUSE file systems.
func syncDir(d *os.File) error {
	err := d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOSYS) {
		return nil
	}
	return err
}

// IDOf returns the identity of a file.
func IDOf(info fs.FileInfo) FileID {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return FileID{uint64(s.Dev), s.Ino} //nolint:unconvert // Dev is an int32 on macOS
	}
	return FileID{}
}
