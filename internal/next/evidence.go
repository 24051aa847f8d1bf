package next

// evidence.go: evidence about plans in a project's commits. A commit works on a plan if its subject names the plan, as
// upstream's executors write it (`feat(03-02): …`), and the plan already existed. The active phase is that of the
// latest commit that changed a plan or a summary, or that names a plan. A commit does work in a phase if it carries out or completes
// one of its plans; writing plans is not work on them.

import (
	"iter"
	"math"
	"path"
	"slices"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/roadmap"
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
	Deeds  map[string]Deed  // the latest work in each phase, by its key
	// Written are the files that By added, if the roadmap has not changed since.
	Written map[string]bool
	// ActiveAge is the number of commits that are newer than By; the largest int if there is none.
	ActiveAge int
	// Ends are the latest commits that call a phase complete, by its key, Shipped the latest that completes a milestone.
	Ends    map[string]Deed
	Shipped *Deed // nil if none is known
	// Preparing is of the first phase without plans of which a commit that is newer than By changed a document; nil if there is none.
	Preparing *Deed

	verified map[string]bool // the phases whose verification has changed since By, by key
}

// Deed is a commit about a phase or, of Shipped, about a milestone.
type Deed struct {
	Phase planref.Number
	By    evidence.Commit
	Age   int // number of commits that are newer than By
}

// Gather reads commits, newest first, until it knows enough about the plans on disk.
func Gather(log iter.Seq[*evidence.Commit], d *roadmap.Disk) Evidence {
	ev := Evidence{Work: map[string]*Work{}, Deeds: map[string]Deed{}, Ends: map[string]Deed{}, ActiveAge: math.MaxInt, verified: map[string]bool{}}
	open, plans := d.Open(), map[planref.Ref][]*roadmap.Plan{}
	for _, p := range open {
		if p.IsNamed() {
			plans[p.Ref()] = append(plans[p.Ref()], p)
		}
		if number := planref.NewRef(p.Phase, p.Number); p.Word != "" && !p.Number.IsZero() { // which shares it: any of them may be meant
			plans[number] = append(plans[number], p)
		}
	}
	phases, dirs := map[string]planref.Number{}, map[string]*roadmap.Dir{} // by key, and by path
	for i := range d.Phases {
		dir := &d.Phases[i]
		phases[dir.Number.Key()], dirs[dir.Path] = dir.Number, dir
	}
	named := d.Named()
	about, isPlanned, reverted := 0, false, map[string]int{} // how many commits with a subject newer ones revert
	for c := range log {
		if ev.Seen == 0 {
			ev.Newest = *c
		}
		if c.Merge() { // the walk visits the commits that it merged
			if ev.Seen++; ev.Seen == mostCommits {
				break
			}
			continue
		}
		s := planref.ParseSubject(c.Subject, named)
		undone := reverted[c.Subject] > 0
		if undone {
			reverted[c.Subject]--
		} else if s.Reverts != "" {
			reverted[s.Reverts]++
		}
		if !undone {
			ev.ends(s, c, d.Root)
		}
		isAbout := len(s.Plans) > 0
		if ev.Active.IsZero() {
			if n := touched(c.Changes(), d); !n.IsZero() {
				isAbout = true
				ev.reach(n, c, d, isPlanned)
			} else {
				ev.prepares(c, dirs)
			}
			isPlanned = isPlanned || changes(c, roadmap.FileName)
		}
		isWork := !undone && (!s.IsBookkeeping() || s.Closes())
		for _, ref := range s.Plans {
			for _, p := range plans[ref] {
				if !undone {
					ev.add(p, c, s, d.Root)
				}
			}
			n, ok := phases[ref.PhaseKey()]
			_, known := ev.Deeds[ref.PhaseKey()]
			if !ok || known && !ev.Active.IsZero() || c.Elsewhere(d.Root) {
				continue
			}
			if ev.Active.IsZero() {
				ev.Active, ev.By, ev.ActiveAge = n, *c, ev.Seen
			}
			if isWork {
				ev.did(n, c)
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

// reach sets the active phase by a commit that changed its plans or summaries. isPlanned is set if a newer one changed the roadmap.
func (ev *Evidence) reach(phase planref.Number, c *evidence.Commit, d *roadmap.Disk, isPlanned bool) {
	ev.Active, ev.By, ev.ActiveAge = phase, *c, ev.Seen
	if !isPlanned {
		ev.Written = map[string]bool{}
	}
	for _, change := range c.Changes() {
		if !isPlanned && change.Kind == gitlog.Added {
			ev.Written[change.Path] = true
		}
		name, ok := planref.ParseName(path.Base(change.Path))
		if ok && name.Kind == planref.Summary && change.Kind == gitlog.Added && d.IsLive(change.Path) {
			ev.did(phase, c)
		}
	}
}

// ends records what a commit calls complete, unless newer such commits, or a newer verification, are known: a phase or a milestone of a root.
func (ev *Evidence) ends(s planref.Subject, c *evidence.Commit, root string) {
	_, known := ev.Ends[s.Phase.Key()]
	phase, milestone := !known && !s.Phase.IsZero() && !ev.verified[s.Phase.Key()] && s.Completes("phase"), ev.Shipped == nil && s.Completes("milestone")
	if !phase && !milestone || c.Elsewhere(root) {
		return
	}
	deed := Deed{s.Phase, *c, ev.Seen}
	if phase {
		ev.Ends[s.Phase.Key()] = deed
	}
	if milestone {
		ev.Shipped = &deed
	}
}

// prepares records a commit that changed a document of a phase that is to be planned, or the verification of one.
func (ev *Evidence) prepares(c *evidence.Commit, dirs map[string]*roadmap.Dir) {
	for _, change := range c.Changes() {
		dir := dirs[path.Dir(change.Path)]
		if dir == nil || change.Kind == gitlog.Removed {
			continue
		}
		if change.Path == dir.Verification {
			ev.verified[dir.Number.Key()] = true
		}
		if len(dir.Plans) > 0 || preparation(dir) == nil || dir.Number.IsZero() || dir.Number.IsSentinel() {
			continue
		}
		if ev.Preparing == nil || planref.Compare(dir.Number, ev.Preparing.Phase) < 0 {
			ev.Preparing = &Deed{dir.Number, *c, ev.Seen}
		}
	}
}

// did records work in a phase, unless newer work is known.
func (ev *Evidence) did(phase planref.Number, c *evidence.Commit) {
	if _, known := ev.Deeds[phase.Key()]; !known {
		ev.Deeds[phase.Key()] = Deed{phase, *c, ev.Seen}
	}
}

// changes reports whether a commit changed a file of a name.
func changes(c *evidence.Commit, name string) bool {
	return slices.ContainsFunc(c.Changes(), func(change gitlog.Change) bool { return path.Base(change.Path) == name })
}

// add counts a commit that names a plan, unless it changed the plan itself, which is planning rather than work, or
// means another plan with that number: it is from before the plan existed, or about another root.
func (ev *Evidence) add(p *roadmap.Plan, c *evidence.Commit, s planref.Subject, root string) {
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
func touched(changes []gitlog.Change, d *roadmap.Disk) planref.Number {
	for _, change := range changes {
		name, ok := planref.ParseName(path.Base(change.Path))
		if !ok || change.Kind == gitlog.Removed || !d.IsLive(change.Path) {
			continue
		}
		if n, ok := planref.PhaseOfPlan(path.Join(path.Dir(change.Path), name.PlanName())); ok {
			return n
		}
	}
	return planref.Number{}
}
