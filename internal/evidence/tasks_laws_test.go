package evidence

// tasks_laws_test.go: what must hold for any commits and any plan.

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var (
	someSubjects = []string{
		"feat(03-01): create user schema", "test(03-01): login endpoint", "feat(03-01): login endpoint", "fix(03-01): typo",
		"feat(03-01): tasks 1 and 2", "feat(03-01): Task 2: x", "docs(03-01): document interface", "docs(03-01): complete plan",
		"feat(03-01): wip", "chore(03-01): task 3", "refactor(3-1): one thing", "[03-01] another thing", "feat(phase-03): a third thing",
	}
	otherSubjects = []string{"feat(03-02): create user schema", "feat(04-01): x", "fix: typo", "docs(02): plans", `Revert "fix: typo"`, "", "wip"}
	someTasks     = []Task{
		{Name: "Task 1: Create user schema"},
		{Name: "Task 2: Write login endpoint", TDD: true},
		{Name: "Look", Type: "checkpoint:human-verify"},
		{Name: "Task 3: Document interface"},
		{Name: "Verify all"},
	}
)

func drawPlan(t *rapid.T) Plan {
	p := Plan{Path: plan31, ID: "03-01"}
	if rapid.Bool().Draw(t, "siblings") {
		sibling(&p)
	}
	p.Tasks = slices.Clone(rapid.SliceOfN(rapid.SampledFrom(someTasks), 0, 6).Draw(t, "tasks"))
	for i := range p.Tasks {
		p.Tasks[i].Number = i + 1
	}
	return p
}

// drawLog draws commits, the newest first, all from after the plan was written.
func drawLog(t *rapid.T, subjects []string, name string) []Work {
	drawn := rapid.SliceOfN(rapid.SampledFrom(subjects), 0, 12).Draw(t, name)
	commits := make([]Work, len(drawn))
	for i, s := range drawn {
		commits[i] = Work{ID: fmt.Sprintf("%08d%.4s%028d", i, fmt.Sprintf("%x0000", name), i), When: time.Unix(int64(100-i), 0), Subject: s}
		commits[i].Version = func(string) string { return "v" }
		if rapid.IntRange(0, 9).Draw(t, "second") == 0 {
			commits[i].Subject += " too"
		}
	}
	return commits
}

// mix puts others among commits, both in their order.
func mix(t *rapid.T, commits, others []Work) []Work {
	mixed := slices.Clone(commits)
	for _, o := range others {
		mixed = slices.Insert(mixed, rapid.IntRange(0, len(mixed)).Draw(t, "at"), o)
	}
	return mixed
}

func recoverOf(commits []Work, p Plan) Found {
	f := Recover(slices.Values(commits), p)
	f.Seen = 0
	return f
}

// Commits about anything else change nothing, wherever they stand.
func TestRecoverOthers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p, commits := drawPlan(t), drawLog(t, someSubjects, "a")
		want := recoverOf(commits, p)
		if got := recoverOf(mix(t, commits, drawLog(t, otherSubjects, "b")), p); !reflect.DeepEqual(want, got) {
			t.Fatalf("want\n%sgot\n%s", dump(want), dump(got))
		}
	})
}

// A revert takes away the evidence of the one commit, and moves nothing else; its own revert gives it back.
func TestRecoverRevert(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p, commits := drawPlan(t), drawLog(t, someSubjects, "a")
		if len(commits) == 0 {
			return
		}
		was := recoverOf(commits, p)
		k := rapid.IntRange(0, len(commits)-1).Draw(t, "revert")
		target := commits[k]
		bySubject := slices.IndexFunc(commits, func(c Work) bool { return c.Subject == target.Subject }) == k && rapid.Bool().Draw(t, "by subject")
		revert := Work{ID: "eeeeeeee", Subject: `Revert "` + target.Subject + `"`}
		again := Work{ID: "ffffffff", Subject: `Revert "Revert "` + target.Subject + `""`}
		if !bySubject {
			revert.Body, again.Body = "This reverts commit "+target.ID+".", "This reverts commit eeeeeeee."
		}
		reverted := append([]Work{revert}, commits...)
		got := recoverOf(reverted, p)
		for i, task := range was.Tasks {
			want := slices.DeleteFunc(slices.Clone(task.Commits), func(e Evidence) bool { return e.ID == target.ID })
			if len(want) != len(got.Tasks[i].Commits) || len(want) > 0 && !reflect.DeepEqual(want, got.Tasks[i].Commits) {
				t.Fatalf("want task %d without %s of\n%sgot\n%s", task.Number, target.ID, dump(was), dump(got))
			}
		}
		if got := recoverOf(append([]Work{again}, reverted...), p); !reflect.DeepEqual(was, got) {
			t.Fatalf("given back: want\n%sgot\n%s", dump(was), dump(got))
		}
	})
}

// A commit is in two tasks only if it names both, each confidence is within 0 and 1, and who asks to be surer
// gets no more.
func TestRecoverLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlan(t)
		commits := mix(t, drawLog(t, someSubjects, "a"), drawLog(t, otherSubjects, "b"))
		f := recoverOf(commits, p)
		if len(f.Tasks) != len(p.Tasks) {
			t.Fatalf("%d tasks of %d", len(f.Tasks), len(p.Tasks))
		}
		in := map[string]int{}
		check := func(e Evidence) {
			in[e.ID]++
			if !(e.Confidence >= 0 && e.Confidence <= 1) || e.Reason == "" {
				t.Fatalf("%+v", e)
			}
			if s := ParseSubject(e.Subject); in[e.ID] > 1 && len(s.Tasks) < 2 {
				t.Fatalf("%q is in %d tasks", e.Subject, in[e.ID])
			}
		}
		for _, task := range f.Tasks {
			for _, e := range task.Commits {
				check(e)
			}
			if task.Confidence < 0 || task.Confidence > 1 {
				t.Fatal(task.Confidence)
			}
		}
		for _, e := range f.Unassigned {
			check(e)
		}
		low := rapid.Float64Range(0, 1).Draw(t, "low")
		high := rapid.Float64Range(low, 1).Draw(t, "high")
		lowStatuses, highStatuses := f.Statuses(low), f.Statuses(high)
		for i, task := range f.Tasks {
			if len(task.Sure(high)) > len(task.Sure(low)) || highStatuses[i] == statusComplete && lowStatuses[i] != statusComplete {
				t.Fatalf("task %d: more at %v than at %v\n%s", task.Number, high, low, dump(f))
			}
		}
		count := 0
		for _, s := range lowStatuses {
			if s == statusInProgress {
				count++
			}
		}
		if count > 1 {
			t.Fatalf("statuses %v", lowStatuses)
		}
	})
}

// completeOf lists the tasks that are complete.
func completeOf(f Found) []int {
	var tasks []int
	for i, s := range f.Statuses(DefaultConfidence) {
		if s == statusComplete {
			tasks = append(tasks, i+1)
		}
	}
	return tasks
}

// Work in progress makes no task complete, and takes none back, wherever it stands.
func TestRecoverWIP(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p, commits := drawPlan(t), drawLog(t, someSubjects, "a")
		wip := drawLog(t, []string{"wip(03-01): create user schema", "wip(03-01): task 2", "WIP(3-1): Task 3: document interface", "wip(03-01): x", "wip(03-01-T1): y"}, "b")
		want := completeOf(recoverOf(commits, p))
		mixed := mix(t, commits, wip)
		if got := recoverOf(mixed, p); !slices.Equal(want, completeOf(got)) {
			t.Fatalf("complete were %v\n%s", want, dump(got))
		}
	})
}

// A revert, in whatever words, completes no task.
func TestRecoverRevertCompletesNone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p, commits := drawPlan(t), mix(t, drawLog(t, someSubjects, "a"), drawLog(t, otherSubjects, "b"))
		of := rapid.SampledFrom(someSubjects).Draw(t, "of")
		form := rapid.SampledFrom([]string{
			`Revert "%s"`, `Revert "%s" (#7)`, `Reverted "%s"`, `⏪ Revert "%s"`, "revert: %s", "revert(03-01): %s", "fix(03-01): revert %s", "chore(03-01): undo %s", "revert %s",
			"Revert '%s'", "Revert `%s`", "UNDO: %s", "[revert] %s", "undo %s", "revert(%s)",
		}).Draw(t, "form")
		was := completeOf(recoverOf(commits, p))
		at := rapid.IntRange(0, len(commits)).Draw(t, "at")
		got := recoverOf(slices.Insert(slices.Clone(commits), at, Work{ID: "eeeeeeee", Subject: fmt.Sprintf(form, of), Version: func(string) string { return "v" }}), p)
		for _, task := range completeOf(got) {
			if !slices.Contains(was, task) {
				t.Fatalf("complete were %v\n%s", was, dump(got))
			}
		}
	})
}
