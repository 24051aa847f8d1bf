package roadmap

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/testenv"

	"pgregory.net/rapid"
)

// entryText formats an entry: `v1 3 Auth: in progress 1/2 :5 03-auth`, with the line after the second colon, then the
// directory, and last why it does not count.
func entryText(e Entry) string {
	var b strings.Builder
	if e.Milestone != "" {
		b.WriteString("v" + e.Milestone + " ")
	}
	fmt.Fprintf(&b, "%s %s: %s %d/%d", e.Number, e.Title, e.Status, e.Done, e.Total)
	if e.worked {
		b.WriteString(" but not verified")
	}
	if e.Line > 0 {
		fmt.Fprintf(&b, " :%d", e.Line)
	}
	if e.Dir != nil {
		b.WriteString(" " + path.Base(e.Dir.Path))
		if e.Dir.Milestone != "" {
			b.WriteString(" of v" + e.Dir.Milestone)
		}
	}
	if e.Left != "" {
		b.WriteString(" (" + string(e.Left) + ")")
	}
	return b.String()
}

// doneFiles returns the names of a plan and its summary.
func doneFiles(stem string) string { return stem + "-PLAN.md " + stem + "-SUMMARY.md" }

func TestJoin(t *testing.T) {
	for _, c := range []struct {
		name, files, roadmap string
		want                 []string
	}{
		{"nothing", "", "", nil},
		{
			"the roadmap alone", "", "- [x] Phase 1: A\n- [ ] Phase 2: B (1/3 plans)\n- [ ] Phase 3: C\n- [ ] Phase 4: D (deferred)\n",
			[]string{"1 A: complete 0/0 :1", "2 B: in progress 1/1 :2", "3 C: not started 0/0 :3", "4 D: deferred 0/0 :4"},
		},
		{
			"the disk alone", doneFiles("01-a/01-01") + " 02-user-auth/02-01-PLAN.md " + doneFiles("02-user-auth/02-02") + " 03-c/03-01-PLAN.md 04-d/04-CONTEXT.md", "",
			[]string{"1 a: complete 1/1 01-a", "2 user auth: in progress 1/2 02-user-auth", "3 c: not started 0/1 03-c"},
		},
		{
			"both", doneFiles("01-a/01-01") + " 02-b/02-01-PLAN.md", "# R\n\n### Phase 1: Alpha\n### Phase 02: Beta\n**Status:** In progress\n",
			[]string{"1 Alpha: complete 1/1 :3 01-a", "2 Beta: in progress 0/1 :5 02-b"},
		},
		{
			"ticked, with open plans", doneFiles("01-a/01-01") + " 01-a/01-02-PLAN.md", "- [x] Phase 1: A\n",
			[]string{"1 A: complete 1/2 :1 01-a"},
		},
		{
			"more plans in the roadmap than on disk", doneFiles("01-a/01-01"), "- [ ] Phase 1: A (1/3 plans)\n",
			[]string{"1 A: in progress 1/1 :1 01-a"},
		},
		{
			"fewer plans in the roadmap than on disk", doneFiles("01-a/01-01") + " " + doneFiles("01-a/01-02"), "- [ ] Phase 1: A (1/1 plans)\n",
			[]string{"1 A: complete 2/2 :1 01-a"},
		},
		{
			"in progress in the roadmap, done on disk", doneFiles("01-a/01-01"), "### Phase 1: A\n**Status:** In progress\n",
			[]string{"1 A: complete 1/1 :2 01-a"},
		},
		{
			"done in the roadmap's count, nothing on disk", "01-a/01-CONTEXT.md", "- [ ] Phase 1: A (2/2 plans)\n",
			[]string{"1 A: complete 2/2 :1 01-a"},
		},
		{
			"put off with plans done", doneFiles("01-a/01-01") + " 01-a/01-02-PLAN.md", "- [ ] Phase 1: A (deferred)\n",
			[]string{"1 A: deferred 1/2 :1 01-a"},
		},
		{
			"put off with all plans done", doneFiles("01-a/01-01"), "- [ ] Phase 1: A (deferred)\n",
			[]string{"1 A: complete 1/1 :1 01-a"},
		},
		{
			"directories that the roadmap does not mention", "01-a/01-01-PLAN.md 02.1-b/02.1-01-PLAN.md 09-z/09-01-PLAN.md 05-none/05-CONTEXT.md", "- [ ] Phase 2: B\n- [ ] Phase 3: C\n",
			[]string{"1 a: not started 0/1 01-a", "2 B: not started 0/0 :1", "2.1 b: not started 0/1 02.1-b", "3 C: not started 0/0 :2", "9 z: not started 0/1 09-z"},
		},
		{
			"a directory without number comes last", "notes/PLAN.md 01-a/01-01-PLAN.md", "- [ ] Phase 2: B\n",
			[]string{"1 a: not started 0/1 01-a", "2 B: not started 0/0 :1", " notes: not started 0/1 notes"},
		},
		{
			"two directories of a number", "03-a/03-01-PLAN.md 03-b/03-02-PLAN.md", "- [ ] Phase 3: C\n- [ ] Phase 4: D\n",
			[]string{"3 C: not started 0/1 :1 03-a", "3 b: not started 0/1 03-b (repeated)", "4 D: not started 0/0 :2"},
		},
		{
			"numbers that start again, archived too", "01-new/01-01-PLAN.md " + doneFiles("../milestones/v1.0-phases/01-old/01-01") + " ../milestones/v1.0-phases/02-old/02-01-PLAN.md",
			"## v1.0 Old (shipped)\n### Phase 1: One\n### Phase 2: Two\n## v1.1 New\n### Phase 1: Eins\n",
			[]string{"v1 1 One: complete 1/1 :1 01-old of v1", "v1 2 Two: complete 0/1 :1 02-old of v1", "v1.1 1 Eins: not started 0/1 :5 01-new"},
		},
		{
			"an archive that the roadmap does not know", "03-c/03-01-PLAN.md " + doneFiles("../milestones/v0.9-phases/01-old/01-01") + " ../milestones/v0.9-phases/02-old/02-01-PLAN.md", "- [ ] Phase 3: C\n",
			[]string{"v0.9 1 old: complete 1/1 01-old of v0.9", "v0.9 2 old: not started 0/1 02-old of v0.9", "3 C: not started 0/1 :1 03-c"},
		},
		{
			"archived, in a roadmap without milestones", doneFiles("../milestones/v1-phases/01-a/01-01"), "- [x] Phase 1: A\n- [ ] Phase 2: B\n",
			[]string{"1 A: complete 1/1 :1 01-a of v1", "2 B: not started 0/0 :2"},
		},
		{
			"archived, and the number lives again", doneFiles("../milestones/v1-phases/01-a/01-01") + " 01-b/01-01-PLAN.md", "- [ ] Phase 1: B\n",
			[]string{"v1 1 a: complete 1/1 01-a of v1", "1 B: not started 0/1 :1 01-b"},
		},
		{
			"archived twice, the newest is meant", doneFiles("../milestones/v1-phases/01-a/01-01") + " ../milestones/v2-phases/01-a/01-01-PLAN.md", "- [x] Phase 1: A\n",
			[]string{"v1 1 a: complete 1/1 01-a of v1", "1 A: complete 0/1 :1 01-a of v2"},
		},
		{
			"archived, and the number was given to another phase", doneFiles("../milestones/v1-phases/01-auth/01-01"), "### Phase 1: Export\n",
			[]string{"v1 1 auth: complete 1/1 01-auth of v1", "1 Export: not started 0/0 :1"},
		},
		{
			"an archive that is called by a word", doneFiles("../milestones/mvp-phases/01-a/01-01"), "## v1 Old\n### Phase 1: A\n",
			[]string{"vmvp 1 a: complete 1/1 01-a of vmvp", "v1 1 A: not started 0/0 :2"},
		},
		{
			"strays behind a milestone that is over", "02-x/02-01-PLAN.md 03-y/03-01-PLAN.md",
			"## v1 Old (shipped)\n### Phase 1: A\n### Phase 2: B\n**Status:** Complete\n### Phase 2.1: C\n",
			[]string{"v1 1 A: complete 0/0 :1", "v1 2 B: complete 0/1 :4 02-x", "v1 2.1 C: complete 0/0 :1", "3 y: not started 0/1 03-y (unmentioned)"},
		},
		{
			"strays behind an archive", "01-x/01-01-PLAN.md 02-y/02-01-PLAN.md " + doneFiles("../milestones/v1-phases/01-a/01-01") + " " + doneFiles("../milestones/v1-phases/02-b/02-01"), "",
			[]string{"v1 1 a: complete 1/1 01-a of v1", "v1 2 b: complete 1/1 02-b of v1", "1 x: not started 0/1 01-x", "2 y: not started 0/1 02-y"},
		},
		{
			"a stray joins the milestone it follows", "02.1-x/02.1-01-PLAN.md", "## v1 Old (shipped)\n### Phase 1: A\n## v2 New\n### Phase 2: B\n### Phase 3: C\n",
			[]string{"v1 1 A: complete 0/0 :1", "v2 2 B: not started 0/0 :4", "v2 2.1 x: not started 0/1 02.1-x", "v2 3 C: not started 0/0 :5"},
		},
		{
			"directories that name their milestones", "GSD.01-02-a/GSD.01-02-01-PLAN.md GSD.02-02-b/GSD.02-02-01-PLAN.md GSD.03-02-c/PLAN.md",
			"## v1 Old\n### [GSD.01] Phase 02: A\n## v2 New\n### [GSD.02] Phase 02: B\n",
			[]string{"v1 2 A: not started 0/1 :2 GSD.01-02-a", "v2 2 B: not started 0/1 :4 GSD.02-02-b", "v2 2 c: not started 0/1 GSD.03-02-c (repeated)"},
		},
		{
			"two directories of a number, one of them with its name", "03-a/03-01-PLAN.md 03-data-model/03-01-PLAN.md", "- [ ] Phase 3: Data & Model\n",
			[]string{"3 Data & Model: not started 0/1 :1 03-data-model", "3 a: not started 0/1 03-a (repeated)"},
		},
		{
			"two directories of a number, one of them with plans", "03-a/03-CONTEXT.md 03-b/03-01-PLAN.md", "- [ ] Phase 3: C\n",
			[]string{"3 C: not started 0/1 :1 03-b"},
		},
		{
			"two directories with its name, one of them with plans", "03-data-and-model/03-CONTEXT.md 03-data-model/03-01-PLAN.md", "- [ ] Phase 3: Data & Model\n",
			[]string{"3 Data & Model: not started 0/1 :1 03-data-model"},
		},
		{
			"a directory with its name, and one of a former milestone", doneFiles("01-mud/01-01") + " 01-fire/01-CONTEXT.md", "- [ ] Phase 1: Fire\n",
			[]string{"1 Fire: not started 0/0 :1 01-fire", "1 mud: complete 1/1 01-mud (repeated)"},
		},
		{
			"numbers that start again, none of them archived", doneFiles("01-eins/01-01") + " " + doneFiles("01-one/01-01"),
			"## v1 Old (shipped)\n### Phase 1: One\n## v2 New\n### Phase 1: Eins\n",
			[]string{"v1 1 One: complete 1/1 :1 01-one", "v2 1 Eins: complete 1/1 :4 01-eins"},
		},
		{
			"the directory of a former milestone, which was not archived", doneFiles("01-one/01-01"), "## v1 Old (shipped)\n### Phase 1: One\n## v2 New\n### Phase 1: Eins\n",
			[]string{"v1 1 One: complete 1/1 :1 01-one", "v2 1 Eins: not started 0/0 :4"},
		},
		{
			"two directories that the roadmap does not mention", "01-a/01-01-PLAN.md 01-b/01-01-PLAN.md", "",
			[]string{"1 a: not started 0/1 01-a", "1 b: not started 0/1 01-b (repeated)"},
		},
		{
			"a copy in the archive", doneFiles("01-a/01-01") + " " + doneFiles("../milestones/v1-phases/01-a/01-01"), "## v1 Old (shipped)\n### Phase 1: A\n",
			[]string{"v1 1 a: complete 1/1 01-a of v1 (repeated)", "v1 1 A: complete 1/1 :1 01-a"},
		},
		{
			"archived, and never ticked", doneFiles("../milestones/v1-phases/01-user-auth/01-01"), "- [ ] Phase 1: User Auth\n- [ ] Phase 2: B\n",
			[]string{"1 User Auth: complete 1/1 :1 01-user-auth of v1", "2 B: not started 0/0 :2"},
		},
		{
			"phases that upstream reserves, and one that was struck out", doneFiles("00-a/00-01") + " 999.1-idea/999.1-01-PLAN.md",
			"- [ ] Phase 0: A\n- [ ] ~~Phase 1: B~~\n- [ ] Phase 999.1: Idea\n",
			[]string{
				"0 A: complete 1/1 :1 00-a (reserved)", "1 B: deferred 0/0 :2 (struck-out)",
				"999.1 Idea: not started 0/1 :3 999.1-idea (reserved)",
			},
		},
		{
			"summaries without plans", "01-a/01-01-SUMMARY.md 01-a/01-02-SUMMARY.md 02-b/02-01-SUMMARY.md 02-b/02-02-PLAN.md 02-b/02-FIX-SUMMARY.md 03-c/SUMMARY.md 04-d/04-SUMMARY.md 04-d/04-01-PLAN.md 05-e/05-CLOSEOUT-SUMMARY.md",
			"- [ ] Phase 1: A\n- [ ] Phase 2: B\n- [ ] Phase 3: C\n- [ ] Phase 4: D\n- [ ] Phase 5: E\n",
			[]string{
				"1 A: complete 2/2 :1 01-a", "2 B: in progress 1/2 :2 02-b", "3 C: complete 1/1 :3 03-c", "4 D: not started 0/1 :4 04-d", "5 E: not started 0/0 :5 05-e",
			},
		},
		{
			"the summary of a nested plan", "01-a/01-01-SUMMARY.md 01-a/plans/PLAN-01-x.md", "- [ ] Phase 1: A\n",
			[]string{"1 A: not started 0/1 :1 01-a"},
		},
		{
			"finished, and gone from the disk", "02-b/02-01-PLAN.md 04-d/04-02-SUMMARY.md", "- [x] Phase 1: A (3/3 plans)\n- [ ] Phase 2: B (1/2 plans)\n- [ ] Phase 3: C (0/4 plans)\n- [x] Phase 4: D (2/2 plans)\n",
			[]string{"1 A: complete 3/3 :1", "2 B: not started 0/1 :2 02-b", "3 C: not started 0/0 :3", "4 D: complete 2/2 :4 04-d"},
		},
		{
			"the title of a row without one", "03-user-auth/03-01-PLAN.md", "| Phase | Status |\n|---|---|\n| 3 | In Progress |\n",
			[]string{"3 user auth: in progress 0/1 :3 03-user-auth"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Scan(listing(below(".planning/phases", c.files)...), ".planning")
			var got []string
			for _, e := range Join(d, parse(c.roadmap)) {
				got = append(got, entryText(e))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// The cases are upstream's: computeProgressPercent in state-document.cjs returns the same, except for the 99.
func TestProgress(t *testing.T) {
	for _, c := range []struct {
		p    Progress
		want int
	}{
		{Progress{Phases: 4, PhasesDone: 1, Plans: 1, PlansDone: 1}, 25},
		{Progress{Phases: 4, PhasesDone: 1, Plans: 8, PlansDone: 1}, 13}, // 12.5
		{Progress{Phases: 3, PhasesDone: 2}, 67},
		{Progress{Plans: 3, PlansDone: 1}, 33},
		{Progress{Phases: 1, Plans: 3, PlansDone: 3}, 0},
		{Progress{Phases: 1000, PhasesDone: 1}, 0},
		{Progress{Phases: 1000, PhasesDone: 999, Plans: 1, PlansDone: 1}, 99},
		{Progress{Phases: 1, PhasesDone: 1, Plans: 1000, PlansDone: 999}, 99},
		{Progress{Phases: 2, PhasesDone: 2, Plans: 3, PlansDone: 3}, 100},
		{Progress{Phases: 2, PhasesDone: 2}, 100},
		{Progress{Plans: 3, PlansDone: 5}, 100},
		{Progress{Plans: 3, PlansDone: -5}, 0},
	} {
		if got, ok := c.p.Percent(); got != c.want || !ok {
			t.Errorf("%+v is %d %%, %v; want %d", c.p, got, ok, c.want)
		}
	}
	if got, ok := (Progress{}).Percent(); ok || got != 0 {
		t.Errorf("%d %% of nothing", got)
	}
	waiting := Progress{Phases: 8, PhasesDone: 8, Plans: 22, PlansDone: 22, Waiting: []string{"7"}}
	if got, _ := waiting.Percent(); got != 99 {
		t.Errorf("%d %% with a phase that is not verified", got)
	}
	seven, _ := planref.ParseNumber("7")
	var p Progress
	for _, e := range []Entry{
		{Phase: Phase{Status: Complete, Done: 2, Total: 2}},
		{Phase: Phase{Status: InProgress, Number: seven, Done: 3, Total: 3}, worked: true},
		{Phase: Phase{Status: InProgress, Done: 1, Total: 9}},
		{Phase: Phase{Status: Deferred}},
		{Phase: Phase{Status: Complete, Done: 1, Total: 1}, Left: "it is another's"},
	} {
		p.Add(&e)
	}
	if want := (Progress{Phases: 4, PhasesDone: 2, Plans: 14, PlansDone: 6, Waiting: []string{"7"}}); !reflect.DeepEqual(p, want) {
		t.Errorf("%+v, want %+v", p, want)
	}
}

func TestVerification(t *testing.T) {
	for _, c := range []struct {
		files, roadmap, status string
		want                   Status
	}{
		{doneFiles("01-a/01-01"), "", "", Complete},
		{doneFiles("01-a/01-01"), "", "passed", Complete},
		{doneFiles("01-a/01-01"), "", "gaps_found", InProgress},
		{doneFiles("01-a/01-01"), "", "human_needed", InProgress},
		{doneFiles("01-a/01-01"), "", "passed_with_known_gaps", Complete},
		{doneFiles("01-a/01-01"), "- [x] Phase 1: A\n", "gaps_found", InProgress},
		{doneFiles("01-a/01-01"), "- [ ] Phase 1: A (deferred)\n", "gaps_found", InProgress},
		{"01-a/01-01-PLAN.md", "", "passed", NotStarted},
		{"01-a/01-01-PLAN.md", "", "gaps_found", NotStarted},
		{doneFiles("../milestones/v1-phases/01-a/01-01"), "", "gaps_found", Complete}, // not read of an archived phase
	} {
		files := c.files
		if c.status != "" {
			files += " 01-a/01-VERIFICATION.md ../milestones/v1-phases/01-a/01-VERIFICATION.md"
		}
		d, r := Scan(listing(below(".planning/phases", files)...), ".planning"), parse(c.roadmap)
		d.Read(func(string) string { return c.status }, r)
		all := Join(d, r)
		if e := all[len(all)-1]; e.Status != c.want || e.WorkDone() != (e.Dir.Done() > 0) || e.Dir.Verified != c.status && !e.IsArchived() {
			t.Errorf("%s, %q, %s: %+v", c.files, c.roadmap, c.status, all)
		}
	}
}

// For any roadmap and disk, each phase of the roadmap is listed once and in order, and so is each directory with plans;
// Done counts summaries if there are plans on disk; every status is known; and neither the roadmap nor the disk
// changes.
func TestJoinLaws(t *testing.T) {
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		var files []string
		for _, dir := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{
			"phases/01-a", "phases/02-b", "phases/02-again", "phases/2.1-c", "phases/3A-d", "phases/notes", "phases/9-e",
			"milestones/v1-phases/01-a", "milestones/v1-phases/02-b", "milestones/v2-phases/01-a", "milestones/v2-phases/notes",
		}), 0, 8, rapid.ID[string]).Draw(t, "dirs") {
			for i := range rapid.IntRange(0, 3).Draw(t, "plans") {
				name := fmt.Sprintf(".planning/%s/07-%02d-", dir, i)
				files = append(files, name+"PLAN.md")
				if rapid.Bool().Draw(t, "done") {
					files = append(files, name+"SUMMARY.md")
				}
			}
			files = append(files, ".planning/"+dir+"/x.md")
		}
		var text strings.Builder
		for range rapid.IntRange(0, 8).Draw(t, "lines") {
			n := rapid.SampledFrom([]string{"1", "2", "2.1", "3A", "9"}).Draw(t, "phase")
			text.WriteString(rapid.SampledFrom([]string{
				"## v1 Old\n", "## v2 New (shipped)\n", "## v3 Last\n", "- [x] Phase " + n + ": T\n", "- [ ] Phase " + n + ": T (2/3 plans)\n", "### Phase " + n + ": T\n",
				"### Phase " + n + ": T (deferred)\n", "- [ ] Phase " + n + ": T (2/2 plans)\n",
			}).Draw(t, "line"))
		}
		d, r := Scan(listing(files...), ".planning"), parse(text.String())
		before := fmt.Sprintf("%+v", d)
		all := Join(d, r)
		if fmt.Sprintf("%+v", d) != before {
			t.Fatal("the disk was changed")
		}
		phases := r.Phases()
		dirs := map[*Dir]int{}
		for _, e := range all {
			if e.Line > 0 {
				if len(phases) == 0 || planref.Compare(phases[0].Number, e.Number) != 0 || phases[0].Milestone != e.Milestone {
					t.Fatalf("%s is out of order", entryText(e))
				}
				phases = phases[1:]
			}
			if e.Dir != nil {
				dirs[e.Dir]++
				if planref.Compare(e.Dir.Number, e.Number) != 0 || len(e.Dir.Plans) > 0 && (e.Done != e.Dir.Done()+len(e.Dir.Orphans) || e.Total-e.Done != len(e.Dir.Plans)-e.Dir.Done()) {
					t.Fatalf("%s has another directory, %s", entryText(e), dirText(*e.Dir))
				}
			}
			if e.Status == Unknown || e.Done > e.Total || e.Line == 0 && e.Dir == nil {
				t.Fatal(entryText(e))
			}
		}
		if len(phases) > 0 {
			t.Fatalf("%d phases are missing, the first %s", len(phases), phases[0].Number)
		}
		for _, list := range [][]Dir{d.Phases, d.Archived} {
			for i := range list {
				if n := dirs[&list[i]]; n > 1 || n == 0 && len(list[i].Plans) > 0 {
					t.Fatalf("%s is listed %d times", list[i].Path, n)
				}
			}
		}
	})
}

// TestScopeHas: what counts now is of the current milestone, and what lies in the archive of another one never does.
func TestScopeHas(t *testing.T) {
	for _, c := range []struct{ name, files, roadmap, want string }{
		{"no milestone", "01-a/01-01-PLAN.md 02-x/02-01-PLAN.md", "- [ ] Phase 1: A\n", "1 2"},
		{"an archive without a milestone in the roadmap", doneFiles("../milestones/v1-phases/01-a/01-01") + " 02-b/02-01-PLAN.md", "- [ ] Phase 2: B\n", "2"},
		{"archived phases in a roadmap without milestones", doneFiles("../milestones/v1-phases/01-a/01-01") + " 02-b/02-01-PLAN.md", "- [ ] Phase 1: A\n- [ ] Phase 2: B\n", "2"},
		{"the current milestone", "02-b/02-01-PLAN.md 09-z/09-01-PLAN.md 02-c/02-01-PLAN.md", "## v1 Old (shipped)\n### Phase 1: A\n## v2 New\n### Phase 2: B\n", "2 9"},
		{"the current milestone's archive", "../milestones/v2-phases/02-b/02-01-PLAN.md", "## v1 Old (shipped)\n### Phase 1: A\n## v2 New\n### Phase 2: B\n", "2"},
		{"an archive with an open plan", "../milestones/v1.0-phases/01-a/01-01-PLAN.md 02-b/02-01-PLAN.md", "## v1.0 Old\n### Phase 1: A\n## v1.1 New\n### Phase 2: B\n", "2"},
		{"a milestone without phases", doneFiles("01-a/01-01"), "- [x] Phase 1: A\n\n## v2 New\n", "1"},
		{"reserved", "00-a/00-01-PLAN.md 01-b/01-01-PLAN.md", "", "1"},
	} {
		d, r := Scan(listing(below(".planning/phases", c.files)...), ".planning"), parse(c.roadmap)
		all := Join(d, r)
		scope := r.Scope(all)
		var got []string
		for i := range all {
			if scope.Has(&all[i]) {
				got = append(got, all[i].Number.String())
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
}

// The words are those of real verifications; people write others than upstream's three.
func TestUnverified(t *testing.T) {
	for status, passed := range map[string]bool{
		"passed": true, "approved": true, "complete": true, "verified": true, "passed_with_known_gaps": true, "passed with documented skips": true,
		"human_approved": true, "all_passed": true, "": true, "re-verified": true,
		"human_needed": false, "gaps_found": false, "pending": false, "code_confirmed_unverified": false, "passed_human_needed": false,
		"not passed": false, "partially_verified": false, "unverified": false, "needs_approval": false, "failed": false, "passed, approval pending": false,
		"passed_but_failed_uat": false,
	} {
		if got := Unverified(status); got != map[bool]string{true: "", false: status}[passed] {
			t.Errorf("%q: %q", status, got)
		}
	}
}

// TestOpenUAT: upstream's words, and those that people wrote in real UATs.
func TestOpenUAT(t *testing.T) {
	for status, open := range map[string]bool{
		"testing": true, "partial": true, "diagnosed": true, "pending": true, "blocked": true, "in_progress": true, "failed": true,
		"complete": false, "resolved": false, "passed": false, "gaps_closed": false, "fixed": false, "retired": false, "": false, "unmerged": false,
	} {
		if got := OpenUAT(status); got != map[bool]string{true: status}[open] {
			t.Errorf("%q: %q", status, got)
		}
	}
}
