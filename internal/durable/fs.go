package durable

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
)

// FS is root as a file system to look around in, out of the budget. Unlike root's own it never blocks: os.Root's ReadDir
// waits for the other end of a FIFO that takes a directory's place. Its files are regular ones, or directories.
func (b *Budget) FS(root *os.Root) fs.FS { return lookAround{root, b} }

type lookAround struct {
	root   *os.Root
	budget *Budget
}

func (l lookAround) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	return Open(l.root, name)
}

func (l lookAround) Stat(name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrInvalid}
	}
	return l.root.Stat(name)
}

// ReadDir lists a directory, sorted by name: all of it, or what the budget allows and [ErrBudget].
func (l lookAround) ReadDir(name string) ([]fs.DirEntry, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	d, err := l.root.OpenFile(name, os.O_RDONLY|openDirectory, 0)
	if err != nil {
		return nil, Failed("list", name, l.root, err)
	}
	defer d.Close()
	var all []fs.DirEntry
	for {
		entries, err := d.ReadDir(atOnce)
		cost := int64(0)
		for _, e := range entries {
			cost += nameCost(e.Name())
		}
		if spent := l.budget.Take(cost); spent != nil {
			entries, err = nil, spent
		}
		all = append(all, entries...)
		if err != nil {
			slices.SortFunc(all, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return all, Failed("list", name, l.root, err)
		}
	}
}
