package app_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// TestTwentySweepsAtOnce: each dead run gets one end, however many see that it is dead.
// the neighbour's replayed events came twice.
func TestTwentySweepsAtOnce(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("20 processes")
	}
	p := newProject(t)
	p.StateDir = session.StateDir(t.TempDir()) // before it is asked what machine this is
	bootstrap(t, p)
	var crashed []string
	var kills []func()
	for i := range 6 { // all live until the last has started: a start records the end of those that are dead
		owner, kill := aProcess(t, p.StateDir)
		kills = append(kills, kill)
		c := spawn(t, order{Do: "start", Dir: p.Dir, State: p.StateDir, Claim: agentCaller(fmt.Sprint("c", i), 0), Owner: owner, TakeOver: true, Now: now})
		crashed = append(crashed, c.Done().Run)
		c.Wait()
	}
	living := crashed[5]
	crashed = crashed[:5]
	for _, kill := range kills[:5] {
		kill()
	}
	slices.Sort(crashed)
	// all of them, not only the latest.
	var told []string
	for _, r := range assessed(t, p, now).Crashed {
		told = append(told, r.ID)
	}
	if slices.Sort(told); !slices.Equal(told, crashed) {
		t.Fatalf("restore --list %q, want %q", told, crashed)
	}
	var children []*child
	for range 20 {
		children = append(children, spawn(t, order{Do: "sweep", Dir: p.Dir, State: p.StateDir, Now: now}))
	}
	for _, c := range children {
		c.Done()
		c.Wait()
	}
	l := readLedger(textOfFile(p, runsPath))
	if len(l.Ends) != len(crashed) || l.Bad || !slices.Equal(l.Open(), []string{living}) || l.Holder != living {
		t.Errorf("%+v", l)
	}
}

// TestSweepDecides is the whole rule, without a disk.
func TestSweepDecides(t *testing.T) {
	s := planfile.Parse([]byte("<!-- Plan: p -->\n\n<task status=\"in-progress\">\n</task>\n"))
	startOf := func(id string, o run.Owner) run.Record {
		at := now.Add(-10 * time.Minute)
		return run.Record{ID: id, Token: "t", Owner: o, Started: at, Seen: at, TTL: 3600}
	}
	ended := func(id string, status run.Status, cause run.Cause) run.Record {
		record := startOf(id, ownerOf(300))
		record.End = &run.End{Of: id, Status: status, Cause: cause, At: now}
		return record
	}
	dead, alive := startOf("dead", ownerOf(300)), startOf("alive", ownerOf(200))
	idle := startOf("idle", ownerOf(100))
	far := startOf("far", run.Owner{HostName: "there"})
	done := ended("done", run.Success, run.CauseUser)
	killed := ended("killed", run.Interrupted, run.CauseSynthetic)
	failed := ended("failed", run.Failure, run.CauseUser)
	for _, test := range []struct {
		name   string
		runs   []run.Record
		lease  string
		after  time.Duration
		ends   string
		spares string
		takes  bool // the lease
		resets bool // where that is asked for
	}{
		{name: "nothing"},
		{name: "dead", runs: []run.Record{dead}, lease: "dead", ends: "dead", takes: true, resets: true},
		{name: "dead without a lease", runs: []run.Record{dead}, ends: "dead", resets: true},
		// only after the owner is proven dead, whatever the clock says.
		{name: "alive", runs: []run.Record{alive}, lease: "alive"},
		{name: "alive for years", runs: []run.Record{alive}, lease: "alive", after: 1e5 * time.Hour},
		{name: "alive before it began", runs: []run.Record{alive}, lease: "alive", after: -1e5 * time.Hour},
		{name: "dead and alive", runs: []run.Record{dead, alive}, lease: "alive", ends: "dead"},
		{name: "dead, and another lives without the lease", runs: []run.Record{dead, idle}, lease: "dead", ends: "dead", takes: true},
		{name: "far away", runs: []run.Record{far}, lease: "far", spares: "far"},
		{name: "far away for long", runs: []run.Record{far}, lease: "far", after: 5 * time.Hour, spares: "far"},
		{name: "dead, and far away", runs: []run.Record{dead, far}, lease: "far", ends: "dead", spares: "far"},
		{name: "all is well", runs: []run.Record{done}},
		{name: "swept before", runs: []run.Record{killed}, resets: true},
		{name: "failed", runs: []run.Record{killed, failed}},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := run.Assess(run.Facts{Records: run.Records{Holder: test.lease, Runs: test.runs}, Now: now.Add(test.after), Processes: newMachine()})
			names := func(runs []run.Run) string {
				var ids []string
				for _, r := range runs {
					ids = append(ids, r.ID)
				}
				return strings.Join(ids, " ")
			}
			for _, reset := range []bool{false, true} {
				var got app.Swept
				got.Decide(&a, &answer.Report{Facts: answer.Facts{Session: s}}, app.SweepOptions{ResetTasks: reset})
				if names(got.Ended) != test.ends || names(got.Spared) != test.spares || got.Lease != test.takes {
					t.Errorf("ends %q, spares %q, takes the lease %v", names(got.Ended), names(got.Spared), got.Lease)
				}
				if want := reset && test.resets; len(got.Reset) > 0 != want {
					t.Errorf("asked to reset %v: %v", reset, got.Reset)
				}
			}
			var corrupt app.Swept
			corrupt.Decide(&a, &answer.Report{Verdict: answer.Corrupt, Facts: answer.Facts{Session: s}}, app.SweepOptions{ResetTasks: true})
			if len(corrupt.Reset) > 0 {
				t.Error("it resets tasks of what is no session")
			}
		})
	}
}

// resetTasks puts the tasks that are in progress back to pending.
func resetTasks(t *testing.T, p *app.Project) ([]int, error) {
	t.Helper()
	var reset []int
	err := p.WithRuns(t.Context(), user, patience, func(c *verdict.RunChange) (err error) {
		reset, err = p.Reset(c, answer.TasksInProgress(c.Report.Session))
		return err
	})
	return reset, err
}

// TestResetTasks: only the status of tasks in progress changes, and no other byte.
func TestResetTasks(t *testing.T) {
	for _, ending := range []string{"\n", "\r\n"} {
		plan := strings.ReplaceAll("\ufeff---\nwave: 1\n---\n<task type=\"auto\">\n<name>Ä</name>\n</task>\n"+
			"<task\n  name='b' type=\"auto\" >x</task>\ntext status=\"in-progress\"\n<task type=\"auto\">\n```\n<task status=\"half\">\n```\n</task>", "\n", ending)
		p, _ := newWorld(t)
		write(t, filepath.Join(p.Dir, filepath.FromSlash(planPath)), plan)
		bootstrap(t, p)
		before := textOfFile(p, sessionPath)
		for _, n := range []int{1, 3} {
			if _, err := p.Mark(t.Context(), app.MarkOptions{User: user, Number: n, Status: planfile.InProgress}); err != nil {
				t.Fatal(err)
			}
		}
		if textOfFile(p, sessionPath) == before {
			t.Fatal("nothing was marked")
		}
		reset, err := resetTasks(t, p)
		if err != nil || !slices.Equal(reset, []int{1, 3}) {
			t.Errorf("%v, %v", reset, err)
		}
		if after := textOfFile(p, sessionPath); after != before {
			t.Errorf("%q\nbecame\n%q", before, after)
		}
		if is := apptest.Statuses(apptest.CrumbsOf(t, p)[0]); is != "Ä pending, b pending, Task 3 pending, Task 4 pending" {
			t.Errorf("the breadcrumb: %s", is)
		}
		reset, err = resetTasks(t, p)
		if err != nil || len(reset) > 0 {
			t.Errorf("again: %v, %v", reset, err)
		}
	}
	p, _ := newWorld(t)
	bootstrap(t, p)
	if _, err := p.Mark(t.Context(), app.MarkOptions{User: user, Number: 1, Status: planfile.Complete}); err != nil {
		t.Fatal(err)
	}
	before := textOfFile(p, sessionPath)
	if reset, err := resetTasks(t, p); err != nil || len(reset) > 0 || textOfFile(p, sessionPath) != before {
		t.Errorf("of none in progress: %v, %v", reset, err)
	}
}

// A runner is one project under random commands of several agents, and what is known to be true of it.
type runner struct {
	t  *rapid.T
	tt *testing.T
	p  *app.Project
	m  *machine

	now     time.Time
	pid     map[string]int // of each agent; a new one after its death
	nextPID int
	starts  map[string]bool   // every run that was ever started
	owner   map[string]string // which agent began it
	born    map[string]int    // by which process
	paused  map[string]bool   // whose latest run was paused, by its living process
	was     apptest.Ledger
}

var runnerAgents = []string{"ann", "bob", "cid"}

func (r *runner) agent() string { return rapid.SampledFrom(runnerAgents).Draw(r.t, "agent") }

// alive tells whether the process that began a run is there.
func (r *runner) alive(run string) bool {
	_, ok := r.m.Processes[r.born[run]]
	return ok
}

func (r *runner) as(agent string) *app.Project {
	return as(r.p, run.Caller{Host: agent, Conversation: agent, PID: r.pid[agent]})
}

// ledger is what the file says.
func (r *runner) ledger() apptest.Ledger { return readLedger(textOfFile(r.p, runsPath)) }

// holder is whose run has the lease, from the file alone.
func (r *runner) holder() string { return r.ledger().Holder }

func (r *runner) start() {
	name, was := r.agent(), r.holder()
	open := was != ""
	done, err := apptest.At(r.as(name), r.now).StartRun(r.tt.Context(), app.StartRunOptions{User: user})
	if err != nil {
		if kindOfError(err) != problem.Busy || !open || !r.alive(was) || r.owner[was] == name {
			r.t.Fatalf("%s was refused: %v", name, err)
		}
		return
	}
	if open && r.alive(was) && r.owner[was] != name {
		r.t.Fatalf("the lease of living run %s was given to %s", was, name)
	}
	if id := done.Run.ID; done.Reentered {
		if r.owner[id] != name {
			r.t.Fatalf("%s re-entered the run of %s", name, r.owner[id])
		}
	} else {
		r.starts[id], r.owner[id], r.born[id] = true, name, r.pid[name]
	}
	if r.holder() != done.Run.ID {
		r.t.Fatalf("begun and not held: %+v", done)
	}
}

// converse is a hook's start: it is recorded whether or not another run holds the lease, which it keeps, but does not take from a living one, and
// leaves no death open.
func (r *runner) converse() {
	name, was := r.agent(), r.holder()
	open := was != ""
	report, err := apptest.At(r.as(name), r.now).HydrateStarting(r.tt.Context(), app.StartRunOptions{User: user})
	if err != nil {
		r.t.Fatalf("%s: %v", name, err)
	}
	busy := report.Start.Busy
	if busy != nil && (!open || !r.alive(was) || r.owner[was] == name) {
		r.t.Fatalf("%s: %v", name, busy)
	}
	after := r.ledger()
	for id := range after.Starts {
		if !r.starts[id] {
			r.starts[id], r.owner[id], r.born[id] = true, name, r.pid[name]
		}
	}
	own := false
	for _, id := range after.Open() {
		own = own || r.owner[id] == name
		if !r.alive(id) {
			r.t.Fatalf("%s started, and dead run %s is open", name, id)
		}
	}
	held, goesOn := r.holder(), open && r.alive(was)
	if !own || goesOn && held != was && r.owner[was] != name || goesOn && r.owner[was] == name && r.owner[held] != name || !goesOn && held != "" && r.owner[held] != name {
		r.t.Fatalf("%s started, recorded %v, the lease of %q is that of %q", name, own, was, held)
	}
}

func (r *runner) end() {
	name := r.agent()
	status := rapid.SampledFrom(run.Statuses()).Draw(r.t, "status")
	was := r.holder()
	done, err := apptest.At(r.as(name), r.now).EndRun(r.tt.Context(), app.EndRunOptions{User: user, Status: status, Cause: run.CauseUser})
	if err != nil {
		if kindOfError(err) != problem.MissingInput {
			r.t.Fatal(err)
		}
		return
	}
	if r.owner[done.Run.ID] != name {
		r.t.Fatalf("%s ended the run of %s", name, r.owner[done.Run.ID])
	}
	r.paused[name] = done.Run.Status == run.Paused
	if was != "" && was != done.Run.ID && r.holder() != was {
		r.t.Fatalf("the end of %s took the lease of %s", done.Run.ID, was)
	}
}

func (r *runner) mark() {
	status := rapid.SampledFrom([]planfile.Status{planfile.Pending, planfile.InProgress, planfile.Complete}).Draw(r.t, "status")
	name, was := r.agent(), r.holder()
	free := was == "" || !r.alive(was)
	_, err := apptest.At(r.as(name), r.now).Mark(r.tt.Context(), app.MarkOptions{User: user, Number: rapid.IntRange(1, 3).Draw(r.t, "task"), Status: status})
	for id := range r.ledger().Starts {
		if !r.starts[id] { // one that was paused continues
			if !r.paused[name] || !free {
				r.t.Fatalf("a mark of %s began a run", name)
			}
			r.starts[id], r.owner[id], r.born[id] = true, name, r.pid[name]
		}
	}
	if now := r.holder(); err != nil || now != was && (!free || r.owner[now] != name) { // a free lease is taken by one's own run
		r.t.Fatalf("mark: %v, the lease of %q is that of %q", err, was, now)
	}
}

func (r *runner) sweep() {
	before := r.ledger()
	done, err := apptest.At(r.as(r.agent()), r.now).Sweep(r.tt.Context(), app.SweepOptions{
		User: user, ResetTasks: rapid.Bool().Draw(r.t, "reset"),
	})
	if err != nil {
		r.t.Fatal(err)
	}
	for _, run := range done.Ended {
		if r.alive(run.ID) || before.Ends[run.ID] != "" {
			r.t.Fatalf("%s was ended, alive %v, before %q", run.ID, r.alive(run.ID), before.Ends[run.ID])
		}
	}
	for _, id := range r.ledger().Open() {
		if !r.alive(id) {
			r.t.Fatalf("dead run %s is open after a sweep", id)
		}
	}
	if again, err := apptest.At(r.p, r.now).Sweep(r.tt.Context(), app.SweepOptions{User: user}); err != nil || !again.Nothing() {
		r.t.Fatalf("the second sweep: %+v, %v", again, err)
	}
}

// endOther ends whatever run has the lease, by its id, as a person does who knows that it is over.
func (r *runner) endOther() {
	was := r.holder()
	if was == "" {
		return
	}
	name := r.agent()
	done, err := apptest.At(r.as(name), r.now).EndRun(r.tt.Context(), app.EndRunOptions{User: user, Run: was, Cause: run.CauseUser})
	if err != nil || done.Run.Status != run.Interrupted || r.holder() != "" || r.ledger().Ends[was] == "" {
		r.t.Fatalf("%s ended %s: %+v, %v", name, was, done, err)
	}
	r.paused[r.owner[was]] = false
}

func (r *runner) kill() {
	name := r.agent()
	delete(r.m.Processes, r.pid[name])
	r.paused[name] = false
	r.nextPID++
	r.pid[name] = r.nextPID
	r.m.Processes[r.nextPID] = run.Process{StartTime: fmt.Sprint(r.nextPID * 10), Parent: 1}
}

// free takes the lease from the run that has it, as gsd takeover does.
func (r *runner) free() {
	if r.holder() != "" && freeLease(r.p.Dir) != nil {
		r.t.Fatal("the lease is not free")
	}
}

func (r *runner) clock() {
	r.now = now.Add(time.Duration(rapid.Int64Range(-1e16, 1e16).Draw(r.t, "clock")))
}

// check holds what is there against what is known.
func (r *runner) check() {
	rep, err := r.p.Hydrate(user)
	if err != nil {
		r.t.Fatal(err)
	}
	rec := apptest.Recovery(r.p, rep, r.now)
	if len(rec.Warnings) > 0 {
		r.t.Fatalf("%+v", rec.Warnings)
	}
	l := r.ledger()
	if lost := l.Loses(r.was); lost != "" || l.Bad {
		r.t.Fatalf("%s: %+v", lost, l)
	}
	r.was = l
	var crashed []string
	for _, id := range l.Order {
		if strings.Contains(l.Ends[id], string(run.CauseSynthetic)) && r.alive(id) {
			r.t.Fatalf("living run %s has a synthetic end", id)
		}
		if l.Ends[id] == "" && !r.alive(id) {
			crashed = append(crashed, id)
		}
	}
	var told []string
	holders := 0
	for _, agentRun := range rec.Runs {
		if agentRun.Holds {
			holders++
		}
		if agentRun.Dead() {
			told = append(told, agentRun.ID)
		}
		if agentRun.ResumeID != "" && !agentRun.Status.Resumable() {
			r.t.Fatalf("%+v may be resumed", agentRun)
		}
	}
	if holders > 1 {
		r.t.Fatalf("%d hold the lease", holders)
	}
	if slices.Sort(told); !slices.Equal(told, sorted(crashed)) {
		r.t.Fatalf("restore --list %q, told %q", crashed, told)
	}
}

func sorted(ids []string) []string {
	slices.Sort(ids)
	return ids
}

// TestRunsLaws: whatever several agents do to one session, whichever of them dies, and whatever the clock says.
func TestRunsLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(testenv.Laws(t), func(rt *rapid.T) {
		p, m := newWorld(t)
		defer p.Close()
		p.Write.Lazy = true // thousands of commands, and no power cut
		bootstrap(t, p)
		m.Self.PID = 0 // nobody is the ancestor of the tests
		r := &runner{
			t: rt, tt: t, p: p, m: m, now: now, pid: map[string]int{}, nextPID: 1000,
			starts: map[string]bool{}, owner: map[string]string{}, born: map[string]int{}, paused: map[string]bool{},
		}
		for _, name := range runnerAgents {
			r.pid[name] = r.nextPID
			r.kill0(name)
		}
		act := func(do func()) func(*rapid.T) { return func(*rapid.T) { do() } }
		rt.Repeat(map[string]func(*rapid.T){
			"start": act(r.start), "converse": act(r.converse), "end": act(r.end), "mark": act(r.mark), "sweep": act(r.sweep),
			"end of another": act(r.endOther), "kill": act(r.kill), "free": act(r.free), "clock": act(r.clock),
			"": act(r.check),
		})
	})
}

// kill0 gives an agent its first process.
func (r *runner) kill0(name string) {
	r.nextPID++
	r.pid[name] = r.nextPID
	r.m.Processes[r.nextPID] = run.Process{StartTime: fmt.Sprint(r.nextPID * 10), Parent: 1}
}
