package team

// shared.go: what a clone knows of the user's sessions in other clones, and what becomes of it. sync.go exchanges it with the remote.

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// InOtherClones returns the user's sessions in other clones, as far as is known here, the last changed first. Those in other
// worktrees of this repository are not among them: they can be read themselves.
func InOtherClones(p *verdict.Project, user string) (all []CloneSession) {
	clones := p.Clones(user)
	if len(clones) == 0 {
		return nil
	}
	here := worktreesHere(p)
	for _, c := range clones {
		for _, session := range liveSessions(c.Sessions) {
			if session.Plan = p.PlanOfShared(session.Plan); session.Plan != "" && !here[session.worktree] {
				all = append(all, session)
			}
		}
	}
	slices.SortFunc(all, lastFirst)
	return all
}

// sharedPlaces lists the user's sessions in other clones for an answer, without those whose plan has its summary here.
func sharedPlaces(p *verdict.Project, user string) (all []answer.SharedPlace) {
	for _, session := range InOtherClones(p, user) {
		if p.Planning.SummaryOf(session.Plan) != "" {
			continue
		}
		all = append(all, answer.SharedPlace{
			Plan: session.Plan, Machine: cmp.Or(session.machine, answer.OtherMachine), Branch: session.Branch, Head: session.head,
			Done: session.done, Skipped: session.skipped, Resume: session.resume, Total: session.total, Changed: session.changed, Missing: !p.Planning.Exists(session.Plan),
		})
	}
	return all
}

// A Record is what gsd sync knows of a plan from one session, and where that is.
type Record struct {
	progress.Record // of the plan's tasks in their order; those of which the session says nothing have no status
	answer.Origin
	Clone bool // it is in another clone, and not in another worktree of this repository
	Ended bool
	away  []bool // of the tasks: they were set at a commit that is not here, so what was done there is not done here yet
}

// RecordsInClones returns what gsd sync knows of a plan of a user.
func RecordsInClones(p *verdict.Project, user, plan string, f *planfile.File) (all []Record) {
	sessions := p.SessionsInClones(user)
	if len(sessions) == 0 {
		return nil
	}
	ids, _ := verdict.SharedTasks(f)
	tasks, here := progress.Describe(f), worktreesHere(p)
	for _, s := range sessions {
		on := p.PlanOfShared(s.Plan)
		how := sharedRelation(p, on, s.Digest, plan)
		if how == "" {
			continue
		}
		record := Record{
			Origin: answer.Origin{Plan: on, How: how, Machine: cmp.Or(s.Machine, answer.OtherMachine), Changed: s.Changed, Here: s.Worktree == p.WorktreeID()},
			Clone:  !here[s.Worktree], Ended: !s.Ended.IsZero(), away: make([]bool, len(tasks)),
		}
		record.Record = s.Record(tasks, ids, func(i int, t share.Task) bool {
			record.away[i] = isAway(p, s, t)
			return true
		})
		all = append(all, record)
	}
	return all
}

// OnlyHere returns the record without what nobody has set, and what is not done here yet.
func (r Record) OnlyHere() progress.Record {
	record := r.Record
	record.Tasks = slices.Clone(record.Tasks)
	for i := range record.Tasks {
		if t := &record.Tasks[i]; t.Set.IsZero() || r.away[i] {
			t.Status, t.Set = "", time.Time{}
		}
	}
	return record
}

// isAway reports whether a status was set in another worktree or clone at a commit that is not in the history of HEAD here, as far as gsd
// sync knows: what was done there is not done here yet.
func isAway(p *verdict.Project, s share.Session, t share.Task) bool {
	at := cmp.Or(t.Head, s.Head)
	return s.Setter(t) != p.WorktreeID() && at != "" && !p.Planning.HasCommit(at)
}

// AwayIn returns for each task of a plan the record of the other clone in which it was set last, at a commit that is not here; nil for one
// that was not.
func AwayIn(p *verdict.Project, user, plan string, f *planfile.File) []*Record {
	all := RecordsInClones(p, user, plan, f)
	if len(all) == 0 {
		return nil
	}
	here, _, _ := progress.Of(progress.Describe(f), false, p.RecordsOn(user, plan, project.Digest(f.Bytes())))
	away := make([]*Record, len(here))
	for i := range here {
		if last := lastOf(all, i); last != nil && last.away[i] && last.Clone && !here[i].Known().After(last.Record.Tasks[i].Set) {
			away[i] = last
		}
	}
	return away
}

// lastOf returns the record in which a task was set last, by its place in the plan; nil for none.
func lastOf(all []Record, task int) (last *Record) {
	for i := range all {
		if t := &all[i].Record.Tasks[task]; t.Status != "" && (last == nil || t.Set.After(last.Record.Tasks[task].Set)) {
			last = &all[i]
		}
	}
	return last
}

// maxMoved is how many plans of other clones that are not here are looked for under other names.
const maxMoved = 200

// sharedRelation returns how a session on the plan named on in another clone is known to be on a plan. The names of its tasks are not
// shared.
func sharedRelation(p *verdict.Project, on, digest, plan string) answer.Relation {
	if on == plan {
		return answer.ByPath
	}
	if on == "" {
		return ""
	}
	then, all := verdict.PlanThen{Path: on, Digest: digest}, movedShared(p)
	if _, known := all[then]; !known && len(all) >= maxMoved {
		return ""
	}
	if is := project.Memo(&all, then, func() answer.Moved { return whereShared(p, on, digest) }); is.At == plan {
		return is.How
	}
	return ""
}

// movedShared returns where the plans of other clones are here that are gone from their own paths, as far as that was asked.
func movedShared(p *verdict.Project) map[verdict.PlanThen]answer.Moved {
	type key struct{}
	return verdict.Once(p, key{}, func() map[verdict.PlanThen]answer.Moved { return map[verdict.PlanThen]answer.Moved{} })
}

// whereShared returns where a plan of another clone is here that is gone from its own path.
func whereShared(p *verdict.Project, on, digest string) (is answer.Moved) {
	if p.Planning.Exists(on) {
		return is
	}
	if moved := p.Planning.FindMoved(on, digest); moved != "" {
		return answer.Moved{At: moved, How: answer.ByMove}
	}
	for _, plan := range p.Planning.Plans() {
		switch {
		case !verdict.HaveSameID(on, plan):
		case is.At != "": // it may be this one or that one
			return answer.Moved{}
		default:
			is = answer.Moved{At: plan, How: answer.ByID}
		}
	}
	return is
}

// PlanElsewhere returns the error for a plan, a path or an id, that is not in this checkout while the user has a session on it in
// another clone; nil if there is no such session.
func PlanElsewhere(p *verdict.Project, user, name string) *problem.Error {
	for _, session := range InOtherClones(p, user) {
		id, _ := p.Planning.PlanID(session.Plan)
		if (session.Plan == path.Clean(filepath.ToSlash(name)) || strings.EqualFold(id, name)) && !p.Planning.Exists(session.Plan) {
			where, brings := MissingPlan(p, &session)
			return problem.Fail(problem.MissingInput, "", "you have a session on %s at %s: %s", answer.PlanInText(session.Plan), cmp.Or(session.machine, answer.OtherMachine), where).
				Try(brings)
		}
	}
	return nil
}

// MissingPlan says where the text of a plan is that is not in this checkout, and what brings it.
func MissingPlan(p *verdict.Project, session *CloneSession) (where *answer.MissingPlan, brings action.Action) {
	where = &answer.MissingPlan{Commit: session.head[:min(len(session.head), 12)]}
	if where.Here = session.head != "" && hasObjects(p, session.head, session.blob); where.Here {
		return where, action.Action{Kind: action.BringPlan, ID: where.Commit, Plan: session.Plan}
	}
	return where, action.Action{Kind: action.Fetch}
}

// inStore returns the path of a file in the directory in which gsd's own state has what the worktrees of a clone know of others, which
// need not exist. Without one, it is empty.
func inStore(p *verdict.Project, name string) string {
	store := p.StateDir.Clone(p.Planning.GitDir())
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
func SetInClones(p *verdict.Project, r *answer.Report) {
	all := RecordsInClones(p, r.User, r.Plan.Path, r.Session)
	if len(all) == 0 {
		return
	}
	own := p.Stamped(r.User, r.Written(), r.Changed)
	machine := func(number int) string {
		last := lastOf(all, number-1)
		if last == nil || last.Record.Tasks[number-1].Status != planfile.InProgress || last.Ended || last.Here || own[number-1].Known().After(last.Record.Tasks[number-1].Set) {
			return ""
		}
		return last.Machine
	}
	n := r.Resume
	if where := machine(n.Number); n.State.Left() && where != "" {
		n.SetState(answer.InClone)
		n.Machine = where
	}
	for i := range n.Also {
		if also := &n.Also[i]; also.State.Left() && machine(also.Number) != "" {
			also.State = answer.InClone
		}
	}
}
