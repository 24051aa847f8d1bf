package hydrate_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/status"
)

func statusOf(t *testing.T, p *hydrate.Project, user string) *status.Status {
	t.Helper()
	st, err := status.Of(p, status.Options{User: user})
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// filesIn gives each of some names an empty file.
func filesIn(names string) map[string]string {
	files := map[string]string{}
	for _, name := range strings.Fields(names) {
		files[name] = ""
	}
	return files
}

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

func TestStatusWaiting(t *testing.T) {
	p := projectOf(t, map[string]string{"phases/03-a/03-01-PLAN.md": "", "phases/03-a/03-02-PLAN.md": "depends_on: [03-01]\n"})
	st, err := status.Of(p, status.Options{User: "ada", Timeline: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(st.Waiting) != 1 || st.Waiting[0].ID != "03-02" || len(st.Waiting[0].For) != 1 || st.Waiting[0].For[0].ID != "03-01" {
		t.Errorf("%+v", st.Waiting)
	}
}
