package next

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/internal/testenv"

	"pgregory.net/rapid"
)

// drawAsking draws a project and everything known about it.
func drawAsking(t *rapid.T) (asking, []string) {
	var files, ids []string
	c := asking{meta: map[string]string{}, tasks: map[string]int{}}
	for _, dir := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"01-a", "02-b", "02.1-c", "2.10-d", "3A-e", "10-f", "misc"}), 0, 4, rapid.ID[string]).Draw(t, "dirs") {
		phase, _, _ := strings.Cut(dir, "-")
		if dir == "misc" {
			phase = "07"
		}
		for _, plan := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"01", "02", "03", "10", "1A", "04-mail", "05-web"}), 0, 6, rapid.ID[string]).Draw(t, "plans") {
			name := path.Join(".planning/phases", dir, phase+"-"+plan)
			files = append(files, name+"-PLAN.md")
			if rapid.IntRange(0, 2).Draw(t, "done") == 0 {
				files = append(files, name+"-SUMMARY.md")
			}
			id, _ := planref.PlanID(name + "-PLAN.md")
			ids = append(ids, id)
			c.meta[id] = rapid.SampledFrom([]string{"", "wave: 1", "wave: 2", "wave: 0"}).Draw(t, "wave") + "; " +
				rapid.SampledFrom([]string{"", "depends_on: [01]", "depends_on: [01, 02]", "depends_on: [Phase 2]", "depends_on: [mail]", "depends_on: [2.1]", "depends_on: [10-01, x]"}).Draw(t, "depends")
			c.tasks[id] = rapid.IntRange(0, 3).Draw(t, "tasks")
		}
	}
	if len(ids) > 0 {
		id := rapid.SampledFrom(ids)
		for range rapid.IntRange(0, 12).Draw(t, "commits") {
			c.log = append(c.log, fmt.Sprintf(rapid.SampledFrom([]string{"feat(%s): x", "docs(%s): complete it", "docs: plan @%s", "x"}).Draw(t, "subject"), id.Draw(t, "of")))
			c.log[len(c.log)-1], _, _ = strings.Cut(c.log[len(c.log)-1], "%!")
		}
		if rapid.Bool().Draw(t, "with session") {
			c.session = id.Draw(t, "session")
		}
		c.ended = strings.Join(rapid.SliceOfN(id, 0, 2).Draw(t, "ended"), " ")
	}
	for _, ph := range []string{"1", "2", "2.1", "2.10", "3A", "4"} {
		c.roadmap += rapid.SampledFrom([]string{"", "- [x] Phase " + ph + ": T\n", "- [ ] Phase " + ph + ": T\n", "- [ ] Phase " + ph + ": T (deferred)\n", "- [~] Phase " + ph + ": T (1/3 plans)\n"}).Draw(t, "box")
	}
	return c, files
}

// shownAnswer formats a whole answer.
func shownAnswer(a Answer) string {
	plan := ""
	if a.Plan != nil {
		plan = a.Plan.Path
	}
	return fmt.Sprint(plan, " ", a.Phase, a.Meta.Wave, a.Meta.HasWave, " ", labels(a.AlsoReady), "\n", strings.Join(inCodes(a.Because...), "\n"))
}

// For any project, the named plans are open and named once, a plan is named if one is open that is not behind,
// also_ready is limited, and neither the order of a listing nor asking twice changes the answer. Once a plan has its
// summary it is never named again.
func TestOrderLaws(t *testing.T) {
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		c, files := drawAsking(t)
		d := roadmap.ScanPhases(listing(files...), ".planning")
		q := c.question(d)
		a := Order(q)
		open := map[*roadmap.Plan]bool{}
		for _, p := range d.Open() {
			open[p] = true
		}
		named := a.AlsoReady
		if a.Plan != nil {
			named = append([]*roadmap.Plan{a.Plan}, named...)
		}
		seen := map[*roadmap.Plan]bool{}
		for _, p := range named {
			if !open[p] {
				t.Fatalf("%s is not open\n%s", p.Path, shownAnswer(a))
			}
			if seen[p] {
				t.Fatalf("%s is named twice\n%s", p.Path, shownAnswer(a))
			}
			seen[p] = true
		}
		if len(a.AlsoReady) > maxAlso {
			t.Fatalf("%d plans are ready as well\n%s", len(a.AlsoReady), shownAnswer(a))
		}
		if len(a.Because) == 0 || slices.ContainsFunc(a.Because, func(r Reason) bool { return r.Code == "" }) {
			t.Fatalf("no reason is given\n%s", shownAnswer(a))
		}
		for p := range open {
			if p.Path == q.Session && a.Plan != p && a.Plan != nil {
				t.Fatalf("the session is on %s\n%s", p.Path, shownAnswer(a))
			}
		}
		for _, l := range a.LeftOver {
			if !open[l.Plan] || l.Why.Code == "" {
				t.Fatalf("%s is left over, %+v\n%s", l.Plan.Path, l.Why, shownAnswer(a))
			}
		}
		if len(open) > 0 && len(named) == 0 {
			t.Fatalf("%d plans are open and none is named\n%s", len(open), shownAnswer(a))
		}
		if again := Order(q); shownAnswer(again) != shownAnswer(a) {
			t.Fatalf("asked again:\n%s\nbefore:\n%s", shownAnswer(again), shownAnswer(a))
		}
		shuffled := roadmap.ScanPhases(listing(rapid.Permutation(files).Draw(t, "shuffled")...), ".planning")
		if other := Order(c.question(shuffled)); shownAnswer(other) != shownAnswer(a) {
			t.Fatalf("another order of names:\n%s\nbefore:\n%s", shownAnswer(other), shownAnswer(a))
		}
		for range len(files) {
			if a.Plan == nil {
				break
			}
			done := a.Plan.Path
			name, _ := planref.SummaryName(done)
			files = append(files, path.Join(path.Dir(done), name))
			a = Order(c.question(roadmap.ScanPhases(listing(files...), ".planning")))
			for _, p := range slices.Concat(a.AlsoReady, []*roadmap.Plan{cmp.Or(a.Plan, &roadmap.Plan{})}) {
				if p.Path == done {
					t.Fatalf("%s has its summary and is named\n%s", done, shownAnswer(a))
				}
			}
		}
		if a.Plan != nil {
			t.Fatalf("after so many summaries %s is still to be done", a.Plan.Path)
		}
	})
}
