package history_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/history"
)

// TestWorktreesAreLookedAtInNeed: a task to resume, which is what most calls are about, costs no look at any other worktree.
func TestWorktreesAreLookedAtInNeed(t *testing.T) {
	p := projectOf(t, filesIn("phases/01-a/01-01-PLAN.md phases/01-a/01-02-PLAN.md"))
	commitAll(t, p, 0, "docs: plan")
	other := filepath.Join(t.TempDir(), "other")
	cmd := exec.Command("git", "worktree", "add", "-q", "--detach", other)
	cmd.Dir = p.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	startOn(t, p, user, "phases/01-a/01-01-PLAN.md", 1)
	for _, live := range []bool{true, false} {
		if !live {
			startOn(t, p, user, "phases/01-a/01-01-PLAN.md", 2)
		}
		p := reopen(t, p.Dir)
		if r, err := p.HydrateAll(user); err != nil || (r.Verdict == answer.Resume) != live || (p.Others == nil) != live {
			t.Errorf("%v, %v: worktrees were read: %v", r.Verdict, err, p.Others != nil)
		}
	}

	// The other worktree knows of it, and where the file is.
	main := p.Dir
	p = reopen(t, other)
	found := history.Elsewhere(p.Project, user)
	if len(found) != 1 || found[0].User != user || found[0].Done != 2 || found[0].File != filepath.Join(main, found[0].Path) {
		t.Errorf("%+v", found)
	}

	// What happens there while a command waits for its guard is seen under it.
	p, there := reopen(t, main), reopen(t, other)
	for n := range 2 {
		startOn(t, there, "bob", "phases/01-a/01-02-PLAN.md", n)
		p.Forget()
		if claims := history.ClaimsHere(p.Project, user); len(claims) != 1 || claims[0].Settled != n {
			t.Errorf("%d tasks are complete there: %+v", n, claims)
		}
	}
}
