package app_test

import (
	"fmt"
	"maps"
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
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// aWorld has a session, a run of the agent "a", which marked task 1 as in progress, and nobody above this program.
func aWorld(t *testing.T) (*app.Project, *machine) {
	t.Helper()
	p, m := newWorld(t)
	m.Self.PID = 0
	bootstrap(t, p)
	startRun(t, as(p, agentCaller("a", 200)), now)
	mark(t, p, 1, planfile.InProgress)
	return p, m
}

// byHand sets a task of the session to in progress, so that nobody is at work on it.
func byHand(t *testing.T, p *app.Project, n int) {
	t.Helper()
	parts := strings.SplitAfter(textOfFile(p, sessionPath), "<task")
	parts[n] = strings.Replace(parts[n], `"pending"`, `"in-progress"`, 1)
	write(t, filepath.Join(p.Dir, sessionPath), strings.Join(parts, ""))
}

// tasksInProgress lists the tasks that are.
func tasksInProgress(t *testing.T, p *app.Project) string {
	t.Helper()
	r, err := p.Hydrate(user)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(answer.TasksInProgress(r.Session))
}

// TestEndLeavesTasks: what becomes of the tasks that the ended run leaves in progress, and of its success.
func TestEndLeavesTasks(t *testing.T) {
	second := func(t *testing.T, p *app.Project, m *machine, holds bool) { // the agent "b" has task 2
		if holds {
			if err := freeLease(p.Dir); err != nil {
				t.Fatal(err)
			}
			startRun(t, as(p, agentCaller("b", 100)), now)
		} else {
			if _, err := apptest.At(as(p, agentCaller("b", 100)), now).HydrateStarting(t.Context(), app.StartRunOptions{User: user}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, test := range []struct {
		name   string
		act    func(t *testing.T, p *app.Project, m *machine)
		o      app.EndRunOptions
		status run.Status
		left   string
	}{
		{"its own", func(*testing.T, *app.Project, *machine) {}, app.EndRunOptions{}, run.Interrupted, "[1]"},
		{"its own, reset", func(*testing.T, *app.Project, *machine) {}, app.EndRunOptions{ResetTasks: true}, run.Interrupted, "[]"},
		{"a failure stays one", func(*testing.T, *app.Project, *machine) {}, app.EndRunOptions{Status: run.Failure}, run.Failure, "[1]"},
		{"its own, paused", func(*testing.T, *app.Project, *machine) {}, app.EndRunOptions{Status: run.Paused}, run.Paused, "[1]"},
		{"its own, paused before its host reports its end", func(t *testing.T, p *app.Project, _ *machine) {
			endRun(t, as(p, agentCaller("a", 200)), run.Paused, now)
		}, app.EndRunOptions{}, run.Paused, "[1]"},
		{"none", func(t *testing.T, p *app.Project, _ *machine) { mark(t, p, 1, planfile.Complete) }, app.EndRunOptions{}, run.Success, "[]"},
		{"nobody's, as it holds the lease", func(t *testing.T, p *app.Project, _ *machine) {
			mark(t, p, 1, planfile.Complete)
			endRun(t, p, run.Success, now)
			byHand(t, p, 2)
			startRun(t, p, now)
		}, app.EndRunOptions{ResetTasks: true}, run.Success, "[2]"},
		{"a dead run's", func(t *testing.T, p *app.Project, m *machine) {
			second(t, p, m, true)
			mark(t, as(p, agentCaller("b", 100)), 2, planfile.InProgress)
			mark(t, p, 1, planfile.Complete)
			delete(m.Processes, 100)
			startRun(t, as(p, agentCaller("a", 200)), now)
		}, app.EndRunOptions{ResetTasks: true}, run.Success, "[2]"},
		{"another's", func(t *testing.T, p *app.Project, m *machine) {
			mark(t, p, 1, planfile.Complete)
			second(t, p, m, false)
			mark(t, as(p, agentCaller("b", 100)), 2, planfile.InProgress)
		}, app.EndRunOptions{ResetTasks: true}, run.Success, "[2]"},
		{"its own, and another holds the lease", func(t *testing.T, p *app.Project, m *machine) {
			second(t, p, m, true)
		}, app.EndRunOptions{ResetTasks: true}, run.Interrupted, "[1]"},
		{"nobody's, and another holds the lease", func(t *testing.T, p *app.Project, m *machine) {
			mark(t, p, 1, planfile.Complete)
			second(t, p, m, true)
			byHand(t, p, 2)
		}, app.EndRunOptions{ResetTasks: true}, run.Success, "[2]"},
	} {
		p, m := aWorld(t)
		test.act(t, p, m)
		o := test.o
		o.User, o.Cause = user, run.CauseUser
		if o.Status == "" {
			o.Status = run.Success
		}
		done, err := as(p, agentCaller("a", 200)).EndRun(t.Context(), o)
		if err != nil || done.Run.Status != test.status || len(done.Warnings) > 0 {
			t.Errorf("%s: %+v, %v", test.name, done, err)
		}
		if got := done.Run.ResumeID != ""; got && !test.status.Resumable() || (len(done.Left) > 0) != (test.status == run.Interrupted) {
			t.Errorf("%s: offered %v, left %v", test.name, got, done.Left)
		}
		if left := tasksInProgress(t, p); left != test.left {
			t.Errorf("%s: %s are in progress, want %s", test.name, left, test.left)
		}
	}
}

// TestFoundInProgress: a task that a run finds in progress stays interrupted until somebody marks it.
func TestFoundInProgress(t *testing.T) {
	for _, marked := range []bool{false, true} {
		p, m := newWorld(t)
		m.Self.PID = 0
		bootstrap(t, p)
		byHand(t, p, 1)
		startRun(t, as(p, agentCaller("a", 200)), now)
		if marked {
			mark(t, p, 1, planfile.InProgress)
		}
		r, err := p.Hydrate(user)
		if err != nil {
			t.Fatal(err)
		}
		if history.CheckStates(p.Project, r); r.Resume.Interrupted == marked {
			t.Errorf("marked %v, interrupted %v", marked, r.Resume.Interrupted)
		}
	}
	p, _ := newWorld(t)
	_, err := apptest.At(as(p, run.Caller{PID: 777, Sure: true}), now).StartRun(t.Context(), app.StartRunOptions{User: user})
	wantKind(t, err, problem.MissingInput)
}

// TestSuperseded: another conversation of the same process ends the one before.
func TestSuperseded(t *testing.T) {
	p, _ := aWorld(t)
	done := startRun(t, as(p, agentCaller("b", 200)), now)
	if len(done.Superseded) != 1 || done.Reentered || done.From != nil && done.From.ID != done.Superseded[0].ID {
		t.Errorf("%+v", done)
	}
	if l := readLedger(textOfFile(p, runsPath)); len(l.Order) != 2 || !strings.HasPrefix(l.Ends[l.Order[0]], "cancelled superseded ") || l.Holder != done.Run.ID {
		t.Errorf("%+v", l)
	}
}

// TestHydrateStarting: what a conversation reads at its start, and what is recorded of those that are over.
func TestHydrateStarting(t *testing.T) {
	start := app.StartRunOptions{User: user}
	p, m := aWorld(t)
	delete(m.Processes, 200)
	r, err := as(p, agentCaller("b", 100)).HydrateStarting(t.Context(), start)
	if err != nil || r.Verdict != answer.Resume || r.Start.Busy != nil || r.Start.Before == nil || len(r.Start.Before.Crashed) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if l := readLedger(textOfFile(p, runsPath)); len(l.Ends) != 1 || len(l.Open()) != 1 {
		t.Errorf("%+v", l)
	}
	if l := readLedger(textOfFile(p, runsPath)); l.Holder != "" {
		t.Errorf("a conversation that only started has the lease: %+v", l)
	}
	mark(t, as(p, agentCaller("b", 100)), 1, planfile.InProgress)
	r, err = as(p, agentCaller("c", 900)).HydrateStarting(t.Context(), start)
	if err != nil || kindOfError(r.Start.Busy) != problem.Busy || r.Verdict != answer.Resume {
		t.Errorf("%+v, %v", r, err)
	}
	p.Write = durable.Writer{Before: func(durable.Step) error { return os.ErrPermission }}
	r, err = as(p, agentCaller("d", 100)).HydrateStarting(t.Context(), start)
	if err != nil || r.Verdict != answer.Resume || r.Start.Busy != nil || r.Start.Before != nil {
		t.Errorf("nothing can be written: %+v, %v", r, err)
	}
	p.Write = durable.Writer{}
	p.Planning.Limit = 1
	if r, err = p.HydrateStarting(t.Context(), start); r != nil || kindOfError(err) != problem.Refused {
		t.Errorf("a session that is too large: %+v, %v", r, err)
	}
}

// TestSweepRest: what a sweep removes besides runs. A dry run tells the same, and changes nothing.
func TestSweepRest(t *testing.T) {
	lost := func(shown time.Time) func(t *testing.T, p *app.Project) {
		return func(t *testing.T, p *app.Project) {
			apptest.Lose(t, p)
			if id := apptest.CrumbsOf(t, p)[0].ID; !shown.IsZero() {
				if err := p.StateDir.ShowCrumb(p.Write, id, shown); err != nil {
					t.Fatal(err)
				}
			}
			write(t, filepath.Join(p.Dir, sessionsPath, "x"), "")
		}
	}
	file := func(name, text string) func(t *testing.T, p *app.Project) {
		return func(t *testing.T, p *app.Project) { write(t, filepath.Join(p.Dir, name), text) }
	}
	for _, test := range []struct {
		name string
		act  func(t *testing.T, p *app.Project)
		want string
	}{
		{"nothing", func(*testing.T, *app.Project) {}, ""},
		{"a lost session", lost(time.Time{}), "noticed 1"},
		{"one that was told of", lost(now.Add(-time.Hour)), ""},
		{"one that was told of long ago", lost(now.Add(-200 * time.Hour)), "dismissed 1"},
		{"a plan that is done", file(".planning/phases/03-api/03-01-SUMMARY.md", "x"), "crumbs 1"},
		{"what lay in the place of the records", file(runsPath+".odd-x", ""), "temps 1"},
		{"a directory there with files in it", file(runsPath+".odd-x/y", ""), "odd-left"},
		{"records that cannot be read", file(runsPath, "{"), "temps 1"},
		{"a breadcrumb that cannot be read", func(t *testing.T, p *app.Project) {
			write(t, filepath.Join(string(p.StateDir), "crumbs/x"), "")
			os.RemoveAll(filepath.Join(string(p.StateDir), "crumbs"))
			write(t, filepath.Join(string(p.StateDir), "crumbs"), "")
		}, app.CrumbsUnreadable},
		{"an unsafe conversation", func(t *testing.T, p *app.Project) {
			startRun(t, as(p, agentCaller("c", 200)), now)
			endRun(t, p, run.Success, now)
			startRun(t, p, now)
			as(p, run.Caller{}).Processes = &machine{Self: here}
		}, "forgotten 1 lease"},
	} {
		for _, dry := range []bool{true, false, false} {
			p, _ := newWorld(t)
			bootstrap(t, p)
			test.act(t, p)
			before, state := takePicture(t, p.Dir), takePicture(t, string(p.StateDir))
			told := ""
			for range 2 {
				done := sweep(t, p, app.SweepOptions{DryRun: dry})
				var words []string
				for _, is := range []struct {
					name string
					n    int
				}{{"noticed", len(done.Noticed)}, {"dismissed", len(done.Dismissed)}, {"crumbs", done.Crumbs}, {"temps", done.Temps}, {"forgotten", done.Forgotten}} {
					if is.n > 0 {
						words = append(words, fmt.Sprint(is.name, " ", is.n))
					}
				}
				if done.Lease {
					words = append(words, "lease")
				}
				for _, w := range done.Warnings {
					if w.Code != answer.RunsDamaged && w.Code != answer.RunsMoved {
						words = append(words, w.Code)
					}
				}
				again := told != "" && !dry && !slices.ContainsFunc(done.Warnings, func(w problem.Warning) bool { return strings.Contains(told, w.Code) })
				if got := strings.Join(words, " "); !again && got != test.want || again && got != "" {
					t.Errorf("%s, dry %v, again %v: %q, want %q", test.name, dry, again, got, test.want)
				}
				told += test.want
			}
			if dry {
				after, stateAfter := takePicture(t, p.Dir), takePicture(t, string(p.StateDir))
				if !maps.Equal(after, before) || !maps.Equal(stateAfter, state) {
					t.Errorf("%s: a dry run changes %q to %q, or %q to %q", test.name, before, after, state, stateAfter)
				}
			}
		}
	}
}

// TestResetChanged: an editor that ignores the guard changes the session meanwhile.
func TestResetChanged(t *testing.T) {
	for times, kept := range map[int]bool{1: false, verdict.MaxTries - 1: false, verdict.MaxTries: true} {
		p, m := aWorld(t)
		delete(m.Processes, 200)
		edits := 0
		p.Write = durable.Writer{Before: func(s durable.Step) error {
			if s == durable.StepCheck && edits < times && strings.Contains(textOfFile(p, sessionPath), "in-progress") {
				edits++
				write(t, filepath.Join(p.Dir, sessionPath), textOfFile(p, sessionPath)+strings.Repeat(" ", edits))
			}
			return nil
		}}
		done := sweep(t, as(p, run.Caller{}), app.SweepOptions{ResetTasks: true})
		warned := slices.ContainsFunc(done.Warnings, func(w problem.Warning) bool { return w.Code == app.TasksNotReset })
		if left := tasksInProgress(t, p); (left == "[1]") != kept || warned != kept || edits != times || (len(done.Reset) == 0) != kept {
			t.Errorf("%d edits: %s, %+v", edits, left, done)
		}
	}
	p, _ := aWorld(t)
	p.Planning.Limit = 1
	done := sweep(t, as(p, run.Caller{}), app.SweepOptions{ResetTasks: true})
	if !slices.ContainsFunc(done.Warnings, func(w problem.Warning) bool { return w.Code == app.TasksNotReset }) {
		t.Errorf("a session that cannot be read: %+v", done)
	}
}

func TestParseRunStatus(t *testing.T) {
	for text, want := range map[string]run.Status{"Success": run.Success, "failure": run.Failure, "x": ""} {
		got, err := app.ParseRunStatus(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
}

// TestPaused: after a pause nobody is at work, nothing counts as left behind, and the conversation is offered, also once its host
// has reported the end; a later failure takes that back.
func TestPaused(t *testing.T) {
	p, _ := aWorld(t)
	p = as(p, agentCaller("a", 200))
	offered := func() string {
		list, err := p.RunList(user)
		if err != nil {
			t.Fatal(err)
		}
		return list.Runs[0].ResumeID
	}
	end := func(status run.Status) *app.EndedRun {
		done, err := p.EndRun(t.Context(), app.EndRunOptions{User: user, Status: status, Cause: run.CauseUser})
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	if done := end(run.Paused); done.Run.State != run.StatePaused || done.Already || offered() != "a" {
		t.Errorf("%+v, offered %q", done, offered())
	}
	if done := end(run.Success); !done.Already || done.Run.State != run.StatePaused || offered() != "a" {
		t.Errorf("the host reports the end: %+v, offered %q", done, offered())
	}
	rec := assessed(t, as(p, run.Caller{}), now)
	if rec.AtWork() != nil || len(rec.LeftTasks)+len(rec.Crashed) > 0 {
		t.Errorf("%+v", rec)
	}
	if r := rec.Last(planPath, 1); r == nil || r.Status != run.Paused {
		t.Errorf("task 1 was marked by %+v", r)
	}
	as(p, agentCaller("a", 200))
	if end(run.Failure); offered() != "" {
		t.Errorf("after a failure, %q is offered", offered())
	}
}
