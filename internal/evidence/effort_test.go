package evidence

// effort_test.go: what the rules about commits cost. How many tasks a plan has, how many lines a squash lists and how many
// words either has is up to whoever wrote them, so what is kept and what is compared is counted.

import (
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/gitlog"
)

// squashes are commits that list lines of one plan each.
func squashes(commits, lines int) iter.Seq[Work] {
	var body strings.Builder
	for i := range lines {
		fmt.Fprintf(&body, "* feat(03-01): part %d of the login form\n", i)
	}
	return func(yield func(Work) bool) {
		for i := range commits {
			if !yield(Work{ID: fmt.Sprintf("%040d", i), Subject: fmt.Sprintf("Merge work (#%d)", i), Body: strings.Clone(body.String())}) {
				return
			}
		}
	}
}

func loginPlan(tasks int) Plan {
	p := Plan{Path: ".planning/phases/03-a/03-01-PLAN.md", ID: "03-01"}
	for i := range tasks {
		p.Tasks = append(p.Tasks, Task{Number: i + 1, Name: fmt.Sprintf("Build part%d of the login form", i)})
	}
	return p
}

// TestSquashesAreBounded: a thousand squashed bodies are not taken to their end, the answer says so, and it names each commit
// once, however many lines it lists.
func TestSquashesAreBounded(t *testing.T) {
	t.Parallel()
	const lines = 400
	f := Recover(squashes(1000, lines), loginPlan(10))
	if want := mostItems/lines + 1; f.Seen != want || !f.Exhausted || f.Bounded {
		t.Errorf("%d commits seen, want %d; exhausted %v, bounded %v", f.Seen, want, f.Exhausted, f.Bounded)
	}
	all := [][]Evidence{f.Unassigned}
	for _, task := range f.Tasks {
		all = append(all, task.Commits)
	}
	for _, some := range all {
		var ids []string
		for _, e := range some {
			ids = append(ids, e.ID)
		}
		slices.Sort(ids)
		if n := len(ids); len(slices.Compact(ids)) != n {
			t.Errorf("%d commits, and not each once", n)
		}
	}
	if f = Recover(squashes(10, lines), loginPlan(10)); f.Seen != 10 || f.Exhausted {
		t.Errorf("of few, %d seen, exhausted %v", f.Seen, f.Exhausted)
	}
}

// TestRulesGrow: memory grows as what is read does.
func TestRulesGrow(t *testing.T) { // not with others at a time: memory is counted
	const most = 1.15
	for name, run := range map[string]func(n int){
		"squash lines": func(n int) { Recover(squashes(10, 4*n), loginPlan(10)) },
		"squashes":     func(n int) { Recover(squashes(n/4, 100), loginPlan(10)) },
		"commits": func(n int) {
			Recover(func(yield func(Work) bool) {
				for i := range n {
					if !yield(Work{ID: fmt.Sprintf("%040d", i), Subject: fmt.Sprintf("feat(03-01): build part%d of it", i)}) {
						return
					}
				}
			}, loginPlan(10))
		},
		"tasks": func(n int) { Recover(squashes(1, 10), loginPlan(n)) },
		"trailers": func(n int) {
			trailersOf(strings.Repeat("Plan: 03-01\nTask: 1-50\nTasks: 51-99\n", n))
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
		if is := exponent(work); is > most {
			t.Errorf("%s: n^%.2f: %.0f", name, is, work)
		} else {
			t.Logf("%s: n^%.2f: %.0f", name, is, work)
		}
	}
}

// TestComparisonsAreBounded: whatever is held against whatever, it comes to an end that the answer tells.
func TestComparisonsAreBounded(t *testing.T) {
	t.Parallel()
	words := func(from, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%c%d ", 'a'+(from+i)%26, i)
		}
		return b.String()
	}
	plan := func(tasks int, name func(i int) string, files ...string) Plan {
		p := Plan{Path: ".planning/phases/03-a/03-01-PLAN.md", ID: "03-01"}
		for i := range tasks {
			p.Tasks = append(p.Tasks, Task{Number: i + 1, Name: name(i), Files: files})
		}
		return p
	}
	var files []gitlog.Change
	for i := range mostFiles {
		files = append(files, gitlog.Change{Path: fmt.Sprintf("x%d/a.go", i), Kind: gitlog.Modified})
	}
	rewritten := plan(1000, func(i int) string { return words(i, 30) })
	rewritten.Was = func(version string) []string {
		return slices.Repeat([]string{version + words(1, 30)}, 1000)
	}
	for name, c := range map[string]struct {
		plan Plan
		work func(i int) Work
	}{
		"long names and subjects": {plan(100, func(i int) string { return words(i, 100) }), func(i int) Work { return Work{Subject: words(i, 100)} }},
		"documents and many tasks": {plan(10_000, func(i int) string { return words(i, 20) }), func(i int) Work {
			return Work{Subject: "docs(03-01): update roadmap " + words(i, 30)}
		}},
		"stand-ins and many tasks": {plan(10_000, func(i int) string { return words(i, 20) }), func(i int) Work {
			return Work{Subject: "feat(03-01): " + strings.Repeat("stub login form;", 50)}
		}},
		"reverts and many tasks": {plan(10_000, func(i int) string { return words(i, 20) }), func(i int) Work {
			return Work{Subject: `Revert "feat(03-01): ` + words(i, 50) + `"`}
		}},
		"one number, many tasks": {plan(10_000, func(int) string { return "Task 1: build it" }), func(i int) Work {
			return Work{Subject: "feat(03-01): x", Body: strings.Repeat("- Task 1: not started\n- done\n", 50)}
		}},
		"files of one name": {plan(1000, func(i int) string { return words(i, 5) }, "b/a.go"), func(i int) Work {
			return Work{Subject: "feat(03-01): x", Changes: func() []gitlog.Change { return files }}
		}},
		"a plan that is always rewritten": {rewritten, func(i int) Work {
			return Work{Subject: "feat(03-01): x", Version: func(string) string { return fmt.Sprint("v", i) }}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := &search{plan: prepare(c.plan)}
			n := 0
			for ; n < 10_000 && !w.exhausted(); n++ {
				work := c.work(n)
				work.ID = fmt.Sprintf("%040d", n)
				if !w.add(&work) {
					break
				}
			}
			if !w.exhausted() || n == 0 {
				t.Errorf("%d commits, and %d comparisons left", n, w.plan.left)
			}
			w.plan.left = mostCompared
			w.finish(&Found{}) // which comes to its end
		})
	}
}

// TestHonestPlansAreFarFromTheBounds: a large plan, as people write them, takes less than a hundredth of what it may.
func TestHonestPlansAreFarFromTheBounds(t *testing.T) {
	t.Parallel()
	w := &search{plan: prepare(loginPlan(15))}
	for i := range 60 {
		w.add(&Work{ID: fmt.Sprintf("%040d", i), Subject: fmt.Sprintf("feat(03-01): build part%d of the login form", i/4)})
	}
	if used := mostCompared - w.plan.left; used > mostCompared/100 {
		t.Errorf("%d of %d comparisons while reading", used, mostCompared)
	}
	w.plan.left = mostCompared
	w.finish(&Found{})
	if used := mostCompared - w.plan.left; used > mostCompared/100 {
		t.Errorf("%d of %d comparisons while assigning", used, mostCompared)
	}
}

// TestNamesAreBounded: a commit names so many tasks and plans and no more.
func TestNamesAreBounded(t *testing.T) {
	t.Parallel()
	var body, scope strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&body, "Plan: %d-%d\nTask: %d-%d\n", i, i, 50*i+1, 50*i+50)
		fmt.Fprintf(&scope, "%d-%d,", i%100, i)
	}
	s := trailersOf(body.String())
	if len(s.Tasks) > mostTasks || len(s.Plans) > mostTasks {
		t.Errorf("%d tasks, %d plans", len(s.Tasks), len(s.Plans))
	}
	open := trailersOf("x\n\n" + strings.Repeat("- tasks 1-40: not started\n- tasks 41-80: pending\n", 100))
	if len(open.open) > mostTasks {
		t.Errorf("%d open tasks", len(open.open))
	}
	if s := ParseSubject("feat(" + scope.String()[:900] + "): x"); len(s.Plans) != mostTasks {
		t.Errorf("%d plans", len(s.Plans))
	}
}

// TestAlikeHashes: a revert finds its commit by its whole hash however many others begin alike, and gives up on a part of it
// that too many may mean.
func TestAlikeHashes(t *testing.T) {
	t.Parallel()
	commits := []undo{{id: "f", takesIDs: []string{"1234567" + strings.Repeat("0", 33)}}}
	for i := range 100 {
		commits = append(commits, undo{id: fmt.Sprintf("1234567%033d", i)})
	}
	if gone, missed := undone(commits); !gone[1] || missed[0] {
		t.Errorf("gone %v, missed %v", gone[1], missed[0])
	}
	commits[0].takesIDs[0] = commits[100].id
	if gone, missed := undone(commits); !gone[100] || missed[0] {
		t.Errorf("gone %v, missed %v", gone[100], missed[0])
	}
	commits[0].takesIDs[0], commits[100].id = "12345679", "12345679"+strings.Repeat("0", 32)
	if gone, missed := undone(commits); gone[100] || !missed[0] {
		t.Errorf("gone %v, missed %v", gone[100], missed[0])
	}
}

// exponent is the growth of some work that was measured at n, 2n and 4n: the larger of both steps, because costs that
// do not grow hide the rest at first.
func exponent(work []float64) float64 {
	return max(math.Log2(work[1]/work[0]), math.Log2(work[2]/work[1]))
}
