package hydrate

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/planfile"
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
const DefaultConfidence = evidence.DefaultConfidence

// DefaultCommits is how many commits are looked at where nobody says otherwise. The work on a plan that somebody
// goes on with is among the latest hundreds; each commit takes some forty microseconds.
const DefaultCommits = 1000

// Evidence is one commit and what it is evidence of. Its texts are the author's: untrusted.
type Evidence = evidence.Evidence

// Recovered is what git tells about a plan, and the session that was made of it.
type Recovered struct {
	Plan       string
	ID         string // such as 03-01; empty where the plan has no number
	Tasks      []RecoveredTask
	Unassigned []Evidence    // commits of the plan that fit none of its tasks
	Why        string        // no commit is about the plan, and why that may be so; empty where one is
	Looked     int           // how many commits were looked at
	Cut        bool          // there are more, and they might tell more
	Limited    bool          // because of MaxCommits
	Summary    string        // the plan's, which is done then; empty where it has none
	Live       bool          // there is a live session, which only Fresh takes the place of
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
// in package evidence. A live session stays, unless Fresh. The errors are of kind MissingInput where no commit is
// about the plan, and Refused for a live session.
func (p *Project) Recover(ctx context.Context, o RecoverOptions) (*Recovered, error) {
	plan, err := p.readPlan(o.Plan)
	if err != nil {
		return nil, err
	}
	p.git = durable.NewBudget(recoverFiles * p.Limit)
	facts := planFacts(o.Plan, plan, true)
	r := &Recovered{Plan: o.Plan, ID: facts.ID, Summary: p.summaryOf(o.Plan)}
	if r.Summary != "" && !o.DryRun {
		return nil, fail(Refused, "gsd next tells which plan comes next; --dry-run only tells what the commits show", "%s is done: its summary is %s", o.Plan, r.Summary)
	}
	facts.Alone = p.alone(o.Plan)
	found, err := p.evidenceOf(ctx, facts, o.MaxCommits)
	if err != nil {
		why := p.historyWarning(err)
		if r.Warnings = append(r.Warnings, why); found.Seen == 0 {
			return nil, fail(MissingInput, "gsd bootstrap PLAN starts from the first task", "git's history cannot be read here: %s", why.Detail)
		}
	}
	if found.truncated {
		r.Warnings = append(r.Warnings, Warning{HistoryTruncated, "older commits are not in this clone, and they might tell more; git fetch --unshallow brings those of a shallow one"})
	}
	r.Looked, r.Cut, r.Limited, r.Unassigned = found.Seen, found.partial(), found.limited, found.Unassigned
	statuses := map[int]planfile.Status{}
	for i, status := range found.Statuses(o.MinConfidence) {
		t := found.Tasks[i]
		statuses[t.Number] = status
		r.Tasks = append(r.Tasks, RecoveredTask{t.Number, plan.Name(t.Number), status, t.Confidence, t.Commits})
	}
	if !r.Any() {
		r.Why = r.why(found.Passed)
	}
	if o.DryRun {
		now, err := p.Hydrate(o.User)
		r.Live = err == nil && now.Verdict.Live()
		return r, nil
	}
	if !r.Any() {
		return nil, r.nothing()
	}
	r.Session, err = p.bootstrap(ctx, BootstrapOptions{User: o.User, Plan: o.Plan, Fresh: o.Fresh, Force: o.Force, Now: o.Now, Wait: o.Wait}, statuses)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// nothing is the error that no commit is about the plan.
func (r *Recovered) nothing() error {
	text, hint := fmt.Sprintf("no commit is about %s", r.Plan), "gsd bootstrap PLAN starts from the first task"
	if r.Limited {
		text += fmt.Sprintf(" among the latest %d", r.Looked)
		hint = "--commits 0 looks at all; " + hint
	}
	text += ": " + r.Why
	for _, w := range r.Warnings {
		text += "; " + w.Detail
	}
	return fail(MissingInput, hint, "%s", text)
}

// why says why no commit is about the plan, given those that were passed over.
func (r *Recovered) why(passed evidence.Passed) string {
	if r.ID == "" {
		return "it has no number that a commit could name"
	}
	var all []string
	add := func(n int, one, more string) {
		if n == 1 {
			all = append(all, "1 commit "+one)
		} else if n > 1 {
			all = append(all, fmt.Sprintf("%d commits %s", n, more))
		}
	}
	add(passed.Reverted, "was reverted", "were reverted")
	add(passed.Wrote, "names it and changes planning files only", "name it and change planning files only")
	add(passed.Elsewhere, "names it and changes another project or workstream only", "name it and change another project or workstream only")
	add(passed.Phase, "names its phase, which has other plans", "name its phase, which has other plans")
	if all == nil {
		return fmt.Sprintf("none of %d names it, as feat(%s) does", r.Looked, r.ID)
	}
	return strings.Join(all, "; ")
}

// planFacts is what the rules about commits need to know of a plan; with files, also which ones its tasks name, which
// takes parsing each.
func planFacts(name string, f *planfile.File, files bool) evidence.Plan {
	plan := evidence.Plan{Path: name}
	plan.ID, _ = planref.PlanID(name)
	plan.Root, _ = rootOf(name)
	left := maxFiles
	for _, t := range f.Tasks {
		task := evidence.Task{Number: t.Number, Name: f.Name(t.Number), Type: t.Type, TDD: f.TestFirst(t.Number)}
		if files && left > 0 {
			children, _ := f.Children(t.Number) // the task is there
			for _, c := range children {
				if c.Name == "files" {
					named := strings.FieldsFunc(c.Text, func(r rune) bool { return strings.ContainsRune(", \n\t\r`", r) })
					task.Files = named[:min(len(named), left)]
				}
			}
		}
		left -= len(task.Files)
		plan.Tasks = append(plan.Tasks, task)
	}
	return plan
}

// alone reports whether a plan is the only one of its directory.
func (p *Project) alone(plan string) bool {
	return !slices.ContainsFunc(p.names(path.Dir(plan)), func(name string) bool { return name != path.Base(plan) && planref.IsPlan(name) })
}

// maxFiles is of how many files that a plan's tasks name is taken note.
const maxFiles = 1000

// planEvidence is what commits show of a plan.
type planEvidence struct {
	evidence.Found
	limited   bool // the limit kept from looking at more, which might show more
	truncated bool // the repository does not have more, which might show more
}

// partial reports whether there may be more to know.
func (e planEvidence) partial() bool { return e.limited || e.truncated || e.Exhausted }

// evidenceOf asks git's objects which commits carried out the tasks of a plan; limit is how many are looked at, 0 for all.
// What was read before an error counts.
func (p *Project) evidenceOf(ctx context.Context, plan evidence.Plan, limit int) (planEvidence, error) {
	repo, err := p.history()
	switch {
	case err != nil:
		return planEvidence{}, err
	case repo == nil:
		return planEvidence{}, errors.New("there is no repository, or nothing was committed to it yet")
	}
	defer repo.Close() // it was only read
	return readEvidence(ctx, repo, plan, limit)
}

func readEvidence(ctx context.Context, repo *gitlog.Repo, plan evidence.Plan, limit int) (planEvidence, error) {
	log := evidence.Read(repo.Reachable(ctx), limit)
	found := evidence.Recover(log.Commits(), plan)
	err := log.Err
	if found.Exhausted && err == nil {
		err = fmt.Errorf("%d commits were looked at, and what they say about the plan's %d tasks is too much to compare all of it", found.Seen, len(plan.Tasks))
	}
	return planEvidence{found, log.Limited && !found.Bounded, log.Truncated && !found.Bounded}, err
}
