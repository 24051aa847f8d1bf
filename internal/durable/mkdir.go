package durable

import (
	"errors"
	"io/fs"
	"os"
	"path"
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
	d, err := root.Open(above)
	if err != nil {
		return err
	}
	defer d.Close()
	return syncDir(d)
}
