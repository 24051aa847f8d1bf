package durable

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// Names lists the names in the directory name below root, in no order. Only the names are read: a stat of a few hundred
// files costs more than all the rest. It never blocks: anything but a directory is refused, on Unix by the open.
func Names(root *os.Root, name string) ([]string, error) {
	return (*Budget)(nil).List(root, name, nil)
}

// List is [Names] within a budget: if that runs out, it returns the names read so far and [ErrBudget]. wanted, if not
// nil, is called with the identity of the directory before any name is read; if it returns false, none is.
func (b *Budget) List(root *os.Root, name string, wanted func(FileID) bool) ([]string, error) {
	d, err := root.OpenFile(name, os.O_RDONLY|openDirectory, 0)
	if err != nil {
		return nil, Failed("list", name, root, err)
	}
	defer d.Close()
	if wanted != nil {
		info, err := d.Stat()
		if err != nil || !wanted(IDOf(info)) {
			return nil, Failed("list", name, root, err)
		}
	}
	var all []string
	for {
		names, err := d.Readdirnames(namesPerRead)
		var cost int64
		for _, name := range names {
			cost += 128 + 4*int64(len(name)) // roughly the memory that it and what is made of it take
		}
		if err == nil {
			err = b.Spend(cost)
		}
		switch {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return all, Failed("list", name, root, err)
		}
		all = append(all, names...)
		if len(names) < namesPerRead { // the end
			return all, nil
		}
	}
}

// namesPerRead is how many names are read before they are paid for.
const namesPerRead = 1024

// A FileID identifies a file or directory, whatever path leads to it. The zero FileID is unknown.
type FileID struct{ device, number uint64 }

// Number is that of the file in its file system; zero if unknown.
func (f FileID) Number() uint64 { return f.number }

// NamesAt is [Names] for a path of the system, through any links.
func NamesAt(path string) ([]string, error) {
	d, err := DirAt(path)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Readdirnames(-1)
}

// DirAt opens the directory at a path of the system for listing. It never blocks: anything but a directory is refused,
// on Unix by the open.
func DirAt(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|openDirectory, 0)
}

// OpenRoot opens the directory name below root as a root of its own.
//
// os.Root's own OpenRoot takes no flags: if the name is a FIFO's, it waits for the other end. A check beforehand does
// not help against a FIFO that is put there afterwards. The dot does: what precedes it in a path is only ever opened as
// a directory.
func OpenRoot(root *os.Root, name string) (*os.Root, error) {
	dir, err := root.OpenRoot(name + "/.")
	return dir, Failed("open", name, root, err)
}

// OpenRootAt is [OpenRoot] for a path of the system, through any links.
func OpenRootAt(path string) (*os.Root, error) {
	if path == "" {
		return nil, Failed("open", path, nil, fs.ErrNotExist)
	}
	dir, err := os.OpenRoot(path + dirSuffix)
	return dir, Failed("open", path, nil, err)
}

// MkdirAll makes the directory name below root and its missing parents, each with perm less the umask, and syncs the
// directory that each was made in: a file is no safer than the names that lead to it.
func MkdirAll(root *os.Root, name string, perm fs.FileMode) error {
	return Failed("mkdir", name, root, mkdirAll(root, path.Clean(name), perm, false))
}

// MkdirShared is MkdirAll, but gives the directory name to everyone who shares its parent: it gets the parent's mode
// whatever the umask, and its owner and group as far as the system allows.
func MkdirShared(root *os.Root, name string) error {
	return Failed("mkdir", name, root, mkdirAll(root, path.Clean(name), 0o777, true))
}

func mkdirAll(root *os.Root, name string, perm fs.FileMode, shared bool) error {
	info, err := root.Stat(name)
	if err == nil && !info.IsDir() {
		return syscall.ENOTDIR
	}
	if !isNotExist(err) {
		return err
	}
	if err := mkdirAll(root, path.Dir(name), perm, false); err != nil {
		return err
	}
	return mkdir(root, name, perm, shared)
}

// mkdir durably makes one directory.
func mkdir(root *os.Root, name string, perm fs.FileMode, shared bool) error {
	p, err := Writer{}.openPlace(root, name)
	if err != nil {
		return err
	}
	defer p.close()
	if shared {
		above, err := p.self.Stat()
		if err != nil {
			return err
		}
		perm = above.Mode().Perm()
	}
	err = p.dir.Mkdir(p.base, perm)
	if errors.Is(err, fs.ErrExist) {
		// Another process was faster, or it is a dangling link.
		_, err = root.Stat(name)
		return err
	}
	if err == nil {
		err = inheritDir(p.dir, p.base, shared)
	}
	if err == nil {
		err = syncDir(p.self)
	}
	return err
}

// MkdirAllAt is [MkdirAll] for a path of the system, through any links.
func MkdirAllAt(name string, perm fs.FileMode) error {
	isSeparator := func(r rune) bool { return r < 0x80 && os.IsPathSeparator(byte(r)) }
	above, base := filepath.Split(strings.TrimRightFunc(name, isSeparator))
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
