package hydrate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/session"
)

// machine is a process table that a test makes up.
type machine struct {
	here      session.Owner
	processes map[int]session.Process
	err       error // of every Find
}

func (m *machine) Here() session.Owner { return m.here }

func (m *machine) Find(pid int) (session.Process, error) {
	if m.err != nil {
		return session.Process{}, m.err
	}
	if p, ok := m.processes[pid]; ok {
		return p, nil
	}
	return session.Process{}, session.ErrNoProcess
}

var (
	now = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	// here is the machine of the tests: this program is process 900, which process 100 has started.
	here = session.Owner{PID: 900, StartTime: "9000", BootID: "boot", Namespace: "pid:[4026531836]", Machine: "m", HostName: "box"}
)

func newMachine() *machine {
	return &machine{here: here, processes: map[int]session.Process{
		900: {StartTime: "9000", Parent: 100},
		100: {StartTime: "1000", Parent: 1},
		200: {StartTime: "2000", Parent: 1},
		1:   {StartTime: "1"},
	}}
}

// ownerOf is a process of the machine of the tests, alive or not.
func ownerOf(pid int) session.Owner {
	o := here
	o.PID, o.StartTime = pid, fmt.Sprint(pid*10)
	return o
}

func startOf(id string, owner session.Owner) session.Start {
	return session.Start{ID: id, Token: "token of " + id, Host: "claude", Owner: owner, At: now.Add(-10 * time.Minute), TTL: time.Hour}
}

func leaseFor(s session.Start) session.Lease {
	return session.Lease{Token: s.Token, Run: s.ID, Host: s.Host, Owner: s.Owner, Acquired: s.At, Renewed: s.At, TTL: int(s.TTL / time.Second)}
}

// TestAssessOwner puts one run that holds the lease through all that may have become of its owner.
func TestAssessOwner(t *testing.T) {
	type change = func(s *session.Start, l *session.Lease, m *machine, now *time.Time)
	for _, test := range []struct {
		name    string
		change  change
		state   RunState
		expired bool
	}{
		{"alive", func(*session.Start, *session.Lease, *machine, *time.Time) {}, RunActive, false},
		{"dead", func(_ *session.Start, _ *session.Lease, m *machine, _ *time.Time) { delete(m.processes, 200) }, RunOrphaned, false},
		{"pid reused", func(_ *session.Start, _ *session.Lease, m *machine, _ *time.Time) {
			m.processes[200] = session.Process{StartTime: "2001"}
		}, RunOrphaned, false},
		{"not ours to look at", func(_ *session.Start, _ *session.Lease, m *machine, _ *time.Time) {
			m.processes[200] = session.Process{}
		}, RunActive, false},
		{"the table does not tell", func(_ *session.Start, _ *session.Lease, m *machine, _ *time.Time) {
			m.err = errors.New("hidden")
		}, RunUnknown, false},
		{"clock an hour back", func(_ *session.Start, _ *session.Lease, _ *machine, now *time.Time) {
			*now = now.Add(-time.Hour)
		}, RunActive, false},
		{"clock a day ahead", func(_ *session.Start, _ *session.Lease, _ *machine, now *time.Time) {
			*now = now.Add(24 * time.Hour)
		}, RunActive, false},
		{"host name changed", func(_ *session.Start, _ *session.Lease, m *machine, _ *time.Time) {
			m.here.HostName = "renamed"
		}, RunActive, false},
		{"host name changed, and dead", func(_ *session.Start, _ *session.Lease, m *machine, _ *time.Time) {
			m.here.HostName = "renamed"
			delete(m.processes, 200)
		}, RunOrphaned, false},
		{"booted since", func(_ *session.Start, _ *session.Lease, m *machine, _ *time.Time) {
			m.here.BootID = "next boot"
		}, RunOrphaned, false},
		{"booted and renamed since", func(_ *session.Start, _ *session.Lease, m *machine, _ *time.Time) {
			m.here.BootID, m.here.HostName = "next boot", "renamed"
		}, RunUnknown, false},
		{"another container", func(_ *session.Start, _ *session.Lease, m *machine, _ *time.Time) {
			m.here.Namespace = "pid:[2]"
		}, RunUnknown, false},
		{"another container, an hour later", func(_ *session.Start, _ *session.Lease, m *machine, now *time.Time) {
			m.here.Namespace = "pid:[2]"
			*now = now.Add(time.Hour)
		}, RunUnknown, true},
		{"another machine", func(_ *session.Start, _ *session.Lease, m *machine, _ *time.Time) {
			m.here.BootID, m.here.Machine, m.here.HostName = "its boot", "its", "theirs"
		}, RunUnknown, false},
		{"another machine, and renewed since", func(_ *session.Start, l *session.Lease, m *machine, now *time.Time) {
			m.here.Machine, m.here.BootID = "its", "its boot"
			*now = now.Add(time.Hour)
			l.Renewed = now.Add(-time.Minute)
		}, RunUnknown, false},
		{"another machine, whose clock is ahead", func(_ *session.Start, l *session.Lease, m *machine, now *time.Time) {
			m.here.BootID, m.here.Machine = "its boot", "its"
			l.Renewed = now.Add(30 * time.Minute)
		}, RunUnknown, false},
		{"another machine, stamped in the far future", func(_ *session.Start, l *session.Lease, m *machine, now *time.Time) {
			m.here.BootID, m.here.Machine = "its boot", "its"
			l.Renewed = now.Add(25 * time.Hour)
		}, RunUnknown, true},
		{"another machine, whose clock is a day ahead", func(_ *session.Start, l *session.Lease, m *machine, now *time.Time) {
			m.here.BootID, m.here.Machine = "its boot", "its"
			l.Renewed = now.Add(24 * time.Hour)
		}, RunUnknown, false},
		{"no pid", func(s *session.Start, l *session.Lease, _ *machine, _ *time.Time) {
			s.Owner.PID, s.Owner.StartTime, l.Owner = 0, "", session.Owner{}
		}, RunUnknown, false},
		{"no pid, and time is up", func(s *session.Start, l *session.Lease, _ *machine, now *time.Time) {
			s.Owner.PID, s.Owner.StartTime, l.Owner = 0, "", session.Owner{}
			*now = now.Add(2 * time.Hour)
		}, RunUnknown, true},
		{"no pid, and booted since", func(s *session.Start, l *session.Lease, m *machine, _ *time.Time) {
			s.Owner.PID, s.Owner.StartTime, l.Owner = 0, "", session.Owner{}
			m.here.BootID = "next boot"
		}, RunOrphaned, false},
		{"resumed by another process", func(_ *session.Start, l *session.Lease, m *machine, _ *time.Time) {
			delete(m.processes, 200)
			l.Owner = ownerOf(100)
		}, RunActive, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, m, at := startOf("a", ownerOf(200)), newMachine(), now
			l := leaseFor(s)
			test.change(&s, &l, m, &at)
			a := Assess(RunFacts{
				Lease: l, LeaseFile: LeaseHeld, Journal: session.Journal{Runs: []session.Run{{Start: s}}}, Now: at, Processes: m,
			})
			if len(a.Runs) != 1 || a.Holder != &a.Runs[0] || a.Latest != a.Holder {
				t.Fatalf("%+v", a)
			}
			if r := a.Runs[0]; r.State != test.state || r.Expired != test.expired {
				t.Errorf("%s, expired %v; want %s, %v", r.State, r.Expired, test.state, test.expired)
			}
		})
	}
}

func ended(s session.Start, status session.Status, cause session.Cause) session.Run {
	end := &session.End{Of: s.ID, Status: status, Cause: cause, At: now}
	if status == session.Success {
		end.ResumeID = "conversation of " + s.Token
	}
	return session.Run{Start: s, End: end}
}

// TestAssessRuns gives the states of several runs, and who holds the lease.
func TestAssessRuns(t *testing.T) {
	dead, alive, far := startOf("dead", ownerOf(300)), startOf("alive", ownerOf(200)), startOf("far", session.Owner{HostName: "there"})
	lease := func(s session.Start) RunFacts { return RunFacts{Lease: leaseFor(s), LeaseFile: LeaseHeld} }
	for _, test := range []struct {
		name   string
		facts  RunFacts
		runs   []session.Run
		states string
		holder string
		lease  LeaseState
	}{
		{"nothing", RunFacts{LeaseFile: LeaseNone}, nil, "", "", LeaseNone},
		{"alive without the lease", RunFacts{LeaseFile: LeaseNone}, []session.Run{{Start: alive}}, "idle", "", LeaseNone},
		{"every orphan, not only the latest", lease(alive), []session.Run{
			{Start: dead}, {Start: startOf("d2", ownerOf(301))}, {Start: startOf("d3", ownerOf(302))}, {Start: alive},
		}, "orphaned orphaned orphaned active", "alive", LeaseHeld},
		{"a lease that the journal does not know", lease(alive), []session.Run{ended(dead, session.Success, session.CauseUser)}, "finished active", "alive", LeaseHeld},
		{"a lease whose run has ended", lease(alive), []session.Run{ended(alive, session.Failure, session.CauseUser)}, "finished", "", LeaseNone},
		{"unreadable", RunFacts{LeaseFile: LeaseUnreadable}, []session.Run{{Start: far}}, "unknown", "", LeaseUnreadable},
		{"all the ends", RunFacts{LeaseFile: LeaseNone}, []session.Run{
			ended(dead, session.Success, session.CauseUser), ended(alive, session.Failure, session.CauseUser),
			ended(far, session.Cancelled, session.CauseSignal), ended(startOf("e", here), session.Interrupted, session.CauseSynthetic),
			ended(startOf("f", here), session.Aborted, session.CauseUser),
		}, "finished finished interrupted interrupted interrupted", "", LeaseNone},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := test.facts
			f.Now, f.Processes, f.Journal.Runs = now, newMachine(), test.runs
			a := Assess(f)
			var states []string
			for _, r := range a.Runs {
				states = append(states, string(r.State))
			}
			holder := ""
			if a.Holder != nil {
				holder = a.Holder.ID
			}
			if got := strings.Join(states, " "); got != test.states || holder != test.holder || a.Lease != test.lease {
				t.Errorf("%q, held by %q, lease %s; want %q, %q, %s", got, holder, a.Lease, test.states, test.holder, test.lease)
			}
		})
	}
}

// TestLeft: the tasks in progress are a dead run's only where nobody else may be at work.
func TestLeft(t *testing.T) {
	s := planfile.Parse([]byte("<!-- Plan: p -->\n\n<task status=\"complete\">\n</task>\n<task status=\"in-progress\">\n</task>\n<task status=\"pending\">\n</task>\n"))
	dead, alive := session.Run{Start: startOf("d", ownerOf(300))}, session.Run{Start: startOf("a", ownerOf(200))}
	far := session.Run{Start: startOf("f", session.Owner{HostName: "there"})}
	for _, test := range []struct {
		name string
		runs []session.Run
		at   time.Time
		left []int
	}{
		{"nobody", nil, now, nil},
		{"dead", []session.Run{dead}, now, []int{2}},
		{"dead and alive", []session.Run{dead, alive}, now, nil},
		{"dead and far away", []session.Run{dead, far}, now, nil},
		{"dead and far away for long", []session.Run{dead, far}, now.Add(5 * time.Hour), []int{2}},
		{"swept", []session.Run{ended(dead.Start, session.Interrupted, session.CauseSynthetic)}, now, []int{2}},
		{"swept, and another began", []session.Run{ended(dead.Start, session.Interrupted, session.CauseSynthetic), alive}, now, nil},
		{"cancelled", []session.Run{ended(dead.Start, session.Cancelled, session.CauseUser)}, now, nil},
		{"ended well", []session.Run{ended(dead.Start, session.Success, session.CauseUser)}, now, nil},
	} {
		a := Assess(RunFacts{Session: s, LeaseFile: LeaseNone, Journal: session.Journal{Runs: test.runs}, Now: test.at, Processes: newMachine()})
		if !slices.Equal(a.Left, test.left) {
			t.Errorf("%s: %v, want %v", test.name, a.Left, test.left)
		}
	}
}

// TestResumeGate holds each way for a run to end, and not to end, against the gate, alone and after others.
func TestResumeGate(t *testing.T) {
	const open = session.Status("")
	run := func(id, token string, status session.Status) session.Run {
		s := startOf(id, ownerOf(300))
		s.Token = token
		if status == open {
			return session.Run{Start: s}
		}
		r := ended(s, status, session.CauseUser)
		r.End.ResumeID = "X" // also where nobody should have written it
		return r
	}
	all := []session.Status{open, session.Success, session.Failure, session.Cancelled, session.Interrupted, session.Aborted}
	gate := func(runs ...session.Run) string {
		a := Assess(RunFacts{LeaseFile: LeaseNone, Journal: session.Journal{Runs: runs}, Now: now, Processes: newMachine()})
		return a.Latest.ResumeID
	}
	for _, status := range all {
		want := ""
		if status == session.Success {
			want = "X"
		}
		if got := gate(run("a", "t", status)); got != want {
			t.Errorf("%q: %q, want %q", status, got, want)
		}
		// The neighbour's hole: success of A, then B on the same conversation.
		if got := gate(run("a", "t", session.Success), run("b", "t", status)); got != want {
			t.Errorf("success, then %q: %q, want %q", status, got, want)
		}
		// And what came before a success does not take it away.
		if got := gate(run("a", "t", status), run("b", "t", session.Success)); got != "X" {
			t.Errorf("%q, then success: %q", status, got)
		}
	}
	// Of A itself: poisoned by a later run of its conversation, not by one of another.
	for _, status := range all {
		runs := []session.Run{run("a", "t", session.Success), run("b", "t", status), run("c", "u", session.Failure)}
		a := Assess(RunFacts{LeaseFile: LeaseNone, Journal: session.Journal{Runs: runs}, Now: now, Processes: newMachine()})
		if got := a.Runs[0].ResumeID != ""; got != (status == session.Success) {
			t.Errorf("success of A, then %q of B: A may be resumed: %v", status, got)
		}
	}
	if got := gate(run("a", "t", session.Success), run("b", "u", session.Failure)); got != "" {
		t.Errorf("the latest run is another's, and %q was offered", got)
	}
}

// TestAdmit decides who gets the lease.
func TestAdmit(t *testing.T) {
	holder := startOf("h", ownerOf(200))
	far := startOf("far", session.Owner{HostName: "there"})
	parent := startOf("parent", ownerOf(100))
	for _, test := range []struct {
		name    string
		runs    []session.Run
		lease   *session.Start // whose it is
		file    LeaseState
		claim   Claim
		force   bool
		join    bool
		after   time.Duration
		kill    int
		reenter string
		busy    bool
	}{
		{name: "free", file: LeaseNone},
		{name: "held by another", lease: &holder, claim: Claim{Conversation: "x"}, busy: true},
		{name: "held by another, and a person asks", lease: &holder, busy: true},
		{name: "by force", lease: &holder, force: true},
		{name: "the same token", lease: &holder, claim: Claim{Token: holder.Token}, reenter: "h"},
		{name: "the same token, and its process is dead", lease: &holder, claim: Claim{Token: holder.Token}, kill: 200},
		{name: "dead", lease: &holder, kill: 200},
		{name: "far away", lease: &far, busy: true},
		{name: "far away, its time is up", lease: &far, after: 2 * time.Hour},
		{name: "held by whom it descends from", lease: &parent, reenter: "parent"},
		{name: "the same agent with a new conversation", lease: &parent, claim: Claim{Host: "claude", Conversation: "new"}, reenter: "parent"},
		{name: "another agent below the holder", lease: &parent, claim: Claim{Host: "codex", Conversation: "new"}, busy: true},
		{name: "another process below the holder", lease: &parent, claim: Claim{PID: 900}, busy: true},
		{name: "another process below the holder joins", lease: &parent, claim: Claim{PID: 900}, join: true, reenter: "parent"},
		{name: "the holder's process with a new conversation", lease: &holder, claim: Claim{Host: "claude", Conversation: "new", PID: 200}},
		{name: "unreadable", file: LeaseUnreadable},
		{name: "unreadable, and a run lives", file: LeaseUnreadable, runs: []session.Run{{Start: holder}}, busy: true},
		{name: "unreadable, and a run lives, by force", file: LeaseUnreadable, runs: []session.Run{{Start: holder}}, force: true},
		{name: "unreadable, and all are dead", file: LeaseUnreadable, runs: []session.Run{{Start: holder}}, kill: 200},
		{name: "of a later version", file: LeaseLater, busy: true},
		{name: "of a later version, by force", file: LeaseLater, force: true},
		{name: "its start was recorded, and no lease", file: LeaseNone, runs: []session.Run{{Start: holder}}, claim: Claim{Token: holder.Token}, reenter: "h"},
		{name: "another lives without the lease", file: LeaseNone, runs: []session.Run{{Start: holder}}, claim: Claim{Conversation: "x"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := newMachine()
			delete(m.processes, test.kill)
			f := RunFacts{LeaseFile: test.file, Journal: session.Journal{Runs: test.runs}, Now: now.Add(test.after), Processes: m, Caller: test.claim.find(m)}
			if test.lease != nil {
				f.Lease, f.LeaseFile = leaseFor(*test.lease), LeaseHeld
				f.Journal.Runs = append(f.Journal.Runs, session.Run{Start: *test.lease})
			}
			a := Assess(f)
			run, err := a.admit(f.Caller, test.force, test.join)
			got := ""
			if run != nil {
				got = run.ID
			}
			var failed *Error
			busy := errors.As(err, &failed) && failed.Kind == Busy
			if got != test.reenter || busy != test.busy || (err != nil) != test.busy {
				t.Errorf("re-enters %q, %v; want %q, busy %v", got, err, test.reenter, test.busy)
			}
			if busy && !strings.Contains(failed.Hint, "--force") {
				t.Errorf("the hint does not tell the way out: %q", failed.Hint)
			}
		})
	}
}

// TestAssessLaws: whatever the clock says, nobody becomes dead by it, and a sweep ends nobody that is not dead.
func TestAssessLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newMachine()
		var runs []session.Run
		for i := range rapid.IntRange(0, 6).Draw(t, "runs") {
			o := ownerOf(rapid.SampledFrom([]int{0, 100, 200, 300, 301}).Draw(t, "pid"))
			o.Namespace = rapid.SampledFrom([]string{here.Namespace, "pid:[2]"}).Draw(t, "container")
			s := startOf(fmt.Sprint("r", i), o)
			s.At = now.Add(time.Duration(rapid.Int64Range(-1e15, 1e15).Draw(t, "at")))
			run := session.Run{Start: s}
			if rapid.Bool().Draw(t, "ended") {
				run = ended(s, rapid.SampledFrom(runStatuses[:]).Draw(t, "status"), session.CauseUser)
			}
			runs = append(runs, run)
		}
		f := RunFacts{LeaseFile: LeaseNone, Journal: session.Journal{Runs: runs}, Processes: m}
		if len(runs) > 0 && rapid.Bool().Draw(t, "lease") {
			f.Lease, f.LeaseFile = leaseFor(rapid.SampledFrom(runs).Draw(t, "holder").Start), LeaseHeld
		}
		dead := func(at time.Time) string {
			f.Now = at
			a := Assess(f)
			var swept Swept
			swept.decide(&a, &Report{}, SweepOptions{})
			var ids []string
			for _, r := range swept.Ended {
				if r.Owner.Liveness(m) != session.Dead || r.End != nil {
					t.Fatalf("%+v is ended", r)
				}
				ids = append(ids, r.ID)
			}
			open := 0
			for _, r := range a.Runs {
				if r.Open() && r.State == RunOrphaned {
					open++
				}
				if r.ResumeID != "" && (r.End == nil || r.End.Status != session.Success) {
					t.Fatalf("%+v may be resumed", r)
				}
			}
			if open != len(ids) {
				t.Fatalf("%d orphans, %d ended", open, len(ids))
			}
			return strings.Join(ids, " ")
		}
		at := now.Add(time.Duration(rapid.Int64Range(-1e15, 1e15).Draw(t, "clock")))
		if a, b := dead(now), dead(at); a != b {
			t.Fatalf("the clock decides: %q at %v, %q at %v", a, now, b, at)
		}
	})
}
