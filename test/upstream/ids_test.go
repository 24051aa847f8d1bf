package upstream

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/status"
)

// In projects with any convention of ids, every id that status prints for a single plan means exactly that plan in
// every command that takes one. An id that several plans have is refused.
func TestIDs(t *testing.T) {
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		p := drawProject(t, "AUTH", "P001", "WEB_UI")
		n++
		at := filepath.Join(dir, fmt.Sprint(n))
		defer os.RemoveAll(at)
		if err := p.write(at); err != nil {
			t.Fatal(err)
		}
		open, err := app.Open(at)
		if err != nil {
			t.Fatal(err)
		}
		defer open.Close()
		status, err := status.Of(open, status.Options{User: "larch"})
		if err != nil {
			t.Fatal(err)
		}
		live, archived := map[string][]string{}, map[string][]string{} // plans by id
		for _, ph := range status.Phases {
			for _, plan := range ph.Plans {
				if ph.Archived {
					archived[plan.ID] = append(archived[plan.ID], plan.Path)
				} else {
					live[plan.ID] = append(live[plan.ID], plan.Path)
				}
			}
		}
		for id, plans := range live {
			delete(archived, id)
			checkID(t, open, at, id, plans)
		}
		for id, plans := range archived {
			checkID(t, open, at, id, plans)
		}
		if next := status.Next; next.ID != "" && len(live[next.ID]) == 1 && live[next.ID][0] != next.Plan {
			t.Errorf("next is %s, called %s as %s", next.Plan, next.ID, live[next.ID])
		}
	})
}

func checkID(t *rapid.T, p *app.Project, dir, id string, plans []string) {
	if id == "" {
		return
	}
	got, err := p.Planning.ResolvePlan(dir, id)
	switch {
	case len(plans) > 1:
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("matches %d plans", len(plans))) {
			t.Errorf("%s of %q: %s, %v", id, plans, got, err)
		}
	case err != nil || got != plans[0]:
		t.Errorf("%s of %s: %s, %v", id, plans[0], got, err)
	}
}
