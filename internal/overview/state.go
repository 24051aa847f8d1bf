package overview

import (
	"slices"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/statefile"
)

// StatePosition returns the position in the terms of STATE.md.
func (o *Overview) StatePosition() statefile.Position {
	p := o.Position
	pos := statefile.Position{
		PhaseName: p.PhaseName, Plan: p.Plan, Plans: p.Plans, DonePhases: p.PhasesDone, TotalPhases: p.Phases,
		DonePlans: p.AllDone, TotalPlans: p.AllPlans, Percent: p.Percent,
		LastActivity: o.Activity.When, LastWhat: o.Activity.What,
	}
	if p.Percent < 0 { // the milestone cannot be bounded
		pos.DonePhases, pos.TotalPhases, pos.DonePlans, pos.TotalPlans, pos.Percent = 0, 0, 0, 0, 0
	}
	pos.Names = func(n planref.Number) string {
		for _, ph := range o.Phases {
			if number, ok := planref.ParseNumber(ph.Number); ok && planref.Compare(number, n) == 0 {
				return ph.Name
			}
		}
		return ""
	}
	pos.Phase, _ = planref.ParseNumber(p.Phase)
	for _, ph := range o.Phases {
		if number, ok := planref.ParseNumber(ph.Number); ok && ph.Counted && planref.Compare(number, pos.LastPhase) > 0 {
			pos.LastPhase = number
		}
	}
	if pos.Plan == 0 {
		pos.Plan = p.PlansDone
	}
	current := o.Current()
	switch {
	case o.over():
		pos.Status = statefile.MilestoneComplete
		current = &o.Phases[len(o.Phases)-1]
		pos.Phase, _ = planref.ParseNumber(current.Number)
		pos.PhaseName, pos.Plan, pos.Plans = current.Name, current.Total, current.Total
	case current == nil && !pos.Phase.IsZero():
		pos.Status = statefile.ReadyToPlan
	case current == nil: // what is left is not known well enough to say
	case o.Next.Plan == nil && o.Next.Unverified == "":
		pos.Status = statefile.ReadyToPlan
	case current.Status == PhaseInProgress || current.Done > 0:
		pos.Status = statefile.InProgress
	default:
		pos.Status = statefile.ReadyToExecute
	}
	for i, m := range o.Milestones {
		pos.Milestones = pos.Milestones || m.Line > 0
		if current != nil && current.Milestone == i {
			pos.Milestone, pos.MilestoneName = m.Label, m.Name
		}
	}
	return pos
}

// Unread reports whether there is a roadmap that could not be read, or in which no phase is recognised.
func (o *Overview) Unread() bool { return o.unread }

// over reports whether everything is done: there are phases, nothing comes next, and no plan is open.
func (o *Overview) over() bool {
	phases := o.Phases
	if o.unread || len(phases) == 0 || o.Next.Plan != nil || !o.Next.Phase.IsZero() || len(o.Next.AlsoReady) > 0 {
		return false
	}
	return !slices.ContainsFunc(phases,
		func(ph Phase) bool { return ph.Status != PhaseComplete && ph.Status != PhaseDeferred })
}

// Current returns the current phase, nil if there is none.
func (o *Overview) Current() *Phase {
	for i := range o.Phases {
		if o.Phases[i].Current {
			return &o.Phases[i]
		}
	}
	return nil
}
