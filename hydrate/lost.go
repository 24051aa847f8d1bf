package hydrate

// lost.go: breadcrumbs, and the lost sessions of which only the breadcrumb is left.

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
)

// Why a session counts as lost.
const (
	LostFile    = "its file is gone"
	LostProject = "its project no longer exists"
	LostPlans   = "its project no longer has a .planning directory"
	LostPlace   = "another session is in its place"
	LostTorn    = "its file is incomplete, and has less than the breadcrumb"
	LostCorrupt = "its breadcrumb is corrupt"
)

// CrumbLife is how long the breadcrumb of a lost session is kept.
const CrumbLife = session.CrumbLife

// A LostSession is a session of which only the breadcrumb is left.
type LostSession struct {
	ID      string    `json:"id"`                   // what gsd restore takes, whole or its beginning
	Why     string    `json:"why"`                  // why the session counts as lost, for a person
	Corrupt string    `json:"corrupt" empty:"null"` // what is wrong with its breadcrumb; then nothing else is known
	Project string    `json:"project" empty:"null"` // the absolute path of its project
	User    string    `json:"user" empty:"null"`    // whose session it was
	Plan    string    `json:"plan" empty:"null"`    // the plan that it was on, relative to the project
	Current int       `json:"current" empty:"null"` // its first task that was not complete; null if all were
	Done    int       `json:"done"`                 // how many of its tasks were complete
	Total   int       `json:"total"`                // how many tasks it had
	Updated time.Time `json:"updated" empty:"null"` // when it was last changed
	Expired bool      `json:"expired"`              // it was lost so long ago that the next sweep dismisses it

	Task  string `json:"-"` // the name of the current task
	crumb session.Crumb
}

func lostSession(c session.Crumb, why string, now time.Time) LostSession {
	lost := LostSession{
		ID: c.ID, Why: why, Project: c.Project, User: c.User, Plan: c.Plan, Current: c.Current, Total: len(c.Tasks),
		Updated: c.Updated, Expired: c.Expired(now), crumb: c,
	}
	if c.Current > 0 {
		lost.Task = c.Tasks[c.Current-1].Name
	}
	for _, t := range c.Tasks {
		if t.Status == string(planfile.Complete) {
			lost.Done++
		}
	}
	return lost
}

// LostSessions is the answer of gsd restore --list.
type LostSessions struct {
	Lost     []LostSession `json:"lost"`     // those with a corrupt breadcrumb last
	Warnings []Warning     `json:"warnings"` // of breadcrumbs that were not read
}

// Lost lists the lost sessions of all projects of this user on this machine. It only reads.
func Lost(state session.StateDir, now time.Time) (*LostSessions, error) {
	return lostWithPrefix(state, "", now)
}

// lostWithPrefix is Lost for the sessions whose IDs begin with prefix.
func lostWithPrefix(state session.StateDir, prefix string, now time.Time) (*LostSessions, error) {
	if state == "" {
		return nil, fail(MissingInput, "set HOME or XDG_STATE_HOME",
			"there is no directory for breadcrumbs, so lost sessions cannot be found")
	}
	crumbs, err := state.Crumbs(prefix)
	if err != nil {
		text := "cannot read the breadcrumbs: " + cause("crumbs", err)
		return nil, &Error{IO, text, "check that the directory is readable", err}
	}
	list := &LostSessions{Warnings: unreadCrumbs(crumbs)}
	f := fates{budget: durable.NewBudget(CommandFiles * DefaultLimit)}
	defer f.close()
	for _, c := range crumbs.Good {
		if why, _ := f.of(&c); why != "" {
			list.Lost = append(list.Lost, lostSession(c, why, now))
		}
	}
	for _, bad := range crumbs.Bad {
		list.Lost = append(list.Lost, LostSession{ID: bad.ID, Why: LostCorrupt, Corrupt: bad.Why})
	}
	return list, nil
}

func (p *Project) lostOf(r *Report, now time.Time) (lost []LostSession, warnings []Warning) {
	if p.StateDir == "" {
		return nil, nil
	}
	own := "" // the current session's breadcrumb may be long, and is not read if the session can be trusted
	if r.Session != nil && r.Verdict != Corrupt && !r.isStale(TaskCount) {
		own = p.crumbID(r.User, r.Session)
	}
	crumbs, _ := p.StateDir.CrumbsOf(p.Dir, r.User, own) // gsd restore --list reports the error
	f := fates{p: p, dir: p.Dir, user: r.User, current: r.Session}
	for _, c := range crumbs.Good {
		if why, _ := f.of(&c); why != "" {
			lost = append(lost, lostSession(c, why, now))
		}
	}
	return lost, unreadCrumbs(crumbs)
}

// lostByID finds a lost session by its ID or by an unambiguous prefix of it. It returns nil if there is none.
func lostByID(state session.StateDir, id string, now time.Time) (*LostSession, error) {
	all, err := lostWithPrefix(state, id, now)
	if err != nil {
		return nil, err
	}
	found, more := byPrefix(all.Lost, id, func(lost *LostSession) string { return lost.ID })
	if more {
		return nil, fail(MissingInput, "gsd restore --list lists them", "%q matches more than one lost session", id)
	}
	return found, nil
}

// lostHere finds the session that a user has lost in this project: the only one, or the latest one on plan. It returns
// nil if none is lost.
func (p *Project) lostHere(user, plan string, now time.Time) (*LostSession, error) {
	if p.StateDir == "" {
		return nil, nil
	}
	all, err := lostWithPrefix(p.StateDir, session.CrumbPrefix(p.Dir, user), now)
	if err != nil {
		return nil, err
	}
	lost := slices.DeleteFunc(all.Lost, func(lost LostSession) bool {
		return lost.Project != p.Dir || lost.User != user || plan != "" && lost.Plan != plan
	})
	switch {
	case len(lost) == 0:
		return nil, nil
	case len(lost) > 1 && plan == "":
		return nil, fail(MissingInput, "gsd restore --list lists them; name one",
			"%d sessions of %s are lost here", len(lost), user)
	}
	latest := slices.MaxFunc(lost, func(a, b LostSession) int { return a.Updated.Compare(b.Updated) })
	return &latest, nil
}

// Dismissed is the answer of gsd restore --dismiss.
type Dismissed struct {
	Dismissed *LostSession `json:"dismissed"` // the lost session whose breadcrumb was dropped
}

// Dismiss drops the breadcrumb of a lost session, named by its ID or by an unambiguous prefix of it.
func Dismiss(state session.StateDir, id string, now time.Time) (*Dismissed, error) {
	lost, err := lostByID(state, id, now)
	switch {
	case err != nil:
		return nil, err
	case lost == nil:
		return nil, fail(MissingInput, "gsd restore --list lists them", "no lost session %q", id)
	}
	if err := state.RemoveCrumb(durable.Writer{}, lost.ID); err != nil {
		return nil, &Error{IO, "cannot remove " + cause("the breadcrumb", err), "check that its directory is writable", err}
	}
	return &Dismissed{lost}, nil
}

// fates determines what became of the sessions of breadcrumbs. Breadcrumbs of one user in one project should be asked about
// one after the other, so that the project's files are read once.
type fates struct {
	budget    *durable.Budget
	dir, user string
	p         *Project // of dir; nil with an error
	err       error
	current   *planfile.File   // nil if there is no session
	unread    bool             // there is a session, but it cannot be read
	archived  []*planfile.File // see archives
	listed    bool
	summaries map[string]string // by plan
}

func (f *fates) close() {
	if f.p != nil {
		f.p.Close() // it was only read through
	}
}

func (f *fates) enter(dir, user string) {
	if f.dir == dir && f.user == user {
		return
	}
	f.close()
	*f = fates{budget: f.budget, dir: dir, user: user}
	if f.p, f.err = openAt(dir); f.err != nil {
		return
	}
	f.p.budget = f.budget
	if src, _, err := f.p.session(user).Read(f.p.Limit); err == nil {
		f.current = parseSession(src)
	} else {
		f.unread = !isMissing(err)
	}
}

// of returns why the session of a breadcrumb is lost, "" if it is not. useless reports whether the breadcrumb is no longer
// needed: the session is archived, its plan is done, or it was restored where its plan is now.
func (f *fates) of(c *session.Crumb) (why string, useless bool) {
	f.enter(c.Project, c.User)
	switch {
	case errors.Is(f.err, errNoPlans):
		return LostPlans, false
	case isMissing(f.err):
		return LostProject, false
	case f.err != nil:
		return "", false // a project that cannot be read is not known to be lost
	}
	switch {
	case memo(&f.summaries, c.Plan, func() string { return f.p.summaryOf(c.Plan) }) != "":
		return "", true
	case f.unread:
		return "", false
	case f.current != nil && holds(f.current, c):
		return "", path.Clean(f.current.Header.Plan) != c.Plan
	case slices.ContainsFunc(f.archives(), func(s *planfile.File) bool { return holds(s, c) }):
		return "", true
	case f.current == nil:
		return LostFile, false
	case isOf(f.current, c):
		return LostTorn, false
	}
	return LostPlace, false
}

// maxArchived is how many archived sessions are read, the latest. Archiving a session also removes its breadcrumb; reading the
// archives is only needed after a crash in between.
const maxArchived = 100

func (f *fates) archives() []*planfile.File {
	if f.listed {
		return f.archived
	}
	f.listed = true
	dir := f.p.session(f.user).Path()
	names := slices.DeleteFunc(f.p.names(dir), func(name string) bool { return !strings.HasSuffix(name, ".stale") })
	slices.Sort(names)
	for _, name := range names[max(0, len(names)-maxArchived):] {
		if src, err := f.p.read(path.Join(dir, name)); err == nil {
			f.archived = append(f.archived, parseSession(src))
		}
	}
	return f.archived
}

// isOf reports whether a session file is the session of a breadcrumb. Its plan may have moved since.
func isOf(s *planfile.File, c *session.Crumb) bool {
	h := s.Header
	return h.Started == c.Started &&
		(path.Clean(h.Plan) == c.Plan || h.Digest != "" && strings.EqualFold(h.Digest, c.Digest))
}

// holds reports whether a session file is the whole session of a breadcrumb: one that was torn has lost what the
// breadcrumb still has.
func holds(s *planfile.File, c *session.Crumb) bool {
	return isOf(s, c) && s.HasStatus() && len(s.Tasks) >= len(c.Tasks)
}

var errNoPlans = errors.New("no " + planning + " in it")

func openAt(dir string) (*Project, error) {
	if at, err := filepath.EvalSymlinks(dir); err == nil && at != dir { // another project has taken its place
		return nil, fs.ErrNotExist
	}
	root, err := durable.OpenRootAt(dir)
	if err != nil {
		return nil, err
	}
	if info, err := root.Stat(planning); err != nil || !info.IsDir() {
		root.Close()
		return nil, errNoPlans
	}
	return &Project{Dir: dir, Limit: DefaultLimit, root: root, work: dir}, nil
}

func (p *Project) crumbID(user string, s *planfile.File) string {
	return session.CrumbID(p.Dir, user, p.named(s.Header).Path, s.Header.Started)
}

// writeCrumb writes the breadcrumb of a session while its guard is held, so that breadcrumbs are written in the order of
// the changes.
func (p *Project) writeCrumb(r *Report, now time.Time) error {
	if p.StateDir == "" {
		return nil
	}
	h := r.Session.Header
	c := session.Crumb{
		Project: p.Dir, User: r.User, Plan: r.Plan.Path, Digest: h.Digest, Started: h.Started, Updated: now.UTC(),
		Tasks: make([]session.CrumbTask, 0, len(r.Session.Tasks)),
	}
	for _, t := range r.Session.Tasks {
		name := ""
		if len(r.Session.Tasks) <= session.MaxNamedTasks {
			name = r.Session.Name(t.Number)
		}
		c.Tasks = append(c.Tasks, session.CrumbTask{Name: name, Status: string(t.Status)})
		if c.Current == 0 && t.Status != planfile.Complete {
			c.Current = t.Number
		}
	}
	if l, err := r.files.Lease(); err == nil {
		c.Run = l.Run
	}
	return p.StateDir.WriteCrumb(p.write, c)
}

// replaceCrumb writes the breadcrumb of a new session, and removes that of the archived one, unless that was torn and
// the breadcrumb has more. A failure is a warning.
func (p *Project) replaceCrumb(archived *planfile.File, r *Report, now time.Time) {
	why := "there is no directory for breadcrumbs"
	if p.StateDir != "" {
		err := p.writeCrumb(r, now)
		if archived != nil {
			id := p.crumbID(r.User, archived)
			if c, ok := p.StateDir.Crumb(id); ok && id != p.crumbID(r.User, r.Session) && holds(archived, &c) {
				err = errors.Join(err, p.StateDir.RemoveCrumb(p.write, id))
			}
		}
		if err == nil {
			return
		}
		why = cause("breadcrumb", err)
	}
	r.aside = append(r.aside, Warning{CrumbProblem, "if the session is lost, gsd restore --list will not find it: " + why})
}

// CrumbsUnread warns that there are more breadcrumbs than one command reads.
const CrumbsUnread = "crumbs-unread"

func unreadCrumbs(crumbs session.Crumbs) []Warning {
	if crumbs.Unread == 0 {
		return nil
	}
	return []Warning{{CrumbsUnread, counted(crumbs.Unread, "breadcrumb was", "breadcrumbs were") +
		" not read: there are too many; gsd run sweep drops those that are no longer needed"}}
}
