package hydrate

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// A Source is what a session is restored from.
type Source string

// The sources of a session.
const (
	FromCrumb Source = "crumb" // its breadcrumb, a copy of its statuses outside of the project
	FromGit   Source = "git"   // the commits that carried out its tasks
	// FromRemote is the session in another clone, as the last gsd sync has it.
	FromRemote Source = "remote"
)

// RestoreOptions says which session to restore, and from what.
type RestoreOptions struct {
	User          string
	Dir           string  // that Plan is relative to
	Plan          string  // a path or an id; empty for the session that was lost here, else the session's plan or the next one
	From          Source  // empty for the breadcrumb if there is one, else what gsd sync knows of it, else git
	MinConfidence float64 // from git: how certain a match must be to make a task complete, 0 to 1
	MaxCommits    int     // from git: how many commits are read; 0 for all
	Limit         int64   // the largest file to read in another project, in bytes
	DryRun        bool    // write nothing
	Fresh         bool    // from git: archive another session that is in the way
	Force         bool    // even if another run may be at work on the session in the way
	Now           time.Time
	Wait          time.Duration // how long to wait for the guard
}

// Restored is the answer of gsd restore: what is known of a plan's progress, and the session that was made from it.
type Restored struct {
	From       Source         `json:"from"`                  // what it was restored from
	User       string         `json:"user"`                  // whose session it is: the name that gsd whoami prints
	Project    string         `json:"project"`               // the absolute path of its project
	Plan       string         `json:"plan"`                  // the plan, relative to the project
	ID         string         `json:"id" empty:"null"`       // its short name, such as 03-01; null if it has no number
	Tasks      []RestoredTask `json:"tasks"`                 // all tasks of the plan, in its order
	Unassigned []Evidence     `json:"unassigned"`            // commits of the plan that match none of its tasks, the oldest first
	Looked     int            `json:"commits_looked_at"`     // how many commits were read
	Cut        bool           `json:"cut"`                   // older commits were not read, because of --commits or a shallow clone
	Left       []Dropped      `json:"not_restored"`          // the statuses that match no task of the plan as it is now
	Session    string         `json:"session" empty:"null"`  // the session file; null if nothing was written (--dry-run)
	Archived   string         `json:"archived" empty:"null"` // the archived session that was in the way, if there was one
	Report     *Report        `json:"hydrate"`               // what gsd hydrate says now; null if nothing was written
	Warnings   []Warning      `json:"warnings"`              // what a person should know

	Others       bool          `json:"-"` // it is the session of another user than the one who restores it
	Why          string        `json:"-"` // why no commit belongs to the plan; empty if one does
	Limited      bool          `json:"-"` // it is Cut because of MaxCommits
	Summary      string        `json:"-"` // the plan's summary, which means that the plan is done; empty if it has none
	Make         *Command      `json:"-"` // the command that makes the session, if nothing was written
	Bootstrapped *Bootstrapped `json:"-"` // how the session was started, from git
}

// RestoredTask is a task of a plan and what is known about it.
type RestoredTask struct {
	Number int    `json:"number"` // counted from 1, in the order of the file
	Name   string `json:"name"`   // what the task is called, on one line
	// Status is its status. By the commits: complete if the confidence is high enough (--min-confidence), in-progress for
	// any other task that has commits, and pending for the rest.
	Status     planfile.Status `json:"status"`
	Confidence float64         `json:"confidence"` // that of its most confident commit, from 0 to 1; 0 without commits
	Commits    []Evidence      `json:"commits"`    // the commits that carried it out, the oldest first
}

// Any reports whether any commit belongs to the plan.
func (r *Restored) Any() bool {
	return len(r.Unassigned) > 0 || slices.ContainsFunc(r.Tasks, func(t RestoredTask) bool { return len(t.Commits) > 0 })
}

// Done is how many tasks are complete.
func (r *Restored) Done() int {
	done := 0
	for _, t := range r.Tasks {
		if t.Status == planfile.Complete {
			done++
		}
	}
	return done
}

// Restore brings a session of this project back: from its breadcrumb if it was lost, else from what gsd sync knows of another
// clone, else from the commits.
func (p *Project) Restore(ctx context.Context, o RestoreOptions) (*Restored, error) {
	plan := ""
	if o.Plan != "" {
		var err error
		plan, err = p.ResolvePlan(o.Dir, o.Plan)
		if known, ok := errors.AsType[*Error](err); ok && known.Kind == MissingInput {
			if missing := team.PlanElsewhere(p.Project, o.User, o.Plan); missing != nil {
				return nil, missing
			}
			known.Text += ", nor has a lost session"
			known.Hint += "; gsd restore --list lists the lost sessions"
		}
		if err != nil {
			return nil, err
		}
	}
	if o.From != FromGit && o.From != FromRemote {
		lost, err := history.LostHere(p.Project, o.User, plan, o.Now)
		switch {
		case err != nil && (plan == "" || o.From == FromCrumb):
			return nil, err
		case lost != nil:
			return p.fromCrumb(ctx, lost, o)
		case o.From == FromCrumb && plan != "":
			return nil, project.Fail(MissingInput, "gsd restore --list lists the lost sessions", "no session of %s on %s is lost",
				o.User, plan)
		case o.From == FromCrumb:
			return nil, project.Fail(MissingInput, "gsd restore --list lists those of other projects",
				"no session of %s is lost here", o.User)
		}
	}
	if plan == "" {
		var err error
		if plan, err = p.planToRestore(o.User); err != nil {
			return nil, err
		}
	}
	if o.From != FromGit {
		if done, err := p.fromRemote(ctx, plan, o); done != nil || err != nil {
			return done, err
		}
	}
	return p.fromGit(ctx, plan, o)
}

// fromRemote starts a session on a plan that the user has a session on in another clone, with the statuses that its tasks have
// there, and whatever else is known here. It returns nil if there is none, unless that was asked for.
func (p *Project) fromRemote(ctx context.Context, name string, o RestoreOptions) (*Restored, error) {
	plan, err := p.Planning.ReadPlan(name)
	if err != nil {
		return nil, err
	}
	shared := team.ProgressInClones(p.Project, o.User, name, plan)
	switch {
	case (shared == nil || !shared.Live) && o.From == FromRemote:
		return nil, project.Fail(MissingInput, "gsd sync asks the remote", "no session of %s on %s is known in another clone", o.User, name)
	case shared == nil || !shared.Live:
		return nil, nil
	}
	r, err := p.Hydrate(o.User)
	if err != nil {
		return nil, err
	}
	done := &Restored{From: FromRemote, User: o.User, Project: p.Dir, Plan: name}
	done.ID, _ = planref.PlanID(name)
	known := history.FindFormer(p.Project, r, name, plan, false, o.Now)
	for _, t := range plan.Tasks {
		status := known.Statuses[t.Number]
		if status == "" {
			status = planfile.Pending
		}
		done.Tasks = append(done.Tasks, RestoredTask{Number: t.Number, Name: plan.Title(t.Number), Status: status})
	}
	if o.DryRun {
		done.Make = &Command{Words: []string{"gsd", "restore", name, "--from", string(FromRemote)}, Does: "continues it here"}
		if p.refuseHeldPlan(&BootstrapOptions{User: o.User, Plan: name}) != nil {
			done.Make = history.ShowHolder()
		}
		return done, nil
	}
	made, err := p.bootstrap(ctx, BootstrapOptions{User: o.User, Plan: name, Fresh: o.Fresh, Force: o.Force, Now: o.Now, Wait: o.Wait}, nil)
	if err != nil {
		return nil, err
	}
	done.Bootstrapped, done.Report, done.Warnings = made, made.Report, made.Warnings
	done.Session, done.Archived = made.Path, made.Archived
	return done, nil
}

// RestoreByID brings back the lost session with the ID o.Plan, in any project. At least the first four characters of the ID
// are needed. It returns nil if o.Plan is not such an ID or o.From is FromGit. If the tasks of the plan have changed, each
// status goes to the task of the same name. A session in its place is archived; what is complete in it stays so if it is on the
// same plan. A session whose worktree was removed comes back in that of o.Dir, if it is of the same repository.
func RestoreByID(ctx context.Context, w World, o RestoreOptions) (*Restored, error) {
	if o.From == FromGit || w.StateDir == "" || len(o.Plan) < 4 || strings.Trim(o.Plan, "0123456789abcdef") != "" {
		return nil, nil
	}
	lost, err := history.LostByID(w, o.Plan, o.Now)
	if err != nil || lost == nil {
		return nil, err
	}
	switch {
	case lost.Why == verdict.LostLater:
		return nil, project.Fail(Refused, "upgrade gsd", "breadcrumb %s was written by a later version of gsd", lost.ID)
	case lost.Corrupt != "":
		return nil, project.Fail(BadData, verdict.HowToForget, "breadcrumb %s is corrupt: %s", lost.ID, lost.Corrupt)
	}
	p, err := openFor(lost, o.Dir)
	if err != nil {
		return nil, project.Fail(MissingInput, "bring it back first; "+verdict.HowToForget, "%s: %s", lost.Project,
			lost.Why)
	}
	defer p.Close() // what it wrote is synced
	p.World = w
	p.Allow(o.Limit, verdict.CommandFiles)
	return p.fromCrumb(ctx, lost, o)
}

// openFor opens the project of a lost session; if its worktree was removed, the one around dir in another worktree of the
// repository.
func openFor(lost *LostSession, dir string) (*Project, error) {
	if lost.Why != verdict.LostTree {
		found, err := verdict.OpenAt(lost.Project, World{}, nil)
		return &Project{found}, err
	}
	p, err := Open(dir)
	if err != nil {
		return nil, err
	}
	if common, below, _ := gitlog.Shared(p.Dir); common != lost.Crumb.Repository || below != lost.Crumb.Below {
		p.Close()
		return nil, project.ErrNoPlans
	}
	return p, nil
}

func (p *Project) fromCrumb(ctx context.Context, lost *LostSession, o RestoreOptions) (*Restored, error) {
	at, plan, err := p.planOf(&lost.Crumb)
	if err != nil {
		return nil, err
	}
	statuses, left := history.Recall(&lost.Crumb, plan, verdict.Describe(plan))
	done := &Restored{From: FromCrumb, User: lost.User, Project: p.Dir, Plan: at, Left: left}
	done.ID, _ = planref.PlanID(at)
	for _, t := range plan.Tasks {
		task := RestoredTask{Number: t.Number, Name: plan.Title(t.Number), Status: planfile.Pending}
		if status, ok := statuses[t.Number]; ok {
			task.Status = status
		}
		done.Tasks = append(done.Tasks, task)
	}
	if o.DryRun {
		done.Make = &Command{Words: []string{"gsd", "restore", lost.ID}, Does: "brings it back"}
		if len(lost.Instead.Words) > 0 {
			done.Make = &lost.Instead
		}
		return done, nil
	}
	next := successor{
		user: lost.User, path: at, formerly: lost.Plan, started: lost.Crumb.Started, plan: plan, statuses: statuses,
		summary: lost.Crumb.Summary, fresh: lost.Crumb.Fresh, again: &lost.Crumb, crumbs: []session.Crumb{lost.Crumb},
		force: o.Force, now: o.Now, wait: o.Wait,
	}
	err = p.replaceSession(ctx, &next, func(l *verdict.Locked) (bool, error) {
		r := l.Report
		done.Report = r
		if l.Unread != nil {
			if err := p.allowUnread(l, true); err != nil {
				return false, err
			}
		}
		if err := p.refuseHeldLost(lost, at, &o, r.Session); err != nil {
			return false, err
		}
		switch {
		case r.Session == nil:
		case lost.Project == p.Dir && verdict.IsOf(r.Session, &lost.Crumb): // it was torn, and the one at work keeps it
			next.force = true
		case p.Named(r.Session.Header).Path == at: // what was done in the session that is replaced stays done
			done.keep(r.Session, plan, next.statuses)
		}
		if next.started == "" || len(left) > 0 { // the breadcrumb has statuses that the new session lacks, so it stays: this is another session
			next.started, next.again = p.newStart(lost.User, at, r.Session, o.Now), nil
		}
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	if p.CrumbID(lost.User, done.Report.Session) != lost.ID && len(left) == 0 {
		_ = p.StateDir.RemoveCrumb(p.Write, lost.ID) // the plan was moved, and the session has a new breadcrumb
	}
	done.Archived, done.Session, done.Warnings = next.archived, done.Report.Path, done.Report.Warnings
	return done, nil
}

// keep adds to the statuses of a plan's tasks those that are complete in a session on it.
func (r *Restored) keep(s *planfile.File, plan *planfile.File, statuses map[int]planfile.Status) {
	here, _, _ := history.Match(verdict.Describe(s), strings.EqualFold(project.Digest(plan.Bytes()), s.Header.Digest), verdict.Describe(plan), plan.Dialect)
	for i := range r.Tasks {
		if its := &r.Tasks[i]; here[its.Number] == planfile.Complete {
			its.Status, statuses[its.Number] = planfile.Complete, planfile.Complete
		}
	}
}

// planOf reads the plan of a breadcrumb: at its old path, else wherever a plan has the same bytes now.
func (p *Project) planOf(c *session.Crumb) (string, *planfile.File, error) {
	at := c.Plan
	plan, err := p.Planning.ReadPlan(at)
	if project.IsMissing(err) {
		if at = history.MovedTo(p.Project, c); at == "" {
			return "", nil, project.Fail(MissingInput, "restore the plan first, from git if it was committed",
				"%s no longer exists either", c.Plan)
		}
		plan, err = p.Planning.ReadPlan(at)
	}
	return at, plan, err
}
