package app

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/claim"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// RestoreOptions says which session to restore.
type RestoreOptions struct {
	User   string
	ID     string        // of the lost session, or its beginning; empty for the one that was lost here
	Dir    string        // where the caller is
	Limit  int64         // the largest file to read in another project, in bytes
	DryRun bool          // write nothing
	Wait   time.Duration // how long to wait for the guard
}

// Restored is the answer of gsd restore: a lost session, and the one that was made from it.
type Restored struct {
	User     string            `json:"user"`                  // whose session it is: the name that gsd whoami prints
	Project  string            `json:"project"`               // the absolute path of its project
	Plan     string            `json:"plan"`                  // the plan, relative to the project
	ID       string            `json:"id" empty:"null"`       // its short name, such as 03-01; null if it has none
	Tasks    []progress.Task   `json:"tasks"`                 // all tasks of the plan, in its order
	Left     []progress.Task   `json:"not_restored"`          // the statuses that match no task of the plan as it is now
	Session  string            `json:"session" empty:"null"`  // the session file; null if nothing was written (--dry-run)
	Archived string            `json:"archived" empty:"null"` // the archived session that was in the way, if there was one
	Run      *run.Run          `json:"run"`                   // the run that was at work on it, as it is now, which comes back with it; null if none was
	Report   *answer.Report    `json:"hydrate"`               // what gsd hydrate says now; null if nothing was written
	Warnings []problem.Warning `json:"warnings"`              // what a person should know

	Root   string          `json:"-"`      // the planning root that it is in
	Others bool            `json:"others"` // it is the session of another user than the one who restores it
	Do     []action.Action `json:"do"`     // what can be run next: what makes the session, if nothing was written
}

// RestoreHere brings back the session that the user has lost in this project.
func (p *Project) RestoreHere(ctx context.Context, o RestoreOptions) (*Restored, error) {
	if err := p.RefuseUndecided(); err != nil {
		return nil, err
	}
	lost, err := history.LostHere(p.Project, o.User)
	switch {
	case err != nil:
		return nil, err
	case lost == nil:
		return nil, problem.Fail(problem.MissingInput, "`gsd bootstrap PLAN` starts a session with all that is known of the plan's progress",
			"no session of %s is lost here", o.User).Try(action.Action{Kind: action.ListLost})
	}
	return p.fromCrumb(ctx, lost, o)
}

// RestoreByID brings back the lost session with the ID o.ID, in any project. At least the first four characters of the ID are needed. If the tasks
// of the plan have changed, each status goes to the task of the same name. A session in its place is archived; what is complete in it stays so if
// it is on the same plan. A session whose worktree was removed comes back in that of o.Dir, if it is of the same repository.
func RestoreByID(ctx context.Context, w verdict.World, o RestoreOptions) (*Restored, error) {
	var lost *answer.LostSession
	var err error
	if w.StateDir != "" && len(o.ID) >= 4 && strings.Trim(o.ID, "0123456789abcdef") == "" {
		lost, err = history.LostByID(w, o.ID)
	}
	switch {
	case err != nil:
		return nil, err
	case lost == nil:
		return nil, problem.Fail(problem.MissingInput, "`gsd bootstrap PLAN` starts a session on a plan, with all that is known of its progress",
			"no lost session has the ID %q", o.ID).Try(action.Action{Kind: action.ListLost})
	case lost.Corrupt != "":
		return nil, problem.Fail(problem.BadData, "", "breadcrumb %s is corrupt: %s", lost.ID, lost.Corrupt).Try(action.Action{Kind: action.HowToForget})
	}
	p, err := openFor(lost, o.Dir)
	if err != nil {
		hint := "bring it back first"
		if lost.Why == answer.LostTree {
			hint = "run this in another worktree of its repository"
		}
		return nil, problem.Fail(problem.MissingInput, hint, "%s: %s", lost.Project, cmp.Or(away[lost.Why], err.Error())).
			Try(action.Action{Kind: action.HowToForget})
	}
	defer p.Close() // what it wrote is synced
	p.World = w
	p.Planning.Allow(o.Limit, project.CommandFiles)
	p.Enter(lost.Crumb.Root)
	return p.fromCrumb(ctx, lost, o)
}

// RestoreByID is the function RestoreByID for somebody in this environment. It says whether the session is another user's, as git names the
// one who asks in its project.
func (e Environ) RestoreByID(ctx context.Context, w verdict.World, o RestoreOptions) (*Restored, error) {
	var err error
	if o.Limit, err = e.limit(); err != nil {
		return nil, err
	}
	restored, err := RestoreByID(ctx, w, o)
	if err != nil {
		return nil, err
	}
	p, err := e.Open(restored.Project, w)
	if err != nil { // it was there a moment ago
		return restored, nil
	}
	defer p.Close() // it was only read through
	if restored.Report == nil {
		restored.Others = e.User(ctx, p, restored.Project).Name != restored.User
		return restored, nil
	}
	if restored.Others = e.User(ctx, p, restored.Project).Name != restored.User; restored.Others {
		restored.Do = nil // it would act on another session
	}
	_ = p.Choose(restored.User) // it names none
	restored.Do, restored.Report.Do = p.NamingRoot(restored.Do, restored.Root), p.NamingRoot(restored.Report.Do, restored.Root)
	return restored, nil
}

// IsAway reports whether the session's project is not the one around dir.
func (r *Restored) IsAway(dir string) bool {
	in, err := filepath.Rel(r.Project, dir)
	return err != nil || in == ".." || strings.HasPrefix(in, ".."+string(filepath.Separator))
}

// away says why the project of a lost session cannot be opened.
var away = map[answer.Lost]string{
	answer.LostProject: "it no longer exists",
	answer.LostTree:    "its worktree was removed",
	answer.LostPlans:   "it no longer has a .planning directory",
}

// openFor opens the project of a lost session; if its worktree was removed, the one around dir in another worktree of the
// repository.
func openFor(lost *answer.LostSession, dir string) (*Project, error) {
	if lost.Why != answer.LostTree {
		found, err := verdict.OpenAt(lost.Project, verdict.World{}, nil)
		return &Project{found}, err
	}
	p, err := Open(dir)
	if err != nil {
		return nil, err
	}
	if common, below, _ := p.Planning.Shared(); common != lost.Crumb.Repository || below != lost.Crumb.Below {
		p.Close()
		return nil, project.ErrNoPlans
	}
	return p, nil
}

func (p *Project) fromCrumb(ctx context.Context, lost *answer.LostSession, o RestoreOptions) (*Restored, error) {
	at, plan, err := p.planOf(&lost.Crumb)
	if err != nil {
		return nil, err
	}
	if !p.Planning.Exists(p.Base()) { // a workstream that was renamed, or archived
		p.EnterPlan(at)
	}
	tasks, left := history.Recall(&lost.Crumb, plan, progress.Describe(plan))
	done := &Restored{User: lost.User, Project: p.Dir, Root: p.Base(), Plan: at, Left: left, Run: lost.Run}
	done.ID, _ = p.Planning.PlanID(at)
	done.Tasks = slices.Clone(tasks)
	if o.DryRun {
		suggested := lost.Instead
		if suggested.Kind == "" {
			suggested = action.Action{Kind: action.Restore, ID: lost.ID}
		}
		done.Do = []action.Action{suggested}
		return done, nil
	}
	next := successor{
		user: lost.User, path: at, started: lost.Crumb.Started, plan: plan, tasks: tasks,
		summary: lost.Crumb.Summary, fresh: !lost.Crumb.Fresh.IsZero(), lost: &lost.Crumb, wait: o.Wait,
	}
	err = p.replaceSession(ctx, &next, func(l *verdict.Locked) (bool, error) {
		r := l.Report
		done.Report = r
		if r.Unread != nil {
			if err := replaceUnread(l); err != nil {
				return false, err
			}
		} else {
			p.Examine(r)
		}
		next.torn = r.Session != nil && lost.Project == p.Dir && verdict.IsOf(r.Session, &lost.Crumb)
		if !next.torn { // the one at work keeps it
			may := history.NewStarter(p.Project, r).Decide(claim.Plan{Path: at, Formerly: lost.Plan}, claim.Restoring)
			if err := p.refusal(r, may); err != nil {
				return false, err
			}
		}
		switch {
		case r.Session == nil || next.torn:
		case p.Named(r.Session.Header).Path == at: // what was done in the session that is replaced stays done
			done.keep(p.Stamped(lost.User, r.Written(), r.Changed), next.tasks, r.Session.Header.Digest, plan)
		}
		if next.started == "" || len(left) > 0 { // the breadcrumb has statuses that the new session lacks, so it stays: this is another session
			next.started = p.newStart(lost.User, at)
		}
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	if p.CrumbID(lost.User, done.Report.Session) != lost.ID && len(left) == 0 {
		_ = p.DropCrumb(lost.User, lost.ID) // the plan was moved, and the session has a new breadcrumb
	}
	done.Archived, done.Session, done.Warnings, done.Do = next.archived, done.Report.Path, done.Report.Warnings, done.Report.Do
	return done, nil
}

// keep adds to the tasks of a plan those that are complete or skipped in a session on it.
func (r *Restored) keep(session, tasks []progress.Task, digest string, plan *planfile.File) {
	record := progress.Record{Tasks: session, Same: strings.EqualFold(project.Digest(plan.Bytes()), digest), Counts: planfile.Status.Settled}
	here, _, _ := progress.Of(tasks, plan.Dialect == planfile.DialectPlan, []progress.Record{record})
	for i, task := range here {
		if progress.Advances(tasks[i].Status, task.Status) {
			r.Tasks[i].Status, tasks[i] = task.Status, task
		}
	}
}

// planOf reads the plan of a breadcrumb: at its old path, else wherever a plan has the same bytes now.
func (p *Project) planOf(c *session.Crumb) (string, *planfile.File, error) {
	at := c.Plan
	plan, err := p.Planning.ReadPlan(at)
	if problem.IsMissing(err) {
		if at = history.MovedTo(p.Project, c); at == "" {
			return "", nil, problem.Fail(problem.MissingInput, "restore the plan first, from git if it was committed",
				"%s no longer exists either", c.Plan)
		}
		plan, err = p.Planning.ReadPlan(at)
	}
	return at, plan, err
}
