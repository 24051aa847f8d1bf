package roadmap

// position.go: the roadmap and the disk joined. What is there counts more than what is written about it: a
// phase's plans are those of its directory, and done are those with a summary (docs/design.md, roadmap: Position).

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// Entry is one phase as the roadmap and the disk together show it.
type Entry struct {
	Number    planref.Number
	Title     string // of the roadmap, else from the directory's name
	Milestone string // a Milestone's version, "" for none
	Status    Status // never Unknown; NotStarted with a Total has plans that nobody began
	Line      int    // in the roadmap, of what decided its word on the phase; 0 where it does not mention it
	Dir       *Dir   // nil where there is none
	Retired   bool   // struck out of the roadmap
	// Done of Total plans: those on disk if Dir has any, else as the roadmap counts them.
	Done, Total int
}

// Join lists all phases: those of the roadmap in its order, each with its directory, and between them the
// directories that it does not mention. Where numbers start again with each milestone, a live directory is
// the last milestone's, an archived one its own's; an archived one may also be of a phase that has no
// milestone. Each directory is in one entry, but a live one without plans that the roadmap does not mention.
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
		if dir := &d.Phases[i]; !j.take(dir) && len(dir.Plans) > 0 {
			strays = append(strays, Entry{Number: dir.Number, Milestone: rangeOf(r.ranges, dir.Number), Dir: dir})
		}
	}
	var archived []Entry
	for i := range slices.Backward(d.Archived) { // the newest first, as upstream looks for them (roadmap.cjs:839)
		if dir := &d.Archived[i]; !j.take(dir) {
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

// join is a roadmap's phases while directories are found for them.
type join struct {
	all  []Entry
	at   map[string][]int // the phases with a number
	over map[string]bool  // the milestones that were shipped or given up
}

// take gives a directory to the phase of its number in its milestone, as its archive tells or its name, GSD.02-05-core. Else
// a live one is of the last phase of its number, and an archived one of a complete phase of no milestone. It is false where
// there is none, or that has a directory.
func (j *join) take(dir *Dir) bool {
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

// insert puts a live phase that the roadmap does not mention behind the last one that it follows by number, and
// behind all that is archived. It is of the milestone that is said to have its number, else of the same one, unless that is
// over.
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

// weigh decides how far a phase is, and what it is called. Summaries on disk come first. A ticked phase is complete whatever lies
// there, as older upstream has it (roadmap.cjs:277); one with more plans in the roadmap than on disk is not, and none
// whose verification did not pass (isPhaseComplete, verification.cjs).
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

// Progress is how far the phases that count are: those done of all, and of the plans that lie in them those with a
// summary.
type Progress struct{ Phases, PhasesDone, Plans, PlansDone int }

// Add counts a phase that was not retired.
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

// Percent is the smaller of the plans' and the phases' share, rounded half up as upstream's computeProgressPercent rounds
// (state-document.cjs), but at most 99 while anything is open. false where nothing counts.
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
