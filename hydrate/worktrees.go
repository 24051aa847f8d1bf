package hydrate

// worktrees.go: sessions in other places. Agents work in parallel in linked git worktrees, each of which has its own
// .planning/ and its own sessions; and a user whose name in git's configuration changes has sessions under the former name.

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
)

// worktrees opens the project in the other worktrees of its repository, as project.Worktrees does. Close closes them.
func (p *Project) worktrees() []*Project {
	if p.others == nil {
		p.others = new([]*Project)
		for _, other := range p.project.Worktrees() {
			*p.others = append(*p.others, &Project{Dir: other.Dir, World: p.World, project: other, others: new([]*Project)}) // it looks no further
		}
	}
	return *p.others
}

// A claim is somebody's session on a plan, as others see it who look for one.
type claim struct {
	sessionOn
	user    string
	at      *Project  // the worktree that it is in; nil if it is in another clone
	machine string    // where that is
	since   time.Time // when it was claimed there
}

// claims returns the sessions of others than user in this worktree, everybody's in the other worktrees, and the claims of other
// clones.
func (p *Project) claims(user string) []claim {
	return append(p.claimsHere(user), p.claimsElsewhere(user)...)
}

// claimsHere is claims without other clones.
func (p *Project) claimsHere(user string) (all []claim) {
	for _, at := range append([]*Project{p}, p.worktrees()...) {
		for _, its := range at.users() {
			if at == p && its == user {
				continue
			}
			on, known := at.sessionPlans[its]
			if !known {
				src, stamp, err := at.session(its).Read(p.project.Limit)
				if p.project.OverBudget(err, at.session(its).File()) || err != nil {
					continue // status reports why it cannot be read
				}
				on = sessionOnPlan(planfile.Parse(src), stamp.ModTime())
			}
			if name, ok := at.project.InPlanning(on.plan); ok && on.plan != "" {
				on.plan = name
				all = append(all, claim{sessionOn: on, user: its, at: at})
			}
		}
	}
	return all
}

// words are the beginning of a sentence that ends with the claimed plan, for a user who works in p. They are empty if it is
// the user's own claim there, under a former name.
func (c *claim) words(p *Project, user string) string {
	switch {
	case c.at == nil && c.user == user:
		return "your session at " + c.machine + " is on"
	case c.at == nil:
		return c.user + " has a session at " + c.machine + " on"
	case c.at == p && p.isFormer(user, c.user, c.sessionOn):
		return ""
	case c.at == p:
		return c.user + " has a session on"
	case c.user == user:
		return "your session in the worktree " + c.at.Dir + " is on"
	}
	return c.user + " has a session in the worktree " + c.at.Dir + " on"
}

// PlanTaken warns that a session was just started on a plan that somebody else has a session on, or the user in another
// worktree.
const PlanTaken = "plan-taken"

// taken warns of claims to the plan that user starts a session on.
func (p *Project) taken(user, plan string) (warnings []Warning) {
	for _, c := range p.claims(user) {
		if c.plan != plan {
			continue
		}
		if says := c.words(p, user); says != "" {
			warnings = append(warnings, Warning{Code: PlanTaken, Detail: says + " this plan, too; gsd next avoids such plans"})
		}
	}
	return warnings
}

// isFormer reports whether the session of other is one that user started under a former name: this account wrote it here, as
// its breadcrumb shows, it has not changed since the user first had a session under the present name, and nobody is at work
// on it.
func (p *Project) isFormer(user, other string, on sessionOn) bool {
	if p.StateDir == "" {
		return false
	}
	plan, _ := p.project.InPlanning(on.plan) // whose path a breadcrumb has, too
	if _, ok := p.StateDir.Crumb(session.CrumbID(p.Dir, other, plan, on.started)); !ok {
		return false
	}
	if since := p.session(user).Since(); !since.IsZero() && !on.changed.Before(since) {
		return false
	}
	_, runs, _ := p.readRuns(other, p.files(other), time.Time{}) // at no time, so that no run counts as over by its age
	return runs.AtWork() == nil
}

// An otherSession is a session of a user that is not the one in this worktree under the user's present name.
type otherSession struct {
	*Report
	at   *Project // the worktree that it is in
	file string   // its file: relative to the project, or absolute in another worktree
}

// elsewhere returns a user's readable sessions in other worktrees, and those under former names in this one, the last changed
// first. It only reads. Only commands that need them ask, because each worktree has to be looked into.
func (p *Project) elsewhere(user string) (found []otherSession) {
	for _, other := range p.users() {
		if other == user {
			continue
		}
		r, err := p.Hydrate(other)
		if err == nil && r.Session != nil && r.Verdict != Corrupt && p.isFormer(user, other, sessionOnPlan(r.Session, r.Changed)) {
			found = append(found, otherSession{r, p, r.Path})
		}
	}
	for _, at := range p.worktrees() {
		if r, err := at.Hydrate(user); err == nil && r.Session != nil && r.Verdict != Corrupt {
			found = append(found, otherSession{r, at, filepath.Join(at.Dir, filepath.FromSlash(r.Path))})
		}
	}
	slices.SortStableFunc(found, func(a, b otherSession) int { return b.Changed.Compare(a.Changed) })
	return found
}

// takeElsewhere takes the user's sessions in other places that were last changed after a time, the newest first. Elsewhere
// other work was done at the same time: what is complete there counts, what is not says nothing about this place.
func (g *formerProgress) takeElsewhere(after time.Time) {
	if g.isDone() {
		return
	}
	if g.others == nil {
		found := g.p.elsewhere(g.user)
		g.others = &found
	}
	for ; len(*g.others) > 0 && (*g.others)[0].Changed.After(after); *g.others = (*g.others)[1:] {
		its := &(*g.others)[0]
		tasks := describe(its.Session)
		if how := g.relation(its.Plan.Path, its.Session.Header.Digest, func() []described { return tasks }); how != "" {
			f := former{
				Origin: Origin{Session: its.file, Plan: its.Plan.Path, How: how}, tasks: tasks,
				same: strings.EqualFold(its.Session.Header.Digest, g.digest), counts: isComplete,
			}
			if g.add(f); its.at == g.p { // in another worktree, somebody may be at work
				f.counts = worthCarrying
				g.renamed = append(g.renamed, f)
			}
		}
	}
}

func isComplete(s planfile.Status) bool { return s == planfile.Complete }

// takeFormerElsewhere takes what is complete by the user's archived and lost sessions in other worktrees, for tasks that nothing
// else is known of.
func (g *formerProgress) takeFormerElsewhere(now time.Time) {
	for _, at := range g.p.worktrees() {
		if g.isDone() {
			return
		}
		r, err := at.Hydrate(g.user)
		if err != nil {
			continue
		}
		there := at.formerProgressAnd(nil, r, g.path, g.plan, false, now)
		took := false
		for _, c := range there.carried {
			if c.Status == planfile.Complete && g.statuses[c.Number] == "" {
				g.statuses[c.Number], took = c.Status, true
				g.carried = append(g.carried, c)
			}
		}
		for _, from := range there.from {
			from.Here = false
			if from.Session != "" {
				from.Session = filepath.Join(at.Dir, filepath.FromSlash(from.Session))
			}
			if took {
				g.from = append(g.from, from)
			}
		}
	}
}

// removed finds a user's sessions in linked worktrees of the same repository that were removed, of which the breadcrumbs are left.
func (p *Project) removed(user string, now time.Time) (all []LostSession) {
	if p.StateDir == "" {
		return nil
	}
	common, below, _ := gitlog.Shared(p.Dir)
	if common == "" {
		return nil
	}
	crumbs, _ := p.StateDir.Crumbs("") // gsd restore --list reports the error
	f := fates{budget: p.project.Budget()}
	defer f.close()
	for _, c := range crumbs.Good {
		if c.User != user || c.Repository != common || c.Below != below || c.Project == p.Dir {
			continue
		}
		if why, _ := f.of(&c); why == LostTree {
			all = append(all, f.lostSession(c, why, now))
		}
	}
	return all
}

// Elsewhere is a session of the user in another worktree, or under a former name.
type Elsewhere struct {
	Session
	// File is the session file: relative to the project, or absolute in another worktree; null if it is on another machine.
	File    string  `json:"session" empty:"null"`
	Branch  string  `json:"-"` // what is checked out on another machine; empty if that is not known
	Missing string  `json:"-"` // why it cannot be taken up here yet; empty if it can
	Command Command `json:"-"` // takes it up
}

// addElsewhere adds to a report without a session where the user has others that can be continued.
func (p *Project) addElsewhere(r *Report, now time.Time) {
	if r.Session != nil && r.Verdict != Corrupt {
		return
	}
	for _, other := range p.elsewhere(r.User) {
		p.addOther(r, other, now)
	}
	p.addShared(r)
}

// AddMain adds to a report on a session in a linked worktree the user's session in the main one, for the start of a
// conversation: it may have been started from there.
func (p *Project) AddMain(r *Report, now time.Time) {
	if r.Session == nil || r.Verdict == Corrupt { // AddRuns has added it
		return
	}
	if _, _, linked := gitlog.Shared(p.Dir); !linked {
		return
	}
	others := p.worktrees() // the main one first, if it has the project
	if len(others) == 0 {
		return
	}
	main := others[0]
	if _, _, linked := gitlog.Shared(main.Dir); linked {
		return
	}
	if other, err := main.Hydrate(r.User); err == nil && other.Session != nil && other.Verdict != Corrupt {
		p.addOther(r, otherSession{other, main, filepath.Join(main.Dir, filepath.FromSlash(other.Path))}, now)
	}
}

// addOther adds one of the user's other sessions to a report, unless its plan is done or gone.
func (p *Project) addOther(r *Report, other otherSession, now time.Time) {
	on := other.On
	if other.Plan.Moved != "" {
		on = other.Plan.Moved
	}
	if other.isStale(PlanCompleted) || other.isStale(PlanMissing) && other.Plan.Moved == "" {
		return
	}
	other.at.CheckInterrupted(other.Report, now)
	id, _ := planref.PlanID(on)
	take := Command{[]string{"gsd", "bootstrap", planWord(on, id, p.project.IsAmbiguous(id, on))}, "continues the session of " + other.User + " under your present name"}
	if other.at == p && p.holder(r.User, on) != nil {
		take = *showHolder()
	}
	its := Elsewhere{Session: other.shown(other.User == r.User), File: other.file, Command: take}
	if other.at != p {
		its.Worktree = other.at.Dir
		its.Command = Command{[]string{"gsd", "-C", other.at.Dir, "hydrate"}, "shows your session in that worktree"}
	}
	r.Elsewhere = append(r.Elsewhere, its)
}

// WatchDirs lists the absolute paths of the directories whose changes may affect the project's status, the planning directory
// first. They include those of the sessions in other worktrees, and the directories of git in which a new commit shows, wherever
// those are.
func (p *Project) WatchDirs() []string {
	names := p.project.Directories(project.Planning, 4)
	dirs := make([]string, len(names))
	for i, name := range names {
		dirs[i] = filepath.Join(p.Dir, filepath.FromSlash(name))
	}
	for _, other := range p.worktrees() {
		for _, user := range other.users() {
			dirs = append(dirs, filepath.Join(other.Dir, filepath.FromSlash(other.session(user).Path())))
		}
	}
	return append(dirs[:min(len(dirs), project.MaxWatched)], gitlog.Dirs(p.project.Work)...)
}
