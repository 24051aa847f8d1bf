package verdict

import "testing"

func TestHaveSameID(t *testing.T) {
	t.Parallel()
	for a, same := range map[string]bool{"x/3-1-PLAN.md": false, ".planning/phases/3-a/3-1-PLAN.md": true, ".planning/phases/3-a/3-2-PLAN.md": false, ".planning/workstreams/w/phases/3-a/3-1-PLAN.md": false, ".planning/phases/3-a/PLAN.md": false} {
		if got := HaveSameID(".planning/phases/03-api/03-01-PLAN.md", a); got != same {
			t.Errorf("%s: %v", a, got)
		}
	}
}
