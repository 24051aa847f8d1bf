package verdict

import (
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
)

// MaxArchived is how many archived sessions are read, the latest. The breadcrumb of an archived session names its archive;
// reading the archives is only needed after a crash before that was recorded.
const MaxArchived = 100

// MaxArchiveHeads is of how many archived sessions only the headers are read, those of the latest.
const MaxArchiveHeads = 1000

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
// the changes. The tasks in set were marked now, perhaps with the status that they had. [IsInProject]
// knows the error if the breadcrumb is in the session's own directory; after any other one, it is as it was.
func (p *Project) WriteCrumb(r *answer.Report, set ...int) error {
	file := r.Written()
	h := file.Header
	c := p.placed(session.Crumb{
		Project: p.Dir, Root: p.Base(), User: r.User, Plan: r.Plan.Path, Digest: h.Digest, Started: h.Started, Updated: p.Now.UTC(),
		Summary: h.Summary,
	})
	records, _ := r.RunFile.Records() // without them, less is known
	c.Run = records.Holding().Encode()
	if len(file.Tasks) <= session.MaxNamedTasks {
		id := p.CrumbID(r.User, file)
		edited := r.Changed.After(p.CrumbWritten(r.User, id)) // by hand
		was, ok := p.record(r.User, id)
		c.Tasks = progress.Describe(file)
		known := was.Tasks
		if r.Before != nil {
			known = r.Before
		}
		p.stamp(r.User, file, "", c.Tasks, known, was.Fresh, r.Changed)
		if c.Head = was.Head; !ok {
			c.Head = p.Planning.HeadID()
		}
		if c.Fresh = was.Fresh; h.Fresh && c.Fresh.IsZero() {
			c.Fresh = p.Now.UTC()
			for _, set := range p.latestInClones(r) {
				c.Fresh = progress.After(c.Fresh, set)
			}
			for _, t := range r.Before {
				if t.Set.After(c.Fresh) {
					c.Fresh = t.Set
				}
			}
		}
		head := ""
		if len(set)+len(r.State) > 0 {
			head = p.Planning.HeadID()
		}
		for i := range r.State {
			switch t, is := &c.Tasks[i], &r.State[i]; {
			case t.Status != is.Status, t.Status == is.Previous: // or it stays as it was set on another branch
			case is.Shown(): // it was written down, and nobody has set it
				t.Guessed = false
				t.Set, t.Head, t.Word = time.Time{}, head, is.Word
			case r.Before == nil && is.Previous == "": // perhaps it was set in another worktree
				t.Guessed = is.Guessed
				t.Set, t.Head, t.Run, t.Began, t.Ended = is.Set, is.Head, is.Run, is.Began, is.Ended
			}
		}
		var elsewhere []time.Time
		if len(set) > 0 {
			elsewhere = p.latestElsewhere(r)
		}
		for _, n := range set {
			t := &c.Tasks[n-1]
			before := elsewhere[n-1]
			if n <= len(known) && known[n-1].Name == t.Name && known[n-1].Set.After(before) {
				before = known[n-1].Set
			}
			if edited && r.Changed.After(before) {
				before = r.Changed
			}
			if c.Fresh.After(before) {
				before = c.Fresh
			}
			t.Set, t.Head, t.Guessed = progress.After(p.latest(r, n), before), head, false
		}
		if ok && was.Digest == c.Digest && len(was.Tasks) > len(c.Tasks) { // the file was torn
			c.Tasks = append(c.Tasks, was.Tasks[len(c.Tasks):]...)
		}
		records.Marks.Describe(c.Plan, c.Tasks)
	} else {
		for _, t := range file.Tasks {
			c.Tasks = append(c.Tasks, progress.Task{Status: t.Status})
		}
	}
	c.Current = 1 + slices.IndexFunc(c.Tasks, func(t progress.Task) bool { return !t.Status.Settled() })
	return p.putCrumb(c)
}

// latest returns the time of a mark of a task of a report's session: now, or later, if a commit of the task has a later time.
func (p *Project) latest(r *answer.Report, number int) time.Time {
	if e := r.Evidence; e != nil && number <= len(e.Tasks) {
		return progress.After(p.Now, e.Committed()[number-1].Latest.Add(-1))
	}
	return p.Now
}

// Stamped returns the tasks of a user's session in this project, with when they were set. changed is when its file last changed.
func (p *Project) Stamped(user string, s *planfile.File, changed time.Time) []progress.Task {
	return p.Recorded(user, s, "", changed).Tasks
}

// SessionTasks returns the tasks of a report's session, with when they were set, and by which commits they are as far as they are.
func (p *Project) SessionTasks(r *answer.Report) []answer.PlannedTask {
	state := r.State
	if state == nil {
		state = p.Stamped(r.User, r.Written(), r.Changed)
	}
	all := make([]answer.PlannedTask, len(r.Session.Tasks))
	for i, t := range r.Session.Tasks {
		all[i] = answer.Planned(r.Session, t)
		all[i].Task = state[i]
	}
	return all
}

// Recorded returns what is known of a user's session in this project: its tasks, with when they were set, and when it began afresh, if it did.
// archive is the name of its file if it is archived: two sessions of one second may have one id.
func (p *Project) Recorded(user string, s *planfile.File, archive string, changed time.Time) progress.Record {
	rec := progress.Record{Tasks: progress.Describe(s)}
	var c session.Crumb
	known := false
	if len(rec.Tasks) <= session.MaxNamedTasks {
		c, known = p.record(user, p.CrumbID(user, s))
		known = known && c.Archive == archive
	}
	var record []progress.Task
	if known {
		record, rec.Fresh, rec.Head = c.Tasks, c.Fresh, c.Head
	}
	began, ok := s.Header.StartedAt()
	if isFresh := !known && ok && s.Header.Fresh; isFresh {
		rec.Fresh = began.Add(time.Second) // after what was archived in that second
	}
	p.stamp(user, s, archive, rec.Tasks, record, rec.Fresh, changed)
	progress.ForgetWords(rec.Tasks)
	if on := p.Named(s.Header).Path; !known && on != "" {
		if plan, err := p.Planning.ReadPlan(on); err == nil {
			setAgainst(rec.Tasks, progress.Words(plan), changed)
		}
	}
	if !known && !rec.Fresh.IsZero() {
		for i := range rec.Tasks {
			if rec.Tasks[i].Set.IsZero() {
				rec.Tasks[i].Set = rec.Fresh
			}
		}
	}
	return rec
}

// setAgainst gives the tasks of a session without a record that are pending against the plan's own words the time at which its file was
// changed: somebody may have set them back.
func setAgainst(tasks, said []progress.Task, changed time.Time) {
	open := slices.Clone(tasks)
	progress.AddWords(open, said, false)
	for i := range open {
		if open[i].Shown() {
			tasks[i].Set, tasks[i].Guessed = changed.UTC(), true
		}
	}
}

// record is Crumb, or the breadcrumb of the same session where the project was before it was moved: its user, its plan and when it began are
// the same, and nothing is left there.
func (p *Project) record(user, id string) (session.Crumb, bool) {
	c, ok := p.Crumb(user, id)
	if ok || p.StateDir == "" {
		return c, ok
	}
	for _, c := range p.StateDir.SameSession(p.CrumbList(), id) {
		if session.CrumbID(p.Dir, user, c.Plan, c.Started) == id && c.User == user && isRemoved(c.Project) {
			c.Project = p.Dir
			return p.placed(c), true
		}
	}
	return session.Crumb{}, false
}

// CrumbRecord returns what a breadcrumb says, for a plan with that digest.
func CrumbRecord(c *session.Crumb, digest string) progress.Record {
	same := c.Digest != "" && strings.EqualFold(c.Digest, digest)
	return progress.Record{Tasks: slices.Clone(CrumbTasks(c)), Same: same, Head: c.Head, Fresh: c.Fresh}
}

// CrumbTasks returns the tasks of a breadcrumb, with when they were set. One of very many tasks has only their statuses, set when it was
// written at the latest.
func CrumbTasks(c *session.Crumb) []progress.Task {
	tasks := slices.Clone(c.Tasks)
	progress.ForgetWords(tasks)
	if len(c.Tasks) <= session.MaxNamedTasks {
		return tasks
	}
	for i := range tasks {
		if progress.Worked(tasks[i].Status) || !c.Fresh.IsZero() {
			tasks[i].Set = c.Updated
		}
	}
	return tasks
}

// KeepCrumb writes the breadcrumb of a report's session if there is none, if the session was changed since without it, or if it is in the
// session's own directory. The report warns if it cannot be in the state directory, and the next hook tries again.
func (p *Project) KeepCrumb(r *answer.Report) {
	p.needCrumb(r, func() error { return p.WriteCrumb(r) }, p.moveCrumb)
}

// CheckCrumb warns of what KeepCrumb would warn of, as far as that shows without writing.
func (p *Project) CheckCrumb(r *answer.Report) {
	p.needCrumb(r, p.checkStateDir, func(*session.Crumb) error { return p.checkStateDir() })
}

// needCrumb calls write if the breadcrumb of a report's session is missing or behind, and move if it is in the session's own directory. It
// warns of the error.
func (p *Project) needCrumb(r *answer.Report, write func() error, move func(*session.Crumb) error) {
	if r.Session == nil || r.Verdict == answer.Corrupt || r.IsStale(answer.PlanCompleted) {
		return
	}
	id := p.CrumbID(r.User, r.Session)
	written := p.CrumbWritten(r.User, id)
	code, err := answer.CrumbOlder, error(nil)
	switch {
	case written.IsZero():
		code, err = answer.CrumbMissing, write()
	case r.Changed.After(written):
		if c, ok := p.Crumb(r.User, id); !ok || Holds(r.Session, &c) { // otherwise it was torn, and the breadcrumb has more
			err = write()
		}
	default:
		if c, _, own := p.ownCrumb(r.User, id); own {
			code, err = answer.CrumbInProject, move(&c)
		}
	}
	r.Warnings = p.Warnings(r.Warnings, CrumbWarning(code, err))
}

// CrumbWarning warns of the error with which a breadcrumb was written. code says what is wrong if it was not.
func CrumbWarning(code string, err error) []problem.Warning {
	if err == nil {
		return nil
	}
	if IsInProject(err) {
		code = answer.CrumbInProject
	}
	w := problem.Warning{Code: code}
	if !errors.Is(err, errNoStateDir) {
		w.Says = problem.Reason(err)
	}
	return []problem.Warning{w}
}
