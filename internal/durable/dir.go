package durable

import (
	"io/fs"
	"os"
	"syscall"
)

// Names lists the names in the directory name below root, in no order. Only the
// names are read: asking what each of a few hundred is costs more than all the
// rest. It never blocks: what is no directory is refused, on Unix by the open.
func Names(root *os.Root, name string) ([]string, error) {
	d, err := root.OpenFile(name, os.O_RDONLY|openDirectory, 0)
	if err != nil {
		return nil, Failed("list", name, root, err)
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	return names, Failed("list", name, root, err)
}

// NamesAt is Names for the directory at a path of the system, whatever links lead there: it is for a first look.
func NamesAt(path string) ([]string, error) {
	d, err := os.OpenFile(path, os.O_RDONLY|openDirectory, 0)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Readdirnames(-1)
}

// OpenRoot opens the directory name below root as a root of its own. Unlike
// os.Root's, it does not wait for the other end of a FIFO of that name.
func OpenRoot(root *os.Root, name string) (*os.Root, error) {
	info, err := root.Stat(name)
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: name, Err: syscall.ENOTDIR}
	}
	if err != nil {
		return nil, Failed("open", name, root, err)
	}
	dir, err := root.OpenRoot(name)
	return dir, Failed("open", name, root, err)
}
