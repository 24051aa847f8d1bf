package verdict_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// TestPutCrumb: a breadcrumb is beside the session as long as the state directory cannot be written; the one updated last counts; and
// all move once one can.
func TestPutCrumb(t *testing.T) {
	p, _ := newWorld(t)
	bootstrapAt(t, p, planPath, now)
	state, id := p.StateDir, crumbsOf(t, p)[0].ID
	inState, _ := state.Crumb(id)
	own := p.Session(user)

	p.StateDir = ""
	c := inState
	c.Tasks[0].Status, c.Updated = planfile.Skipped, c.Updated.Add(time.Second)
	if err := p.PutCrumb(c); err != nil || !own.HasCrumbs() {
		t.Fatal(err)
	}
	archived := c
	archived.Started, archived.Archive = "2026-01-01T00:00:00Z", "current-plan.20260101000000.stale"
	archived.Repository, archived.Below = filepath.Join(p.Dir, "elsewhere"), "."
	archived.ID = session.CrumbID(p.Dir, user, archived.Plan, archived.Started)
	if err := p.PutCrumb(archived); err != nil {
		t.Fatal(err)
	}
	if all, err := p.CrumbsOf(nil, user, ""); err != nil || len(all.Good) != 2 {
		t.Errorf("%+v, %v", all, err)
	}

	// With both, the later one counts, and of two of one time the one here, for whatever is written there removes it.
	p.StateDir = state
	for _, test := range []struct {
		by   time.Duration
		want planfile.Status
	}{{0, planfile.Skipped}, {time.Second, planfile.Skipped}, {time.Minute, planfile.Pending}} {
		there := inState
		there.Tasks = append(there.Tasks[:0:0], there.Tasks...)
		there.Tasks[0].Status, there.Updated = planfile.Pending, inState.Updated.Add(test.by)
		if err := state.WriteCrumb(durable.Writer{}, there); err != nil {
			t.Fatal(err)
		}
		p.Forget()
		got, ok := p.Crumb(user, id)
		all, err := p.CrumbsOf(nil, user, "")
		if !ok || got.Tasks[0].Status != test.want || err != nil || len(all.Good) != 2 {
			t.Errorf("%v later: %v, %+v, %v, %v", test.by, ok, got, all, err)
		}
		for _, crumb := range append(all.Good, p.Latest(there)) {
			if crumb.ID == id && crumb.Tasks[0].Status != test.want {
				t.Errorf("%v later: %+v", test.by, crumb)
			}
		}
	}
	if got, ok := p.Crumb(user, archived.ID); !ok || got.Repository != "" {
		t.Errorf("%v, %+v: its repository is believed", ok, got)
	}

	if err := p.PutCrumb(inState); err != nil || own.HasCrumbs() {
		t.Errorf("they have not moved: %v", err)
	}
	if got, ok := state.Crumb(archived.ID); !ok || got.Archive == "" || got.Repository != "" {
		t.Errorf("%v, %+v", ok, got)
	}

	// One of another project is not kept beside the session.
	p.StateDir = session.StateDir(filepath.Join(t.TempDir(), "file", "gsd"))
	if err := os.WriteFile(filepath.Dir(string(p.StateDir)), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	c.Project = filepath.Join(p.Dir, "other")
	if err := p.PutCrumb(c); err == nil || verdict.IsInProject(err) || own.HasCrumbs() {
		t.Error(err)
	}
	if err := p.PutCrumb(inState); err != nil {
		t.Error(err)
	}
	if err := p.DropCrumb(user, id); err != nil || own.HasCrumbs() {
		t.Error(err)
	}
}
