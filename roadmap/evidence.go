package roadmap

// evidence.go: what a project's commits say about its plans. A commit works on a plan if its subject names it,
// as upstream's executors write it (`feat(03-02): …`), and the plan was there before; a phase is active if the
// latest commit of a plan or a summary, or that names one, is its.

import (
	"iter"
	"path"
	"slices"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
)

// How far back evidence is looked for: at enough commits, if as many as that of them are about plans, else on
// to the most. On the replayed histories nothing is gained by looking further, and each commit costs five
// microseconds, twice that where its files are asked for.
const (
	enoughCommits = 100
	enoughAbout   = 20
	mostCommits   = 250
)

// Work is what commits did for one plan that has no summary yet.
type Work struct {
	Commits int
	Last    evidence.Commit // the newest of them
	Age     int             // how many commits are newer than that
	// Begun: a commit did more than write about the plan.
	Begun bool
	// Closed: a commit says that the plan is complete, as upstream's executors end one (`docs(03-02): complete
	// … plan`). Its summary is missing or lies elsewhere.
	Closed bool
}

// Evidence is what the newest commits say.
type Evidence struct {
	Work   map[string]*Work // by the plan's path
	Active planref.Number   // the phase that the latest commit about a plan is in; zero if there is none
	By     evidence.Commit  // that commit
	Newest evidence.Commit  // of all
	Seen   int              // how many commits were looked at
}

// Gather reads commits, newest first, until it knows enough of the plans on disk.
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
	about := 0
	for c := range log {
		if ev.Seen == 0 {
			ev.Newest = *c
		}
		s := planref.ParseSubject(c.Subject)
		isAbout := len(s.Plans) > 0
		if ev.Active.IsZero() {
			if n := touched(c.Changes(), d); !n.IsZero() {
				ev.Active, ev.By, isAbout = n, *c, true
			}
		}
		for _, ref := range s.Plans {
			for _, p := range plans[ref] {
				ev.add(p, c, s, d.Root)
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

// ref is how commits refer to the plan.
func (p *Plan) ref() planref.Ref { return planref.NewRef(p.Phase, p.Number) }

// add counts a commit that names a plan. One that wrote the plan itself is planning, not work on it; one from
// before the plan was there names another plan of that number, as does one about another root.
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
	w.Begun = w.Begun || len(c.Changes()) == 0 || !s.Writes()
	w.Closed = w.Closed || s.Closes()
}

// touched is the live phase whose plan or summary is among the files that a commit changed; of several the first.
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
