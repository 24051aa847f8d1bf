package project

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

const plan = "<task><name>Do it</name></task>\n"

// opened makes a project with files below .planning/, and opens it.
func opened(t *testing.T, files map[string]string) *Project {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, planref.Planning), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		write(t, filepath.Join(dir, planref.Planning, filepath.FromSlash(name)), text)
	}
	return reopened(t, dir)
}

func reopened(t *testing.T, dir string) *Project {
	t.Helper()
	p, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	p.Allow(1<<20, 16)
	return p
}

func codes(p *Project) (all []string) {
	for _, w := range p.Warned() {
		all = append(all, w.Code)
	}
	return all
}

func TestResolvePlan(t *testing.T) {
	p := opened(t, map[string]string{
		"phases/01-a/01-01-PLAN.md": plan, "phases/01-a/01-02-PLAN.md": plan, "phases/01-a/notes.md": "x",
		"phases/01-a/01-01-SUMMARY.md": "x", "sessions/ada/current-plan.md": plan, "quick/001-fix/001-PLAN.md": plan,
		"phases/02-b/02-01-PLAN.md": plan, "workstreams/api/phases/02-b/02-01-PLAN.md": plan,
	})
	p.Undecided = p.Roots()
	write(t, filepath.Join(p.Dir, "PLAN.md"), plan)
	const first = ".planning/phases/01-a/01-01-PLAN.md"
	for _, test := range []struct {
		dir, name, want string
		kind            problem.Kind
		hint            string
	}{
		{name: "01-01", want: first},
		{name: "1-1", want: first},
		{name: first, want: first},
		{dir: ".planning/phases/01-a", name: "01-01-PLAN.md", want: first},
		{dir: ".planning/phases", name: first, want: first},
		{name: "quick/001-fix", want: ".planning/quick/001-fix/001-PLAN.md"},
		{name: "", kind: problem.Usage, hint: "01"},
		{name: "a\x00b", kind: problem.Usage},
		{name: "01-02-PLAN.md", want: ".planning/phases/01-a/01-02-PLAN.md"},
		{name: "02-01-PLAN.md", kind: problem.Usage, hint: "by its path: .planning/phases/02-b/02-01-PLAN.md, .planning/workstreams/api"},
		{name: "01-07-PLAN.md", kind: problem.MissingInput, hint: "the nearest ids: 01-01, 01-02, 02-01, quick/001"},
		{name: "nope.md", kind: problem.MissingInput, hint: "existing plans: " + first},
		{name: "@" + first, want: first},
		{name: "@01-02-PLAN.md", want: ".planning/phases/01-a/01-02-PLAN.md"},
		{name: "@01-01", want: first},
		{name: "01-02-PLAN", want: ".planning/phases/01-a/01-02-PLAN.md"},
		{name: "./01-02-PLAN.md", want: ".planning/phases/01-a/01-02-PLAN.md"},
		{name: "@", kind: problem.Usage, hint: "01"},
		{name: "phases/01-a/01-01-PLAN.md", want: first},
		{name: "phases/01-a/01-09-PLAN.md", kind: problem.MissingInput, hint: "existing plans: " + first},
		{name: "PLAN.md", kind: problem.MissingInput, hint: ".planning"},
		{name: "../PLAN.md", kind: problem.MissingInput, hint: ".planning"},
		{name: ".planning/phases/01-a", kind: problem.BadData, hint: "existing plans: " + first},
		{name: ".planning/phases/01-a/01-03-PLAN.md", kind: problem.MissingInput, hint: "existing plans: " + first},
		{name: ".planning/phases/09-z/x.md", kind: problem.MissingInput, hint: "existing plans: .planning/phases/01-a"},
		{name: ".planning/phases/01-a/01-01-SUMMARY.md", kind: problem.BadData},
		{name: ".planning/sessions/ada/current-plan.md", kind: problem.BadData, hint: "the plan that the session is on"},
		{name: "09-01", kind: problem.MissingInput, hint: "the nearest ids: 01-01, 01-02, 02-01, quick/001"},
		{name: "02-01", kind: problem.Usage, hint: "name one of them by its path: .planning/phases/02-b/02-01-PLAN.md, .planning/workstreams/api"},
	} {
		got, err := p.ResolvePlan(filepath.Join(p.Dir, filepath.FromSlash(test.dir)), test.name)
		if test.kind != 0 {
			wantKind(t, err, test.kind)
			if e, ok := errors.AsType[*problem.Error](err); ok && !strings.Contains(e.Hint, test.hint) {
				t.Errorf("%q: hint %q, want %q in it", test.name, e.Hint, test.hint)
			}
		} else if err != nil || got != test.want {
			t.Errorf("%q from %q: %q, %v", test.name, test.dir, got, err)
		}
	}
	if p.IsAmbiguous("01-01", first) || !p.IsAmbiguous("02-01", ".planning/phases/02-b/02-01-PLAN.md") || !p.IsAmbiguous("01-01", "another") {
		t.Error("which ids are ambiguous")
	}
	if ids := p.PlanIDs(); !slices.Equal(ids, []string{"01-01", "01-02", "02-01", "quick/001"}) {
		t.Errorf("ids %v", ids)
	}
	p.Enter(".planning/workstreams/api")
	if p.IsAmbiguous("02-01", ".planning/workstreams/api/phases/02-b/02-01-PLAN.md") {
		t.Error("an id of the chosen workstream is ambiguous")
	}
}

// TestResolvePlanBesideOddThings: what else lies about in .planning hides no plan.
func TestResolvePlanBesideOddThings(t *testing.T) {
	p := opened(t, map[string]string{"phases/03-api/03-01-PLAN.md": plan, "research/phases": "a file"})
	if err := os.MkdirAll(filepath.Join(p.Dir, ".planning", "x"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(p.Dir, ".planning", "x", "phases")); err != nil {
		t.Skip("no links here: ", err)
	}
	for _, id := range []string{"03-01", "3-1"} {
		if place, err := p.ResolvePlan(p.Dir, id); err != nil || place != ".planning/phases/03-api/03-01-PLAN.md" {
			t.Errorf("%s: %q, %v", id, place, err)
		}
	}
	_, err := p.ResolvePlan(p.Dir, "09-01")
	wantKind(t, err, problem.Refused) // of the link, because that is where it might be
}

// TestStateRead: of a long STATE.md the first lines are read, and none of them in part.
func TestStateRead(t *testing.T) {
	for _, test := range []struct{ state, want string }{
		{"# State\n- a", "# State\n- a"},
		{"# State\n- " + strings.Repeat("a", stateHead) + "\n", "# State\n"},
		{strings.Repeat("a", stateHead+1), ""},
	} {
		p := opened(t, map[string]string{"STATE.md": test.state})
		p.namedMilestone(planref.Planning)
		if got := p.StateRead(".planning/STATE.md"); string(got) != test.want {
			t.Errorf("%.20q is read as %.20q, %d bytes", test.state, got, len(got))
		}
	}
}

// TestArgument: what a plan is called in a printed command means the plan, by an id where it has one.
func TestArgument(t *testing.T) {
	want := map[string]string{
		"phases/02-b/02-x-PLAN.md": "02-x", "phases/02-b/02-y-PLAN-PLAN.md": "", "phases/02-b/02-PLAN-PLAN.md": "", "phases/02-b/02-y-summary-PLAN.md": "",
		"phases/02-b/02-z-Plan-PLAN.md": "", "phases/02-b/02-explan-PLAN.md": "02-explan", "phases/03-c/03-1-a-PLAN.md": "03-01-a", "phases/03-c/03-1-b-PLAN-PLAN.md": "",
		"quick/001-fix/001-PLAN.md": "quick/001", "quick/002-PLAN/PLAN.md": "quick/002", "quick/003-x/003-PLAN-PLAN.md": "", "quick/004-x/004-SUMMARY-PLAN.md": "",
		"quick/005-x/005-what now-PLAN.md": "", "quick/fix/PLAN.md": "quick/fix", "quick/006-x/006.MD-PLAN.md": "",
	}
	files := map[string]string{}
	for name := range want {
		files[name] = plan
	}
	p := opened(t, files)
	for name, id := range want {
		name = ".planning/" + name
		got := p.Argument(name)
		if place, err := p.ResolvePlan(p.Dir, got); place != name || got != cmp.Or(id, name) {
			t.Errorf("%s is called %q, which means %q, %v", name, got, place, err)
		}
	}
}

func TestPlanHints(t *testing.T) {
	if _, err := opened(t, nil).ResolvePlan("", "01-01"); err == nil || !strings.HasPrefix(err.(*problem.Error).Hint, "write a plan first") {
		t.Errorf("%v", err)
	}
	files := map[string]string{}
	for i := range 9 {
		files[fmt.Sprintf("phases/01-a/01-%02d-PLAN.md", i+1)] = plan
	}
	p := opened(t, files)
	_, err := p.ResolvePlan("", "01-05.5")
	if err == nil || !strings.Contains(err.(*problem.Error).Hint, "01-04, 01-05, 01-06, 01-07, 01-08") {
		t.Errorf("%#v", err)
	}
	_, err = p.ResolvePlan(p.Dir, ".planning/phases/01-a")
	if hint := err.(*problem.Error).Hint; !strings.HasSuffix(hint, "01-05-PLAN.md, …") {
		t.Errorf("%q", hint)
	}
}

func TestReadPlan(t *testing.T) {
	p := opened(t, map[string]string{"good-PLAN.md": plan, "empty-PLAN.md": "", "binary-PLAN.md": "\x00\x01\x02\x03"})
	if f, err := p.ReadPlan(".planning/good-PLAN.md"); err != nil || len(f.Tasks) != 1 {
		t.Errorf("%v", err)
	}
	for name, kind := range map[string]problem.Kind{"empty-PLAN.md": problem.BadData, "binary-PLAN.md": problem.BadData, "gone-PLAN.md": problem.MissingInput} {
		_, err := p.ReadPlan(".planning/" + name)
		wantKind(t, err, kind)
	}
}

// TestDiskFor: the phases are those of a plan's own root, if that still exists.
func TestDiskFor(t *testing.T) {
	p := opened(t, map[string]string{"phases/01-a/01-01-PLAN.md": plan, "workstreams/api/phases/01-a/01-01-PLAN.md": plan})
	for on, want := range map[string]string{
		"": ".planning/workstreams/web", ".planning/phases/01-a/01-01-PLAN.md": ".planning",
		".planning/workstreams/api/phases/01-a/01-01-PLAN.md": ".planning/workstreams/api", ".planning/workstreams/gone/phases/01-a/01-01-PLAN.md": ".planning/workstreams/web",
	} {
		if got := p.DiskFor(".planning/workstreams/web", on).Root; got != want {
			t.Errorf("%q: %q, want %q", on, got, want)
		}
	}
}

// TestFindMovedInRoot: a plan of a renamed workstream is looked for there first, though another one has the same text.
func TestFindMovedInRoot(t *testing.T) {
	const file = "/phases/01-a/01-01-PLAN.md"
	p := opened(t, map[string]string{"workstreams/beta" + file: plan, "workstreams/gamma" + file: plan})
	for base, want := range map[string]string{".planning/workstreams/gamma": "gamma", ".planning/workstreams/beta": "beta"} {
		p.Enter(base)
		if got := p.FindMoved(".planning/workstreams/alpha"+file, Digest([]byte(plan))); got != ".planning/workstreams/"+want+file {
			t.Errorf("from %s: %q", base, got)
		}
	}
}

// TestRootName: each root has a name of its own, by which it is found.
func TestRootName(t *testing.T) {
	const file = "/phases/01-a/01-01-PLAN.md"
	names := map[string]string{
		".planning": ".", ".planning/workstreams/api": "api", ".planning/shop": "shop", ".planning/shop/workstreams/api": "shop/api",
		".planning/both": "both", ".planning/workstreams/both": "workstreams/both",
	}
	files := map[string]string{}
	for root := range names {
		files[strings.TrimPrefix(root+file, ".planning/")] = plan
	}
	p := opened(t, files)
	for root, want := range names {
		p.Flag = want
		if found, err := p.Flagged(); p.RootName(root) != want || found != root || err != nil {
			t.Errorf("%s: %q, found %q, %v", root, p.RootName(root), found, err)
		}
	}
	for _, name := range []string{"gone", "shop/gone", "../x", "both/..", "workstreams", "workstreams/", "/"} {
		p.Flag = name
		_, err := p.Flagged()
		wantKind(t, err, problem.MissingInput)
	}
}

func TestRootOf(t *testing.T) {
	for name, want := range map[string]string{
		".planning/phases/01-a/01-01-PLAN.md":                 ".planning",
		".planning/workstreams/api/phases/01-a/01-01-PLAN.md": ".planning/workstreams/api",
		".planning/milestones/v1-phases/01-a/01-01-PLAN.md":   ".planning",
		".planning/quick/001-a/PLAN.md":                       ".planning",
		".planning/PLAN.md":                                   "",
		"":                                                    "",
	} {
		if got, ok := RootOf(name); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", name, got, ok)
		}
	}
}

// TestLinkedDirectories: a directory that links lead to counts once, under its first name, and is not read again.
func TestLinkedDirectories(t *testing.T) {
	for _, test := range []struct {
		name  string
		files string
		links []string // path of the link, target
		plans []string
		main  string // of the directory that is repeated
		times int
	}{
		{
			"phases", "phases/01-a/01-01-PLAN.md",
			[]string{"phases/02-b", ".", "phases/03-c", "01-a", "phases/04-d", "..", "phases/00-before", "01-a", "phases/00-also", "01-a"},
			[]string{".planning/phases/01-a/01-01-PLAN.md"},
			".planning/phases/01-a", 3,
		},
		{
			"plans below a link", "phases/01-setup/plans/01-01-PLAN.md",
			[]string{"phases/01-aa", "01-setup"},
			[]string{".planning/phases/01-setup/plans/01-01-PLAN.md"},
			".planning/phases/01-setup", 1,
		},
		{
			"quick tasks", "quick/005-zzz/005-PLAN.md",
			[]string{"quick/001-aaa", "005-zzz"},
			[]string{".planning/quick/005-zzz/005-PLAN.md"},
			".planning/quick/005-zzz", 1,
		},
		{
			"workstreams", "workstreams/api/phases/01-a/01-01-PLAN.md",
			[]string{"workstreams/current", "api"},
			[]string{".planning/workstreams/api/phases/01-a/01-01-PLAN.md"},
			"", 0,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := opened(t, map[string]string{test.files: plan})
			for link := range slices.Chunk(test.links, 2) {
				if err := os.Symlink(link[1], filepath.Join(p.Dir, planref.Planning, filepath.FromSlash(link[0]))); err != nil {
					t.Skip("no links here:", err)
				}
			}
			if got := p.Plans(); !slices.Equal(got, test.plans) {
				t.Errorf("plans %v", got)
			}
			times := 0
			for _, w := range p.Warned() {
				if w.Code == problem.DirectoryRepeated && w.Other == test.main {
					times++
				}
			}
			if runtime.GOOS != "windows" && times != test.times {
				t.Errorf("warnings %v", p.Warned())
			}
		})
	}
}

// TestHandOffNotes: notes are seen while phases are listed, each once.
func TestHandOffNotes(t *testing.T) {
	p := opened(t, map[string]string{"phases/01-a/01-01-PLAN.md": plan, "phases/01-a/.continue-here.md": "x", "phases/01-a/continue-here.md": "x"})
	_ = os.Symlink("01-a", filepath.Join(p.Dir, planref.Planning, "phases", "00-a")) // is listed first, and then put right
	if p.Listed(planref.Planning) != nil {
		t.Error("phases are listed that nobody has asked for")
	}
	p.Phases(planref.Planning)
	if got := p.HandOffNotes(); !slices.Equal(got, []string{".planning/phases/01-a/.continue-here.md"}) || p.Listed(planref.Planning) == nil {
		t.Errorf("%v", got)
	}
}

func TestMeta(t *testing.T) {
	p := opened(t, map[string]string{
		"good-PLAN.md": "---\nwave: 2\n---\n" + plan, "empty-PLAN.md": "",
		"long-PLAN.md": "---\n" + strings.Repeat("x: 123456789\n", 1000) + "wave: 3\n---\n",
	})
	if err := os.Mkdir(filepath.Join(p.Dir, planref.Planning, "dir-PLAN.md"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, unusable := range map[string]string{
		"good": "", "long": "", "empty": "is empty", "gone": "is not a file", "dir": "is not a file",
	} {
		if got := p.Meta(".planning/" + name + "-PLAN.md").Unusable; got != unusable {
			t.Errorf("%s: %q", name, got)
		}
	}
	if p.Meta(".planning/good-PLAN.md").Wave != 2 || p.Meta(".planning/long-PLAN.md").Wave != 3 {
		t.Error("the front matter is not read")
	}
	if len(p.Warned()) > 0 {
		t.Errorf("%v", p.Warned())
	}
	p.planMeta(&roadmap.Plan{Path: ".planning/empty-PLAN.md"})
	if !slices.Equal(codes(p), []string{problem.PlanUnusable}) {
		t.Errorf("%v", p.Warned())
	}
}

// TestLinkedSummary: a summary that is a link to another directory of the project completes its plan; one that leads out of it does not.
func TestLinkedSummary(t *testing.T) {
	p := opened(t, map[string]string{"phases/01-a/01-01-PLAN.md": plan, "phases/01-a/01-02-PLAN.md": plan, "notes/s.md": "done"})
	outside := filepath.Join(t.TempDir(), "s.md")
	write(t, outside, "done")
	const dir = ".planning/phases/01-a/"
	for name, to := range map[string]string{"01-01": "../../notes/s.md", "01-02": outside} {
		if err := os.Symlink(to, filepath.Join(p.Dir, dir, name+"-SUMMARY.md")); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	for name, want := range map[string]string{"01-01": dir + "01-01-SUMMARY.md", "01-02": ""} {
		if got := p.SummaryOf(dir + name + "-PLAN.md"); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	for range 2 * mostOpen { // more directories than are kept open
		at := fmt.Sprintf(".planning/many/%d", len(p.open)+len(p.names))
		write(t, filepath.Join(p.Dir, at, "x"), "x")
		if names := p.Names(at); !slices.Equal(names, []string{"x"}) || len(p.open) > mostOpen || len(p.open) != len(p.opened) {
			t.Fatalf("%s has %v; %d directories are open, %d are known", at, names, len(p.open), len(p.opened))
		}
	}
	if data, err := p.Read(dir + "01-01-PLAN.md"); err != nil || string(data) != plan {
		t.Errorf("%q, %v", data, err)
	}
}

func TestSummaryOf(t *testing.T) {
	p := opened(t, map[string]string{
		"phases/01-a/01-01-PLAN.md": plan, "phases/01-a/01-01-SUMMARY.md": "done",
		"phases/01-a/01-02-PLAN.md": plan, "phases/01-a/01-02-SUMMARY.md": "---\nstatus: blocked\n---\n",
		"phases/01-a/01-03-PLAN.md": plan, "phases/01-a/01-03-SUMMARY.md/x": "a directory",
		"phases/01-a/01-04-PLAN.md": plan, "phases/02-b/02-01-PLAN.md": plan,
	})
	const dir = ".planning/phases/01-a/"
	for name, want := range map[string]string{"01-01": dir + "01-01-SUMMARY.md", "01-02": "", "01-03": "", "01-04": ""} {
		if got := p.SummaryOf(dir + name + "-PLAN.md"); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	write(t, filepath.Join(p.Dir, dir, "new"), "x")
	if slices.Contains(p.Names(path.Clean(dir)), "new") {
		t.Error("the directory was listed again")
	}
	p.Wrote(path.Clean(dir))
	if !slices.Contains(p.Names(path.Clean(dir)), "new") {
		t.Error("the directory was not listed again after Wrote")
	}
	if err := os.Rename(filepath.Join(p.Dir, dir), filepath.Join(p.Dir, ".planning/phases/01-b")); err != nil {
		t.Fatal(err)
	}
	p.Forget()
	if names := p.Names(path.Clean(dir)); names != nil || p.SummaryOf(dir+"01-01-PLAN.md") != "" {
		t.Errorf("after Forget, a directory that is gone has %v", names)
	}
	if p.IsOnlyPlan(".planning/phases/01-b/01-01-PLAN.md") || !p.IsOnlyPlan(".planning/phases/02-b/02-01-PLAN.md") {
		t.Error("which plan is alone")
	}
}

// TestFindMoved: of two plans with the old id, the one with the old bytes is the plan that was moved.
func TestFindMoved(t *testing.T) {
	p := opened(t, map[string]string{
		"milestones/v1-phases/01-a/01-01-PLAN.md": plan + "a", "milestones/v2-phases/01-a/01-01-PLAN.md": plan + "b",
	})
	const gone = ".planning/phases/01-a/01-01-PLAN.md"
	if got := p.FindMoved(gone, Digest([]byte(plan+"b"))); got != ".planning/milestones/v2-phases/01-a/01-01-PLAN.md" {
		t.Errorf("%q", got)
	}
	if got := p.FindMoved(gone, ""); got != "" {
		t.Errorf("without a digest: %q", got)
	}
	if p.DigestOf(".planning/milestones/v2-phases/01-a/01-01-PLAN.md") != Digest([]byte(plan+"b")) || p.DigestOf(gone) != p.DigestOf("nothing") {
		t.Error("digests of files")
	}
}

// TestHeadAlone: where HEAD can be read and the history cannot, there are commits nevertheless.
func TestHeadAlone(t *testing.T) {
	p := opened(t, map[string]string{"phases/01-a/01-01-PLAN.md": plan})
	gitIn(t, p, "init", "-q")
	gitIn(t, p, "commit", "-q", "--allow-empty", "-m", "one")
	if err := os.Mkdir(filepath.Join(p.Dir, ".git", "shallow"), 0o777); err != nil {
		t.Fatal(err)
	}
	again := reopened(t, p.Dir)
	defer again.Close()
	if log, err := again.Log(nil); log != nil || err == nil || len(again.HeadID()) != 40 {
		t.Errorf("%v, %v, %q", log, err, again.HeadID())
	}
}

func TestSurvey(t *testing.T) {
	p := opened(t, map[string]string{"ROADMAP.md": "# Roadmap: Shop\n\n- [ ] Phase 1: A\n", "phases/01-a/01-01-PLAN.md": plan, "workstreams/api/ROADMAP.md": "\xff\xfe\x00"})
	s := p.Survey(p.Phases(planref.Planning), nil)
	if s.Path != ".planning/ROADMAP.md" || s.Unread || len(s.Warnings) > 0 || s.Tasks(s.Disk.Open()[0]) != 1 {
		t.Errorf("%+v", s)
	}
	write(t, filepath.Join(p.Dir, planref.Planning, "ROADMAP.md"), "# Roadmap: Other\n")
	if _, parsed, err := p.NearestRoadmap(".planning/phases/01-a/01-01-PLAN.md"); err != nil || parsed != s.Roadmap {
		t.Error("a roadmap is read twice")
	}
	if s := p.Survey(p.Phases(".planning/workstreams/api"), nil); !s.Unread || len(s.Warnings) != 1 || s.Warnings[0].Code != problem.RoadmapUnreadable {
		t.Errorf("%+v", s)
	}
}

// TestReadingStops: so much is read and no more, which is said once.
func TestReadingStops(t *testing.T) {
	p := opened(t, map[string]string{"a": strings.Repeat("x", 900), "b": strings.Repeat("x", 900), "large": strings.Repeat("x", 1100)})
	p.Allow(1000, 1)
	if _, err := p.Read(".planning/large"); !errors.Is(err, durable.ErrTooLarge) {
		t.Errorf("%v", err)
	}
	if len(p.readBounded(".planning/a")) != 900 || p.readBounded(".planning/b") != nil || p.readBounded(".planning/b") != nil {
		t.Error("what was read")
	}
	want := []problem.Warning{{Code: problem.ReadingStopped, Path: ".planning/b"}}
	if !reflect.DeepEqual(p.Warned(), want) {
		t.Errorf("%v", p.Warned())
	}
}

func TestUnread(t *testing.T) {
	p := opened(t, map[string]string{"a": strings.Repeat("x", 900)})
	p.Allow(100, 16)
	_, _ = p.Read(".planning/gone")
	_, _ = p.Read(".planning/a/below-a-file")
	_, _ = p.Read(".planning/a")
	if _, noted := p.Unread()[".planning/a"]; !noted || len(p.Unread()) != 1 {
		t.Errorf("%v", p.Unread())
	}
}

// gitIn runs git in a project; without it, the test is skipped.
func gitIn(t *testing.T, p *Project, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@x", "-c", "commit.gpgSign=false"}, args...)...)
	cmd.Dir = p.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("git %v: %v\n%s", args, err, out)
	}
}

// addedWorktree commits a project, and returns the directory of a further worktree with it.
func addedWorktree(t *testing.T, p *Project) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "other")
	gitIn(t, p, "init", "-q")
	gitIn(t, p, "add", ".")
	gitIn(t, p, "commit", "-q", "-m", "docs: plan")
	gitIn(t, p, "worktree", "add", "-q", "--detach", dir)
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestWorktrees: the project in the other worktrees, which share the budget and look no further.
func TestWorktrees(t *testing.T) {
	p := opened(t, map[string]string{"ROADMAP.md": "x"})
	other := addedWorktree(t, p)
	gitIn(t, p, "worktree", "add", "-q", "--detach", filepath.Join(t.TempDir(), "empty"))
	p.Enter(".planning/workstreams/api")
	found := p.Worktrees()
	if len(found) != 2 {
		t.Fatalf("%d worktrees", len(found))
	}
	i := slices.IndexFunc(found, func(o *Project) bool { return o.Dir == other })
	if i < 0 || found[i].Budget() != p.Budget() || found[i].Base != p.Base || len(found[i].Worktrees()) != 0 || found[i].Limit != p.Limit {
		t.Errorf("%+v", found)
	}
	empty, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenAt(empty, 1, nil); !errors.Is(err, ErrNoPlans) {
		t.Errorf("%v", err)
	}
}

// TestSides: what is on other branches and in other worktrees, of the phase that is asked for, and how it continues with what is here.
func TestSides(t *testing.T) {
	p := opened(t, map[string]string{"phases/01-a/01-02-PLAN.md": plan})
	other := addedWorktree(t, p)
	gitIn(t, p, "config", "core.logAllRefUpdates", "true")
	sides := func(phase string) string {
		t.Helper()
		again, err := OpenAt(p.Dir, DefaultLimit, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		var all []string
		for _, s := range again.Sides(phase) {
			var subjects []string
			here := map[string]bool{}
			log, _ := again.Log(nil)
			for c := range log.Commits() {
				here[c.ID] = true
			}
			for c := range s.History(here) {
				subjects = append(subjects, c.Subject)
			}
			all = append(all, fmt.Sprint(cmp.Or(s.Name, s.Worktree), " ", strings.Join(subjects, ", "), " ", s.FastForward, s.Names("01-02", nil), s.SummaryOf(planref.Planning+"/phases/01-a/01-02-PLAN.md")))
		}
		return strings.Join(all, "; ")
	}
	commit := func(dir, subject string) { gitIn(t, p, "-C", dir, "commit", "-q", "--allow-empty", "-m", subject) }
	if got := sides("1"); got != "" {
		t.Errorf("with the same HEAD: %q", got)
	}
	commit(other, "feat(01-02): work")
	commit(other, "tidy up")
	if got, want := sides("1"), other+" tidy up, feat(01-02): work, docs: plan true true"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := sides("2"); got != "" {
		t.Errorf("of another phase: %q", got)
	}
	commit(p.Dir, "docs: here")
	gitIn(t, p, "checkout", "-q", "-b", "mine")
	if err := os.WriteFile(filepath.Join(p.Dir, planref.Planning, "phases/01-a/01-02-SUMMARY.md"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	gitIn(t, p, "add", ".")
	commit(p.Dir, "docs(01-02): complete plan")
	gitIn(t, p, "checkout", "-q", "-")
	want := other + " tidy up, feat(01-02): work, docs: plan false true; mine docs(01-02): complete plan, docs: here, docs: plan true true" + planref.Planning + "/phases/01-a/01-02-SUMMARY.md"
	if got := sides("1"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	gitIn(t, p, "merge", "-q", "--ff-only", "mine")
	gitIn(t, p, "worktree", "remove", "--force", other)
	if got := sides("1"); got != "" {
		t.Errorf("merged: %q", got)
	}
}

// TestHistory: what commits say of plans, and that a project without git has no evidence.
func TestHistory(t *testing.T) {
	p := opened(t, map[string]string{"phases/01-a/01-01-PLAN.md": plan, "phases/01-a/01-02-PLAN.md": plan})
	if s := p.Survey(p.Phases(planref.Planning), nil); len(s.Evidence.Work) > 0 || len(s.Warnings) > 0 || p.GitDir() != "" {
		t.Errorf("%+v", s)
	}
	for _, args := range []string{"init -q", "commit -q --allow-empty -m feat(01-02):work"} {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@x", "-c", "commit.gpgSign=false"}, strings.Fields(args)...)...)
		cmd.Dir = p.Dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("git %v: %v\n%s", args, err, out)
		}
	}
	p = reopened(t, p.Dir)
	work := p.Survey(p.Phases(planref.Planning), nil).Evidence.Work
	if entry := work[".planning/phases/01-a/01-02-PLAN.md"]; len(work) != 1 || entry == nil || !entry.Begun || p.GitDir() == "" {
		t.Errorf("%+v", work)
	}
	repo, err := p.History()
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	var told []string
	for c, err := range repo.Reachable(t.Context()) { // as if there were so many of it
		many := func(yield func(*gitlog.Commit, error) bool) {
			for range 2500 {
				if !yield(c, err) {
					return
				}
			}
		}
		log := readLog(many, func(doing string) { told = append(told, doing) })
		if n := len(slices.Collect(log.Commits())); n != 2500 {
			t.Errorf("%d commits", n)
		}
		break
	}
	if want := []string{"reading git's history: 1000 commits", "reading git's history: 2000 commits"}; !slices.Equal(told, want) {
		t.Errorf("told %q", told)
	}
	p = reopened(t, p.Dir)
	if p.AllowHistory(0); len(p.Survey(p.Phases(planref.Planning), nil).Warnings) != 1 {
		t.Error("git's objects are read without a budget")
	}
}

func TestDirectories(t *testing.T) {
	p := opened(t, map[string]string{"a/b/c/d/x": "", "e": ""})
	_ = os.Symlink("a", filepath.Join(p.Dir, planref.Planning, "link"))
	got := p.Directories(planref.Planning, 3)
	if !slices.Equal(got, []string{".planning", ".planning/a", ".planning/a/b", ".planning/a/b/c"}) {
		t.Errorf("%v", got)
	}
}
