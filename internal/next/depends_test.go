package next

import (
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

func TestResolve(t *testing.T) {
	var plans []roadmap.Plan
	for _, id := range strings.Fields("1-1 1-2 2-1 2-2 2.1-1 2.1-2 3-2 4-1 4-2 4-10 5-1 5-1b 6-") {
		phase, plan, _ := strings.Cut(id, "-")
		plans = append(plans, roadmap.Plan{Path: id, Phase: number(phase), Number: number(plan)})
	}
	index := indexPlans([]roadmap.Dir{{Plans: plans}})
	for _, c := range []struct{ self, ref, want string }{
		{"4-2", "04-01", "4-1"},
		{"4-2", "4-1", "4-1"},
		{"4-2", "01", "4-1"},
		{"4-2", "4-10", "4-10"},
		{"2.1-2", "01", "2.1-1"}, // upstream lesson 19
		{"3-2", "01", "1-1 1-2"}, // there is no 03-01: the whole phase
		{"3-2", "2", "2-1 2-2"},  // not itself
		{"3-2", "4", ""},         // not a later phase
		{"4-1", "9", ""},
		{"4-2", "2.1", "2.1-1 2.1-2"},
		{"4-2", "Phase 1", "1-1 1-2"},
		{"4-2", "Phase 4", ""}, // its own
		{"4-2", "4", ""},
		{"3-2", "Phase 4", "4-1 4-2 4-10"},
		{"4-2", "02-01-schema", "2-1"},
		{"4-2", "02-01-PLAN.md", "2-1"},
		{"4-2", "09-01", ""},
		{"4-2", "04-02", "4-2"}, // itself
		{"5-1", "5-1b", "5-1b"},
	} {
		self := &plans[slices.IndexFunc(plans, func(p roadmap.Plan) bool { return p.Path == c.self })]
		entries := frontmatter.Read([]byte("---\ndepends_on: [" + c.ref + "]\n---\n")).DependsOn
		if len(entries) != 1 {
			t.Fatalf("%q is not understood", c.ref)
		}
		var got []string
		if g := index.resolve(entries[0], self); g != nil {
			for _, p := range g.plans {
				got = append(got, p.Path)
			}
			if g.open != len(got) {
				t.Errorf("%d of %d are open", g.open, len(got))
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s depends on %q: got %q, want %q", c.self, c.ref, s, c.want)
		}
	}
}

// FuzzResolve: an entry means one plan, all plans of a phase, or none.
func FuzzResolve(f *testing.F) {
	f.Add("03-01", "a")
	f.Add("Phase 3", "b")
	f.Add(".planning/quick/001-fix/PLAN.md", "c")
	f.Fuzz(func(t *testing.T, entry, self string) {
		plans := []roadmap.Plan{{Path: self}, {Path: "b", Phase: number("3"), Number: number("1")}}
		index := indexPlans([]roadmap.Dir{{Plans: plans}})
		for _, d := range frontmatter.Read([]byte("---\ndepends_on: [" + entry + "]\n---\n")).DependsOn {
			if g := index.resolve(d, &plans[0]); g != nil && (len(g.plans) != 1 || g.open != 1) {
				t.Fatalf("%+v means %+v", d, g)
			}
		}
	})
}

func TestDangling(t *testing.T) {
	t.Parallel()
	list := listing(below(".planning/phases", "02-a/02-01-PLAN.md 03-b/03-01-PLAN.md 03-b/03-02-PLAN.md 03-b/03-08-SUMMARY.md 05-c/05-01-PLAN.md 05-c/05-fix-PLAN.md "+
		doneFiles("01-z/01-01"))...)
	d := roadmap.ScanPhases(list, ".planning")
	for _, test := range []struct{ dependsOn, want string }{
		{"[]", ""},
		{"[01-01, 02-01, 03-01, 3-1, 02-01-PLAN.md, 03-02]", ""},
		{"[01-02]", "01-02"},
		{"[03-08, 08]", ""}, // its plan was removed when it was done
		{"[03-07, 03-01, 05-02]", "03-07 05-02"},
		{"[04-01, 09-01]", ""}, // phases without a plan here may have been removed
		{"[01, 02, 03, Phase 3, Phase 9]", ""},
		{"[04]", "04"}, // neither a plan of phase 3 nor a phase before it
		{"[05]", ""},   // a phase after it, but there is one
		{"[some words]", ""},
		{"[03-01-auth, 05-fix, 05-FIX-PLAN.md, 02-a, 05-fix-more]", ""}, // 02-a is a phase and its slug
		{"[03-07-auth]", "03-07-auth"},
	} {
		meta := func(p *roadmap.Plan) frontmatter.Meta {
			if p.ID != "03-02" {
				return frontmatter.Meta{}
			}
			return frontmatter.Read([]byte("---\ndepends_on: " + test.dependsOn + "\n---\n"))
		}
		var got []string
		for p, all := range Dangling(d, list, meta) {
			for _, dep := range all {
				got = append(got, dep.Text)
			}
			if p.ID != "03-02" {
				t.Errorf("%s depends on nothing", p.ID)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("depends_on: %s: %q, want %q", test.dependsOn, got, test.want)
		}
	}
}

func TestDanglingKnowsArchives(t *testing.T) {
	t.Parallel()
	list := listing(below(".planning", doneFiles("milestones/v1.0-phases/01-z/01-01")+" phases/02-a/02-01-PLAN.md")...)
	d := roadmap.ScanPhases(list, ".planning")
	meta := func(*roadmap.Plan) frontmatter.Meta {
		return frontmatter.Read([]byte("---\ndepends_on: [01-01, 01-02]\n---\n"))
	}
	for _, all := range Dangling(d, list, meta) {
		if len(all) != 1 || all[0].Text != "01-02" {
			t.Errorf("%v", all)
		}
	}
}

func TestWaits(t *testing.T) {
	c := asking{
		files:  "02-z/02-01-PLAN.md 03-a/03-01-PLAN.md 03-a/03-01-SUMMARY.md 03-a/03-02-PLAN.md 03-a/03-02-SUMMARY.md 03-a/03-03-PLAN.md 03-a/03-04-PLAN.md 03-a/03-05-PLAN.md",
		halted: "03-02",
		meta: map[string]string{
			"02-01": "depends_on: [03-05]", "03-03": "depends_on: [03-01, 03-03]", "03-04": "depends_on: [03-01, 03-02, 03-03, 03, nonsense]",
			"03-05": "depends_on: [Phase 2, 03-04]",
		},
	}
	var got []string
	for _, w := range Waits(c.question(c.disk()), number("3")) {
		got = append(got, w.Plan.ID+" for "+labels(w.For))
	}
	if want := []string{"03-04 for 03-02 03-03", "03-05 for 02-01 03-04"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestResolveWords: a plan that has a word in its reference is meant by that alone, or with all others of its number.
func TestResolveWords(t *testing.T) {
	d := roadmap.ScanPhases(listing(below(".planning/phases", "02-b/02-01-auth-PLAN.md 02-b/02-01-db-PLAN.md 02-b/02-02-mail-PLAN.md 02-b/02-fix-PLAN.md 03-c/03-A-PLAN.md loose/x-PLAN.md")...), ".planning")
	index, open := indexPlans(d.Phases), d.Open()
	for entry, want := range map[string]string{
		"02-01": "02-01-auth 02-01-db", "2-1-Auth": "02-01-auth", "02-01-db-PLAN.md": "02-01-db", "02-01-new": "02-01-auth 02-01-db", "02-02": "02-02",
		"02-02-mail": "02-02", "02-02-old": "02-02", "02-fix": "02-fix", "02-other": "", "Phase 2": "02-01-auth 02-01-db 02-02 02-fix", "03-A": "03-A", "03": "03-A",
	} {
		for _, dep := range frontmatter.Read([]byte("---\ndepends_on: [" + entry + "]\n---\n")).DependsOn {
			var got string
			if g := index.resolve(dep, &roadmap.Plan{Path: "p", Phase: number("7")}); g != nil {
				got = labels(g.plans)
			}
			if got != want {
				t.Errorf("%s means %q, want %q", entry, got, want)
			}
		}
	}
	if len(open) != 6 {
		t.Errorf("%d plans", len(open))
	}
}

// TestWaitsFor: what a plan waits for is the same whether all phases were listed or only those that matter.
func TestWaitsFor(t *testing.T) {
	t.Parallel()
	files := map[string]string{ // by path below phases
		"02-z/02-01-PLAN.md": "", "02-z/02-02-PLAN.md": "status: superseded", "02-z/02-03-PLAN.md": "", "02-z/02-03-SUMMARY.md": "status: complete",
		"02-10-x/02-10-01-PLAN.md": "", "03-again/03-01-PLAN.md": "", "03-again/03-05-PLAN.md": "",
		"03-a/03-01-PLAN.md": "", "03-a/03-01-SUMMARY.md": "", "03-a/03-02-PLAN.md": "", "03-a/03-02-SUMMARY.md": "status: halted",
		"03-a/03-03-PLAN.md": "", "03-a/03-03-SUMMARY.md": "status: blocked", "03-a/plans/03-04-PLAN.md": "", "05-b/05-01-PLAN.md": "",
	}
	for _, test := range []struct{ plan, depends, open, halted string }{
		{"03-a/03-09-PLAN.md", "[]", "", ""},
		{"03-a/03-09-PLAN.md", "[03-01]", "", ""},
		{"03-again/03-09-PLAN.md", "[03-01, 03-05]", "03-05", ""},
		{"03-a/03-09-PLAN.md", "[03-01, 03-02, 03-03, 03-04]", "03-03 03-04", "03-02"},
		{"03-a/03-09-PLAN.md", "[03-09, nonsense, 07-01]", "", ""},
		{"03-a/03-09-PLAN.md", "[04]", "03-04", ""},
		{"03-a/03-09-PLAN.md", "[Phase 2]", "02-01", ""},
		{"03-a/03-09-PLAN.md", "[02-02, 02-03]", "", ""},
		{"03-a/03-09-PLAN.md", "[02-10-01, 05-01-PLAN.md]", "02-10-01 05-01", ""},
		{"03-a/plans/03-09-PLAN.md", "[03-04, 05-01]", "03-04 05-01", ""},
	} {
		const root = ".planning"
		all := maps.Clone(files)
		all[test.plan] = "depends_on: " + test.depends
		list := func(dir string) (names []string) {
			for name := range all {
				if below, ok := strings.CutPrefix(path.Join(root, "phases", name), dir+"/"); ok {
					first, _, _ := strings.Cut(below, "/")
					names = append(names, first)
				}
			}
			slices.Sort(names)
			return slices.Compact(names)
		}
		meta := func(name string) frontmatter.Meta {
			return frontmatter.Read([]byte("---\n" + all[strings.TrimPrefix(name, root+"/phases/")] + "\n---\n"))
		}
		plan := path.Join(root, "phases", test.plan)
		for how, d := range map[string]*roadmap.Disk{"all": roadmap.ScanPhases(list, root), "some": roadmap.ScanFor(list, plan, MayMean(meta(plan).DependsOn))} {
			open, halted := WaitsFor(d, plan, meta)
			if got := labels(open); got != test.open || labels(halted) != test.halted {
				t.Errorf("%s, depends on %s, with %s of the phases: for %q and %q, want %q and %q", test.plan, test.depends, how, got, labels(halted), test.open, test.halted)
			}
		}
	}
}
