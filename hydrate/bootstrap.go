package hydrate

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/roadmap"
)

// BootstrapOptions says how to start a session.
type BootstrapOptions struct {
	User  string
	Plan  string       // as ResolvePlan returns it; empty for the next plan
	Fresh bool         // start from nothing, even if a live session is on the same plan
	Again bool         // even if the plan has a summary
	Force bool         // even if another run may be at work on the session that is replaced, or somebody else has the plan in hand
	Claim *SyncOptions // claim the plan at the remote first; nil to leave that to the next sync
	Now   time.Time
	Wait  time.Duration // how long to wait for the guard
}

// Bootstrapped is what Bootstrap did.
type Bootstrapped struct {
	*Report            // on the session as it is now
	Kept     bool      `json:"kept"`                  // a live session on the same plan was left as it was; --fresh starts a new one
	Archived string    `json:"archived" empty:"null"` // the archived former session, relative to the project, if there was one
	From     []Origin  `json:"from"`                  // the former sessions whose statuses were carried over, the newest first
	Carried  []Carried `json:"carried"`               // the statuses that were carried over
	Left     []Dropped `json:"not_carried"`           // the statuses that could not be carried over

	Was Verdict `json:"-"` // of the session that was replaced
}

// Bootstrap leads to a usable session on a plan, with everything that is known of its progress: the live session on it, if
// the plan's text is unchanged, else a new one with the statuses of former sessions, unless Fresh. A session that is
// replaced is archived next to the new one, never deleted. A plan that has a summary is refused, unless Again.
func (p *Project) Bootstrap(ctx context.Context, o BootstrapOptions) (*Bootstrapped, error) {
	if o.Plan == "" {
		var err error
		if o.Plan, err = p.planToStart(o.User); err != nil {
			return nil, err
		}
	}
	return p.bootstrap(ctx, o, nil)
}

// planToStart returns the plan that comes next, if it can be worked on.
func (p *Project) planToStart(user string) (string, error) {
	r, err := p.Hydrate(user)
	if err != nil {
		return "", err
	}
	switch n := p.NextAfter(r); {
	case n.InHand != "":
		return "", p.allInHand(user, n.all())
	case n.Plan == "":
		return "", project.Fail(MissingInput, "write a plan first; gsd next says more", "there is no next plan: %s", strings.Join(n.Because, "; "))
	case n.Summary != "":
		hint := "write " + n.Summary
		if its := n.free(""); its != nil {
			hint += "; also ready: " + planWord(its.Plan, its.ID, p.project.IsAmbiguous(its.ID, its.Plan))
		}
		return "", project.Fail(MissingInput, hint, "all tasks of %s are complete, and only its summary is left to write", n.Plan)
	default:
		return n.Plan, nil
	}
}

// ResolveStart is ResolvePlan for a plan to start on. The number of a phase, too, is a name then: that of its next plan which
// nobody else has in hand.
func (p *Project) ResolveStart(user, dir, name string) (string, error) {
	plan, err := p.ResolvePlan(dir, name)
	phase, isNumber := planref.ParseNumber(name)
	if known, ok := errors.AsType[*Error](err); !isNumber || !ok || known.Kind != MissingInput {
		return plan, err
	}
	r, failed := p.Hydrate(user)
	if failed != nil {
		return "", failed
	}
	q, inHand := p.question(p.project.Survey(p.project.DiskFor(r.Plan.Path), p.Progress), r)
	var all []string
	for _, its := range roadmap.NextIn(q, phase) {
		if all = append(all, its.Path); inHand(its.Path) == "" {
			return its.Path, nil
		}
	}
	if len(all) > 0 {
		return "", p.allInHand(user, all)
	}
	return "", err
}

// bootstrap is Bootstrap. With known statuses it is the last step of a restore from git, which keeps a live session on any
// plan, unless Fresh.
func (p *Project) bootstrap(
	ctx context.Context, o BootstrapOptions, known map[int]planfile.Status,
) (*Bootstrapped, error) {
	plan, err := p.project.ReadPlan(o.Plan) // before anything is made
	if err != nil {
		return nil, err
	}
	next := successor{user: o.User, path: o.Plan, plan: plan, fresh: o.Fresh, force: o.Force, now: o.Now, wait: o.Wait}
	summary := p.project.SummaryOf(o.Plan)
	if summary != "" {
		next.summary = p.project.DigestOf(summary)
	}
	if err := p.guardPlan(&o); err != nil {
		return nil, err
	}
	record, unclaimed, err := p.claimBefore(ctx, &o, summary)
	if err != nil {
		return nil, err
	}
	var done *Bootstrapped
	var before *formerProgress
	err = p.replaceSession(ctx, &next, func(l *locked) (bool, error) {
		r := l.report
		done = &Bootstrapped{Report: r, Was: Corrupt}
		if l.unread == nil {
			p.judge(r)
			done.Was = r.Verdict
		} else if err := p.allowUnread(l, o.Fresh); err != nil {
			return false, err
		}
		isAgain := o.Again || r.Session != nil && r.Plan.Path == o.Plan && r.Session.Header.Summary == next.summary
		keep := done.Was.Live() && !o.Fresh
		switch {
		case keep && known != nil:
			return false, project.Fail(Refused, "--fresh archives it; --dry-run changes nothing",
				"there is a valid session on %s, with %d of %s complete",
				r.On, r.Done, counted(r.Total, "task", "tasks"))
		case summary != "" && !isAgain:
			return false, project.Fail(Refused, "gsd next shows the next plan; --again starts a session on this one anyway",
				"%s is done: its summary is %s", o.Plan, summary)
		case keep && r.Plan.Path == o.Plan && !r.isEdited():
			done.Kept = true
			_ = p.writeCrumb(r, o.Now) // it may have been started without one
			p.renew(r, o.Force, o.Now)
			r.Warnings = p.warnings(r.Warnings, r.aside)
			return false, nil
		}
		before = p.formerProgress(r, o.Plan, plan, o.Fresh || known != nil, o.Now)
		if before.wasDone() { // so it begins again
			next.fresh = true
			before.startOver()
		}
		if known != nil {
			before.statuses = known
		}
		next.before, next.statuses, next.started = before, before.statuses, p.newStart(o.User, o.Plan, r.Session, o.Now)
		for _, l := range before.known() {
			next.crumbs = append(next.crumbs, l.crumb)
		}
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	if record != nil && !p.keepRecord(ctx, done.Report, *record, o.Wait) {
		unclaimed = nil // the session is another one by now
	}
	if unclaimed != nil {
		done.Warnings = p.warnings([]Warning{*unclaimed}, done.Warnings)
	}
	if before == nil {
		return done, nil
	}
	done.Archived, done.From, done.Carried, done.Left = next.archived, before.from, before.carried, before.left
	for i := range done.From {
		if at := &done.From[i].Session; *at == done.Path && next.archived != "" {
			*at = next.archived
		}
	}
	done.Warnings = p.warnings(done.Warnings, p.taken(o.User, o.Plan))
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
		Kind: Refused, Text: l.unread.Error(),
		Hint: "gsd bootstrap PLAN --fresh archives it unread; or set GSD_MAX_FILE_MIB to allow larger files", Err: l.unread,
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

type successor struct {
	user, path, started string // of its header
	formerly            string // the path of the plan before it was moved; may be empty
	plan                *planfile.File
	statuses            map[int]planfile.Status // of its tasks, by number; the others are pending
	summary             string                  // digest of the summary that the plan already has; empty if it has none
	again               *session.Crumb          // the breadcrumb of the very session, if it comes back; nil for another one
	fresh               bool                    // earlier progress does not count
	before              *formerProgress         // what is known of earlier progress; nil if nothing was looked for
	crumbs              []session.Crumb         // of former sessions on the plan
	force               bool                    // even if another run may be at work
	now                 time.Time
	wait                time.Duration // for the guard
	archived            string        // the path of the replaced session's archive, once there is one
}

// replaceSession makes next the session of its user, if admit allows it once the guard is held.
func (p *Project) replaceSession(
	ctx context.Context, next *successor, admit func(*locked) (bool, error),
) error {
	var r *Report
	replaced := false
	err := p.change(ctx, next.user, next.wait, func(l *locked) (err error) {
		r = l.report
		if replaced, err = admit(l); err == nil && replaced {
			err = p.supersede(l, next)
		}
		return err
	})
	if err != nil {
		return err
	}
	if replaced {
		p.judge(r)
	}
	p.Detail(r, next.now)
	return nil
}

// supersede archives the current session, and makes the successor the subject of the report, which is still to be judged.
func (p *Project) supersede(l *locked, next *successor) (err error) {
	r := l.report
	if !next.force {
		if err := p.guardLiveWork(r, cmp.Or(next.formerly, next.path), next.now); err != nil {
			return err
		}
	}
	head := planfile.Header{
		User: next.user, Plan: next.path, Started: next.started, Digest: project.Digest(next.plan.Bytes()),
		Phase: p.phaseNow(next.path), Summary: next.summary, Fresh: next.fresh,
	}
	if head.SetCarried(slices.Sorted(maps.Keys(next.statuses))); next.again != nil {
		head.Carried = next.again.Carried
	}
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
		return &Error{Kind: BadData, Text: next.path + ": " + err.Error(), Hint: hint, Err: err}
	}
	chunks := [][]byte{made.Bytes()}
	if err := p.checkSize(r.Path, chunks); err != nil {
		return err
	}
	p.observe(l, r.Changed, next.now)
	if next.archived, err = l.guard.Supersede(chunks, l.was, next.now); err != nil {
		return err
	}
	old := r.Session
	p.adopt(r, made)
	p.remember(l, next.path, next.crumbs)
	p.observe(l, next.now, next.now) // so that what is set back in it from now on is seen
	p.renew(r, next.force, next.now)
	p.replaceCrumb(r, old, next)
	return nil
}
