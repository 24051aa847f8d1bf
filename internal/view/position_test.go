package view

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/status"
)

// TestShares: work is one thing, and what was verified another.
func TestShares(t *testing.T) {
	for _, c := range []struct {
		at   status.Position
		want string
	}{
		{status.Position{Phases: 8, PhasesDone: 2, AllPlans: 9, AllDone: 9}, "2 of 8 phases complete, 9 of 9 plans done; There is no current phase"},
		{status.Position{Phases: 2, PhasesDone: 2, AllPlans: 9, AllDone: 9}, "9 of 9 plans done, 2 of 2 phases complete; Every phase is complete"},
		{status.Position{Phases: 2, PhasesDone: 2, AllPlans: 9, AllDone: 8}, "8 of 9 plans done, 2 of 2 phases complete; There is no current phase"},
		{
			status.Position{Phases: 2, PhasesDone: 2, AllPlans: 9, AllDone: 9, Unverified: []string{"7"}},
			"9 of 9 plans done, 2 of 2 phases done (phase 7 not verified); Every phase is done, but not verified",
		},
		{
			status.Position{Phases: 3, PhasesDone: 2, AllPlans: 9, AllDone: 9, Unverified: []string{"1", "2"}},
			"2 of 3 phases done (phases 1, 2 not verified), 9 of 9 plans done; There is no current phase",
		},
		{
			status.Position{Phases: 9, PhasesDone: 5, AllPlans: 9, AllDone: 9, Unverified: []string{"1", "2", "3"}},
			"5 of 9 phases done (3 not verified), 9 of 9 plans done; There is no current phase",
		},
	} {
		if got := Shares(c.at) + "; " + NoPhase(c.at); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
