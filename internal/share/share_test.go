package share

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/planfile"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// at returns noon and a number of hours.
func at(hours int) time.Time { return noon.Add(time.Duration(hours) * time.Hour) }

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
	ref := CloneRef("john-1", "1f2e3d4c5b6a")
	if user, clone, ok := ParseCloneRef(ref); ref != "users/john-1/1f2e3d4c5b6a" || !ok || user != "john-1" || clone != "1f2e3d4c5b6a" {
		t.Error(ref, user, clone)
	}
	for _, bad := range []string{"users/john-1", "users/john-1/", "users/john-1/a/b", "users//a", "claims/john-1/a", "users/J/a"} {
		if _, _, ok := ParseCloneRef(bad); ok {
			t.Error(bad)
		}
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
	times     = rapid.SampledFrom([]time.Time{{}, at(0), at(1), at(1).Add(1), endOfTime.Add(-1)})
	sessions  = rapid.Custom(func(t *rapid.T) Session {
		s := Session{
			Plan: rapid.SampledFrom([]string{"a.md", "b/c.md"}).Draw(t, "plan"), Worktree: worktrees.Draw(t, "worktree"),
			Ended: rapid.SampledFrom([]time.Time{{}, at(0)}).Draw(t, "ended"), Changed: times.Draw(t, "changed"), Seen: rapid.SampledFrom([]time.Time{{}, at(0), at(24 * 31)}).Draw(t, "seen"),
			Branch: rapid.SampledFrom([]string{"", "main", "dev"}).Draw(t, "branch"),
		}
		for _, id := range rapid.SliceOfNDistinct(taskIDs, 0, 3, rapid.ID).Draw(t, "tasks") {
			task := Task{ID: id, Status: statuses.Draw(t, "status"), Set: times.Draw(t, "set"), Head: heads.Draw(t, "head")}
			if by := worktrees.Draw(t, "by"); by != s.Worktree {
				task.By = by
			}
			s.Tasks = append(s.Tasks, task)
		}
		return s
	})
	states = rapid.Custom(func(t *rapid.T) []Session {
		same := func(s Session) string { return s.Plan + s.Worktree }
		all := rapid.SliceOfNDistinct(sessions, 0, 4, same).Draw(t, "state")
		slices.SortFunc(all, func(a, b Session) int { return strings.Compare(same(a), same(b)) })
		return all
	})
)

func encoded(t interface{ Fatal(...any) }, s []Session) map[string][]byte {
	files, err := Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestRenewLaws: what a clone shares is what it has, and what it has shared of other worktrees; to share it again changes nothing.
func TestRenewLaws(t *testing.T) {
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		was, own := states.Draw(t, "was"), states.Draw(t, "own")
		own = slices.DeleteFunc(own, func(s Session) bool { return s.Worktree != "w1" })
		gone := rapid.Bool().Draw(t, "w2 is gone")
		isHere := func(id string) bool { return id != "w2" || !gone }
		now := at(rapid.SampledFrom([]int{0, 1, 24 * 29, 24 * 31}).Draw(t, "now"))
		other := rapid.SampledFrom([]string{"", "a.md", "b/c.md"}).Draw(t, "plan of another project")
		own = slices.DeleteFunc(own, func(s Session) bool { return s.Plan == other })
		isOurs := func(plan string) bool { return plan != other }
		next := Renew(was, own, "w1", isHere, isOurs, now, now)
		if diff := cmp.Diff(next, Renew(next, own, "w1", isHere, isOurs, now.Add(time.Second), now), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("again: %s", diff)
		}
		for _, s := range next {
			mine := slices.ContainsFunc(own, func(o Session) bool { return s.Worktree == "w1" && o.Plan == s.Plan })
			if s.Ended.IsZero() && isOurs(s.Plan) && (s.Worktree == "w1" && !mine || s.Worktree == "w2" && gone) {
				t.Fatalf("it has ended: %+v", s)
			}
		}
		for _, s := range was {
			replaced := s.Worktree == "w1" && slices.ContainsFunc(own, func(o Session) bool { return o.Plan == s.Plan })
			kept := slices.ContainsFunc(next, func(n Session) bool { return n.Plan == s.Plan && n.Worktree == s.Worktree })
			if s.Ended.IsZero() && !replaced && !kept {
				t.Fatalf("nobody knows of it any more: %+v", s)
			}
			if s.Plan == other && s.Ended.IsZero() && !slices.ContainsFunc(next, func(n Session) bool { return n.isSame(s) && n.Ended.IsZero() }) {
				t.Fatalf("it is ended by another project: %+v", s)
			}
		}
		for _, s := range own {
			if s.Ended.IsZero() && !slices.ContainsFunc(next, func(n Session) bool { return n.Plan == s.Plan && n.Worktree == "w1" && n.Changed.Equal(s.Changed) }) {
				t.Fatalf("it is missing: %+v", s)
			}
		}
		isDone := func(plan string) bool { return plan == other }
		old := now.Add(Keep + seenEach)
		live, ended := slices.Clone(next), slices.Clone(next)
		for i := range next {
			live[i].Ended, ended[i].Ended = time.Time{}, old
		}
		if len(next) > 0 && (IsGone(next, live, isDone, now) || !IsGone(next, live, isDone, old)) {
			t.Fatal("when it is gone")
		}
		isNew := func(s Session) bool {
			return !isDone(s.Plan) && (s.Ended.IsZero() || slices.ContainsFunc(s.Tasks, func(t Task) bool { return !t.Set.IsZero() }))
		}
		if slices.ContainsFunc(next, isNew) && IsGone(next, ended, isDone, old) {
			t.Fatal("what has ended is dropped itself")
		}
		for i, s := range next {
			for n, task := range s.Tasks {
				if task.Set.IsZero() || isDone(s.Plan) {
					continue
				}
				without := slices.Clone(live)
				for k := range without {
					without[k].Tasks = slices.DeleteFunc(slices.Clone(without[k].Tasks), func(t Task) bool { return without[k].Plan == s.Plan && t.ID == task.ID && !t.Set.Before(task.Set) })
				}
				if IsGone(next, without, isDone, old) {
					t.Fatalf("the only copy of task %d of session %d is dropped", n, i)
				}
			}
		}
	})
	if IsGone(nil, nil, nil, noon) {
		t.Error("nothing is known of it")
	}
}

// TestClock: nothing is old because of this clock alone.
func TestClock(t *testing.T) {
	seen := []Session{{Seen: at(1)}, {Seen: at(3)}, {Seen: at(2)}}
	for _, test := range []struct {
		sessions []Session
		now      int
		want     int
	}{{nil, 5, 5}, {[]Session{{}}, 5, 5}, {seen, 900, 3}, {seen, 2, 2}} {
		if got := Clock(at(test.now), test.sessions); !got.Equal(at(test.want)) {
			t.Errorf("%d: %s", test.now, got)
		}
	}
}

// TestWithout: a forgotten session is left out, and what was taken over from it; what others have set is not.
func TestWithout(t *testing.T) {
	id := TaskIDs([]string{"a", "b", "c"})
	forgotten := Session{Plan: "a.md", Worktree: "w1", Started: at(0), Tasks: []Task{
		{ID: id[0], Status: complete, Set: at(1)}, {ID: id[1], Status: complete, Set: at(2), By: "w2"}, {ID: id[2], Status: pending},
	}}
	again := forgotten
	again.Started = at(5)
	other := Session{Plan: "a.md", Worktree: "w2", Tasks: []Task{
		{ID: id[0], Status: complete, Set: at(1), By: "w1"}, {ID: id[1], Status: complete, Set: at(2)}, {ID: id[2], Status: complete, Set: at(1)},
	}}
	later := Session{Plan: "a.md", Worktree: "w2", Tasks: []Task{{ID: id[0], Status: complete, Set: at(6), By: "w1"}}}
	got := Without([]Session{forgotten, other, later, again}, []Session{forgotten})
	want := []Session{other, later, again}
	want[0].Tasks = slices.Clone(other.Tasks)
	want[0].Tasks[0] = Task{ID: id[0], Status: pending}
	want[2].Tasks = slices.Clone(again.Tasks)
	want[2].Tasks[0] = Task{ID: id[0], Status: pending}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if other.Tasks[0].Status != complete {
		t.Error("it was changed where it is")
	}
}

func TestRenewKeeps(t *testing.T) {
	yes := func(string) bool { return true }
	for _, test := range []struct {
		name string
		s    Session
		kept bool
	}{
		{"ended long ago", Session{Ended: at(0), Changed: at(-1)}, false},
		{"ended", Session{Ended: at(1), Changed: at(-1)}, true},
		{"changed later", Session{Ended: at(0), Changed: at(1)}, true},
		{"not ended", Session{Changed: at(-24 * 400)}, true},
	} {
		test.s.Plan, test.s.Worktree = "a.md", "w2"
		if got := Renew([]Session{test.s}, nil, "w1", yes, yes, at(30*24), at(30*24)); len(got) > 0 != test.kept {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}

// TestSetters: what was taken over is known to be another's, and is reported once.
func TestSetters(t *testing.T) {
	id := TaskIDs([]string{"a", "b"})
	of := func(worktree string, tasks ...Task) Session {
		return Session{Plan: "a.md", Worktree: worktree, Tasks: tasks}
	}
	first, second, third := of("w1", Task{ID: id[0], Status: "complete", Set: at(1)}), of("w2", Task{ID: id[0], Status: "complete", Set: at(1)}), of("w3", Task{ID: id[0], Status: "complete", Set: at(2)})
	got := Setters([]Session{second, third, of("w4", Task{ID: id[1], Status: "complete"})}, []Session{first, of("w3")})
	if got[0].Tasks[0].By != "w1" || got[1].Tasks[0].By != "" || got[2].Tasks[0].By != "" {
		t.Errorf("%+v", got)
	}
	if second.Tasks[0].By != "" {
		t.Error("a session was changed")
	}
	if again := Setters([]Session{second}, got[:1]); again[0].Tasks[0].By != "w1" {
		t.Errorf("the first is gone, and it is forgotten: %+v", again)
	}
	if mine := Setters([]Session{first}, got[:1]); mine[0].Tasks[0].By != "" {
		t.Errorf("its own, which another has taken over: %+v", mine)
	}
	once := Once([]Session{first, got[0], got[1]})
	if len(once[0].Tasks) != 1 || len(once[1].Tasks) != 0 || len(once[2].Tasks) != 1 {
		t.Errorf("%+v", once)
	}
	if alone := Once(got[:1]); len(alone[0].Tasks) != 1 {
		t.Errorf("nobody else tells it: %+v", alone)
	}
}

func TestMerge(t *testing.T) {
	ids := TaskIDs([]string{"a", "b", "c"})
	tasks := []progress.Task{{Number: 1, Status: "pending"}, {Number: 2, Status: "in-progress", Set: at(3)}, {Number: 3, Status: "complete", Set: at(1)}}
	other := Session{Plan: "a.md", Worktree: "w2", Head: "h", Tasks: []Task{
		{ID: ids[0], Status: "complete", Set: at(1)}, {ID: ids[1], Status: "complete", Set: at(2)}, {ID: ids[2], Status: "complete", Set: at(2), Head: "g"},
	}}
	all := func(Session, Task) bool { return true }
	got, later := Merge(progress.Record{Tasks: tasks}, "a.md", ids, []Session{other}, all)
	want := slices.Clone(tasks)
	want[0].Status, want[0].Set, want[0].Head, want[2].Set, want[2].Head = "complete", at(1), "h", at(2), "g"
	if diff := cmp.Diff(got, want); diff != "" || !later {
		t.Error(diff)
	}
	for name, test := range map[string]struct {
		own    progress.Record
		plan   string
		counts func(Session, Task) bool
	}{
		"another plan":   {progress.Record{Tasks: tasks}, "b.md", all},
		"it is away":     {progress.Record{Tasks: tasks}, "a.md", func(Session, Task) bool { return false }},
		"begun from new": {progress.Record{Tasks: tasks, Fresh: at(2)}, "a.md", all},
	} {
		if got, later := Merge(test.own, test.plan, ids, []Session{other}, test.counts); later || cmp.Diff(got, tasks) != "" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
