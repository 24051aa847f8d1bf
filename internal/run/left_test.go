package run

import (
	"slices"
	"testing"
)

// TestMayBeLeft: of two conversations in one process, nobody knows whether the other one goes on, unless it has a task in hand.
func TestMayBeLeft(t *testing.T) {
	t.Parallel()
	caller := func(conversation string, pid int, shared bool) Caller {
		c := Caller{Host: "codex", Conversation: conversation, Shared: shared}
		if pid > 0 {
			c.PID, c.Owner = pid, ownerAt(pid)
		}
		return c
	}
	in := func(conversation string, pid int) Start {
		s := startOf(conversation, ownerAt(pid))
		s.Host, s.Conversation, s.Token = "codex", conversation, conversationToken(conversation)
		return s
	}
	ended := &End{Status: Success}
	for _, c := range []struct {
		name       string
		caller     Caller
		other      Record
		inProgress []int
		own        int // the caller's run began before the other one if it is -1, after it if it is 1; 0 if it has none
		want       bool
	}{
		{"in the process of both", caller("b", 100, true), Record{Start: in("a", 100)}, nil, 1, true},
		{"the caller's process is known by its run", caller("b", 0, true), Record{Start: in("a", 100)}, nil, 1, true},
		{"with a task in hand", caller("b", 100, true), Record{Start: in("a", 100)}, []int{2}, 1, false},
		{"in another process", caller("b", 100, true), Record{Start: in("a", 200)}, nil, 1, false},
		{"of a host with a process for each", caller("b", 100, false), Record{Start: in("a", 100)}, nil, 1, false},
		{"the caller's own", caller("a", 100, true), Record{Start: in("a", 100)}, nil, 1, false},
		{"over", caller("b", 100, true), Record{Start: in("a", 100), End: ended}, nil, 1, false},
		{"without a conversation", caller("b", 100, true), Record{Start: func() Start { s := startOf("x", ownerAt(100)); s.Host = "codex"; return s }()}, nil, 1, false},
		{"that began later", caller("b", 100, true), Record{Start: in("a", 100)}, nil, -1, false},
		{"before the caller has a run", caller("b", 100, true), Record{Start: in("a", 100)}, nil, 0, true},
	} {
		facts := Facts{Now: now, Processes: newMachine(), Caller: c.caller, Runs: []Record{c.other}, Plan: "p", InProgress: c.inProgress}
		if c.own != 0 {
			own := in("b", 100)
			facts.Runs = slices.Insert(facts.Runs, (c.own+1)/2, Record{Start: own})
		}
		facts.Workers = Workers{}
		for _, n := range c.inProgress {
			facts.Workers[Work{"p", n}] = c.other.ID
		}
		a := Assess(facts)
		other := slices.IndexFunc(a.Runs, func(r Run) bool { return r.ID == c.other.ID })
		if got := a.MayBeLeft(&a.Runs[other]); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}
