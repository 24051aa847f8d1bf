package history_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/history"
)

// TestLeftBehind: of a worktree that was removed, the main one names the session that was there, unless nothing of it is missing.
func TestLeftBehind(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		do   func(t *testing.T, p, other *app.Project) // before it is removed
		want string                                    // the words of the command; "" for no session that is named
	}{
		{"unfinished", func(t *testing.T, _, other *app.Project) { on(t, other, user, 1, complete) }, "gsd restore ID"},
		{"nothing was done", func(t *testing.T, _, other *app.Project) { on(t, other, user, 1) }, ""},
		{"all was done, but for the summary", func(t *testing.T, _, other *app.Project) { on(t, other, user, 1, complete, complete, complete) }, "gsd restore ID"},
		{"the plan has its summary here", func(t *testing.T, p, other *app.Project) {
			on(t, other, user, 1, complete)
			write(t, filepath.Join(p.Dir, ".planning/phases/03-api/03-01-SUMMARY.md"), "x")
		}, ""},
		{"the plan is gone", func(t *testing.T, p, other *app.Project) {
			on(t, other, user, 1, complete)
			os.Remove(filepath.Join(p.Dir, plan(1)))
		}, "gsd restore --list"},
		{"it was archived there", func(t *testing.T, _, other *app.Project) {
			on(t, other, user, 1, complete)
			on(t, other, user, 2)
		}, ""},
		{"another user's", func(t *testing.T, _, other *app.Project) { on(t, other, "bob", 1, complete) }, ""},
		{"a session on another plan is here", func(t *testing.T, p, other *app.Project) {
			on(t, other, user, 1, complete)
			on(t, p, user, 2)
		}, "gsd restore ID, in-place"},
		{"the session here has as much", func(t *testing.T, p, other *app.Project) {
			on(t, other, user, 1, complete)
			on(t, p, user, 1, complete, complete)
		}, ""},
		{"the session here has less", func(t *testing.T, p, other *app.Project) {
			on(t, p, user, 1)
			on(t, other, user, 1, complete)
		}, "gsd restore ID, in-place"},
	} {
		p, other, _ := twoTrees(t)
		test.do(t, p, other)
		os.RemoveAll(other.Dir)
		os.RemoveAll(filepath.Join(p.Dir, ".git/worktrees"))
		q := again(t, p, p.Dir)
		r, err := q.Hydrate(user)
		if err != nil {
			t.Fatal(err)
		}
		lost, _, _ := history.LostOf(q.Project, r)
		got := ""
		for _, l := range lost {
			suggested := l.Restore()
			if suggested.ID == l.ID {
				suggested.ID = "ID"
			}
			got += strings.TrimSuffix(action.Line(suggested.Words())+", "+string(suggested.Replaces), ", ")
			if l.Why != answer.LostBehind || l.Project != other.Dir {
				t.Errorf("%s: %s, of %s", test.name, l.Why, l.Project)
			}
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestMovedWorktree: a session whose worktree was moved is not lost, until that is removed, too.
func TestMovedWorktree(t *testing.T) {
	t.Parallel()
	p, other, _ := twoTrees(t)
	on(t, other, user, 1, complete)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = p.Dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	lost := func() int {
		t.Helper()
		q := again(t, p, p.Dir)
		r, err := q.Hydrate(user)
		if err != nil {
			t.Fatal(err)
		}
		all, _, _ := history.LostOf(q.Project, r)
		return len(all)
	}
	moved := filepath.Join(t.TempDir(), "moved")
	git("worktree", "move", other.Dir, moved)
	if n := lost(); n > 0 {
		t.Errorf("%d sessions are lost after a move", n)
	}
	git("worktree", "remove", "--force", moved)
	if n := lost(); n != 1 {
		t.Errorf("%d sessions are lost after the removal", n)
	}
}
