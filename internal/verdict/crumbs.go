package verdict

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/share"
	"github.com/gsd-cli/gsd/planfile"
)

// CrumbLife is how long the breadcrumb of a lost session is kept after its loss was first shown.
const CrumbLife = session.CrumbLife

// MaxArchived is how many archived sessions are read, the latest. The breadcrumb of an archived session names its archive;
// reading the archives is only needed after a crash before that was recorded.
const MaxArchived = 100

// IsOf reports whether a session file is the session of a breadcrumb. Its plan may have moved since.
func IsOf(s *planfile.File, c *session.Crumb) bool {
	h := s.Header
	return h.Started == c.Started &&
		(path.Clean(h.Plan) == c.Plan || h.Digest != "" && strings.EqualFold(h.Digest, c.Digest))
}

// Holds reports whether a session file is the whole session of a breadcrumb: one that was torn has lost what the
// breadcrumb still has.
func Holds(s *planfile.File, c *session.Crumb) bool {
	return IsOf(s, c) && s.HasStatus() && len(s.Tasks) >= len(c.Tasks)
}

// CrumbID names the breadcrumb of a user's session.
func (p *Project) CrumbID(user string, s *planfile.File) string {
	return session.CrumbID(p.Dir, user, p.Named(s.Header).Path, s.Header.Started)
}

// WriteCrumb writes the breadcrumb of a session while its guard is held, so that breadcrumbs are written in the order of
// the changes.
func (p *Project) WriteCrumb(r *Report, now time.Time) error {
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
	var was session.Crumb
	if len(r.Session.Tasks) <= session.MaxNamedTasks {
		var ok bool
		was, ok = p.StateDir.Crumb(p.CrumbID(r.User, r.Session))
		tasks := Describe(r.Session)
		if ok {
			AddSet(tasks, &was)
		}
		for _, t := range tasks {
			c.Tasks = append(c.Tasks, session.CrumbTask{Name: t.Title, Text: t.Text, Status: string(t.Status), Set: t.Set && !WorthCarrying(t.Status)})
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
		setKnown(&c, p.Known(r).Tasks)
	}
	c.Current = 1 + slices.IndexFunc(c.Tasks, func(t session.CrumbTask) bool { return !planfile.Status(t.Status).Over() })
	setRun(&c, r, &was)
	return p.StateDir.WriteCrumb(p.Write, c)
}

// KeepCrumb writes the breadcrumb of a report's session if there is none, or if the session was changed since without it: by
// hand, or by a gsd in a sandbox that may not write outside of the project. If that fails, the report warns of it, and the next
// hook tries again.
func (p *Project) KeepCrumb(r *Report, now time.Time) {
	p.needCrumb(r, func() error { return p.WriteCrumb(r, now) })
}

// CheckCrumb warns of what KeepCrumb would warn of, as far as that shows without writing.
func (p *Project) CheckCrumb(r *Report) { p.needCrumb(r, p.StateDir.CheckWritable) }

// needCrumb calls write if the breadcrumb of a report's session is missing or behind, and warns of its error.
func (p *Project) needCrumb(r *Report, write func() error) {
	if r.Session == nil || r.Verdict == Corrupt || r.IsStale(PlanCompleted) {
		return
	}
	id := p.CrumbID(r.User, r.Session)
	written := p.StateDir.CrumbWritten(id)
	code, err := CrumbOlder, error(nil)
	switch {
	case written.IsZero():
		code, err = CrumbMissing, write()
	case r.Changed.After(written):
		if c, ok := p.StateDir.Crumb(id); !ok || Holds(r.Session, &c) { // otherwise it was torn, and the breadcrumb has more
			err = write()
		}
	}
	if p.StateDir == "" {
		r.Warnings = p.Warnings(r.Warnings, []project.Warning{{Code: CrumbMissing}})
	} else if err != nil {
		r.Warnings = p.Warnings(r.Warnings, []project.Warning{{Code: code, Says: project.Reason(err)}})
	}
}
