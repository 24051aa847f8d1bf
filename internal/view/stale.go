package view

import (
	"fmt"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/project"
)

// StaleWord says what a reason of a stale session means; "" if gsd does not know the reason.
func StaleWord(reason app.StaleReason) string { return staleWords[reason] }

// StaleDetail says why a session is stale, with the particulars.
func StaleDetail(s app.Staleness) string {
	switch s.Reason {
	case app.PlanMissing:
		if s.Moved != "" {
			return s.Plan + " no longer exists; it is now " + s.Moved
		}
		return s.Plan + " no longer exists"
	case app.PlanCompleted:
		return s.Summary + " exists"
	case app.PhaseAdvanced:
		return advancedWords(&s)
	case app.TaskCount:
		return fmt.Sprintf("the session has %s, the plan %d", Count(s.SessionTasks, "task"), s.PlanTasks)
	case app.OtherStream:
		return "it is that of " + project.RootWords(s.Root) + ", and " + project.RootWords(s.Set) + " is set; with " + project.RootSetting(s.Root) + " it continues"
	}
	return ""
}

// advancedWords says how the roadmap has moved on past the plan's phase.
func advancedWords(s *app.Staleness) string {
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
