package app

import (
	"cmp"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/history"
)

// Dispatched is how far the plan is that an agent is sent to carry out by another one.
type Dispatched struct {
	Dir      string               // the project's, if the agent that sends the other one is in another directory
	Plan     string               // relative to the project
	ID       string               // empty if it has none
	Name     string               // what it is called on a command line
	Summary  string               // its summary, if there is one and no session carries the plan out again: it is done then, and nothing else is known here
	Progress *answer.PlanProgress // by marks and commits; nil with a summary
	Branches []evidence.Branch    // the work on it that is not here
	Then     *answer.ResumePoint  // the task that is next with the first of these, if that is another than Progress has; nil for none
	Held     bool                 // somebody else may be at work on it there
	Worktree bool                 // the agent's worktree is about the plan; it was not asked what its prompt is about
	Isolated bool                 // the agent works in a worktree of its own, in which nothing is that was not committed
	Own      bool                 // the session of the user here is on it, so that gsd done marks its tasks
}

// Next is the task that the agent is to go on with; nil for none. Progress is not nil.
func (d *Dispatched) Next() *answer.ResumePoint { return cmp.Or(d.Then, d.Progress.Resume) }

// Dispatched finds the plan that a prompt sends an agent to carry out, and how far that is. It returns nil if the prompt does not name one
// of this project, or nothing is known of it but what the plan itself says. dir is where the prompt's paths start. It only reads.
func (p *Project) Dispatched(user, dir, prompt string) *Dispatched {
	if plan := p.Planning.Dispatched(dir, prompt); plan != "" {
		return p.DispatchedTo(user, plan)
	}
	return nil
}

// DispatchedTo is Dispatched for an agent that is sent to a plan.
func (p *Project) DispatchedTo(user, plan string) *Dispatched {
	p.EnterPlan(plan)
	d := &Dispatched{Dir: p.Planning.Away(), Plan: plan}
	d.ID, _ = p.Planning.PlanID(plan)
	d.Name = p.Planning.Argument(plan)
	r, err := p.Hydrate(user)
	if err != nil {
		return nil
	}
	d.Own = r.Verdict == answer.Resume && r.On == plan
	if summary := p.Planning.SummaryOf(plan); summary != "" && !d.Own { // or the plan is carried out again
		d.Summary = summary
		return d
	}
	file, err := p.Planning.ReadPlan(plan)
	if err != nil {
		return nil
	}
	var started bool
	d.Progress, started = history.Dispatched(p.Project, r, plan, file)
	d.Branches = history.NextAfter(history.BranchesOf(p.Project, r.User, plan), len(d.Progress.Tasks), d.Progress.IsSettled)
	d.Held = evidence.Held(d.Branches)
	for _, b := range d.Branches {
		if here := d.Progress.Resume; d.Then == nil && here != nil && b.Next > here.Number {
			d.Then = answer.ResumeIn(file, d.Progress.Tasks[b.Next-1])
		}
	}
	p.AddUncommitted(d.Next(), plan)
	if at := d.Next(); !started && len(d.Branches) == 0 && (at == nil || at.Uncommitted == nil) {
		return nil
	}
	return d
}
