package verdict

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
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

// Local returns what is shared of a session of this worktree, and whether it is on a plan that can be. here says where that is.
func (p *Project) Local(its *planfile.File, here share.Place, changed time.Time) (share.Local, bool) {
	on := p.Named(its.Header).Path
	name, ok := p.SharedPlan(on)
	if on == "" || !ok || len(its.Tasks) == 0 {
		return share.Local{}, false
	}
	l := share.Local{Plan: name, Place: here, Fresh: its.Header.Fresh, Changed: changed}
	l.Place.Started, _ = its.Header.StartedAt()
	l.Place.Digest = its.Header.Digest
	if src, err := p.Planning.Read(on); err == nil {
		l.Place.Blob = plumbing.ComputeHash(plumbing.BlobObject, src).String()
	}
	var statuses []planfile.Status
	l.IDs, statuses = SharedTasks(its)
	for i, status := range statuses {
		l.Tasks = append(l.Tasks, progress.Task{Number: i + 1, Status: status})
	}
	return l, true
}

// Known returns what gsd sync knows of the plan of a report's session; nothing if the user's sessions are not shared.
func (p *Project) Known(r *Report) share.Session {
	if r.Known == nil {
		replica, _, _ := p.Replica(r.User) // of what cannot be read, nothing
		name, _ := p.SharedPlan(r.Plan.Path)
		known := replica.Known[name]
		r.Known = &known
	}
	return *r.Known
}

// KnownBy returns what a breadcrumb knows of the tasks of its session; nothing if that cannot be read.
func KnownBy(c *session.Crumb) (tasks map[string]share.Task) {
	_ = json.Unmarshal(c.Known, &tasks)
	return tasks
}

// setKnown makes a breadcrumb know what gsd sync knows of the tasks.
func setKnown(c *session.Crumb, tasks map[string]share.Task) {
	if c.Known = nil; len(tasks) > 0 {
		c.Known, _ = json.Marshal(tasks) // which cannot fail
	}
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

// Replica reads what is known of a user's sessions. Without a file, or with one that is damaged, nothing is.
func (p *Project) Replica(user string) (replica share.Replica, was durable.Stamp, err error) {
	var text []byte
	err = p.Session(user).WithFile(session.SharedFile, func(root *os.Root, name string) error {
		text, was, err = durable.Read(root, name, share.MaxState)
		return err
	})
	switch {
	case project.IsMissing(err):
		return share.Replica{}, durable.Stamp{}, nil
	case err != nil:
		return share.Replica{}, was, project.ReadFailed(path.Join(p.Session(user).Path(), session.SharedFile), share.MaxState, err)
	}
	replica, err = share.DecodeReplica(text)
	if err != nil {
		p.Planning.Warn(project.Warning{Code: SharedDamaged, Path: path.Join(p.Session(user).Path(), session.SharedFile)})
	}
	return replica, was, nil
}

// SharedDamaged warns that what is known of other clones was lost here, and is read from the remote again.
const SharedDamaged = "shared-damaged"
