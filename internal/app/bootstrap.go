package app

import (
	"context"
	"errors"
	"path"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/claim"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// BootstrapOptions says how to start a session.
type BootstrapOptions struct {
	User     string
	Plan     string            // as project.Project.ResolvePlan returns it; empty for the next plan
	Fresh    bool              // start from nothing, even if a live session is on the same plan
	Again    bool              // even if the plan has a summary
	TakeOver bool              // take the lease from another run, and the plan from the other user who has taken it
	Claim    *team.SyncOptions // claim the plan at the remote first; nil to leave that to the next sync
	Wait     time.Duration     // how long to wait for the guard
}

// ignored is what does not keep Bootstrap from starting.
func (o *BootstrapOptions) ignored() claim.Options {
	return claim.Options{Fresh: o.Fresh, Again: o.Again, TakeOver: o.TakeOver}
}

// Bootstrapped is what Bootstrap did.
type Bootstrapped struct {
	*answer.Report                 // on the session as it is now
	Kept           bool            `json:"kept"`                  // a live session on the same plan was left as it was; --fresh starts a new one
	Archived       string          `json:"archived" empty:"null"` // the archived former session, relative to the project, if there was one
	From           []answer.Origin `json:"from"`                  // the former sessions whose statuses were carried over, the newest first
	Carried        []progress.Task `json:"carried"`               // the statuses that were carried over
	Left           []progress.Task `json:"not_carried"`           // the statuses that could not be carried over

	Was answer.Verdict `json:"was" empty:"null"` // the verdict on the session that was replaced; null if there was none
}

// Bootstrap leads to a usable session on a plan, with everything that is known of its progress: the live session on it, if
// the plan's text is unchanged, else a new one with the statuses of former sessions, unless Fresh. A session that is
// replaced is archived next to the new one, never deleted. A plan that has a summary is refused, unless Again.
func (p *Project) Bootstrap(ctx context.Context, o BootstrapOptions) (*Bootstrapped, error) {
	if err := p.settle(&o); err != nil {
		return nil, err
	}
	return p.bootstrap(ctx, o)
}

// settle fills in the plan that comes next where options leave it open, if it can be worked on, and enters the root of the plan.
func (p *Project) settle(o *BootstrapOptions) (err error) {
	if o.Plan == "" {
		o.Plan, err = p.planToStart(o.User)
	}
	if err == nil {
		p.EnterPlan(o.Plan)
	}
	return err
}

// planToStart returns the plan that comes next, if it can be worked on.
func (p *Project) planToStart(user string) (string, error) {
	if err := p.RefuseUndecided(); err != nil {
		return "", err
	}
	r, err := p.Hydrate(user)
	if err != nil {
		return "", err
	}
	switch n := p.nextAfter(r); {
	case n.TakenBy != "":
		held := []claim.Availability{n.May}
		for _, also := range n.AlsoReady {
			held = append(held, also.May)
		}
		return "", allTaken(held)
	case n.Plan == "" && len(n.LeftOver) > 0:
		left := n.LeftOver[0]
		return "", problem.Fail(problem.MissingInput, "", "there is no next plan").
			Try(action.Action{Kind: action.StartLeft, Plan: p.Planning.Argument(left.Plan)}, action.Action{Kind: action.ShowNext})
	case n.Plan == "":
		return "", problem.Fail(problem.MissingInput, "write a plan first", "there is no next plan").Try(action.Action{Kind: action.ShowNext})
	case n.Summary != "":
		hint := "write " + n.Summary
		if instead := free(n); instead != "" {
			hint += "; also ready: " + p.Planning.Argument(instead)
		}
		return "", problem.Fail(problem.MissingInput, hint, "only the summary of %s is left to write", n.Plan)
	case evidence.Delivered(n.Branches) != nil && !n.Session:
		refused := problem.Fail(problem.MissingInput, "name the plan to start on it anyway", "%s is done on another branch, which is not merged", n.Plan)
		for _, b := range n.Branches {
			if b.Bring.Kind != "" {
				refused = refused.Try(b.Bring)
			}
		}
		return "", refused.Try(action.Action{Kind: action.ShowNext})
	default:
		return n.Plan, nil
	}
}

// ResolveStart is project.Project.ResolvePlan for a plan to start on. The number of a phase, too, is a name then: that of its next plan which
// nobody else has taken.
func (p *Project) ResolveStart(user, dir, name string) (string, error) {
	plan, err := p.Planning.ResolvePlan(dir, name)
	phase, isNumber := planref.ParseNumber(name)
	none, ok := errors.AsType[*problem.Error](err)
	if !ok || none.Kind != problem.MissingInput {
		return plan, err
	}
	if missing := team.PlanElsewhere(p.Project, user, name); missing != nil {
		return "", missing
	} else if !isNumber {
		return "", err
	}
	r, failed := p.Hydrate(user)
	if failed != nil {
		return "", failed
	}
	q, starter, _ := p.question(p.Planning.Survey(p.Planning.DiskFor(p.Base(), r.Plan.Path), p.Progress), r)
	var all []claim.Availability
	for _, other := range next.OrderIn(q, phase) {
		may, _ := starter.OnOpen(other)
		if all = append(all, may); may.Decision != claim.Held {
			return other.Path, nil
		}
	}
	if len(all) > 0 {
		return "", allTaken(all)
	}
	isUnplanned := func(e roadmap.Entry) bool {
		return e.Number.Key() == phase.Key() && (e.Dir == nil || len(e.Dir.Plans) == 0) && !e.Status.Closed()
	}
	if slices.ContainsFunc(q.Entries, isUnplanned) { // the ids of other phases are not what is meant
		return "", problem.Fail(problem.MissingInput, "", "phase %s has no plan yet", phase).Try(action.Action{Kind: action.ShowNext})
	}
	neither := *none
	neither.Text += ", and no phase of that number has an open plan"
	return "", &neither
}

// former finds what is known of the progress on a plan.
func (p *Project) former(r *answer.Report, o *BootstrapOptions, plan *planfile.File) *history.Former {
	before := history.FindFormer(p.Project, r, o.Plan, plan, o.Fresh, o.TakeOver)
	if before.WasDone() { // so it begins again
		before.StartOver()
	}
	return before
}

// bootstrap is Bootstrap for a plan that is known.
func (p *Project) bootstrap(ctx context.Context, o BootstrapOptions) (*Bootstrapped, error) {
	s := history.StarterOf(p.Project, o.User)
	s.Here = o.Claim != nil
	candidate, plan := s.Read(o.Plan)
	var record *team.ClaimRecord
	var unclaimed *problem.Warning
	claims := o.Claim != nil || o.TakeOver
	if candidate.Problem != nil || claims || s.Holder(o.Plan) != nil { // nothing is made or claimed in vain; else the guard is soon enough
		may := s.Decide(candidate, o.ignored())
		err := p.refusal(s.Report(), may)
		if err == nil && claims {
			record, unclaimed, err = p.claimBefore(ctx, &o, s, may)
		}
		if err != nil {
			return nil, err
		}
	}
	next := successor{user: o.User, path: o.Plan, plan: plan, summary: candidate.Digest, fresh: o.Fresh, takeOver: o.TakeOver, wait: o.Wait}
	var done *Bootstrapped
	var before *history.Former
	err := p.replaceSession(ctx, &next, func(l *verdict.Locked) (bool, error) {
		r := l.Report
		done = &Bootstrapped{Report: r, Was: answer.Corrupt}
		if r.Unread == nil {
			p.Examine(r)
			done.Was = r.Verdict
		}
		s := s.With(r)
		may := s.Decide(candidate, o.ignored())
		if err := p.refusal(r, may); err != nil {
			return false, err
		}
		if may.Decision == claim.Continue {
			done.Kept = true
			if o.TakeOver {
				p.DropLease(r)
			}
			_ = p.WriteCrumb(r) // it may have been started without one
			if agentRun := p.Renew(r, p.UnderLease(r), o.TakeOver); agentRun != nil && agentRun.Own {
				r.RunFile.Change(func(records *run.Records) { records.Tell(agentRun.ID) })
			}
			r.Warnings = p.Warnings(r.Warnings, r.ExtraWarnings)
			return false, nil
		}
		for _, l := range s.LostOn(o.Plan) {
			if l.Run == may.Run {
				next.lost = &l.Crumb
			}
		}
		before = p.former(r, &o, plan)
		next.fresh = next.fresh || before.Again
		next.before, next.tasks, next.started = before, before.Stamps(), p.newStart(o.User, o.Plan)
		return true, replaceUnread(l)
	})
	if err != nil {
		return nil, err
	}
	if record != nil && !p.keepRecord(ctx, done.Report, *record, o.Wait) {
		unclaimed = nil // the session is another one by now
	}
	if unclaimed != nil {
		done.Warnings = p.Warnings([]problem.Warning{*unclaimed}, done.Warnings)
	}
	done.Warnings = p.Warnings(p.waiting(o.Plan, plan.Bytes()), done.Warnings, p.phaseClaimed(&o))
	p.addBranches(done.Report)
	if before == nil {
		return done, nil
	}
	done.Archived, done.From, done.Carried, done.Left = next.archived, before.From, before.Carried(), before.Left
	for i := range done.From {
		if at := &done.From[i].Session; *at == done.Path && next.archived != "" {
			*at = next.archived
		}
	}
	done.Warnings = p.Warnings(before.Warnings(), done.Warnings, history.ClaimWarnings(p.Project, o.User, o.Plan))
	return done, nil
}

// phaseClaimed warns of another session's claim on a phase.
func (p *Project) phaseClaimed(o *BootstrapOptions) []problem.Warning {
	root, _ := project.RootOf(o.Plan)
	return history.PhaseClaimWarnings(p.Project, o.User, root, planref.PhaseOfDir(path.Dir(o.Plan)).String())
}

// replaceUnread permits replacing a session that is too large to be read. Any other read error is returned.
func replaceUnread(l *verdict.Locked) (err error) {
	if !errors.Is(l.Report.Unread, durable.ErrTooLarge) {
		return l.Report.Unread
	}
	l.Was, err = l.Guard.Stamp()
	return err
}

// newStart returns the start time for the header of a new session. Breadcrumbs are named after it, so it must differ from
// that of every breadcrumb: the others may be of lost sessions, or say when the tasks of archives were set.
func (p *Project) newStart(user, plan string) string {
	for at := p.Now.UTC(); ; at = at.Add(time.Second) {
		started := at.Format(time.RFC3339)
		if _, taken := p.Crumb(user, session.CrumbID(p.Dir, user, plan, started)); !taken {
			return started
		}
	}
}

type successor struct {
	user, path, started string // of its header
	plan                *planfile.File
	tasks               []progress.Task // its tasks: their statuses, and when these were set
	summary             string          // digest of the summary that the plan already has; empty if it has none
	fresh               bool            // earlier progress does not count
	before              *history.Former // what is known of earlier progress; nil if nothing was looked for
	lost                *session.Crumb  // whose run comes back with it; nil for none
	takeOver            bool            // even if another run may be at work, whose lease is dropped
	torn                bool            // it takes the place of itself: a run that is at work on it stays
	wait                time.Duration   // for the guard
	archived            string          // the path of the replaced session's archive, once there is one
}

// replaceSession makes next the session of its user, if admit allows it once the guard is held.
func (p *Project) replaceSession(
	ctx context.Context, next *successor, admit func(*verdict.Locked) (bool, error),
) error {
	var r *answer.Report
	replaced := false
	err := p.Change(ctx, next.user, next.wait, func(l *verdict.Locked) (err error) {
		r = l.Report
		if replaced, err = admit(l); err == nil && replaced {
			err = p.supersede(l, next)
		}
		return err
	})
	if err != nil {
		return err
	}
	if replaced {
		p.Examine(r)
	}
	p.Detail(r)
	p.AddUncommitted(r.Resume, r.Plan.Path) // after a switch or a crash, the files of the task may be there
	return nil
}

// supersede archives the current session, and makes the successor the subject of the report, which is still to be judged.
func (p *Project) supersede(l *verdict.Locked, next *successor) (err error) {
	r := l.Report
	made, err := p.compose(r, next)
	if err != nil {
		return err
	}
	chunks := [][]byte{made.Bytes()}
	if next.archived, err = l.Guard.Supersede(chunks, l.Was, p.Now); err != nil {
		return err
	}
	old, stays := r.Session, slices.Contains([]string{r.Plan.Path, r.Plan.Moved}, next.path)
	p.Adopt(r, made)
	r.Before = next.tasks
	if next.takeOver {
		p.DropLease(r)
	}
	agentRun := p.Renew(r, p.UnderLease(r), next.takeOver || next.torn)
	if !stays {
		by := "" // who shows nothing may be anybody
		if agentRun != nil && agentRun.Own {
			by = agentRun.ID
		}
		r.RunFile.Change(func(records *run.Records) { records.Switch(next.path, by) })
	}
	if next.lost != nil {
		verdict.Revive(r, next.lost, p.RunOf(next.lost))
	}
	p.replaceCrumb(r, old, next)
	return nil
}

// compose returns the file of a successor to the session of a report.
func (p *Project) compose(r *answer.Report, next *successor) (*planfile.File, error) {
	head := planfile.Header{
		User: next.user, Plan: next.path, Started: next.started, Digest: project.Digest(next.plan.Bytes()),
		Phase: p.PhaseNow(next.path), Summary: next.summary, Fresh: next.fresh,
	}
	made, err := next.plan.Session(head, func(t planfile.Task) planfile.Status {
		return next.tasks[t.Number-1].Status
	})
	if err != nil {
		hint := "balance its ``` lines and its <task> tags; nothing was changed"
		if errors.Is(err, planfile.ErrDuplicateStatus) {
			hint = "leave one of them; nothing was changed"
		}
		return nil, &problem.Error{Kind: problem.BadData, Text: next.path + ": " + err.Error(), Hint: hint, Err: err}
	}
	return made, p.CheckSize(r.Path, [][]byte{made.Bytes()})
}

// CrumbsKept warns that the breadcrumbs of former sessions on a plan could not be brought up to date.
const CrumbsKept = "crumbs-kept"

// replaceCrumb writes the breadcrumb of a new session, and removes those of lost sessions whose progress it has. Those of archived sessions
// are kept, because the archives can be lost like the session, and because they say when its tasks were set. A failure is a warning.
func (p *Project) replaceCrumb(r *answer.Report, old *planfile.File, next *successor) {
	unwritten := p.WriteCrumb(r)
	r.ExtraWarnings = append(r.ExtraWarnings, verdict.CrumbWarning(answer.CrumbMissing, unwritten)...)
	if unwritten != nil && !verdict.IsInProject(unwritten) { // the others are still needed
		return
	}
	var err error
	made, archived := p.CrumbID(r.User, r.Session), ""
	if old != nil {
		id := p.CrumbID(r.User, old)
		if c, ok := p.Crumb(r.User, id); ok && id != made && verdict.Holds(old, &c) {
			archived = id
			c.Archive, c.Run = path.Base(next.archived), nil // the run that was at work continues elsewhere
			c.Continued = next.fresh && c.Plan == next.path || next.before.Has(&c)
			if next.archived == "" || !history.IsSet(&c) || history.HasEnded(p.Project, &c, p.Planning.SummaryOf(c.Plan)) {
				err = errors.Join(err, p.DropCrumb(r.User, id))
			} else {
				err = errors.Join(err, p.PutCrumb(c))
			}
		}
	}
	for _, l := range next.before.Known() {
		c := l.Crumb
		switch {
		case l.ID == made, l.ID == archived:
		case next.fresh && l.Why == "" || next.before.Has(&c):
			if l.Why != "" || c.Archive == "" {
				err = errors.Join(err, p.DropCrumb(r.User, l.ID))
			} else if !c.Continued {
				c.Continued = true
				err = errors.Join(err, p.PutCrumb(c))
			}
		case !c.Updated.Before(p.Now): // the clock was set back, and what follows must count as newer
			c.Updated = p.Now.Add(-time.Second)
			err = errors.Join(err, p.PutCrumb(c))
		}
	}
	if err != nil {
		r.ExtraWarnings = append(r.ExtraWarnings, problem.Warning{Code: CrumbsKept, Says: problem.Reason(err)})
	}
}
