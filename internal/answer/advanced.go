package answer

import (
	"cmp"
	"slices"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

// advanced.go: whether the roadmap has moved on past a session's plan. A wrong yes would end a live session, and roadmaps
// lag. So two versions of the roadmap's text are compared with each other, and with nothing else. Which phase the project
// is in, package overview says; that differs from what the text says in 40 of 224 real moments, because it also knows the
// directories and commits.

// Advance compares the phases in progress with a plan's own phase. Lagging is not set if no phase is in progress, if the
// own phase is, or if some of them come before it and some after.
type Advance struct {
	Advanced   bool            // the roadmap has moved on past the own phase
	Lagging    bool            // all phases in progress come before it: the roadmap is out of date, which does not make the session stale
	Own        roadmap.Phase   // zero if the roadmap does not mention it
	InProgress []roadmap.Phase // except those that some line calls complete
}

// What RecordedPhase returns where no number says whether the roadmap is past the plan's own phase.
const (
	noPhase     = "none"     // the roadmap is at no phase
	ownComplete = "complete" // the own phase is complete, and the roadmap is at no later one
)

// RecordedPhase returns what a session on a plan of the phase own records when it is started, for later calls of Advanced:
// the number of the phase that the roadmap is at, noPhase or ownComplete. r is nil where there is no roadmap.
func RecordedPhase(r *roadmap.Roadmap, own planref.Number) string {
	if r == nil {
		return noPhase
	}
	all := phases(r.Phases())
	is, at := all.last(own), slices.IndexFunc(all, inProgress)
	if is >= 0 && all[is].Status == roadmap.InProgress {
		at = is
	} else if at < 0 {
		at = all.at(r.Scope(roadmap.Join(&roadmap.Disk{}, r)))
	}
	switch {
	case is >= 0 && all[is].Status == roadmap.Complete && at <= is:
		return ownComplete
	case at < 0:
		return noPhase
	}
	return all[at].Number.String()
}

// Advanced compares the roadmap with own, the phase of a plan that a session is on (docs/design.md, The verdict:
// phase-advanced). since is what RecordedPhase returned when the session was started, "" if that is unknown.
//
// If it is unknown, the roadmap has moved on if phases are in progress, and all of them come after the own phase. Else it
// has if that is so or the own phase is complete, and neither was so then. A value that is not understood means that one
// of them was.
func Advanced(r *roadmap.Roadmap, own planref.Number, since string) Advance {
	if own.IsZero() {
		return Advance{}
	}
	var a Advance
	all := phases(r.Phases())
	is := all.last(own)
	if is >= 0 {
		a.Own = all[is]
	}
	before, after := 0, 0
	for i, ph := range all {
		if !inProgress(ph) {
			continue
		}
		a.InProgress = append(a.InProgress, ph)
		switch order := all.compare(i, is, own); {
		case order < 0:
			before++
		case order > 0:
			after++
		}
	}
	a.Advanced = after > 0 && before == 0 && a.Own.Status != roadmap.InProgress
	a.Lagging = before > 0 && after == 0 && a.Own.Status != roadmap.InProgress
	if since != "" {
		a.Advanced = (a.Advanced || a.Own.Status == roadmap.Complete) && !all.wasPast(is, own, since)
	}
	return a
}

// inProgress reports whether a phase is in progress and no line calls it complete.
func inProgress(ph roadmap.Phase) bool { return ph.Status == roadmap.InProgress && !ph.Disputed }

// phases are all phases of a roadmap, in order.
type phases []roadmap.Phase

// last returns the index of the phase with a number, of the last one if numbers restart; -1 if there is none.
func (all phases) last(n planref.Number) int {
	for i, ph := range slices.Backward(all) {
		if planref.Compare(ph.Number, n) == 0 {
			return i
		}
	}
	return -1
}

// at returns the index of the phase that the roadmap is at: of those that count and are neither complete nor deferred, the
// first that has started, else the first. A phase whose plans are all done comes last, because authors forget to update rows
// that say In progress. It is -1 for none.
func (all phases) at(scope roadmap.Scope) int {
	best, at := 0, -1
	for i, ph := range all {
		urgency := 2
		switch {
		case ph.Status.Closed() || !scope.Counts(ph.Milestone, ph.Number):
			continue
		case ph.Total > 0 && ph.Done == ph.Total:
			urgency = 1
		case ph.Done > 0, ph.Status == roadmap.InProgress:
			urgency = 3
		}
		if urgency > best {
			best, at = urgency, i
		}
	}
	return at
}

// compare returns a negative number, 0 or a positive one as a phase comes before, is or comes after own, which is at the index
// is, or is not mentioned if that is -1.
func (all phases) compare(i, is int, own planref.Number) int {
	if is >= 0 {
		return cmp.Compare(i, is)
	}
	return planref.Compare(all[i].Number, own)
}

// wasPast reports whether the phase since that was recorded comes after own, or own was complete.
func (all phases) wasPast(is int, own planref.Number, since string) bool {
	was, ok := planref.ParseNumber(since)
	switch {
	case since == noPhase:
		return false
	case since == ownComplete || !ok:
		return true
	}
	if then := all.last(was); then >= 0 {
		return all.compare(then, is, own) > 0
	}
	return planref.Compare(was, own) > 0
}
