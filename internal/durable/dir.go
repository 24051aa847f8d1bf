package durable

import (
	"io/fs"
	"os"
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

// OpenRoot opens the directory name below root as a root of its own.
//
// os.Root's own OpenRoot, which takes no flags, waits for the other end of a FIFO of that name, and a look before does
// not help against one that is put there after it. The dot does: what comes before it in a path is only ever opened as
// a directory.
func OpenRoot(root *os.Root, name string) (*os.Root, error) {
	dir, err := root.OpenRoot(name + "/.")
	return dir, Failed("open", name, root, err)
}

// OpenRootAt is OpenRoot for a path of the system, whatever links lead there.
func OpenRootAt(path string) (*os.Root, error) {
	if path == "" {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	dir, err := os.OpenRoot(path + thatDirectory)
	if err != nil {
		err = &fs.PathError{Op: "open", Path: path, Err: bare(err)}
	}
	return dir, err
}
