package hydrate

import (
	"cmp"
	"path"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/roadmap"
)

// recovery returns what was left unfinished. It does not read git's history, because an agent waits for it.
func (p *Project) recovery(r *Report, now time.Time) *verdict.Recovery {
	rec := &verdict.Recovery{}
	rec.Assessment, rec.Warnings = history.Runs(p.Project, r, now)
	rec.AddRuns(&rec.Assessment.Assessment, r)
	if r.Start != nil && r.Start.Before != nil { // it has recorded their ends, and nobody will tell of them again
		before := r.Start.Before
		rec.Orphaned, rec.Left, rec.Failed = before.Orphaned, before.Left, before.Failed
	}
	rec.Incomplete = append(p.HandOffs(now, p.notesBeside(r.Plan.Path)...), p.WorkItems()...)
	rec.Warnings = append(rec.Warnings, p.Planning.Warned()...)
	return rec
}

const (
	maxWorkItems = 1000     // names that are looked up, the last ones of a directory: an agent waits for this
	workHead     = 64 << 10 // bytes of an item that are read: its front matter is enough
)

// WorkUnread warns that not all work items were read.
const WorkUnread = "work-unread"

// WorkItems lists the work items of HAIOS that were started and not finished.
func (p *Project) WorkItems() (found []verdict.Incomplete) {
	items, left := maxWorkItems, 0
	for _, dir := range [...]string{"docs/work/active", "docs/work/blocked"} {
		names := p.Planning.Names(dir)
		slices.Sort(names)
		some := names[max(0, len(names)-items):]
		items -= len(some)
		left += len(names) - len(some)
		for _, name := range some {
			file := path.Join(dir, name, "WORK.md")
			src, _, err := p.Planning.Budget().Head(p.Planning.Root(), file, workHead)
			if p.Planning.OverBudget(err, file) {
				left++
			}
			if err != nil {
				continue // a file beside the items, or an item without one
			}
			if work, open := roadmap.ReadWork(src); open {
				found = append(found, verdict.Incomplete{Kind: verdict.WorkItem, ID: cmp.Or(work.ID, name), Path: file, Detail: work.Node})
			}
		}
	}
	if left > 0 {
		p.Planning.Warn(WorkUnread, verdict.Counted(left, "work item was", "work items were")+" not read: there are too many")
	}
	return found
}
