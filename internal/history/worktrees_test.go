package history_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/history"
)

func TestWatchDirs(t *testing.T) {
	p := projectOf(t, filesIn("phases/03-a/03-01-PLAN.md phases/03-a/plans/old/deep/er/x.md sessions/ada/x ROADMAP.md workstreams/web/phases/01-w/x.md"))
	if err := os.Symlink(t.TempDir(), filepath.Join(p.Dir, ".planning", "link")); err != nil {
		t.Log("no links here: ", err)
	}
	// What git makes, as far as it matters here.
	for _, dir := range []string{"objects", "refs/heads", "logs"} {
		if err := os.MkdirAll(filepath.Join(p.Dir, ".git", filepath.FromSlash(dir)), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(p.Dir, ".git", "HEAD"), "ref: refs/heads/main\n")
	dirs := history.WatchDirs(p.Project)
	has := func(name string) bool { return slices.Contains(dirs, filepath.Join(p.Dir, filepath.FromSlash(name))) }
	if dirs[0] != filepath.Join(p.Dir, ".planning") {
		t.Errorf("the first is %s", dirs[0])
	}
	for _, name := range []string{
		".planning/phases", ".planning/phases/03-a", ".planning/phases/03-a/plans", ".planning/sessions/ada", ".planning/workstreams/web/phases/01-w", ".git", ".git/logs", ".git/refs/heads",
	} {
		if !has(name) {
			t.Errorf("%s is not watched", name)
		}
	}
	for _, name := range []string{".planning/ROADMAP.md", ".planning/link", ".planning/phases/03-a/plans/old/deep", "."} {
		if has(name) {
			t.Errorf("%s is watched", name)
		}
	}
	seen := map[string]bool{}
	for _, dir := range dirs {
		if seen[dir] || !filepath.IsAbs(dir) {
			t.Errorf("%s is there twice, or not absolute", dir)
		}
		seen[dir] = true
	}
}

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
		if r, err := p.HydrateAll(user, time.Now()); err != nil || (r.Verdict == hydrate.Resume) != live || (p.Others == nil) != live {
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
	if dirs := history.WatchDirs(p.Project); !slices.Contains(dirs, filepath.Join(main, sessionsPath)) {
		t.Errorf("a change there is not seen: %q", dirs)
	}
}
