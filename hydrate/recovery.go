package hydrate

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/roadmap"
)

// Recovery is what was left unfinished, which a user should know before continuing.
type Recovery struct {
	Orphaned   []run.Run    `json:"orphaned"` // runs whose process is gone and whose end was not recorded; a sweep records it
	Doubtful   []run.Run    `json:"doubtful"` // expired runs that may still be alive; a sweep with --force ends them
	Assessment              // its tasks and lost sessions
	Incomplete []Incomplete `json:"incomplete"` // other work that was started and not finished
	Warnings   []Warning    `json:"-"`
}

// Any reports whether there is anything to recover from.
func (r *Recovery) Any() bool {
	return len(r.Orphaned)+len(r.Doubtful)+len(r.Left)+len(r.Lost)+len(r.Incomplete) > 0
}

// Begin adds the next plan to the incomplete work, if it has commits and nobody has a session on it. It does not if a lost
// session is on the plan, because that has more than the commits.
func (r *Recovery) Begin(next *Next) {
	if next != nil && next.Begun &&
		!slices.ContainsFunc(r.Lost, func(lost LostSession) bool { return lost.Plan == next.Plan }) {
		r.Incomplete = append(r.Incomplete,
			Incomplete{Kind: WorkPlan, ID: next.ID, Path: next.Plan, Ambiguous: next.Ambiguous})
	}
}

// WorkKind is a kind of incomplete work.
type WorkKind string

// The kinds of incomplete work.
const (
	WorkHandOff WorkKind = "continue-here" // a hand-off note, left by upstream's pause-work
	WorkItem    WorkKind = "work-item"     // a WORK.md below docs/work with a node that was entered and not left (HAIOS)
	WorkPlan    WorkKind = "plan"          // commits work on it, and it has neither a session nor a summary
)

// Incomplete is other work that was started and not finished. Texts are untrusted, and as the files have them.
type Incomplete struct {
	Kind   WorkKind `json:"kind"`                // what it is
	ID     string   `json:"id" empty:"null"`     // the id of a work item or a plan; null if it has none
	Path   string   `json:"path"`                // its file, relative to the project
	Detail string   `json:"detail" empty:"null"` // where a work item is stuck; null for anything else

	Ambiguous bool `json:"-"` // of a plan: another has its ID, too
}

// Recovery returns what was left unfinished. It only reads, and does not read git's history, because an agent waits for it.
func (p *Project) Recovery(r *Report, now time.Time) *Recovery {
	rec := &Recovery{}
	rec.Assessment, rec.Warnings = p.Runs(r, now)
	for _, r := range rec.Runs {
		switch {
		case r.State == run.StateOrphaned:
			rec.Orphaned = append(rec.Orphaned, r)
		case r.Expired:
			rec.Doubtful = append(rec.Doubtful, r)
		}
	}
	rec.Incomplete = append(p.handOffs(planning, path.Dir(r.Plan.Path)), p.workItems()...)
	rec.Warnings = append(rec.Warnings, p.warned...)
	return rec
}

// handOffs finds the hand-off notes in directories of the project.
func (p *Project) handOffs(dirs ...string) (found []Incomplete) {
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		if dir == "." {
			continue
		}
		names := p.siblings.names
		if dir != p.siblings.dir {
			names = p.names(dir)
		}
		for _, name := range slices.Sorted(slices.Values(names)) {
			if isHandOff(name) {
				found = append(found, Incomplete{Kind: WorkHandOff, Path: path.Join(dir, name)})
			}
		}
	}
	return found
}

// listedHandOffs finds those in the planning directory and in the directories that a survey has listed.
func (p *Project) listedHandOffs() []Incomplete {
	found := p.handOffs(planning)
	slices.Sort(p.handOffNotes)
	for _, file := range slices.Compact(p.handOffNotes) {
		if path.Dir(file) != planning {
			found = append(found, Incomplete{Kind: WorkHandOff, Path: file})
		}
	}
	return found
}

func isHandOff(name string) bool {
	return strings.HasPrefix(name, ".continue-here") && strings.HasSuffix(name, ".md")
}

const (
	maxWorkItems = 1000     // names that are looked up, the last ones of a directory: an agent waits for this
	workHead     = 64 << 10 // bytes of an item that are read: its front matter is enough
)

// WorkUnread warns that not all work items were read.
const WorkUnread = "work-unread"

// workItems lists the work items of HAIOS that were started and not finished.
func (p *Project) workItems() (found []Incomplete) {
	items, left := maxWorkItems, 0
	for _, dir := range [...]string{"docs/work/active", "docs/work/blocked"} {
		names := p.names(dir)
		slices.Sort(names)
		some := names[max(0, len(names)-items):]
		items -= len(some)
		left += len(names) - len(some)
		for _, name := range some {
			file := path.Join(dir, name, "WORK.md")
			src, _, err := p.budget.Head(p.root, file, workHead)
			if p.overBudget(err, file) {
				left++
			}
			if err != nil {
				continue // a file beside the items, or an item without one
			}
			if work, open := roadmap.ReadWork(src); open {
				found = append(found, Incomplete{Kind: WorkItem, ID: cmp.Or(work.ID, name), Path: file, Detail: work.Node})
			}
		}
	}
	if left > 0 {
		p.warn(WorkUnread, counted(left, "work item was", "work items were")+" not read: there are too many")
	}
	return found
}
