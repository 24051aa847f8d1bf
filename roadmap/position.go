package roadmap

// position.go: the roadmap and the disk joined. What is there counts more than what is written about it: a
// phase's plans are those of its directory, and done are those with a summary (DESIGN.md, roadmap: Position).

import (
	"cmp"
	"slices"
	"strings"
)

// Entry is one phase as the roadmap and the disk together show it.
type Entry struct {
	Number    Number
	Title     string // of the roadmap, else from the directory's name
	Milestone string // a Milestone's version, "" for none
	Status    Status // never Unknown; NotStarted with a Total has plans that nobody began
	Line      int    // in the roadmap, of what decided its word on the phase; 0 where it does not mention it
	Dir       *Dir   // nil where there is none
	Done      int    // plans
	Total     int
}

// Join lists all phases: those of the roadmap in its order, each with its directory, and between them the
// directories that it does not mention. Where numbers start again with each milestone, a live directory is
// the last milestone's, an archived one its own's.
func Join(d *Disk, r *Roadmap) []Entry {
	var all []Entry
	last := map[string]int{} // by number
	for _, ph := range r.Phases() {
		last[ph.Number.key()] = len(all)
		all = append(all, Entry{
			Number: ph.Number, Title: ph.Title, Milestone: ph.Milestone, Status: ph.Status, Line: cmp.Or(ph.Line, ph.First),
			Done: ph.Done, Total: ph.Total,
		})
	}
	var strays []Entry
	take := func(i int, dir *Dir) {
		all[i].Dir = dir
		all[i].Title = cmp.Or(all[i].Title, titleOfSlug(dir.Slug))
	}
	for i := range d.Archived {
		dir := &d.Archived[i]
		at := slices.IndexFunc(all, func(e Entry) bool {
			return e.Dir == nil && compareMilestones(e.Milestone, dir.Milestone) == 0 && Compare(e.Number, dir.Number) == 0
		})
		if at < 0 {
			at = slices.IndexFunc(all, func(e Entry) bool {
				return e.Dir == nil && e.Milestone == "" && e.Status == Complete && Compare(e.Number, dir.Number) == 0
			})
		}
		if at >= 0 && !dir.Number.IsZero() {
			take(at, dir)
		} else {
			strays = append(strays, Entry{Number: dir.Number, Title: titleOfSlug(dir.Slug), Milestone: dir.Milestone, Dir: dir})
		}
	}
	all = append(strays, all...)
	for key := range last {
		last[key] += len(strays)
	}
	strays = nil
	for i := range d.Phases {
		dir := &d.Phases[i]
		if at, ok := last[dir.Number.key()]; ok && !dir.Number.IsZero() && (all[at].Dir == nil || all[at].Dir.Milestone != "") {
			take(at, dir)
		} else if len(dir.Plans) > 0 {
			strays = append(strays, Entry{Number: dir.Number, Title: titleOfSlug(dir.Slug), Dir: dir})
		}
	}
	for _, e := range strays {
		all = insert(all, e)
	}
	for i := range all {
		all[i].weigh()
	}
	return all
}

// insert puts a phase that the roadmap does not mention behind the last one that it follows by number, into
// the same milestone.
func insert(all []Entry, e Entry) []Entry {
	at := len(all)
	if !e.Number.IsZero() {
		for at > 0 && (all[at-1].Number.IsZero() || Compare(all[at-1].Number, e.Number) > 0) {
			at--
		}
	}
	if at > 0 {
		e.Milestone = all[at-1].Milestone
	}
	return slices.Insert(all, at, e)
}

// weigh decides how far a phase is. Summaries on disk come first. A ticked phase is complete whatever lies
// there, as upstream has it (roadmap.cjs:277); one with more plans in the roadmap than on disk is not.
func (e *Entry) weigh() {
	planned := e.Total
	if e.Dir != nil && len(e.Dir.Plans) > 0 {
		e.Done, e.Total = e.Dir.Done(), len(e.Dir.Plans)
	}
	switch {
	case e.Status == Complete:
	case e.Total > 0 && e.Done >= e.Total && (e.Dir == nil || planned <= e.Total || e.Dir.Milestone != ""):
		e.Status = Complete
	case e.Status == Deferred:
	case e.Done > 0:
		e.Status = InProgress
	case e.Status == Unknown:
		e.Status = NotStarted
	}
}

// titleOfSlug makes a title of a directory's name: `user-auth` is `user auth`.
func titleOfSlug(slug string) string { return strings.ReplaceAll(slug, "-", " ") }
