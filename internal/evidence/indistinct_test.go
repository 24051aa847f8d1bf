package evidence

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/planfile"
)

// indistinct returns a plan whose tasks cannot be distinguished from each other.
func indistinct(p Plan) Plan {
	for i := range p.Tasks {
		p.Tasks[i].Indistinct = true
	}
	return p
}

// Commits on a task that cannot be distinguished from other work are its own and as certain as ever, and it is only in progress.
func TestIndistinct(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name         string
		plan         Plan
		log          []string
		want, status string
	}{
		{"no commit", indistinct(tasksOf("Plan 1")), nil, "", "p"},
		{"one", indistinct(tasksOf("Plan 1")), []string{"feat(03-01): a"}, "1=1@98", "i"},
		{"many", indistinct(tasksOf("Plan 1")), []string{"test(03-01): a", "feat(03-01): b", "feat(03-01): plan 1"}, "1=1@98 1=2@98 1=3@98", "i"},
		{"twice the same", indistinct(tasksOf("Add x", "Add x")), []string{"feat(03-01): add x", "feat(03-01): add x", "feat(03-01): add x"}, "", "ii"},
		{"inferred, in order alone", Plan{Path: plan31, Root: ".planning", ID: "03-01", Inferred: true, Tasks: tasksOf("1. Why", "2. Alternatives", "3. Decision").Tasks}, []string{"feat(03-01): a", "feat(03-01): b", "feat(03-01): c"}, "", "iii"},
		{"inferred, by words", Plan{Path: plan31, Root: ".planning", ID: "03-01", Inferred: true, Tasks: tasksOf("1. User schema", "2. Login endpoint").Tasks}, []string{"feat(03-01): user schema"}, "", "cp"},
		{"beside others", Plan{Path: plan31, Root: ".planning", ID: "03-01", Tasks: []Task{
			{Number: 1, Name: "Add x", Indistinct: true}, {Number: 2, Name: "Add x", Indistinct: true}, {Number: 3, Name: "Write the report"},
		}}, []string{"feat(03-01): write the report"}, "3=1@92", "ppc"},
	} {
		f := Match(values(history(tt.log...)), tt.plan)
		if got := given(f); tt.want != "" && got != tt.want || letters(f) != tt.status {
			t.Errorf("%s: %s %s, want %s %s", tt.name, got, letters(f), tt.want, tt.status)
		}
	}
}

// No commits complete such a task, and those of the others are not changed by it.
func TestIndistinctLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		p, commits := drawPlan(t), history(drawLog(t, ofPlan, "log")...)
		before := Match(values(commits), p)
		was := before.Statuses(DefaultConfidence)
		for i := range p.Tasks {
			p.Tasks[i].Indistinct = !p.Tasks[i].IsCheckpoint() && rapid.Bool().Draw(t, "indistinct")
		}
		found := Match(values(commits), p)
		if given(found) != given(before) {
			t.Fatalf("%s, and with tasks that cannot be told apart %s", given(before), given(found))
		}
		for i, s := range found.Statuses(DefaultConfidence) {
			switch {
			case p.Tasks[i].Indistinct && s == planfile.Complete:
				t.Fatalf("task %d is complete", i+1)
			case !p.Tasks[i].Indistinct && !p.Tasks[i].IsCheckpoint() && s != was[i]:
				t.Fatalf("task %d is %s, not %s", i+1, s, was[i])
			}
		}
	})
}
