package verdict

import (
	"io/fs"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
)

// maxUsers is of how many users the sessions are read.
const maxUsers = 1000

// Users lists the users who have a session directory in this root, sorted. What other programs keep there is nobody's: a directory that
// gsd never wrote in counts only if its session says which plan it is on.
func (p *Project) Users() []string {
	users := session.Users(p.Planning.Root(), p.Base())
	if len(users) > maxUsers {
		p.Planning.Warn(problem.Warning{Code: problem.TooManyUsers, Count: maxUsers, Of: len(users)})
		users = users[:maxUsers]
	}
	return slices.DeleteFunc(users, func(user string) bool { // upstream keeps files there, too
		dir := p.Session(user)
		info, err := p.Planning.Lstat(dir.Path())
		if err != nil || info.Mode()&fs.ModeSymlink != 0 {
			return false
		}
		if !info.IsDir() {
			return true
		}
		if !dir.Since().IsZero() || p.Planning.Exists(dir.RunsFile()) {
			return false
		}
		on := p.SessionOn(user)
		return on.Plan == "" && !on.Unread
	})
}

// SessionOn is what a session says of itself in its first lines: enough to know who is on which plan.
type SessionOn struct {
	Plan    string // as its header names it
	Started string // as its header states it
	Changed time.Time
	Unread  bool // there is a file which cannot be read
	Left    bool // a task is left to do
	Settled int  // how many of its tasks are complete or skipped
	Tasks   int  // how many it has; 0 if that is not known, as of another clone's
}

// A sessionOn key is of a user's session.
type sessionOn string

// SessionOn returns what a user's session says of itself; no more than that for one that cannot be read. It is read once.
func (p *Project) SessionOn(user string) SessionOn {
	return Once(p, sessionOn(user), func() (on SessionOn) {
		src, stamp, err := p.Session(user).Read(p.Planning.Limit)
		if !p.Planning.OverBudget(err, p.Session(user).File()) && err == nil {
			on = SessionOnPlan(planfile.ParseSession(src), stamp.ModTime())
		}
		on.Unread = err != nil && !problem.IsMissing(err)
		return on
	})
}

// KnowSession has SessionOn return what a report says, which was judged: its tasks are as far as commits show.
func (p *Project) KnowSession(r *answer.Report) {
	Know(p, sessionOn(r.User), SessionOnPlan(r.Session, r.Changed))
}

// SessionOnPlan returns what a session file says that was last changed at a time.
func SessionOnPlan(s *planfile.File, changed time.Time) SessionOn {
	return SessionOn{
		Plan: s.Header.Plan, Started: s.Header.Started, Changed: changed, Left: answer.FirstOpen(s) != nil,
		Tasks: len(s.Tasks), Settled: s.Count(planfile.Complete) + s.Count(planfile.Skipped),
	}
}

// Worktrees opens the project in the other worktrees of its repository, as project.Worktrees does. Close closes them.
func (p *Project) Worktrees() []*Project {
	if p.Others == nil {
		p.Others = new([]*Project)
		for _, other := range p.Planning.Worktrees() {
			*p.Others = append(*p.Others, &Project{Dir: other.Dir, World: p.World, Planning: other, Others: new([]*Project)}) // it looks no further
		}
	}
	return *p.Others
}

// A Claim is somebody's session on a plan, as others see it who look for one.
type Claim struct {
	SessionOn
	User    string
	At      *Project  // the worktree that it is in; nil if it is in another clone
	Machine string    // where that is
	Since   time.Time // when it was claimed there
}
