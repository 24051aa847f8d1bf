package hydrate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/verdict"
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
// that is certain, in-progress for any other task that a commit seems to have worked on, and pending for the rest, unless a former
// session has more. Package evidence decides what commits show. A live session is kept, unless o.Fresh. Errors are of kind
// MissingInput if no commit belongs to the plan, and Refused for a live session.
func (p *Project) fromGit(ctx context.Context, name string, o RestoreOptions) (*Restored, error) {
	plan, err := p.Planning.ReadPlan(name)
	if err != nil {
		return nil, err
	}
	p.Planning.AllowHistory(verdict.RestoreFiles)
	facts := verdict.PlanFacts(name, plan, true)
	r := &Restored{From: FromGit, User: o.User, Project: p.Dir, Plan: name, ID: facts.ID, Summary: p.Planning.SummaryOf(name)}
	if r.Summary != "" && !o.DryRun {
		return nil, project.Fail(Refused, "gsd next shows the next plan; --dry-run shows what the commits say",
			"%s is done: its summary is %s", name, r.Summary)
	}
	facts.Alone = p.Planning.IsOnlyPlan(name)
	repo, err := p.Planning.History()
	if repo == nil && err == nil {
		err = errors.New("there is no repository, or it has no commits yet")
	}
	var found verdict.PlanEvidence
	if err == nil {
		defer repo.Close() // it was only read
		found, err = p.ReadEvidence(ctx, repo, facts, o.MaxCommits)
	}
	var warnings []Warning
	if err != nil {
		why := project.HistoryWarning(err)
		if warnings = append(warnings, why); found.Seen == 0 {
			return nil, project.Fail(MissingInput, "gsd bootstrap PLAN starts a session on it",
				"git's history cannot be read here: %s", why.Detail)
		}
	}
	if found.Truncated {
		warnings = append(warnings, Warning{
			Code:   project.HistoryTruncated,
			Detail: "this clone lacks older commits, which may show more; in a shallow clone, run git fetch --unshallow",
		})
	}
	r.Looked, r.Cut, r.Limited, r.Unassigned = found.Seen, found.IsPartial(), found.Limited, found.Unassigned
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
	r.Warnings = p.Warnings(warnings)
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
	made.Warnings = p.Warnings(warnings, made.Warnings)
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
	return history.FindFormer(p.Project, r, name, plan, false, o.Now).Statuses
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
		return "", p.allInHand(user, readyPlans(next))
	}
	return next.Plan, nil
}

// restoreCommand returns the command that makes the session that a dry run only describes.
func (p *Project) restoreCommand(o RestoreOptions, plan string) *Command {
	if p.refuseHeldPlan(&BootstrapOptions{User: o.User, Plan: plan}) != nil {
		return history.ShowHolder()
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
	return &Command{Words: words, Does: "rebuilds the session from them"}
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
			all = append(all, verdict.Counted(n, "commit "+one, "commits "+more))
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
