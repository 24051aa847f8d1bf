package answer

import (
	"cmp"
	"slices"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/claim"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/planfile"
)

// Next is the plan that comes next, and why. The rules are in docs/design.md, next: Next plan.
type Next struct {
	Plan string `json:"plan" empty:"null"` // the plan, relative to the project; null if nothing is left to do
	ID   string `json:"id" empty:"null"`   // its short name, such as 03-01; null if it has none
	// Phase is the plan's phase, such as 3 or 2.1. If plan is null, it is the phase to plan or verify now, null if none is
	// known.
	Phase      string `json:"phase" empty:"null"`
	Wave       *int   `json:"wave"`                 // the wave that its front matter states; null if it states none
	Autonomous bool   `json:"autonomous"`           // false if its front matter says that a person is needed
	Gaps       bool   `json:"gap_closure"`          // it closes gaps that a verification found
	Summary    string `json:"summary" empty:"null"` // where its summary goes, if that is all that is missing; else null
	// Draft is the draft of that summary, if one was written.
	Draft *Draft `json:"draft,omitempty"`
	// Verification is the status of the phase's verification, such as gaps_found, if plan is null and only the verification
	// keeps the phase from being complete, or of its UAT, as because says; else null.
	Verification string `json:"verification" empty:"null"`
	Begun        bool   `json:"begun"` // commits or a former session began it, and nobody has a session on it
	// Progress is how far it is, by its commits and the user's former sessions; null if nothing of it seems to be started, or somebody
	// has a session on it.
	Progress *PlanProgress `json:"progress"`
	// Uncommitted is what no commit has of the files that its tasks name, where nothing else shows that it was started.
	Uncommitted *Uncommitted `json:"uncommitted,omitempty"`
	// Branches are the work on it that is not here, but on other branches and in other worktrees.
	Branches []evidence.Branch `json:"branches,omitempty"`
	// TakenBy is the user who has taken the plan, here, in another worktree or in another clone, so that nobody else should start
	// on it. It is the asking user if a run of theirs may be alive in another worktree.
	TakenBy   string        `json:"taken_by,omitempty"`
	Because   []next.Reason `json:"because"`    // why
	AlsoReady []PlanRef     `json:"also_ready"` // other plans that are ready, the most likely first
	// LeftOver are plans without a summary that the project went past. One is plan or in also_ready only if no other plan is left to do.
	LeftOver []LeftOver `json:"left_over"`
	// Workstreams are the workstreams and sub-projects with something to do, if it is to be chosen among them first: nothing else is known then.
	Workstreams     []Choice `json:"workstreams,omitempty"`
	MoreWorkstreams int      `json:"more_workstreams,omitempty"` // how many others there are, of which nothing is said

	Summarize action.Action     `json:"-"`           // has that summary written; none unless it is the user's to write
	Ambiguous bool              `json:"-"`           // another plan has that ID too
	Session   bool              `json:"has_session"` // the user has a live session on it
	Warnings  []problem.Warning `json:"-"`
	Conflicts []problem.Warning `json:"-"` // where the order of the plans contradicts itself about this one, which nobody has started

	May claim.Availability `json:"-"` // whether the user may start on it; not asked if only its summary is missing

	Due map[string]next.Reason `json:"-"` // the plans of which only the summary is missing, by their paths
}

// Choice is what there is to do for a user in a planning root, one of several.
type Choice struct {
	Name    string `json:"name"`              // as --ws takes it
	Root    string `json:"root"`              // its directory, relative to the project
	Plan    string `json:"plan" empty:"null"` // of the user's session there, else the one that comes next; null for none
	ID      string `json:"id" empty:"null"`   // its short name; null if it has none
	Session bool   `json:"has_session"`       // the user has a session on it
	Done    int    `json:"done"`              // tasks of the session that are complete
	Total   int    `json:"total"`             // tasks of the session; 0 without one
	Lost    int    `json:"lost"`              // sessions of the user there that are lost
}

// LeftOver is a plan that was left behind.
type LeftOver struct {
	Plan string      `json:"plan"`            // the plan, relative to the project
	ID   string      `json:"id" empty:"null"` // its short name, such as 03-01; null if it has none
	Why  next.Reason `json:"why"`             // why that is said of it
}

// PlanRef is a reference to a plan.
type PlanRef struct {
	Plan  string `json:"plan"`            // the plan, relative to the project
	ID    string `json:"id" empty:"null"` // its short name, such as 03-01; null if it has none
	Begun bool   `json:"begun"`           // commits work on it and nobody has a session on it
	// Progress is how far it is, by its commits and the user's former sessions, if it was started.
	Progress *PlanProgress     `json:"progress,omitempty"`
	Branches []evidence.Branch `json:"branches,omitempty"` // the work on it that is not here
	Says     string            `json:"says,omitempty"`     // what its own front matter says of it, such as blocked or draft
	// TakenBy is the user who has taken the plan, so that nobody else should start on it.
	TakenBy string `json:"taken_by,omitempty"`

	// Argument is what the plan is called on a command line, where it can be started on while only the summary of another is left to write.
	Argument string `json:"argument,omitempty"`

	May claim.Availability `json:"-"` // whether the user may start on it
}

// Ready returns the first of the other plans that can be started on while only a summary is left to write, or could if nobody were at
// work on the session; nil if there is none. The plans that wait for the summary are none of them.
func (n *Next) Ready() *PlanRef {
	i := slices.IndexFunc(n.AlsoReady, func(ref PlanRef) bool {
		due := ref.Progress != nil && ref.Progress.Resume == nil // only its summary is left, too
		return ref.Argument != "" && !due && evidence.Delivered(ref.Branches) == nil && (ref.May.Starts() || ref.May.Why == claim.InUse)
	})
	if n.Summary == "" || i < 0 {
		return nil
	}
	return &n.AlsoReady[i]
}

// Do is what can be run about the plan that comes next.
func (n *Next) Do() (all []action.Action) {
	start := func(may claim.Availability, a action.Action) {
		switch {
		case may.Starts():
			a.Replaces = may.Replaces
			all = append(all, a)
		case may.Why == claim.InUse:
			all = append(all, action.Action{Kind: action.ShowRuns})
		}
	}
	for _, w := range n.Workstreams[:min(len(n.Workstreams), mostCommands)] {
		all = append(all, action.Action{Kind: action.Choose, Root: w.Name})
	}
	switch {
	case n.Summary != "":
		if n.Summarize.Kind != "" {
			all = append(all, n.Summarize)
		}
		if ready := n.Ready(); ready != nil {
			start(ready.May, action.Action{Kind: action.StartNext, Plan: ready.Argument})
		}
	case n.Plan == "":
	case n.Session:
		all = []action.Action{{Kind: action.Continue}}
	case evidence.Delivered(n.Branches) != nil: // it is done there
	case n.Progress == nil:
		start(n.May, action.Action{Kind: action.Start, Plan: n.Name()})
	default:
		start(n.May, action.Action{Kind: action.StartWith, Plan: n.Name()})
		if at := n.Progress.Resume; at != nil && at.Cut && n.May.Decision != claim.Held {
			all = append(all, action.Action{Kind: action.ReadTask, Plan: n.Name(), Task: at.Number})
		}
	}
	return all
}

// Name is what the plan is called on a command line.
func (n *Next) Name() string {
	if n.Ambiguous {
		return n.Plan
	}
	return cmp.Or(n.ID, n.Plan)
}

// PlanProgress is how far a plan is that nobody has a session on, as its commits and the user's former sessions show.
type PlanProgress struct {
	Tasks  []progress.Task `json:"tasks"`  // all tasks, in the order of the file
	Resume *ResumePoint    `json:"resume"` // the first that is neither complete nor skipped; null for none

	Naming string `json:"commit_naming" empty:"null"` // how the subjects of its commits begin, as in the answer of hydrate
	Former bool   `json:"former"`                     // a former session has a task complete
	Cut    bool   `json:"cut"`                        // the clone lacks older commits, which may show more
	Whole  bool   `json:"whole"`                      // the plan names no tasks, so its only one is the whole plan, and commits do not show how far that is
}

// IsSettled reports whether a task, counted from 1, is complete or skipped.
func (p *PlanProgress) IsSettled(task int) bool { return p.Tasks[task-1].Status.Settled() }

// ResumeIn returns a task of a plan as the one to resume.
func ResumeIn(plan *planfile.File, t progress.Task) *ResumePoint {
	at := &ResumePoint{PlannedTask: Planned(plan, plan.Tasks[t.Number-1]), Of: plan}
	at.Task = t
	at.Children, at.Cut = shorten(ShownChildren(plan, t.Number), maxTaskText)
	return at
}
