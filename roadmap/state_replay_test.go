package roadmap

// state_replay_test.go holds the laws of STATE.md against every version of the file in real histories
// (../shared/replay/README.md).

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
)

func TestStateReplay(t *testing.T) {
	versions, phases, updates, broken := 0, 0, 0, 0
	for _, bundle := range replayBundles(t) {
		name := strings.TrimSuffix(filepath.Base(bundle), ".bundle")
		g := openBundle(t, bundle)
		seen := map[string]bool{}
		for _, commit := range g.commits(readEvents(t, filepath.Join(replayDir, name+".jsonl"))) {
			src, ok := g.get(commit + ":.planning/STATE.md")
			if !ok || seen[string(src)] {
				continue
			}
			seen[string(src)] = true
			versions++
			facts := ReadState(src)
			if facts.Section == 0 {
				t.Errorf("%s %s: no section", name, commit)
			}
			if len(facts.Warnings) > 0 {
				broken++ // upstream wrote texts with a colon in them without quotes
			}
			phase, at := facts.Phase()
			if at > 0 {
				phases++
			}
			if bad := checkStateSaid(src); bad != "" {
				t.Errorf("%s %s: %s", name, commit, bad)
			}
			for i, p := range replayPositions(phase, facts) {
				bad, edits := checkStateLaws(src, p)
				if bad != "" {
					t.Errorf("%s %s, position %d: %s", name, commit, i, bad)
				}
				if len(edits) > 0 {
					updates++
				}
				if _, edits := statePass(src, p.clean()); len(edits) > 0 {
					if out, _ := UpdateState(src, p); string(out) == string(src) {
						t.Errorf("%s %s, position %d: a change that does not settle: %v", name, commit, i, edits)
					}
				}
			}
		}
	}
	t.Logf("%d versions, %d with a phase, %d with broken front matter, %d updates", versions, phases, broken, updates)
	if versions < 500 || phases*10 < versions*8 || broken*20 > versions {
		t.Errorf("%d versions, %d of them with a phase", versions, phases)
	}
}

// replayPositions are places where a project may be that says facts: on in the phase, at its end, in the next.
func replayPositions(phase planref.Number, facts StateFacts) []StatePosition {
	day := time.Date(2030, 1, 18, 12, 0, 0, 0, time.UTC)
	next := number("1")
	if !phase.IsZero() {
		next = number(stateDigits(small(phase.String()[:digits(phase.String())])+1, ""))
	}
	body := facts.Body
	return []StatePosition{
		{
			Phase: phase, PhaseName: body.PhaseName, Plan: body.Plan + 1, Plans: max(body.Plan+1, body.Plans),
			Status: StateInProgress, LastActivity: day, LastWhat: "Completed a plan", DonePlans: 7, TotalPlans: 20,
		},
		{Phase: phase, Plan: 3, Plans: 3, Status: statePhaseComplete, DonePhases: 2, TotalPhases: 9},
		{
			Milestone: "7.1", MilestoneName: "Polish", Phase: next, PhaseName: "Web & Forms", Phases: 40, Plans: 4,
			Status: StateReadyToExecute, LastActivity: day, DonePhases: 3, TotalPhases: 9, DonePlans: 11, TotalPlans: 20,
		},
		{Phase: next, PhaseName: "Web", Status: StateReadyToPlan},
		{Status: StateMilestoneComplete, DonePhases: 9, TotalPhases: 9, DonePlans: 20, TotalPlans: 20},
	}
}

// commits lists the commits of the events and all that they came from, reading each commit's parents.
func (g *gitObjects) commits(events []event) []string {
	g.t.Helper()
	var list []string
	seen := map[string]bool{}
	for _, ev := range events {
		if !seen[ev.After] {
			seen[ev.After] = true
			list = append(list, ev.After)
		}
	}
	for i := 0; i < len(list); i++ {
		body, _ := g.get(list[i])
		head, _, _ := strings.Cut(string(body), "\n\n")
		for _, l := range strings.Split(head, "\n") {
			if parent, ok := strings.CutPrefix(l, "parent "); ok && !seen[parent] {
				seen[parent] = true
				list = append(list, parent)
			}
		}
	}
	return list
}
