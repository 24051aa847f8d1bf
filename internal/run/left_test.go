package run

import (
	"slices"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/progress"
)

// TestMayBeLeft: of two conversations in one process, nobody knows whether the other one continues, unless it has a task in progress.
func TestMayBeLeft(t *testing.T) {
	t.Parallel()
	caller := func(conversation string, pid int, shared bool) Caller {
		c := Caller{Host: "codex", Conversation: conversation, Shared: shared}
		if pid > 0 {
			c.PID, c.Owner = pid, ownerAt(pid)
		}
		return c
	}
	in := func(conversation string, pid int) Record {
		s := startOf(conversation, ownerAt(pid))
		s.Host, s.Conversation, s.Token = "codex", conversation, conversationToken(conversation)
		return s
	}
	over := in("a", 100)
	over.End = &End{Status: Success}
	for _, c := range []struct {
		name       string
		caller     Caller
		other      Record
		inProgress []int
		own        int // the caller's run began before the other one if it is -1, after it if it is 1; 0 if it has none
		want       bool
	}{
		{"in the process of both", caller("b", 100, true), in("a", 100), nil, 1, true},
		{"the caller's process is known by its run", caller("b", 0, true), in("a", 100), nil, 1, true},
		{"with a task in progress", caller("b", 100, true), in("a", 100), []int{2}, 1, false},
		{"in another process", caller("b", 100, true), in("a", 200), nil, 1, false},
		{"of a host with a process for each", caller("b", 100, false), in("a", 100), nil, 1, false},
		{"the caller's own", caller("a", 100, true), in("a", 100), nil, 1, false},
		{"over", caller("b", 100, true), over, nil, 1, false},
		{"without a conversation", caller("b", 100, true), func() Record { s := startOf("x", ownerAt(100)); s.Host = "codex"; return s }(), nil, 1, false},
		{"that began later", caller("b", 100, true), in("a", 100), nil, -1, false},
		{"before the caller has a run", caller("b", 100, true), in("a", 100), nil, 0, true},
		{"in another process, before the caller has a run", caller("b", 100, true), in("a", 200), nil, 0, false},
	} {
		facts := Facts{Now: now, Processes: newMachine(), Caller: c.caller, Records: Records{Runs: []Record{c.other}}, Plan: "p", InProgress: c.inProgress}
		if c.own != 0 {
			own := in("b", 100)
			facts.Runs = slices.Insert(facts.Runs, (c.own+1)/2, own)
		}
		facts.Marks = Marks{}
		for _, n := range c.inProgress {
			facts.Marks[Work{"p", n}] = progress.Task{Run: c.other.ID}
		}
		a := Assess(facts)
		other := slices.IndexFunc(a.Runs, func(r Run) bool { return r.ID == c.other.ID })
		if got := a.MayBeLeft(&a.Runs[other]); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}

// TestMayBeLeftClock: after the clock was set back, the older run's own start seems to be later than the caller's.
func TestMayBeLeftClock(t *testing.T) {
	t.Parallel()
	in := func(conversation string, at time.Time) Record {
		s := startOf(conversation, ownerAt(100))
		s.Host, s.Conversation, s.Token, s.Started, s.Seen = "codex", conversation, conversationToken(conversation), at, at
		return s
	}
	caller := Caller{Host: "codex", Conversation: "b", Shared: true, PID: 100, Owner: ownerAt(100)}
	other, own := in("a", now.Add(50*time.Hour)), in("b", now)
	a := Assess(Facts{Now: now, Processes: newMachine(), Caller: caller, Records: Records{Runs: []Record{other, own}}, Plan: "p"})
	at := slices.IndexFunc(a.Runs, func(r Run) bool { return r.ID == other.ID })
	if !a.MayBeLeft(&a.Runs[at]) {
		t.Error("a run that began before the clock was set back is called at work")
	}
}

// TestMayBeLeftMarks: a conversation that marks something after another one began is not left for that, whether or not it holds the lease.
func TestMayBeLeftMarks(t *testing.T) {
	t.Parallel()
	in := func(conversation string, at time.Time) Record {
		s := startOf(conversation, ownerAt(100))
		s.Host, s.Conversation, s.Token, s.Started, s.Seen = "codex", conversation, conversationToken(conversation), at, at
		return s
	}
	began := now.Add(-5 * time.Minute) // the caller's
	before, after := began.Add(-time.Minute), began.Add(time.Minute)
	other := in("a", began.Add(-5*time.Minute))
	for _, c := range []struct {
		name  string
		lease time.Time     // when the other one renewed it; zero if it does not hold it
		mark  progress.Task // of the task that it marked last
		want  bool
	}{
		{"before", before, progress.Task{Ended: before}, true},
		{"in the same second", began.Truncate(time.Second).Add(900 * time.Millisecond), progress.Task{Ended: began}, true},
		{"after", after, progress.Task{Ended: after}, false},
		{"before, without the lease", time.Time{}, progress.Task{Began: before, Ended: before}, true},
		{"after, without the lease", time.Time{}, progress.Task{Began: before, Ended: after}, false},
	} {
		facts := Facts{
			Now: now, Processes: newMachine(), Caller: Caller{Host: "codex", Conversation: "b", Shared: true}, Plan: "p", Records: Records{
				Runs: []Record{other, in("b", began)}, Marks: Marks{Work{"p", 1}: {Run: other.ID, Began: c.mark.Began, Ended: c.mark.Ended}},
			},
		}
		if !c.lease.IsZero() {
			facts.Holder, facts.Runs[0].Seen = other.ID, c.lease
		}
		a := Assess(facts)
		at := slices.IndexFunc(a.Runs, func(r Run) bool { return r.ID == other.ID })
		if got := a.MayBeLeft(&a.Runs[at]); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}
