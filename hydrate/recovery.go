package hydrate

import (
	"cmp"
	"path"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/roadmap"
)

// Recovery is what was left unfinished, which a user should know before continuing.
type Recovery struct {
	Orphaned   []run.Run    `json:"orphaned"`         // runs whose process is gone and whose end was not recorded, the latest first; a sweep records it
	Doubtful   []run.Run    `json:"doubtful"`         // expired runs that may still be alive; a sweep with --force ends them
	Failed     *run.Run     `json:"failed,omitempty"` // the last run, if it ended in failure on the plan and nobody is at work
	Left       []int        `json:"tasks"`            // the tasks that a run left in progress; none if another run may be working on them
	Assessment              // its lost sessions
	Incomplete []Incomplete `json:"incomplete"` // other work that was started and not finished
	Warnings   []Warning    `json:"-"`
}

// Any reports whether there is anything to recover from.
func (r *Recovery) Any() bool {
	return r.Failed != nil || len(r.Orphaned)+len(r.Doubtful)+len(r.Left)+len(r.Lost)+len(r.Incomplete) > 0
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
	WorkHandOff     WorkKind = "continue-here" // a .continue-here.md, left by upstream's pause-work
	WorkHandOffJSON WorkKind = "handoff"       // a HANDOFF.json, left by the same
	WorkItem        WorkKind = "work-item"     // a WORK.md below docs/work with a node that was entered and not left (HAIOS)
	WorkPlan        WorkKind = "plan"          // commits work on it, and it has neither a session nor a summary
)

// Incomplete is other work that was started and not finished. Texts are untrusted, and as the files have them.
type Incomplete struct {
	Kind   WorkKind `json:"kind"`                // what it is
	ID     string   `json:"id" empty:"null"`     // the id of a work item or a plan; null if it has none
	Path   string   `json:"path"`                // its file, relative to the project
	Detail string   `json:"detail" empty:"null"` // where a work item is stuck, or what a hand-off note says to do next; else null

	// Where a hand-off note says that the work stopped, in its own words, and when it was written.
	Phase   string    `json:"phase,omitempty"`
	Plan    string    `json:"plan,omitempty"`
	Task    string    `json:"task,omitempty"`
	Written time.Time `json:"written,omitempty"`

	Age       time.Duration `json:"-"` // of a hand-off note
	Ambiguous bool          `json:"-"` // of a plan: another has its ID, too

	stuck bool // nothing can be written where a note is
}

// Recovery returns what was left unfinished. It only reads, and does not read git's history, because an agent waits for it.
func (p *Project) Recovery(r *Report, now time.Time) *Recovery {
	rec := &Recovery{}
	rec.Assessment, rec.Warnings = p.Runs(r, now)
	rec.addRuns(&rec.Assessment.Assessment, r)
	if before := r.before; before != nil { // this start has recorded their ends, and nobody will tell of them again
		rec.Orphaned, rec.Left, rec.Failed = before.Orphaned, before.Left, before.Failed
	}
	rec.Incomplete = append(p.handOffs(now, p.notesBeside(r.Plan.Path)...), p.workItems()...)
	rec.Warnings = append(rec.Warnings, p.project.Warned()...)
	return rec
}

// addRuns adds the runs of an assessment that a user should know of.
func (r *Recovery) addRuns(a *run.Assessment, on *Report) {
	for _, its := range slices.Backward(a.Runs) {
		switch {
		case its.State == run.StateOrphaned:
			r.Orphaned = append(r.Orphaned, its)
		case its.Expired && !its.Over(false):
			r.Doubtful = append(r.Doubtful, its)
		}
	}
	if last := a.Latest; last != nil && last.Status == run.Failure && last.Plan == on.Plan.Path && a.AtWork() == nil {
		failed := *last
		r.Failed = &failed
	}
	r.Left = a.Unfinished(on.Plan.Path, inProgress(on.Session), false)
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
		names := p.project.Names(dir)
		slices.Sort(names)
		some := names[max(0, len(names)-items):]
		items -= len(some)
		left += len(names) - len(some)
		for _, name := range some {
			file := path.Join(dir, name, "WORK.md")
			src, _, err := p.project.Budget().Head(p.project.Root(), file, workHead)
			if p.project.OverBudget(err, file) {
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
		p.project.Warn(WorkUnread, counted(left, "work item was", "work items were")+" not read: there are too many")
	}
	return found
}
