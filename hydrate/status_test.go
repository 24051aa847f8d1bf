package hydrate

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func statusOf(t *testing.T, p *Project, user string) *Status {
	t.Helper()
	st, err := p.Status(StatusOptions{User: user})
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

// with adds a roadmap to files.
func with(files map[string]string, roadmap string) map[string]string {
	if roadmap != "" {
		files["ROADMAP.md"] = roadmap
	}
	return files
}

// positionText shows a position: `v1.1 New, phase 3 Web: 2 of 4 phases, 1 done; plan 2 of 3, 1 done; 4 of 9 plans, 44 %`.
func positionText(p Position) string {
	text := ""
	if p.Milestone != "" {
		text = p.Milestone + ", "
	}
	return fmt.Sprintf("%sphase %s %s: %d of %d phases, %d done; plan %d of %d, %d done; %d of %d plans, %d %%",
		text, p.Phase, p.PhaseName, p.PhaseIndex, p.Phases, p.PhasesDone, p.Plan, p.Plans, p.PlansDone, p.AllDone, p.AllPlans, p.Percent)
}

func TestStatusPosition(t *testing.T) {
	const (
		one   = "phases/01-a/01-01-PLAN.md phases/01-a/01-01-SUMMARY.md "
		two   = "phases/02-b/02-01-PLAN.md phases/02-b/02-01-SUMMARY.md phases/02-b/02-02-PLAN.md phases/02-b/02-03-PLAN.md "
		three = "phases/03-web-ui/03-01-PLAN.md "
	)
	for _, c := range []struct{ name, files, roadmap, want string }{
		{"empty", "", "", "phase  : 0 of 0 phases, 0 done; plan 0 of 0, 0 done; 0 of 0 plans, -1 %"},
		{"disk alone", one + two + three, "", "phase 2 b: 2 of 3 phases, 1 done; plan 2 of 3, 1 done; 2 of 5 plans, 33 %"},
		{"roadmap alone", "", "### Phase 1: A\n### Phase 2: B\n", "phase 1 A: 1 of 2 phases, 0 done; plan 0 of 0, 0 done; 0 of 0 plans, 0 %"},
		{
			"both", one + two, "- [x] Phase 1: Alpha\n- [ ] Phase 2: Beta\n- [ ] Phase 3: Gamma (0/4 plans)\n",
			"phase 2 Beta: 2 of 3 phases, 1 done; plan 2 of 3, 1 done; 2 of 4 plans, 33 %",
		},
		{"to be planned", one, "- [x] Phase 1: A\n- [ ] Phase 2: B\n", "phase 2 B: 2 of 2 phases, 1 done; plan 0 of 0, 0 done; 1 of 1 plans, 50 %"},
		{"all done", one, "- [x] Phase 1: A\n", "phase  : 0 of 1 phases, 1 done; plan 0 of 0, 0 done; 1 of 1 plans, 100 %"},
		{
			"of a milestone", one + three, "## v1.0 Old (shipped)\n### Phase 1: A\n## v1.1 New\n### Phase 2: B\n### Phase 3: C\n",
			"v1.1 New, phase 3 C: 2 of 2 phases, 0 done; plan 1 of 1, 0 done; 0 of 1 plans, 0 %",
		},
		{
			"numbers that start again", "phases/01-n/01-01-PLAN.md milestones/v1.0-phases/01-o/01-01-PLAN.md milestones/v1.0-phases/01-o/01-01-SUMMARY.md",
			"## v1.0 Old (shipped)\n### Phase 1: A\n## v1.1 New\n### Phase 1: Eins\n### Phase 2: Zwei\n",
			"v1.1 New, phase 1 Eins: 1 of 2 phases, 0 done; plan 1 of 1, 0 done; 0 of 1 plans, 0 %",
		},
		{"no number", "phases/setup/07-01-PLAN.md", "", "phase  setup: 1 of 1 phases, 0 done; plan 1 of 1, 0 done; 0 of 1 plans, 0 %"},
	} {
		t.Run(c.name, func(t *testing.T) {
			st := statusOf(t, projectOf(t, with(filesIn(c.files), c.roadmap)), "ada")
			if got := positionText(st.Position); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			current := 0
			for _, ph := range st.Phases {
				if ph.Current {
					current++
				}
			}
			if (current == 1) != (st.Position.PhaseIndex > 0) || current > 1 {
				t.Errorf("%d phases are current, the position's is number %d", current, st.Position.PhaseIndex)
			}
		})
	}
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
	dirs := p.WatchDirs()
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
