package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestList: names are paid for while they are read, and a link leads to the same directory.
func TestList(t *testing.T) {
	root, dir := newRoot(t)
	os.Mkdir(filepath.Join(dir, "sub"), 0o755)
	os.Symlink("sub", filepath.Join(dir, "link"))
	write(t, dir, "file", "x")
	const many = 3000
	for i := range many {
		write(t, dir, fmt.Sprintf("sub/%04d", i), "")
	}
	var id FileID
	which := func(to *FileID) func(FileID) bool { return func(is FileID) bool { *to = is; return true } }
	names, err := (*Budget)(nil).List(root, "sub", which(&id))
	slices.Sort(names)
	if err != nil || len(names) != many || names[many-1] != "2999" {
		t.Fatalf("%d names, %v", len(names), err)
	}
	var link, above FileID
	if _, err := (*Budget)(nil).List(root, "link", which(&link)); err != nil || link != id {
		t.Errorf("a link to it is %v, not %v (%v)", link, id, err)
	}
	if _, err := (*Budget)(nil).List(root, ".", which(&above)); err != nil || above == id && id != (FileID{}) {
		t.Errorf("the directory above is %v, too (%v)", above, err)
	}
	if names, err := NewBudget(0).List(root, "sub", func(FileID) bool { return false }); err != nil || len(names) > 0 {
		t.Errorf("unwanted: %d names, %v", len(names), err)
	}
	b := NewBudget(2000 * (128 + 4*4))
	if names, err := b.List(root, "sub", nil); !errors.Is(err, ErrBudget) || len(names) == 0 || len(names) > 2000 {
		t.Errorf("%d names out of a budget for 2000, %v", len(names), err)
	}
	if _, err := b.List(root, "file", nil); err == nil || errors.Is(err, ErrBudget) {
		t.Errorf("a file: %v", err)
	}
	if _, err := b.List(root, "missing", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing one: %v", err)
	}
}
