package statefile

// replay_test.go checks the laws on every version of STATE.md in real histories: no word of a person is lost, nothing
// goes backwards, and only whole values change.

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/replay"
	"github.com/gsd-cli/gsd/internal/testenv"
)

func TestReplay(t *testing.T) {
	versions, phases, broken := 0, 0, 0
	counts := map[string]int{}
	for _, bundle := range replay.Bundles(t, ".") {
		objects := replay.Open(t, bundle)
		for id := range strings.FieldsSeq(objects.Git("rev-list", "--all", "--", ".planning/STATE.md")) {
			src, ok := objects.Get(id + ":.planning/STATE.md")
			if !ok {
				continue
			}
			versions++
			facts := Read(src)
			if len(facts.Problems) > 0 && facts.Problems[0].Line == 0 {
				t.Errorf("%s %s: no section", bundle, id)
			}
			if len(facts.Problems) > 0 {
				broken++ // upstream wrote texts with a colon in them without quotes
			}
			if facts.PhaseLine > 0 {
				phases++
			}
			for name, p := range replayPositions(facts) {
				bad, edits, left := checkLaws(src, p)
				if bad != "" {
					t.Errorf("%s %s, %s: %s", bundle, id, name, bad)
				}
				counts[fmt.Sprintf("%-8s values updated", name)] += len(edits)
				for _, l := range left {
					counts[fmt.Sprintf("%-8s left, %s", name, l.Reason)]++
				}
				if i := slices.IndexFunc(edits, func(e Edit) bool { return e.Old != "0" }); name == "behind" && facts.PhaseLine > 0 && i >= 0 {
					t.Errorf("%s %s: a position behind the file edits %+v", bundle, id, edits[i])
				}
			}
		}
	}
	t.Logf("%d versions, %d with a phase, %d with a problem", versions, phases, broken)
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%s: %d", name, counts[name])
	}
	if versions < testenv.Count(20, 500) || phases*10 < versions*8 || broken*20 > versions {
		t.Errorf("%d versions, %d of them with a phase, %d with a problem", versions, phases, broken)
	}
}

// replayPositions returns possible positions of a project with these facts: further on in its phase, in the next one,
// and behind.
func replayPositions(facts Facts) map[string]Position {
	day := time.Date(2030, 1, 18, 12, 0, 0, 0, time.UTC)
	number := func(n int) planref.Number {
		number, _ := planref.ParseNumber(fmt.Sprint(max(n, 0)))
		return number
	}
	whole, _, _ := strings.Cut(facts.Phase.String(), ".")
	at := max(integer(strings.TrimRight(whole, "ABC")), 0)
	return map[string]Position{
		"on": {
			Phase: facts.Phase, Plan: 50, Plans: 50, Status: InProgress, LastActivity: day, LastWhat: "Completed a plan",
			DonePhases: 500, TotalPhases: 500, DonePlans: 1000, TotalPlans: 1001, Percent: 99,
		},
		"next": {
			Phase: number(at + 1), PhaseName: "Web & Forms", Plan: 1, Plans: 4, Status: ReadyToExecute,
			LastActivity: day, LastWhat: "Planned", DonePhases: 500, TotalPhases: 501, DonePlans: 1000, TotalPlans: 1001, Percent: 99,
		},
		"behind": {
			Phase: number(at - 1), Plan: 0, Plans: 1, Status: ReadyToPlan, TotalPhases: 1, TotalPlans: 1,
			LastActivity: day.AddDate(-30, 0, 0), LastWhat: "Planned",
		},
	}
}
