//go:build unix

package durable

import (
	"errors"
	"io/fs"
	"os"
	"path"
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

// Inherit gives what root has made to the owner of the directory that it was made in: one command with sudo must not
// stop the owner's next one. For everybody else the system has decided whose a new file is. Where it cannot be given
// away it stays root's.
func Inherit(made *os.File, in *os.Root) {
	if os.Geteuid() != 0 {
		return
	}
	if dir, err := in.Stat("."); err == nil {
		inherit(made, dir)
	}
}

func inherit(made *os.File, dir fs.FileInfo) {
	info, err := made.Stat()
	if err != nil {
		return
	}
	is, ok1 := info.Sys().(*syscall.Stat_t)
	in, ok2 := dir.Sys().(*syscall.Stat_t)
	if ok1 && ok2 && is.Uid == 0 && in.Uid != 0 {
		_ = made.Chown(int(in.Uid), int(in.Gid))
	}
}

// inheritDir is Inherit for the directory name below root, just made.
func inheritDir(root *os.Root, name string) {
	if os.Geteuid() != 0 {
		return
	}
	made, err := openMade(root, name)
	if err != nil {
		return
	}
	defer made.Close()
	if dir, err := root.Stat(path.Dir(name)); err == nil {
		inherit(made, dir)
	}
}

// openMade opens a directory that was just made, and no other that a link leads to.
func openMade(root *os.Root, name string) (*os.File, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|openDirectory, 0)
	if err != nil {
		return nil, err
	}
	is, err := root.Lstat(name)
	opened, err2 := f.Stat()
	if err != nil || err2 != nil || !os.SameFile(is, opened) {
		f.Close()
		return nil, ErrChanged
	}
	return f, nil
}

// shareDir gives the directory name below root, just made, the owner and the group of the one above it as far as this
// process may, and its mode.
func shareDir(root *os.Root, name string, above fs.FileInfo) error {
	made, err := openMade(root, name)
	if err != nil {
		return err
	}
	defer made.Close()
	const shared = fs.ModePerm | fs.ModeSetgid | fs.ModeSticky
	perm, err := keepOwner(made, above)
	if err != nil {
		return err
	}
	return made.Chmod(perm | above.Mode()&shared&^fs.ModePerm)
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
