package share

import (
	"slices"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/planfile"
)

// local returns a session begun at noon; names are letters.
// tasksOf returns tasks with these statuses.
func tasksOf(statuses ...planfile.Status) (tasks []progress.Task) {
	for _, status := range statuses {
		tasks = append(tasks, progress.Task{Status: status})
	}
	return tasks
}

func local(plan, names string, status ...planfile.Status) Local {
	var split []string
	for _, r := range names {
		split = append(split, string(r))
	}
	return Local{Plan: plan, Place: Place{Started: noon, Branch: "main"}, IDs: TaskIDs(split), Tasks: tasksOf(status...)}
}

const (
	pending  = planfile.Pending
	doing    = planfile.InProgress
	complete = planfile.Complete
)

// TestObserve pins what a look at a session of one task says.
func TestObserve(t *testing.T) {
	id := TaskIDs([]string{"a"})[0]
	other := func(hours int) Stamp { return Next(at(hours), "w2", Stamp{}) }
	for _, test := range []struct {
		name         string
		known        planfile.Status // elsewhere, at one o'clock
		seen         planfile.Status // here, at the last look
		begun, fresh bool            // the session was begun since the last look
		set          bool            // the task was marked just now, at three
		now          planfile.Status // in the file, which was changed at two
		want         planfile.Status
		said         bool
	}{
		{name: "pending is not told", now: pending, want: pending},
		{name: "never told", now: complete, want: complete, said: true},
		{name: "still so", known: complete, seen: complete, now: complete, want: complete},
		{name: "marked here", known: pending, seen: pending, now: complete, want: complete, said: true},
		{name: "set back here", known: complete, seen: complete, now: pending, want: pending, said: true},
		{name: "changed elsewhere, not taken over", known: complete, seen: pending, now: pending, want: complete},
		{name: "changed elsewhere, taken over", known: complete, seen: pending, now: complete, want: complete},
		{name: "set back elsewhere, not taken over", known: pending, seen: complete, now: complete, want: pending},
		{name: "changed elsewhere and here", known: complete, seen: pending, now: doing, want: doing, said: true},
		{name: "a new session from nothing", known: complete, seen: complete, begun: true, now: pending, want: complete},
		{name: "a new session that is behind", known: complete, begun: true, now: doing, want: complete},
		{name: "a new session that is ahead", known: doing, begun: true, now: complete, want: complete, said: true},
		{name: "a new session, and skipped elsewhere", known: planfile.Skipped, begun: true, now: doing, want: planfile.Skipped},
		{name: "skipped in a new session, and complete elsewhere", known: complete, begun: true, now: planfile.Skipped, want: complete},
		{name: "skipped in a new session, and begun elsewhere", known: doing, begun: true, now: planfile.Skipped, want: planfile.Skipped, said: true},
		{name: "carried over what was set back elsewhere", known: pending, seen: complete, begun: true, now: complete, want: pending},
		{name: "fresh", known: complete, seen: complete, begun: true, fresh: true, now: pending, want: pending, said: true},
		{name: "fresh before the last was taken over", known: complete, seen: pending, begun: true, fresh: true, now: pending, want: pending, said: true},
		{name: "fresh, of which nothing is known", begun: true, fresh: true, now: pending, want: pending, said: true},
		{name: "fresh, and looked at before", known: complete, seen: pending, fresh: true, now: pending, want: complete},
		{name: "marked as it is", known: complete, seen: complete, now: complete, set: true, want: complete, said: true},
		{name: "marked pending, of which nothing is known", now: pending, set: true, want: pending, said: true},
		{name: "marked as it is, and changed elsewhere", known: pending, seen: complete, now: complete, set: true, want: complete, said: true},
		{name: "marked in a new session", known: complete, begun: true, now: doing, set: true, want: doing, said: true},
		{name: "an unknown status", known: complete, seen: complete, now: "done", want: complete},
	} {
		r := Replica{Known: State{"a.md": {Tasks: map[string]Task{}}}, Seen: map[string]Seen{"a.md": {Started: noon, Tasks: map[string]planfile.Status{}}}}
		if test.known != "" {
			r.Known["a.md"].Tasks[id] = Task{Status: test.known, Stamp: other(1)}
		}
		if test.seen != "" {
			r.Seen["a.md"].Tasks[id] = test.seen
		}
		l := local("a.md", "a", test.now)
		l.Fresh, l.Changed = test.fresh, at(2)
		if test.begun {
			l.Place.Started = at(1)
		}
		if test.set {
			l.Set = l.IDs
		}
		got := r.Observe("w1", []Local{l}, at(3))
		l.Set = nil
		task, ok := got.Known["a.md"].Tasks[id]
		if got.Known["a.md"].Status(id) != test.want || (ok && task.Stamp.Worktree == "w1") != test.said {
			t.Errorf("%s: %+v", test.name, task)
		}
		when := at(2)
		if test.fresh && test.begun && test.now == pending { // set back when it began
			when = at(1)
		}
		if test.begun && test.now == planfile.Skipped { // right after what is known
			when = other(1).Time()
		}
		if test.set {
			when = at(3)
		}
		if test.said && task.Stamp.Time() != when {
			t.Errorf("%s: at %v", test.name, task.Stamp)
		}
		again := got.Observe("w1", []Local{l}, at(4))
		if !Equal(got.Known, again.Known) {
			t.Errorf("%s: a second look says more: %+v", test.name, again.Known)
		}
	}
}

func TestObserveTime(t *testing.T) {
	id := TaskIDs([]string{"a"})[0]
	stamp := func(r Replica, changed time.Time, status planfile.Status) Stamp {
		l := local("a.md", "a", status)
		l.Changed = changed
		return r.Observe("w1", []Local{l}, at(3)).Known["a.md"].Tasks[id].Stamp
	}
	known := func(s Stamp, cut Stamp) Replica {
		session := Session{Cut: cut, Tasks: map[string]Task{id: {Status: pending, Stamp: s}}, Places: map[string]Place{"w1": {Stamp: s}}}
		seen := Seen{Started: noon, Tasks: map[string]planfile.Status{id: pending}}
		return Replica{Known: State{"a.md": session}, Seen: map[string]Seen{"a.md": seen}}
	}
	year := at(24 * 365)
	for _, test := range []struct {
		name string
		got  Stamp
		want Stamp
	}{
		{"the file's time", stamp(Replica{}, at(2), complete), Stamp{Wall: at(2).UnixMilli(), Worktree: "w1"}},
		{"no time", stamp(Replica{}, time.Time{}, complete), Stamp{Wall: at(3).UnixMilli(), Worktree: "w1"}},
		{"a file from the future", stamp(Replica{}, at(4), complete), Stamp{Wall: at(3).UnixMilli(), Worktree: "w1"}},
		{"in doing at the first look", stamp(Replica{}, at(2), doing), Stamp{0, 1, "w1"}},
		{"skipped at the first look", stamp(Replica{}, at(2), planfile.Skipped), Stamp{0, 1, "w1"}},
		{"after what was known", stamp(known(Next(year, "w2", Stamp{}), Stamp{}), at(2), complete), Stamp{year.UnixMilli(), 1, "w1"}},
		{"in doing", stamp(known(Next(noon, "w2", Stamp{}), Stamp{}), at(2), doing), Stamp{at(2).UnixMilli(), 0, "w1"}},
		{"after the cut", stamp(known(Stamp{1, 1, "w2"}, Next(year, "w2", Stamp{})), at(2), complete), Stamp{year.UnixMilli(), 1, "w1"}},
		{"now after the cut", stamp(Replica{Known: State{"a.md": {Cut: Next(noon, "w2", Stamp{})}}}, at(2), complete), Stamp{at(3).UnixMilli(), 0, "w1"}},
	} {
		if test.got != test.want {
			t.Errorf("%s: %v, want %v", test.name, test.got, test.want)
		}
	}
}

func TestObservePlace(t *testing.T) {
	l := local("a.md", "ab", complete, pending)
	l.Changed = at(1)
	r := Replica{}.Observe("w1", []Local{l}, at(2))
	p := r.Known["a.md"].Places["w1"]
	if p.Branch != "main" || !p.Started.Equal(noon) || !slices.Equal(p.Tasks, l.IDs) || p.Stamp != (Stamp{at(1).UnixMilli(), 0, "w1"}) {
		t.Errorf("%+v", p)
	}
	s := r.Known["a.md"]
	if s.Count(p, complete) != 1 || s.Count(p, pending) != 1 || !slices.Equal(s.Live(), []string{"w1"}) {
		t.Errorf("%d complete, live are %v", s.Count(p, complete), s.Live())
	}

	r = r.Receive(State{"a.md": {Places: map[string]Place{"w2": {Stamp: Next(at(5), "w2", Stamp{})}}}})
	if got := r.Known["a.md"].Live(); !slices.Equal(got, []string{"w2", "w1"}) || !slices.Equal(r.Others("w1", "a.md"), []string{"w2"}) {
		t.Error(got)
	}
	l.Place.Branch, l.Changed = "dev", at(6)
	r = r.Observe("w1", []Local{l}, at(7))
	if p := r.Known["a.md"].Places["w1"]; p.Branch != "dev" || p.Stamp != (Stamp{at(6).UnixMilli(), 0, "w1"}) {
		t.Errorf("%+v", p)
	}
	if p := r.Known["a.md"].Places["w2"]; p.Stamp != Next(at(5), "w2", Stamp{}) {
		t.Errorf("another's place was changed: %+v", p)
	}

	l.Tasks, l.Changed = tasksOf(complete, complete), at(7)
	r = r.Observe("w1", []Local{l}, at(7))
	if p := r.Known["a.md"].Places["w1"]; p.Stamp.Time() != at(7) {
		t.Errorf("a mark is no change there: %+v", p)
	}
	l.Tasks = tasksOf(complete, pending)
	r = r.Observe("w1", []Local{l}, at(7))

	slow := r.Observe("w1", nil, at(2)).Known["a.md"].Places["w1"]
	if slow.Ended.IsZero() || slow.Stamp.Compare(r.Known["a.md"].Places["w1"].Stamp) <= 0 {
		t.Errorf("an end by a clock that was set back: %+v", slow)
	}
	ended := r.Observe("w1", nil, at(8))
	p = ended.Known["a.md"].Places["w1"]
	if !p.Ended.Equal(at(8)) || p.Stamp != (Stamp{at(8).UnixMilli(), 0, "w1"}) || ended.Known["a.md"].Status(l.IDs[0]) != complete {
		t.Errorf("%+v", p)
	}
	if !ended.Known["a.md"].Places["w2"].Ended.IsZero() || !Equal(ended.Observe("w1", nil, at(9)).Known, ended.Known) {
		t.Error("it ended twice, or elsewhere")
	}
	if back := ended.Observe("w1", []Local{l}, at(9)); !back.Known["a.md"].Places["w1"].Ended.IsZero() {
		t.Error("a session that is there again has ended")
	}
}

func TestTake(t *testing.T) {
	ids := TaskIDs([]string{"a", "b", "c"})
	r := Replica{Known: State{"a.md": {Tasks: map[string]Task{ids[0]: {Status: complete, Stamp: Stamp{1, 1, "w"}}, ids[1]: {Status: pending, Stamp: Stamp{1, 1, "w"}}}}}}
	got := r.Updates(local("a.md", "abc", pending, complete, complete))
	if len(got) != 2 || got[ids[0]] != complete || got[ids[1]] != pending {
		t.Error(got)
	}
}

// TestObserveFirst pins the time of a task that is in doing at the first look at a session.
func TestObserveFirst(t *testing.T) {
	id := TaskIDs([]string{"a"})[0]
	r := Replica{Known: State{"a.md": {Tasks: map[string]Task{id: {Status: pending, Stamp: Next(noon, "w2", Stamp{})}}}}}
	l := local("a.md", "a", doing)
	l.Changed = at(2)
	if s := r.Observe("w1", []Local{l}, at(3)).Known["a.md"].Tasks[id].Stamp; s != (Stamp{noon.UnixMilli(), 1, "w1"}) {
		t.Errorf("%v is not right after what was known", s)
	}
	l.Fresh = true
	if s := r.Observe("w1", []Local{l}, at(3)).Known["a.md"].Tasks[id].Stamp; s != (Stamp{at(2).UnixMilli(), 0, "w1"}) {
		t.Errorf("%v is not when a fresh session was changed", s)
	}
}

// TestKilled checks a sync that dies before or after the session took over what is known.
func TestKilled(t *testing.T) {
	before, after := local("a.md", "a", pending), local("a.md", "a", complete)
	r := Replica{}.Observe("w1", []Local{before}, at(1))
	remote := Replica{}.Observe("w2", []Local{after}, at(1)).Known
	r = r.Round("w1", remote, []Local{before}, at(2))
	for name, l := range map[string]Local{"before": before, "after": after} {
		if next := r.Observe("w1", []Local{l}, at(3)); next.Known["a.md"].Status(l.IDs[0]) != complete {
			t.Errorf("%s: undone", name)
		}
	}
}

// TestRoundCut checks that a session in use tells again what was pruned elsewhere.
func TestRoundCut(t *testing.T) {
	l := local("a.md", "ab", complete, pending)
	l.Changed = noon
	r := Replica{}.Observe("w1", []Local{l}, noon)
	remote := State{"a.md": {Cut: Next(at(1), "w2", Stamp{})}}
	r = r.Round("w1", remote, []Local{l}, at(2))
	s := r.Known["a.md"]
	if s.Status(l.IDs[0]) != complete || len(s.Live()) != 1 || s.Places["w1"].Stamp.Time() != at(2) {
		t.Errorf("%+v", s)
	}
	year := Next(at(24*365), "w2", Stamp{})
	if s := r.Round("w1", State{"a.md": {Cut: year}}, []Local{l}, at(3)).Known["a.md"]; s.Status(l.IDs[0]) != complete || len(s.Live()) != 1 {
		t.Errorf("cut in the future: %+v", s)
	}
	r = r.Receive(State{"a.md": {Cut: year}}).Observe("w1", nil, at(4))
	if len(r.Seen) > 0 || !Equal(r.Known, State{"a.md": {Cut: year}}) {
		t.Errorf("pruned, and remembered: %+v", r)
	}
}

// TestRound checks that what was marked before a fetch is not taken for a change that knew what was fetched.
func TestRound(t *testing.T) {
	l := local("a.md", "a", complete)
	l.Changed = noon
	r := Replica{}.Observe("w1", []Local{l}, noon)
	remote := Replica{}.Receive(r.Known).Observe("w2", []Local{local("a.md", "a", complete)}, noon).Known
	id := l.IDs[0]
	remote = Merge(remote, State{"a.md": {Tasks: map[string]Task{id: {Status: doing, Stamp: Next(at(2), "w2", Stamp{})}}}})
	l.Tasks, l.Changed = tasksOf(pending), at(1)
	if got := r.Round("w1", remote, []Local{l}, at(3)).Known["a.md"].Status(id); got != doing {
		t.Errorf("%s: the earlier change won", got)
	}
}

func TestPlaceSame(t *testing.T) {
	same := Place{Started: noon, Machine: "m", Branch: "b", Tasks: []string{"t"}}
	if !same.same(same) || comparePlaces(same, same) != 0 {
		t.Error("not the same as itself")
	}
	for i, change := range []func(*Place){
		func(p *Place) { p.Started = at(1) }, func(p *Place) { p.Ended = noon }, func(p *Place) { p.Digest = "x" },
		func(p *Place) { p.Blob = "x" }, func(p *Place) { p.Machine = "x" }, func(p *Place) { p.Branch = "x" },
		func(p *Place) { p.Head = "x" }, func(p *Place) { p.Run = "x" }, func(p *Place) { p.Tasks = nil },
	} {
		other := same
		change(&other)
		if same.same(other) || comparePlaces(same, other) == 0 {
			t.Errorf("%d: a change is not noticed", i)
		}
	}
}

// TestRemember: what a breadcrumb knew is known as it was, unless something later is.
func TestRemember(t *testing.T) {
	ids := TaskIDs([]string{"a", "b"})
	early, late := Next(at(1), "w1", Stamp{}), Next(at(2), "w2", Stamp{})
	knew := map[string]Task{ids[0]: {Status: complete, Stamp: late}, ids[1]: {Status: pending, Stamp: early}, "x": {Status: complete, Stamp: late}, ids[0][:11] + "g": {Status: complete, Stamp: late}}
	knew[TaskIDs([]string{"c"})[0]] = Task{Status: "odd", Stamp: late}
	r := Replica{Known: State{"a.md": {Tasks: map[string]Task{ids[0]: {Status: doing, Stamp: early}, ids[1]: {Status: doing, Stamp: late}}}}}.Remember("a.md", knew)
	want := State{"a.md": {Tasks: map[string]Task{ids[0]: {Status: complete, Stamp: late}, ids[1]: {Status: doing, Stamp: late}}}}
	if !Equal(r.Known, want) {
		t.Errorf("%+v", r.Known)
	}
	if _, err := Encode(Replica{}.Remember("a.md", knew).Known); err != nil {
		t.Error(err)
	}
	if got := (Replica{}).Remember("../a.md", knew); len(got.Known) != 0 {
		t.Errorf("%+v", got)
	}
	if got := (Replica{}).Remember("a.md", nil); len(got.Known) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestInstant: instants are in the order of stamps.
func TestInstant(t *testing.T) {
	t.Parallel()
	at := Stamp{Wall: 1_700_000_000_000, Count: 7}
	for _, later := range []Stamp{{Wall: at.Wall, Count: 8}, {Wall: at.Wall + 1}, {Wall: at.Wall + 1, Count: 65535}} {
		if !later.Instant().After(at.Instant()) || later.Instant().Sub(at.Instant()) >= 2*time.Millisecond {
			t.Errorf("%v and %v", at.Instant(), later.Instant())
		}
	}
}
