package verdict

import (
	"testing"

	"github.com/gsd-cli/gsd/planfile"
)

// TestAdvances: which changes of a status are progress.
func TestAdvances(t *testing.T) {
	t.Parallel()
	for from, want := range map[planfile.Status]int{planfile.Pending: 3, planfile.InProgress: 2, planfile.Skipped: 1, planfile.Complete: 0, "odd": 0} {
		n := 0
		for _, to := range []planfile.Status{planfile.Pending, planfile.InProgress, planfile.Skipped, planfile.Complete} {
			if Advances(from, to) {
				n++
			}
		}
		if n != want {
			t.Errorf("%s advances to %d", from, n)
		}
	}
}

func TestHaveSameID(t *testing.T) {
	t.Parallel()
	for a, same := range map[string]bool{"x/3-1-PLAN.md": false, ".planning/phases/3-a/3-1-PLAN.md": true, ".planning/phases/3-a/3-2-PLAN.md": false, ".planning/workstreams/w/phases/3-a/3-1-PLAN.md": false, ".planning/phases/3-a/PLAN.md": false} {
		if got := HaveSameID(".planning/phases/03-api/03-01-PLAN.md", a); got != same {
			t.Errorf("%s: %v", a, got)
		}
	}
}
