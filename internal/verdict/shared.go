package verdict

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/planfile"
)

// MaxArchiveHeads is how many archives' headers are read, those of the latest.
const MaxArchiveHeads = 1000

// ArchiveHead is the header of an archived session.
type ArchiveHead struct {
	Name    string    // of its file
	At      time.Time // when it was archived
	Changed time.Time // when its file last changed
	Header  planfile.Header
}

// WorktreeID is what this worktree is called in what is shared.
func (p *Project) WorktreeID() string { return share.WorktreeID(p.StateDir.Machine(), p.Dir) }

// SharedPlan returns the name under which a plan is shared: its path below .planning/; for a project that is not at the top of its
// repository, the path from there. ok is false for one that cannot be.
func (p *Project) SharedPlan(plan string) (name string, ok bool) {
	name, ok = strings.CutPrefix(plan, project.Planning+"/")
	if below := p.belowTop(); below != "" {
		name = path.Join(below, project.Planning, name)
	}
	return name, ok && share.IsPlan(name)
}

// PlanOfShared is the inverse of SharedPlan; "" for a plan of another project of the repository, and for what is no plan: others may
// have pushed it.
func (p *Project) PlanOfShared(name string) string {
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

// CloneID is what this clone is called in what is shared: all its worktrees share it.
func (p *Project) CloneID() string { return share.WorktreeID(p.StateDir.Machine(), p.GitDir()) }

// belowTop returns the project's directory in its working tree; empty for the top.
func (p *Project) belowTop() string {
	if p.below == nil {
		_, below, _ := p.Planning.Shared()
		if below = filepath.ToSlash(below); below == "." {
			below = ""
		}
		p.below = &below
	}
	return *p.below
}

// SharedTasks returns the ids and the statuses of the tasks of a plan or a session.
func SharedTasks(f *planfile.File) (ids []string, statuses []planfile.Status) {
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

// SharedFile returns the path of the file that has what gsd sync knows of a user's clones, in the directory that gsd's own state has for this one;
// empty if there is none.
func (p *Project) SharedFile(user string) string {
	store := p.StateDir.Clone(p.GitDir())
	if store == "" {
		return ""
	}
	return filepath.Join(store, "clones-"+user+".json")
}

// Clones reads what gsd sync knows of a user's clones, this one included. Without a file, or with one that is damaged, nothing is.
func (p *Project) Clones(user string) map[string]share.Clone {
	return project.Memo(&p.Shared, user, func() map[string]share.Clone {
		text, err := (*durable.Budget)(nil).ReadAt(p.SharedFile(user), share.MaxState) // of "", there is none
		if err != nil {
			return nil
		}
		return share.DecodeClones(text)
	})
}

// SessionsInClones returns what gsd sync knows of the sessions of a user's clones, in the order of the clones, each status once.
func (p *Project) SessionsInClones(user string) (all []share.Session) {
	clones := p.Clones(user)
	for _, id := range slices.Sorted(maps.Keys(clones)) {
		all = append(all, clones[id].Sessions...)
	}
	return share.Once(all)
}

// latestInClones returns when tasks of the plan of a report's session were last set in any clone, as far as gsd sync knows, by their ids.
func (p *Project) latestInClones(r *Report) map[string]time.Time {
	last := map[string]time.Time{}
	name, _ := p.SharedPlan(r.Plan.Path)
	for _, s := range p.SessionsInClones(r.User) {
		for _, t := range s.Tasks {
			if s.Plan == name && t.Set.After(last[t.ID]) {
				last[t.ID] = t.Set
			}
		}
	}
	return last
}

// stamp is share.Stamped for a session of a user, with what gsd sync knows of the clones.
func (p *Project) stamp(user string, s *planfile.File, tasks, record []progress.Task, fresh, changed time.Time) {
	var plan string
	var ids []string
	sessions := p.SessionsInClones(user)
	if len(sessions) > 0 {
		plan, _ = p.SharedPlan(p.Named(s.Header).Path)
		ids, _ = SharedTasks(s)
	}
	share.Stamped(tasks, record, fresh, changed, plan, ids, sessions)
}
