package hydrate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/planfile"
)

// DefaultConfidence is how certain the commits of a task must be for it to count as complete.
const DefaultConfidence = evidence.DefaultConfidence

// DefaultCommits is how many commits are read by default. The work on a plan that is to be continued is usually among the
// latest few hundred; reading a commit takes some forty microseconds.
const DefaultCommits = 1000

// Evidence is a commit and the task that it is evidence of. Its texts are untrusted.
type Evidence = evidence.Evidence

// fromGit determines from git's history which tasks of a plan are done, and starts a session with these statuses: complete if
// that is certain, in-progress for the first other task if any work was started, and pending for the rest, unless a former
// session has more. Package evidence decides what commits show. A live session is kept, unless o.Fresh. Errors are of kind
// MissingInput if no commit belongs to the plan, and Refused for a live session.
func (p *Project) fromGit(ctx context.Context, name string, o RestoreOptions) (*Restored, error) {
	plan, err := p.project.ReadPlan(name)
	if err != nil {
		return nil, err
	}
	p.project.AllowHistory(restoreFiles)
	facts := planFacts(name, plan, true)
	r := &Restored{From: FromGit, User: o.User, Project: p.Dir, Plan: name, ID: facts.ID, Summary: p.project.SummaryOf(name)}
	if r.Summary != "" && !o.DryRun {
		return nil, project.Fail(Refused, "gsd next shows the next plan; --dry-run shows what the commits say",
			"%s is done: its summary is %s", name, r.Summary)
	}
	facts.Alone = p.project.IsOnlyPlan(name)
	repo, err := p.project.History()
	if repo == nil && err == nil {
		err = errors.New("there is no repository, or it has no commits yet")
	}
	var found planEvidence
	if err == nil {
		defer repo.Close() // it was only read
		found, err = p.readEvidence(ctx, repo, facts, o.MaxCommits)
	}
	var warnings []Warning
	if err != nil {
		why := project.HistoryWarning(err)
		if warnings = append(warnings, why); found.Seen == 0 {
			return nil, project.Fail(MissingInput, "gsd bootstrap PLAN starts a session on it",
				"git's history cannot be read here: %s", why.Detail)
		}
	}
	if found.truncated {
		warnings = append(warnings, Warning{
			Code:   project.HistoryTruncated,
			Detail: "this clone lacks older commits, which may show more; in a shallow clone, run git fetch --unshallow",
		})
	}
	r.Looked, r.Cut, r.Limited, r.Unassigned = found.Seen, found.partial(), found.limited, found.Unassigned
	shown := len(r.Unassigned) > 0
	statuses := map[int]planfile.Status{}
	former := p.formerStatuses(o, name, plan)
	for i, status := range found.Statuses(o.MinConfidence) {
		t := found.Tasks[i]
		if was := former[t.Number]; was == planfile.Complete || was == planfile.InProgress && status == planfile.Pending {
			status = was
		}
		if status != planfile.Pending || former[t.Number] != "" {
			statuses[t.Number] = status
		}
		r.Tasks = append(r.Tasks, RestoredTask{t.Number, plan.Title(t.Number), status, t.Confidence, t.Commits})
		shown = shown || len(t.Commits) > 0
	}
	r.Warnings = p.warnings(warnings)
	if !shown {
		r.Why = r.whyNone(found.Excluded)
	}
	switch {
	case o.DryRun && shown && r.Summary == "":
		r.Make = p.restoreCommand(o, name)
		return r, nil
	case o.DryRun:
		return r, nil
	case !shown:
		return nil, r.nothing(warnings)
	}
	start := BootstrapOptions{User: o.User, Plan: name, Fresh: o.Fresh, Force: o.Force, Now: o.Now, Wait: o.Wait}
	made, err := p.bootstrap(ctx, start, statuses)
	if err != nil {
		return nil, err
	}
	made.Warnings = p.warnings(warnings, made.Warnings)
	r.Bootstrapped, r.Report, r.Warnings = made, made.Report, made.Warnings
	r.Session, r.Archived = made.Path, made.Archived
	return r, nil
}

// formerStatuses returns the statuses that former sessions have, unless the commits alone were asked for. A session that is
// made from them must not have less than what bootstrap would find.
func (p *Project) formerStatuses(o RestoreOptions, name string, plan *planfile.File) map[int]planfile.Status {
	if o.From == FromGit {
		return nil
	}
	r, err := p.Hydrate(o.User)
	if err != nil {
		return nil
	}
	return p.formerProgress(r, name, plan, false, o.Now).statuses
}

func (p *Project) planToRestore(user string) (string, error) {
	r, err := p.Hydrate(user)
	if err != nil {
		return "", err
	}
	if r.Verdict.Live() {
		return r.On, nil
	}
	next := p.NextAfter(r)
	switch {
	case next.Plan == "":
		return "", project.Fail(MissingInput, "gsd restore PLAN; a path, or an id such as 03-01",
			"there is no next plan to restore")
	case next.InHand != "":
		return "", p.allInHand(user, next.all())
	}
	return next.Plan, nil
}

// restoreCommand returns the command that makes the session that a dry run only describes.
func (p *Project) restoreCommand(o RestoreOptions, plan string) *Command {
	if p.guardPlan(&BootstrapOptions{User: o.User, Plan: plan}) != nil {
		return showHolder()
	}
	words := []string{"gsd", "restore", plan}
	if o.From == FromGit {
		words = append(words, "--from", string(FromGit))
	}
	if o.MinConfidence != DefaultConfidence {
		words = append(words, "--min-confidence", fmt.Sprint(o.MinConfidence))
	}
	if o.MaxCommits != DefaultCommits {
		words = append(words, "--commits", fmt.Sprint(o.MaxCommits))
	}
	if now, err := p.Hydrate(o.User); o.Fresh || err == nil && now.Verdict.Live() {
		words = append(words, "--fresh")
	}
	return &Command{words, "rebuilds the session from them"}
}

func (r *Restored) nothing(warnings []Warning) error {
	text, hint := "no commit belongs to "+r.Plan, "gsd bootstrap PLAN starts a session on it"
	if r.Limited {
		text += fmt.Sprintf(" among the latest %d", r.Looked)
		hint = "--commits 0 searches all; " + hint
	}
	text += ": " + r.Why
	for _, w := range warnings {
		text += "; " + w.Detail
	}
	return project.Fail(MissingInput, hint, "%s", text)
}

func (r *Restored) whyNone(excluded evidence.Excluded) string {
	if r.ID == "" {
		return "it has no number that a commit could name"
	}
	var all []string
	add := func(n int, one, more string) {
		if n > 0 {
			all = append(all, counted(n, "commit "+one, "commits "+more))
		}
	}
	add(excluded.Reverted, "was reverted", "were reverted")
	add(excluded.Wrote, "names it and changes planning files only", "name it and change planning files only")
	add(excluded.Elsewhere, "names it and changes another project or workstream only",
		"name it and change another project or workstream only")
	add(excluded.Phase, "names its phase, which has other plans", "name its phase, which has other plans")
	if all == nil {
		return fmt.Sprintf("none of %d names it, as feat(%s) does", r.Looked, r.ID)
	}
	return strings.Join(all, "; ")
}

// maxFiles is how many of the files named in a plan's tasks are considered.
const maxFiles = 1000

// planFacts returns what package evidence needs to know of a plan. The files named in its tasks are optional, because each
// task has to be parsed for them.
func planFacts(name string, f *planfile.File, files bool) evidence.Plan {
	plan := evidence.Plan{Path: name}
	plan.ID, _ = planref.PlanID(name)
	plan.Root, _ = project.RootOf(name)
	left := maxFiles
	for _, t := range f.Tasks {
		task := evidence.Task{Number: t.Number, Name: f.Name(t.Number), Type: t.Type, TDD: f.TestFirst(t.Number)}
		if files && left > 0 {
			children, _ := f.Children(t.Number) // the task is there
			for _, c := range children {
				if c.Name == "files" {
					named := strings.FieldsFunc(c.Text, func(r rune) bool { return strings.ContainsRune(", \n\t\r`", r) })
					task.Files = append(task.Files, named[:min(len(named), left-len(task.Files))]...)
				}
			}
		}
		left -= len(task.Files)
		plan.Tasks = append(plan.Tasks, task)
	}
	return plan
}

type planEvidence struct {
	evidence.Found
	limited   bool // older commits, which might show more, are beyond the limit
	truncated bool // or not in the repository
}

// partial reports whether older commits might show more.
func (e planEvidence) partial() bool { return e.limited || e.truncated || e.Exhausted }

// readEvidence finds which commits carried out the tasks of a plan; limit is how many are read, 0 for all. What was read
// before an error counts.
func (p *Project) readEvidence(ctx context.Context, repo *gitlog.Repo, plan evidence.Plan, limit int) (planEvidence, error) {
	log := project.ReadLog(repo.Reachable(ctx), limit, p.Progress)
	found := evidence.Match(log.Commits(), plan)
	err := log.Err
	if found.Exhausted && err == nil {
		err = fmt.Errorf("%d commits and %d tasks are too many to compare",
			found.Seen, len(plan.Tasks))
	}
	return planEvidence{found, log.Limited && !found.Bounded, log.Truncated && !found.Bounded}, err
}
