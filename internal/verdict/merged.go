package verdict

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
)

// OnlyHere removes from the tasks of a session in another place those that are not done here: done is done where the work is, and what other
// branches have is what history.BranchesOf returns. head is the commit that HEAD is at there, for a status of which that is not known.
//
// A task is done here if HEAD's history has the commit at which that was said, and something was committed since the session began at the
// commit start: what was not is only there. That a task is skipped is decided wherever it is.
func (p *Project) OnlyHere(tasks []progress.Task, start, head string) {
	isHere := func(t *progress.Task) bool {
		at := cmp.Or(t.Head, head)
		if at == "" {
			return p.Planning.HeadID() == "" // there are no commits
		}
		return p.Planning.HasCommit(at) && (t.Status == planfile.Skipped || at != start)
	}
	for i := range tasks {
		if t := &tasks[i]; progress.Worked(t.Status) && !isHere(t) {
			t.Status, t.Set = "", time.Time{}
		}
	}
}

// withMerged returns the tasks of a report's session, of which own is known, with the statuses that were set since in other worktrees of the
// repository, those that were removed included, and whose commits were brought here meanwhile: what gsd recorded there of the user's sessions
// on the same plan. What is in progress in one that is still there says nothing about this place.
func (p *Project) withMerged(r *answer.Report, own progress.Record) []progress.Task {
	there := p.recordsElsewhere(r)
	if len(there) == 0 {
		return own.Tasks
	}
	own.Same = true
	records, whole := []progress.Record{own}, r.Written().Dialect == planfile.DialectPlan
	for _, dir := range slices.Sorted(maps.Keys(there)) {
		for _, alone := range progress.Alone(own.Tasks, whole, there[dir]) {
			p.OnlyHere(alone.Tasks, alone.Head, "")
			if alone.Counts = progress.Worked; !isRemoved(dir) {
				alone.Counts = planfile.Status.Settled
			}
			records = append(records, alone)
		}
	}
	merged, from, _ := progress.Of(own.Tasks, whole, records)
	for i := range merged {
		if from[i] <= 0 {
			merged[i] = own.Tasks[i]
		}
	}
	return merged
}

// RecordsOn returns what gsd recorded of a user's sessions on a plan with that digest, in this working tree and in others of the repository,
// wherever the work is.
func (p *Project) RecordsOn(user, plan, digest string) (all []progress.Record) {
	here, _ := p.CrumbsOf(p.CrumbList(), user, "") // without them, less is known
	for _, c := range append(here.Good, p.CrumbsElsewhere(user)...) {
		if c.Plan == plan {
			all = append(all, CrumbRecord(&c, digest))
		}
	}
	return all
}

// recordsElsewhere returns what gsd recorded of the sessions of a report's user on its plan in other working trees, by their directories.
func (p *Project) recordsElsewhere(r *answer.Report) map[string][]progress.Record {
	there := map[string][]progress.Record{}
	for _, c := range p.CrumbsElsewhere(r.User) {
		if c.Plan == r.Plan.Path {
			there[c.Project] = append(there[c.Project], CrumbRecord(&c, r.Written().Header.Digest))
		}
	}
	return there
}

// latestElsewhere returns when each task of a report's session was last set in another working tree or in a clone, whether that counts here or
// not.
func (p *Project) latestElsewhere(r *answer.Report) []time.Time {
	file := r.Written()
	tasks, whole := progress.Describe(file), file.Dialect == planfile.DialectPlan
	all := make([]time.Time, len(tasks))
	for _, records := range p.recordsElsewhere(r) {
		merged, _, _ := progress.Of(tasks, whole, records)
		for i, t := range merged {
			if t.Set.After(all[i]) {
				all[i] = t.Set
			}
		}
	}
	if last := p.latestInClones(r); len(last) > 0 {
		ids, _ := SharedTasks(file)
		for i, id := range ids {
			if last[id].After(all[i]) {
				all[i] = last[id]
			}
		}
	}
	return all
}

// CrumbsElsewhere returns the breadcrumbs of a user's sessions in other working trees of the repository, archived and removed ones included,
// but for those of which a later session has everything.
func (p *Project) CrumbsElsewhere(user string) []session.Crumb {
	return Once(p, crumbsElsewhere(user), func() []session.Crumb { return p.findElsewhere(user) })
}

func (p *Project) findElsewhere(user string) (all []session.Crumb) {
	common, below, linked := p.Planning.Shared()
	list := p.CrumbList()
	if list == nil || common == "" {
		return nil
	}
	if linked {
		found, _ := p.StateDir.CrumbsOf(list, filepath.Join(filepath.Dir(common), below), "", user, "", true) // without them, less is known
		all = found.Good
	}
	if list.InTrees() {
		all = append(all, p.StateDir.CrumbsInTrees(list, common, below, user)...)
	}
	return slices.DeleteFunc(all, func(c session.Crumb) bool { return c.Project == p.Dir || c.Root != p.Base() || c.Continued })
}

// CrumbList lists the breadcrumbs of this machine; nil without a directory for them. They are listed once, until one is written or the guard
// is taken.
func (p *Project) CrumbList() *session.CrumbList {
	if p.StateDir == "" {
		return nil
	}
	return Once(p, crumbList{}, p.StateDir.List)
}

// What is read of breadcrumbs once: one, by its id; which there are; those of a user in other working trees.
type (
	crumbOf         string
	crumbList       struct{}
	crumbsElsewhere string
)

// isRemoved reports whether nothing is left of a directory.
func isRemoved(dir string) bool {
	_, err := os.Lstat(dir)
	return errors.Is(err, fs.ErrNotExist)
}
