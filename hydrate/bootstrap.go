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
	Plan  string // as ResolvePlan gives it
	Fresh bool   // also where a live session is on the same plan
	Carry bool   // take over the statuses of tasks that are still there
	Force bool   // also where another's run may be at work on the session that gives way
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

	Was           Verdict `json:"-"` // on the session that gave way
	CarryNeedless bool    `json:"-"` // Kept, and so nothing was carried, though it was asked for
}

// Bootstrap starts a session on a plan. A live session on the same plan is kept, unless Fresh. Whatever
// gives way is archived beside it, never deleted.
func (p *Project) Bootstrap(ctx context.Context, o BootstrapOptions) (*Bootstrapped, error) {
	return p.bootstrap(ctx, o, nil)
}

// bootstrap is Bootstrap, or where known says what is done already, the end of Recover: then no live session gives
// way, whichever plan it is on, unless Fresh.
func (p *Project) bootstrap(ctx context.Context, o BootstrapOptions, known map[int]planfile.Status) (*Bootstrapped, error) {
	plan, err := p.readPlan(o.Plan) // before anything is made: a plan that is none leaves nothing behind
	if err != nil {
		return nil, err
	}
	done := &Bootstrapped{}
	err = p.change(ctx, o.User, o.Wait, o.Fresh, func(g *session.Guard, r *Report, was durable.Stamp) error {
		unread := r.Session == nil && r.Verdict == Corrupt
		if p.judge(r); unread {
			r.Verdict = Corrupt
		}
		*done = Bootstrapped{Report: r, Was: r.Verdict}
		live := r.Verdict.Live()
		if live && known != nil && !o.Fresh {
			return fail(Refused, "--fresh archives it; --dry-run changes nothing", "there is a valid session on %s, with %d of %s complete", r.On, r.Done, counted(r.Total, "task", "tasks"))
		}
		if live && r.Plan.Path == o.Plan && !o.Fresh {
			done.Kept, done.CarryNeedless = true, o.Carry
			_ = p.leaveCrumb(r, o.Now) // it may have been begun without one
			p.renew(r, o.Force, o.Now)
			r.Warnings = p.warnings(r.Warnings, r.aside)
			return nil
		}
		statuses := known
		if statuses == nil {
			statuses = map[int]planfile.Status{}
		}
		if o.Carry && r.Session != nil {
			if r.isAbout(o.Plan) {
				statuses, done.Carried, done.Left = carry(r.Session, plan)
			} else {
				done.Left = carryNothing(r.Session, "the old session is on another plan, "+r.Plan.Path)
			}
		}
		head := planfile.Header{User: o.User, Plan: o.Plan, Started: p.beginning(o, r.Session), Digest: digest(plan.Bytes())}
		var err error
		if done.Archived, err = p.supersede(g, r, was, successor{plan, head, statuses, o.Force, o.Now}); err != nil {
			return err
		}
		p.judge(r)
		return nil
	})
	var failed *Error
	if errors.As(err, &failed) && errors.Is(err, durable.ErrTooLarge) {
		failed.Hint = "gsd bootstrap PLAN --fresh archives it unread; or set GSD_MAX_FILE_MIB to allow larger files"
	}
	if err != nil {
		return nil, err
	}
	runs, _ := p.Runs(done.Report, o.Now) // for who is at work, and what was lost
	done.progress(&runs)
	if !done.Kept {
		done.Warnings = p.warnings(done.Warnings, done.lost(runs.Lost))
	}
	p.Detail(done.Report, o.Now)
	return done, nil
}

// beginning is when a new session says that it was begun. Crumbs go by it, so it is not the very second of a crumb whose
// session is not the one that gives way: that may be lost, and wanted back.
func (p *Project) beginning(o BootstrapOptions, old *planfile.File) string {
	for at := o.Now.UTC(); ; at = at.Add(time.Second) {
		started := at.Format(time.RFC3339)
		if p.StateDir == "" {
			return started
		}
		c, taken := p.StateDir.Crumb(session.CrumbID(p.Dir, o.User, o.Plan, started))
		if !taken || old != nil && holds(old, &c) {
			return started
		}
	}
}

// SessionLost warns that a session on the same plan, which knew more, was lost before this one was started.
const SessionLost = "session-lost"

// lost warns of what a new session may have been started in ignorance of. It is not brought back unasked.
func (b *Bootstrapped) lost(sessions []LostSession) (warnings []Warning) {
	for _, o := range sessions {
		begun := slices.ContainsFunc(o.crumb.Tasks, func(t session.CrumbTask) bool { return t.Status != string(planfile.Pending) })
		if o.Plan == b.Plan.Path && begun {
			warnings = append(warnings, Warning{SessionLost, fmt.Sprintf(
				"an earlier session on this plan was lost, with %d of %s complete; gsd restore %s --force brings it back, and archives this one",
				o.Done, counted(o.Total, "task", "tasks"), o.ID)})
		}
	}
	return warnings
}

// A successor is a session that is to take the place of whatever is there.
type successor struct {
	plan     *planfile.File
	head     planfile.Header
	statuses map[int]planfile.Status // of its tasks; those without one are pending
	force    bool                    // also where another's run may be at work
	now      time.Time
}

// supersede makes a session of a plan the current one, as the guard's holder, and the report one on it, still to be
// judged. What gives way is archived; it gives the path.
func (p *Project) supersede(g *session.Guard, r *Report, was durable.Stamp, s successor) (archived string, err error) {
	if !s.force {
		if err := p.guardLiveWork(r, s.now); err != nil {
			return "", err
		}
	}
	made, err := s.plan.Session(s.head, func(t planfile.Task) planfile.Status {
		if status, ok := s.statuses[t.Number]; ok {
			return status
		}
		return planfile.Pending
	})
	if err != nil {
		hint := "balance its ``` lines and its <task> tags; nothing was changed"
		if errors.Is(err, planfile.ErrDuplicateStatus) {
			hint = "leave one of them; nothing was changed"
		}
		return "", &Error{Kind: BadData, Text: s.head.Plan + ": " + err.Error(), Hint: hint, Err: err}
	}
	chunks := [][]byte{made.Bytes()}
	if err := p.checkSize(r.Path, chunks); err != nil {
		return "", err
	}
	if archived, err = g.Supersede(chunks, was, s.now); err != nil {
		return "", err
	}
	old := r.Session
	p.adopt(r, made)
	p.renew(r, s.force, s.now)
	p.replaceCrumb(old, r, s.now)
	return archived, nil
}

// isAbout reports whether a session is on the plan at place, or was before the plan came there. A plan that is
// gone for good may have been renamed to any other; the tasks will tell.
func (r *Report) isAbout(place string) bool {
	return r.Plan.Path == place || r.Plan.Moved == place || !r.Plan.Exists && r.Plan.Moved == ""
}

// change holds the guard of a user's session while do changes it. do gets a report on the session as it
// was read under the guard, parsed but not judged, and the version that it is; it hands errors of package
// session through. An editor that does not know the guard may still come in between: then nothing is
// written, and the change is made again from what the editor wrote.
//
// One that is too large to be read is an error; where unread allows it, do gets a report without a session, and of the
// verdict Corrupt.
func (p *Project) change(ctx context.Context, user string, wait time.Duration, unread bool, do func(*session.Guard, *Report, durable.Stamp) error) error {
	dir := p.session(user)
	g, files, err := p.lock(ctx, user, wait)
	if err != nil {
		return writeFailed(dir.File(), err)
	}
	defer func() {
		_ = g.Unlock() // a lock that cannot be given back falls with this process
		files.Release(dir.Look, p.budget)
	}()
	const tries = 3
	for range tries {
		src, was, readErr := g.Read(p.Limit)
		r, failed := p.report(user, src, readErr)
		if unread && errors.Is(readErr, durable.ErrTooLarge) {
			if is, err := g.Look(); err == nil {
				r, was, failed = &Report{User: user, Path: dir.File(), Verdict: Corrupt}, is, nil
			}
		}
		if failed != nil {
			return failed
		}
		r.files = files
		if err = do(g, r, was); !errors.Is(err, durable.ErrChanged) {
			break
		}
	}
	var own *Error
	if err != nil && !errors.As(err, &own) {
		return writeFailed(dir.File(), err)
	}
	return err
}

// checkSize refuses to write a session that could not be read again.
func (p *Project) checkSize(name string, chunks [][]byte) error {
	var bytes int64
	for _, chunk := range chunks {
		bytes += int64(len(chunk))
	}
	if bytes <= p.Limit {
		return nil
	}
	return fail(Refused, "set GSD_MAX_FILE_MIB to allow larger files", "%s would be larger than %s", name, size(p.Limit))
}
