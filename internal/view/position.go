package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/internal/layout"
	"github.com/gsd-cli/gsd/internal/overview"
)

// Overall returns the share that the bar of a whole project shows: the percentage, which is printed beside it, or else that of its
// plans.
func Overall(p overview.Position) (done, total int) {
	if p.Percent >= 0 {
		return p.Percent, 100
	}
	return p.AllDone, p.AllPlans
}

// Shares says how many plans and phases are done: first what the percentage is of, the smaller share of the two.
func Shares(p overview.Position) string {
	plans := fmt.Sprintf("%d of %s done", p.AllDone, Count(p.AllPlans, "plan"))
	phases := PhaseShare(p)
	switch {
	case p.Phases == 0:
		return plans
	case p.PhasesDone*p.AllPlans < p.AllDone*p.Phases:
		return phases + ", " + plans
	}
	return plans + ", " + phases
}

// PhaseShare says how many phases are complete, and if some wait for their verification how many are done.
func PhaseShare(p overview.Position) string {
	word := "complete"
	if len(p.Unverified) > 0 {
		word = "done"
	}
	return fmt.Sprintf("%d of %s %s%s", p.PhasesDone, Count(p.Phases, "phase"), word, notVerified(p))
}

// notVerified says which of the phases that are done wait for their verification, or of many how many.
func notVerified(p overview.Position) string {
	const most = 2
	numbers := make([]string, 0, most)
	for _, number := range p.Unverified[:min(len(p.Unverified), most)] {
		numbers = append(numbers, layout.Cut(Title(number), LongestNumber))
	}
	switch n := len(p.Unverified); {
	case n == 0:
		return ""
	case n == 1:
		return " (phase " + numbers[0] + " not verified)"
	case n > most:
		return fmt.Sprintf(" (%d not verified)", n)
	}
	return " (phases " + strings.Join(numbers, ", ") + " not verified)"
}

// PhasePlace says which of the phases that count the current one is, behind its number: phase 4 " of 8", but phase 10 ", the 2nd of 9"
// where the milestone begins with phase 9. It is empty if the phase does not count.
func PhasePlace(p overview.Position) string {
	switch number := strconv.Itoa(p.PhaseIndex); {
	case p.PhaseIndex == 0:
		return ""
	case strings.TrimLeft(p.Phase, "0") == number:
		return fmt.Sprintf(" of %d", p.Phases)
	case p.Phases == 1:
		return ", the only one"
	}
	return fmt.Sprintf(", the %s of %d", Ordinal(p.PhaseIndex), p.Phases)
}

// Ordinal returns the ordinal number of n in digits, such as 2nd.
func Ordinal(n int) string {
	ending := "th"
	if n/10%10 != 1 {
		switch n % 10 {
		case 1:
			ending = "st"
		case 2:
			ending = "nd"
		case 3:
			ending = "rd"
		}
	}
	return strconv.Itoa(n) + ending
}

// NoPhase describes a project that has no current phase.
func NoPhase(at overview.Position) string {
	switch {
	case len(at.Unverified) > 0 && at.PhasesDone >= at.Phases:
		return "Every phase is done, but not verified"
	case at.Phases > 0 && at.PhasesDone >= at.Phases && at.AllDone >= at.AllPlans:
		return "Every phase is complete"
	case at.Phases == 0 && at.AllPlans > 0 && at.AllDone >= at.AllPlans && at.Percent < 0:
		return "Every plan that was read is done"
	case at.Phases == 0 && at.AllPlans > 0 && at.AllDone >= at.AllPlans:
		return "Every plan is done"
	case at.Phases == 0 && at.AllPlans == 0:
		return "Nothing is planned yet"
	}
	return "There is no current phase"
}
