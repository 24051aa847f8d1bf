package app_test

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
)

// TestStartBelowTheHolder: what names neither a process nor a conversation belongs to the run that it descends from; another
// conversation does not.
func TestStartBelowTheHolder(t *testing.T) {
	p, _ := newWorld(t)
	bootstrap(t, p)
	first := startRun(t, as(p, agentCaller("c", 100)), now) // this program descends from 100
	if again := startRun(t, as(p, run.Caller{Host: "claude"}), now); !again.Reentered || again.Run.ID != first.Run.ID {
		t.Errorf("%+v", again)
	}
	_, err := apptest.At(as(p, agentCaller("d", 0)), now).StartRun(t.Context(), app.StartRunOptions{User: user})
	wantKind(t, err, problem.Busy)
	endRun(t, as(p, agentCaller("c", 0)), run.Success, now)
	if rec := assessed(t, p, now); rec.Latest.State != run.StateSuccess || rec.Latest.ResumeID != "c" {
		t.Errorf("%+v", rec.Latest)
	}
}

// TestEndOfAPart: what belongs to a run and is not the whole of it takes only itself out. run is the status that the
// run itself ends in afterwards.
func TestEndOfAPart(t *testing.T) {
	type step = func(t *testing.T, p *app.Project, m *machine)
	start := func(c run.Caller) step {
		return func(t *testing.T, p *app.Project, _ *machine) { startRun(t, as(p, c), now) }
	}
	part := func(c run.Caller, status run.Status) step {
		return func(t *testing.T, p *app.Project, _ *machine) {
			t.Helper()
			if done := endRun(t, as(p, c), status, now); !done.GoesOn {
				t.Errorf("%+v ended %+v", c, done)
			}
		}
	}
	whole := func(c run.Caller, status run.Status) step {
		return func(t *testing.T, p *app.Project, _ *machine) {
			t.Helper()
			if done := endRun(t, as(p, c), status, now); done.GoesOn || done.Already {
				t.Errorf("%+v did not end %+v", c, done)
			}
		}
	}
	refused := func(c run.Caller, kind problem.Kind, do func(p *app.Project) error) step {
		return func(t *testing.T, p *app.Project, _ *machine) { t.Helper(); wantKind(t, do(as(p, c)), kind) }
	}
	end := func(p *app.Project) error {
		_, err := p.EndRun(t.Context(), app.EndRunOptions{User: user, Status: run.Success, Cause: run.CauseUser})
		return err
	}
	begin := func(p *app.Project) error {
		_, err := p.StartRun(t.Context(), app.StartRunOptions{User: user})
		return err
	}
	dies := func(pid int) step {
		return func(_ *testing.T, _ *app.Project, m *machine) { delete(m.Processes, pid) }
	}
	joins := func(c run.Caller, t *testing.T, p *app.Project) *app.StartedRun {
		t.Helper()
		c.PID, c.Sure = 100, true
		done, err := apptest.At(as(p, c), now).StartRun(t.Context(), app.StartRunOptions{User: user, Join: true, Supervised: true})
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	exec := func(t *testing.T, p *app.Project, _ *machine) { joins(run.Caller{Host: "claude"}, t, p) }
	execJoins := func(t *testing.T, p *app.Project, _ *machine) {
		if done := joins(run.Caller{Token: holder(p).Token}, t, p); !done.Reentered {
			t.Fatalf("%+v", done)
		}
	}
	within := func(c run.Caller) step { // with the word that gsd exec hands on
		return func(t *testing.T, p *app.Project, _ *machine) {
			c.Token = holder(p).Token
			startRun(t, as(p, c), now)
		}
	}
	execEnds := func(status run.Status, command int) step { // 0 if that is nobody's
		return func(t *testing.T, p *app.Project, _ *machine) {
			o := app.EndRunOptions{User: user, Run: readLedger(textOfFile(p, runsPath)).Order[0], Status: status, Cause: run.CauseExit, Command: command}
			if _, err := as(p, run.Caller{PID: 100, Sure: true}).EndRun(t.Context(), o); err != nil {
				t.Fatal(err)
			}
		}
	}
	sure := func(conversation string, pid int) run.Caller {
		c := agentCaller(conversation, pid)
		c.Sure = true
		return c
	}
	below := func(_ *testing.T, _ *app.Project, m *machine) { m.Self.PID = here.PID } // of process 100
	for _, test := range []struct {
		name   string
		steps  []step
		state  run.State // of the run that matters at the end
		resume string
	}{
		{"two processes, one ends", []step{start(sure("q", 200)), start(sure("q", 100)), part(sure("q", 200), run.Success), dies(200)}, run.StateActive, ""},
		{"two processes, both end", []step{start(sure("q", 200)), start(sure("q", 100)), part(sure("q", 200), run.Success), whole(sure("q", 100), run.Success)}, run.StateSuccess, "q"},
		{"two processes, one fails", []step{start(sure("q", 200)), start(sure("q", 100)), part(sure("q", 200), run.Failure), whole(sure("q", 100), run.Success)}, run.StateSuccess, ""},
		{"two processes, one ends and the other dies", []step{start(sure("q", 200)), start(sure("q", 100)), part(sure("q", 200), run.Success), dies(200), dies(100)}, run.StateCrashed, ""},
		{"the first leaves and lives on, the second dies", []step{start(sure("q", 200)), start(sure("q", 100)), part(sure("q", 200), run.Success), dies(100)}, run.StateCrashed, ""},
		{"the first says twice that it leaves", []step{start(sure("q", 200)), start(sure("q", 100)), part(sure("q", 200), run.Success), part(sure("q", 200), run.Success)}, run.StateActive, ""},
		{"a process that never was of it", []step{start(sure("q", 200)), part(sure("q", 900), run.Success)}, run.StateActive, ""},
		{"nobody says which of the two", []step{start(sure("q", 200)), start(sure("q", 100)), part(agentCaller("q", 0), run.Success)}, run.StateActive, ""},
		{"one of two is killed, the other ends", []step{start(sure("q", 200)), start(sure("q", 100)), dies(200), whole(sure("q", 100), run.Success)}, run.StateSuccess, ""},
		{"the only one that is left forgets", []step{start(sure("q", 200)), start(sure("q", 100)), dies(200), start(sure("r", 100)), whole(sure("r", 100), run.Success)}, run.StateSuccess, "r"},
		{"a part names its process, and the run had none", []step{start(agentCaller("x", 0)), func(t *testing.T, p *app.Project, _ *machine) {
			if done := startRun(t, as(p, run.Caller{Token: holder(p).Token, Host: "codex", Conversation: "y", PID: 200, Sure: true}), now); !done.Reentered {
				t.Errorf("%+v", done)
			}
		}, part(run.Caller{Host: "codex", Conversation: "y", PID: 200, Sure: true}, run.Success), whole(agentCaller("x", 0), run.Success)}, run.StateSuccess, "x"},
		{"one of two forgets, and is refused", []step{start(sure("q", 200)), start(sure("q", 100)), refused(sure("r", 200), problem.Busy, begin), dies(200)}, run.StateActive, ""},
		{"a late end of what was forgotten", []step{start(sure("c", 200)), start(sure("d", 200)), whole(sure("c", 200), run.Success)}, run.StateActive, ""},
		{"an unknown conversation of the same process", []step{start(sure("d", 200)), refused(sure("never", 200), problem.MissingInput, end)}, run.StateActive, ""},
		{"another host's conversation of that name", []step{start(sure("c", 200)), refused(run.Caller{Host: "codex", Conversation: "c"}, problem.MissingInput, end)}, run.StateActive, ""},
		{"it names its process later, which dies", []step{start(agentCaller("q", 0)), start(sure("q", 200)), dies(200)}, run.StateCrashed, ""},
		{"exec joins a run without a process, and is over", []step{start(agentCaller("q", 0)), execJoins, dies(100)}, run.StateUnknown, ""},
		{"exec joins a run without a process, which ends by itself", []step{start(agentCaller("q", 0)), execJoins, whole(agentCaller("q", 0), run.Success)}, run.StateSuccess, "q"},
		{"inside exec a conversation ends", []step{exec, below, start(agentCaller("x", 0)), part(agentCaller("x", 0), run.Success), execEnds(run.Success, 0)}, run.StateSuccess, "x"},
		{"inside exec a conversation fails", []step{exec, below, start(agentCaller("x", 0)), part(agentCaller("x", 0), run.Failure), execEnds(run.Success, 0)}, run.StateSuccess, ""},
		{"inside exec its command, which ended well", []step{exec, below, within(agentCaller("x", 200)), dies(200), execEnds(run.Success, 200)}, run.StateSuccess, "x"},
		{"inside exec a process that never said that it ended", []step{exec, below, within(agentCaller("x", 200)), dies(200), execEnds(run.Success, 300)}, run.StateSuccess, ""},
		{"inside exec a process that goes on", []step{exec, below, within(agentCaller("x", 200)), execEnds(run.Success, 300)}, run.StateSuccess, ""},
		{"inside exec another host's conversation", []step{exec, below, start(agentCaller("x", 0)), start(run.Caller{Host: "claude", Conversation: "y"}), execEnds(run.Success, 0)}, run.StateSuccess, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, m := newWorld(t)
			bootstrap(t, p)
			m.Self.PID = 0
			for _, do := range test.steps {
				do(t, p, m)
			}
			rec := assessed(t, as(p, run.Caller{}), now)
			if rec.Latest.State != test.state || rec.Latest.ResumeID != test.resume {
				t.Errorf("%+v", rec.Latest)
			}
		})
	}
}

// TestLivesAsLongAsAnyOfItsProcesses: one conversation in two processes, whichever ends first.
func TestLivesAsLongAsAnyOfItsProcesses(t *testing.T) {
	for _, first := range []int{100, 200} {
		p, m := newWorld(t)
		m.Self.PID = 0
		startRun(t, as(p, agentCaller("c", 200)), now)
		startRun(t, as(p, agentCaller("c", 100)), now)
		delete(m.Processes, first)
		if rec := assessed(t, as(p, run.Caller{}), now); rec.Holder == nil || rec.Holder.State != run.StateActive || len(rec.Crashed) > 0 {
			t.Errorf("without %d: %+v", first, rec)
		}
		if done := sweep(t, p, app.SweepOptions{}); !done.Nothing() {
			t.Errorf("without %d: %+v", first, done)
		}
		delete(m.Processes, 300-first)
		if rec := assessed(t, p, now); len(rec.Crashed) != 1 {
			t.Errorf("without both: %+v", rec)
		}
	}
}

// TestReasonOfAPart: why a part of a run ended is shown with the end of the run, unless that is a good one.
func TestReasonOfAPart(t *testing.T) {
	for _, test := range []struct {
		part   run.Status
		status run.Status
		reason string
		want   string
	}{
		{run.Failure, run.Failure, "", "no database"},
		{run.Failure, run.Cancelled, "it is late", "no database; it is late"},
		{run.Failure, run.Success, "done", "done"},
		{run.Failure, run.Success, "", ""},
		{run.Success, run.Failure, "", ""},
	} {
		p, m := newWorld(t)
		bootstrap(t, p)
		m.Processes[300] = run.Process{StartTime: "3000", Parent: 1}
		startRun(t, as(p, agentCaller("c", 200)), now)
		startRun(t, as(p, agentCaller("c", 300)), now)
		end := func(pid int, status run.Status, reason string) *app.EndedRun {
			done, err := apptest.At(as(p, agentCaller("c", pid)), now).EndRun(t.Context(), app.EndRunOptions{User: user, Status: status, Cause: run.CauseUser, Reason: reason})
			if err != nil {
				t.Fatal(err)
			}
			return done
		}
		if done := end(300, test.part, "no database"); !done.GoesOn || done.Run.Reason != "" {
			t.Errorf("%+v", done)
		}
		if done := end(200, test.status, test.reason); done.GoesOn || done.Run.Reason != test.want {
			t.Errorf("%s, then %s: %q, want %q", test.part, test.status, done.Run.Reason, test.want)
		}
		if r := assessed(t, p, now).Latest; r.Reason != test.want || r.Status != test.status {
			t.Errorf("%s, then %s: %s because of %q, want %q", test.part, test.status, r.Status, r.Reason, test.want)
		}
	}
}
