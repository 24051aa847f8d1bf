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

func TestStatusMilestones(t *testing.T) {
	const roadmap = `# Roadmap: Boats
## Milestones
- v1.0 Raft
- v1.1 Canoe
- v1.2 Sail
- v2.0 Steam

## v1.0 Raft
### Phase 1: A
### Phase 2: B
## v1.1 Canoe
### Phase 3: C
### Phase 4: D
## v1.2 Sail (deferred)
### Phase 5: E
## v2.0 Steam
### Phase 6: F
### Phase 7: G
## v3.0 Rocket
### Phase 8: H
`
	p := projectOf(t, with(filesIn(`phases/03-c/03-01-PLAN.md phases/06-f/06-01-PLAN.md phases/05-e/05-01-PLAN.md phases/05-e/05-01-SUMMARY.md
		milestones/v1.0-phases/01-a/01-01-PLAN.md milestones/v1.0-phases/01-a/01-01-SUMMARY.md
		milestones/v1.0-phases/02-b/02-01-PLAN.md milestones/v1.0-phases/02-b/02-01-SUMMARY.md
		milestones/v0.9-phases/01-z/01-01-PLAN.md`), roadmap))
	st := statusOf(t, p, "ada")
	var got []string
	for _, m := range st.Milestones {
		text := fmt.Sprintf("%s %s: %s :%d %d/%d phases %d/%d plans", m.Label, m.Name, m.Status, m.Line, m.PhasesDone, m.Phases, m.PlansDone, m.Plans)
		if m.Current {
			text += " current"
		}
		got = append(got, text)
	}
	want := []string{
		"v0.9 : complete :0 0/1 phases 0/1 plans", // only its archive knows of it
		"v1.0 Raft: complete :8 2/2 phases 2/2 plans",
		"v1.1 Canoe: in progress :11 0/2 phases 0/1 plans current",
		"v1.2 Sail: deferred :14 1/1 phases 1/1 plans",
		"v2.0 Steam: not planned :16 0/2 phases 0/1 plans",
		"v3.0 Rocket: not planned :19 0/1 phases 0/0 plans",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if st.Project != "Boats" || st.Roadmap != ".planning/ROADMAP.md" || st.Root != ".planning" {
		t.Errorf("project %q, roadmap %q, root %q", st.Project, st.Roadmap, st.Root)
	}
	for _, ph := range st.Phases {
		if m := st.Milestones[ph.Milestone]; ph.Archived != (m.Label == "v0.9" || m.Label == "v1.0") {
			t.Errorf("phase %s of %s is archived: %v", ph.Number, m.Label, ph.Archived)
		}
	}
}

func TestStatusPlans(t *testing.T) {
	p := projectOf(t, with(filesIn(`phases/03-a/03-01-PLAN.md phases/03-a/03-01-SUMMARY.md phases/03-a/03-02-PLAN.md phases/03-a/03-03-PLAN.md
		phases/03-a/03-04-PLAN.md phases/03-a/03-05-PLAN.md phases/04-b/04-01-PLAN.md quick/001-x/001-PLAN.md quick/002-y/002-PLAN.md quick/002-y/002-SUMMARY.md`),
		"### Phase 3: A\n- [x] 03-01: Hull\n- [ ] 03-02-PLAN.md — Mast\n### Phase 4: B\n### Phase 5: C\n### Phase 6: D (deferred)\n"))
	startOn(t, p, "bob", "phases/04-b/04-01-PLAN.md", 0)
	startOn(t, p, "eve", "phases/03-a/03-05-PLAN.md", 2)
	commitAll(t, p, 0, "docs: plan")
	commitAll(t, p, 1, "feat(03-02): x")
	st := statusOf(t, p, "ada")
	var got []string
	for _, ph := range st.Phases {
		for _, plan := range slices.Concat([]StatusPlan{{ID: ph.Number, Title: ph.Name, Status: PlanStatus(ph.Status)}}, ph.Plans) {
			got = append(got, strings.TrimSpace(plan.ID+" "+plan.Title)+": "+string(plan.Status))
		}
	}
	for _, plan := range st.Quick {
		got = append(got, plan.ID+": "+string(plan.Status))
	}
	want := []string{
		"3 A: in progress", "03-01 Hull: done", "03-02 Mast: in flight", "03-03: ready", "03-04: ready", "03-05: in flight",
		"4 B: in progress", "04-01: in flight", "5 C: not planned", "6 D: deferred", "quick/001: open", "quick/002: done",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if st.Activity.What != "feat(03-02): x" || st.Activity.When.UTC().Format("15:04") != "12:01" {
		t.Errorf("activity %+v", st.Activity)
	}
}

func TestStatusSessions(t *testing.T) {
	p := projectOf(t, filesIn("phases/03-a/03-01-PLAN.md phases/03-a/03-02-PLAN.md phases/03-a/03-03-PLAN.md"))
	startOn(t, p, "mia", "phases/03-a/03-01-PLAN.md", 1)
	startOn(t, p, "bob", "phases/03-a/03-02-PLAN.md", 2)
	startOn(t, p, "ada", "phases/03-a/03-03-PLAN.md", 0)
	write(t, filepath.Join(p.Dir, ".planning/phases/03-a/03-03-SUMMARY.md"), "")
	write(t, filepath.Join(p.Dir, ".planning/sessions/kim/current-plan.md"), "no session at all\n")
	write(t, filepath.Join(p.Dir, ".planning/sessions/leo/notes.md"), "")
	if err := os.MkdirAll(filepath.Join(p.Dir, ".planning/sessions/eve/current-plan.md"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ user, order string }{
		{"mia", "mia ada bob kim"}, {"bob", "bob ada kim mia"}, {"zoe", "ada bob kim mia"}, {"eve", "ada bob kim mia"},
	} {
		st := statusOf(t, p, c.user)
		var order []string
		for _, s := range st.Sessions {
			order = append(order, s.User)
			if s.Own != (s.User == c.user) {
				t.Errorf("for %s: %s is own: %v", c.user, s.User, s.Own)
			}
		}
		if got := strings.Join(order, " "); got != c.order {
			t.Errorf("for %s: %s, want %s", c.user, got, c.order)
		}
		broken := slices.DeleteFunc(st.Warnings, func(w Warning) bool { return w.Code != SessionUnreadable })
		if len(broken) != 1 || !strings.Contains(broken[0].Detail, ".planning/sessions/eve/current-plan.md") {
			t.Errorf("for %s: warnings %+v", c.user, broken)
		}
	}
	st := statusOf(t, p, "mia")
	var got []string
	for _, s := range st.Sessions {
		got = append(got, fmt.Sprintf("%s %s %s %s %d/%d resume %d %s, %d reasons, started %d", s.User, s.ID, s.Verdict, s.Token, s.Done, s.Total, s.Resume, s.ResumeName, len(s.Stale), max(0, s.Started.Unix())))
		if s.Changed.IsZero() {
			t.Errorf("%s: nobody knows when it was written", s.User)
		}
	}
	want := []string{
		"mia 03-01 resume 2 1/2 resume 2 Two, 0 reasons, started 1000000000",
		"ada 03-03 stale STALE 0/2 resume 0 , 1 reasons, started 1000000000",
		"bob 03-02 complete ALL_COMPLETE 2/2 resume 0 , 0 reasons, started 1000000000",
		"kim  corrupt NO_SESSION 0/1 resume 0 , 0 reasons, started 0", // whatever is in it is one task
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestStatusWorkstreams(t *testing.T) {
	p := projectOf(t, filesIn(`phases/01-o/01-01-PLAN.md phases/01-o/01-01-SUMMARY.md workstreams/web/phases/01-w/01-01-PLAN.md workstreams/web/phases/01-w/01-01-SUMMARY.md
		workstreams/web/phases/01-w/01-02-PLAN.md workstreams/api/ROADMAP.md sub/phases/07-s/07-01-PLAN.md`))
	text := func(st *Status) string {
		var all []string
		for _, w := range st.Workstreams {
			all = append(all, fmt.Sprintf("%s %s %d/%d", w.Name, w.Root, w.Done, w.Total))
		}
		return st.Root + ": " + strings.Join(all, ", ")
	}
	if got, want := text(statusOf(t, p, "ada")), ".planning/sub: .planning .planning 1/1, api .planning/workstreams/api 0/0, web .planning/workstreams/web 1/2"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	write(t, filepath.Join(p.Dir, ".planning", "active-workstream"), "web\n")
	if got, want := text(statusOf(t, p, "ada")), ".planning/workstreams/web: .planning .planning 1/1, sub .planning/sub 0/1, api .planning/workstreams/api 0/0"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The name of a project without a title is its directory's.
func TestStatusProject(t *testing.T) {
	p := projectOf(t, with(filesIn(""), "### Phase 1: A\n"))
	if st := statusOf(t, p, "ada"); st.Project != filepath.Base(p.Dir) {
		t.Errorf("%q", st.Project)
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

// A phase whose verification did not pass is not complete, and its share is not all.
func TestStatusVerification(t *testing.T) {
	const done = "phases/01-a/01-01-PLAN.md phases/01-a/01-01-SUMMARY.md"
	for _, c := range []struct{ name, report, status, want string }{
		{"", "", "", "complete 100 %"},
		{"01-VERIFICATION.md", "passed", "passed", "complete 100 %"},
		{"01-VERIFICATION.md", "gaps_found", "gaps_found", "in progress 0 %"},
		{"VERIFICATION.md", "human_needed", "human_needed", "in progress 0 %"},
		{"02-VERIFICATION.md", "gaps_found", "", "complete 100 %"}, // another phase's
	} {
		files := with(filesIn(done), "- [x] Phase 1: A\n")
		if c.name != "" {
			files["phases/01-a/"+c.name] = "---\nphase: 01-a\nstatus: " + c.report + "\n---\n# Report\n"
		}
		st := statusOf(t, projectOf(t, files), "ada")
		if got := fmt.Sprintf("%s %d %%", st.Phases[0].Status, st.Position.Percent); got != c.want || st.Phases[0].Verification != c.status {
			t.Errorf("%s %s: %s, verification %q; want %s", c.name, c.report, got, st.Phases[0].Verification, c.want)
		}
	}
}

// STATE.md's front matter says which milestone is the current one; one that the roadmap does not have leaves no share.
func TestStatusNamedMilestone(t *testing.T) {
	const roadmap = "## v1.0 Old\n### Phase 1: A\n## v1.1 New\n### Phase 2: B\n### Phase 3: C\n"
	for _, c := range []struct{ state, want string }{
		{"", "v1.0 Old 1 phases, 0 %"},
		{"---\nmilestone: v1.1\n---\n", "v1.1 New 2 phases, 0 %"},
		{"---\nmilestone: v7\n---\n", " 3 phases, -1 %"},
		{"milestone: v1.1\n", "v1.0 Old 1 phases, 0 %"},
	} {
		files := with(filesIn(""), roadmap)
		files["STATE.md"] = c.state
		p := statusOf(t, projectOf(t, files), "ada").Position
		if got := fmt.Sprintf("%s %d phases, %d %%", p.Milestone, p.Phases, p.Percent); got != c.want {
			t.Errorf("%q: %s, want %s", c.state, got, c.want)
		}
	}
}

// Nothing is told from a roadmap that is no UTF-8 text, and no share of what it may say.
func TestStatusUTF16(t *testing.T) {
	files := with(filesIn("phases/01-a/01-01-PLAN.md phases/01-a/01-01-SUMMARY.md"), "\xff\xfe#\x00 \x00P\x00h\x00a\x00s\x00e\x00 \x002\x00")
	st := statusOf(t, projectOf(t, files), "ada")
	told := slices.ContainsFunc(st.Warnings, func(w Warning) bool {
		return w.Code == RoadmapUnreadable && strings.Contains(w.Detail, "ROADMAP.md") && strings.Contains(w.Detail, "UTF-16")
	})
	if !told || st.Position.Percent != -1 || len(st.Phases) != 1 || len(st.Milestones) > 0 {
		t.Errorf("warnings %+v, position %+v, %d phases", st.Warnings, st.Position, len(st.Phases))
	}
}

// Two live directories of one number are told of; an archived one is none of them.
func TestStatusRepeated(t *testing.T) {
	for files, want := range map[string]string{
		"phases/03-a/03-01-PLAN.md phases/3-b/03-01-PLAN.md phases/04-c/04-01-PLAN.md": ".planning/phases/03-a and .planning/phases/3-b are both phase 3; an id that matches plans of both is ambiguous",
		"phases/03-a/03-01-PLAN.md milestones/v1-phases/03-b/03-01-PLAN.md":            "",
		"phases/x/PLAN.md phases/y/PLAN.md":                                            "",
	} {
		st := statusOf(t, projectOf(t, filesIn(files)), "ada")
		got := ""
		for _, w := range st.Warnings {
			if w.Code == PhaseRepeated {
				got += w.Detail
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", files, got, want)
		}
	}
}
