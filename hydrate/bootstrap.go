package hydrate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
)

// BootstrapOptions says how to start a session.
type BootstrapOptions struct {
	User  string
	Plan  string // as ResolvePlan returns it
	Fresh bool   // even if a live session is on the same plan
	Carry bool   // take over the statuses of tasks that are still there
	Force bool   // even if another run may be at work on the session that is replaced
	Now   time.Time
	Wait  time.Duration // how long to wait for the guard
}

// Bootstrapped is what Bootstrap did.
type Bootstrapped struct {
	*Report            // on the session as it is now
	Kept     bool      `json:"kept"`                  // a live session on the same plan was left as it was; --fresh starts a new one
	Archived string    `json:"archived" empty:"null"` // the archived former session, relative to the project, if there was one
	Carried  []Carried `json:"carried"`               // the statuses that were carried over
	Left     []Dropped `json:"not_carried"`           // the statuses that could not be carried over

	Was           Verdict `json:"-"` // of the session that was replaced
	CarryNeedless bool    `json:"-"` // Carry was set, but the session was Kept, so there was nothing to carry
}

// Bootstrap starts a session on a plan. A live session on the same plan is kept, unless Fresh. A session that
// is replaced is archived next to the new one, never deleted.
func (p *Project) Bootstrap(ctx context.Context, o BootstrapOptions) (*Bootstrapped, error) {
	return p.bootstrap(ctx, o, nil)
}

// bootstrap is Bootstrap. With known statuses it is the last step of a restore from git, which keeps a live session on any
// plan, unless Fresh.
func (p *Project) bootstrap(
	ctx context.Context, o BootstrapOptions, known map[int]planfile.Status,
) (*Bootstrapped, error) {
	plan, err := p.readPlan(o.Plan) // before anything is made
	if err != nil {
		return nil, err
	}
	var done *Bootstrapped
	next := successor{user: o.User, path: o.Plan, plan: plan, force: o.Force, now: o.Now, wait: o.Wait}
	runs, err := p.replaceSession(ctx, &next, func(l *locked) (bool, error) {
		r := l.report
		done = &Bootstrapped{Report: r, Was: Corrupt}
		if l.unread == nil {
			p.judge(r)
			done.Was = r.Verdict
		} else if err := p.allowUnread(l, o.Fresh); err != nil {
			return false, err
		}
		keep := done.Was.Live() && !o.Fresh
		switch {
		case keep && known != nil:
			return false, fail(Refused, "--fresh archives it; --dry-run changes nothing",
				"there is a valid session on %s, with %d of %s complete",
				r.On, r.Done, counted(r.Total, "task", "tasks"))
		case keep && r.Plan.Path == o.Plan:
			done.Kept, done.CarryNeedless = true, o.Carry
			_ = p.writeCrumb(r, o.Now) // it may have been started without one
			p.renew(r, o.Force, o.Now)
			r.Warnings = p.warnings(r.Warnings, r.aside)
			return false, nil
		}
		next.statuses, next.started = known, p.newStart(o.User, o.Plan, r.Session, o.Now)
		if o.Carry && r.Session != nil {
			if r.isAbout(o.Plan) {
				next.statuses, done.Carried, done.Left = match(describe(r.Session), plan)
			} else {
				done.Left = carryNothing(r.Session, "the old session is on another plan, "+r.Plan.Path)
			}
		}
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	if done.Archived = next.archived; !done.Kept {
		done.Warnings = p.warnings(done.Warnings, done.lost(runs.Lost))
	}
	return done, nil
}

// allowUnread permits replacing a session that is too large to be read, if fresh. Any other read error is returned.
func (p *Project) allowUnread(l *locked, fresh bool) error {
	if !errors.Is(l.unread, durable.ErrTooLarge) {
		return l.unread
	}
	if fresh {
		if was, err := l.guard.Look(); err == nil {
			l.was = was
			return nil
		}
	}
	return &Error{
		Refused, l.unread.Error(),
		"gsd bootstrap PLAN --fresh archives it unread; or set GSD_MAX_FILE_MIB to allow larger files", l.unread,
	}
}

// newStart returns the start time for the header of a new session. Breadcrumbs are named after it, so it must differ from
// that of every breadcrumb except the one of the session to be replaced: the others may be of lost sessions.
func (p *Project) newStart(user, plan string, old *planfile.File, now time.Time) string {
	for at := now.UTC(); ; at = at.Add(time.Second) {
		started := at.Format(time.RFC3339)
		if p.StateDir == "" {
			return started
		}
		c, taken := p.StateDir.Crumb(session.CrumbID(p.Dir, user, plan, started))
		if !taken || old != nil && holds(old, &c) {
			return started
		}
	}
}

// SessionLost warns that a session on the same plan was lost before this one was started, and had progress.
const SessionLost = "session-lost"

// lost warns of lost sessions on the same plan, which the user may have forgotten when starting the new one.
func (b *Bootstrapped) lost(sessions []LostSession) (warnings []Warning) {
	for _, lost := range sessions {
		progress := slices.ContainsFunc(lost.crumb.Tasks,
			func(t session.CrumbTask) bool { return t.Status != string(planfile.Pending) })
		if lost.Plan == b.Plan.Path && progress {
			warnings = append(warnings, Warning{SessionLost, fmt.Sprintf(
				"an earlier session on this plan was lost, with %d of %s complete; gsd restore %s --force brings it back, and archives this one",
				lost.Done, counted(lost.Total, "task", "tasks"), lost.ID)})
		}
	}
	return warnings
}

type successor struct {
	user, path, started string // of its header
	plan                *planfile.File
	statuses            map[int]planfile.Status // of its tasks, by number; the others are pending
	force               bool                    // even if another run may be at work
	now                 time.Time
	wait                time.Duration // for the guard
	archived            string        // the path of the replaced session's archive, once there is one
}

// replaceSession makes next the session of its user, if admit allows it once the guard is held.
func (p *Project) replaceSession(
	ctx context.Context, next *successor, admit func(*locked) (bool, error),
) (runs Assessment, err error) {
	var r *Report
	replaced := false
	err = p.change(ctx, next.user, next.wait, func(l *locked) (err error) {
		r = l.report
		if replaced, err = admit(l); err == nil && replaced {
			err = p.supersede(l, next)
		}
		return err
	})
	if err != nil {
		return Assessment{}, err
	}
	if replaced {
		p.judge(r)
	}
	runs, _ = p.Runs(r, next.now) // to know who is at work, and what was lost
	r.progress(&runs)
	p.Detail(r, next.now)
	return runs, nil
}

// supersede archives the current session, and makes the successor the subject of the report, which is still to be judged.
func (p *Project) supersede(l *locked, next *successor) (err error) {
	r := l.report
	if !next.force {
		if err := p.guardLiveWork(r, next.now); err != nil {
			return err
		}
	}
	head := planfile.Header{User: next.user, Plan: next.path, Started: next.started, Digest: digest(next.plan.Bytes())}
	made, err := next.plan.Session(head, func(t planfile.Task) planfile.Status {
		if status, ok := next.statuses[t.Number]; ok {
			return status
		}
		return planfile.Pending
	})
	if err != nil {
		hint := "balance its ``` lines and its <task> tags; nothing was changed"
		if errors.Is(err, planfile.ErrDuplicateStatus) {
			hint = "leave one of them; nothing was changed"
		}
		return &Error{BadData, next.path + ": " + err.Error(), hint, err}
	}
	chunks := [][]byte{made.Bytes()}
	if err := p.checkSize(r.Path, chunks); err != nil {
		return err
	}
	if next.archived, err = l.guard.Supersede(chunks, l.was, next.now); err != nil {
		return err
	}
	old := r.Session
	p.adopt(r, made)
	p.renew(r, next.force, next.now)
	p.replaceCrumb(old, r, next.now)
	return nil
}

// isAbout reports whether a session is on the plan at path, or was before the plan was moved there. A plan that no longer
// exists may have been renamed to any other: match compares the tasks.
func (r *Report) isAbout(path string) bool {
	return r.Plan.Path == path || r.Plan.Moved == path || !r.Plan.Exists && r.Plan.Moved == ""
}
