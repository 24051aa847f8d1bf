package durable

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// nameCost is what a name in a directory takes from a budget, in bytes: about what it and what is made of it
// keep in memory.
func nameCost(name string) int64 { return 128 + 4*int64(len(name)) }

// atOnce is how many names are read before they are paid for.
const atOnce = 1024

// A FileID says which file or directory it is, whatever path leads there. The zero FileID is unknown.
type FileID struct{ device, number uint64 }

// IDOf says which file it is that a look at it, through any links, has found.
func IDOf(info fs.FileInfo) FileID { return fileID(info) }

// List is [Names] out of a budget: where that ends, it returns the names up to there and [ErrBudget]. wanted is
// told, before any name is read, which directory it is that the name leads to, and none is read if it says no; nil
// wants all.
func (b *Budget) List(root *os.Root, name string, wanted func(FileID) bool) ([]string, error) {
	d, err := root.OpenFile(name, os.O_RDONLY|openDirectory, 0)
	if err != nil {
		return nil, Failed("list", name, root, err)
	}
	defer d.Close()
	if wanted != nil {
		info, err := d.Stat()
		if err != nil || !wanted(fileID(info)) {
			return nil, Failed("list", name, root, err)
		}
	}
	var all []string
	for {
		names, err := d.Readdirnames(atOnce)
		cost := int64(0)
		for _, name := range names {
			cost += nameCost(name)
		}
		if spent := b.Take(cost); err == nil {
			err = spent
		}
		if err == nil || errors.Is(err, io.EOF) {
			if all == nil {
				all = names // the usual case
			} else {
				all = append(all, names...)
			}
		}
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return all, Failed("list", name, root, err)
		case len(names) < atOnce: // there are fewer only at the end
			return all, nil
		}
	}
}
