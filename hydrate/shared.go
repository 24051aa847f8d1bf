package hydrate

// shared.go: what a worktree knows of the user's sessions in other clones, and what becomes of it. It is in shared.json beside the
// session; sync.go exchanges it with the remote.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/planfile"
)

// SharedPlace is a session of the user in another clone.
type SharedPlace struct {
	Plan    string    `json:"plan"`                // the plan, relative to the project
	Machine string    `json:"machine"`             // the name of the machine
	Branch  string    `json:"branch" empty:"null"` // the branch that was checked out; null for none
	Head    string    `json:"head" empty:"null"`   // its commit; null for none
	Done    int       `json:"done"`                // how many tasks are complete
	Resume  int       `json:"resume" empty:"null"` // the first task that is not; null if all are
	Total   int       `json:"total"`               // how many tasks there are
	Changed time.Time `json:"changed"`             // when anything last changed there
	Missing bool      `json:"missing"`             // there is no such plan in this checkout
}

// otherMachine stands for a machine that said no name.
const otherMachine = "another machine"

func (p *Project) worktreeID() string { return share.WorktreeID(p.StateDir.Machine(), p.Dir) }

// sharedPlan returns the name under which a plan is shared: its path below .planning/; for a project that is not at the top of its
// repository, the path from there. ok is false for one that cannot be.
func (p *Project) sharedPlan(plan string) (name string, ok bool) {
	name, ok = strings.CutPrefix(plan, project.Planning+"/")
	if below := p.belowTop(); below != "" {
		name = path.Join(below, project.Planning, name)
	}
	return name, ok && share.IsPlan(name)
}

// planOfShared is the inverse of sharedPlan; "" for a plan of another project of the repository, and for what is no plan: others may
// have pushed it.
func (p *Project) planOfShared(name string) string {
	if below := p.belowTop(); below != "" {
		var ok bool
		if name, ok = strings.CutPrefix(name, path.Join(below, project.Planning)+"/"); !ok {
			return ""
		}
	}
	if strings.Contains("/"+name, "/"+project.Planning+"/") || strings.HasPrefix(name, "sessions/") || planref.IsOther(path.Base(name)) {
		return ""
	}
	return path.Join(project.Planning, name)
}

// belowTop returns the project's directory in its working tree; empty for the top.
func (p *Project) belowTop() string {
	if p.below == nil {
		_, below, _ := gitlog.Shared(p.Dir)
		if below = filepath.ToSlash(below); below == "." {
			below = ""
		}
		p.below = &below
	}
	return *p.below
}

// local returns what is shared of a session of this worktree, and whether it is on a plan that can be. here says where that is.
func (p *Project) local(its *planfile.File, here share.Place, changed time.Time) (share.Local, bool) {
	on := p.named(its.Header).Path
	name, ok := p.sharedPlan(on)
	if on == "" || !ok || len(its.Tasks) == 0 {
		return share.Local{}, false
	}
	l := share.Local{Plan: name, Place: here, Fresh: its.Header.Fresh, Changed: changed}
	l.Place.Started, _ = its.Header.StartedAt()
	l.Place.Digest = its.Header.Digest
	if src, err := p.project.Read(on); err == nil {
		l.Place.Blob = plumbing.ComputeHash(plumbing.BlobObject, src).String()
	}
	l.IDs, l.Status = sharedTasks(its)
	return l, true
}

// observe records the time of what was changed in the session since the last look, with the guard held, if the user's sessions
// are shared. changed is when that was; the tasks in set were marked now, perhaps with the status that they had. It comes after every
// mark, since a file has one time for all its tasks, and before and after the session is replaced.
func (p *Project) observe(l *locked, changed, now time.Time, set ...int) {
	r := l.report
	if r.Session == nil || r.Verdict == Corrupt {
		return
	}
	replica, was, err := p.replica(r.User)
	if err != nil || was.IsZero() {
		r.known = &share.Session{}
		return
	}
	worktree := p.worktreeID()
	name, _ := p.sharedPlan(r.Plan.Path)
	here := replica.Known[name].Places[worktree]
	here = share.Place{Machine: here.Machine, Branch: here.Branch, Head: here.Head, Run: here.Run}
	if its, ok := p.local(r.Session, here, changed); ok {
		for _, number := range set {
			its.Set = append(its.Set, its.IDs[number-1])
		}
		replica = replica.Observe(worktree, []share.Local{its}, now)
		_ = p.writeReplica(l, replica, was) // the next sync takes the file's time
	}
	known := replica.Known[name]
	r.known = &known
}

// known returns what gsd sync knows of the plan of a report's session; nothing if the user's sessions are not shared.
func (p *Project) known(r *Report) share.Session {
	if r.known == nil {
		replica, _, _ := p.replica(r.User) // of what cannot be read, nothing
		name, _ := p.sharedPlan(r.Plan.Path)
		known := replica.Known[name]
		r.known = &known
	}
	return *r.known
}

// knownBy returns what a breadcrumb knows of the tasks of its session; nothing if that cannot be read.
func knownBy(c *session.Crumb) (tasks map[string]share.Task) {
	_ = json.Unmarshal(c.Known, &tasks)
	return tasks
}

// setKnown makes a breadcrumb know what gsd sync knows of the tasks.
func setKnown(c *session.Crumb, tasks map[string]share.Task) {
	if c.Known = nil; len(tasks) > 0 {
		c.Known, _ = json.Marshal(tasks) // which cannot fail
	}
}

// remember stores what breadcrumbs of sessions on a plan knew of it, with the guard held.
func (p *Project) remember(l *locked, plan string, crumbs []session.Crumb) {
	name, ok := p.sharedPlan(plan)
	knew := slices.ContainsFunc(crumbs, func(c session.Crumb) bool { return len(c.Known) > 0 })
	if !ok || !knew {
		return
	}
	replica, was, err := p.replica(l.report.User)
	if err != nil {
		return
	}
	for _, c := range crumbs {
		replica = replica.Remember(name, knownBy(&c))
	}
	_ = p.writeReplica(l, replica, was) // what was known is at the remote, too, but for what was changed since the last sync
}

// sharedTasks returns the ids and the statuses of the tasks of a plan or a session.
func sharedTasks(f *planfile.File) (ids []string, statuses []planfile.Status) {
	var names []string
	for _, t := range f.Tasks {
		names = append(names, f.Title(t.Number))
		status := t.Status
		if !status.Known() {
			status = planfile.Pending
		}
		statuses = append(statuses, status)
	}
	return share.TaskIDs(names), statuses
}

// replica reads what is known of a user's sessions. Without a file, or with one that is damaged, nothing is.
func (p *Project) replica(user string) (replica share.Replica, was durable.Stamp, err error) {
	var text []byte
	err = p.session(user).Look(session.SharedFile, func(root *os.Root, name string) error {
		text, was, err = durable.Read(root, name, share.MaxState)
		return err
	})
	switch {
	case project.IsMissing(err):
		return share.Replica{}, durable.Stamp{}, nil
	case err != nil:
		return share.Replica{}, was, project.ReadFailed(path.Join(p.session(user).Path(), session.SharedFile), share.MaxState, err)
	}
	replica, err = share.DecodeReplica(text)
	if err != nil {
		p.project.Warn(SyncProblem, path.Join(p.session(user).Path(), session.SharedFile)+" is damaged, and what it knew is read from the remote again")
	}
	return replica, was, nil
}

func (p *Project) writeReplica(l *locked, replica share.Replica, was durable.Stamp) error {
	text, err := share.EncodeReplica(replica)
	if err != nil {
		return &Error{Kind: BadData, Text: "what is known of your sessions cannot be stored: " + err.Error(), Hint: "gsd sync --remove, and then gsd sync, start over", Err: err}
	}
	if now, _, err := durable.Read(l.guard.Root(), session.SharedFile, share.MaxState); err == nil && bytes.Equal(now, text) {
		return nil
	}
	return p.write.Replace(l.guard.Root(), session.SharedFile, [][]byte{text}, 0o666, was)
}

// inOtherClones returns the user's sessions in other clones, as far as is known here, the last changed first. Those in other
// worktrees of this repository are not among them: they can be read themselves.
func (p *Project) inOtherClones(replica share.Replica) (all []teamSession) {
	if len(replica.Known) == 0 {
		return nil
	}
	here := p.worktreesHere()
	for _, its := range liveSessions(replica.Known) {
		if its.plan = p.planOfShared(its.plan); its.plan != "" && !here[its.worktree] {
			all = append(all, its)
		}
	}
	return all
}

// sharedPlaces lists the user's sessions in other clones for an answer.
func (p *Project) sharedPlaces(replica share.Replica) (all []SharedPlace) {
	for _, its := range p.inOtherClones(replica) {
		all = append(all, SharedPlace{
			Plan: its.plan, Machine: cmp.Or(its.machine, otherMachine), Branch: its.branch, Head: its.head,
			Done: its.done, Resume: its.resume, Total: its.total, Changed: its.changed, Missing: !p.project.Exists(its.plan),
		})
	}
	return all
}

// sharedProgress is what gsd sync knows of a plan.
type sharedProgress struct {
	tasks map[int]sharedTask // by their numbers
	live  bool               // there is a session on it in another clone
}

// A sharedTask is the status of a task, when it was set, and in which session.
type sharedTask struct {
	share.Task
	id   string
	from Origin
}

// sharedProgress returns what was known of a plan at the last gsd sync, nil for nothing.
func (p *Project) sharedProgress(user, plan string, f *planfile.File) *sharedProgress {
	replica, _, err := p.replica(user)
	if err != nil {
		return nil
	}
	known := &sharedProgress{tasks: map[int]sharedTask{}}
	ids, _ := sharedTasks(f)
	for name, its := range replica.Known {
		on := p.planOfShared(name)
		how := p.sharedRelation(on, its, plan)
		if how == "" {
			continue
		}
		known.live = known.live || len(replica.Others(p.worktreeID(), name)) > 0
		for i, id := range ids {
			n := f.Tasks[i].Number
			if t, ok := its.Tasks[id]; ok && t.Stamp.Compare(known.tasks[n].Stamp) > 0 {
				known.tasks[n] = sharedTask{t, id, p.sharedOrigin(on, its, how, t.Stamp.Worktree)}
			}
		}
	}
	if len(known.tasks) == 0 && !known.live {
		return nil
	}
	return known
}

// sharedRelation returns how a session on the plan named on in another clone is known to be on a plan. The names of its tasks are not
// shared.
func (p *Project) sharedRelation(on string, its share.Session, plan string) Relation {
	if on == plan {
		return ByPath
	}
	if on == "" || p.project.Exists(on) {
		return ""
	}
	latest := share.Place{}
	for _, place := range its.Places {
		if place.Stamp.Compare(latest.Stamp) > 0 {
			latest = place
		}
	}
	also := func(other string) bool { return other != plan && haveSameID(on, other) }
	switch moved := p.project.FindMoved(on, latest.Digest); {
	case moved == plan:
		return ByMove
	case moved == "" && haveSameID(on, plan) && !slices.ContainsFunc(p.project.Plans(), also):
		return ByID
	}
	return ""
}

// sharedOrigin is a session that gsd sync knows of.
func (p *Project) sharedOrigin(on string, its share.Session, how Relation, worktree string) Origin {
	from := Origin{Plan: on, How: how, Machine: otherMachine, Here: worktree == p.worktreeID()}
	if place, ok := its.Places[worktree]; ok {
		from.Machine, from.Changed = cmp.Or(place.Machine, otherMachine), place.Stamp.Time()
	}
	return from
}

// takeShared takes the statuses that were set in any clone after a time, and those that are newer than what knew has of the task.
func (g *formerProgress) takeShared(after time.Time, knew map[string]share.Task) {
	if g.shared == nil || g.closed {
		return
	}
	for n, t := range g.shared.tasks {
		before, has := knew[t.id]
		isNewer := t.Stamp.Time().After(after) || has && t.Stamp.Compare(before.Stamp) > 0
		if g.statuses[n] != "" || !isNewer {
			continue
		}
		g.statuses[n] = t.Status
		if worthCarrying(t.Status) {
			g.carried = append(g.carried, Carried{Number: n, From: n, Status: t.Status})
			if !slices.Contains(g.from, t.from) {
				g.from = append(g.from, t.from)
			}
		}
	}
	slices.SortStableFunc(g.carried, func(a, b Carried) int { return a.Number - b.Number })
}

// addShared adds to a report without a session those that the user has in other clones, as far as the last gsd sync knows.
func (p *Project) addShared(r *Report) {
	replica, _, err := p.replica(r.User)
	if err != nil {
		return
	}
	for _, its := range p.inOtherClones(replica) {
		if p.project.SummaryOf(its.plan) != "" {
			continue
		}
		id, _ := planref.PlanID(its.plan)
		other := Elsewhere{Session: its.shown(r.User, true, its.plan, id, p.team().remote), Branch: its.branch}
		if p.project.Exists(its.plan) && p.holder(r.User, its.plan) != nil {
			other.Command = *showHolder()
		} else if p.project.Exists(its.plan) {
			other.Command = Command{[]string{"gsd", "restore", planWord(its.plan, id, p.project.IsAmbiguous(id, its.plan))}, "continues it here, with its statuses"}
		} else {
			other.Missing, other.Command = p.missingPlan(&its)
		}
		r.Elsewhere = append(r.Elsewhere, other)
	}
}

// planElsewhere returns the error for a plan, a path or an id, that is not in this checkout while the user has a session on it in
// another clone; nil if there is no such session.
func (p *Project) planElsewhere(user, name string) *Error {
	replica, _, err := p.replica(user)
	if err != nil {
		return nil
	}
	for _, its := range p.inOtherClones(replica) {
		id, _ := planref.PlanID(its.plan)
		if (its.plan == path.Clean(filepath.ToSlash(name)) || strings.EqualFold(id, name)) && !p.project.Exists(its.plan) {
			where, brings := p.missingPlan(&its)
			return project.Fail(MissingInput, strings.TrimSpace(brings.Line()+" "+brings.Does), "you have a session on %s at %s: %s", PlanName(its.plan), cmp.Or(its.machine, otherMachine), where)
		}
	}
	return nil
}

// missingPlan says where the text of a plan is that is not in this checkout, and which command brings it.
func (p *Project) missingPlan(its *teamSession) (where string, brings Command) {
	if its.head != "" && p.hasObjects(its.head, its.blob) {
		return fmt.Sprintf("the plan is not in this checkout, but in commit %.12s", its.head),
			Command{[]string{"git", "restore", "--source", its.head[:12], "--", its.plan}, "brings the plan"}
	}
	where = "the plan is not in this checkout"
	if its.head != "" {
		where += fmt.Sprintf("; there, commit %.12s was checked out", its.head)
	}
	return where, Command{[]string{"git", "fetch"}, "may bring the plan"}
}

// inStore returns the path of a file in the directory in which the repository keeps what its worktrees know of others, that of
// gitremote.Repo.Store; neither need exist. Without a repository, it is empty.
func (p *Project) inStore(name string) string {
	common, err := gitlog.Common(p.Dir)
	if err != nil {
		return ""
	}
	return filepath.Join(common, "gsd", name)
}

// hasObjects reports whether the repository has objects of git.
func (p *Project) hasObjects(ids ...string) bool {
	common, err := gitlog.Common(p.Dir)
	if err != nil {
		return false
	}
	objects := gitlog.OpenObjects(common, p.project.Budget())
	defer objects.Close() // nothing was written
	return !slices.ContainsFunc(ids, func(id string) bool { return !objects.Has(id) })
}

// inClones finds the tasks in progress of which nobody here is known to work on, but another clone does, as far as the last gsd
// sync knows.
func (p *Project) inClones(r *Report) {
	replica, _, err := p.replica(r.User)
	name, ok := p.sharedPlan(r.Plan.Path)
	its := replica.Known[name]
	if err != nil || !ok || len(its.Tasks) == 0 {
		return
	}
	ids, _ := sharedTasks(r.Session)
	here := p.worktreeID()
	machine := func(number int) string {
		t := its.Tasks[ids[number-1]]
		at, ok := its.Places[t.Stamp.Worktree]
		if !ok || t.Status != planfile.InProgress || !at.Ended.IsZero() || t.Stamp.Worktree == here {
			return ""
		}
		return cmp.Or(at.Machine, otherMachine)
	}
	n := r.Resume
	if where := machine(n.Number); n.Interrupted && where != "" {
		n.Progress, n.Interrupted, n.Machine = InClone, false, where
	}
	for i := range n.Also {
		n.Also[i].Interrupted = n.Also[i].Interrupted && machine(n.Also[i].Number) == ""
	}
}
