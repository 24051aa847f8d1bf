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

// TestFS: directories are sorted and paid for, files are read, and nothing else is a path.
func TestFS(t *testing.T) {
	root, dir := newRoot(t)
	os.Mkdir(filepath.Join(dir, "sub"), 0o755)
	const many = 3000
	for i := range many {
		write(t, dir, fmt.Sprintf("sub/%04d", i), "")
	}
	write(t, dir, "file", "content")
	free := (*Budget)(nil).FS(root)
	names := func(fsys fs.FS) ([]string, error) {
		entries, err := fs.ReadDir(fsys, "sub")
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names, err
	}
	if got, err := names(free); err != nil || len(got) != many || !slices.IsSorted(got) {
		t.Errorf("%d names, %v", len(got), err)
	}
	if got, err := names(NewBudget(2000 * nameCost("0000")).FS(root)); !errors.Is(err, ErrBudget) || len(got) == 0 || len(got) > 2000 {
		t.Errorf("%d names out of a budget for 2000, %v", len(got), err)
	}
	if data, err := fs.ReadFile(free, "file"); err != nil || string(data) != "content" {
		t.Errorf("%q, %v", data, err)
	}
	if info, err := fs.Stat(free, "sub"); err != nil || !info.IsDir() {
		t.Errorf("%v, %v", info, err)
	}
	if _, err := fs.ReadDir(free, "missing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing one: %v", err)
	}
	for _, name := range []string{"../x", "/", ""} {
		_, opened := free.Open(name)
		_, listed := fs.ReadDir(free, name)
		_, looked := fs.Stat(free, name)
		for _, err := range []error{opened, listed, looked} {
			if !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("%q: %v", name, err)
			}
		}
	}
}
