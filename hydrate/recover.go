package hydrate

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/history"
	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/roadmap"
)

// RecoverOptions says what to recover.
type RecoverOptions struct {
	User          string
	Plan          string  // as ResolvePlan gives it
	MinConfidence float64 // how sure the evidence must be for a task to count as complete, 0 to 1
	MaxCommits    int     // how many commits are looked at, at most; 0 for all
	DryRun        bool    // only tell
	Fresh         bool    // also where there is a live session, which is archived then
	Force         bool    // also where another's run may be at work on the session that gives way
	Now           time.Time
	Wait          time.Duration // how long to wait for the guard
}

// DefaultConfidence is how sure evidence must be where nobody says otherwise.
const DefaultConfidence = history.DefaultConfidence

// DefaultCommits is how many commits are looked at where nobody says otherwise. The work on a plan that somebody
// goes on with is among the latest hundreds; each commit takes some twenty microseconds.
const DefaultCommits = 1000

// Evidence is one commit and what it is evidence of. Its texts are the author's: untrusted.
type Evidence = history.Evidence

// Recovered is what git tells about a plan, and the session that was made of it.
type Recovered struct {
	Plan       string
	ID         string // such as 03-01; empty where the plan has no number
	Tasks      []RecoveredTask
	Unassigned []Evidence    // commits of the plan that fit none of its tasks
	Looked     int           // how many commits were looked at
	Cut        bool          // there were more, and they might tell more
	Session    *Bootstrapped // nil where nothing was written
	Warnings   []Warning
}

// RecoveredTask is one task and what commits tell about it.
type RecoveredTask struct {
	Number     int
	Name       string
	Status     planfile.Status
	Confidence float64 // that of its surest commit, 0 without one
	Commits    []Evidence
}

// Any tells whether any commit belongs to the plan.
func (r *Recovered) Any() bool {
	return len(r.Unassigned) > 0 || slices.ContainsFunc(r.Tasks, func(t RecoveredTask) bool { return len(t.Commits) > 0 })
}

// Done is how many tasks commits show to be complete.
func (r *Recovered) Done() int {
	done := 0
	for _, t := range r.Tasks {
		if t.Status == planfile.Complete {
			done++
		}
	}
	return done
}

// Recover finds in git's history which tasks of a plan are done, and makes a session of it: complete for what is sure,
// in-progress for the first other task where anything was begun, pending for the rest. What commits tell is decided
// in package history. A live session stays, unless Fresh. The errors are of kind MissingInput where no commit is
// about the plan, and Refused for a live session.
func (p *Project) Recover(ctx context.Context, o RecoverOptions) (*Recovered, error) {
	plan, err := p.readPlan(o.Plan)
	if err != nil {
		return nil, err
	}
	if summary := p.summaryOf(o.Plan); summary != "" && !o.DryRun {
		return nil, fail(Refused, "gsd next tells which plan comes next; --dry-run only tells what the commits show", "%s is done: its summary is %s", o.Plan, summary)
	}
	facts := planFacts(o.Plan, plan, true)
	r := &Recovered{Plan: o.Plan, ID: facts.ID}
	facts.Siblings = p.siblings(o.Plan, true)
	found, more, err := p.evidenceOf(ctx, facts, evidenceLimits{commits: o.MaxCommits})
	switch {
	case err != nil && found.Seen == 0:
		return nil, fail(MissingInput, "gsd bootstrap PLAN starts from the first task", "git's history cannot be read here: %v", err)
	case err != nil:
		r.Warnings = append(r.Warnings, Warning{HistoryUnreadable, err.Error()})
	}
	r.Looked, r.Cut, r.Unassigned = found.Seen, more, found.Unassigned
	statuses := map[int]planfile.Status{}
	for i, status := range found.Statuses(o.MinConfidence) {
		t := found.Tasks[i]
		statuses[t.Number] = planfile.Status(status)
		r.Tasks = append(r.Tasks, RecoveredTask{t.Number, plan.Name(t.Number), planfile.Status(status), t.Confidence, t.Commits})
	}
	if o.DryRun {
		return r, nil
	}
	if !r.Any() {
		return nil, fail(MissingInput, "gsd bootstrap PLAN starts from the first task", "no commit is about %s%s", o.Plan, among(r))
	}
	r.Session, err = p.bootstrap(ctx, BootstrapOptions{User: o.User, Plan: o.Plan, Fresh: o.Fresh, Force: o.Force, Now: o.Now, Wait: o.Wait}, statuses)
	if err != nil {
		return nil, err
	}
	return r, nil
}

func among(r *Recovered) string {
	if r.Cut {
		return fmt.Sprintf(" among the latest %d", r.Looked)
	}
	return ""
}

// planFacts is what the rules about commits need to know of a plan; with files, also which ones its tasks name, which
// takes parsing each.
func planFacts(name string, f *planfile.File, files bool) history.Plan {
	plan := history.Plan{Path: name}
	plan.ID, _ = roadmap.PlanID(name)
	plan.Root, _ = rootOf(name)
	for _, t := range f.Tasks {
		task := history.Task{Number: t.Number, Name: f.Name(t.Number), Type: t.Type, TDD: f.TestFirst(t.Number)}
		if files {
			children, _ := f.Children(t.Number) // the task is there
			for _, c := range children {
				if c.Name == "files" {
					task.Files = strings.FieldsFunc(c.Text, func(r rune) bool { return strings.ContainsRune(", \n\t\r`", r) })
				}
			}
		}
		plan.Tasks = append(plan.Tasks, task)
	}
	return plan
}

// siblings are the other plans of a plan's directory, with their tasks where those are wanted: that takes reading
// them.
func (p *Project) siblings(plan string, tasks bool) []history.Plan {
	var all []history.Plan
	dir := path.Dir(plan)
	for _, name := range p.names(dir) {
		other := path.Join(dir, name)
		if other == plan || !roadmap.IsPlan(name) || len(all) == maxSiblings {
			continue
		}
		facts := history.Plan{Path: other}
		facts.ID, _ = roadmap.PlanID(other)
		if tasks {
			if f, err := p.readPlan(other); err == nil {
				facts = planFacts(other, f, true)
			}
		}
		all = append(all, facts)
	}
	return all
}

// maxSiblings is how many other plans of a phase are looked at.
const maxSiblings = 50

// maxFiles is how many of the files that a plan's tasks name are looked for in commits.
const maxFiles = 200

// evidenceLimits say how far git's history is read.
type evidenceLimits struct {
	commits int  // 0 for no limit
	quick   bool // the plan's file is not looked for in each commit: the caller knows that it was there
}

// evidenceOf asks git's objects which commits carried out the tasks of a plan, and tells whether there are more commits
// than the limit. What was read before an error counts.
func (p *Project) evidenceOf(ctx context.Context, plan history.Plan, limits evidenceLimits) (found history.Found, more bool, err error) {
	repo, err := p.history()
	switch {
	case err != nil:
		return history.Found{}, false, err
	case repo == nil:
		return history.Found{}, false, errors.New("there is no repository, or nothing was committed to it yet")
	}
	defer repo.Close() // it was only read
	return readEvidence(ctx, repo, plan, limits)
}

func readEvidence(ctx context.Context, repo *history.Repo, plan history.Plan, limits evidenceLimits) (found history.Found, more bool, err error) {
	w := works{commits: repo.Reachable(ctx), limits: limits}
	for _, t := range plan.Tasks {
		if len(w.files)+len(t.Files) <= maxFiles {
			w.files = append(w.files, t.Files...)
		}
	}
	found = history.Recover(w.all(), plan)
	return found, w.more, w.err
}

// works gives what history reads in the terms of its rules, and keeps the first error.
type works struct {
	commits iter.Seq2[*history.Commit, error]
	limits  evidenceLimits
	files   []string // those that the plan's tasks name
	more    bool     // there are commits beyond the limit
	err     error
}

func (w *works) all() iter.Seq[history.Work] {
	return func(yield func(history.Work) bool) {
		n, planned := 0, false
		for c, err := range w.commits {
			if err != nil {
				w.keep(err)
				return
			}
			if n++; n == 1 && !w.limits.quick {
				planned, err = c.Planned()
				w.keep(err)
			}
			if w.limits.commits > 0 && n > w.limits.commits {
				w.more = true
				return
			}
			if here, err := c.Here(); err == nil && !here { // of another project in the same repository
				continue
			}
			work := history.Work{
				ID: c.ID, When: c.When, Subject: c.Subject, Body: c.Body(), Merge: c.Merge(),
				Changes: func() []history.Change { return w.changes(c) },
			}
			if planned {
				work.Has = func(file string) bool {
					has, err := c.Has(file)
					w.keep(err)
					return has || errors.Is(err, history.ErrTruncated) // nobody can tell
				}
			}
			if !yield(work) {
				return
			}
		}
	}
}

// keep keeps the first error. That the history is cut off, in a shallow or a partial clone, is none: what is there counts,
// and there may be more.
func (w *works) keep(err error) {
	switch {
	case errors.Is(err, history.ErrTruncated):
		w.more = true
	case w.err == nil:
		w.err = err
	}
}

// elsewhere is the path by which the rules know that a commit changed something outside of the planning directory.
const elsewhere = "*"

// changes are the planning files that a commit changed, those of the files that the plan's tasks name, and whether there
// was anything else.
func (w *works) changes(c *history.Commit) []history.Change {
	changes, err := c.Changes()
	w.keep(err)
	other, err := c.Elsewhere()
	w.keep(err)
	if !other {
		return changes
	}
	changes = append(changes, history.Change{Path: elsewhere, Kind: history.Modified})
	for _, file := range w.files {
		if touched, err := c.Touches(path.Clean(file)); err == nil && touched {
			changes = append(changes, history.Change{Path: file, Kind: history.Modified})
		}
	}
	return changes
}
