package roadmap

// position.go: joining the roadmap with the disk. The disk takes precedence: a phase's plans are those in its
// directory, and those with a summary are done (docs/design.md, roadmap: Position).

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// Entry is one phase of the roadmap or the disk, or of both.
type Entry struct {
	Number    planref.Number
	Title     string // in the roadmap, else from the directory's name
	Milestone string // a Milestone's version, "" for none
	Status    Status // never Unknown; NotStarted with a Total has plans that nobody began
	Line      int    // Phase.Line; 0 if the roadmap does not mention the phase
	Dir       *Dir   // nil if there is none
	Retired   bool   // struck out of the roadmap
	// Done of Total plans: those on disk if Dir has any, else as the roadmap counts them.
	Done, Total int
}

// Join returns all phases: those of the roadmap in its order, each with its directory, and between them the directories
// that it does not mention. If numbers restart with each milestone, a live directory belongs to the last milestone and
// an archived one to its own; an archived one may also belong to a phase without a milestone. Each directory is in one
// entry, except that live ones without plans that the roadmap does not mention are left out.
func Join(d *Disk, r *Roadmap) []Entry {
	j := join{all: make([]Entry, 0, len(r.Phases())), at: map[string][]int{}, over: map[string]bool{}}
	for _, m := range r.Milestones {
		j.over[m.Version] = m.Over()
	}
	for _, ph := range r.Phases() {
		j.at[ph.Number.Key()] = append(j.at[ph.Number.Key()], len(j.all))
		j.all = append(j.all, Entry{
			Number: ph.Number, Title: ph.Title, Milestone: ph.Milestone, Status: ph.Status, Retired: ph.Retired, Line: ph.Line,
			Done: ph.Done, Total: ph.Total,
		})
	}
	var strays []Entry
	for i := range d.Phases {
		if dir := &d.Phases[i]; !j.assignDir(dir) && len(dir.Plans) > 0 {
			strays = append(strays, Entry{Number: dir.Number, Milestone: rangeOf(r.ranges, dir.Number), Dir: dir})
		}
	}
	var archived []Entry
	for i := range slices.Backward(d.Archived) { // newest first, as upstream does (roadmap.cjs:839)
		if dir := &d.Archived[i]; !j.assignDir(dir) {
			archived = append(archived, Entry{Number: dir.Number, Milestone: dir.Milestone, Dir: dir})
		}
	}
	slices.Reverse(archived)
	j.all = append(archived, j.all...)
	for _, e := range strays {
		j.insert(e)
	}
	for i := range j.all {
		j.all[i].weigh()
	}
	return j.all
}

// join is the state of Join.
type join struct {
	all  []Entry
	at   map[string][]int // indexes of the phases by number
	over map[string]bool  // the milestones that were shipped or given up
}

// assignDir assigns a directory to the phase with its number in its milestone, which its archive or its name,
// GSD.02-05-core, says. Failing that, a live directory belongs to the last phase with its number, and an archived one
// to a complete phase without a milestone. take returns false if there is no such phase or it already has a directory.
func (j *join) assignDir(dir *Dir) bool {
	tag, _, _ := strings.Cut(path.Base(dir.Path), "-")
	milestone := cmp.Or(dir.Milestone, bracketVersion(tag))
	var found *Entry
	for _, i := range j.at[dir.Number.Key()] {
		e := &j.all[i]
		if milestone != "" && e.Milestone == milestone {
			found = e
			break
		}
		if dir.Milestone == "" || e.Milestone == "" && e.Status == Complete {
			found = e
		}
	}
	if found == nil || found.Dir != nil {
		return false
	}
	found.Dir = dir
	return true
}

// insert inserts a live phase that the roadmap does not mention after the last one with a lower number and after all
// archived ones. If no milestone's range has its number, it belongs to the milestone of the phase before it, unless
// that is over.
func (j *join) insert(e Entry) {
	at := len(j.all)
	if !e.Number.IsZero() {
		for at > 0 && !j.all[at-1].isArchived() && (j.all[at-1].Number.IsZero() || planref.Compare(j.all[at-1].Number, e.Number) > 0) {
			at--
		}
	}
	if e.Milestone == "" && at > 0 && !j.all[at-1].isArchived() && !j.over[j.all[at-1].Milestone] {
		e.Milestone = j.all[at-1].Milestone
	}
	j.all = slices.Insert(j.all, at, e)
}

func (e *Entry) isArchived() bool { return e.Dir != nil && e.Dir.Milestone != "" }

// weigh decides the status and the title of a phase. A phase that the roadmap calls complete is complete whatever is on
// disk, as in older upstream (roadmap.cjs:277). So is one whose plans on disk all have summaries, unless the roadmap
// has more plans. A phase whose verification did not pass is not complete (isPhaseComplete, verification.cjs).
func (e *Entry) weigh() {
	planned := e.Total
	if e.Dir != nil {
		e.Title = cmp.Or(e.Title, strings.ReplaceAll(e.Dir.Slug, "-", " "))
	}
	if e.Dir != nil && len(e.Dir.Plans) > 0 {
		e.Done, e.Total = e.Dir.Done(), len(e.Dir.Plans)
	}
	switch {
	case e.Status == Complete:
	case e.Total > 0 && e.Done >= e.Total && planned <= e.Total:
		e.Status = Complete
	case e.Status == Deferred:
	case e.Done > 0:
		e.Status = InProgress
	case e.Status == Unknown:
		e.Status = NotStarted
	}
	if e.Status == Complete && e.Dir != nil && e.Dir.Unverified() != "" {
		e.Status = InProgress
	}
}

// Progress counts phases, and the plans on disk in them.
type Progress struct{ Phases, PhasesDone, Plans, PlansDone int }

// Add adds a phase, unless it was retired.
func (p *Progress) Add(e *Entry) {
	if e.Retired {
		return
	}
	p.Phases++
	if e.Status == Complete {
		p.PhasesDone++
	}
	if e.Dir != nil {
		p.Plans, p.PlansDone = p.Plans+len(e.Dir.Plans), p.PlansDone+e.Dir.Done()
	}
}

// Percent returns the smaller of the percentages of plans and phases done, rounded half up as in upstream's
// computeProgressPercent (state-document.cjs), but at most 99 while anything is open. It returns false if there are
// none.
func (p Progress) Percent() (int, bool) {
	if p.Plans+p.Phases == 0 {
		return 0, false
	}
	share := 1.0
	if p.Plans > 0 {
		share = min(share, float64(p.PlansDone)/float64(p.Plans))
	}
	if p.Phases > 0 {
		share = min(share, float64(p.PhasesDone)/float64(p.Phases))
	}
	percent := int(max(share, 0)*100 + 0.5)
	if share < 1 {
		percent = min(percent, 99)
	}
	return percent, true
}
