package answer

import (
	"cmp"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/claim"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
)

// Minute is a time as it is said to people, in UTC.
func Minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 MST") }

// HolderWords say who is working on a plan, where, and since when.
func HolderWords(h claim.Holder) string {
	plan := PlanInText(h.Plan)
	switch {
	case h.Run != nil:
		return "your run in the worktree " + h.Dir + " is working on " + plan + ": " + h.Run.Who()
	case h.Machine != "":
		return HasClaimed(h.User, plan, h.Machine, h.Since)
	}
	text := h.User
	if h.PID > 0 {
		text = fmt.Sprintf("the agent of process %d", h.PID)
	}
	switch {
	case h.Finished:
		text = h.User + " has carried out " + plan
	case h.Since.IsZero():
		text += " is working on " + plan
	default:
		text += " has been working on " + plan
	}
	if h.Dir != "" {
		text += " in the worktree " + h.Dir
	}
	if h.Finished {
		return text + ", and its summary is due"
	}
	if !h.Since.IsZero() {
		text += " since " + Minute(h.Since)
	}
	if h.Tasks > 0 {
		text += fmt.Sprintf(", %d of %d complete", h.Settled, h.Tasks)
	}
	return text
}

// HasClaimed says who has claimed a plan, where and since when.
func HasClaimed(user, plan, machine string, since time.Time) string {
	return user + " has claimed " + plan + " at " + machine + " since " + Minute(since)
}

// HowToTake says how a plan is taken over: that is for people to decide, so no command that does it is printed.
var HowToTake = action.Action{Kind: action.HowToTake}

// NoSession is the error for a user who has no session.
func NoSession(name string) *problem.Error {
	return problem.Fail(problem.MissingInput, "", "no session: %s does not exist", name).Try(action.Action{Kind: action.ShowSession})
}

// CorruptSession is the error for a session that cannot be read as one.
func CorruptSession(r *Report) *problem.Error {
	if err := r.Conflict(); err != nil {
		failed := problem.ReadFailed(r.Path, 0, err)
		failed.Hint = "resolve the merge, then run the command again; nothing was changed. `gsd archive` archives the session as it is"
		return failed
	}
	return problem.Fail(problem.BadData, "`gsd bootstrap PLAN` archives it and starts a new one", "%s is not a session: %s", r.Path,
		r.Corrupt)
}

// leastPrefix is how many characters of an ID name one. A shorter number may be meant for that of a task.
const leastPrefix = 4

// ByPrefix finds the item with that ID, else the only one whose ID has it as a prefix; more reports that there are several.
func ByPrefix[T any](all []T, id string, idOf func(*T) string) (found *T, more bool) {
	for i := range all {
		switch s := idOf(&all[i]); {
		case s == id:
			return &all[i], false
		case len(id) >= leastPrefix && strings.HasPrefix(s, id):
			more = more || found != nil
			found = &all[i]
		}
	}
	return found, more
}

// PlanInText returns the ID of the plan of a session, or if it has none, the name of its file; empty for none.
func (r *Report) PlanInText() string { return cmp.Or(r.ID, PlanInText(r.On)) }

// PlanInText returns a plan's ID as far as its path tells it, or if it has none, the name of its file.
func PlanInText(plan string) string {
	if id, ok := planref.PlanID(plan); ok || plan == "" {
		return id
	}
	return path.Base(plan)
}

// Switched says that another run has switched the session to a plan, of which the caller's run has not heard. The plan is in text.
func Switched(plan string, by *run.Run) string {
	return fmt.Sprintf("your run was on another plan when the session was switched to %s, by %s", plan, by.Who())
}

// Counted is a number with the right form of what is counted: "1 task", "2 tasks".
func Counted(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// SettledWord says what the tasks of a plan are on which nothing is left to do, given whether any was skipped.
func SettledWord(skipped bool) string {
	if skipped {
		return "complete or skipped"
	}
	return "complete"
}
