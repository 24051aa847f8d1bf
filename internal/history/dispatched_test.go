package history_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/planfile"
)

// dispatched says how far the first plan of a project is for an agent that is sent to carry it out, as in TestSoFar.
func dispatched(t *testing.T, p *app.Project) (words string, progress *answer.PlanProgress, file *planfile.File) {
	t.Helper()
	r, err := p.Hydrate(user)
	if err != nil {
		t.Fatal(err)
	}
	if file, err = p.Planning.ReadPlan(plan(1)); err != nil {
		t.Fatal(err)
	}
	progress, _ = history.Dispatched(p.Project, r, plan(1), file)
	return soFar(progress), progress, file
}

// TestDispatchedFresh: of a session that was started with --fresh, commits since count of what was not started before; of what was set back,
// they are named.
func TestDispatchedFresh(t *testing.T) {
	t.Parallel()
	const year = 365 * 24 * 60
	p, _ := newWorld(t)
	write(t, filepath.Join(p.Dir, plan(1)), apptest.TasksOf("Task 1: Dig the pit", "Task 2: Lay the grate"))
	commitAll(t, p, -year-1, "docs: plan")
	write(t, filepath.Join(p.Dir, "pit"), "x")
	commitAll(t, p, -year, "feat(03-01): dig the pit")
	if _, err := p.Bootstrap(t.Context(), app.BootstrapOptions{User: user, Plan: plan(1), Fresh: true}); err != nil {
		t.Fatal(err)
	}
	if got, _, _ := dispatched(t, again(t, p, p.Dir)); got != "p0 p0 1 by 0" {
		t.Errorf("before: %q", got)
	}
	write(t, filepath.Join(p.Dir, "grate"), "x")
	commitAll(t, p, year, "feat(03-01): lay the grate")
	if got, _, _ := dispatched(t, again(t, p, p.Dir)); got != "p0 c1 1 by 1" {
		t.Errorf("since: %q", got)
	}
	write(t, filepath.Join(p.Dir, "pit"), "y")
	commitAll(t, p, year+1, "feat(03-01): dig the pit")
	if got, _, _ := dispatched(t, again(t, p, p.Dir)); got != "p2 c1 1 by 1" {
		t.Errorf("all: %q", got)
	}
}

// TestDispatchedElsewhere: marks of a worktree that was removed count, and commits of one that is there are named with it.
func TestDispatchedElsewhere(t *testing.T) {
	t.Parallel()
	p, other, _ := twoTrees(t)
	on(t, other, user, 1)
	write(t, filepath.Join(other.Dir, "a"), "x")
	commitAll(t, other, 5, "feat: a")
	on(t, other, user, 1, complete)
	follow(t, p, other)
	write(t, filepath.Join(other.Dir, "b"), "x")
	commitAll(t, other, 10, "feat(03-01): A0")
	write(t, filepath.Join(other.Dir, "c"), "x")
	commitAll(t, other, 20, "feat(03-01): B0")
	elsewhere := ""
	for _, there := range history.BranchesOf(p.Project, "ada", plan(1)) {
		elsewhere += fmt.Sprint(there.Worktree == other.Dir, there.Tasks, len(there.Commits), "; ")
	}
	if want := "true [1 2] 2; "; elsewhere != want {
		t.Errorf("elsewhere %q, want %q", elsewhere, want)
	}
	os.RemoveAll(other.Dir)
	os.RemoveAll(filepath.Join(p.Dir, ".git/worktrees"))
	if got, _, _ := dispatched(t, again(t, p, p.Dir)); got != "c0 p0 p0 former 2 by 0" {
		t.Errorf("after it was removed: %q", got)
	}
}
