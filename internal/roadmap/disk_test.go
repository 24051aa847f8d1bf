package roadmap

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/testenv"

	"pgregory.net/rapid"
)

// listing returns a List of files; a name that ends in `/` is an empty directory.
func listing(files ...string) List {
	dirs := map[string][]string{}
	for _, file := range files {
		if dir, ok := strings.CutSuffix(file, "/"); ok {
			file = dir
			dirs[file] = append(dirs[file], []string{}...)
		}
		for file != "." {
			dir, name := path.Dir(file), path.Base(file)
			if !slices.Contains(dirs[dir], name) {
				dirs[dir] = append(dirs[dir], name)
			}
			file = dir
		}
	}
	return func(dir string) []string { return slices.Clone(dirs[dir]) }
}

// below joins a directory with each of the names, which are separated by blanks.
func below(dir, names string) []string {
	files := strings.Fields(names)
	for i := range files {
		files[i] = path.Join(dir, files[i]) + map[bool]string{true: "/"}[strings.HasSuffix(files[i], "/")]
	}
	return files
}

// dirText formats a directory: `03 auth: 03-01* 03-02`, with a star for each plan that is done. A plan without an id is
// shown by its name.
func dirText(d Dir) string {
	var b strings.Builder
	if d.Milestone != "" {
		b.WriteString("v" + d.Milestone + " ")
	}
	b.WriteString(cmp.Or(d.Number.String(), "-") + " " + cmp.Or(d.Slug, "-") + ":")
	for _, p := range d.Plans {
		b.WriteString(" " + cmp.Or(p.ID, path.Base(p.Path)))
		if p.Done() {
			b.WriteByte('*')
		}
	}
	return b.String()
}

// Scan finds the phases and the quick tasks, as status does.
func Scan(list List, root string) *Disk {
	d := ScanPhases(list, root)
	d.Quick = ScanQuick(list, root)
	return d
}

// TestScanFor: the phase of a plan and those that may be meant are listed as they are with all others.
func TestScanFor(t *testing.T) {
	t.Parallel()
	list := listing(below(".planning/phases", "01-a/01-01-PLAN.md 02-b/02-01-PLAN.md 02-10-x/02-10-01-PLAN.md 03-c/plans/03-01-PLAN.md 03-d/03-02-PLAN.md 04-e/04-01-PLAN.md")...)
	all := map[string]string{}
	for _, dir := range ScanPhases(list, ".planning").Phases {
		all[path.Base(dir.Path)] = dirText(dir)
	}
	for _, test := range []struct{ plan, meant, want string }{
		{"03-c/plans/03-09-PLAN.md", "", "03-c"},
		{"03-c/plans/03-09-PLAN.md", "3", "03-c 03-d"},
		{"03-c/03-09-PLAN.md", "2", "02-10-x 02-b 03-c"},
		{"01-a/01-01-PLAN.md", "3 4 9", "01-a 03-c 03-d 04-e"},
	} {
		isMeant := func(n planref.Number) bool { return slices.Contains(strings.Fields(test.meant), n.String()) }
		var got []string
		for _, dir := range ScanFor(list, ".planning/phases/"+test.plan, isMeant).Phases {
			name := path.Base(dir.Path)
			if got = append(got, name); dirText(dir) != all[name] {
				t.Errorf("%s is listed as %s, want %s", name, dirText(dir), all[name])
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s and phases %s: %q, want %s", test.plan, test.meant, got, test.want)
		}
	}
}

func TestScanNames(t *testing.T) {
	for _, c := range []struct{ name, files, want string }{
		{"plain", "03-auth/03-01-PLAN.md 03-auth/03-02-PLAN.md 03-auth/03-01-SUMMARY.md", "3 auth: 03-01* 03-02"},
		{"slug", "03-auth/03-01-login-PLAN.md 03-auth/03-01-login-SUMMARY.md", "3 auth: 03-01*"},
		{"summary by its prefix", "03-auth/03-01-login-PLAN.md 03-auth/3-1-SUMMARY.md", "3 auth: 03-01*"},
		{"prefix of two plans", "03-a/03-01-x-PLAN.md 03-a/03-01-y-PLAN.md 03-a/03-01-SUMMARY.md", "3 a: 03-01-x 03-01-y"},
		{"another's prefix", "03-a/03-01-PLAN.md 03-a/03-010-SUMMARY.md 03-a/03-01A-SUMMARY.md", "3 a: 03-01"},
		{"summary in another directory", "03-a/03-01-PLAN.md 04-b/03-01-SUMMARY.md", "3 a: 03-01 | 4 b:"},
		{"bare", "03-auth/PLAN.md 03-auth/SUMMARY.md", "3 auth: 03*"},
		{"bare beside a numbered summary", "03-auth/PLAN.md 03-auth/03-01-SUMMARY.md", "3 auth: 03"},
		{"number of the phase alone", "05-gc/05-PLAN.md 05-gc/05-SUMMARY.md", "5 gc: 05*"},
		{"number of the plan alone", "05-gc/01-PLAN.md 05-gc/02-PLAN.md 05-gc/01-SUMMARY.md", "5 gc: 05-01* 05-02"},
		{"infix", "3-x/3-PLAN-01-setup.md 3-x/3-PLAN-02-db.md 3-x/3-PLAN-01-SUMMARY.md 3-x/3-EXPLANATION.md", "3 x: 03-01* 03-02"},
		{"number of the plan alone, summary with both", "05-gc/01-PLAN.md 05-gc/02-PLAN.md 05-gc/05-01-SUMMARY.md", "5 gc: 05-01* 05-02"},
		{"both, summary with the plan's number alone", "05-gc/05-01-PLAN.md 05-gc/01-SUMMARY.md", "5 gc: 05-01*"},
		{"two names of one plan", "05-gc/05-01-PLAN.md 05-gc/01-PLAN.md 05-gc/05-1-SUMMARY.md", "5 gc: 05-01 05-01"},
		{"words instead of numbers", "03-x/auth-PLAN.md 03-x/mail-PLAN.md 03-x/auth-SUMMARY.md", "3 x: 03-auth* 03-mail"},
		{"nested", "03-x/plans/PLAN-01-a.md 03-x/plans/PLAN-02-b.md 03-x/plans/SUMMARY-01-a.md", "3 x: 03-01* 03-02"},
		{"nested, summary by number", "03-x/plans/PLAN-01-a.md 03-x/plans/SUMMARY-01.md", "3 x: 03-01*"},
		{"nested and not", "03-x/03-01-PLAN.md 03-x/plans/PLAN-02-b.md 03-x/03-02-SUMMARY.md", "3 x: 03-01 03-02"},
		{"deeper is not read", "03-x/03-01-PLAN.md 03-x/old/03-02-PLAN.md 03-x/plans/old/PLAN-03.md", "3 x: 03-01"},
		{"code", "ABC-07-ui/ABC-07-02-PLAN.md ABC-07-ui/07-01-PLAN.md ABC-07-ui/ABC-07-01-SUMMARY.md", "7 ui: 07-01* 07-02"},
		{"decimal", "02.1-fix/02.1-01-PLAN.md 02-b/02-01-PLAN.md", "2 b: 02-01 | 2.1 fix: 02.1-01"},
		{"letter", "12A-ui/12A-01-PLAN.md 12-u/12-01-PLAN.md 12A-ui/12-01-SUMMARY.md", "12 u: 12-01 | 12A ui: 12A-01"},
		{"letter of a plan", "03-x/03-01A-PLAN.md 03-x/03-01-PLAN.md 03-x/03-01A-SUMMARY.md", "3 x: 03-01 03-01A*"},
		{
			"order of phases", "10-j/ 9-i/ 3A-d/ 3-c/ 02.10-b/ 2.2-a/ 02-z/ notes/x.md",
			"2 z: | 2.2 a: | 2.10 b: | 3 c: | 3A d: | 9 i: | 10 j: | - notes:",
		},
		{
			"order of plans", "03-x/03-10-PLAN.md 03-x/03-9-PLAN.md 03-x/03-02.1-PLAN.md 03-x/03-02-PLAN.md 03-x/03-PLAN.md",
			"3 x: 03-02 03-02.1 03-09 03-10 03",
		},
		{"loose in phases", "03-02-PLAN.md 03-01-PLAN.md 03-01-SUMMARY.md 01-01-PLAN.md", "1 -: 01-01 | 3 -: 03-01* 03-02"},
		{"loose, in the order of numbers", "03-1-PLAN.md 03-2-PLAN.md 03-10-PLAN.md", "3 -: 03-01 03-02 03-10"},
		{"loose beside a directory", "03-02-PLAN.md 03-x/03-01-PLAN.md", "3 x: 03-01 | 3 -: 03-02"},
		{"directory without a number", "setup/09-01-PLAN.md setup/09-01-SUMMARY.md setup/PLAN.md", "- setup: 09-01*"},
		{"an index beside plans", "03-a/PLAN.md 03-a/03-01-PLAN.md 04-b/PLAN.md 04-b/01-PLAN.md 05-c/PLAN.md 05-c/SUMMARY.md 05-c/05-01-PLAN.md", "3 a: 03-01 | 4 b: 04-01 | 5 c: 05-01 05*"},
		{"no index beside a plan without a number", "03-a/PLAN.md 03-a/auth-PLAN.md", "3 a: 03 03-auth"},
		{"word after a number", "2nd/02-01-PLAN.md", "- 2nd: 02-01"},
		{"kept empty", "04-later/.gitkeep", "4 later:"},
		{"kept empty without number", "later/.gitkeep", ""},
		{"nothing in it", "04-later/ x/", "4 later:"},
		{"no plans", "03-x/03-CONTEXT.md 03-x/03-RESEARCH.md 03-x/03-PLAN-OUTLINE.md 03-x/03-01-PLAN.pre-bounce.md 03-x/03-01-PLAN.md.bak", "3 x:"},
		{"summary without plan", "03-x/03-01-SUMMARY.md", "3 x:"},
		{"what the system or an editor puts beside a plan", "03-x/._03-01-PLAN.md 03-x/.#03-02-PLAN.md 03-x/.03-03-PLAN.md", "3 x:"},
		{"hidden directory", ".trash/03-01-PLAN.md .03-x/03-01-PLAN.md", ""},
		{"none", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Scan(listing(below(".planning/phases", c.files)...), ".planning")
			var got []string
			for _, dir := range d.Phases {
				got = append(got, dirText(dir))
			}
			if s := strings.Join(got, " | "); s != c.want {
				t.Errorf("got  %s\nwant %s", s, c.want)
			}
		})
	}
}

func TestScanRoot(t *testing.T) {
	list := listing(slices.Concat(
		below("p/phases", "03-x/03-01-PLAN.md"),
		below("p/milestones", `v1.10-phases/01-c/01-01-PLAN.md v1.9-phases/02-b/02-01-PLAN.md v1.9-phases/01-a/01-01-PLAN.md
			v1.9-phases/01-a/01-01-SUMMARY.md v1.9-ROADMAP.md alpha-phases/01-z/01-01-PLAN.md other/01-x/01-01-PLAN.md`),
		below("p/quick", "002-b/002-PLAN.md 001-a/001-PLAN.md 001-a/001-SUMMARY.md 007-c/PLAN.md 260322-14r-d/260322-14r-PLAN.md notes.md"),
		below("p/workstreams/api", "phases/09-q/09-01-PLAN.md"), below("p/sessions/me", "03-01-PLAN.md"))...)
	d := Scan(list, "p")
	var got []string
	for _, dir := range slices.Concat(d.Phases, d.Archived) {
		got = append(got, dir.Path+" "+dirText(dir))
	}
	want := []string{
		"p/phases/03-x 3 x: 03-01",
		"p/milestones/alpha-phases/01-z valpha 1 z: 01-01",
		"p/milestones/v1.9-phases/01-a v1.9 1 a: 01-01*",
		"p/milestones/v1.9-phases/02-b v1.9 2 b: 02-01",
		"p/milestones/v1.10-phases/01-c v1.10 1 c: 01-01",
	}
	if !slices.Equal(got, want) {
		t.Errorf("phases:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	got = nil
	for _, p := range d.Quick {
		if !p.Phase.IsZero() {
			t.Errorf("%s is in phase %s", p.Path, p.Phase)
		}
		got = append(got, fmt.Sprint(p.ID, " ", p.Done()))
	}
	if want := []string{"quick/001 true", "quick/002 false", "quick/007 false", "quick/260322-14r false"}; !slices.Equal(got, want) {
		t.Errorf("quick %q, want %q", got, want)
	}
	var open []string
	for _, p := range d.Open() {
		open = append(open, p.Path)
	}
	if want := []string{"p/phases/03-x/03-01-PLAN.md"}; !slices.Equal(open, want) {
		t.Errorf("open %q, want %q: neither archived nor quick", open, want)
	}
}

func TestScanIDs(t *testing.T) {
	for _, c := range []struct{ plan, id string }{
		{plan: "phases/03-x/03-01-PLAN.md", id: "03-01"},
		{plan: "phases/03-x/01-PLAN.md", id: "03-01"},
		{plan: "phases/03-x/plans/PLAN-01-a.md", id: "03-01"},
		{plan: "phases/03-x/3-PLAN-01-setup.md", id: "03-01"},
		{plan: "phases/03-x/PLAN.md", id: "03"},
		{plan: "phases/03-x/03-auth-PLAN.md", id: "03-auth"},
		{plan: "phases/loose/03-01-PLAN.md", id: "03-01"},
		{plan: "quick/001-a/001-PLAN.md", id: "quick/001"},
		{plan: "phases/12a-x/PLAN.md", id: "12a"},
		{plan: "phases/02-07-x/02-07-01-PLAN.md", id: "02-07-01"},
		{plan: "phases/03-x/auth-PLAN.md", id: "03-auth"},
		{plan: "phases/03-01-PLAN.md", id: "03-01"},
		{plan: "phases/03-PLAN.md", id: "03"},
		{plan: "phases/PLAN.md"},
	} {
		t.Run(c.plan, func(t *testing.T) {
			plan := ".planning/" + c.plan
			d := Scan(listing(plan), ".planning")
			plans := d.Quick
			for _, dir := range d.Phases {
				plans = append(plans, dir.Plans...)
			}
			p := plans[0]
			if p.ID != c.id {
				t.Errorf("the id is %q, want %q", p.ID, c.id)
			}
		})
	}
}

// A directory is listed at most once, and only if it may hold plans.
func TestScanReadsLittle(t *testing.T) {
	list := listing(slices.Concat(
		below(".planning/phases", "03-x/03-01-PLAN.md 03-x/assets/a.png 04-y/plans/PLAN-01.md"),
		below(".planning", "sessions/me/current-plan.md research/x/y.md milestones/v1-phases/01-a/01-01-PLAN.md milestones/notes/x.md"))...)
	read := map[string]int{}
	Scan(func(dir string) []string { read[dir]++; return list(dir) }, ".planning")
	for dir, n := range read {
		if n > 1 {
			t.Errorf("%s is read %d times", dir, n)
		}
	}
	for _, dir := range []string{".planning", ".planning/sessions", ".planning/research", ".planning/phases/03-x/assets", ".planning/milestones/notes"} {
		if read[dir] > 0 {
			t.Errorf("%s is read", dir)
		}
	}
}

func TestRoots(t *testing.T) {
	for _, c := range []struct{ name, files, want string }{
		{"alone", "phases/01-a/01-01-PLAN.md", ".planning"},
		{"nothing", "", ".planning"},
		{
			"workstreams", "workstreams/web/phases/01-a/x.md workstreams/api/ROADMAP.md workstreams/notes/x.md",
			".planning .planning/workstreams/api .planning/workstreams/web",
		},
		{"sub-projects", "sub/phases/01-a/x.md other/ROADMAP.md research/x.md", ".planning .planning/other .planning/sub"},
		{"its own directories", "phases/phases/x.md quick/phases/x.md milestones/phases/x.md sessions/phases/x.md archive/ROADMAP.md", ".planning"},
		{"hidden", ".old/ROADMAP.md workstreams/.old/ROADMAP.md", ".planning"},
		{"roadmap in another case", "sub/roadmap.md", ".planning"},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := listing(below(".planning", c.files)...)
			exists := func(name string) bool { return slices.Contains(list(path.Dir(name)), path.Base(name)) }
			if got := strings.Join(Roots(list, exists, ".planning"), " "); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// drawName draws the name of a file in a phase's directory, from few numbers so that many belong together.
func drawName(t *rapid.T) string {
	phase := rapid.SampledFrom([]string{"03", "3", "02.1", "3A", "AB-03", ""}).Draw(t, "phase")
	plan := rapid.SampledFrom([]string{"01", "1", "02", "10", "01A", "2.1", ""}).Draw(t, "plan")
	slug := rapid.SampledFrom([]string{"", "", "auth", "PLAN", "mail-queue"}).Draw(t, "slug")
	kind := rapid.SampledFrom([]string{"PLAN", "PLAN", "SUMMARY", "CONTEXT"}).Draw(t, "kind")
	var parts []string
	if rapid.IntRange(0, 5).Draw(t, "form") > 0 {
		parts = []string{phase, plan, slug, kind}
	} else {
		parts = []string{kind, plan, slug}
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.Join(parts, "-") + ".md"
}

// For any names, a plan is done if SummaryOf finds its summary, each plan is listed once, and the order of a listing
// does not matter.
func TestScanLaws(t *testing.T) {
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		dirs := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{
			"03-auth", "3A-ui", "02.1-fix", "AB-03-x", "loose", "04", "10-z", "03-auth/plans", ".",
		}), 1, 4, rapid.ID[string]).Draw(t, "dirs")
		names := map[string][]string{}
		var files []string
		for _, dir := range dirs {
			dir = path.Join(".planning/phases", dir)
			names[dir] = rapid.SliceOfNDistinct(rapid.Custom(drawName), 1, 8, rapid.ID[string]).Draw(t, "names")
			for _, name := range names[dir] {
				files = append(files, path.Join(dir, name))
			}
		}
		d := Scan(listing(files...), ".planning")
		seen := map[string]bool{}
		for _, dir := range d.Phases {
			for i, p := range dir.Plans {
				want, done := planref.SummaryOf(p.Path, names[path.Dir(p.Path)])
				if done {
					want = path.Join(path.Dir(p.Path), want)
				}
				if p.Summary != want || p.Done() != done {
					t.Fatalf("%s has the summary %q, Summary says %q, %v", p.Path, p.Summary, want, done)
				}
				if id, _ := planref.NewSiblings(path.Dir(p.Path), planref.PhaseOfDir(path.Dir(p.Path)), names[path.Dir(p.Path)]).PlanID(p.Path); id != p.ID {
					t.Fatalf("%s is %q, PlanID says %q", p.Path, p.ID, id)
				}
				if seen[p.Path] {
					t.Fatalf("%s is listed twice", p.Path)
				}
				seen[p.Path] = true
				if i > 0 && planref.CompareKnown(dir.Plans[i-1].Number, p.Number) > 0 {
					t.Fatalf("%s comes after %s", p.Path, dir.Plans[i-1].Path)
				}
			}
		}
		for _, file := range files {
			if path.Base(file) == "PLAN.md" && !seen[file] && len(names[path.Dir(file)]) > 1 {
				continue // an index
			}
			if planref.IsPlan(path.Base(file)) != seen[file] {
				t.Fatalf("%s: a plan %v, found %v", file, planref.IsPlan(path.Base(file)), seen[file])
			}
		}
		if !slices.IsSortedFunc(d.Phases, func(a, b Dir) int { return planref.CompareKnown(a.Number, b.Number) }) {
			t.Fatalf("phases out of order: %+v", d.Phases)
		}
		if again := Scan(listing(rapid.Permutation(files).Draw(t, "shuffled")...), ".planning"); fmt.Sprint(again) != fmt.Sprint(d) {
			t.Fatalf("another order of names:\n%+v\nbefore:\n%+v", again, d)
		}
	})
}

func TestDiskRead(t *testing.T) {
	stated := map[string]string{ // the status in the front matter of a file
		"01-a/01-02-PLAN.md": "superseded", "01-a/01-03-PLAN.md": "superseded", "01-a/01-01-SUMMARY.md": "halted",
		"02-b/02-01-SUMMARY.md": "blocked", "02-b/02-02-SUMMARY.md": "complete",
		"02-b/02-03-SUMMARY.md": "blocked", "02-b/02-03-PLAN.md": "superseded",
		"03-c/03-01-SUMMARY.md": "blocked", "03-c/03-02-PLAN.md": "superseded", "04-d/04-01-PLAN.md": "superseded", "04-d/04-02-PLAN.md": "cancelled", "04-d/04-03-PLAN.md": "blocked",
	}
	d := ScanPhases(listing(below(".planning/phases", "01-a/01-01-PLAN.md 01-a/01-01-SUMMARY.md 01-a/01-02-PLAN.md 01-a/01-03-PLAN.md 01-a/01-03-SUMMARY.md "+
		"02-b/02-01-PLAN.md 02-b/02-01-SUMMARY.md 02-b/02-02-PLAN.md 02-b/02-02-SUMMARY.md 02-b/02-03-PLAN.md 02-b/02-03-SUMMARY.md 03-c/03-01-PLAN.md 03-c/03-01-SUMMARY.md 03-c/03-02-PLAN.md 04-d/04-01-PLAN.md 04-d/04-02-PLAN.md 04-d/04-03-PLAN.md 05-e/05-01-PLAN.md")...), ".planning")
	var read []string
	d.Read(func(name string) string {
		name = strings.TrimPrefix(name, ".planning/phases/")
		read = append(read, name)
		return stated[name]
	}, parse("- [x] Phase 3: C\n- [x] Phase 5: E\n"))
	var got []string
	for _, dir := range d.Phases {
		for _, p := range dir.Plans {
			said := fmt.Sprintf("%s done %t halted %t", p.ID, p.Done(), p.Halted)
			if p.Blocked {
				said += ", blocked"
			}
			got = append(got, said)
		}
	}
	want := []string{
		"01-01 done true halted true", "01-03 done true halted false", "02-01 done false halted false",
		"02-02 done true halted false", "03-01 done true halted false", "04-03 done false halted false, blocked", "05-01 done false halted false",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if slices.Contains(read, "03-c/03-01-SUMMARY.md") || slices.Contains(read, "01-a/01-01-PLAN.md") || slices.Contains(read, "05-e/05-01-PLAN.md") || len(read) != 12 {
		t.Errorf("read %q", read)
	}
}

// The summaries of a phase that the roadmap calls complete are read if its verification did not pass.
func TestDiskReadUnverified(t *testing.T) {
	for status, want := range map[string]bool{"": true, "passed": true, "gaps_found": false, "human_needed": false} {
		d := ScanPhases(listing(below(".planning/phases", "03-c/03-01-PLAN.md 03-c/03-01-SUMMARY.md 03-c/03-VERIFICATION.md")...), ".planning")
		d.Read(func(name string) string {
			if strings.HasSuffix(name, "SUMMARY.md") {
				return "blocked"
			}
			return status
		}, parse("- [x] Phase 3: C\n"))
		if got := d.Phases[0].Plans[0].Done(); got != want || d.Phases[0].Verified != status || (d.Phases[0].Unverified() == "") != want {
			t.Errorf("verification %q: done %t, want %t; %+v", status, got, want, d.Phases[0])
		}
	}
}

// A UAT is read where no verification keeps the phase from being complete and the roadmap does not call it complete; the first that is open counts.
func TestDiskReadUAT(t *testing.T) {
	const done = "03-c/03-01-PLAN.md 03-c/03-01-SUMMARY.md "
	for _, c := range []struct {
		files   string
		status  map[string]string
		roadmap string
		want    string
	}{
		{"03-c/03-UAT.md", map[string]string{"03-UAT.md": "testing"}, "", "testing"},
		{"03-c/UAT.md", map[string]string{"UAT.md": "partial"}, "- [ ] Phase 3: C\n", "partial"},
		{"03-c/03-UAT.md 03-c/03-HUMAN-UAT.md", map[string]string{"03-UAT.md": "complete", "03-HUMAN-UAT.md": "partial"}, "", "partial"},
		{"03-c/03-UAT.md 03-c/03-HUMAN-UAT.md", map[string]string{"03-UAT.md": "diagnosed", "03-HUMAN-UAT.md": "testing"}, "", "diagnosed"},
		{"03-c/03-UAT.md", map[string]string{"03-UAT.md": "complete"}, "", ""},
		{"03-c/03-UAT.md 03-c/03-VERIFICATION.md", map[string]string{"03-UAT.md": "testing", "03-VERIFICATION.md": "gaps_found"}, "", "gaps_found"},
		{"03-c/03-UAT.md 03-c/03-VERIFICATION.md", map[string]string{"03-UAT.md": "testing", "03-VERIFICATION.md": "passed"}, "", "testing"},
		{"03-c/03-UAT.md", map[string]string{"03-UAT.md": "testing"}, "- [x] Phase 3: C\n", ""},
		{"03-c/03-UAT.md", map[string]string{"03-UAT.md": "testing"}, "## v1 Old (shipped)\n- [ ] Phase 3: C\n", ""},
		{"03-c/04-UAT.md 03-c/03-UAT-recheck.md", map[string]string{"04-UAT.md": "testing", "03-UAT-recheck.md": "testing"}, "", ""},
	} {
		d, r := ScanPhases(listing(below(".planning/phases", done+c.files)...), ".planning"), parse(c.roadmap)
		d.Read(func(name string) string { return c.status[path.Base(name)] }, r)
		e := Join(d, r)[0]
		if got := d.Phases[0].Unverified(); got != c.want || (e.Status == Complete) != (c.want == "") || !e.WorkDone() {
			t.Errorf("%s, %v, %q: %q and %s, want %q", c.files, c.status, c.roadmap, got, e.Status, c.want)
		}
	}
}

// The verifications of a shipped milestone are not read, even if numbers restarted.
func TestDiskReadShipped(t *testing.T) {
	d := ScanPhases(listing(below(".planning/phases", `GSD.01-05-a/GSD.01-05-01-PLAN.md GSD.01-05-a/GSD.01-05-01-SUMMARY.md GSD.01-05-a/05-VERIFICATION.md
		GSD.02-05-b/GSD.02-05-01-PLAN.md GSD.02-05-b/GSD.02-05-01-SUMMARY.md GSD.02-05-b/05-VERIFICATION.md`)...), ".planning")
	d.Read(func(string) string { return "gaps_found" }, parse("## v1 Old ✅\n### [GSD.01] Phase 05: A\n## v2 New\n### [GSD.02] Phase 05: B\n"))
	if got := fmt.Sprintf("%s: %q, %q", d.Phases[0].Path, d.Phases[0].Verified, d.Phases[1].Verified); got != `.planning/phases/GSD.01-05-a: "", "gaps_found"` {
		t.Errorf("read %s", got)
	}
}

func TestScanReports(t *testing.T) {
	for _, c := range []struct{ files, verification, context, research string }{
		{"03-x/03-VERIFICATION.md 03-x/03-CONTEXT.md 03-x/03-RESEARCH.md", "03-VERIFICATION.md", "03-CONTEXT.md", "03-RESEARCH.md"},
		{"03-x/VERIFICATION.md 03-x/RESEARCH.md", "VERIFICATION.md", ".", "RESEARCH.md"},
		{"03-x/VERIFICATION.md 03-x/03-VERIFICATION.md", "03-VERIFICATION.md", ".", "."},
		{"3-x/3-VERIFICATION.md 3-x/VERIFICATION.md", "3-VERIFICATION.md", ".", "."},
		{"3-x/03-CONTEXT.md", ".", "03-CONTEXT.md", "."},
		{"003/003-CONTEXT.md", ".", "003-CONTEXT.md", "."},
		{"03-x/04-VERIFICATION.md 03-x/03-01-VERIFICATION.md 03-x/x-CONTEXT.md 03-x/MYRESEARCH.md 03-x/CONTEXT.md.bak", ".", ".", "."},
		{"notes/CONTEXT.md notes/01-01-PLAN.md notes/03-RESEARCH.md", ".", "CONTEXT.md", "."},
		{"02-10-x/02-10-01-PLAN.md 02-10-x/02-10-CONTEXT.md 02-10-x/02-RESEARCH.md", ".", "02-10-CONTEXT.md", "."},
		{"03-x/plans/03-CONTEXT.md", ".", ".", "."},
	} {
		d := ScanPhases(listing(below("p/phases", c.files)...), "p").Phases[0]
		got := fmt.Sprintln(path.Base(d.Verification), path.Base(d.Context), path.Base(d.Research))
		if want := fmt.Sprintln(c.verification, c.context, c.research); got != want {
			t.Errorf("%s: %s, want %s", c.files, got, want)
		}
	}
}

// The phases of the current milestone are live wherever they are.
func TestActivate(t *testing.T) {
	const two = "## v1.0 Old (shipped)\n### Phase 1: A\n## 🚧 v1.1 New\n### Phase 2: B\n"
	for _, c := range []struct{ name, files, roadmap, named, want string }{
		{"under way", "", two, "", "v1.1-phases/02-b"},
		{"named", "", "## v1.0 Old\n### Phase 1: A\n## v1.1 New\n### Phase 2: B\n", "v1.1", "v1.1-phases/02-b"},
		{"neither", "", "## v1.0 Old\n### Phase 1: A\n## v1.1 New\n### Phase 2: B\n", "", ""},
		{"the only one that is not over", "", "## v1.0 Old (shipped)\n### Phase 1: A\n## v1.1 New\n### Phase 2: B\n", "", "v1.1-phases/02-b"},
		{"named, and shipped", "", "## v1.0 Old (shipped)\n### Phase 1: A\n", "v1.0", ""},
		{"named by a roadmap without milestones", "", "### Phase 1: A\n", "1.0", "v1.0-phases/01-a"},
		{"named, and unknown to the roadmap", "", "## v2.0 New\n### Phase 3: A\n", "v1.1", "v1.1-phases/02-b"},
		{"named, without a roadmap", "", "", "v1.0", "v1.0-phases/01-a"},
		{"its roadmap is archived", "v1.0-ROADMAP.md", "### Phase 1: A\n", "v1.0", ""},
		{"another's roadmap is archived", "v1.0-ROADMAP.md notes.md", two, "", "v1.1-phases/02-b"},
		{"nothing of it is there", "", "## 🚧 v3.0 New\n### Phase 7: A\n", "", ""},
		{"nested", "v4/phases/08-x/08-01-PLAN.md", "", "v4", "v4/phases/08-x"},
		{"loose", "v5-phases/08-01-PLAN.md", "", "v5", "v5-phases"},
		{"no milestone", "", "### Phase 1: A\n", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := ScanPhases(listing(slices.Concat(below("p/milestones", "v1.0-phases/01-a/01-01-PLAN.md v1.1-phases/02-b/02-01-PLAN.md "+c.files), below("p/phases", "09-z/09-01-PLAN.md"))...), "p")
			all := len(d.Archived)
			d.Activate(Parse([]byte(c.roadmap), c.named))
			var got []string
			for _, dir := range d.Phases[:len(d.Phases)-1] { // they are sorted
				got = append(got, strings.TrimPrefix(dir.Path, "p/milestones/"))
				if file := dir.Path + "/x.md"; dir.Milestone != "" || !d.IsLive(file) {
					t.Errorf("%s is not live: %+v", dir.Path, dir)
				}
			}
			if strings.Join(got, " ") != c.want || len(got)+len(d.Archived) != all {
				t.Errorf("live %q, want %q", got, c.want)
			}
			for _, dir := range d.Archived {
				if d.IsLive(dir.Path + "/x.md") {
					t.Errorf("%s is live", dir.Path)
				}
			}
			if !d.IsLive("p/phases/09-z/x.md") || d.IsLive("p/workstreams/w/phases/09-z/x.md") {
				t.Error("p/phases is not the only live one")
			}
		})
	}
}
