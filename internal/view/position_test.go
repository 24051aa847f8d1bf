package view

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/overview"
)

// TestShares: work is one thing, and what was verified another.
func TestShares(t *testing.T) {
	for _, c := range []struct {
		at   overview.Position
		want string
	}{
		{overview.Position{Phases: 8, PhasesDone: 2, AllPlans: 9, AllDone: 9}, "2 of 8 phases complete, 9 of 9 plans done; There is no current phase"},
		{overview.Position{Phases: 2, PhasesDone: 2, AllPlans: 9, AllDone: 9}, "9 of 9 plans done, 2 of 2 phases complete; Every phase is complete"},
		{overview.Position{Phases: 2, PhasesDone: 2, AllPlans: 9, AllDone: 8}, "8 of 9 plans done, 2 of 2 phases complete; There is no current phase"},
		{
			overview.Position{Phases: 2, PhasesDone: 2, AllPlans: 9, AllDone: 9, Unverified: []string{"7"}},
			"9 of 9 plans done, 2 of 2 phases done (phase 7 not verified); Every phase is done, but not verified",
		},
		{
			overview.Position{Phases: 3, PhasesDone: 2, AllPlans: 9, AllDone: 9, Unverified: []string{"1", "2"}},
			"2 of 3 phases done (phases 1, 2 not verified), 9 of 9 plans done; There is no current phase",
		},
		{
			overview.Position{Phases: 9, PhasesDone: 5, AllPlans: 9, AllDone: 9, Unverified: []string{"1", "2", "3"}},
			"5 of 9 phases done (3 not verified), 9 of 9 plans done; There is no current phase",
		},
	} {
		if got := Shares(c.at) + "; " + NoPhase(c.at); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestPhasePlace(t *testing.T) {
	for _, c := range []struct {
		phase        string
		index, count int
		want         string
	}{
		{"4", 4, 8, " of 8"},
		{"04", 4, 8, " of 8"},
		{"10", 2, 9, ", the 2nd of 9"},
		{"2.1", 3, 9, ", the 3rd of 9"},
		{"2", 1, 1, ", the only one"},
		{"AUTH", 1, 21, ", the 1st of 21"},
		{"30", 11, 40, ", the 11th of 40"},
		{"40", 23, 40, ", the 23rd of 40"},
		{"9", 0, 8, ""}, // it does not count
	} {
		if got := PhasePlace(overview.Position{Phase: c.phase, PhaseIndex: c.index, Phases: c.count}); got != c.want {
			t.Errorf("phase %s: %q, want %q", c.phase, got, c.want)
		}
	}
}
