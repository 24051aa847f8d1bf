package verdict

import (
	"slices"
	"strconv"

	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
)

// mostCommands is how many commands of a kind are named.
const mostCommands = 5

// NextCommands returns what can be run next, the most useful first. Every output format of a report names these commands.
func (r *Report) NextCommands() (all []Command) {
	also := func(c Command) {
		if !slices.ContainsFunc(all, func(other Command) bool { return slices.Equal(other.Words, c.Words) }) {
			all = append(all, c)
		}
	}
	add := func(does string, words ...string) { also(Command{append([]string{"gsd"}, words...), does}) }
	rec := r.Recovery
	if rec == nil {
		rec = &Recovery{}
	}
	refused := false
	start := func(plan string, c Command) {
		if AtWorkOnLost(rec.Lost, plan) != nil && c.Words[1] == "bootstrap" { // restore brings its run back, too
			return
		}
		if r.Conflict() != nil { // bootstrap waits for the merge
			return
		}
		if r.Refusal(plan) != nil {
			refused = true
			return
		}
		also(c)
	}
	if r.Resume != nil {
		n := strconv.Itoa(r.Resume.Number)
		switch {
		case r.Resume.State == NotBegun:
			add("when you start", "mark", n, "in-progress")
		case r.Resume.State.Left() && r.Run != nil && r.Run.Own && r.Run.Open(): // so that it is known who works on it now
			add("when you go on with it", "mark", n, "in-progress")
		}
		add("when it is done", "done", n) // Claude refuses a command with the word complete, a builtin of shells, in an isolated worktree
		if r.Resume.Cut {
			add("prints the whole text of task "+n, "tasks", n)
		}
	}
	if write := r.Summarize(); write != nil {
		also(*write)
	}
	for _, lost := range rec.Lost[:min(len(rec.Lost), mostCommands)] {
		start(lost.Plan, lost.Command())
	}
	for _, other := range r.Elsewhere[:min(len(r.Elsewhere), mostCommands)] {
		if other.Command.Words[1] == "bootstrap" {
			start(other.Plan, other.Command)
		} else {
			also(other.Command)
		}
	}
	switch {
	case r.Fix != nil:
		start(r.Plan.Path, *r.Fix)
	case r.Verdict == Resume:
	case r.Next == nil:
		add("shows the next plan", "next")
	case r.On == "" || r.Next.Plan != r.On || r.Next.Summary != "" || r.Verdict == Stale:
		for _, c := range r.Next.Commands() {
			switch {
			case c.Words[1] != "bootstrap":
			case r.Verdict == Corrupt:
				c.Does += "; that file is archived"
			case r.On != "":
				c.Does += "; this session is archived"
			}
			if c.Words[1] == "bootstrap" {
				start(r.Next.StartsOn(), c)
			} else {
				also(c)
			}
		}
		// Nothing takes the place of a session that is over, so it would be told as stale for ever. One on a plan that is not done stays:
		// its plan may only be on another branch.
		if r.Next.Plan == "" && r.IsStale(PlanCompleted) && r.Busy == nil && len(r.AtWork) == 0 {
			add("puts this session away, which is over", "archive")
		}
	}
	switch {
	case r.Start != nil && r.Start.Before != nil: // this start has recorded the end of crashed runs, and works on what they left
	case len(rec.Crashed) > 0 && len(rec.LeftTasks) > 0:
		add("records the end of crashed runs; --reset-tasks sets their tasks back to pending", "run", "sweep")
	case len(rec.Crashed) > 0:
		add("records the end of crashed runs", "run", "sweep")
	case len(rec.LeftTasks) > 0:
		add("sets the tasks that a run left in progress back to pending", "run", "sweep", "--reset-tasks")
	}
	if len(rec.Doubtful) > 0 {
		add("says how to end a run that cannot be checked from here", "run", "sweep", "--help")
	}
	if slices.ContainsFunc(r.AtWork, func(its run.Run) bool { return its.Holds && its.State == run.StateUnknown }) {
		add("says how to end the run at work, if you know that it is over", "run", "end", "--help")
	}
	notes := 0
	for i := range rec.Incomplete {
		w := &rec.Incomplete[i]
		if put := w.Dismiss(); put != nil && notes < mostCommands {
			also(*put)
			notes++
		}
	}
	if refused {
		add("shows who is at work", "run", "list")
	}
	if r.StateMissing != "" && !slices.ContainsFunc(r.Warnings, project.Warning.IsConflict) { // nothing is written from such files
		add("creates STATE.md", "state", "--write")
	}
	if r.Unwritable {
		all = slices.DeleteFunc(all, Command.Writes)
	}
	return all
}
