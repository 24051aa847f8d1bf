package history_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/planfile"
)

// TestLastStatusCounts: of a task that was set here and in another worktree the status counts that was set last, whatever was done in the
// other worktree's file since, and whether the session here was switched away, archived or lost. What is pending or in progress there says
// nothing about this place.
func TestLastStatusCounts(t *testing.T) {
	t.Parallel()
	statuses := []planfile.Status{complete, planfile.Skipped, inProgress, pending}
	minute := func(n int) time.Time { return now.Add(time.Duration(n) * time.Minute) }
	mark := func(p *app.Project, task int, status planfile.Status, at time.Time) {
		t.Helper()
		if _, err := apptest.At(p, at).Mark(t.Context(), app.MarkOptions{User: user, Number: task, Status: status}); err != nil {
			t.Fatal(err)
		}
	}
	start := func(p *app.Project, n int, at time.Time) *app.Bootstrapped {
		t.Helper()
		done, err := apptest.At(again(t, p, p.Dir), at).Bootstrap(t.Context(), app.BootstrapOptions{User: user, Plan: plan(n), TakeOver: true})
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	cells := 0
	for _, here := range statuses {
		for _, there := range statuses {
			for _, hereLast := range []bool{true, false} {
				cells++
				how := []string{"switched", "archived", "lost"}[cells%3] // each pair of statuses in two of the three ways
				p, other, _ := twoTrees(t)
				start(p, 1, minute(0))
				start(other, 1, minute(0))
				write(t, filepath.Join(other.Dir, "made"), "x") // what is marked there comes here
				commitAll(t, other, 0, "feat: made")
				follow(t, p, other)
				want := here
				if hereLast {
					mark(other, 1, there, minute(1))
					mark(p, 1, here, minute(2))
				} else {
					mark(p, 1, here, minute(1))
					mark(other, 1, there, minute(2))
					if there.Settled() {
						want = there
					}
				}
				mark(other, 3, inProgress, minute(3)) // its file is the last one that changed
				switch how {
				case "switched":
					start(p, 2, minute(4))
				case "archived":
					if _, err := apptest.At(p, minute(4)).Archive(t.Context(), app.ArchiveOptions{User: user}); err != nil {
						t.Fatal(err)
					}
				default:
					if err := os.RemoveAll(filepath.Join(p.Dir, sessionsPath)); err != nil {
						t.Fatal(err)
					}
				}
				if got := start(p, 1, minute(5)).Report.Session.Tasks[0].Status; got != want {
					t.Errorf("%s here and %s there, here last: %v, %s: %s", here, there, hereLast, how, got)
				}
			}
		}
	}
}
