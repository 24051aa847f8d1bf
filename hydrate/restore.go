package hydrate

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
)

// A Source is what a session is restored from.
type Source string

// The sources of a session.
const (
	FromCrumb Source = "crumb" // its breadcrumb, a copy of its statuses outside of the project
	FromGit   Source = "git"   // the commits that carried out its tasks
)

// RestoreOptions says which session to restore, and from what.
type RestoreOptions struct {
	User          string
	Dir           string  // that Plan is relative to
	Plan          string  // a path or an id; empty for the session that was lost here, else the session's plan or the next one
	From          Source  // empty for a breadcrumb where there is one, else git
	MinConfidence float64 // of commits: how sure they must be for a task to count as complete, 0 to 1
	MaxCommits    int     // how many commits are looked at, at most; 0 for all
	Limit         int64   // the largest file that is read where the session is in another project, in bytes
	DryRun        bool    // write nothing
	Fresh         bool    // also where another session is in the way, which is archived then
	Force         bool    // also where the plan has changed, or another's run may be at work on the session in the way
	Now           time.Time
	Wait          time.Duration // how long to wait for the guard
}

// Restored is the answer of gsd restore: what is known of a plan's progress, and the session that was made of it.
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

	Why          string        `json:"-"` // no commit belongs to the plan, and why that may be so; empty where one is
	Limited      bool          `json:"-"` // Cut, because of MaxCommits
	Summary      string        `json:"-"` // the plan's, which is done then; empty where it has none
	Make         *Command      `json:"-"` // what makes the session, where nothing was written
	Bootstrapped *Bootstrapped `json:"-"` // how the session was begun, from git
}

// RestoredTask is a task of a plan and what is known of it.
type RestoredTask struct {
	Number int    `json:"number"` // counted from 1, in the order of the file
	Name   string `json:"name"`   // what the task is called, on one line
	// Status is its status. By the commits: complete if the confidence is high enough (--min-confidence), in-progress for
	// the first other task if anything was begun, and pending for the rest.
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

// Restore brings a session of this project back: from its breadcrumb where it was lost, else from the commits.
func (p *Project) Restore(ctx context.Context, o RestoreOptions) (*Restored, error) {
	place := ""
	if o.Plan != "" {
		var err error
		place, err = p.ResolvePlan(o.Dir, o.Plan)
		if known, ok := errors.AsType[*Error](err); ok && known.Kind == MissingInput {
			known.Text += ", nor has a lost session"
			known.Hint += "; gsd restore --list lists the lost sessions"
		}
		if err != nil {
			return nil, err
		}
	}
	if o.From != FromGit {
		lost, err := p.lostSession(o.User, place, o.Now)
		switch {
		case err != nil && (place == "" || o.From == FromCrumb):
			return nil, err
		case lost != nil:
			return p.restore(ctx, lost, o)
		case o.From == FromCrumb && place != "":
			return nil, fail(MissingInput, "gsd restore --list lists the lost sessions", "no session of %s on %s is lost", o.User, place)
		case o.From == FromCrumb:
			return nil, fail(MissingInput, "gsd restore --list lists those of other projects", "no session of %s is lost here", o.User)
		}
	}
	if place == "" {
		var err error
		if place, err = p.planToRestore(o.User); err != nil {
			return nil, err
		}
	}
	return p.fromGit(ctx, place, o)
}

// RestoreLost brings back a lost session of any project, as [FindLost] found it. Where its plan has other tasks by now it
// refuses, unless it is forced: then each status goes to the task of the same name.
func RestoreLost(ctx context.Context, w World, lost *LostSession, o RestoreOptions) (*Restored, error) {
	if lost.Corrupt != "" {
		return nil, fail(BadData, "gsd restore --dismiss "+lost.ID, "breadcrumb %s is corrupt: %s", lost.ID, lost.Corrupt)
	}
	p, err := openAt(lost.Project)
	if err != nil {
		return nil, fail(MissingInput, "bring it back first, or gsd restore --dismiss "+lost.ID, "%s: %s", lost.Project, lost.Why)
	}
	defer p.Close() // what it wrote is synced
	p.World = w
	p.Allow(o.Limit, CommandFiles)
	return p.restore(ctx, lost, o)
}

func (p *Project) restore(ctx context.Context, lost *LostSession, o RestoreOptions) (*Restored, error) {
	at, plan, err := p.planOf(&lost.crumb)
	if err != nil {
		return nil, err
	}
	statuses, left, changed := recall(&lost.crumb, plan)
	if changed && !o.Force && !o.DryRun {
		return nil, fail(Refused, "--force gives each status to the task of the same name",
			"%s has different tasks than the session", at)
	}
	done := &Restored{From: FromCrumb, User: lost.User, Project: p.Dir, Plan: at, Left: left}
	done.ID, _ = planref.PlanID(at)
	for _, t := range plan.Tasks {
		status, known := statuses[t.Number]
		if !known {
			status = planfile.Pending
		}
		done.Tasks = append(done.Tasks, RestoredTask{Number: t.Number, Name: plan.Name(t.Number), Status: status})
	}
	if o.DryRun {
		done.Make = &Command{[]string{"gsd", "restore", lost.ID}, "brings it back"}
		return done, nil
	}
	err = p.change(ctx, lost.User, o.Wait, o.Force, func(g *session.Guard, r *Report, was durable.Stamp) error {
		if r.Session != nil && r.Verdict != Corrupt && !isOf(r.Session, &lost.crumb) && !o.Fresh && !o.Force {
			return fail(Refused, "finish it, or archive it with --fresh", "another session is in its place, on %s", r.Plan.Path)
		}
		head := planfile.Header{User: lost.User, Plan: at, Started: lost.crumb.Started, Digest: digest(plan.Bytes())}
		if head.Started == "" || len(left) > 0 { // then the crumb still knows more: this is another session
			head.Started = startedAfter(lost.crumb.Started, o.Now)
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
	runs, _ := p.Runs(done.Report, o.Now) // for who is at work
	done.Report.progress(&runs)
	p.Detail(done.Report, o.Now)
	done.Session, done.Warnings = done.Report.Path, done.Report.Warnings
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
		return "", nil, fail(MissingInput, "restore the plan first, from git if it was committed", "%s is gone, too", at)
	}
	return at, plan, err
}

// recall gives each task of a plan the status that a crumb has for it: by number where the plan is as it was or has
// tasks of the same names, else as carry does, by name. changed tells the latter.
func recall(c *session.Crumb, plan *planfile.File) (statuses map[int]planfile.Status, left []Dropped, changed bool) {
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
