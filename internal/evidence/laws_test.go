package evidence

// laws_test.go: properties that hold for any commits and any plan.

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/planfile"
)

var (
	ofPlan = []string{
		"feat(03-01): user schema", "test(03-01): login endpoint", "feat(03-01): login endpoint", "fix(03-01): typo",
		"docs(03-01): document interface", "feat(03-01): wip", "refactor(3-1): one thing", "feat(phase-03): a third thing",
	}
	ofOthers = []string{"feat(03-02): user schema", "feat(04-01): x", "fix: typo", "docs(02): plans", `Revert "fix: typo"`, "", "wip"}
)

func drawPlan(t *rapid.T) Plan {
	p := tasksOf(rapid.SliceOfN(rapid.SampledFrom([]string{"Task 1: Create user schema", "test: Write login endpoint", "stop: Look", "Document interface", "Verify all"}), 0, 6).Draw(t, "tasks")...)
	p.Alone = rapid.Bool().Draw(t, "alone")
	return p
}

func drawLog(t *rapid.T, subjects []string, name string) []string {
	return rapid.SliceOfN(rapid.SampledFrom(subjects), 0, 12).Draw(t, name)
}

// Unrelated commits anywhere in the history do not change the answer.
func TestOthersChangeNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		p := drawPlan(t)
		commits := history(drawLog(t, ofPlan, "of the plan")...)
		want := Match(values(commits), p)
		for i, o := range history(drawLog(t, ofOthers, "of others")...) {
			o.ID = fmt.Sprintf("%040x", i)
			commits = slices.Insert(commits, rapid.IntRange(0, len(commits)).Draw(t, "at"), o)
		}
		got := Match(values(commits), p)
		if want.Seen = got.Seen; !reflect.DeepEqual(want, got) {
			t.Fatalf("want\n%+v\ngot\n%+v", want, got)
		}
	})
}

// A commit and its revert do not change the answer; reverting the revert restores the commit.
func TestRevertIsUndo(t *testing.T) {
	t.Parallel()
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		p, before := drawPlan(t), history(drawLog(t, ofPlan, "log")...)
		subject := rapid.SampledFrom(ofPlan).Draw(t, "subject")
		repository := rapid.SampledFrom([]string{"", "packages/api"}).Draw(t, "repository")
		newer := func(n int, subject, body string) *Commit {
			return &Commit{ID: gitlog.IDBelow(repository, fmt.Sprintf("%040x", n)), Subject: subject, Objects: &fake{version: "v", body: body}}
		}
		done := newer(1, subject, "")
		revert, again := newer(2, `Revert "`+subject+`"`, ""), newer(3, `Reapply "`+subject+`"`, "")
		if rapid.Bool().Draw(t, "by hash") {
			revert, again = newer(2, "x", fmt.Sprintf("This reverts commit %040x.", 1)), newer(3, "y", fmt.Sprintf("This reverts commit %040x.", 2))
		}
		without, with := Match(values(before), p), Match(values(slices.Concat([]*Commit{done}, before)), p)
		reverted := slices.Concat([]*Commit{revert, done}, before)
		for _, c := range []struct{ want, got Found }{
			{without, Match(values(reverted), p)},
			{with, Match(values(slices.Concat([]*Commit{again}, reverted)), p)},
		} {
			if !reflect.DeepEqual(c.want.Tasks, c.got.Tasks) || !slices.Equal(c.want.Unassigned, c.got.Unassigned) {
				t.Fatalf("want\n%+v\ngot\n%+v", c.want, c.got)
			}
		}
	})
}

// A commit is evidence for at most one task, each confidence is between 0 and 1, and a higher one never yields more
// evidence. A task is pending if it has no commit, and in progress only if it has.
func TestMatchLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		p := drawPlan(t)
		f := Match(values(history(drawLog(t, slices.Concat(ofPlan, ofOthers), "log")...)), p)
		if len(f.Tasks) != len(p.Tasks) {
			t.Fatalf("%d tasks of %d", len(f.Tasks), len(p.Tasks))
		}
		in := map[string]int{}
		check := func(e Evidence) {
			if in[e.ID]++; in[e.ID] > 1 || !(e.Confidence >= 0 && e.Confidence <= 1) || e.Reason == "" {
				t.Fatalf("%+v", e)
			}
		}
		for _, task := range f.Tasks {
			for _, e := range task.Commits {
				check(e)
			}
			if !(task.Confidence >= 0 && task.Confidence <= 1) {
				t.Fatal(task.Confidence)
			}
		}
		for _, e := range f.Unassigned {
			check(e)
		}
		low := rapid.Float64Range(0, 1).Draw(t, "low")
		high := rapid.Float64Range(low, 1).Draw(t, "high")
		lows, highs := f.Statuses(low), f.Statuses(high)
		for i, task := range f.Tasks {
			if len(task.AtLeast(high)) > len(task.AtLeast(low)) || highs[i] == planfile.Complete && lows[i] != planfile.Complete {
				t.Fatalf("task %d: more at %v than at %v", task.Number, high, low)
			}
			if has := len(task.Commits) > 0; lows[i] == planfile.Pending && has || lows[i] == planfile.InProgress && !has {
				t.Fatalf("task %d is %s with %d commits", task.Number, lows[i], len(task.Commits))
			}
		}
	})
}
