package verdict

import (
	"cmp"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/run"
)

// root.go: a user has a session in each planning root: .planning, its workstreams and its sub-projects. A command acts in one of them.

// Choose decides in which planning root a command of a user acts: the one that --ws or the environment names; else the one in which the
// caller's own run is at work; else the one that active-workstream names; else the planning directory, or the only other one, of those in
// which the user has a session that is not over, or if there is none, of those that have an open plan. Where several others are left,
// project.Undecided has them. An error is of kind MissingInput: --ws names nothing.
func (p *Project) Choose(user string) error {
	flagged, err := p.Planning.Flagged()
	if err != nil || !p.Planning.HasSeveral() {
		return err
	}
	root, several := p.usual(user)
	p.Enter(cmp.Or(flagged, root))
	p.Planning.Default = root
	if flagged == "" {
		p.Planning.Undecided = several
	}
	return nil
}

// usual returns the root that Choose chooses without --ws; several has those among which it cannot.
func (p *Project) usual(user string) (root string, several []string) {
	if !p.Planning.IsNamed() {
		root = p.rootOfRun(user)
	}
	if root = cmp.Or(root, p.Planning.Pointed()); root != "" {
		return root, nil
	}
	roots := p.Planning.Roots()
	hasSession := func(root string) bool {
		plan, ok := p.Planning.InPlanning(p.In(root).SessionOn(user).Plan)
		return ok && plan != planref.Planning && p.Planning.SummaryOf(plan) == ""
	}
	hasPlans := func(root string) bool { return len(p.Planning.Phases(root).Open()) > 0 }
	for _, isBusy := range []func(root string) bool{hasSession, hasPlans} {
		var found []string
		for _, root := range roots {
			if isBusy(root) {
				found = append(found, root)
			}
		}
		switch {
		case len(found) == 1:
			return found[0], nil
		case slices.Contains(found, planref.Planning):
			return planref.Planning, nil
		case len(found) > 1:
			return planref.Planning, found
		}
	}
	return planref.Planning, nil
}

// rootOfRun returns the root in which the caller's own open run of a user is on a plan, the one that was last seen; "" if there is none.
func (p *Project) rootOfRun(user string) (root string) {
	var last time.Time
	for _, at := range p.InAll() {
		for _, r := range at.runsHere(user) {
			if r.Own && r.Open() && r.Plan != "" && !r.Seen.Before(last) {
				root, last = at.Base(), r.Seen
			}
		}
	}
	return root
}

// runsElsewhere returns the runs of a user in other roots.
func (p *Project) runsElsewhere(user string) (all []run.Run) {
	for _, at := range p.InAll() {
		if at != p {
			all = append(all, at.runsHere(user)...)
		}
	}
	return all
}

// runsHere returns the runs of a user in this root for a caller who is known; none for others, and where they cannot be read.
func (p *Project) runsHere(user string) []run.Run {
	if p.Caller.Anonymous() || !p.HasDirectory(user) {
		return nil
	}
	known, _ := p.ReadRuns(user, nil, p.RunFile(user))
	return known.Runs
}

// Enter makes a root the one in which the command acts. What was found out for another one is forgotten.
func (p *Project) Enter(root string) {
	if root != p.Planning.Base || p.Planning.Undecided != nil {
		p.Planning.Enter(root)
		p.Forget()
	}
}

// EnterPlan makes the root of a plan the one in which the command acts.
func (p *Project) EnterPlan(plan string) {
	p.Enter(p.Planning.RootOfPlan(plan))
}

// NamingRoot returns actions on a session in a root as commands that name it, where there is another one.
func (p *Project) NamingRoot(all []action.Action, root string) []action.Action {
	if !p.Planning.HasSeveral() {
		return all
	}
	all = slices.Clone(all)
	for i := range all {
		if all[i].Root == "" {
			all[i].Root = p.Planning.RootName(root)
		}
	}
	return all
}

// In returns the project as it is for a command that acts in another root, for looking there: who has sessions, and on what.
func (p *Project) In(root string) *Project {
	if root == p.Base() && !p.Undecided() {
		return p
	}
	at := *p
	at.base, at.known, at.Others = root, nil, new([]*Project) // it looks no further
	return &at
}

// InAll returns the project as it is in each of its roots; see In.
func (p *Project) InAll() (all []*Project) {
	if !p.Planning.HasSeveral() {
		return []*Project{p}
	}
	for _, root := range p.Planning.Roots() {
		all = append(all, p.In(root))
	}
	return all
}

// Undecided reports whether a workstream is to be chosen first.
func (p *Project) Undecided() bool { return p.base == "" && p.Planning.Undecided != nil }

// Base is the root in which the project is looked at.
func (p *Project) Base() string {
	if p.base != "" {
		return p.base
	}
	return p.Planning.Base
}
