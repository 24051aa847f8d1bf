package run

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/testenv"
)

const initial = "pid:[4026531836]"

// ofBoot is a process of one machine and boot.
func ofBoot(pid int, start string) Owner {
	return Owner{PID: pid, StartTime: start, BootID: "boot-1", Namespace: initial, Machine: "m1", HostName: "ada"}
}

// with returns o changed.
func with(o Owner, change func(*Owner)) Owner {
	change(&o)
	return o
}

func TestLiveness(t *testing.T) {
	errElse := errors.New("too many open files")
	here := ofBoot(900, "9000")
	owner := ofBoot(100, "1000")
	there := map[int]Process{
		1:   {StartTime: "1"},
		100: {StartTime: "1000", Parent: 1},
		200: {StartTime: "9999", Parent: 1},
		300: {}, // another user's
		900: {StartTime: "9000", Parent: 100},
	}
	noBoot := func(o *Owner) { o.BootID, o.Namespace = "", "" }
	for _, tt := range []struct {
		name        string
		owner, here Owner
		err         error // of Find
		want        Liveness
		asks        bool // the process table
	}{
		{"the same process", owner, here, nil, Alive, true},
		{"itself", here, here, nil, Alive, true},
		{"no such process", ofBoot(101, "1000"), here, nil, Dead, true},
		{"the PID is now another's", ofBoot(200, "1000"), here, nil, Dead, true},
		{"another user's", ofBoot(300, "1000"), here, nil, Alive, true},
		{"the system does not say", owner, here, errElse, Unknown, true},
		{"no PID", ofBoot(0, "1000"), here, nil, Unknown, false},
		{"nothing at all", Owner{}, here, nil, Unknown, false},
		{"no start time", ofBoot(100, ""), here, nil, Unknown, true},

		{"booted since", owner, with(here, func(o *Owner) { o.BootID = "boot-2" }), nil, Dead, false},
		{
			"another boot in a container of that number", with(owner, func(o *Owner) { o.Namespace = "pid:[2]" }),
			with(here, func(o *Owner) { o.BootID, o.Namespace = "boot-2", "pid:[2]" }), nil, Unknown, false,
		},
		{
			"another boot of another machine", owner,
			with(here, func(o *Owner) { o.BootID, o.Machine = "boot-2", "m2" }), nil, Unknown, false,
		},
		{
			"another boot of another host in a shared home", owner,
			with(here, func(o *Owner) { o.BootID, o.HostName = "boot-2", "bob" }), nil, Unknown, false,
		},

		{"the host was renamed, alive", owner, with(here, func(o *Owner) { o.HostName = "bob" }), nil, Alive, true},
		{"another container", owner, with(here, func(o *Owner) { o.Namespace = "pid:[2]" }), nil, Unknown, false},
		{"the container is not known here", owner, with(here, func(o *Owner) { o.Namespace = "" }), nil, Unknown, false},

		{"no boot ids, alive", with(owner, noBoot), with(here, noBoot), nil, Alive, true},
		{"no boot ids, another's PID", with(ofBoot(200, "1000"), noBoot), with(here, noBoot), nil, Dead, true},
		{
			"no boot ids, another host", with(ofBoot(101, "1000"), noBoot),
			with(here, func(o *Owner) { noBoot(o); o.HostName = "bob" }), nil, Unknown, false,
		},
		{
			"the owner's boot is not known", with(ofBoot(101, "1000"), func(o *Owner) { o.BootID = "" }),
			here, nil, Unknown, false,
		},
		{
			"this boot is not known", ofBoot(101, "1000"),
			with(here, func(o *Owner) { o.BootID = "" }), nil, Unknown, false,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &probe{here: tt.here, there: there, err: tt.err}
			if got := tt.owner.Liveness(p); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
			if (p.asked > 0) != tt.asks {
				t.Errorf("the process table was asked %d times", p.asked)
			}
		})
	}
	if got := owner.Liveness(nil); got != Unknown {
		t.Errorf("without a process table: %s", got)
	}
}

func TestIsAncestor(t *testing.T) {
	here := ofBoot(900, "9000")
	family := map[int]Process{
		1:   {StartTime: "1"},
		100: {StartTime: "1000", Parent: 1},
		300: {StartTime: "3000", Parent: 1}, // an uncle
		800: {StartTime: "8000", Parent: 100},
		900: {StartTime: "9000", Parent: 800},
		950: {StartTime: "9500", Parent: 900}, // a child
	}
	// change returns family with one process in another state.
	change := func(pid int, is Process) map[int]Process {
		there := map[int]Process{pid: is}
		for p, was := range family {
			if p != pid {
				there[p] = was
			}
		}
		return there
	}
	noBoot := func(o *Owner) { o.BootID, o.Namespace = "", "" }
	for _, tt := range []struct {
		name  string
		owner Owner
		here  Owner
		there map[int]Process
		err   error
		want  bool
	}{
		{"itself", here, here, family, nil, true},
		{"the parent", ofBoot(800, "8000"), here, family, nil, true},
		{"the grandparent", ofBoot(100, "1000"), here, family, nil, true},
		{"the first of all", ofBoot(1, "1"), here, family, nil, true},
		{"an uncle", ofBoot(300, "3000"), here, family, nil, false},
		{"no PID", ofBoot(0, "1000"), here, family, nil, false},
		{"the ancestor's PID was another's", ofBoot(100, "999"), here, family, nil, false},
		{"no start time", ofBoot(100, ""), here, family, nil, false},
		{"no start time on either side", ofBoot(100, ""), here, change(100, Process{Parent: 1}), nil, false},
		{"an ancestor that may not be asked", ofBoot(100, "1000"), here, change(100, Process{}), nil, false},
		{"beyond one that has ended", ofBoot(1, "1"), here, change(800, Process{StartTime: "8000", Parent: 101}), nil, false},
		{"a circle", ofBoot(1, "1"), here, change(100, Process{StartTime: "1000", Parent: 900}), nil, false},
		{"the system does not say", ofBoot(100, "1000"), here, family, errors.New("no"), false},
		{
			"another container", ofBoot(100, "1000"),
			with(here, func(o *Owner) { o.Namespace = "pid:[2]" }), family, nil, false,
		},
		{
			"another boot", ofBoot(100, "1000"),
			with(here, func(o *Owner) { o.BootID = "boot-2" }), family, nil, false,
		},
		{"no boot ids", with(ofBoot(100, "1000"), noBoot), with(here, noBoot), family, nil, true},
		{
			"no boot ids, another machine", with(ofBoot(100, "1000"), noBoot),
			with(here, func(o *Owner) { noBoot(o); o.Machine = "m2" }), family, nil, false,
		},
	} {
		p := &probe{here: tt.here, there: tt.there, err: tt.err}
		if got := tt.owner.IsAncestor(p); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
		if p.asked > maxAncestors {
			t.Errorf("%s: asked %d times", tt.name, p.asked)
		}
	}
	for other, want := range map[Owner]bool{
		ofBoot(100, "1000"): true, ofBoot(101, "1000"): false, ofBoot(100, "1001"): false, ofBoot(100, ""): false,
		with(ofBoot(100, "1000"), func(o *Owner) { o.BootID = "boot-2" }): false,
		with(ofBoot(100, "1000"), func(o *Owner) { o.HostName = "bob" }):  true,
	} {
		if a, b := ofBoot(100, "1000").Same(other), other.Same(ofBoot(100, "1000")); a != want || b != want {
			t.Errorf("the same as %+v: %v and %v", other, a, b)
		}
	}
	for _, o := range []Owner{{}, ofBoot(0, "1"), ofBoot(100, "")} {
		if o.Same(o) {
			t.Errorf("%+v is a process", o)
		}
	}
	if ofBoot(100, "1000").IsAncestor(nil) {
		t.Error("an ancestor without a process table")
	}
}

// TestNeverDeadUnproven: the proof is looked for here in other words than in Liveness.
func TestNeverDeadUnproven(t *testing.T) {
	some := func(values ...string) *rapid.Generator[string] { return rapid.SampledFrom(values) }
	owners := rapid.Custom(func(t *rapid.T) Owner {
		return Owner{
			PID:       rapid.SampledFrom([]int{1, 2, 3, 0, -1}).Draw(t, "pid"),
			StartTime: some("10", "20", "").Draw(t, "start"),
			BootID:    some("boot-1", "boot-2", "").Draw(t, "boot"),
			Namespace: some(initial, "pid:[2]", "").Draw(t, "namespace"),
			Machine:   some("m1", "m2", "").Draw(t, "machine"),
			HostName:  some("ada", "bob", "").Draw(t, "host"),
		}
	})
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		owner, here := owners.Draw(t, "owner"), owners.Draw(t, "here")
		// Else most would have nothing in common.
		for _, part := range []struct{ from, to *string }{
			{&owner.BootID, &here.BootID},
			{&owner.Namespace, &here.Namespace},
			{&owner.Machine, &here.Machine},
			{&owner.HostName, &here.HostName},
		} {
			if rapid.Bool().Draw(t, "alike") {
				*part.to = *part.from
			}
		}
		p := &probe{here: here, there: map[int]Process{}}
		for pid := 1; pid <= 3; pid++ {
			if rapid.Bool().Draw(t, "there") {
				p.there[pid] = Process{StartTime: some("", "10", "20").Draw(t, "its start")}
			}
		}
		if rapid.Bool().Draw(t, "fails") {
			p.err = errors.New("no")
		}
		is, there := p.there[owner.PID]
		missing := p.err == nil && !there
		another := p.err == nil && there && owner.StartTime != "" && is.StartTime != "" && owner.StartTime != is.StartTime

		oneMachine := owner.Machine == here.Machine && owner.HostName == here.HostName && owner.Machine != "" && owner.HostName != ""
		bothBoots := owner.BootID != "" && here.BootID != ""
		noBoots := owner.BootID == "" && here.BootID == "" && owner.Namespace == ""
		counts := owner.PID > 0 && owner.Namespace == here.Namespace &&
			(bothBoots && owner.BootID == here.BootID || noBoots && oneMachine)
		booted := bothBoots && owner.BootID != here.BootID && oneMachine && owner.Namespace == here.Namespace &&
			(owner.Namespace == "" || owner.Namespace == initial)

		proven := booted || counts && (missing || another)
		if got := owner.Liveness(p); (got == Dead) != proven {
			t.Fatalf("%s, and proven dead is %t", got, proven)
		}
	})
}
