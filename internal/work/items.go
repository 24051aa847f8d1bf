package work

// items.go: the work items of HAIOS.

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/verdict"
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
func Items(p *verdict.Project) []verdict.Incomplete {
	read := func(name string) ([]byte, error) {
		src, _, err := p.Planning.Budget().Head(p.Planning.Root(), name, itemHead)
		return src, err
	}
	found, left := itemsIn(p.Planning.Names, read, p.Planning.OverBudget)
	if left > 0 {
		p.Planning.Warn(ItemsUnread, verdict.Counted(left, "work item was", "work items were")+" not read: there are too many")
	}
	return found
}

// ItemsOutside lists those of the nearest directory at or above dir that has any, for one that is in no project.
func ItemsOutside(dir string) []verdict.Incomplete {
	for at, above := dir, filepath.Dir(dir); ; at, above = above, filepath.Dir(above) {
		if root, err := durable.OpenRootAt(at); err == nil {
			budget := durable.NewBudget(maxOutside)
			names := func(name string) []string {
				names, _ := budget.List(root, name, nil)
				return names
			}
			read := func(name string) ([]byte, error) {
				src, _, err := budget.Head(root, name, itemHead)
				return src, err
			}
			found, _ := itemsIn(names, read, func(error, string) bool { return false })
			root.Close()
			if len(found) > 0 {
				return found
			}
		}
		if at == above {
			return nil
		}
	}
}

// itemsIn lists the items with functions that list a directory and read the beginning of a file. isOver reports whether an error means
// that enough was read; left is how many were not.
func itemsIn(names func(dir string) []string, read func(name string) ([]byte, error), isOver func(error, string) bool) (found []verdict.Incomplete, left int) {
	items := maxItems
	for _, dir := range itemDirs {
		names := names(dir)
		slices.Sort(names)
		some := names[max(0, len(names)-items):]
		items -= len(some)
		left += len(names) - len(some)
		for _, name := range some {
			file := path.Join(dir, name, "WORK.md")
			src, err := read(file)
			if isOver(err, file) {
				left++
			}
			if err != nil {
				continue // a file beside the items, or an item without one
			}
			if work, open := ReadWork(src); open {
				found = append(found, verdict.Incomplete{Kind: verdict.WorkItem, ID: cmp.Or(work.ID, name), Path: file, Detail: work.Node})
			}
		}
	}
	return found, left
}
