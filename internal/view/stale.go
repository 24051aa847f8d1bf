package view

import (
	"fmt"

	"github.com/gsd-cli/gsd/internal/answer"
)

// StaleWord says what a reason of a stale session means; "" if gsd does not know the reason.
func StaleWord(reason answer.StaleReason) string { return staleWords[reason] }

// StaleDetail says why a session is stale, with the particulars.
func StaleDetail(s answer.Staleness) string {
	switch s.Reason {
	case answer.PlanMissing:
		if s.Moved != "" {
			return s.Plan + " no longer exists; it is now " + s.Moved
		}
		return s.Plan + " no longer exists"
	case answer.PlanCompleted:
		return s.Summary + " exists"
	case answer.PhaseAdvanced:
		return advancedWords(&s)
	case answer.TaskCount:
		return fmt.Sprintf("the session has %s, the plan %d", Count(s.SessionTasks, "task"), s.PlanTasks)
	}
	return ""
}

// advancedWords says how the roadmap has moved on past the plan's phase.
func advancedWords(s *answer.Staleness) string {
	says := "the plan's phase is not in " + s.Roadmap
	if s.Phase != "" {
		says = "phase " + s.Phase + " is " + s.Status
		if s.Line > 0 {
			says += fmt.Sprintf(" (%s:%d)", s.Roadmap, s.Line)
		}
	}
	before := "; in progress: "
	for _, p := range s.InProgress {
		says += fmt.Sprintf("%sphase %s (%s:%d)", before, p.Phase, s.Roadmap, p.Line)
		before = ", "
	}
	if s.More > 0 {
		says += fmt.Sprintf(", and %d more", s.More)
	}
	return says
}
