package app

import (
	"cmp"
	"context"
	"path"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/claim"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// ArchiveOptions says whose session to archive.
type ArchiveOptions struct {
	User string
	Wait time.Duration // how long to wait for the guard
}

// The codes of the warnings of gsd archive.
const (
	NotPaused    = "run-not-paused"          // the caller's run could not be paused
	ArchiveCrumb = "archive-crumb-unwritten" // the archive has no breadcrumb
)

// ArchivedSession is the answer of gsd archive.
type ArchivedSession struct {
	User     string            `json:"user"`                // whose session it was: the name that gsd whoami prints
	Plan     string            `json:"plan" empty:"null"`   // the plan that it is on, relative to the project; null if it was unreadable
	ID       string            `json:"id" empty:"null"`     // the plan's short name, such as 03-01; null if it has none
	Session  string            `json:"session"`             // what was its file, relative to the project
	Archived string            `json:"archived"`            // where it is kept, relative to the project
	Done     int               `json:"done"`                // how many of its tasks are complete
	Skipped  int               `json:"skipped"`             // how many of its tasks are skipped
	Total    int               `json:"total"`               // how many tasks it has
	Paused   *run.Run          `json:"paused" empty:"null"` // the caller's own run, which was paused; null if it has none
	Warnings []problem.Warning `json:"warnings"`            // what a person should know
	Do       []action.Action   `json:"do"`                  // with which to take it up again

	Report *answer.Report `json:"-"` // on the session as it was
}

// Archive archives the user's session without starting another, and bootstrap continues it with all its
// statuses. The caller's own run is paused. Its claim ends with the next sync, because there is no session any more. Errors are of kind
// MissingInput without a session, and Busy while another run may be at work on it. One that cannot be read is archived, too.
func (p *Project) Archive(ctx context.Context, o ArchiveOptions) (*ArchivedSession, error) {
	if err := p.RefuseUndecided(); err != nil {
		return nil, err
	}
	if _, err := p.Planning.Root().Lstat(p.Session(o.User).File()); problem.IsMissing(err) {
		return nil, answer.NoSession(p.Session(o.User).File())
	}
	var done *ArchivedSession
	err := p.WithRuns(ctx, o.User, o.Wait, func(c *verdict.RunChange) (err error) {
		done, err = p.archiveSession(c, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	r := done.Report
	if r.Session == nil || r.Corrupt != "" {
		return done, nil
	}
	p.Examine(r)
	done.Plan, done.Done, done.Skipped, done.Total = r.On, r.Done, r.Skipped, r.Total
	done.ID, _ = p.Planning.PlanID(r.On)
	done.Do = p.takeUp(r, o)
	return done, nil
}

// archiveSession archives the session, with its guard held.
func (p *Project) archiveSession(c *verdict.RunChange, o ArchiveOptions) (*ArchivedSession, error) {
	r := c.Report
	if r.Unread != nil {
		if err := replaceUnread(c.Locked); err != nil {
			return nil, err
		}
	} else if r.Session == nil {
		return nil, answer.NoSession(r.Path)
	}
	if err := p.refuseOthersWork(c); err != nil {
		return nil, err
	}
	archived, err := c.Guard.Archive(c.Was, p.Now)
	if err != nil {
		return nil, err
	}
	done := &ArchivedSession{User: o.User, Session: r.Path, Archived: archived, Report: r}
	var failed []problem.Warning
	if done.Paused, err = p.pauseOwn(c); err != nil {
		failed = append(failed, problem.Warning{Code: NotPaused, Says: problem.Reason(err)})
	}
	if err := p.archiveCrumb(r, archived); err != nil {
		failed = append(failed, problem.Warning{Code: ArchiveCrumb, Says: problem.Reason(err)})
	}
	done.Warnings = p.Warnings(c.Warned, failed)
	return done, nil
}

// refuseOthersWork refuses to archive a session that another run may be at work on: the one that holds the lease, or one that
// has a task in progress.
func (p *Project) refuseOthersWork(c *verdict.RunChange) error {
	r := c.Report
	if agentRun := p.InUseBy(r); agentRun != nil {
		return verdict.RunFailed(&run.BusyError{Run: agentRun})
	}
	for _, n := range answer.TasksInProgress(r.Session) {
		agentRun := c.Worker(r.Plan.Path, n)
		if agentRun != nil && !agentRun.Own && !(agentRun.Nameless() && p.Self().Anonymous()) {
			return verdict.RunFailed(&run.BusyError{Run: agentRun})
		}
	}
	return nil
}

// archiveCrumb records in the breadcrumb of a session that it was archived, and is not lost as long as the archive is there. One that
// has more than the file stays as it is, and so does one that is of another session; one of which nobody has set a task is not needed.
func (p *Project) archiveCrumb(r *answer.Report, archived string) error {
	if r.Session == nil || r.Corrupt != "" {
		return nil
	}
	id := p.CrumbID(r.User, r.Session)
	c, ok := p.Crumb(r.User, id)
	if ok && !verdict.Holds(r.Session, &c) {
		return nil
	}
	if !ok || r.Changed.After(p.CrumbWritten(r.User, id)) { // it was changed without its breadcrumb
		if err := p.WriteCrumb(r); err != nil && !verdict.IsInProject(err) {
			return err
		}
		if c, ok = p.Crumb(r.User, id); !ok {
			return nil
		}
	}
	if !history.IsSet(&c) || history.HasEnded(p.Project, &c, p.Planning.SummaryOf(c.Plan)) {
		return p.DropCrumb(r.User, id)
	}
	c.Archive = path.Base(archived)
	return p.PutCrumb(c)
}

// takeUp returns what takes a session up again that was archived, if it would do so. r is on the session as it was.
func (p *Project) takeUp(r *answer.Report, o ArchiveOptions) []action.Action {
	s, plan := history.StarterOf(p.Project, o.User), cmp.Or(r.Plan.Moved, r.Plan.Path)
	may, do := s.TakeUp(plan, action.TakeUp, claim.Options{})
	if may.Decision == claim.Done && r.Plan.Summary == "" { // it was already there when the session began
		may, do = s.TakeUp(plan, action.Again, claim.Options{Again: true})
	}
	if may.Starts() || may.Decision == claim.Held {
		return []action.Action{do}
	}
	return nil
}
