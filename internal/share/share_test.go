package share

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/planfile"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// at returns noon and a number of hours.
func at(hours int) time.Time { return noon.Add(time.Duration(hours) * time.Hour) }

func TestNext(t *testing.T) {
	ms := noon.UnixMilli()
	for _, test := range []struct {
		name string
		now  time.Time
		seen Stamp
		want Stamp
	}{
		{"nothing seen", noon, Stamp{}, Stamp{ms, 0, "w"}},
		{"seen earlier", noon, Stamp{ms - 1, 7, "z"}, Stamp{ms, 0, "w"}},
		{"seen in the same millisecond", noon, Stamp{ms, 7, "z"}, Stamp{ms, 8, "w"}},
		{"seen in the future", noon, Stamp{ms + 9, 7, "z"}, Stamp{ms + 9, 8, "w"}},
		{"the counter is full", noon, Stamp{ms + 9, 1<<16 - 1, "z"}, Stamp{ms + 10, 0, "w"}},
		{"a clock before 1970", time.Unix(-5, 0), Stamp{}, Stamp{0, 1, "w"}},
		{"a clock after 2099", time.Date(2500, 1, 1, 0, 0, 0, 0, time.UTC), Stamp{}, Stamp{maxClock, 0, "w"}},
		{"a clock after 2099 that has seen such a stamp", time.Date(2500, 1, 1, 0, 0, 0, 0, time.UTC), Stamp{maxClock, 0, "z"}, Stamp{maxClock, 1, "w"}},
		{"the last stamp", noon, Stamp{maxWall, 1<<16 - 1, "a"}, Stamp{maxWall, 1<<16 - 1, "w"}},
	} {
		got := Next(test.now, "w", test.seen)
		if got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
		if got.Compare(test.seen) <= 0 {
			t.Errorf("%s: %v is not later than %v", test.name, got, test.seen)
		}
		if again, err := ParseStamp(got.String()); err != nil || again != got {
			t.Errorf("%s: %s is read as %v, %v", test.name, got, again, err)
		}
	}
}

func TestParseStamp(t *testing.T) {
	good := "2026-11-23T12:00:00.123Z/00ff/1f2e3d4c5b6a"
	if s, err := ParseStamp(good); err != nil || s != (Stamp{noon.UnixMilli() + 123, 255, "1f2e3d4c5b6a"}) {
		t.Errorf("%v, %v", s, err)
	}
	for _, bad := range []string{
		"", "x", "2026-11-23T12:00:00.123Z", "2026-11-23T12:00:00.123Z/00ff/", "2026-11-23T12:00:00.123Z/00FF/w",
		"2026-11-23T12:00:00.123Z/0ff/w", "2026-11-23T12:00:00,123Z/00ff/w", "2026-11-23T12:00:00.123z/00ff/w",
		"2026-11-31T12:00:00.123Z/00ff/w", "1969-11-23T12:00:00.123Z/00ff/w", "2200-01-01T00:00:00.000Z/0000/w",
		"2026-11-23T12:00:00.123Z/00ff/W", "2026-11-23T12:00:00.123Z/00ff/w/w", "2026-11-23T12:00:00.123Z/+0ff/w",
		"2026-11-23T12:00:00.123Z/00ff/" + strings.Repeat("w", maxID+1),
	} {
		if s, err := ParseStamp(bad); err == nil {
			t.Errorf("%q is read as %v", bad, s)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := stamps.Draw(t, "a"), stamps.Draw(t, "b")
		if strings.Compare(a.String(), b.String()) != a.Compare(b) {
			t.Fatalf("%s and %s do not sort as they compare", a, b)
		}
	})
}

func TestUserID(t *testing.T) {
	for _, test := range []struct{ name, email, want string }{
		{"John Doe", "john@example.com", "john-doe-" + digest("john@example.com", 8)},
		{"John Doe", " John@Example.COM", "john-doe-" + digest("john@example.com", 8)},
		{"../Ünï~^:", "", "n-e3b0c442"},
		{"日本", "", "user-e3b0c442"},
		{strings.Repeat("ab-", 100), "", strings.TrimSuffix(strings.Repeat("ab-", 14)[:40], "-") + "-e3b0c442"},
	} {
		if got := UserID(test.name, test.email); got != test.want || !IsID(got) {
			t.Errorf("%q, %q: %q, want %q", test.name, test.email, got, test.want)
		}
	}
	if UserRef("john-1") != "users/john-1" {
		t.Error(UserRef("john-1"))
	}
}

func TestIsID(t *testing.T) {
	for text, want := range map[string]bool{
		"a": true, "a-1": true, "": false, "-a": false, "a-": false, "A": false, "a.lock": false, "a/b": false, "ä": false,
		strings.Repeat("a", maxID): true, strings.Repeat("a", maxID+1): false,
	} {
		if IsID(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

func TestClaimRef(t *testing.T) {
	plan := "phases/03-auth/03-02-PLAN.md"
	if got := ClaimRef(plan); got != "claims/03-02-plan-"+digest(plan, 16) {
		t.Error(got)
	}
	if got := ClaimRef("phases/x/~^: [.md"); got != "claims/plan-"+digest("phases/x/~^: [.md", 16) {
		t.Error(got)
	}
	if ClaimRef("a/PLAN.md") == ClaimRef("b/PLAN.md") {
		t.Error("two plans have one claim")
	}
}

func TestWorktreeID(t *testing.T) {
	ids := []string{WorktreeID("m", "/a"), WorktreeID("m", "/b"), WorktreeID("n", "/a"), WorktreeID("m/", "a")}
	slices.Sort(ids)
	if len(slices.Compact(ids)) != 4 || !IsID(ids[0]) {
		t.Error(ids)
	}
}

func TestTaskIDs(t *testing.T) {
	before := TaskIDs([]string{"Add a test", "Run it", "Run it", "Run  IT"})
	after := TaskIDs([]string{"New", "Run it", "add a  test ", "Run it", "Run it"})
	if want := []string{before[1], before[0], before[2], before[3]}; !slices.Equal(after[1:], want) {
		t.Errorf("%v, want %v", after, want)
	}
	if before[0] != digest("add a test", 12) || before[2] != digest("run it\x002", 12) || before[3] != digest("run it\x003", 12) {
		t.Error(before)
	}
	for _, id := range after {
		if !isTaskID(id) {
			t.Error(id)
		}
	}
}

func TestIsPlan(t *testing.T) {
	for _, good := range []string{
		"a.md", "phases/03-x/03-02-PLAN.md", "phases/ä ö/PLAN.md", "a.git/b.md", "..a/b.md",
		strings.Repeat("a", maxPath-3) + ".md",
	} {
		if !IsPlan(good) {
			t.Errorf("%q is refused", good)
		}
	}
	for _, bad := range []string{
		"", ".", "..", "a", "/a.md", "../a.md", "a/../b.md", "a//b.md", "./a.md", "a/", `a\b.md`, "a\x00.md", "a\x1b.md",
		"a\u202e.md", "a\xff.md", ".git/a.md", "a/.GIT/b.md", "git~1/a.md", "c:a.md", "a.md/b.md",
		strings.Repeat("a", maxPath-2) + ".md",
	} {
		if IsPlan(bad) {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestCleanText(t *testing.T) {
	for text, want := range map[string]string{
		"main": "main", "a\x1b[31m\nb\tc\x7f": "a[31mbc", "a\u202eb\u200bc\ufeff\xff": "abc", "ä日": "ä日", "a\u0085b\U000e0041": "ab",
		strings.Repeat("ä", 101): strings.Repeat("ä", 100), "a" + strings.Repeat("ä", 100): "a" + strings.Repeat("ä", 99),
	} {
		if got := cleanText(text, maxText); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What rapid draws is small, so that things meet.
var (
	worktrees = rapid.SampledFrom([]string{"w1", "w2", "w3"})
	taskIDs   = rapid.SampledFrom(TaskIDs([]string{"a", "b", "c"}))
	heads     = rapid.SampledFrom([]string{"", strings.Repeat("3d", 20), strings.Repeat("4e", 20)})
	statuses  = rapid.SampledFrom([]planfile.Status{planfile.Pending, planfile.InProgress, planfile.Complete, planfile.Skipped})
	plans     = rapid.SampledFrom([]string{"a.md", "b/c.md"})
	stamps    = rapid.Custom(func(t *rapid.T) Stamp {
		return Stamp{
			Wall: rapid.SampledFrom([]int64{1, 2, 3, noon.UnixMilli(), maxWall}).Draw(t, "wall"), Count: rapid.Uint16Max(2).Draw(t, "count"),
			Worktree: worktrees.Draw(t, "worktree"),
		}
	})
	sessions = rapid.Custom(func(t *rapid.T) Session {
		s := Session{Tasks: map[string]Task{}, Places: map[string]Place{}}
		if rapid.Bool().Draw(t, "is cut") {
			s.Cut = stamps.Draw(t, "cut")
		}
		for range rapid.IntRange(0, 4).Draw(t, "tasks") {
			s.Tasks[taskIDs.Draw(t, "task")] = Task{Status: statuses.Draw(t, "status"), Stamp: stamps.Draw(t, "stamp"), Head: heads.Draw(t, "head")}
		}
		for range rapid.IntRange(0, 3).Draw(t, "places") {
			stamp := stamps.Draw(t, "stamp")
			p := Place{Branch: rapid.SampledFrom([]string{"", "main", "dev"}).Draw(t, "branch"), Stamp: stamp}
			p.Tasks = rapid.SliceOfN(taskIDs, 0, 2).Draw(t, "order")
			if rapid.Bool().Draw(t, "ended") {
				p.Ended = noon
			}
			s.Places[stamp.Worktree] = p
		}
		return mergeSession(s, Session{Cut: s.Cut})
	})
	states = rapid.Custom(func(t *rapid.T) State {
		return rapid.MapOfN(plans, sessions, 0, 2).Draw(t, "state")
	})
)

func TestMergeLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := states.Draw(t, "a"), states.Draw(t, "b"), states.Draw(t, "c")
		before := encoded(t, a)
		check := func(law string, x, y State) {
			t.Helper()
			if !Equal(x, y) || cmp.Diff(encoded(t, x), encoded(t, y)) != "" {
				t.Fatalf("not %s:\n%s", law, cmp.Diff(encoded(t, x), encoded(t, y)))
			}
		}
		check("commutative", Merge(a, b), Merge(b, a))
		check("associative", Merge(Merge(a, b), c), Merge(a, Merge(b, c)))
		check("idempotent", Merge(a, a), a)
		check("absorbing", Merge(Merge(a, b), b), Merge(a, b))
		check("neutral", Merge(a, State{}), a)
		pruned := Prune(a, at(24*365*3))
		check("pruned for good", Merge(pruned, a), pruned)
		check("pruned once", Prune(pruned, at(24*365*3)), pruned)
		if !maps.EqualFunc(before, encoded(t, a), bytes.Equal) {
			t.Fatal("a state was changed")
		}
	})
}

// TestMergeLimit checks that what is pushed out by later entries is so in whichever order states are merged.
func TestMergeLimit(t *testing.T) {
	merge := func(a, b map[string]Task, cut Stamp) map[string]Task {
		return mergeEntries(a, b, cut, 2, Task.stamp, compareTasks)
	}
	tasks := rapid.MapOfN(taskIDs, rapid.Custom(func(t *rapid.T) Task {
		return Task{Status: statuses.Draw(t, "status"), Stamp: stamps.Draw(t, "stamp"), Head: heads.Draw(t, "head")}
	}), 0, 2)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c, cut := tasks.Draw(t, "a"), tasks.Draw(t, "b"), tasks.Draw(t, "c"), stamps.Draw(t, "cut")
		all := merge(merge(a, b, Stamp{}), c, cut)
		if other := merge(a, merge(c, b, cut), cut); len(all) > 2 || !maps.Equal(all, other) {
			t.Fatalf("%v and %v", all, other)
		}
	})
}

func encoded(t interface{ Fatal(...any) }, s State) map[string][]byte {
	files, err := Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestMergeTask(t *testing.T) {
	id := TaskIDs([]string{"a"})[0]
	session := func(status planfile.Status, s Stamp) State {
		return State{"a.md": {Tasks: map[string]Task{id: {Status: status, Stamp: s}}}}
	}
	for _, test := range []struct {
		name string
		a, b State
		want planfile.Status
	}{
		{"the later one", session("complete", Stamp{1, 9, "z"}), session("pending", Stamp{2, 0, "a"}), "pending"},
		{"the count", session("complete", Stamp{1, 9, "a"}), session("pending", Stamp{1, 8, "z"}), "complete"},
		{"the worktree", session("complete", Stamp{1, 9, "a"}), session("pending", Stamp{1, 9, "b"}), "pending"},
		{"the content", session("complete", Stamp{1, 9, "a"}), session("pending", Stamp{1, 9, "a"}), "pending"},
		{"one side does not know it", session("complete", Stamp{1, 9, "a"}), State{"a.md": {}}, "complete"},
		{"cut", session("complete", Stamp{1, 9, "a"}), State{"a.md": {Cut: Stamp{1, 9, "a"}}}, "pending"},
		{"later than the cut", session("complete", Stamp{1, 9, "b"}), State{"a.md": {Cut: Stamp{1, 9, "a"}}}, "complete"},
	} {
		if got := Merge(test.a, test.b)["a.md"].Status(id); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestPrune(t *testing.T) {
	id := TaskIDs([]string{"a"})[0]
	task := func(hours int) map[string]Task {
		return map[string]Task{id: {Status: "complete", Stamp: Next(at(hours), "w1", Stamp{})}}
	}
	place := func(hours int, ended bool) map[string]Place {
		p := Place{Stamp: Next(at(hours), "w1", Stamp{})}
		if ended {
			p.Ended = at(hours)
		}
		return map[string]Place{"w1": p}
	}
	const day = 24
	for _, test := range []struct {
		name   string
		s      Session
		pruned bool
	}{
		{"ended long ago", Session{Tasks: task(0), Places: place(0, true)}, true},
		{"ended", Session{Tasks: task(0), Places: place(1, true)}, false},
		{"a task changed later", Session{Tasks: task(1), Places: place(0, true)}, false},
		{"not ended", Session{Tasks: task(0), Places: place(0, false)}, false},
		{"silent for a year", Session{Tasks: task(0), Places: place(-335*day, false)}, true},
		{"silent for less", Session{Places: place(-335*day+1, false)}, false},
		{"nothing in it", Session{Cut: Stamp{1, 1, "w1"}}, false},
	} {
		got := Prune(State{"a.md": test.s}, at(30*day))["a.md"]
		if (len(got.Tasks)+len(got.Places) == 0 && len(test.s.Tasks)+len(test.s.Places) > 0) != test.pruned {
			t.Errorf("%s: %+v", test.name, got)
		}
		for _, e := range test.s.Tasks {
			if test.pruned && got.Cut.Compare(e.Stamp) < 0 {
				t.Errorf("%s: cut at %v, before %v", test.name, got.Cut, e.Stamp)
			}
		}
	}
}
