package leftover

// items.go: the work items of HAIOS.

import (
	"cmp"
	"errors"
	"path"
	"path/filepath"
	"slices"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/project"
)

const (
	maxItems = 1000     // names that are looked up, the last ones of a directory: an agent waits for this
	itemHead = 64 << 10 // bytes of an item that are read: its front matter is enough

	maxOutside = 8 << 20 // bytes that are read of the items of a directory without plans
)

// ItemsUnread warns that not all work items were read.
const ItemsUnread = "work-unread"

// itemDirs are where HAIOS keeps items that are not over.
var itemDirs = [...]string{"docs/work/active", "docs/work/blocked"}

// Items lists the work items of HAIOS that were started and not finished.
func Items(p *project.Project) []answer.Incomplete {
	found, left := itemsIn(p.Names, func(name string) ([]byte, error) {
		src, _, err := p.Budget().Head(p.Root(), name, itemHead)
		p.OverBudget(err, name)
		return src, err
	})
	if left > 0 {
		p.Warn(problem.Warning{Code: ItemsUnread, Count: left})
	}
	return found
}

// ItemsOutside lists those of the nearest directory at or above dir that has any, for one that is in no project, with paths relative to
// dir. left is how many were not read there.
func ItemsOutside(dir string) (found []answer.Incomplete, left int) {
	for at, up := dir, "."; ; at, up = filepath.Dir(at), path.Join(up, "..") {
		if found, left = itemsAt(at); len(found) > 0 || left > 0 {
			for i := range found {
				found[i].Path = path.Join(up, found[i].Path)
			}
			return found, left
		}
		if at == filepath.Dir(at) {
			return nil, 0
		}
	}
}

// itemsAt lists the items of one directory without plans. One that cannot be read has none.
func itemsAt(dir string) (found []answer.Incomplete, left int) {
	root, err := durable.OpenRootAt(dir)
	if err != nil {
		return nil, 0
	}
	defer root.Close() // it was only read
	budget := durable.NewBudget(maxOutside)
	list := func(name string) []string {
		names, _ := budget.List(root, name, nil)
		return names
	}
	return itemsIn(list, func(name string) ([]byte, error) {
		src, _, err := budget.Head(root, name, itemHead)
		return src, err
	})
}

// itemsIn lists the items with functions that list a directory and read the beginning of a file. left is how many were not read, because
// there are too many, or read has reached its limit.
func itemsIn(list func(dir string) []string, read func(name string) ([]byte, error)) (found []answer.Incomplete, left int) {
	items := maxItems
	for _, dir := range itemDirs {
		names := list(dir)
		slices.Sort(names)
		some := names[max(0, len(names)-items):]
		items -= len(some)
		left += len(names) - len(some)
		for _, name := range some {
			file := path.Join(dir, name, "WORK.md")
			src, err := read(file)
			if errors.Is(err, durable.ErrBudget) {
				left++
			}
			if err != nil {
				continue // a file beside the items, or an item without one
			}
			if work, open := readWork(src); open {
				found = append(found, answer.Incomplete{Kind: answer.WorkItem, ID: cmp.Or(work.ID, name), Path: file, Detail: work.Node})
			}
		}
	}
	return found, left
}
