package roadmap

// position.go: joining the roadmap with the disk. The disk takes precedence: a phase's plans are those in its
// directory, and those with a summary are done (docs/design.md, roadmap: Position).

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/gsd-cli/gsd/internal/planref"
)

// NotCounted is why a phase counts in no milestone.
type NotCounted string

// The reasons.
const (
	Reserved    NotCounted = "reserved"    // upstream's numbers 0 and 999
	StruckOut   NotCounted = "struck-out"  // of the roadmap
	Repeated    NotCounted = "repeated"    // another directory of its number counts
	Unmentioned NotCounted = "unmentioned" // by the roadmap, which has milestones
)

// Entry is one phase of the roadmap or the disk, or of both. Of one without a line of the roadmap, the title is from the directory's name.
// The status is never Unknown; NotStarted with a Total has plans that nobody began.
//
// What was done of the plans counts, whether its files are still there or not: a plan with a summary, a summary whose plan is gone, and in a
// phase without plans what the roadmap calls done. A plan that only the roadmap lists does not.
type Entry struct {
	Phase
	Dir    *Dir       // nil if there is none
	Left   NotCounted // why the phase counts nowhere; empty if it counts in its milestone
	worked bool       // only its verification keeps it from being complete
}

// WorkDone reports whether the work of a phase is done: it is complete, or would be if its verification had passed.
func (e *Entry) WorkDone() bool { return e.Status == Complete || e.worked }

// Join returns all phases: those of the roadmap in its order, each with its directory, and between them the directories
// that it does not mention. If numbers restart with each milestone, a live directory belongs to the last milestone and
// an archived one to its own, unless its name is that of another phase; an archived one may also belong to a phase without
// a milestone. Each directory is in one entry, except that live ones without plans that the roadmap does not mention are
// left out.
func Join(d *Disk, r *Roadmap) []Entry {
	j := join{all: make([]Entry, 0, len(r.Phases())), at: map[string][]int{}, over: map[string]bool{}}
	for _, m := range r.Milestones {
		j.over[m.Version] = m.Closed()
	}
	for _, ph := range r.Phases() {
		number := ph.Number.Key()
		j.at[number] = append(j.at[number], len(j.all))
		if name := nameKey(ph.Title); name != "" {
			j.at[number+" "+name] = append(j.at[number+" "+name], len(j.all))
		}
		j.all = append(j.all, Entry{Phase: ph})
	}
	var strays []Entry
	for _, dir := range j.assignLive(d) {
		if dir.hasPlans() {
			strays = append(strays, Entry{Phase: Phase{Number: dir.Number, Milestone: rangeOf(r.ranges, dir.Number)}, Dir: dir})
		}
	}
	var archived []Entry
	for i := range slices.Backward(d.Archived) { // newest first, as upstream does (roadmap.cjs:839)
		if dir := &d.Archived[i]; !j.assignDir(dir, true) && !j.assignDir(dir, false) {
			archived = append(archived, Entry{Phase: Phase{Number: dir.Number, Milestone: dir.Milestone}, Dir: dir})
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
	j.leave()
	return j.all
}

// join is the state of Join.
type join struct {
	all  []Entry
	at   map[string][]int // indexes of the phases by number, and by number and name
	over map[string]bool  // the milestones that were shipped or given up
}

// assignLive assigns the live directories, and returns those that are left. Of several with one number the phase's is the one
// with its name and plans; then the name decides, then the plans, then the order of the names, as in upstream.
func (j *join) assignLive(d *Disk) (rest []*Dir) {
	for i := range d.Phases {
		rest = append(rest, &d.Phases[i])
	}
	for _, named := range []bool{true, false} {
		for _, planned := range []bool{true, false} {
			rest = slices.DeleteFunc(rest, func(dir *Dir) bool { return dir.hasPlans() == planned && j.assignDir(dir, named) })
		}
	}
	return rest
}

// assignDir assigns a directory to the phase with its number in its milestone, which its archive or its name,
// GSD.02-05-core, says. Failing that, a live directory belongs to the last phase with its number, and an archived one
// to a phase without a milestone that is complete or has its name. If named is set, only phases with the directory's name
// count. It returns false if there is no such phase or it already has a directory.
func (j *join) assignDir(dir *Dir, named bool) bool {
	tag, _, _ := strings.Cut(path.Base(dir.Path), "-")
	milestone := cmp.Or(dir.Milestone, bracketVersion(tag))
	key := dir.Number.Key()
	if named {
		key += " " + nameKey(dir.Slug)
	}
	var found *Entry
	for _, i := range j.at[key] {
		e := &j.all[i]
		if milestone != "" && e.Milestone == milestone {
			found = e
			break
		}
		if dir.Milestone == "" || e.Milestone == "" && (e.Status == Complete || named) {
			found = e
		}
	}
	if found == nil || found.Dir != nil {
		return false
	}
	found.Dir = dir
	return true
}

// nameKey returns a name as it is compared with that of a directory: its letters and digits in lower case, without "and".
func nameKey(name string) string {
	other := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	words := strings.FieldsFunc(strings.ToLower(name), other)
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "and" }), "")
}

// leave says which phases count nowhere: upstream's reserved numbers, phases that were struck out, all but one directory of a
// number, and directories that a roadmap with milestones does not mention.
func (j *join) leave() {
	has, loose, listed := map[planID]bool{}, false, false
	for i := range j.all {
		if e := &j.all[i]; e.Line > 0 {
			listed, loose = true, loose || e.Milestone == ""
			has[planID{e.Milestone, e.Number.Key()}] = e.Dir != nil
		}
	}
	for i := range j.all {
		e := &j.all[i]
		at := planID{e.Milestone, e.Number.Key()}
		switch {
		case e.Number.IsSentinel():
			e.Left = Reserved
		case e.Retired:
			e.Left = StruckOut
		case e.Line > 0 || e.Number.IsZero():
		case has[at]:
			e.Left = Repeated
		case e.Milestone == "" && listed && !loose:
			e.Left = Unmentioned
		default:
			has[at] = true // the first of several that the roadmap does not mention
		}
	}
}

// insert inserts a live phase that the roadmap does not mention after the last one with a lower number and after all
// archived ones. If no milestone's range has its number, it belongs to the milestone of the phase before it, unless
// that is over.
func (j *join) insert(e Entry) {
	at := len(j.all)
	if !e.Number.IsZero() {
		for at > 0 && !j.all[at-1].IsArchived() && (j.all[at-1].Number.IsZero() || planref.Compare(j.all[at-1].Number, e.Number) > 0) {
			at--
		}
	}
	if e.Milestone == "" && at > 0 && !j.all[at-1].IsArchived() && !j.over[j.all[at-1].Milestone] {
		e.Milestone = j.all[at-1].Milestone
	}
	j.all = slices.Insert(j.all, at, e)
}

// IsArchived reports whether a phase lies in the archive of a milestone.
func (e *Entry) IsArchived() bool { return e.Dir != nil && e.Dir.Milestone != "" }

// weigh decides the status, the title and the plans of a phase. A phase that the roadmap calls complete is complete whatever
// is on disk, as in older upstream (roadmap.cjs:277). So is one whose plans on disk all have summaries, unless the roadmap
// has more plans. A phase whose verification did not pass is not complete (isPhaseComplete, verification.cjs), though its
// work is done.
func (e *Entry) weigh() {
	planned, listed, dir := e.Total, e.Done, cmp.Or(e.Dir, &Dir{})
	e.Title = cmp.Or(e.Title, strings.ReplaceAll(dir.Slug, "-", " "))
	if dir.hasPlans() {
		e.Done, e.Total = dir.Done()+len(dir.Orphans), len(dir.Plans)+len(dir.Orphans)
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
	if e.Status == Complete && dir.Unverified() != "" {
		e.Status, e.worked = InProgress, true
	}
	if len(dir.Plans) == 0 {
		e.Done = max(e.Done, listed)
		e.Total = e.Done
	}
}

// Progress counts phases, and the plans in them.
type Progress struct {
	Phases, PhasesDone, Plans, PlansDone int
	Waiting                              []string // the numbers of the phases that are done, and whose verification did not pass
}

// Add adds a phase, unless it counts nowhere.
func (p *Progress) Add(e *Entry) {
	if e.Left != "" {
		return
	}
	p.Phases, p.Plans, p.PlansDone = p.Phases+1, p.Plans+e.Total, p.PlansDone+e.Done
	if e.WorkDone() {
		p.PhasesDone++
	}
	if e.worked {
		p.Waiting = append(p.Waiting, e.Number.String())
	}
}

// Has reports whether a phase is one of those that count now. What lies in the archive belongs to a milestone that is over,
// and counts only in that.
func (s Scope) Has(e *Entry) bool {
	return e.Left == "" && s.Counts(e.Milestone, e.Number) && (!e.IsArchived() || s.Milestone != "" && e.Milestone == s.Milestone)
}

// Percent returns the smaller of the percentages of plans and phases done, rounded half up as in upstream's
// computeProgressPercent (state-document.cjs), but at most 99 while anything is open or waits for its verification. It returns
// false if there are none.
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
	if share < 1 || len(p.Waiting) > 0 {
		percent = min(percent, 99)
	}
	return percent, true
}
