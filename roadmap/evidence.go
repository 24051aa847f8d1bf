package roadmap

// evidence.go: evidence about plans in a project's commits. A commit works on a plan if its subject names the plan, as
// upstream's executors write it (`feat(03-02): …`), and the plan already existed. The active phase is that of the
// latest commit that changed a plan or a summary, or that names a plan.

import (
	"iter"
	"path"
	"slices"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
)

// Gather stops after enoughCommits if enoughAbout of them are about plans, else after mostCommits. On the replayed
// histories nothing is gained by reading more, and each commit costs five microseconds, or ten if its changes are read.
const (
	enoughCommits = 100
	enoughAbout   = 20
	mostCommits   = 250
)

// Work describes the commits for one plan that has no summary yet.
type Work struct {
	Commits int
	Last    evidence.Commit // the newest of them
	Age     int             // number of commits that are newer than Last
	Begun   bool            // a commit did more than document the plan
	// Closed is set if a commit says that the plan is complete, as upstream's executors write it (`docs(03-02):
	// complete … plan`). Its summary is missing or elsewhere.
	Closed bool
}

// Evidence describes the newest commits.
type Evidence struct {
	Work   map[string]*Work // by the plan's path
	Active planref.Number   // the phase of the latest commit about a plan; zero if there is none
	By     evidence.Commit  // that commit
	Newest evidence.Commit  // of all commits
	Seen   int              // number of commits read
}

// Gather reads commits, newest first, until it knows enough about the plans on disk.
func Gather(log iter.Seq[*evidence.Commit], d *Disk) Evidence {
	ev := Evidence{Work: map[string]*Work{}}
	open, plans := d.Open(), map[planref.Ref][]*Plan{}
	for _, p := range open {
		if !p.Number.IsZero() {
			plans[p.ref()] = append(plans[p.ref()], p)
		}
	}
	phases := map[string]planref.Number{}
	for _, dir := range d.Phases {
		phases[dir.Number.Key()] = dir.Number
	}
	about, reverted := 0, map[string]int{} // how many commits with a subject newer ones revert
	for c := range log {
		if ev.Seen == 0 {
			ev.Newest = *c
		}
		s := planref.ParseSubject(c.Subject)
		undone := reverted[c.Subject] > 0
		if undone {
			reverted[c.Subject]--
		} else if s.Reverts != "" {
			reverted[s.Reverts]++
		}
		isAbout := len(s.Plans) > 0
		if ev.Active.IsZero() {
			if n := touched(c.Changes(), d); !n.IsZero() {
				ev.Active, ev.By, isAbout = n, *c, true
			}
		}
		for _, ref := range s.Plans {
			for _, p := range plans[ref] {
				if !undone {
					ev.add(p, c, s, d.Root)
				}
			}
			if n, ok := phases[ref.PhaseKey()]; ok && ev.Active.IsZero() && !c.Elsewhere(d.Root) {
				ev.Active, ev.By = n, *c
			}
		}
		if ev.Seen++; isAbout {
			about++
		}
		enough := ev.Seen >= enoughCommits && about >= enoughAbout || len(open) == 0 && !ev.Active.IsZero()
		if enough || ev.Seen == mostCommits {
			break
		}
	}
	return ev
}

// ref returns the reference by which commits name the plan.
func (p *Plan) ref() planref.Ref { return planref.NewRef(p.Phase, p.Number) }

// add counts a commit that names a plan, unless it changed the plan itself, which is planning rather than work, or
// means another plan with that number: it is from before the plan existed, or about another root.
func (ev *Evidence) add(p *Plan, c *evidence.Commit, s planref.Subject, root string) {
	writes := func(change gitlog.Change) bool { return change.Path == p.Path }
	if !c.Has(p.Path) || c.Elsewhere(root) || slices.ContainsFunc(c.Changes(), writes) {
		return
	}
	w := ev.Work[p.Path]
	if w == nil {
		w = &Work{Last: *c, Age: ev.Seen}
		ev.Work[p.Path] = w
	}
	w.Commits++
	w.Begun = w.Begun || len(c.Changes()) == 0 || !s.IsBookkeeping() && c.Outside()
	w.Closed = w.Closed || s.Closes()
}

// touched returns the live phase of the first plan or summary among the files that a commit changed, or zero.
func touched(changes []gitlog.Change, d *Disk) planref.Number {
	for _, change := range changes {
		name, ok := planref.ParseName(path.Base(change.Path))
		if !ok || change.Kind == gitlog.Removed || !d.isLive(change.Path) {
			continue
		}
		if n, ok := planref.PhaseOfPlan(path.Join(path.Dir(change.Path), name.PlanName())); ok {
			return n
		}
	}
	return planref.Number{}
}
