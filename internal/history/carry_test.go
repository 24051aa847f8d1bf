package history

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
	"pgregory.net/rapid"
)

// task is "status name: text"; an empty status makes it a plan's.
type task struct{ status, name, text string }

func fileOf(tasks ...task) *planfile.File {
	var b strings.Builder
	for _, t := range tasks {
		b.WriteString("<task type=\"auto\"")
		if t.status != "" {
			b.WriteString(" status=\"" + t.status + "\"")
		}
		b.WriteString(">\n")
		if t.name != "" {
			b.WriteString("  <name>" + t.name + "</name>\n")
		}
		b.WriteString("  <action>" + t.text + "</action>\n</task>\n")
	}
	return planfile.Parse([]byte(b.String()))
}

func TestCarry(t *testing.T) {
	tests := []struct {
		name      string
		old, plan []task
		carried   []string
		left      []string
	}{
		{
			name: "same names",
			old:  []task{{"complete", "A", "a"}, {"in-progress", "B", "b"}, {"pending", "C", "c"}},
			plan: []task{{"", "A", "a"}, {"", "B", "b"}, {"", "C", "c"}},
			carried: []string{
				"1←1 complete", "2←2 in-progress",
			},
		},
		{
			name:    "skipped",
			old:     []task{{"complete", "A", "a"}, {"skipped", "B", "b"}, {"skipped", "D", "d"}},
			plan:    []task{{"", "B", "b"}, {"", "A", "a"}},
			carried: []string{"2←1 complete", "1←2 skipped"},
			left:    []string{"3 skipped D: no-such-task"},
		},
		{
			name:    "a task in front",
			old:     []task{{"complete", "Task 1: A", "a"}, {"complete", "Task 2: B", "b"}},
			plan:    []task{{"", "Task 1: New", "n"}, {"", "Task 2: A", "a"}, {"", "Task 3: B", "b"}},
			carried: []string{"2←1 complete", "3←2 complete"},
		},
		{
			name:    "order changed",
			old:     []task{{"complete", "A", "a"}, {"complete", "B", "b"}},
			plan:    []task{{"", "B", "b"}, {"", "A", "a"}},
			carried: []string{"2←1 complete", "1←2 complete"},
		},
		{
			name:    "no name, same content",
			old:     []task{{"complete", "", "do this"}},
			plan:    []task{{"", "", "new"}, {"", "", "do  this"}},
			carried: []string{"2←1 complete"},
		},
		{
			name:    "same name, other text",
			old:     []task{{"complete", "A", "a"}},
			plan:    []task{{"", "A", "else"}},
			carried: []string{"1←1 complete changed"},
		},
		{
			name:    "another name, same content",
			old:     []task{{"complete", "Task 1: A", "a"}, {"complete", "Task 2: B", "b"}},
			plan:    []task{{"", "Task 1: New", "n"}, {"", "Task 2: C", "a"}, {"", "Task 3: B", "b"}},
			carried: []string{"2←1 complete changed", "3←2 complete"},
		},
		{
			name: "another name, no content",
			old:  []task{{"complete", "A", ""}},
			plan: []task{{"", "C", ""}},
			left: []string{"1 complete A: no-such-task"},
		},
		{
			name: "gone",
			old:  []task{{"complete", "A", "a"}},
			plan: []task{{"", "B", "b"}},
			left: []string{"1 complete A: no-such-task"},
		},
		{
			name:    "twice in the new plan, text decides",
			old:     []task{{"complete", "A", "a"}},
			plan:    []task{{"", "A", "x"}, {"", "A", "a"}},
			carried: []string{"2←1 complete"},
		},
		{
			name: "twice in the new plan, text does not",
			old:  []task{{"complete", "A", "a"}},
			plan: []task{{"", "A", "x"}, {"", "A", "y"}},
			left: []string{"1 complete A: several-fit"},
		},
		{
			name:    "one twin less",
			old:     []task{{"complete", "A", "a"}, {"pending", "A", "a"}},
			plan:    []task{{"", "A", "a"}},
			carried: []string{"1←1 complete"},
		},
		{
			name: "one twin less, and the last was done",
			old:  []task{{"pending", "A", "a"}, {"complete", "A", "a"}},
			plan: []task{{"", "A", "a"}},
			left: []string{"2 complete A: no-such-task"},
		},
		{
			name:    "twins, and an unrelated task",
			old:     []task{{"complete", "A", "a"}, {"complete", "A", "a"}},
			plan:    []task{{"", "New", "n"}, {"", "A", "a"}, {"", "A", "a"}},
			carried: []string{"2←1 complete", "3←2 complete"},
		},
		{
			name:    "twins in order",
			old:     []task{{"complete", "A", "a"}, {"pending", "B", "b"}, {"in-progress", "A", "a"}, {"pending", "A", "a"}},
			plan:    []task{{"", "A", "a"}, {"", "New", "n"}, {"", "A", "a"}, {"", "A", "a"}},
			carried: []string{"1←1 complete", "3←3 in-progress"},
		},
		{
			name:    "one twin more",
			old:     []task{{"complete", "A", "a"}, {"complete", "A", "a"}},
			plan:    []task{{"", "A", "a"}, {"", "A", "a"}, {"", "A", "a"}},
			carried: []string{"1←1 complete", "2←2 complete"},
		},
		{
			name:    "one twin less, and it does not matter",
			old:     []task{{"complete", "A", "a"}, {"complete", "A", "a"}},
			plan:    []task{{"", "New", "n"}, {"", "A", "a"}},
			carried: []string{"2←1 complete"},
			left:    []string{"2 complete A: no-such-task"},
		},
		{
			name:    "one of two twins was edited",
			old:     []task{{"complete", "A", "a"}, {"complete", "A", "a"}},
			plan:    []task{{"", "A", "else"}, {"", "A", "a"}},
			carried: []string{"2←1 complete", "1←2 complete changed"},
		},
		{
			name:    "same name, other texts, one status",
			old:     []task{{"complete", "A", "a"}, {"complete", "A", "b"}},
			plan:    []task{{"", "A", "x"}, {"", "A", "y"}, {"", "New", "n"}},
			carried: []string{"1←1 complete changed", "2←2 complete changed"},
		},
		{
			name: "same name, other texts, two statuses",
			old:  []task{{"complete", "A", "a"}, {"pending", "A", "b"}},
			plan: []task{{"", "A", "x"}, {"", "A", "y"}, {"", "New", "n"}},
			left: []string{"1 complete A: several-alike"},
		},
		{
			name:    "an unknown status is nothing to carry",
			old:     []task{{"done", "A", "a"}, {"complete", "B", "b"}},
			plan:    []task{{"", "A", "a"}, {"", "B", "b"}},
			carried: []string{"2←2 complete"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			plan := fileOf(test.plan...)
			statuses, carried, left := Match(verdict.Describe(fileOf(test.old...)), false, verdict.Describe(plan), plan.Dialect)
			var gotCarried, gotLeft []string
			for _, c := range carried {
				text := fmt.Sprintf("%d←%d %s", c.Number, c.From, c.Status)
				if c.Changed {
					text += " changed"
				}
				gotCarried = append(gotCarried, text)
				if statuses[c.Number] != c.Status {
					t.Errorf("task %d gets %q, told %q", c.Number, statuses[c.Number], c.Status)
				}
			}
			for _, l := range left {
				gotLeft = append(gotLeft, fmt.Sprintf("%d %s %s: %s", l.From, l.Status, l.Name, l.Why))
			}
			if diff := cmp.Diff(test.carried, gotCarried); diff != "" {
				t.Errorf("carried (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.left, gotLeft); diff != "" {
				t.Errorf("left (-want +got):\n%s", diff)
			}
		})
	}
}

// A task that was pending from the beginning leaves the question to older sessions, while one that was set back does not.
func TestCarryPending(t *testing.T) {
	plan := fileOf(task{"", "A", "a"}, task{"", "B", "b"})
	tasks := fileOf(task{"pending", "A", "a"}, task{"pending", "B", "b"})
	was := planfile.Parse(append([]byte("<!-- Plan: p -->\n<!-- Carried: 2 -->\n\n"), tasks.Bytes()...))
	statuses, _, _ := Match(verdict.Describe(was), false, verdict.Describe(plan), plan.Dialect)
	if diff := cmp.Diff(map[int]planfile.Status{2: planfile.Pending}, statuses); diff != "" {
		t.Error(diff)
	}
}

// Whatever the two plans are: every status that is worth carrying is either carried or told, no task gets two, and an unrelated
// task that is added to a plan changes nothing for the others, twins or not.
func TestCarryLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gen := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) task {
			return task{
				rapid.SampledFrom([]string{"complete", "in-progress", "pending"}).Draw(t, "status"),
				rapid.SampledFrom([]string{"A", "B", "C", "", "Task 1: A"}).Draw(t, "name"),
				rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "text"),
			}
		}), 1, 6)
		was := gen.Draw(t, "old")
		old, plan := fileOf(was...), fileOf(gen.Draw(t, "plan")...)
		at := rapid.IntRange(0, len(was)).Draw(t, "where a task is added")
		more := fileOf(slices.Insert(slices.Clone(was), at, task{"", "New", "n"})...)
		before := verdict.Describe(old)
		for i := range before {
			before[i].Set = true
		}
		kept, _, left := Match(before, false, verdict.Describe(more), more.Dialect)
		for i, task := range old.Tasks {
			n := i + 1
			if i >= at {
				n++
			}
			if kept[n] != task.Status || len(left) > 0 {
				t.Fatalf("task %d was %s, and is %q as task %d; %v", i+1, task.Status, kept[n], n, left)
			}
		}
		statuses, carried, left := Match(verdict.Describe(old), false, verdict.Describe(plan), plan.Dialect)
		worth := 0
		for _, task := range old.Tasks {
			if task.Status != planfile.Pending {
				worth++
			}
		}
		maps.DeleteFunc(statuses, func(_ int, s planfile.Status) bool { return s == planfile.Pending })
		if len(carried)+len(left) != worth || len(statuses) != len(carried) {
			t.Fatalf("%d to carry: %d carried, %d left, %d statuses", worth, len(carried), len(left), len(statuses))
		}
		seen := map[int]bool{}
		for _, c := range carried {
			if seen[c.Number] {
				t.Fatalf("task %d gets two statuses", c.Number)
			}
			seen[c.Number] = true
		}
	})
}
