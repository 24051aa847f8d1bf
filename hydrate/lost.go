package hydrate

// lost.go: breadcrumbs, and the lost sessions of which only the breadcrumb is left.

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/planfile"
)

// Why a session counts as lost.
const (
	LostFile    = "its file is gone"
	LostProject = "its project no longer exists"
	LostTree    = "its worktree was removed; gsd restore ID in another one of its repository brings it back"
	LostPlans   = "its project no longer has a .planning directory"
	LostPlace   = "another session is in its place"
	LostTorn    = "its file is incomplete, and has less than the breadcrumb"
	LostCorrupt = "its breadcrumb is corrupt"
	LostLater   = "its breadcrumb was written by a later version of gsd"
)

// CrumbLife is how long the breadcrumb of a lost session is kept after its loss was first shown.
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
	Expired bool      `json:"expired"`              // its loss was shown so long ago that the next sweep dismisses it

	Task  string `json:"-"` // the name of the current task
	Gone  bool   `json:"-"` // it cannot be restored: its project or its plan no longer exists
	crumb session.Crumb
	// instead is the command to run instead of restoring it, because somebody is at work; without words, it can be restored.
	instead Command
}

// Command is the command that brings the session back, or if that is impossible, says what is known of it.
func (l *LostSession) Command() Command {
	if l.Gone {
		return Command{[]string{"gsd", "restore", "--list"}, "lists the lost sessions"}
	}
	if len(l.instead.Words) > 0 {
		return l.instead
	}
	does := "brings it back"
	if l.Why == LostPlace {
		does += ", and archives what is in its place"
	}
	return Command{[]string{"gsd", "restore", l.ID}, does}
}

// newestFirst orders lost sessions by their last change.
func newestFirst(a, b LostSession) int { return b.Updated.Compare(a.Updated) }

func (f *fates) lostSession(c session.Crumb, why string, now time.Time) LostSession {
	lost := LostSession{
		Gone: why == LostProject || why == LostTree || why == LostPlans || why != "" && !f.hasPlan(&c),
		ID:   c.ID, Why: why, Project: c.Project, User: c.User, Plan: c.Plan, Current: c.Current, Total: len(c.Tasks),
		Updated: c.Updated, Expired: c.Expired(now), crumb: c,
	}
	if why != "" {
		lost.instead = f.instead(&c, now)
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
	Lost     []LostSession `json:"lost"`     // the last changed first; those with an unreadable breadcrumb last
	Warnings []Warning     `json:"warnings"` // of breadcrumbs that were not read
}

// Lost lists the lost sessions of all projects of this user on this machine. It only reads.
func Lost(w World, now time.Time) (*LostSessions, error) {
	return lostWithPrefix(w, "", now)
}

// lostWithPrefix is Lost for the sessions whose IDs begin with prefix.
func lostWithPrefix(w World, prefix string, now time.Time) (*LostSessions, error) {
	if w.StateDir == "" {
		return nil, project.Fail(MissingInput, "set HOME or XDG_STATE_HOME",
			"there is no directory for breadcrumbs, so lost sessions cannot be found")
	}
	crumbs, err := w.StateDir.Crumbs(prefix)
	if err != nil {
		text := "cannot read the breadcrumbs: " + project.Cause("crumbs", err)
		return nil, &Error{Kind: IO, Text: text, Hint: "check that the directory is readable", Err: err}
	}
	list := &LostSessions{Warnings: unreadCrumbs(crumbs)}
	f := fates{world: w, budget: durable.NewBudget(CommandFiles * DefaultLimit)}
	defer f.close()
	for _, c := range crumbs.Good {
		if why, _ := f.of(&c); why != "" {
			list.Lost = append(list.Lost, f.lostSession(c, why, now))
		}
	}
	slices.SortStableFunc(list.Lost, newestFirst)
	for _, bad := range crumbs.Bad {
		its := LostSession{ID: bad.ID, Why: LostCorrupt, Corrupt: bad.Why}
		if bad.Later {
			its.Why, its.Corrupt = LostLater, ""
		}
		list.Lost = append(list.Lost, its)
	}
	return list, nil
}

// lostOf finds the lost sessions of a report's user in this project.
func (p *Project) lostOf(r *Report, now time.Time) (lost []LostSession, warnings []Warning) {
	odd := r.Session == nil || r.Verdict == Corrupt // otherwise, bootstrap finds what was lost of an archived session
	all, warnings := p.remembered(r, odd, now)
	return slices.DeleteFunc(all, func(l LostSession) bool { return l.Why == "" }), warnings
}

// remembered finds the sessions of a report's user in this project that have a breadcrumb, the last changed first, except
// for the current one and, unless archived is set, those that were archived. Why is empty for one that is not lost.
func (p *Project) remembered(r *Report, archived bool, now time.Time) (all []LostSession, warnings []Warning) {
	if p.StateDir == "" {
		return nil, nil
	}
	own := "" // the current session's breadcrumb may be long, and is not read if the session can be trusted
	if r.Session != nil && r.Verdict != Corrupt && !r.isStale(TaskCount) && !r.isStale(PlanMissing) {
		own = p.crumbID(r.User, r.Session)
	}
	crumbs, _ := p.StateDir.CrumbsOf(p.Dir, r.User, own, archived) // gsd restore --list reports the error
	f := fates{world: p.World, p: p, dir: p.Dir, user: r.User, current: r.Session}
	for _, c := range crumbs.Good {
		why, _ := f.of(&c)
		all = append(all, f.lostSession(c, why, now))
	}
	slices.SortStableFunc(all, newestFirst)
	return all, unreadCrumbs(crumbs)
}

// lostByID finds a lost session by its ID or by an unambiguous prefix of it. It returns nil if there is none.
func lostByID(w World, id string, now time.Time) (*LostSession, error) {
	all, err := lostWithPrefix(w, id, now)
	if err != nil {
		return nil, err
	}
	found, more := byPrefix(all.Lost, id, func(lost *LostSession) string { return lost.ID })
	if more {
		return nil, project.Fail(MissingInput, "gsd restore --list lists them", "%q matches more than one lost session", id)
	}
	return found, nil
}

// lostHere finds the session that a user has lost in this project: the only one, or the latest one on plan. It returns
// nil if none is lost.
func (p *Project) lostHere(user, plan string, now time.Time) (*LostSession, error) {
	if p.StateDir == "" {
		return nil, nil
	}
	all, err := lostWithPrefix(p.World, session.CrumbPrefix(p.Dir, user), now)
	if err != nil {
		return nil, err
	}
	lost := slices.DeleteFunc(all.Lost, func(lost LostSession) bool {
		return lost.Project != p.Dir || lost.User != user || plan != "" && lost.Plan != plan
	})
	switch {
	case len(lost) == 0:
		return nil, nil
	case plan == "" && len(lost) > 1:
		current := slices.DeleteFunc(slices.Clone(lost), func(l LostSession) bool { return l.crumb.Archive != "" })
		if len(current) == 1 { // the others had already made way for it
			return &current[0], nil
		}
		return nil, project.Fail(MissingInput, "gsd restore --list lists them; name one",
			"%d sessions of %s are lost here", len(lost), user)
	}
	return &lost[0], nil
}

// Dismissed is the answer of gsd restore --dismiss.
type Dismissed struct {
	Dismissed *LostSession `json:"dismissed"`      // the lost session whose breadcrumb was dropped; null for a note
	Note      string       `json:"note,omitempty"` // the hand-off note that was put away
	Kept      string       `json:"kept,omitempty"` // where that note is now
}

// Dismiss drops the breadcrumb of a lost session, named by its ID or by an unambiguous prefix of it.
func Dismiss(state session.StateDir, id string, now time.Time) (*Dismissed, error) {
	lost, err := lostByID(World{StateDir: state}, id, now)
	switch {
	case err != nil:
		return nil, err
	case lost == nil:
		return nil, project.Fail(MissingInput, "gsd restore --list lists them", "no lost session %q", id)
	}
	if err := state.RemoveCrumb(durable.Writer{}, lost.ID); err != nil {
		return nil, &Error{Kind: IO, Text: "cannot remove " + project.Cause("the breadcrumb", err), Hint: "check that its directory is writable", Err: err}
	}
	return &Dismissed{Dismissed: lost}, nil
}

// fates determines what became of the sessions of breadcrumbs. Breadcrumbs of one user in one project should be asked about
// one after the other, so that the project's files are read once.
type fates struct {
	world     World
	budget    *durable.Budget
	dir, user string
	p         *Project // of dir; nil with an error
	err       error
	current   *planfile.File   // nil if there is no session
	unread    bool             // there is a session, but it cannot be read
	archived  []*planfile.File // see archives
	listed    bool
	summaries map[string]string // by plan
	plans     map[planThen]bool // whether it still exists somewhere
	copies    map[string]bool   // by plan, whether the current session has its tasks
}

// planThen is a plan as a breadcrumb has it.
type planThen struct{ path, digest string }

// hasPlan reports whether a breadcrumb's plan still exists, at its path or with the same bytes at another.
func (f *fates) hasPlan(c *session.Crumb) bool {
	return f.p != nil && project.Memo(&f.plans, planThen{c.Plan, c.Digest}, func() bool {
		_, err := f.p.project.Lstat(c.Plan)
		return err == nil || f.p.movedTo(c) != ""
	})
}

func (f *fates) close() {
	if f.p != nil {
		f.p.Close() // it was only read through
	}
}

// instead returns the command to run instead of restoring the session of a breadcrumb: a run may be at work on the session in
// its place, or somebody else has its plan in hand.
func (f *fates) instead(c *session.Crumb, now time.Time) (none Command) {
	if f.p == nil || f.current != nil && isOf(f.current, c) {
		return none
	}
	r := &Report{User: f.user, Facts: Facts{Session: f.current, files: f.p.files(f.user)}}
	if r.busy = f.p.admit(r, now); r.refusal(c.Plan) != nil {
		return Command{[]string{"gsd", "run", "list", "-C", c.Project}, "shows who is at work on the session in its place"}
	}
	if f.p.holder(f.user, cmp.Or(f.p.movedTo(c), c.Plan)) != nil {
		return Command{[]string{"gsd", "status", "-C", c.Project}, "shows who has its plan in hand"}
	}
	return none
}

func (f *fates) enter(dir, user string) {
	if f.dir == dir && f.user == user {
		return
	}
	f.close()
	*f = fates{world: f.world, budget: f.budget, dir: dir, user: user}
	if f.p, f.err = openAt(dir, f.world, f.budget); f.err != nil {
		return
	}
	if src, _, err := f.p.session(user).Read(f.p.project.Limit); err == nil {
		f.current = parseSession(src)
	} else {
		f.unread = !project.IsMissing(err)
	}
}

// of returns why the session of a breadcrumb is lost, "" if it is not. useless reports whether the breadcrumb is no longer
// needed: its plan is done, the session was restored where its plan is now, or it is archived although the breadcrumb, after a
// crash, does not say so.
func (f *fates) of(c *session.Crumb) (why string, useless bool) {
	f.enter(c.Project, c.User)
	switch {
	case errors.Is(f.err, project.ErrNoPlans):
		return LostPlans, false
	case project.IsMissing(f.err) && c.Repository != "":
		return LostTree, false
	case project.IsMissing(f.err):
		return LostProject, false
	case f.err != nil:
		return "", false // a project that cannot be read is not known to be lost
	}
	summary := project.Memo(&f.summaries, c.Plan, func() string { return f.p.project.SummaryOf(c.Plan) })
	switch {
	case f.p.hasEnded(c, summary):
		return "", true
	case f.unread:
		return "", false
	case f.current != nil && holds(f.current, c):
		return "", path.Clean(f.current.Header.Plan) != c.Plan
	case c.Archive != "" && f.p.project.Exists(path.Join(f.p.session(f.user).Path(), path.Base(c.Archive))):
		return "", false // it is needed if the archive is lost, too
	case slices.ContainsFunc(f.archives(), func(s *planfile.File) bool { return holds(s, c) }):
		return "", true
	case f.current == nil:
		return LostFile, false
	case isOf(f.current, c):
		return LostTorn, false
	case f.hasProgress(c):
		return "", false // until the plan has other tasks again
	}
	return LostPlace, false
}

// hasEnded reports whether the plan of a breadcrumb has got its summary since the session began. summary is its path, "" for none.
func (p *Project) hasEnded(c *session.Crumb, summary string) bool {
	return summary != "" && (c.Summary == "" || p.project.DigestOf(summary) != c.Summary)
}

// hasProgress reports whether the current session has the tasks that the plan of a breadcrumb has now, and is as far with all of
// them: then there is nothing to restore.
func (f *fates) hasProgress(c *session.Crumb) bool {
	isCopy := project.Memo(&f.copies, c.Plan, func() bool {
		src, err := f.p.project.Read(c.Plan)
		return err == nil && path.Clean(f.current.Header.Plan) == c.Plan && f.current.Holds(src)
	})
	if !isCopy {
		return false
	}
	statuses, _ := recall(c, f.current, describe(f.current))
	for number, status := range statuses {
		if advances(f.current.Tasks[number-1].Status, status) {
			return false
		}
	}
	return true
}

// maxArchived is how many archived sessions are read, the latest. The breadcrumb of an archived session names its archive;
// reading the archives is only needed after a crash before that was recorded.
const maxArchived = 100

func (f *fates) archives() []*planfile.File {
	if f.listed {
		return f.archived
	}
	f.listed = true
	dir := f.p.session(f.user).Path()
	all := session.Archives(f.p.project.Names(dir))
	for _, archive := range all[:min(len(all), maxArchived)] {
		if src, err := f.p.project.Read(path.Join(dir, archive.Name)); err == nil {
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
		Summary: h.Summary, Fresh: h.Fresh, Carried: h.Carried,
		Tasks: make([]session.CrumbTask, 0, len(r.Session.Tasks)),
	}
	if common, below, linked := gitlog.Shared(p.Dir); linked {
		c.Repository, c.Below = common, below
	}
	if len(r.Session.Tasks) <= session.MaxNamedTasks {
		was, ok := p.StateDir.Crumb(p.crumbID(r.User, r.Session))
		tasks := describe(r.Session)
		if ok {
			addSet(tasks, &was)
		}
		for _, t := range tasks {
			c.Tasks = append(c.Tasks, session.CrumbTask{Name: t.title, Text: t.text, Status: string(t.status), Set: t.set && !worthCarrying(t.status)})
		}
		if ok && was.Digest == c.Digest && len(was.Tasks) > len(c.Tasks) { // the file was torn
			c.Tasks = append(c.Tasks, was.Tasks[len(c.Tasks):]...)
		}
	} else {
		for _, t := range r.Session.Tasks {
			c.Tasks = append(c.Tasks, session.CrumbTask{Status: string(t.Status)})
		}
	}
	if len(r.Session.Tasks) <= share.MaxTasks {
		setKnown(&c, p.known(r).Tasks)
	}
	c.Current = 1 + slices.IndexFunc(c.Tasks, func(t session.CrumbTask) bool { return t.Status != string(planfile.Complete) })
	if l, err := r.files.Lease(); err == nil {
		c.Run = l.Run
	}
	return p.StateDir.WriteCrumb(p.write, c)
}

// KeepCrumb writes the breadcrumb of a report's session if there is none, or if the session was changed since without it: by
// hand, or by a gsd in a sandbox that may not write outside of the project. If that fails, the report warns of it, and the next
// hook tries again.
func (p *Project) KeepCrumb(r *Report, now time.Time) {
	p.needCrumb(r, func() error { return p.writeCrumb(r, now) })
}

// CheckCrumb warns of what KeepCrumb would warn of, as far as that shows without writing.
func (p *Project) CheckCrumb(r *Report) { p.needCrumb(r, p.StateDir.CheckWritable) }

// needCrumb calls write if the breadcrumb of a report's session is missing or behind, and warns of its error.
func (p *Project) needCrumb(r *Report, write func() error) {
	if r.Session == nil || r.Verdict == Corrupt || r.isStale(PlanCompleted) {
		return
	}
	const older = "the breadcrumb is older than the session, so gsd restore brings back less if the session is lost: "
	const none = "there is no breadcrumb, so gsd restore will not find the session if it is lost: "
	id := p.crumbID(r.User, r.Session)
	written := p.StateDir.CrumbWritten(id)
	says, err := older, error(nil)
	switch {
	case written.IsZero():
		says, err = none, write()
	case r.Changed.After(written):
		if c, ok := p.StateDir.Crumb(id); !ok || holds(r.Session, &c) { // otherwise it was torn, and the breadcrumb has more
			err = write()
		}
	}
	if p.StateDir == "" {
		r.Warnings = p.warnings(r.Warnings, []Warning{{Code: CrumbProblem, Detail: none + noStateDir}})
	} else if err != nil {
		r.Warnings = p.warnings(r.Warnings, []Warning{{Code: CrumbProblem, Detail: says + project.Cause("breadcrumb", err)}})
	}
}

const noStateDir = "there is no directory for breadcrumbs"

// ShowLost records that somebody is told of lost sessions. They are kept from the first time on; see CrumbLife.
func (p *Project) ShowLost(lost []LostSession, now time.Time) {
	for i := range lost {
		if c := &lost[i].crumb; c.ID != "" && c.Shown.IsZero() {
			_ = p.StateDir.ShowCrumb(p.write, c.ID, now) // the next one tries again
		}
	}
}

// replaceCrumb writes the breadcrumb of a new session, and removes those whose progress it has. That of the archived session
// old is otherwise kept, because the archives can be lost like the session, but not if the plan was started over. A failure is
// a warning.
func (p *Project) replaceCrumb(r *Report, old *planfile.File, next *successor) {
	why := noStateDir
	if p.StateDir != "" {
		err := p.writeCrumb(r, next.now)
		made := p.crumbID(r.User, r.Session)
		if old != nil {
			id := p.crumbID(r.User, old)
			if c, ok := p.StateDir.Crumb(id); ok && id != made && holds(old, &c) {
				c.Archive = path.Base(next.archived)
				over := !isBegun(&c) || next.fresh && c.Plan == next.path || next.before.has(&c)
				if next.archived == "" || over || p.hasEnded(&c, p.project.SummaryOf(c.Plan)) {
					err = errors.Join(err, p.StateDir.RemoveCrumb(p.write, id))
				} else {
					err = errors.Join(err, p.StateDir.WriteCrumb(p.write, c))
				}
			}
		}
		for _, l := range next.before.known() {
			c := l.crumb
			switch {
			case l.ID == made:
			case next.fresh && l.Why == "" || next.before.has(&c):
				err = errors.Join(err, p.StateDir.RemoveCrumb(p.write, l.ID))
			case !c.Updated.Before(next.now): // the clock was set back, and what follows must count as newer
				c.Updated = next.now.Add(-time.Second)
				err = errors.Join(err, p.StateDir.WriteCrumb(p.write, c))
			}
		}
		if err == nil {
			return
		}
		why = project.Cause("breadcrumb", err)
	}
	r.aside = append(r.aside, Warning{Code: CrumbProblem, Detail: "if the session is lost, gsd restore --list will not find it: " + why})
}

// isBegun reports whether any task of a breadcrumb is complete or in progress.
func isBegun(c *session.Crumb) bool {
	return slices.ContainsFunc(c.Tasks, func(t session.CrumbTask) bool { return worthCarrying(planfile.Status(t.Status)) })
}

// CrumbsUnread warns that there are more breadcrumbs than one command reads.
const CrumbsUnread = "crumbs-unread"

func unreadCrumbs(crumbs session.Crumbs) []Warning {
	if crumbs.Unread == 0 {
		return nil
	}
	return []Warning{{Code: CrumbsUnread, Detail: counted(crumbs.Unread, "breadcrumb was", "breadcrumbs were") +
		" not read: there are too many; gsd run sweep drops those that are no longer needed"}}
}
