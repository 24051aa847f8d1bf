package evidence

// effort_test.go: the cost of the rules. A hostile repository may have any number of tasks, lines in a squashed commit
// and words, so what is kept and compared is limited.

import (
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/planref"
)

// works returns n commits with the given subjects and body.
func works(n int, subject func(i int) string, body string) iter.Seq[*Commit] {
	return func(yield func(*Commit) bool) {
		for i := range n {
			if !yield(&Commit{ID: hash(i), Subject: subject(i), Objects: &fake{version: "v", body: body}}) {
				return
			}
		}
	}
}

// squashes returns squashed commits that each list lines of one plan.
func squashes(commits, lines int) iter.Seq[*Commit] {
	var body strings.Builder
	for i := range lines {
		fmt.Fprintf(&body, "* feat(03-01): part %d of the login form\n", i)
	}
	return works(commits, func(int) string { return "Merge work" }, body.String())
}

func formPlan(tasks int) Plan {
	var names []string
	for i := range tasks {
		names = append(names, fmt.Sprintf("Build part%d of the login form", i))
	}
	return tasksOf(names...)
}

// TestSquashesAreBounded checks that of a thousand squashed commits not all are read, that the answer says so, and that
// it lists each commit once, however many lines it has.
func TestSquashesAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("compares thousands of commits")
	}
	t.Parallel()
	const lines = 400
	f := Match(squashes(1000, lines), formPlan(10))
	if want := maxItems/lines + 1; f.Seen != want || !f.Exhausted || f.Bounded {
		t.Errorf("%d commits seen, want %d; exhausted %v, bounded %v", f.Seen, want, f.Exhausted, f.Bounded)
	}
	f = Match(squashes(10, lines), formPlan(10))
	if f.Seen != 10 || f.Exhausted {
		t.Errorf("of few, %d seen, exhausted %v", f.Seen, f.Exhausted)
	}
	all := [][]Evidence{f.Unassigned}
	for _, task := range f.Tasks {
		all = append(all, task.Commits)
	}
	for _, some := range all {
		if n := len(slices.CompactFunc(slices.Clone(some), func(a, b Evidence) bool { return a.ID == b.ID })); n != len(some) {
			t.Errorf("%d of %d commits are listed once", n, len(some))
		}
	}
}

// TestTooMuchToCompare checks that beyond the limits no task has evidence, every commit is still listed, and the answer
// says so.
func TestTooMuchToCompare(t *testing.T) {
	if testing.Short() {
		t.Skip("compares much")
	}
	t.Parallel()
	long := strings.Repeat("a1 b2 c3 d4 e5 f6 g7 h8 i9 j10 ", 10)
	for name, c := range map[string]struct {
		plan    Plan
		commits int
		subject string
		want    bool
	}{
		"a plan as people write it": {formPlan(15), 60, "x", false},
		"many tasks":                {formPlan(1 << 12), 1 << 6, "x", false},
		"too many tasks":            {formPlan(1<<12 + 1), 1 << 6, "x", true},
		"long names":                {tasksOf(slices.Repeat([]string{long}, 1000)...), 250, long, false},
	} {
		f := Match(works(c.commits, func(int) string { return "feat(03-01): " + c.subject }, ""), c.plan)
		if f.Exhausted != c.want || c.want && len(f.Unassigned) != c.commits {
			t.Errorf("%s: exhausted %v, %d of no task", name, f.Exhausted, len(f.Unassigned))
		}
	}
}

// TestUnnamedIsBounded checks that of many commits without a plan and many tasks, only so many are compared, and that only so many
// messages are read for what they say of a task.
func TestUnnamedIsBounded(t *testing.T) {
	t.Parallel()
	p := prepare(formPlan(1 << 10))
	p.files = nameFiles([]Task{{Files: []string{"a.go"}}})
	fitting := 0
	for range maxSteps/len(p.Tasks) + 10 {
		it := item{Subject: planref.ParseSubject("feat: build the login form", nil)}
		if p.fits(&Commit{Objects: &fake{files: []string{"a.go"}}}, &it) {
			fitting++
		}
	}
	if want := maxSteps/len(p.Tasks) + 1; fitting != want {
		t.Errorf("%d commits fit, want %d", fitting, want)
	}
	saying := 0
	for range maxHeard + 10 {
		if p.said(item{line: "build the login form", source: &Commit{Objects: &fake{}}}, 0) > 0 {
			saying++
		}
	}
	if saying != maxHeard {
		t.Errorf("%d messages were read, want %d", saying, maxHeard)
	}
}

// TestRulesGrow checks that memory grows linearly with the input.
func TestRulesGrow(t *testing.T) { // not parallel: memory is counted
	if testing.Short() {
		t.Skip("compares work of three sizes")
	}
	const most = 1.15
	part := func(i int) string { return fmt.Sprintf("feat(03-01): build part%d of it", i) }
	for name, run := range map[string]func(n int){
		"squash lines": func(n int) { Match(squashes(10, 4*n), formPlan(10)) },
		"squashes":     func(n int) { Match(squashes(n/4, 100), formPlan(10)) },
		"commits":      func(n int) { Match(works(n, part, ""), formPlan(10)) },
		"tasks":        func(n int) { Match(works(10, part, ""), formPlan(n)) },
		"reverts":      func(n int) { Match(works(n, func(int) string { return `Revert "x"` }, ""), formPlan(10)) },
		"hashes": func(n int) {
			Match(works(10, part, strings.Repeat("This reverts commit "+hash(7)+".\n", n)), formPlan(10))
		},
	} {
		var work []float64
		for _, n := range []int{100, 200, 400} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			run(n)
			runtime.ReadMemStats(&after)
			work = append(work, float64(after.TotalAlloc-before.TotalAlloc))
		}
		if is := max(math.Log2(work[1]/work[0]), math.Log2(work[2]/work[1])); is > most {
			t.Errorf("%s: n^%.2f: %.0f", name, is, work)
		}
	}
}

// FuzzSquash checks that every listed commit is a line of the message, and that there are no more of them than lines.
func FuzzSquash(f *testing.F) {
	f.Add("Data (#12)", "* feat(03-01): a\n- feat(03-02): b\n* Revert \"feat(03-01): a\"")
	f.Add(squashHeader, "commit "+hash(1)+"\n\n    feat(03-01): a\n    \n    This reverts commit "+hash(2)+".")
	f.Fuzz(func(t *testing.T, subject, body string) {
		lines := squashed(subject, body, nil)
		if len(lines) > strings.Count(subject+"\n"+body, "\n")+1 {
			t.Errorf("%d lines", len(lines))
		}
		for _, l := range lines {
			if l.subject == "" || !strings.Contains(subject+"\n"+body, l.subject) || len(l.reverts) > strings.Count(body, "This reverts commit ") {
				t.Errorf("%+v", l)
			}
		}
	})
}
