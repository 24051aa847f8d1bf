package answer

import (
	"slices"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/claim"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/run"
)

// mostCommands is how many commands of a kind are named.
const mostCommands = 5

// Actions returns what can be run next, the most useful first. Every output format of a report names these.
func (r *Report) Actions() (all []action.Action) {
	also := func(a action.Action) { all = append(all, a) }
	add := func(kind action.Kind) { also(action.Action{Kind: kind}) }
	rec := r.Recovery
	if rec == nil {
		rec = &Recovery{}
	}
	inUse := false
	start := func(may claim.Availability, a action.Action) {
		if !a.Starts() || may.Starts() {
			also(a)
		}
		inUse = inUse || a.Starts() && may.Why == claim.InUse
	}
	if n := r.Resume; n != nil && !evidence.Held(r.Branches) && r.Switched == nil {
		switch {
		case n.State == NotBegun:
			also(action.Action{Kind: action.Begin, Task: n.Number})
		case n.State.Left() && r.Run != nil && r.Run.Own && r.Run.Open(): // so that it is known who works on it now
			also(action.Action{Kind: action.GoOn, Task: n.Number})
		}
		also(n.Complete())
		if n.Cut {
			also(action.Action{Kind: action.ReadTask, Task: n.Number})
		}
	}
	if write := r.Summarize(); write.Kind != "" {
		also(write)
	}
	for _, lost := range rec.Lost[:min(len(rec.Lost), mostCommands)] {
		also(lost.Restore())
	}
	for _, other := range r.Elsewhere[:min(len(r.Elsewhere), mostCommands)] {
		start(other.May, other.Do)
	}
	switch {
	case r.Fix.Kind != "":
		start(r.MayFix, r.Fix)
	case r.Verdict == Resume:
	case r.Next == nil:
		add(action.ShowNext)
	case r.On == "" || r.Next.Plan != r.On || r.Next.Summary != "" || r.Verdict == Stale:
		for _, a := range r.Next.Do() {
			if a.Kind == action.ShowRuns {
				inUse = true
			} else {
				also(a)
			}
		}
		// Nothing takes the place of a session that is over, so it would be called stale for ever. One on a plan that is not done stays:
		// its plan may only be on another branch.
		if r.Next.Plan == "" && r.IsStale(PlanCompleted) && (r.Starts == nil || r.Starts.Busy == nil) && len(r.AtWork) == 0 {
			add(action.Archive)
		}
	}
	switch {
	case r.Start != nil && r.Start.Before != nil: // this start has recorded the end of crashed runs, and works on what they left
	case len(rec.Crashed) > 0 && len(rec.LeftTasks) > 0:
		add(action.SweepLeft)
	case len(rec.Crashed) > 0:
		add(action.Sweep)
	case len(rec.LeftTasks) > 0:
		add(action.ResetTasks)
	}
	for _, agentRun := range rec.Doubtful[:min(len(rec.Doubtful), mostCommands)] {
		if end := EndsExpired(&agentRun); end.Kind != "" {
			also(end)
		}
	}
	if slices.ContainsFunc(r.AtWork, func(agentRun run.Run) bool { return agentRun.Holds && agentRun.State == run.StateUnknown }) {
		add(action.HowToEnd)
	}
	notes := 0
	for i := range rec.Incomplete {
		if put := rec.Incomplete[i].ArchiveNote(); put.Kind != "" && notes < mostCommands {
			also(put)
			notes++
		}
	}
	if inUse {
		add(action.ShowRuns)
	}
	if r.Starts != nil && r.Starts.Closed != nil {
		all = slices.DeleteFunc(all, action.Action.Writes)
	}
	return action.Distinct(all)
}
