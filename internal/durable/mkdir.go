package durable

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
)

// MkdirAll makes the directory name below root and those above it that are
// missing, each with perm less the umask, and syncs the directory that each was
// made in: a file is no safer than the names that lead to it.
func MkdirAll(root *os.Root, name string, perm fs.FileMode) error {
	return Failed("mkdir", name, root, mkdirAll(root, path.Clean(name), perm))
}

func mkdirAll(root *os.Root, name string, perm fs.FileMode) error {
	info, err := root.Stat(name)
	if err == nil && !info.IsDir() {
		return syscall.ENOTDIR
	}
	if !isNotExist(err) {
		return err
	}
	above := path.Dir(name)
	if err := mkdirAll(root, above, perm); err != nil {
		return err
	}
	if err := root.Mkdir(name, perm); err != nil {
		if errors.Is(err, fs.ErrExist) {
			// Another process was faster, or it is a link to nowhere.
			_, err = root.Stat(name)
		}
		return err
	}
	inheritDir(root, name)
	return syncAbove(root, name)
}

// syncAbove makes the name of a directory that was just made durable.
func syncAbove(root *os.Root, name string) error {
	d, err := root.OpenFile(path.Dir(name), os.O_RDONLY|openDirectory, 0)
	if err != nil {
		return err
	}
	defer d.Close()
	return syncDir(d)
}

// MkdirShared makes the directory name below root, if it is missing, for all who share the one above: it gets that
// one's mode whatever the umask, and its owner and group as far as the system allows.
func MkdirShared(root *os.Root, name string) error {
	return Failed("mkdir", name, root, mkdirShared(root, path.Clean(name)))
}

func mkdirShared(root *os.Root, name string) error {
	if _, err := root.Stat(name); !isNotExist(err) {
		return err
	}
	if err := mkdirAll(root, path.Dir(name), 0o777); err != nil {
		return err
	}
	above, err := root.Stat(path.Dir(name))
	if err != nil {
		return err
	}
	if err := root.Mkdir(name, above.Mode().Perm()); err != nil {
		if errors.Is(err, fs.ErrExist) { // another process was faster
			err = nil
		}
		return err
	}
	if err := syncAbove(root, name); err != nil {
		return err
	}
	return shareDir(root, name, above)
}

// MkdirAllAt is [MkdirAll] for a path of the system, whatever links lead there.
func MkdirAllAt(name string, perm fs.FileMode) error {
	above := strings.TrimRightFunc(name, isSeparator)
	above = above[:strings.LastIndexFunc(above, isSeparator)+1]
	base := strings.TrimFunc(name[len(above):], isSeparator)
	root, err := OpenRootAt(above)
	if isNotExist(err) && above != "" && above != name {
		if err := MkdirAllAt(above, perm); err != nil {
			return err
		}
		root, err = OpenRootAt(above)
	}
	if err != nil {
		return err
	}
	defer root.Close()
	return MkdirAll(root, base, perm)
}

func isSeparator(r rune) bool { return r < 0x80 && os.IsPathSeparator(byte(r)) }
