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

// Recovery is what a user has to know before continuing: everything that was left unfinished.
type Recovery struct {
	Orphaned   []run.Run    `json:"orphaned"` // runs whose process is gone and that never ended; a sweep records their end
	Doubtful   []run.Run    `json:"doubtful"` // expired runs that may or may not live; a sweep with --force ends them
	Assessment              // the tasks and the sessions
	Incomplete []Incomplete `json:"incomplete"` // other work that began and was not finished
	Warnings   []Warning    `json:"-"`
}

// Any reports whether there is anything to recover from.
func (r *Recovery) Any() bool {
	return len(r.Orphaned)+len(r.Doubtful)+len(r.Left)+len(r.Lost)+len(r.Incomplete) > 0
}

// Begin adds the next plan to the incomplete work, if commits work on it and nobody has a session on it. A lost session on
// it has more than the commits.
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
	WorkHandOff WorkKind = "continue-here" // a note for whoever continues, left by upstream's pause-work
	WorkItem    WorkKind = "work-item"     // a WORK.md below docs/work with a node that was entered and not left (HAIOS)
	WorkPlan    WorkKind = "plan"          // commits work on it, and it has neither a session nor a summary
)

// Incomplete is other work that began and was not finished. Texts are as the files have them: untrusted.
type Incomplete struct {
	Kind   WorkKind `json:"kind"`                // what it is
	ID     string   `json:"id" empty:"null"`     // the id of a work item or a plan; null if it has none
	Path   string   `json:"path"`                // its file, relative to the project
	Detail string   `json:"detail" empty:"null"` // where a work item is stuck; null for anything else

	Ambiguous bool `json:"-"` // of a plan: another has its ID, too
}

// Recovery says what a report's user has to know before continuing. It only reads, and nothing of git, because a hook waits
// for this at every turn.
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

// handOffs finds the notes for whoever continues in directories of the project.
func (p *Project) handOffs(dirs ...string) (found []Incomplete) {
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		if dir == "." {
			continue
		}
		names := p.beside.names
		if dir != p.beside.dir {
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

// passedHandOffs are those in the project's own directory and in those that a survey has listed.
func (p *Project) passedHandOffs() []Incomplete {
	found := p.handOffs(planning)
	slices.Sort(p.passed)
	for _, file := range slices.Compact(p.passed) {
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
	maxWorkItems = 1000     // names that are looked up, the last of a directory: this runs at every turn
	workHead     = 64 << 10 // bytes of an item that are read: its front matter says all
)

// WorkUnread warns that not all work items were read.
const WorkUnread = "work-unread"

// workItems lists the work items of HAIOS that were begun and not finished.
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
