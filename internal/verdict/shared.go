package verdict

import (
	"errors"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/planfile"
)

// What is read of clones once: the id of this one; what is known of a user's, and of the sessions in them.
type (
	cloneID          struct{}
	clonesOf         string
	sessionsInClones string
)

// CloneID is which clone this is, in what is shared: all its worktrees share it. It has no id before the first sync.
func (p *Project) CloneID() session.CloneID {
	return Once(p, cloneID{}, func() (c session.CloneID) {
		if common := p.Planning.GitDir(); common != "" {
			c = session.CloneAt(common, p.StateDir.Machine())
		}
		return c
	})
}

// MakeCloneID gives this clone an id if it has none, and keeps it unless only is set.
func (p *Project) MakeCloneID(only bool) error {
	c, err := session.MakeCloneID(p.Write, p.Planning.GitDir(), p.StateDir.Machine(), only)
	if err == nil {
		Know(p, cloneID{}, c)
	}
	return err
}

// WorktreeID is what this worktree is called in what is shared, and in it this root; empty before the first sync.
func (p *Project) WorktreeID() string { return p.worktreeID(p.CloneID().ID) }

// worktreeID is WorktreeID in the clone with an id. A linked worktree is known by the name that git has for it.
func (p *Project) worktreeID(clone string) string {
	if clone == "" {
		return ""
	}
	name := ""
	if common, _, linked := p.Planning.Shared(); linked {
		_, own := p.Planning.Repository().WorkingTree()
		if own != common {
			name = filepath.Base(own)
		}
	}
	if p.Base() != planref.Planning {
		name += "\x00" + p.Base() // its session and claims are others
	}
	return share.WorktreeID(clone, name+"\x00"+p.belowTop())
}

// SharedPlan returns the name under which a plan is shared: its path below .planning/; for a project that is not at the top of its
// repository, the path from there. ok is false for one that cannot be.
func (p *Project) SharedPlan(plan string) (name string, ok bool) {
	return sharedPlan(p.belowTop(), plan)
}

func sharedPlan(below, plan string) (name string, ok bool) {
	name, ok = strings.CutPrefix(plan, planref.Planning+"/")
	if below != "" && below != "." {
		name = path.Join(below, planref.Planning, name)
	}
	return name, ok && share.IsPlan(name)
}

// PlanOfShared is the inverse of SharedPlan; "" for a plan of another project of the repository, and for what is no plan: others may
// have pushed it.
func (p *Project) PlanOfShared(name string) string {
	if below := p.belowTop(); below != "" {
		var ok bool
		if name, ok = strings.CutPrefix(name, path.Join(below, planref.Planning)+"/"); !ok {
			return ""
		}
	}
	if strings.Contains("/"+name, "/"+planref.Planning+"/") || strings.HasPrefix(name, "sessions/") || planref.IsOther(path.Base(name)) {
		return ""
	}
	return path.Join(planref.Planning, name)
}

// belowTop returns the project's directory in its working tree; empty for the top.
func (p *Project) belowTop() string {
	_, below, _ := p.Planning.Shared()
	if below = filepath.ToSlash(below); below == "." {
		below = ""
	}
	return below
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

// SharedFile returns the name of the file that has what gsd sync knows of a user's clones, in the directory that the worktrees of this one share.
func SharedFile(user string) string { return session.OwnDir + "/clones-" + user + ".json" }

// ForgottenFile returns the name of the file beside it that has the sessions of this clone that the user has forgotten.
func ForgottenFile(user string) string { return session.OwnDir + "/forgotten-" + user + ".json" }

// Clones reads what gsd sync knows of a user's clones, this one included. Without a file, or with one that is damaged, nothing is.
func (p *Project) Clones(user string) map[string]share.Clone {
	return Once(p, clonesOf(user), func() map[string]share.Clone { return readClones(p.Planning.GitDir(), SharedFile(user)) })
}

// SetClones makes clones what is known of a user's.
func (p *Project) SetClones(user string, clones map[string]share.Clone) {
	Know(p, clonesOf(user), clones)
	delete(p.known, sessionsInClones(user))
}

func readClones(gitDir, name string) map[string]share.Clone {
	root, err := durable.OpenRootAt(gitDir)
	if err != nil {
		return nil
	}
	defer root.Close()
	text, _, err := durable.Read(root, name, share.MaxState)
	if err != nil {
		return nil
	}
	return share.DecodeClones(text)
}

// SessionsInClones returns what gsd sync knows of the sessions of a user's clones, in the order of the clones, each status once.
func (p *Project) SessionsInClones(user string) (all []share.Session) {
	return Once(p, sessionsInClones(user), func() (all []share.Session) {
		clones := p.Clones(user)
		for _, id := range slices.Sorted(maps.Keys(clones)) {
			all = append(all, clones[id].Sessions...)
		}
		return share.Once(all)
	})
}

// Forgotten returns the sessions of this clone that a user has forgotten.
func (p *Project) Forgotten(user string) []share.Session {
	return readClones(p.Planning.GitDir(), ForgottenFile(user))[forgotten].Sessions
}

const forgotten = "forgotten" // in the file of that name, instead of a clone

// ForgetShared forgets what gsd sync knows of the session of a breadcrumb: it is no longer shared, and what other clones took over from it does
// not count here.
func ForgetShared(w World, c *session.Crumb) error {
	common, below := c.Repository, c.Below
	if common == "" {
		common, below, _ = gitlog.Find(c.Project).Shared()
	}
	clones := readClones(common, SharedFile(c.User))
	own := clones[session.CloneAt(common, w.StateDir.Machine()).ID]
	started, err := time.Parse(time.RFC3339, c.Started)
	name, _ := sharedPlan(filepath.ToSlash(below), c.Plan)
	var gone []share.Session
	for _, s := range own.Sessions {
		if err == nil && s.Plan == name && s.Started.Equal(started.Truncate(time.Second)) {
			gone = append(gone, s)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	gone = append(readClones(common, ForgottenFile(c.User))[forgotten].Sessions, gone...)
	for id, clone := range clones {
		clone.Sessions = share.Without(clone.Sessions, gone)
		clones[id] = clone
	}
	root, err := durable.OpenRootAt(common)
	if err != nil {
		return err
	}
	defer root.Close()
	for name, clones := range map[string]map[string]share.Clone{SharedFile(c.User): clones, ForgottenFile(c.User): {forgotten: {Sessions: gone}}} {
		text, err := share.EncodeClones(clones)
		if err == nil {
			var was durable.Stamp
			if was, err = durable.StampOf(root, name); err == nil {
				err = w.Write.Replace(root, name, [][]byte{text}, 0o600, was)
			}
		}
		if err != nil && !errors.Is(err, durable.ErrUnsynced) {
			return err
		}
	}
	return nil
}

// latestInClones returns when tasks of the plan of a report's session were last set in any clone, as far as gsd sync knows, by their ids.
func (p *Project) latestInClones(r *answer.Report) map[string]time.Time {
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

// stamp is share.Stamped for a session of a user, with what gsd sync knows of the clones. archive is the name of its file if it is archived: what
// was shared of a session that began in the same second is not of that.
func (p *Project) stamp(user string, s *planfile.File, archive string, tasks, record []progress.Task, fresh, changed time.Time) {
	var plan string
	var ids []string
	var said *share.Session
	sessions := p.SessionsInClones(user)
	if len(sessions) > 0 {
		plan, _ = p.SharedPlan(p.Named(s.Header).Path)
		ids, _ = SharedTasks(s)
		if len(record) == 0 && archive == "" {
			said = p.saidOf(user, plan, s.Header)
		}
	}
	share.Stamped(tasks, record, fresh, changed, plan, ids, sessions, said)
}

// saidOf returns what this clone, or the one of which it is a copy, last shared of the session of a user with a header; nil for nothing.
func (p *Project) saidOf(user, plan string, h planfile.Header) *share.Session {
	c, clones := p.CloneID(), p.Clones(user)
	started, _ := h.StartedAt()
	for _, id := range []string{c.ID, c.Was} {
		for _, s := range clones[id].Sessions {
			if s.Plan == plan && s.Worktree == p.worktreeID(id) && s.Started.Equal(started.UTC().Truncate(time.Second)) {
				return &s
			}
		}
	}
	return nil
}
