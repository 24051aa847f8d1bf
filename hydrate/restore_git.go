package hydrate

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/planfile"
)

// DefaultConfidence is how sure evidence must be where nobody says otherwise.
const DefaultConfidence = evidence.DefaultConfidence

// DefaultCommits is how many commits are looked at where nobody says otherwise. The work on a plan that somebody
// goes on with is among the latest hundreds; each commit takes some forty microseconds.
const DefaultCommits = 1000

// Evidence is one commit and what it is evidence of. Its texts are the author's: untrusted.
type Evidence = evidence.Evidence

// fromGit finds in git's history which tasks of the plan at place are done, and makes a session of it: complete for what is
// sure, in-progress for the first other task where anything was begun, pending for the rest. What commits show is decided
// in package evidence. A live session stays, unless Fresh. The errors are of kind MissingInput where no commit is
// about the plan, and Refused for a live session.
func (p *Project) fromGit(ctx context.Context, place string, o RestoreOptions) (*Restored, error) {
	plan, err := p.readPlan(place)
	if err != nil {
		return nil, err
	}
	p.git = durable.NewBudget(recoverFiles * p.Limit)
	facts := planFacts(place, plan, true)
	r := &Restored{From: FromGit, User: o.User, Project: p.Dir, Plan: place, ID: facts.ID, Summary: p.summaryOf(place)}
	if r.Summary != "" && !o.DryRun {
		return nil, fail(Refused, "gsd next shows the next plan; --dry-run shows what the commits say",
			"%s is done: its summary is %s", place, r.Summary)
	}
	facts.Alone = p.alone(place)
	found, err := p.evidenceOf(ctx, facts, o.MaxCommits)
	var warnings []Warning
	if err != nil {
		why := p.historyWarning(err)
		if warnings = append(warnings, why); found.Seen == 0 {
			return nil, fail(MissingInput, "gsd bootstrap PLAN starts from the first task",
				"git's history cannot be read here: %s", why.Detail)
		}
	}
	if found.truncated {
		warnings = append(warnings, Warning{
			HistoryTruncated,
			"this clone lacks older commits, which may show more; in a shallow clone, run git fetch --unshallow",
		})
	}
	r.Looked, r.Cut, r.Limited, r.Unassigned = found.Seen, found.partial(), found.limited, found.Unassigned
	statuses := map[int]planfile.Status{}
	for i, status := range found.Statuses(o.MinConfidence) {
		t := found.Tasks[i]
		statuses[t.Number] = status
		r.Tasks = append(r.Tasks, RestoredTask{t.Number, plan.Name(t.Number), status, t.Confidence, t.Commits})
	}
	if !r.Any() {
		r.Why = r.why(found.Excluded)
	}
	if r.Warnings = p.warnings(warnings); o.DryRun {
		r.Make = p.restoreCommand(o, r)
		return r, nil
	}
	if !r.Any() {
		return nil, r.nothing(warnings)
	}
	start := BootstrapOptions{User: o.User, Plan: place, Fresh: o.Fresh, Force: o.Force, Now: o.Now, Wait: o.Wait}
	made, err := p.bootstrap(ctx, start, statuses)
	if err != nil {
		return nil, err
	}
	made.Warnings = p.warnings(warnings, made.Warnings)
	r.Bootstrapped, r.Report, r.Session, r.Archived, r.Warnings = made, made.Report, made.Path, made.Archived, made.Warnings
	return r, nil
}

// planToRestore is the place of the plan of the session, else of the next plan.
func (p *Project) planToRestore(user string) (string, error) {
	r, err := p.Hydrate(user)
	if err != nil {
		return "", err
	}
	if r.Verdict.Live() {
		return r.On, nil
	}
	next := p.NextAfter(r)
	if next.Plan == "" {
		return "", fail(MissingInput, "gsd restore PLAN; a path, or an id such as 03-01", "there is no next plan to restore")
	}
	return next.Plan, nil
}

// restoreCommand makes the session that a dry run told of; nil where there is nothing to make one of.
func (p *Project) restoreCommand(o RestoreOptions, r *Restored) *Command {
	if !r.Any() || r.Summary != "" {
		return nil
	}
	words := []string{"gsd", "restore", r.Plan, "--from", string(FromGit)}
	if o.MinConfidence != DefaultConfidence {
		words = append(words, "--min-confidence", fmt.Sprint(o.MinConfidence))
	}
	if o.MaxCommits != DefaultCommits {
		words = append(words, "--commits", fmt.Sprint(o.MaxCommits))
	}
	now, err := p.Hydrate(o.User)
	if o.Fresh || err == nil && now.Verdict.Live() {
		words = append(words, "--fresh")
	}
	return &Command{words, "rebuilds the session from them"}
}

// nothing is the error that no commit belongs to the plan.
func (r *Restored) nothing(warnings []Warning) error {
	text, hint := fmt.Sprintf("no commit belongs to %s", r.Plan), "gsd bootstrap PLAN starts from the first task"
	if r.Limited {
		text += fmt.Sprintf(" among the latest %d", r.Looked)
		hint = "--commits 0 searches all; " + hint
	}
	text += ": " + r.Why
	for _, w := range warnings {
		text += "; " + w.Detail
	}
	return fail(MissingInput, hint, "%s", text)
}

// why says why no commit belongs to the plan, given those that were passed over.
func (r *Restored) why(passed evidence.Excluded) string {
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
		return planEvidence{}, errors.New("there is no repository, or it has no commits yet")
	}
	defer repo.Close() // it was only read
	return readEvidence(ctx, repo, plan, limit)
}

func readEvidence(ctx context.Context, repo *gitlog.Repo, plan evidence.Plan, limit int) (planEvidence, error) {
	log := evidence.Read(repo.Reachable(ctx), limit)
	found := evidence.Recover(log.Commits(), plan)
	err := log.Err
	if found.Exhausted && err == nil {
		err = fmt.Errorf("%d commits and %d tasks are too many to compare", found.Seen, len(plan.Tasks))
	}
	return planEvidence{found, log.Limited && !found.Bounded, log.Truncated && !found.Bounded}, err
}
