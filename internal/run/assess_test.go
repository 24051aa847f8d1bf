package run

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/progress"
)

// probe is a process table for tests.
type probe struct {
	here  Owner
	there map[int]Process
	err   error // of every Find, before anything else
	asked int
}

func (p *probe) Here() Owner { return p.here }

func (p *probe) Machine() string { return p.here.Machine }

func (p *probe) Find(pid int) (Process, error) {
	p.asked++
	if is, ok := p.there[pid]; ok || p.err != nil {
		return is, p.err
	}
	return Process{}, fmt.Errorf("find %d: %w", pid, ErrNoProcess)
}

func newMachine() *probe {
	return &probe{here: here, there: map[int]Process{
		900: {StartTime: "9000", Parent: 100},
		100: {StartTime: "1000", Parent: 1},
		200: {StartTime: "2000", Parent: 1},
		1:   {StartTime: "1"},
	}}
}

var (
	now = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	// here is the machine of the tests: this program is process 900, which process 100 has started.
	here = Owner{PID: 900, StartTime: "9000", BootID: "boot", Namespace: "pid:[4026531836]", Machine: "m", HostName: "box"}
)

// ownerAt is a process of the machine of the tests, alive or not.
func ownerAt(pid int) Owner {
	o := here
	o.PID, o.StartTime = pid, fmt.Sprint(pid*10)
	return o
}

func startOf(id string, owner Owner) Record {
	at := now.Add(-10 * time.Minute)
	return Record{ID: id, Token: "token of " + id, Host: "claude", Owner: owner, Started: at, Seen: at, TTL: 3600}
}

// TestAssessHolder: the holder of the lease lives as long as one of its processes, and an unknown state expires.
func TestAssessHolder(t *testing.T) {
	far := func(l *Record) { l.Owner = Owner{PID: 200, StartTime: "2000", BootID: "its boot", HostName: "theirs"} }
	for name, tt := range map[string]struct {
		change  func(l *Record)
		at      time.Duration
		state   State
		expired bool
		living  int
	}{
		"alive":                  {func(*Record) {}, 24 * time.Hour, StateActive, false, 1},
		"dead":                   {func(l *Record) { l.Owner.PID = 300 }, 0, StateCrashed, false, 0},
		"far away":               {far, 0, StateUnknown, false, 1},
		"far away, at its time":  {far, 50 * time.Minute, StateUnknown, false, 1},
		"far away, time is up":   {far, time.Hour, StateUnknown, true, 1},
		"far away, renewed":      {func(l *Record) { far(l); l.Seen = now.Add(time.Minute) }, time.Hour, StateUnknown, false, 1},
		"far away, a day ahead":  {func(l *Record) { far(l); l.Seen = now.Add(24 * time.Hour) }, 0, StateUnknown, false, 1},
		"far away, more than it": {func(l *Record) { far(l); l.Seen = now.Add(24*time.Hour + 1) }, 0, StateUnknown, true, 1},
		"no pid":                 {func(l *Record) { l.Owner = Owner{} }, 0, StateUnknown, false, 0},
		"dead, and a member has no process": {func(l *Record) {
			l.Owner.PID, l.Members = 300, []Member{{Conversation: "c"}}
		}, 0, StateCrashed, false, 0},
		"alive, and so is a member": {func(l *Record) { l.Members = []Member{{Owner: ownerAt(100)}} }, 0, StateActive, false, 2},
		"dead, and a member lives": {func(l *Record) {
			l.Owner.PID, l.Members = 300, []Member{{Conversation: "c"}, {Owner: ownerAt(301)}, {Owner: ownerAt(100)}}
		}, 0, StateActive, false, 1},
		"dead, and a member is far": {func(l *Record) {
			l.Owner.PID, l.Members = 300, []Member{{Owner: Owner{PID: 1, BootID: "x"}}, {Owner: ownerAt(301)}}
		}, 0, StateUnknown, false, 1},
	} {
		l := startOf("a", ownerAt(200))
		l.Supervised = true
		tt.change(&l)
		a := Assess(Facts{Records: Records{Holder: "a", Runs: []Record{l}}, Now: now.Add(tt.at), Processes: newMachine()})
		if len(a.Runs) != 1 || a.Holder != &a.Runs[0] || a.Latest != a.Holder {
			t.Fatalf("%s: %+v", name, a)
		}
		if r := a.Runs[0]; r.State != tt.state || r.Expired != tt.expired || len(r.living) != tt.living {
			t.Errorf("%s: %s, expired %v, %d living; want %s, %v, %d", name, r.State, r.Expired, len(r.living), tt.state, tt.expired, tt.living)
		}
		if r := a.Runs[0]; l.Owner.PID == 200 && len(l.Members) == 0 && r.PID != 200 {
			t.Errorf("%s: its process is %d", name, r.PID)
		}
		if r := a.Runs[0]; r.Supervised != (l.Owner.PID != 300) {
			t.Errorf("%s: supervised %v", name, r.Supervised)
		}
		if at := a.AtWork(); (at != nil) != (tt.state == StateActive || tt.state == StateUnknown && !tt.expired) {
			t.Errorf("%s: at work is %+v", name, at)
		}
	}
}

func ended(s Record, status Status, cause Cause) Record {
	s.End = &End{Of: s.ID, Status: status, Cause: cause, At: now}
	if status == Success {
		s.End.ResumeID = "conversation of " + s.Token
	}
	return s
}

// TestAssessRuns gives the states of several runs, and who holds the lease.
func TestAssessRuns(t *testing.T) {
	dead, alive, far := startOf("dead", ownerAt(300)), startOf("alive", ownerAt(200)), startOf("far", Owner{HostName: "there"})
	for _, test := range []struct {
		name   string
		lease  string // whose it is
		runs   []Record
		states string
		holder string
	}{
		{"nothing", "", nil, "", ""},
		{"alive without the lease", "", []Record{alive}, "idle", ""},
		{"every crashed run, not only the latest", "alive", []Record{
			dead, startOf("d2", ownerAt(301)), startOf("d3", ownerAt(302)), alive,
		}, "crashed crashed crashed active", "alive"},
		{"a lease of nobody", "gone", []Record{dead}, "crashed", ""},
		{"a lease whose run has ended", "alive", []Record{ended(alive, Failure, CauseUser)}, "failure", ""},
		{"far away", "", []Record{far}, "unknown", ""},
		{"all the ends", "", []Record{
			ended(dead, Success, CauseUser), ended(alive, Failure, CauseUser),
			ended(far, Cancelled, CauseSignal), ended(startOf("e", here), Interrupted, CauseSynthetic),
			ended(startOf("f", here), Aborted, CauseUser), ended(startOf("g", here), Paused, CauseUser),
		}, "success failure cancelled crashed aborted paused", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := Assess(Facts{Records: Records{Holder: test.lease, Runs: test.runs}, Now: now, Processes: newMachine()})
			var states []string
			for _, r := range a.Runs {
				states = append(states, string(r.State))
			}
			holder := ""
			if a.Holder != nil {
				holder = a.Holder.ID
			}
			if got := strings.Join(states, " "); got != test.states || holder != test.holder {
				t.Errorf("%q, held by %q; want %q, %q", got, holder, test.states, test.holder)
			}
		})
	}
}

// TestUnfinished: who works on a task in progress, and whether it was left.
func TestUnfinished(t *testing.T) {
	dead, alive := startOf("d", ownerAt(300)), startOf("a", ownerAt(200))
	far, nameless := startOf("f", Owner{HostName: "there"}), startOf("n", with(here, func(o *Owner) { o.PID, o.StartTime = 0, "" }))
	swept := ended(dead, Interrupted, CauseSynthetic)
	for _, test := range []struct {
		name   string
		runs   []Record
		holder int    // its number, from 1
		marked string // the run that marked the task; "-" for none, "nobody" if it was found interrupted
		after  time.Duration
		worker string
		left   bool
	}{
		{"nobody", nil, 0, "-", 0, "", false},
		{"dead", []Record{dead}, 1, "-", 0, "", true},
		{"dead and alive", []Record{dead, alive}, 2, "-", 0, "a", false},
		{"dead, and it marked", []Record{dead, alive}, 2, "d", 0, "", false},
		{"alive without the lease, and it marked", []Record{alive}, 0, "a", 0, "a", false},
		{"alive without the lease", []Record{alive}, 0, "-", 0, "", false},
		{"found, and nobody marked", []Record{alive}, 1, "nobody", 0, "", false},
		{"dead and far away", []Record{dead, far}, 0, "f", 0, "f", false},
		{"dead and far away for long", []Record{dead, far}, 0, "f", 5 * time.Hour, "", false},
		{"without a process for long", []Record{nameless}, 1, "-", 5 * time.Hour, "", true},
		{"swept", []Record{swept}, 0, "-", 0, "", true},
		{"swept, and another began", []Record{swept, alive}, 0, "-", 0, "", false},
		{"swept, and another ended", []Record{swept, ended(alive, Success, CauseUser)}, 0, "d", 0, "", true},
		{"cancelled", []Record{ended(dead, Cancelled, CauseUser)}, 0, "-", 0, "", false},
		{"cancelled, and it marked", []Record{ended(dead, Cancelled, CauseUser)}, 0, "d", 0, "", true},
		{"paused", []Record{ended(dead, Paused, CauseUser)}, 0, "d", 0, "", false},
		{"paused, and another crashed", []Record{ended(alive, Paused, CauseUser), dead}, 0, "a", 0, "", false},
		{"another paused", []Record{swept, ended(alive, Paused, CauseUser)}, 0, "d", 0, "", true},
		{"marked by who is not recorded", []Record{ended(dead, Success, CauseUser)}, 0, "-", 0, "", false},
	} {
		f := Facts{Records: Records{Runs: test.runs, Marks: Marks{{"other", 3}: {Run: "a"}}}, Now: now.Add(test.after), Processes: newMachine()}
		if test.marked != "-" {
			f.Marks[Work{"p", 3}] = progress.Task{Run: strings.TrimSuffix(test.marked, "nobody")}
		}
		if test.holder > 0 {
			f.Holder = test.runs[test.holder-1].ID
		}
		a := Assess(f)
		worker := ""
		if w := a.Worker("p", 3); w != nil {
			worker = w.ID
		}
		if left := len(a.Unfinished("p", []int{3})) > 0; worker != test.worker || left != test.left {
			t.Errorf("%s: at work is %q, left %v; want %q, %v", test.name, worker, left, test.worker, test.left)
		}
	}
}

// TestResumeGate holds each way for a run to end, and not to end, against the gate, alone and after others.
func TestResumeGate(t *testing.T) {
	const open = Status("")
	record := func(id, token string, status Status) Record {
		s := startOf(id, ownerAt(300))
		s.Token = token
		if status == open {
			return s
		}
		r := ended(s, status, CauseUser)
		r.End.ResumeID = "X" // even if it should not have been written
		return r
	}
	all := append([]Status{open}, Statuses()...)
	gate := func(runs ...Record) string {
		a := Assess(Facts{Records: Records{Runs: runs}, Now: now, Processes: newMachine()})
		return a.Latest.ResumeID
	}
	for _, status := range all {
		want := ""
		if status == Success || status == Paused {
			want = "X"
		}
		if got := gate(record("a", "t", status)); got != want {
			t.Errorf("%q: %q, want %q", status, got, want)
		}
		// After a success, another run of the same conversation.
		if got := gate(record("a", "t", Success), record("b", "t", status)); got != want {
			t.Errorf("success, then %q: %q, want %q", status, got, want)
		}
		// An earlier run does not matter.
		if got := gate(record("a", "t", status), record("b", "t", Success)); got != "X" {
			t.Errorf("%q, then success: %q", status, got)
		}
	}
	// A later run of its host on its plan outdates A, and so does one of its conversation that did not end well.
	for _, status := range all {
		well := status == Success || status == Paused
		for _, later := range []struct {
			host, plan, token string
			want              bool
		}{
			{"codex", "p", "t", well},
			{"claude", "q", "t", well},
			{"claude", "p", "t", false},
			{"codex", "p", "u", true},
			{"claude", "q", "u", true},
			{"claude", "p", "u", false},
		} {
			first, second := record("a", "t", Success), record("b", later.token, status)
			first.Host, first.Plan, second.Host, second.Plan = "claude", "p", later.host, later.plan
			a := Assess(Facts{Records: Records{Runs: []Record{first, second}}, Now: now, Processes: newMachine()})
			if got := a.Runs[0].ResumeID != ""; got != later.want {
				t.Errorf("success, then %q of %+v: it may be resumed: %v", status, later, got)
			}
		}
	}
	if got := gate(record("a", "t", Success), record("b", "u", Failure)); got != "" {
		t.Errorf("the latest run is of another conversation, and %q was offered", got)
	}
	// Nor is one offered that knows nothing of the plan, or without a plan.
	for _, test := range []struct{ ended, live, want string }{
		{"p.md", "p.md", "X"}, {"q.md", "p.md", ""}, {"", "p.md", ""}, {"p.md", "", ""}, {"", "", ""},
	} {
		r := record("a", "t", Success)
		r.Plan = ""
		r.End.Plan = test.ended
		a := Assess(Facts{Records: Records{Runs: []Record{r}}, Now: now, Processes: newMachine()})
		a.OnPlan(test.live)
		if got := a.Latest.ResumeID; got != test.want {
			t.Errorf("ended on %q, and the session is on %q: %q, want %q", test.ended, test.live, got, test.want)
		}
	}
}

// TestAdmit decides who gets the lease.
func TestAdmit(t *testing.T) {
	holder := startOf("h", ownerAt(200))
	far := startOf("far", Owner{HostName: "there"})
	parent := startOf("parent", ownerAt(100))
	nameless := startOf("nameless", with(here, func(o *Owner) { o.PID, o.StartTime = 0, "" }))
	marked := nameless
	marked.Marked = true
	talk, talk2 := startOf("talk", ownerAt(200)), startOf("talk2", ownerAt(200))
	talk.Token, talk2.Token = conversationToken("1"), conversationToken("2")
	for _, test := range []struct {
		name    string
		runs    []Record
		lease   *Record // whose it is
		claim   Caller
		join    bool
		after   time.Duration
		kill    int
		reenter string
		busy    bool
	}{
		{name: "free"},
		{name: "held by another", lease: &holder, claim: Caller{Conversation: "x"}, busy: true},
		{name: "held by another, and a person asks", lease: &holder, busy: true},
		{name: "the same token", lease: &holder, claim: Caller{Token: holder.Token}, reenter: "h"},
		{name: "the same token, and its process is dead", lease: &holder, claim: Caller{Token: holder.Token}, kill: 200},
		{name: "dead", lease: &holder, kill: 200},
		{name: "far away", lease: &far, busy: true},
		{name: "it named nothing, and neither does the caller", lease: &nameless},
		{name: "it named nothing, and marked a task, and the caller names nothing", lease: &marked, busy: true},
		{name: "it named nothing", lease: &nameless, claim: Caller{Conversation: "x"}},
		{name: "it named nothing, and marked a task", lease: &marked, claim: Caller{Conversation: "x"}, busy: true},
		{name: "far away, its time is up", lease: &far, after: 2 * time.Hour},
		{name: "held by whom it descends from", lease: &parent, reenter: "parent"},
		{name: "the same agent with a new conversation", lease: &parent, claim: Caller{Host: "claude", Conversation: "new"}, reenter: "parent"},
		{name: "another agent below the holder", lease: &parent, claim: Caller{Host: "codex", Conversation: "new"}, busy: true},
		{name: "another process below the holder", lease: &parent, claim: Caller{PID: 900}, busy: true},
		{name: "another process below the holder joins", lease: &parent, claim: Caller{PID: 900}, join: true, reenter: "parent"},
		{name: "the holder's process with a conversation", lease: &holder, claim: Caller{Host: "claude", Conversation: "new", PID: 200}, reenter: "h"},
		{name: "the holder's process with another conversation", lease: &talk, claim: Caller{Host: "claude", Conversation: "new", PID: 200}},
		{name: "the holder's process with another conversation, shared", lease: &talk, claim: Caller{Host: "claude", Conversation: "new", PID: 200, Shared: true}, busy: true},
		{name: "the holder's process with another conversation, shared and cleared", lease: &talk, claim: Caller{Host: "claude", Conversation: "new", PID: 200, Shared: true, Cleared: true}},
		{name: "one of two that share a process was cleared", lease: &talk, runs: []Record{talk2}, claim: Caller{Host: "claude", Conversation: "new", PID: 200, Shared: true, Cleared: true}, busy: true},
		{name: "without the lease, while another holds it", lease: &talk, runs: []Record{talk2}, claim: Caller{Host: "claude", Conversation: "2"}, reenter: "talk2", busy: true},
		{name: "without the lease, in another process", runs: []Record{talk2}, claim: Caller{Host: "claude", Conversation: "2", PID: 100}},
		{name: "without the lease, in its process", runs: []Record{talk2}, claim: Caller{Host: "claude", Conversation: "2", PID: 200}, reenter: "talk2"},
		{name: "its start was recorded, and no lease", runs: []Record{holder}, claim: Caller{Token: holder.Token}, reenter: "h"},
		{name: "another lives without the lease", runs: []Record{holder}, claim: Caller{Conversation: "x"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := newMachine()
			delete(m.there, test.kill)
			f := Facts{Records: Records{Runs: test.runs}, Now: now.Add(test.after), Processes: m, Caller: test.claim.Find(m)}
			if test.lease != nil {
				f.Holder, f.Runs = test.lease.ID, append(f.Runs, *test.lease)
			}
			a := Assess(f)
			run, err := a.Admit(StartOptions{Join: test.join})
			got := ""
			if run != nil {
				got = run.ID
			}
			_, busy := errors.AsType[*BusyError](err)
			if got != test.reenter || busy != test.busy || (err != nil) != test.busy {
				t.Errorf("re-enters %q, %v; want %q, busy %v", got, err, test.reenter, test.busy)
			}
		})
	}
}

// TestKeeper decides which run keeps a session from being replaced by a caller that does not get its lease.
func TestKeeper(t *testing.T) {
	const plan = "p"
	for _, test := range []struct {
		name          string
		holder, other string // the plans of the tasks that they marked last
		marks         Marks
		inProgress    []int
		dead          bool // the other's process
		want          string
	}{
		{name: "a conversation that only started"},
		{name: "it marked a task", holder: plan, want: "h"},
		{name: "it marked a task of another plan, and began this one", holder: "q", want: "h"},
		{name: "a task in progress of which no run is known", inProgress: []int{1}, want: "h"},
		{name: "a task that a start found in progress", inProgress: []int{1}, marks: Marks{{plan, 1}: {Run: ""}}},
		{name: "another marked a task", other: plan, want: "o"},
		{name: "another marked a task of another plan", other: "q"},
		{name: "another marked a task, and is dead", other: plan, dead: true},
		{name: "both marked a task", holder: plan, other: plan, want: "h"},
	} {
		m := newMachine()
		holder, other := startOf("h", ownerAt(200)), startOf("o", ownerAt(100))
		holder.Plan, holder.Marked, other.Plan, other.Marked = test.holder, test.holder != "", test.other, test.other != ""
		if other.Token = conversationToken("o"); test.dead {
			delete(m.there, 100)
		}
		f := Facts{
			Records: Records{Holder: "h", Runs: []Record{other, holder}, Marks: test.marks}, Plan: plan, InProgress: test.inProgress, Now: now, Processes: m, Caller: Caller{Host: "codex", Conversation: "x"}.Find(m),
		}
		a := Assess(f)
		got := ""
		if a.Holder == nil {
			t.Fatalf("%s: no holder", test.name)
		}
		if run := a.Keeper(a.Holder, plan); run != nil {
			got = run.ID
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestSwitched: which run has switched the session under that of a caller, which was on plan p.
func TestSwitched(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(r *Records, m *probe)
		want   string
	}{
		{"nobody", func(*Records, *probe) {}, ""},
		{"another run", func(r *Records, _ *probe) { r.Switch("q", "other") }, "other"},
		{"the caller's own", func(r *Records, _ *probe) { r.Switch("q", "mine") }, ""},
		{"somebody", func(r *Records, _ *probe) { r.Switch("q", "") }, ""},
		{"another run, then the caller's own", func(r *Records, _ *probe) { r.Switch("q", "other"); r.Switch("s", "mine") }, ""},
		{"another run, then somebody", func(r *Records, _ *probe) { r.Switch("q", "other"); r.Switch("s", "") }, "other"},
		{"another run, and back", func(r *Records, _ *probe) { r.Switch("q", "other"); r.Switch("p", "other") }, ""},
		{"another run, and somebody back", func(r *Records, _ *probe) { r.Switch("q", "other"); r.Switch("p", "") }, ""},
		{"another run, which is dead", func(r *Records, m *probe) { r.Switch("q", "other"); delete(m.there, 100) }, ""},
		{"another run, which the caller has heard of", func(r *Records, _ *probe) { r.Switch("q", "other"); r.Tell("mine") }, ""},
		{"another run, of which a third has heard", func(r *Records, _ *probe) { r.Switch("q", "other"); r.Tell("third") }, "other"},
		{"another run, before a mark", func(r *Records, _ *probe) { r.Switch("q", "other"); r.Set(Work{"q", 1}, "mine", "complete", now) }, ""},
		{"one that is the caller's, too", func(r *Records, _ *probe) {
			r.Switch("q", "other")
			r.Find("other").Token = r.Find("mine").Token
			r.Holder = "mine"
		}, ""},
	} {
		m := newMachine()
		mine, other := startOf("mine", ownerAt(200)), startOf("other", ownerAt(100))
		mine.Plan, other.Plan, mine.Token, other.Token = "p", "p", conversationToken("m"), conversationToken("o")
		r := Records{Runs: []Record{mine, other}}
		test.change(&r, m)
		got := ""
		a := Assess(Facts{Records: r, Now: now, Processes: m, Caller: Caller{Conversation: "m", Host: "claude"}.Find(m)})
		if run := a.Switched(); run != nil {
			got = run.ID
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	ended := Records{Runs: []Record{{ID: "ended", End: &End{}}}}
	if ended.Switch("q", "other"); ended.Runs[0].Switched != "" {
		t.Error("a run that has ended hears of nothing")
	}
}

// TestRun: how a run is described, how long it took, and whether a sweep ends it.
func TestRun(t *testing.T) {
	at := now.Add(-time.Hour)
	for _, tt := range []struct {
		r      Run
		who    string
		lasted time.Duration
		over   string // "doubtful" where it is only that
	}{
		{Run{ID: "a", Host: "claude", PID: 7, HostName: "box", State: StateActive}, "claude (pid 7 on box), run a", time.Hour, ""},
		{Run{ID: "a", PID: 7, State: StateCrashed, Seen: now.Add(-time.Minute)}, "somebody (pid 7), run a", 59 * time.Minute, "always"},
		{Run{ID: "a", HostName: "box", State: StateUnknown}, "somebody (on box), run a", time.Hour, ""},
		{Run{ID: "a", State: StateUnknown, Expired: true, Seen: at.Add(-1)}, "somebody, run a", 0, "doubtful"},
		{Run{ID: "a", State: StateUnknown, Expired: true, Seen: at.Add(-1), Own: true}, "somebody, run a", 0, ""},
		{Run{ID: "a", State: StateUnknown, Expired: true, Seen: at.Add(-1), Near: true}, "somebody, run a", 0, "always"},
		{Run{ID: "a", State: StateSuccess, Status: Success, Ended: at.Add(time.Minute)}, "somebody, run a", time.Minute, ""},
	} {
		tt.r.Started = at
		if got, want := tt.r.Who(), tt.who+", since 2026-03-04T11:00:00Z"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got := tt.r.Lasted(now); got != tt.lasted {
			t.Errorf("%s: %v, want %v", tt.who, got, tt.lasted)
		}
		if doubtful := tt.r.Doubtful() && !tt.r.Sweepable(); tt.r.Sweepable() != (tt.over == "always") || doubtful != (tt.over == "doubtful") {
			t.Errorf("%s: over %v, doubtful %v", tt.who, tt.r.Sweepable(), doubtful)
		}
	}
	for text, want := range map[string]string{"": "", "ab": "ab", "abc": "ab", "aä": "a"} {
		if got := clip(text, 2); got != want {
			t.Errorf("%q is cut to %q, want %q", text, got, want)
		}
	}
}

// TestRunIsBounded: whatever the records say, the texts of a run are limited: an agent reads them at
// every turn.
func TestRunIsBounded(t *testing.T) {
	long := strings.Repeat("日", 70_000)
	s := startOf("0123456789ab", ownerAt(200))
	s.Host, s.Plan, s.Owner.HostName = long, long, long
	dead := s
	dead.Owner.PID = 300
	other := s.Owner
	other.PID = 100
	dead.Members = []Member{{Owner: other}}
	for _, rec := range []Record{s, dead} {
		f := Facts{Records: Records{Holder: s.ID, Runs: []Record{rec}}, Now: now, Processes: newMachine()}
		r := Assess(f).Runs[0]
		if len(r.Host) > longestHost || len(r.HostName) > longestHostName || len(r.Plan) > longestPath || len(r.Who()) > 500 {
			t.Errorf("host of %d bytes, machine of %d, plan of %d, %d for people", len(r.Host), len(r.HostName), len(r.Plan), len(r.Who()))
		}
	}
}

// TestDeparted: a process that starts another conversation leaves the run of the former one, unless it may have both.
func TestDeparted(t *testing.T) {
	talk := startOf("talk", ownerAt(200))
	talk.Token = conversationToken("1")
	talk.Members = []Member{{Owner: ownerAt(100), Conversation: talk.Token}}
	for _, test := range []struct {
		name   string
		caller Caller
		pid    int // of the owner then, 0 if nothing changes
	}{
		{"another conversation", Caller{Conversation: "2", PID: 200}, 100},
		{"another conversation beside it", Caller{Conversation: "2", PID: 200, Shared: true}, 0},
		{"the same conversation", Caller{Conversation: "1", PID: 200}, 0},
		{"another process", Caller{Conversation: "2", PID: 300}, 0},
		{"no process", Caller{Conversation: "2"}, 0},
	} {
		m := newMachine()
		a := Assess(Facts{Records: Records{Holder: "talk", Runs: []Record{talk}}, Now: now, Processes: m, Caller: test.caller.Find(m)})
		if l, left := a.Departed(); left != (test.pid != 0) || l.Owner.PID != test.pid {
			t.Errorf("%s: the owner is %d, %v; want %d", test.name, l.Owner.PID, left, test.pid)
		}
	}
}

// TestLeft: who leaves a run is no longer a part of it, but for gsd exec, which is above all of its parts.
func TestLeft(t *testing.T) {
	for _, supervised := range []bool{false, true} {
		talk := startOf("talk", ownerAt(200))
		talk.Supervised = supervised
		talk.Members = []Member{{Owner: ownerAt(100), Conversation: conversationToken("1")}}
		for pid, want := range map[int]int{200: 100, 100: 200} { // who leaves, and whose run it is then
			if supervised {
				want = 200
			}
			m := newMachine()
			a := Assess(Facts{Records: Records{Holder: "talk", Runs: []Record{talk}}, Now: now, Processes: m, Caller: Caller{PID: pid}.Find(m)})
			rec, unsafe := a.Left(a.Holder, Failure, "no database")
			if rec.Owner.PID != want || rec.Reason != "no database" {
				t.Errorf("supervised %t, %d leaves: the owner is %d, want %d; %q, %q", supervised, pid, rec.Owner.PID, want, rec.Reason, unsafe)
			}
		}
	}
}
