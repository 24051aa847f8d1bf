package hydrate

import (
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
)

// crumbOf copies what a session needs to be brought back.
func (p *Project) crumbOf(r *Report, now time.Time) session.Crumb {
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
	return c
}

// crumbID is how the crumb of a session is called.
func (p *Project) crumbID(user string, s *planfile.File) string {
	return session.CrumbID(p.Dir, user, p.named(s.Header).Path, s.Header.Started)
}

// leaveCrumb writes the crumb of a session, as the guard's holder: the order of the changes is that of their
// crumbs.
func (p *Project) leaveCrumb(r *Report, now time.Time) error {
	if p.StateDir == "" {
		return nil
	}
	return p.StateDir.WriteCrumb(p.write, p.crumbOf(r, now))
}

// replaceCrumb leaves the crumb of a new session, and takes that of the old one away, which is archived, unless
// that was torn and the crumb knows more. It tells of a failure, and never fails.
func (p *Project) replaceCrumb(old *planfile.File, r *Report, now time.Time) {
	if p.StateDir == "" {
		r.aside = append(r.aside, Warning{CrumbProblem, "if the session is lost, gsd restore --list will not find it: there is no directory for breadcrumbs"})
		return
	}
	err := p.leaveCrumb(r, now)
	if old != nil {
		id := p.crumbID(r.User, old)
		if c, ok := p.StateDir.Crumb(id); ok && id != p.crumbID(r.User, r.Session) && holds(old, &c) {
			err = errors.Join(err, p.StateDir.RemoveCrumb(p.write, id))
		}
	}
	if err != nil {
		r.aside = append(r.aside, Warning{CrumbProblem, "if the session is lost, gsd restore --list will not find it: " + cause("breadcrumb", err)})
	}
}

// liftCrumb takes the crumb of a session away whose plan is done.
func (p *Project) liftCrumb(r *Report) {
	if p.StateDir != "" && r.Session != nil && r.Plan.Summary != "" {
		_ = p.StateDir.RemoveCrumb(p.write, p.crumbID(r.User, r.Session)) // gsd run sweep will try again
	}
}

// CrumbsUnread warns that there are more breadcrumbs than one command reads.
const CrumbsUnread = "crumbs-unread"

// notRead warns of breadcrumbs that were left out; none for none.
func notRead(crumbs session.Crumbs) []Warning {
	if crumbs.Unread == 0 {
		return nil
	}
	return []Warning{{CrumbsUnread, counted(crumbs.Unread, "breadcrumb was", "breadcrumbs were") + " not read: there are too many; gsd run sweep drops those that are no longer needed"}}
}

// otherCrumbs gives the crumbs of this project and user but for that of the current session.
func (p *Project) otherCrumbs(r *Report) ([]session.Crumb, []Warning) {
	if p.StateDir == "" {
		return nil, nil
	}
	own := "" // not read where the session can be trusted: it may be long
	if r.Session != nil && r.Verdict != Corrupt && !slices.ContainsFunc(r.Stale, func(s Reason) bool { return s.Reason == TaskCount }) {
		own = p.crumbID(r.User, r.Session)
	}
	found, _ := p.StateDir.CrumbsOf(p.Dir, r.User, own) // what cannot be read, gsd restore --list tells
	summaries := map[string]string{}                    // by plan: many crumbs may be of one
	done := func(c session.Crumb) bool {
		is, ok := summaries[c.Plan]
		if !ok {
			is = p.summaryOf(c.Plan)
			summaries[c.Plan] = is
		}
		return is != ""
	}
	return slices.DeleteFunc(found.Good, done), notRead(found)
}

// maxArchived is how many of the sessions that gave way are looked at, the latest: a session that gives way takes its
// breadcrumb with it, and this is for when a crash came in between.
const maxArchived = 100

// archived reads the sessions that gave way.
func (p *Project) archived(user string) []*planfile.File {
	dir := p.session(user).Path()
	names := slices.DeleteFunc(p.names(dir), func(name string) bool { return !strings.HasSuffix(name, ".stale") })
	slices.Sort(names)
	var found []*planfile.File
	for _, name := range names[max(0, len(names)-maxArchived):] {
		if src, err := p.read(path.Join(dir, name)); err == nil {
			found = append(found, parseSession(src))
		}
	}
	return found
}

// lost picks the crumbs of sessions that are gone.
func lost(crumbs []session.Crumb, current *planfile.File, archived []*planfile.File, now time.Time) []LostSession {
	var gone []LostSession
	for _, c := range crumbs {
		if why, _ := fate(&c, current, archived); why != "" {
			gone = append(gone, orphanOf(c, why, now))
		}
	}
	return gone
}

// fate says why the session of a crumb is lost, "" where it is not; and whether the crumb has become useless: the
// session is archived, or it was restored where its plan is now. current is nil where there is no session. It is
// pure.
func fate(c *session.Crumb, current *planfile.File, archived []*planfile.File) (why string, over bool) {
	switch {
	case current != nil && holds(current, c):
		return "", path.Clean(current.Header.Plan) != c.Plan
	case slices.ContainsFunc(archived, func(s *planfile.File) bool { return holds(s, c) }):
		return "", true
	case current == nil:
		return LostFile, false
	case isOf(current, c):
		return LostTorn, false
	}
	return LostPlace, false
}

// isOf reports whether a session file is the session of a crumb. Its plan may have moved since.
func isOf(s *planfile.File, c *session.Crumb) bool {
	h := s.Header
	return h.Started == c.Started && (path.Clean(h.Plan) == c.Plan || h.Digest != "" && strings.EqualFold(h.Digest, c.Digest))
}

// holds reports whether a session file is the session of a crumb, and whole: one that was torn has lost what the
// crumb still knows.
func holds(s *planfile.File, c *session.Crumb) bool {
	return isOf(s, c) && s.HasStatus() && len(s.Tasks) >= len(c.Tasks)
}
