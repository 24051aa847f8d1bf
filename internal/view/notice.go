package view

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/text"
)

// longestInNotice is how many characters of a task's name a notice has.
const longestInNotice = 60

// Notice returns one line for the person who starts a conversation, because only the model reads the brief: what was
// left in progress or lost, that the session is stale, or that somebody else is at work on it. It is empty if there is nothing of
// that kind. The report may still lack the runs. The line is not cleaned as a whole; agent.Render does that.
func Notice(r *answer.Report) string {
	var says []string
	say := func(format string, args ...any) { says = append(says, fmt.Sprintf(format, args...)) }
	plan := cmp.Or(Title(r.PlanInText()), "the plan")
	if r.Verdict == answer.Stale {
		say("the session on %s is stale: %s", plan, strings.Join(staleReasons(r.Stale), ", "))
	} else if r.Resume != nil {
		if left := r.Resume.FirstLeft(); left != nil {
			say("task %d of %s %s: %s", left.Number, plan, stoppedWords(left.State, "", othersHold(r)), text.Cut(TaskTitle(left.Name, left.Number), longestInNotice))
		}
	}
	if len(r.AtWork) > 0 {
		say("at work on the same session: %s%s", r.AtWork[0].Who(), unsure(&r.AtWork[0]))
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
