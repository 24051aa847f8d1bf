package history_test

import (
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/planfile"
)

// TestFinished: a plan only lacks its summary if the session that was archived last has all of its tasks complete or skipped, and nothing
// that was set since says otherwise.
func TestFinished(t *testing.T) {
	t.Parallel()
	type step struct {
		plan   int // to start on; 0 for the archive
		task   int // to set; 0 for none
		status planfile.Status
	}
	all := []step{{plan: 1}, {task: 1, status: complete}, {task: 2, status: complete}, {task: 3, status: planfile.Skipped}}
	for _, test := range []struct {
		name  string
		steps []step
		asked bool
		want  bool
	}{
		{"switched", append(all[:4:4], step{plan: 2}), true, true},
		{"archived", append(all[:4:4], step{}), true, true},
		{"not asked about", append(all[:4:4], step{}), false, false},
		{"a task is left", []step{{plan: 1}, {task: 1, status: complete}, {}}, true, false},
		{"never begun", []step{{plan: 1}, {}}, true, false},
		{"set back in a later session", append(all[:4:4], step{plan: 2}, step{plan: 1}, step{task: 1, status: pending}, step{}), true, false},
		{"set back, and done again", append(all[:4:4], step{task: 1, status: pending}, step{plan: 2}, step{plan: 1}, step{task: 1, status: complete}, step{}), true, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p, _, _ := twoTrees(t)
			at := now
			for _, s := range test.steps {
				at = at.Add(time.Minute)
				p := again(t, p, p.Dir)
				var err error
				switch {
				case s.task > 0:
					_, err = apptest.At(p, at).Mark(t.Context(), app.MarkOptions{User: user, Number: s.task, Status: s.status})
				case s.plan > 0:
					_, err = apptest.At(p, at).Bootstrap(t.Context(), app.BootstrapOptions{User: user, Plan: plan(s.plan)})
				default:
					_, err = apptest.At(p, at).Archive(t.Context(), app.ArchiveOptions{User: user})
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			p = again(t, p, p.Dir)
			r := p.Look(user)
			found := history.Finished(apptest.At(p, at.Add(time.Minute)).Project, r, func(path string) bool { return test.asked && path == plan(1) })
			planProgress := found[plan(1)]
			if (planProgress != nil) != test.want || len(found) > 1 {
				t.Fatalf("found %v", found)
			}
			if planProgress != nil && (planProgress.Resume != nil || progress.Count(planProgress.Tasks, planfile.Skipped) != 1) {
				t.Errorf("got %+v", planProgress)
			}
		})
	}
}
