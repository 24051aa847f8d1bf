package app_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
)

// TestFiftyStartsAtOnce: one of them holds the lease, and the others see which.
// takeover is serialised by the guard.
func TestFiftyStartsAtOnce(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("50 processes")
	}
	p := newProject(t)
	bootstrap(t, p)
	state := session.StateDir(t.TempDir())
	var children []*child
	for i := range 50 {
		children = append(children, spawn(t, order{
			Do: "start", Dir: p.Dir, State: state, Claim: agentCaller(fmt.Sprint("c", i), 0), Self: true, Now: now, Stay: true,
		}))
	}
	var started string
	var refused []string
	for _, c := range children {
		switch a := c.Done(); {
		case a.Run == "":
			refused = append(refused, a.Busy)
		case started != "":
			t.Errorf("%s and %s were begun", started, a.Run)
		default:
			started = a.Run
		}
	}
	if started == "" || len(refused) != 49 {
		t.Fatalf("%q was begun, %d were refused", started, len(refused))
	}
	for _, text := range refused {
		if !strings.Contains(text, started) || !strings.Contains(text, "since "+now.Format(time.RFC3339)) {
			t.Errorf("told %q, the run is %s", text, started)
		}
	}
	p.StateDir = state
	if l := readLedger(textOfFile(p, runsPath)); len(l.Starts) != 1 || !slices.Equal(l.Open(), []string{started}) || l.Bad {
		t.Errorf("the records: %+v", l)
	}
	if rec := assessed(t, p, now); rec.Holder == nil || rec.Holder.ID != started || rec.Holder.State != run.StateActive {
		t.Errorf("held by %+v", rec.Holder)
	}
	for _, c := range children {
		c.Wait()
	}
	// no hook reported the end, and it is known.
	if rec := assessed(t, p, now); len(rec.Crashed) != 1 || rec.Crashed[0].ID != started {
		t.Errorf("all processes are gone: %+v", rec)
	}
}

func TestEndRun(t *testing.T) {
	type act = func(t *testing.T, p *app.Project, m *machine) (*app.EndedRun, error)
	end := func(c run.Caller, id func(p *app.Project) string) act {
		return func(t *testing.T, p *app.Project, _ *machine) (*app.EndedRun, error) {
			o := app.EndRunOptions{User: user, Status: run.Success, Cause: run.CauseUser}
			if id != nil {
				o.Run = id(p)
			}
			return as(p, c).EndRun(t.Context(), o)
		}
	}
	first := func(n int) func(p *app.Project) string {
		return func(p *app.Project) string { return readLedger(textOfFile(p, runsPath)).Order[0][:n] }
	}
	// a is idle and was first, b holds the lease.
	for _, test := range []struct {
		name    string
		act     act
		kind    problem.Kind
		ended   string // a or b
		already bool
		lease   bool // is still there
	}{
		{"the holder", end(agentCaller("b", 100), nil), 0, "b", false, false},
		{"the holder's process", end(run.Caller{PID: 100}, nil), 0, "b", false, false},
		{"the own run, and another holds the lease", end(agentCaller("a", 200), nil), 0, "a", false, true},
		{"by id", end(agentCaller("z", 0), first(12)), 0, "a", false, true},
		{"by the beginning of its id", end(run.Caller{}, first(9)), 0, "a", false, true},
		{"by nothing", end(agentCaller("z", 0), func(*app.Project) string { return "zz" }), problem.MissingInput, "", false, true},
		{"anonymous, and the holder lives elsewhere", end(run.Caller{}, nil), problem.Busy, "", false, true},
		{"anonymous, and the holder started it", func(t *testing.T, p *app.Project, m *machine) (*app.EndedRun, error) {
			m.Self.PID = here.PID
			return end(run.Caller{}, nil)(t, p, m)
		}, 0, "b", false, false},
		{"anonymous, and nobody knows of the holder", func(t *testing.T, p *app.Project, m *machine) (*app.EndedRun, error) {
			m.Err = errors.New("hidden")
			return end(run.Caller{}, nil)(t, p, m)
		}, problem.Busy, "", false, true},
		{"anonymous, and the holder is dead", func(t *testing.T, p *app.Project, m *machine) (*app.EndedRun, error) {
			delete(m.Processes, 100)
			return end(run.Caller{}, nil)(t, p, m)
		}, 0, "b", false, false},
		{"by its process, which is gone", func(t *testing.T, p *app.Project, m *machine) (*app.EndedRun, error) {
			delete(m.Processes, 100)
			return end(run.Caller{PID: 100, Sure: true}, nil)(t, p, m)
		}, 0, "b", false, false},
		{"by another process below the holder", func(t *testing.T, p *app.Project, m *machine) (*app.EndedRun, error) {
			m.Self.PID = here.PID
			return end(run.Caller{PID: 900, Sure: true}, nil)(t, p, m)
		}, problem.MissingInput, "", false, true},
		{"by another host below the holder", func(t *testing.T, p *app.Project, m *machine) (*app.EndedRun, error) {
			m.Self.PID = here.PID
			return end(run.Caller{Host: "codex"}, nil)(t, p, m)
		}, problem.Busy, "", false, true},
		{"a stranger means nobody", end(agentCaller("z", 0), nil), problem.MissingInput, "", false, true},
		{"twice", func(t *testing.T, p *app.Project, m *machine) (*app.EndedRun, error) {
			if _, err := end(agentCaller("b", 100), nil)(t, p, m); err != nil {
				t.Fatal(err)
			}
			return end(agentCaller("b", 100), nil)(t, p, m)
		}, 0, "b", true, false},
		// a run that was taken for dead and was not says so itself.
		{"after the sweep", func(t *testing.T, p *app.Project, m *machine) (*app.EndedRun, error) {
			delete(m.Processes, 100)
			m.Self.PID = 0 // this program descends from nobody any more
			if done := sweep(t, p, app.SweepOptions{}); len(done.Ended) != 1 {
				t.Fatalf("%+v", done)
			}
			return end(agentCaller("b", 0), nil)(t, p, m)
		}, 0, "b", false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, m := newWorld(t)
			m.Self.PID = 0
			a := startRun(t, as(p, agentCaller("a", 200)), now).Run.ID
			if err := freeLease(p.Dir); err != nil {
				t.Fatal(err)
			}
			b := startRun(t, as(p, agentCaller("b", 100)), now).Run.ID
			done, err := test.act(t, p, m)
			if test.kind != 0 {
				wantKind(t, err, test.kind)
			} else if err != nil {
				t.Fatal(err)
			} else if want := map[string]string{"a": a, "b": b}[test.ended]; done.Run.ID != want || done.Already != test.already ||
				done.Run.State != run.StateSuccess || done.Run.Open() || done.Run.Status != run.Success {
				t.Errorf("%+v, want %s", done, want)
			}
			if lease := holder(p).ID != ""; lease != test.lease {
				t.Errorf("lease %v, want %v", lease, test.lease)
			}
			l := readLedger(textOfFile(p, runsPath))
			for _, id := range []string{a, b} {
				want := test.ended == "a" && id == a || test.ended == "b" && id == b
				if end := l.Ends[id]; (end != "") != want || want && !strings.HasPrefix(end, "success") {
					t.Errorf("%s ended %q, want ended %v", id, end, want)
				}
			}
		})
	}
	p, _ := newWorld(t)
	_, err := p.EndRun(t.Context(), app.EndRunOptions{User: user, Status: run.Success, Cause: run.CauseUser})
	wantKind(t, err, problem.MissingInput)
	if _, err := os.Stat(filepath.Join(p.Dir, sessionsPath)); !os.IsNotExist(err) {
		t.Errorf("an end of nothing made a directory: %v", err)
	}
}

// TestCrumbAfterRecords: at no step does a breadcrumb name a run that has no record, wherever the command is killed.
func TestCrumbAfterRecords(t *testing.T) {
	p, _ := newWorld(t)
	bootstrap(t, p)
	named := map[string]bool{}
	p.Write = durable.Writer{Before: func(s durable.Step) error {
		for _, c := range crumbsOf(t, p) {
			if record, err := run.ParseRecord(c.Run); err == nil {
				if named[record.ID] = true; !strings.Contains(textOfFile(p, runsPath), record.ID) {
					t.Errorf("before %s, run %s has no record", s, record.ID)
				}
			}
		}
		return nil
	}}
	first := startRun(t, as(p, agentCaller("a", 200)), now).Run
	mark(t, p, 1, planfile.InProgress)
	endRun(t, p, run.Success, now)
	second := startRun(t, as(p, agentCaller("b", 200)), now).Run
	mark(t, p, 1, planfile.Complete)
	if !named[first.ID] || !named[second.ID] {
		t.Errorf("breadcrumbs named %v, not %s and %s", named, first.ID, second.ID)
	}
}

// TestMovedIsTold: a command that fails leaves a file without records where it is, so that the next one tells of it; one that succeeds moves
// it, and says so.
func TestMovedIsTold(t *testing.T) {
	p, _ := newWorld(t)
	bootstrap(t, p)
	write(t, filepath.Join(p.Dir, runsPath), "{")
	end := app.EndRunOptions{User: user, Status: run.Success, Cause: run.CauseUser}
	_, err := as(p, agentCaller("a", 200)).EndRun(t.Context(), end)
	wantKind(t, err, problem.MissingInput)
	p.Write = durable.Writer{Before: func(durable.Step) error { return errors.New("no space left") }}
	_, err = p.StartRun(t.Context(), app.StartRunOptions{User: user})
	wantKind(t, err, problem.IO)
	if text := textOfFile(p, runsPath); text != "{" {
		t.Errorf("in its place is %q", text)
	}
	p.Write = durable.Writer{}
	moved := func(w problem.Warning) bool { return w.Code == answer.RunsMoved && textOfFile(p, w.Other) == "{" }
	if done := startRun(t, p, now); !slices.ContainsFunc(done.Warnings, moved) || holder(p).ID != done.Run.ID {
		t.Errorf("%+v", done)
	}
}

// TestWhoHolds: the lease is where it was taken, and no fact of the runs but that decides. It does not pass to a conversation that was refused
// it, which would keep the next one out without having done anything; and one that was taken over sees so on its own machine, too, where
// it is known to live.
func TestWhoHolds(t *testing.T) {
	p, m := newWorld(t)
	bootstrap(t, p)
	startRun(t, as(p, agentCaller("a", 200)), now)
	beside, err := apptest.At(as(p, agentCaller("b", 300)), now).HydrateStarting(t.Context(), app.StartRunOptions{User: user})
	if err != nil || kindOfError(beside.Start.Busy) != problem.Busy {
		t.Fatalf("%+v, %v", beside, err)
	}
	endRun(t, as(p, agentCaller("a", 200)), run.Success, now)
	third := startRun(t, as(p, agentCaller("c", 100)), now)
	if h := holder(p); h.ID != third.Run.ID {
		t.Errorf("held by %+v", h)
	}

	m.Self.Machine, m.Self.BootID = "other", "other" // from there it is unknown whether it lives, and its time is over
	late := now.Add(2 * run.DefaultTTL)
	taken := startRun(t, as(p, agentCaller("d", 100)), late)
	if taken.From == nil || taken.From.ID != third.Run.ID {
		t.Errorf("taken from %+v", taken.From)
	}
	m.Self = here
	done, err := apptest.At(as(p, agentCaller("c", 100)), late).Mark(t.Context(), app.MarkOptions{User: user, Number: 1, Status: planfile.InProgress, Wait: patience})
	if err != nil || !slices.ContainsFunc(done.Warnings, func(w problem.Warning) bool { return w.Code == answer.LeaseElsewhere }) || holder(p).ID != taken.Run.ID {
		t.Errorf("%+v, %v", done, err)
	}
}
