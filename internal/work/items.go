package work

// items.go: the work items of HAIOS.

import (
	"cmp"
	"path"
	"slices"

	"github.com/gsd-cli/gsd/internal/verdict"
)

const (
	maxItems = 1000     // names that are looked up, the last ones of a directory: an agent waits for this
	itemHead = 64 << 10 // bytes of an item that are read: its front matter is enough
)

// ItemsUnread warns that not all work items were read.
const ItemsUnread = "work-unread"

// Items lists the work items of HAIOS that were started and not finished.
func Items(p *verdict.Project) (found []verdict.Incomplete) {
	items, left := maxItems, 0
	for _, dir := range [...]string{"docs/work/active", "docs/work/blocked"} {
		names := p.Planning.Names(dir)
		slices.Sort(names)
		some := names[max(0, len(names)-items):]
		items -= len(some)
		left += len(names) - len(some)
		for _, name := range some {
			file := path.Join(dir, name, "WORK.md")
			src, _, err := p.Planning.Budget().Head(p.Planning.Root(), file, itemHead)
			if p.Planning.OverBudget(err, file) {
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
	if left > 0 {
		p.Planning.Warn(ItemsUnread, verdict.Counted(left, "work item was", "work items were")+" not read: there are too many")
	}
	return found
}
