package hydrate

import (
	"errors"
	"io/fs"
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
	LostProject = "its project is not there any more"
	LostPlans   = "its project has no .planning any more"
	LostPlace   = "another session is in its place"
	LostTorn    = "its file was torn, and holds less than the breadcrumb"
	LostCorrupt = "its breadcrumb is corrupt"
)

// CrumbLife is how long a breadcrumb is kept whose session is lost.
const CrumbLife = session.CrumbLife

// A LostSession is a lost session of which only the breadcrumb is left.
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

// LostSessions is the answer of gsd restore --list.
type LostSessions struct {
	Lost     []LostSession `json:"lost"`     // those with a corrupt breadcrumb last
	Warnings []Warning     `json:"warnings"` // of breadcrumbs that were not read
}

// Lost lists the lost sessions of all projects of this user on this machine, those whose crumbs are corrupt last. It only reads.
func Lost(state session.StateDir, now time.Time) (*LostSessions, error) {
	lost, unread, err := orphansNamed(state, "", now)
	if err != nil {
		return nil, err
	}
	return &LostSessions{lost, unread}, nil
}

// orphansNamed is Lost for those whose id begins with prefix.
func orphansNamed(state session.StateDir, prefix string, now time.Time) ([]LostSession, []Warning, error) {
	if state == "" {
		return nil, nil, fail(MissingInput, "set HOME or XDG_STATE_HOME", "there is no directory for breadcrumbs, so lost sessions cannot be found")
	}
	crumbs, err := state.Crumbs(prefix)
	if err != nil {
		return nil, nil, &Error{Kind: IO, Text: "cannot read the breadcrumbs: " + cause("crumbs", err), Hint: "check that the directory is readable", Err: err}
	}
	var found []LostSession
	f := newFates()
	defer f.close()
	for _, c := range crumbs.Good {
		if why, _ := f.of(c); why != "" {
			found = append(found, orphanOf(c, why, now))
		}
	}
	for _, bad := range crumbs.Bad {
		found = append(found, LostSession{ID: bad.ID, Why: LostCorrupt, Corrupt: bad.Why})
	}
	return found, notRead(crumbs), nil
}

func orphanOf(c session.Crumb, why string, now time.Time) LostSession {
	o := LostSession{
		ID: c.ID, Why: why, Project: c.Project, User: c.User, Plan: c.Plan, Current: c.Current, Total: len(c.Tasks),
		Updated: c.Updated, Expired: c.Expired(now), crumb: c,
	}
	if c.Current > 0 {
		o.Task = c.Tasks[c.Current-1].Name
	}
	for _, t := range c.Tasks {
		if t.Status == string(planfile.Complete) {
			o.Done++
		}
	}
	return o
}

// fates finds out what became of the sessions of many crumbs. Those of one user in one project come one after the
// other, by their ids, so that its files are read once.
type fates struct {
	budget    *durable.Budget
	dir, user string
	p         *Project // nil with an error
	err       error
	current   *planfile.File
	unread    bool // there is a session, and it may not be read
	archived  []*planfile.File
	summaries map[string]string // by plan
}

func newFates() *fates { return &fates{budget: durable.NewBudget(CommandFiles * DefaultLimit)} }

func (f *fates) close() {
	if f.p != nil {
		f.p.Close() // it was only read through
	}
}

// at looks at the session of a user in the project in dir.
func (f *fates) at(dir, user string) {
	if f.dir == dir && f.user == user {
		return
	}
	f.close()
	*f = fates{budget: f.budget, dir: dir, user: user, summaries: map[string]string{}}
	if f.p, f.err = openAt(dir); f.err != nil {
		return
	}
	f.p.budget = f.budget
	src, _, err := f.p.session(user).Read(f.p.Limit)
	switch {
	case err == nil:
		f.current = parseSession(src)
	case !isMissing(err):
		f.unread = true
		return
	}
	f.archived = f.p.archived(user)
}

// of tells why the session of a crumb is lost, "" where it is not; and whether the crumb has become useless:
// the session is archived, or its plan is done.
func (f *fates) of(c session.Crumb) (why string, over bool) {
	f.at(c.Project, c.User)
	switch {
	case errors.Is(f.err, errNoPlans):
		return LostPlans, false
	case isMissing(f.err):
		return LostProject, false
	case f.err != nil:
		return "", false // one that may not be looked at is not gone
	}
	summary, known := f.summaries[c.Plan]
	if !known {
		summary = f.p.summaryOf(c.Plan)
		f.summaries[c.Plan] = summary
	}
	switch {
	case summary != "":
		return "", true
	case f.unread:
		return "", false // one that may not be read is not gone
	}
	return fate(&c, f.current, f.archived)
}

var errNoPlans = errors.New("no " + planning + " in it")

// openAt opens the project in dir itself.
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

// FindLost finds a lost session of any project by its id or by an unambiguous beginning of it of four characters or more; nil
// where name is not such.
func FindLost(state session.StateDir, name string, now time.Time) (*LostSession, error) {
	if state == "" || len(name) < 4 || strings.Trim(name, "0123456789abcdef") != "" {
		return nil, nil
	}
	return lostByID(state, name, now)
}

// lostByID finds a lost session by its id or by an unambiguous beginning of it; nil where there is none.
func lostByID(state session.StateDir, id string, now time.Time) (*LostSession, error) {
	all, _, err := orphansNamed(state, id, now)
	if err != nil {
		return nil, err
	}
	found, more := byPrefix(all, id, func(o *LostSession) string { return o.ID })
	if more {
		return nil, fail(MissingInput, "gsd restore --list lists them", "%q is the beginning of more than one id", id)
	}
	return found, nil
}

// lostSession finds the session that a user has lost in this project: the only one, or the latest on the plan at place. It is nil
// where none is lost.
func (p *Project) lostSession(user, place string, now time.Time) (*LostSession, error) {
	if p.StateDir == "" {
		return nil, nil
	}
	all, _, err := orphansNamed(p.StateDir, session.CrumbPrefix(p.Dir, user), now)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(o LostSession) bool {
		return o.Project != p.Dir || o.User != user || place != "" && o.Plan != place
	})
	switch {
	case len(all) == 0:
		return nil, nil
	case place != "":
		latest := slices.MaxFunc(all, func(a, b LostSession) int { return a.Updated.Compare(b.Updated) })
		return &latest, nil
	case len(all) > 1:
		return nil, fail(MissingInput, "gsd restore --list lists them; name one", "%d sessions of %s are lost here", len(all), user)
	}
	return &all[0], nil
}

// Dismissed is the answer of gsd restore --dismiss.
type Dismissed struct {
	Dismissed *LostSession `json:"dismissed"` // the lost session whose breadcrumb was dropped
}

// Dismiss drops the breadcrumb of a lost session, named by its id or an unambiguous beginning of it.
func Dismiss(state session.StateDir, id string, now time.Time) (*LostSession, error) {
	o, err := lostByID(state, id, now)
	switch {
	case err != nil:
		return nil, err
	case o == nil:
		return nil, fail(MissingInput, "gsd restore --list lists them", "no lost session %q", id)
	}
	if err := state.RemoveCrumb(durable.Writer{}, o.ID); err != nil {
		return nil, &Error{Kind: IO, Text: "cannot remove " + cause("the breadcrumb", err), Hint: "check that its directory is writable", Err: err}
	}
	return o, nil
}
