package view

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/text"
)

// longestInNotice is how many characters of a task's name a notice has.
const longestInNotice = 60

// Notice returns one line for the person who starts a conversation, because only the model reads the brief: what was
// left in progress or lost, that the session is stale, that a plan is in flight without one, or that somebody else is at work on the session. It is
// empty if there is nothing of that kind. The report may still lack the runs. The line is not cleaned as a whole; agent.Render does that.
func Notice(r *answer.Report) string {
	var says []string
	say := func(format string, args ...any) { says = append(says, fmt.Sprintf(format, args...)) }
	plan := cmp.Or(Title(r.PlanInText()), "the plan")
	if r.Verdict == answer.Stale {
		say("the session on %s is stale: %s", plan, strings.Join(staleReasons(r.Stale), ", "))
	} else if r.Resume != nil {
		if left := r.Resume.FirstLeft(); left != nil {
			say("task %d of %s %s: %s", left.Number, plan, stoppedWords(left.State, "", othersHold(r)), inNotice(left.Task))
			if r.Resume.Number != left.Number {
				say("task %d is next: %s", r.Resume.Number, inNotice(r.Resume.Task))
			}
		}
	} else if n := r.Next; r.Verdict == answer.None && n != nil && (r.Recovery == nil || len(r.Recovery.Lost) == 0) {
		plan := Title(cmp.Or(n.ID, answer.PlanInText(n.Plan)))
		switch {
		case len(n.Branches) > 0:
			say("%s is in flight: %s", plan, BranchWords(&n.Branches[0]).String())
		case n.Progress != nil:
			say("%s is in flight, without a session: %s", plan, progressWords(n.Progress))
			if at := n.Progress.Resume; at != nil {
				say("task %d is next: %s", at.Number, inNotice(at.Task))
			}
		}
	}
	if len(r.AtWork) > 0 && r.Verdict != answer.None {
		orOver := ""
		if unsure(&r.AtWork[0]) != "" { // the line may be cut
			orOver = ", or over"
		}
		say("at work on the same session%s: %s", orOver, r.AtWork[0].Who())
	} else if r.JustStarted != "" {
		say("%s", r.JustStarted)
	}
	if r.Recovery != nil && len(r.Recovery.Lost) > 0 {
		lost := &r.Recovery.Lost[0]
		say("the session on %s was lost (%s)%s", Title(answer.PlanInText(lost.Plan)), tasksDone(lost.Done, lost.Skipped, lost.Total), then(lost.Restore()))
	}
	if len(says) == 0 {
		return ""
	}
	return "gsd: " + strings.Join(says, "; ")
}

// inNotice is what a notice calls a task.
func inNotice(t progress.Task) string { return text.Cut(TaskTitle(t.Name, t.Number), longestInNotice) }
