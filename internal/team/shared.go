package team

// shared.go: what a worktree knows of the user's sessions in other clones, and what becomes of it. It is in shared.json beside the
// session; sync.go exchanges it with the remote.

import (
	"bytes"
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// Observe records the time of what was changed in the session since the last look, with the guard held, if the user's sessions
// are shared. changed is when that was; the tasks in set were marked now, perhaps with the status that they had. It comes after every
// mark, since a file has one time for all its tasks, and before and after the session is replaced.
func Observe(p *verdict.Project, l *verdict.Locked, changed, now time.Time, set ...int) {
	r := l.Report
	if r.Session == nil || r.Verdict == verdict.Corrupt {
		return
	}
	replica, was, err := p.Replica(r.User)
	if err != nil || was.IsZero() {
		r.Known = &share.Session{}
		return
	}
	worktree := p.WorktreeID()
	name, _ := p.SharedPlan(r.Plan.Path)
	here := replica.Known[name].Places[worktree]
	here = share.Place{Machine: here.Machine, Branch: here.Branch, Head: here.Head, Run: here.Run}
	if its, ok := p.Local(r.Written(), here, changed); ok {
		addRecord(p, &its, r.User, r.Written(), "", changed)
		head := p.Planning.HeadID()
		for _, number := range set {
			its.Set = append(its.Set, its.IDs[number-1])
			its.Tasks[number-1].Head = head
		}
		replica = replica.Observe(worktree, []share.Local{its}, now)
		_ = writeReplica(p, l, replica, was) // the next sync takes the file's time
	}
	known := replica.Known[name]
	r.Known = &known
}

// Remember stores what breadcrumbs of sessions on a plan knew of it, with the guard held.
func Remember(p *verdict.Project, l *verdict.Locked, plan string, crumbs []session.Crumb) {
	name, ok := p.SharedPlan(plan)
	knew := slices.ContainsFunc(crumbs, func(c session.Crumb) bool { return len(c.Known) > 0 })
	if !ok || !knew {
		return
	}
	replica, was, err := p.Replica(l.Report.User)
	if err != nil {
		return
	}
	for _, c := range crumbs {
		replica = replica.Remember(name, verdict.KnownBy(&c))
	}
	_ = writeReplica(p, l, replica, was) // what was known is at the remote, too, but for what was changed since the last sync
}

func writeReplica(p *verdict.Project, l *verdict.Locked, replica share.Replica, was durable.Stamp) error {
	text, err := share.EncodeReplica(replica)
	if err != nil {
		return &project.Error{Kind: project.BadData, Text: "what is known of your sessions cannot be stored: " + err.Error(), Hint: "`gsd sync --remove`, and then `gsd sync`, start over", Err: err}
	}
	if now, _, err := durable.Read(l.Guard.Root(), session.SharedFile, share.MaxState); err == nil && bytes.Equal(now, text) {
		return nil
	}
	return p.Write.Replace(l.Guard.Root(), session.SharedFile, [][]byte{text}, 0o666, was)
}

// InOtherClones returns the user's sessions in other clones, as far as is known here, the last changed first. Those in other
// worktrees of this repository are not among them: they can be read themselves.
func InOtherClones(p *verdict.Project, replica share.Replica) (all []CloneSession) {
	if len(replica.Known) == 0 {
		return nil
	}
	here := worktreesHere(p)
	for _, its := range liveSessions(replica.Known) {
		if its.Plan = p.PlanOfShared(its.Plan); its.Plan != "" && !here[its.worktree] {
			all = append(all, its)
		}
	}
	return all
}

// sharedPlaces lists the user's sessions in other clones for an answer, without those whose plan has its summary here.
func sharedPlaces(p *verdict.Project, replica share.Replica) (all []verdict.SharedPlace) {
	for _, its := range InOtherClones(p, replica) {
		if p.Planning.SummaryOf(its.Plan) != "" {
			continue
		}
		all = append(all, verdict.SharedPlace{
			Plan: its.Plan, Machine: cmp.Or(its.machine, verdict.OtherMachine), Branch: its.Branch, Head: its.head,
			Done: its.done, Skipped: its.skipped, Resume: its.resume, Total: its.total, Changed: its.changed, Missing: !p.Planning.Exists(its.Plan),
		})
	}
	return all
}

// SharedProgress is what gsd sync knows of a plan.
type SharedProgress struct {
	Tasks map[int]SharedTask // by their numbers
	Live  bool               // there is a session on it in another clone
}

// A SharedTask is the status of a task, when it was set, and in which session.
type SharedTask struct {
	share.Task
	Away  bool // it was set at a commit that is not here: what was done there is not done here yet
	Clone bool // it was set in another clone, and not in another worktree of this repository
	From  verdict.Origin
}

// addRecord adds to what is shared of a user's session what its record says: when and at which commit its tasks were set.
func addRecord(p *verdict.Project, l *share.Local, user string, its *planfile.File, archive string, changed time.Time) {
	record := p.Recorded(user, its, archive, changed)
	for i, t := range record.Tasks {
		l.Tasks[i].Set, l.Tasks[i].Head = t.Set, t.Head
	}
}

// headOf returns the commit that HEAD was at where a status was set, or at that clone's last sync if the status does not say; empty for unknown.
func headOf(its *share.Session, t share.Task) string {
	return cmp.Or(t.Head, its.Places[t.Stamp.Worktree].Head)
}

// isAway reports whether a status was set in another worktree or clone at a commit that is not in the history of HEAD here, as far as gsd
// sync knows: what was done there is not done here yet.
func isAway(p *verdict.Project, its *share.Session, t share.Task) bool {
	at := headOf(its, t)
	return t.Stamp.Worktree != p.WorktreeID() && at != "" && !p.Planning.HasCommit(at)
}

// ProgressInClones returns what a replica knows of a plan, nil for nothing.
func ProgressInClones(p *verdict.Project, replica share.Replica, plan string, f *planfile.File) *SharedProgress {
	known := &SharedProgress{Tasks: map[int]SharedTask{}}
	ids, _ := verdict.SharedTasks(f)
	here := worktreesHere(p)
	for name, its := range replica.Known {
		on := p.PlanOfShared(name)
		how := sharedRelation(p, on, its, plan)
		if how == "" {
			continue
		}
		known.Live = known.Live || len(replica.Others(p.WorktreeID(), name)) > 0
		for i, id := range ids {
			n := f.Tasks[i].Number
			if t, ok := its.Tasks[id]; ok && t.Stamp.Compare(known.Tasks[n].Stamp) > 0 {
				t.Head = headOf(&its, t)
				known.Tasks[n] = SharedTask{t, isAway(p, &its, t), !here[t.Stamp.Worktree], sharedOrigin(p, on, its, how, t.Stamp.Worktree)}
			}
		}
	}
	if len(known.Tasks) == 0 && !known.Live {
		return nil
	}
	return known
}

// sharedRelation returns how a session on the plan named on in another clone is known to be on a plan. The names of its tasks are not
// shared.
func sharedRelation(p *verdict.Project, on string, its share.Session, plan string) verdict.Relation {
	if on == plan {
		return verdict.ByPath
	}
	if on == "" || p.Planning.Exists(on) {
		return ""
	}
	latest := share.Place{}
	for _, place := range its.Places {
		if place.Stamp.Compare(latest.Stamp) > 0 {
			latest = place
		}
	}
	also := func(other string) bool { return other != plan && verdict.HaveSameID(on, other) }
	switch moved := p.Planning.FindMoved(on, latest.Digest); {
	case moved == plan:
		return verdict.ByMove
	case moved == "" && verdict.HaveSameID(on, plan) && !slices.ContainsFunc(p.Planning.Plans(), also):
		return verdict.ByID
	}
	return ""
}

// sharedOrigin is a session that gsd sync knows of.
func sharedOrigin(p *verdict.Project, on string, its share.Session, how verdict.Relation, worktree string) verdict.Origin {
	from := verdict.Origin{Plan: on, How: how, Machine: verdict.OtherMachine, Here: worktree == p.WorktreeID()}
	if place, ok := its.Places[worktree]; ok {
		from.Machine, from.Changed = cmp.Or(place.Machine, verdict.OtherMachine), place.Stamp.Time()
	}
	return from
}

// PlanElsewhere returns the error for a plan, a path or an id, that is not in this checkout while the user has a session on it in
// another clone; nil if there is no such session.
func PlanElsewhere(p *verdict.Project, user, name string) *project.Error {
	replica, _, err := p.Replica(user)
	if err != nil {
		return nil
	}
	for _, its := range InOtherClones(p, replica) {
		id, _ := planref.PlanID(its.Plan)
		if (its.Plan == path.Clean(filepath.ToSlash(name)) || strings.EqualFold(id, name)) && !p.Planning.Exists(its.Plan) {
			where, brings := MissingPlan(p, &its)
			return project.Fail(project.MissingInput, "", "you have a session on %s at %s: %s", verdict.PlanInText(its.Plan), cmp.Or(its.machine, verdict.OtherMachine), where).
				Try(brings)
		}
	}
	return nil
}

// MissingPlan says where the text of a plan is that is not in this checkout, and what brings it.
func MissingPlan(p *verdict.Project, its *CloneSession) (where *verdict.MissingPlan, brings action.Action) {
	where = &verdict.MissingPlan{Commit: its.head[:min(len(its.head), 12)]}
	if where.Here = its.head != "" && hasObjects(p, its.head, its.blob); where.Here {
		return where, action.Action{Kind: action.BringPlan, ID: where.Commit, Plan: its.Plan}
	}
	return where, action.Action{Kind: action.Fetch}
}

// inStore returns the path of a file in the directory in which gsd's own state has what the worktrees of a clone know of others, which
// need not exist. Without one, it is empty.
func inStore(p *verdict.Project, name string) string {
	store := p.StateDir.Clone(p.GitDir())
	if store == "" {
		return ""
	}
	return filepath.Join(store, name)
}

// hasObjects reports whether the repository has objects of git.
func hasObjects(p *verdict.Project, ids ...string) bool {
	common := p.Planning.Repository().Common()
	if common == "" {
		return false
	}
	objects := gitlog.OpenObjects(common, p.Planning.Budget())
	defer objects.Close() // nothing was written
	return !slices.ContainsFunc(ids, func(id string) bool { return !objects.Has(id) })
}

// SetInClones finds the tasks in progress of which nobody here is known to work on, but another clone does, as far as the last gsd
// sync knows.
func SetInClones(p *verdict.Project, r *verdict.Report) {
	replica, _, err := p.Replica(r.User)
	name, ok := p.SharedPlan(r.Plan.Path)
	its := replica.Known[name]
	if err != nil || !ok || len(its.Tasks) == 0 {
		return
	}
	ids, _ := verdict.SharedTasks(r.Session)
	here := p.WorktreeID()
	machine := func(number int) string {
		t := its.Tasks[ids[number-1]]
		at, ok := its.Places[t.Stamp.Worktree]
		if !ok || t.Status != planfile.InProgress || !at.Ended.IsZero() || t.Stamp.Worktree == here {
			return ""
		}
		return cmp.Or(at.Machine, verdict.OtherMachine)
	}
	n := r.Resume
	if where := machine(n.Number); n.State.Left() && where != "" {
		n.SetState(verdict.InClone)
		n.Machine = where
	}
	for i := range n.Also {
		if also := &n.Also[i]; also.State.Left() && machine(also.Number) != "" {
			also.State = verdict.InClone
		}
	}
}
