package hydrate

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/session"
)

// RestoreOptions says which lost session to bring back.
type RestoreOptions struct {
	ID    string
	Limit int64 // the largest file that is read, in bytes
	Force bool  // also where its plan changed, another session is in its place, or another's run is at work
	Now   time.Time
	Wait  time.Duration // how long to wait for the guard
}

// Restored is what Restore did.
type Restored struct {
	*Report
	Project  string // where it is
	Archived string // where the session went that was in its place; empty for none
	Left     []Left // statuses that found no task in the plan as it is now
	Runs     Assessment
}

// Restore brings a lost session back from its breadcrumb and its plan. Where the plan has other tasks by now it
// refuses, unless it is forced: then each status goes to the task of the same name.
func Restore(ctx context.Context, w World, o RestoreOptions) (*Restored, error) {
	lost, err := orphan(w.StateDir, o.ID, o.Now)
	switch {
	case err != nil:
		return nil, err
	case lost.Corrupt != "":
		return nil, fail(BadData, "gsd orphans dismiss "+lost.ID, "breadcrumb %s is corrupt: %s", lost.ID, lost.Corrupt)
	}
	p, err := openAt(lost.Project)
	if err != nil {
		return nil, fail(MissingInput, "bring it back first, or gsd orphans dismiss "+lost.ID, "%s: %s", lost.Project, lost.Why)
	}
	defer p.Close() // what it wrote is synced
	p.World = w
	p.Allow(o.Limit, CommandFiles)
	return p.restore(ctx, lost, o)
}

func (p *Project) restore(ctx context.Context, lost *Orphan, o RestoreOptions) (*Restored, error) {
	at, plan, err := p.planOf(&lost.Crumb)
	if err != nil {
		return nil, err
	}
	statuses, left, changed := recall(&lost.Crumb, plan)
	if changed && !o.Force {
		return nil, fail(Refused, "--force gives each status to the task of the same name",
			"%s has other tasks than the session had", at)
	}
	done := &Restored{Project: p.Dir, Left: left}
	err = p.change(ctx, lost.User, o.Wait, o.Force, func(g *session.Guard, r *Report, was durable.Stamp) error {
		if r.Session != nil && r.Verdict != Corrupt && !isOf(r.Session, &lost.Crumb) && !o.Force {
			return fail(Refused, "finish it; or --force archives it", "another session is in its place, on %s", r.Plan.Path)
		}
		head := planfile.Header{User: lost.User, Plan: at, Started: lost.Started, Digest: digest(plan.Bytes())}
		if head.Started == "" || len(left) > 0 { // then the crumb still knows more: this is another session
			head.Started = startedAfter(lost.Started, o.Now)
		}
		var err error
		if done.Archived, err = p.supersede(g, r, was, successor{plan, head, statuses, o.Force, o.Now}); err != nil {
			return err
		}
		if id := p.crumbID(r.User, r.Session); id != lost.ID && len(left) == 0 {
			_ = p.StateDir.RemoveCrumb(p.write, lost.ID) // the plan moved, and its crumb with it
		}
		done.Report = r
		return nil
	})
	if err != nil {
		return nil, err
	}
	p.judge(done.Report)
	done.Runs, _ = p.Runs(done.Report, o.Now) // for who is at work
	return done, nil
}

// startedAfter is now as a header has it, and another second than was: crumbs go by it.
func startedAfter(was string, now time.Time) string {
	if then, err := time.Parse(time.RFC3339, was); err == nil && now.Sub(then).Abs() < time.Second {
		now = then.Add(time.Second)
	}
	return now.UTC().Format(time.RFC3339)
}

// planOf finds the plan of a crumb: where it was, else where its very bytes are now.
func (p *Project) planOf(c *session.Crumb) (string, *planfile.File, error) {
	at := c.Plan
	plan, err := p.readPlan(at)
	var failed *Error
	if errors.As(err, &failed) && failed.Kind == MissingInput && c.Digest != "" {
		if moved := p.findMoved(at, c.Digest); moved != "" {
			if src, readErr := p.read(moved); readErr == nil && strings.EqualFold(digest(src), c.Digest) {
				at = moved
				plan, err = p.readPlan(at)
			}
		}
	}
	if errors.As(err, &failed) && failed.Kind == MissingInput {
		return "", nil, fail(MissingInput, "bring the plan back (git knows it, if it was committed), then run this again", "%s is gone, too", at)
	}
	return at, plan, err
}

// recall gives each task of a plan the status that a crumb has for it: by number where the plan is as it was or has
// tasks of the same names, else as carry does, by name. changed tells the latter.
func recall(c *session.Crumb, plan *planfile.File) (statuses map[int]planfile.Status, left []Left, changed bool) {
	was := make([]described, len(c.Tasks))
	for i, t := range c.Tasks {
		was[i] = described{number: i + 1, title: t.Name, name: bareName(t.Name), status: planfile.Status(t.Status)}
	}
	same := len(was) == len(plan.Tasks)
	if same && !strings.EqualFold(digest(plan.Bytes()), c.Digest) {
		for i, t := range plan.Tasks {
			same = same && was[i].title == plan.Name(t.Number)
		}
	}
	if !same {
		statuses, _, left = match(was, plan)
		return statuses, left, true
	}
	statuses = map[int]planfile.Status{}
	for _, t := range was {
		if worthCarrying(t.status) {
			statuses[t.number] = t.status
		}
	}
	return statuses, nil, false
}
