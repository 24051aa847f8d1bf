package progress

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gsd-cli/gsd/internal/testenv"
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
			merged, _, left := Of(Describe(plan), plan.Dialect == planfile.DialectPlan, []Record{{Tasks: set(Describe(fileOf(test.old...)))}})
			var gotCarried, gotLeft []string
			slices.SortFunc(merged, func(a, b Task) int { return a.From - b.From })
			for _, c := range merged {
				if !Worked(c.Status) {
					continue
				}
				text := fmt.Sprintf("%d←%d %s", c.Number, c.From, c.Status)
				if c.Changed {
					text += " changed"
				}
				gotCarried = append(gotCarried, text)
			}
			for _, l := range left[0] {
				gotLeft = append(gotLeft, fmt.Sprintf("%d %s %s: %s", l.Number, l.Status, l.Name, l.Why))
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

// TestCarryLaws: whatever the two plans are: every status that is worth carrying is either carried or reported, no task gets two, and an unrelated
// task that is added to a plan changes nothing for the others, twins or not.
func TestCarryLaws(t *testing.T) {
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
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
		kept, _, left := Of(Describe(more), false, []Record{{Tasks: set(Describe(old))}})
		for i, task := range old.Tasks {
			n := i + 1
			if i >= at {
				n++
			}
			if kept[n-1].Status != task.Status || len(left[0]) > 0 {
				t.Fatalf("task %d was %s, and is %q as task %d; %v", i+1, task.Status, kept[n-1].Status, n, left)
			}
		}
		merged, _, left := Of(Describe(plan), false, []Record{{Tasks: set(Describe(old))}})
		worth, carried := 0, map[int]bool{}
		for _, task := range old.Tasks {
			if task.Status != planfile.Pending {
				worth++
			}
		}
		for _, m := range merged {
			if Worked(m.Status) {
				carried[m.From] = true
			}
		}
		if len(carried)+len(left[0]) != worth {
			t.Fatalf("%d to carry: %d carried, %d left", worth, len(carried), len(left[0]))
		}
	})
}

// set returns tasks as if somebody had set them all at once.
func set(tasks []Task) []Task {
	for i := range tasks {
		tasks[i].Set = noon
	}
	return tasks
}

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// TestOf: of each task the status that was set last counts, in whichever record; what nobody has set counts for less, and pending without a
// stamp says nothing.
func TestOf(t *testing.T) {
	t.Parallel()
	plan := Describe(fileOf(task{"", "A", "a"}, task{"", "B", "b"}))
	// A record is "STATUS@MINUTE" for each task; without a minute, nobody has set it.
	parse := func(words string) (r Record) {
		for i, word := range strings.Fields(words) {
			status, minute, isSet := strings.Cut(word, "@")
			task := plan[i]
			task.Status = map[string]planfile.Status{"c": "complete", "i": "in-progress", "p": "pending", "s": "skipped", "x": "nearly"}[status]
			if n, err := strconv.Atoi(minute); isSet && err == nil {
				task.Set = noon.Add(time.Duration(n) * time.Minute)
			}
			r.Tasks = append(r.Tasks, task)
		}
		return r
	}
	over := func(r Record) Record { r.Counts = planfile.Status.Settled; return r }
	for _, test := range []struct {
		records []Record
		want    string
	}{
		{nil, " "},
		{[]Record{parse("c@1 p")}, "complete "},
		{[]Record{parse("c@1 p"), parse("s@2 i@1")}, "skipped in-progress"},
		{[]Record{parse("c@3 p"), parse("s@2 i@1")}, "complete in-progress"},
		{[]Record{parse("c@3 p@4"), parse("p@4 c@1")}, "pending pending"},
		{[]Record{parse("c@3 c@3"), parse("s@3 i@3")}, "complete complete"},
		{[]Record{parse("x@3 x"), parse("s@2 i@1")}, "skipped in-progress"},
		{[]Record{parse("c c"), parse("p i@1")}, "complete in-progress"},
		{[]Record{parse("c c"), parse("p@1 p")}, "pending complete"},
		{[]Record{over(parse("i@5 c@1")), parse("p p@0")}, " complete"},
	} {
		for range 2 {
			merged, _, _ := Of(plan, false, test.records)
			if got := fmt.Sprintf("%s %s", merged[0].Status, merged[1].Status); got != test.want {
				t.Errorf("%v: %q, want %q", test.records, got, test.want)
			}
			slices.Reverse(test.records)
		}
	}
}

// TestMergeLaws: the order of records makes no difference; a status that was set is never undone by one that was set before it; and a
// record of another place, of which only what is over counts, never sets a task back.
func TestMergeLaws(t *testing.T) {
	t.Parallel()
	plan := Describe(fileOf(task{"", "A", "a"}, task{"", "B", "b"}, task{"", "C", "c"}))
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		record := rapid.Custom(func(t *rapid.T) (r Record) {
			for _, planned := range plan {
				planned.Status = rapid.SampledFrom([]planfile.Status{"complete", "in-progress", "pending", "skipped"}).Draw(t, "status")
				if n := rapid.IntRange(0, 4).Draw(t, "minute"); n > 0 {
					planned.Set = noon.Add(time.Duration(n) * time.Minute)
				}
				r.Tasks = append(r.Tasks, planned)
			}
			if rapid.Bool().Draw(t, "elsewhere") {
				r.Counts = planfile.Status.Settled
			}
			return r
		})
		records := rapid.SliceOfN(record, 0, 4).Draw(t, "records")
		merged, _, _ := Of(plan, false, records)
		other, _, _ := Of(plan, false, rapid.Permutation(records).Draw(t, "order"))
		for i := range merged {
			is := merged[i]
			if is.Status != other[i].Status || !is.Set.Equal(other[i].Set) {
				t.Fatalf("task %d: %s, in another order %s", i+1, is.Status, other[i].Status)
			}
			for _, r := range records {
				if recorded := r.Tasks[i]; recorded.Set.After(is.Set) && (r.Counts == nil || r.Counts(recorded.Status)) {
					t.Fatalf("task %d: %s of %s, though it was set to %s at %s", i+1, is.Status, is.Set, recorded.Status, recorded.Set)
				}
			}
		}
		more := record.Draw(t, "another place")
		more.Counts = planfile.Status.Settled
		after, _, _ := Of(plan, false, append(records, more))
		for i := range merged {
			if was, is := merged[i], after[i]; was.Status.Settled() && !is.Status.Settled() {
				t.Fatalf("task %d: %s, and with another place %s", i+1, was.Status, is.Status)
			}
		}
	})
}

// TestStamped: a status that gsd wrote was set when gsd says; what differs was set when the file changed, after what gsd knows.
func TestStamped(t *testing.T) {
	t.Parallel()
	file := func() []Task {
		return Describe(fileOf(task{"complete", "A", "a"}, task{"pending", "B", "b"}, task{"skipped", "C", "c"}, task{"pending", "D", "d"}))
	}
	record := []Task{
		{Name: "A", Status: planfile.Complete, Set: noon.Add(-time.Hour), Head: "h", Run: "r"},
		{Name: "B", Status: planfile.Complete, Set: noon.Add(time.Hour), Head: "h"},
		{Name: "other", Status: planfile.Skipped, Set: noon.Add(-time.Hour)},
		{Name: "D", Status: planfile.Pending},
	}
	for name, test := range map[string]struct {
		record []Task
		want   []time.Time
	}{
		"with its record": {record, []time.Time{noon.Add(-time.Hour), noon.Add(time.Hour + 1), noon, {}}},
		"without one":     {nil, []time.Time{noon, {}, noon, {}}},
	} {
		tasks := file()
		Stamped(tasks, test.record, noon)
		for i, want := range test.want {
			if !tasks[i].Set.Equal(want) {
				t.Errorf("%s: task %d was set at %s, want %s", name, i+1, tasks[i].Set, want)
			}
		}
		if test.record != nil && (tasks[0].Head != "h" || tasks[0].Run != "r" || tasks[1].Head != "") {
			t.Errorf("%s: %+v", name, tasks)
		}
	}
}

// TestAddCommits: commits say how far a task is that nobody has set; of one that was set back or is in progress, a later one is named.
func TestAddCommits(t *testing.T) {
	t.Parallel()
	by := []string{"a"}
	sure := Committed{Status: planfile.Complete, Sure: true, By: by, All: by, Latest: noon}
	seems := Committed{Status: planfile.InProgress, All: by, Latest: noon}
	passed := Committed{Status: planfile.Complete, Sure: true} // a checkpoint
	for _, test := range []struct {
		commits Committed
		task    Task
		partial bool
		want    string
	}{
		{sure, Task{}, false, "complete shown [a]"},
		{sure, Task{Status: planfile.Pending}, false, "complete shown [a]"},
		{passed, Task{}, false, "complete shown []"},
		{sure, Task{Status: planfile.InProgress}, false, "complete shown [a]"},
		{sure, Task{Status: planfile.Complete}, false, "complete shown [a]"},
		{Committed{Status: planfile.Pending}, Task{Status: planfile.Complete}, false, "pending"},
		{seems, Task{Status: planfile.Complete}, false, "pending"},
		{seems, Task{Status: planfile.Complete}, true, "complete"},
		{Committed{Status: planfile.InProgress, Sure: true, By: by}, Task{Status: planfile.Complete}, false, "in-progress shown [a]"},
		{Committed{Status: planfile.InProgress, Sure: true, By: by}, Task{Status: planfile.Complete}, true, "complete"},
		{seems, Task{}, false, " seems [a]"},
		{seems, Task{Status: planfile.Pending}, false, "pending seems [a]"},
		{seems, Task{Status: planfile.InProgress}, false, "in-progress"},
		{Committed{Status: planfile.InProgress, Sure: true, By: by}, Task{}, false, "in-progress shown [a]"},
		{sure, Task{Status: planfile.Pending, Set: noon}, false, "pending"},
		{sure, Task{Status: planfile.Pending, Set: noon.Add(-1)}, false, "pending seems [a]"},
		{sure, Task{Status: planfile.InProgress, Set: noon.Add(-1)}, false, "in-progress seems [a]"},
		{seems, Task{Status: planfile.InProgress, Set: noon.Add(-1)}, false, "in-progress"},
		{sure, Task{Status: planfile.Skipped, Set: noon.Add(-1)}, false, "skipped"},
	} {
		tasks := []Task{test.task}
		AddCommits(tasks, []Committed{test.commits}, test.partial)
		got := string(tasks[0].Status)
		switch task := &tasks[0]; {
		case task.Shown():
			got += fmt.Sprintf(" shown %v", task.Commits)
		case task.Seems():
			got += fmt.Sprintf(" seems %v", task.Commits)
		}
		if got != test.want {
			t.Errorf("%+v of %+v: %s, want %s", test.commits, test.task, got, test.want)
		}
	}
}

// TestPlace: which task of a plan an old one is. A task is NAME:TEXT:STATUS.
func TestPlace(t *testing.T) {
	t.Parallel()
	parse := func(words string) (all []Task) {
		for i, word := range strings.Fields(words) {
			part := strings.Split(word, ":")
			all = append(all, Task{Number: i + 1, Key: part[0], Digest: part[1], Status: planfile.Status(part[2])})
		}
		return all
	}
	const several, more = SeveralFit, SeveralLike
	for _, test := range []struct {
		old, tasks string
		at         []int
		why        []Mismatch
		fits       int
		exact      bool
	}{
		{"a:x:c b:y:p", "b:y: a:x:", []int{2, 1}, []Mismatch{"", ""}, 2, true},
		{"a:x:c", "a:z: b:x:", []int{1}, []Mismatch{""}, 1, false},
		{"a:x:c", "b:x: c:y:", []int{1}, []Mismatch{""}, 1, true},
		{"a::c", "b:: a:q:", []int{2}, []Mismatch{""}, 1, true},
		{"a:x:c", "a:y: a:z:", []int{0}, []Mismatch{several}, 0, false},
		{"a:x:c a:y:p", "a:v: a:w:", []int{0, 0}, []Mismatch{more, more}, 0, false},
		{"a:x:c a:y:c", "a:v: a:w:", []int{1, 2}, []Mismatch{"", ""}, 2, false},
		{"a:x:c a:y:c", "a:v: a:w: a:u:", []int{0, 0}, []Mismatch{more, more}, 0, false},
		{"a:x:c a:x:p", "a:x:", []int{1, 0}, []Mismatch{"", ""}, 1, true},
		{"::c", "::", []int{0}, []Mismatch{""}, 0, true},
	} {
		old, tasks := parse(test.old), parse(test.tasks)
		at, why := Place(old, false, tasks)
		fits, exact := CountAlike(old, tasks)
		if !slices.Equal(at, test.at) || fmt.Sprint(why) != fmt.Sprint(test.why) || fits != test.fits || exact != test.exact {
			t.Errorf("%s in %s: %v, %q, %d, %v", test.old, test.tasks, at, why, fits, exact)
		}
	}
	if at, _ := Place(parse("a:x:c b:y:c"), true, parse("b:y: a:x:")); !slices.Equal(at, []int{1, 2}) {
		t.Errorf("the same plan: %v", at)
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	s := planfile.Parse([]byte("<!-- Plan: p -->\n\n<task status=\"pending\"><name>Task 1: A</name></task>\n<task status=\"pending\"><name>B</name><action>x</action></task>\n<task status=\"in-progress\"><name>C</name></task>\n"))
	var got []string
	for _, d := range Describe(s) {
		got = append(got, fmt.Sprintf("%d|%s|%s|%v|%s", d.Number, d.Name, d.Key, d.Digest != "", d.Status))
	}
	if diff := cmp.Diff([]string{"1|Task 1: A|A|false|pending", "2|B|B|true|pending", "3|C|C|false|in-progress"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestAdvances: which changes of a status are progress.
func TestAdvances(t *testing.T) {
	t.Parallel()
	for from, want := range map[planfile.Status]int{planfile.Pending: 3, planfile.InProgress: 2, planfile.Skipped: 1, planfile.Complete: 0, "odd": 0} {
		n := 0
		for _, to := range []planfile.Status{planfile.Pending, planfile.InProgress, planfile.Skipped, planfile.Complete} {
			if Advances(from, to) {
				n++
			}
		}
		if n != want {
			t.Errorf("%s advances to %d", from, n)
		}
	}
}
