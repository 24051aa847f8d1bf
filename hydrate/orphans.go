package hydrate

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/session"
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

// Orphan is a session that left nothing but its breadcrumb.
type Orphan struct {
	session.Crumb        // with nothing but the ID where it is corrupt
	Why           string // one of the Lost… words
	Corrupt       string // what is wrong with the breadcrumb; empty for nothing
	Expired       bool   // gsd sweep dismisses it
	Done          int    // tasks that were complete
}

// Orphans lists the lost sessions of all projects of this user on this machine, those whose crumbs are corrupt
// last. It only reads. The warning is of breadcrumbs that were not read.
func Orphans(state session.StateDir, now time.Time) ([]Orphan, []Warning, error) {
	return orphansNamed(state, "", now)
}

// orphansNamed is Orphans for those whose id begins with prefix.
func orphansNamed(state session.StateDir, prefix string, now time.Time) ([]Orphan, []Warning, error) {
	if state == "" {
		return nil, nil, fail(MissingInput, "set HOME or XDG_STATE_HOME", "there is no directory for breadcrumbs, so nobody knows what was lost")
	}
	crumbs, err := state.CrumbsNamed(prefix)
	if err != nil {
		return nil, nil, &Error{Kind: IO, Text: "cannot read the breadcrumbs: " + cause("crumbs", err), Hint: "see whether the directory is readable", Err: err}
	}
	var found []Orphan
	f := newFates()
	defer f.close()
	for _, c := range crumbs.Good {
		if why, _ := f.of(c); why != "" {
			found = append(found, orphanOf(c, why, now))
		}
	}
	for _, bad := range crumbs.Bad {
		found = append(found, Orphan{Crumb: session.Crumb{ID: bad.ID}, Why: LostCorrupt, Corrupt: bad.Why})
	}
	return found, notRead(crumbs), nil
}

func orphanOf(c session.Crumb, why string, now time.Time) Orphan {
	o := Orphan{Crumb: c, Why: why, Expired: c.Expired(now)}
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
	src, _, err := f.p.session(user).Within(f.budget).Read(f.p.Limit)
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

// orphan finds a lost session by its id or by an unambiguous beginning of it.
func orphan(state session.StateDir, id string, now time.Time) (*Orphan, error) {
	all, _, err := orphansNamed(state, id, now)
	if err != nil {
		return nil, err
	}
	found, more := byPrefix(all, id, func(o *Orphan) string { return o.ID })
	switch {
	case more:
		return nil, fail(MissingInput, "gsd orphans lists them", "%q is the beginning of more than one id", id)
	case found == nil:
		return nil, fail(MissingInput, "gsd orphans lists them", "no lost session %q", id)
	}
	return found, nil
}

// LostSession gives the id of the one session that a user has lost in this project.
func (p *Project) LostSession(user string, now time.Time) (string, error) {
	all, _, err := orphansNamed(p.StateDir, session.CrumbPrefix(p.Dir, user), now)
	if err != nil {
		return "", err
	}
	all = slices.DeleteFunc(all, func(o Orphan) bool { return o.Project != p.Dir || o.User != user })
	switch len(all) {
	case 0:
		return "", fail(MissingInput, "gsd orphans lists those of other projects", "no session of %s is lost here", user)
	case 1:
		return all[0].ID, nil
	}
	return "", fail(MissingInput, "gsd orphans lists them; name one", "%d sessions of %s are lost here", len(all), user)
}

// Dismiss drops the breadcrumb of a lost session.
func Dismiss(state session.StateDir, id string, now time.Time) (*Orphan, error) {
	o, err := orphan(state, id, now)
	if err != nil {
		return nil, err
	}
	if err := state.RemoveCrumb(durable.Writer{}, o.ID); err != nil {
		return nil, &Error{Kind: IO, Text: "cannot remove " + cause("the breadcrumb", err), Hint: "see whether its directory is writable", Err: err}
	}
	return o, nil
}
