package app

import (
	"slices"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/claim"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/planfile"
)

// Preview is what Bootstrap would do, and which commits carried out which task.
type Preview struct {
	User       string                  `json:"user"`                 // whose session it would be: the name that gsd whoami prints
	Plan       string                  `json:"plan"`                 // the plan, relative to the project
	ID         string                  `json:"id" empty:"null"`      // its short name, such as 03-01; null if it has none
	Kept       bool                    `json:"kept"`                 // the live session on it would be left as it is
	From       []answer.Origin         `json:"from"`                 // the former sessions whose statuses would be carried over, the newest first
	Tasks      []progress.Task         `json:"tasks"`                // all tasks of the plan, in its order
	Evidence   []evidence.TaskEvidence `json:"evidence"`             // what commits show of each task
	Unassigned []evidence.Evidence     `json:"unassigned"`           // commits of the plan that match none of its tasks, the oldest first
	Looked     int                     `json:"commits_looked_at"`    // how many commits were read
	Branches   []evidence.Branch       `json:"branches,omitempty"`   // the work on the plan that is not here, of which nothing would be carried over
	Cut        bool                    `json:"cut"`                  // older commits were not read, because there are too many or the clone is shallow
	Left       []progress.Task         `json:"not_carried"`          // the statuses that could not be carried over
	Summary    string                  `json:"summary" empty:"null"` // the plan's summary, which means that the plan is done; null if it has none
	Do         []action.Action         `json:"do"`                   // what starts the session
	Warnings   []problem.Warning       `json:"warnings"`             // what a person should know

	NoCommits bool              `json:"no_commits"` // no commit carries out a task of the plan, or part of one
	Excluded  evidence.Excluded `json:"excluded"`   // how many commits seem to be the plan's but do not count, and why
	Limited   bool              `json:"limited"`    // it is cut because there are too many
}

// PreviewBootstrap finds out what Bootstrap would do. It only reads. What Bootstrap would refuse is the same error here.
func (p *Project) PreviewBootstrap(o BootstrapOptions) (*Preview, error) {
	if err := p.settle(&o); err != nil {
		return nil, err
	}
	s := history.StarterOf(p.Project, o.User)
	candidate, plan := s.Read(o.Plan)
	r, may := s.Report(), s.Decide(candidate, o.ignored())
	if err := p.refusal(r, may); err != nil {
		return nil, err
	}
	next := successor{user: o.User, path: o.Plan, plan: plan, summary: candidate.Digest, fresh: o.Fresh}
	f := &Preview{User: o.User, Plan: o.Plan, Summary: candidate.Summary, Kept: may.Decision == claim.Continue}
	f.ID, _ = p.Planning.PlanID(o.Plan)
	former := p.former(r, &o, plan)
	if !f.Kept {
		next.tasks, next.started = former.Stamps(), p.newStart(o.User, o.Plan)
		if _, err := p.compose(r, &next); err != nil {
			return nil, err
		}
		f.From, f.Left = former.From, former.Left
	}
	found, _ := former.Commits() // an error is among the warnings
	f.Looked, f.Cut, f.Limited, f.Unassigned = found.Seen, found.IsPartial(), found.Limited, found.Unassigned
	shown := len(f.Unassigned) > 0
	f.Evidence = make([]evidence.TaskEvidence, len(plan.Tasks)) // also where no commit was read
	copy(f.Evidence, found.Tasks)
	tasks := former.Stamps()
	if f.Kept {
		for i, t := range p.SessionTasks(r) {
			tasks[i] = t.Task
		}
	}
	for i, t := range tasks {
		shown = shown || len(f.Evidence[i].Commits) > 0
		f.Tasks = append(f.Tasks, t)
	}
	f.NoCommits, f.Excluded = !shown, found.Excluded
	f.Branches = history.NextAfter(history.BranchesOf(p.Project, o.User, o.Plan), len(f.Tasks), func(n int) bool { return f.Tasks[n-1].Status.Settled() })
	f.Do = p.startingAs(&o, f, may.Replaces)
	f.Warnings = p.Warnings(p.waiting(o.Plan, plan.Bytes()), former.Warnings(), history.ClaimWarnings(p.Project, o.User, o.Plan))
	return f, nil
}

// startingAs returns what does what the preview shows, if it would be done.
func (p *Project) startingAs(o *BootstrapOptions, f *Preview, replaces action.Replaced) []action.Action {
	if f.Kept {
		return nil
	}
	kind := action.Start
	switch {
	case o.Fresh && o.Again:
		kind = action.AgainFresh
	case o.Fresh:
		kind = action.StartFresh
	case o.Again:
		kind = action.Again
	case slices.ContainsFunc(f.Tasks, func(t progress.Task) bool { return t.Status != planfile.Pending }):
		kind = action.StartWith
	}
	return []action.Action{{Kind: kind, Plan: p.Planning.Argument(f.Plan), Replaces: replaces}}
}
