package app_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
)

func restore(t *testing.T, p *app.Project, id string) (*app.Restored, error) {
	t.Helper()
	return restoreByID(t.Context(), apptest.At(p, now.Add(time.Hour)).World, id, app.RestoreOptions{Limit: project.DefaultLimit})
}

// TestRestore brings a session back after git clean -fdx, byte for byte.
func TestRestore(t *testing.T) {
	for _, plan := range []string{
		"<task type=\"auto\">\n  <name>A</name>\n</task>\n<task type=\"auto\">\n  <name>B</name>\n</task>\n<task type=\"auto\">\n  <name>C</name>\n</task>\n",
		"\ufeff---\r\nwave: 1\r\n---\r\n<task>\r\n</task>\r\n<task type=\"x\" name='é'>y</task>\r\n<task\n>\n</task>", // no names, mixed ends
		"# P\n\n## Task 1: A\n\nx\n\n## Task 2: A\n\ny\n\n## Task 3: A\n",                                             // the same name thrice
	} {
		p, _ := newWorld(t)
		write(t, filepath.Join(p.Dir, planPath), plan)
		bootstrapAt(t, p, planPath, now)
		mark(t, p, 1, planfile.Complete)
		mark(t, p, 2, planfile.InProgress)
		before := textOfFile(p, sessionPath)
		lose(t, p)
		lost := lostSessions(t, p, now)
		if len(lost) != 1 || lost[0].Why != answer.LostFile || lost[0].Done != 1 || lost[0].Expired {
			t.Fatalf("%+v", lost)
		}
		if rec := assessed(t, p, now); len(rec.Lost) != 1 || rec.Lost[0].ID != lost[0].ID {
			t.Errorf("%+v", rec)
		}
		done, err := restore(t, p, lost[0].ID[:14])
		if err != nil || done.Report.Verdict != answer.Resume || done.Report.Token != "2" || done.Archived != "" || len(done.Left) > 0 || done.Project != p.Dir {
			t.Errorf("%+v, %v", done, err)
		}
		if after := textOfFile(p, sessionPath); after != before {
			t.Errorf("it was\n%q\nand came back as\n%q", before, after)
		}
		if ignore := textOfFile(p, ".planning/sessions/"+user+"/.gitignore"); ignore != "*\n" {
			t.Errorf(".gitignore is %q", ignore)
		}
		if lost := lostSessions(t, p, now); len(lost) > 0 {
			t.Errorf("%+v", lost)
		}
		if rec := assessed(t, p, now); rec.Any() {
			t.Errorf("%+v", rec)
		}
		_, err = restore(t, p, lost[0].ID)
		wantKind(t, err, problem.MissingInput)
	}
}

// TestRestoreKeepsWhatIsOver: what was done or skipped in the session that gives way stays so, unless the lost one has more.
func TestRestoreKeepsWhatIsOver(t *testing.T) {
	p, _ := newWorld(t)
	write(t, filepath.Join(p.Dir, planPath), tasksOf("A", "B", "C", "D"))
	bootstrapAt(t, p, planPath, now)
	for n, status := range []planfile.Status{planfile.Skipped, planfile.InProgress, planfile.Complete, planfile.Pending} {
		mark(t, p, n+1, status)
	}
	lose(t, p)
	if lost := lostSessions(t, p, now)[0]; lost.Current != 2 || lost.Done != 1 || lost.Skipped != 1 || lost.Total != 4 {
		t.Errorf("%+v", lost)
	}
	if _, err := p.Bootstrap(t.Context(), app.BootstrapOptions{User: user, Plan: planPath, Fresh: true, Wait: time.Second}); err != nil {
		t.Fatal(err)
	}
	for n, status := range []planfile.Status{planfile.InProgress, planfile.Skipped, planfile.Skipped, planfile.Complete} {
		mark(t, p, n+1, status)
	}
	done, err := restore(t, p, lostSessions(t, p, now)[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []planfile.Status{planfile.Skipped, planfile.Skipped, planfile.Complete, planfile.Complete} {
		if got := done.Report.Session.Tasks[i].Status; got != want || done.Tasks[i].Status != want {
			t.Errorf("task %d is %s, want %s", i+1, got, want)
		}
	}
}

// TestRestoreChangedPlan: what the plan has become decides what goes back to where.
// It never says that it is done where nothing was.
func TestRestoreChangedPlan(t *testing.T) {
	becomes := func(text string) func(*testing.T, *app.Project) {
		return func(t *testing.T, p *app.Project) { t.Helper(); write(t, filepath.Join(p.Dir, planPath), text) }
	}
	for _, test := range []struct {
		name   string
		change func(t *testing.T, p *app.Project)
		kind   problem.Kind
		plan   string
		want   string // the crumb's statuses afterwards
		left   []string
	}{
		{"as it was", func(*testing.T, *app.Project) {}, 0, planPath, "A complete, B in-progress, C pending", nil},
		{"its text was edited", becomes(strings.ReplaceAll(tasksOf("A", "B", "C"), "</task>", "  more\n</task>")), 0, planPath, "A complete, B in-progress, C pending", nil},
		{"moved", func(t *testing.T, p *app.Project) {
			move(t, p, planPath, ".planning/milestones/v1-phases/03-api/03-01-PLAN.md")
		}, 0, ".planning/milestones/v1-phases/03-api/03-01-PLAN.md", "A complete, B in-progress, C pending", nil},
		{"gone", func(t *testing.T, p *app.Project) { os.Remove(filepath.Join(p.Dir, planPath)) }, problem.MissingInput, "", "", nil},
		{"another task first", becomes(tasksOf("Z", "A", "B", "C")), 0, planPath, "Z pending, A complete, B in-progress, C pending", nil},
		{"one more at the end", becomes(tasksOf("A", "B", "C", "D")), 0, planPath, "A complete, B in-progress, C pending, D pending", nil},
		{"one fewer at the end", becomes(tasksOf("A", "B")), 0, planPath, "A complete, B in-progress", nil},
		{"other order", becomes(tasksOf("B", "A", "C")), 0, planPath, "B in-progress, A complete, C pending", nil},
		{"one went", becomes(tasksOf("B", "C")), 0, planPath, "B in-progress, C pending", []string{"A"}},
		{"one came twice", becomes(tasksOf("A", "B", "B", "C")), 0, planPath, "A complete, B in-progress, B pending, C pending", nil},
		{"empty", becomes(""), problem.BadData, "", "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, _ := newWorld(t)
			bootstrapAt(t, p, planPath, now)
			mark(t, p, 1, planfile.Complete)
			mark(t, p, 2, planfile.InProgress)
			lose(t, p)
			id := lostSessions(t, p, now)[0].ID
			test.change(t, p)
			done, err := restore(t, p, id)
			if test.kind != 0 {
				wantKind(t, err, test.kind)
				if textOfFile(p, sessionPath) != "" || len(lostSessions(t, p, now)) != 1 {
					t.Error("refused, and something changed")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var left []string
			for _, l := range done.Left {
				left = append(left, l.Name)
			}
			// What found no place is still known, by the old crumb, but there is nothing more to restore.
			crumbs, lost := crumbsOf(t, p), lostSessions(t, p, now)
			at := slices.IndexFunc(crumbs, func(c session.Crumb) bool { return statuses(c) == test.want })
			if at < 0 || crumbs[at].Plan != test.plan || !slices.Equal(left, test.left) {
				t.Errorf("%+v, left %q", crumbs, left)
			}
			kept := 0
			if len(test.left) > 0 {
				kept = 1
			}
			if done.Plan != test.plan || len(crumbs) != 1+kept || len(lost) != 0 {
				t.Errorf("%+v, %+v", done, lost)
			}
		})
	}
}

func move(t *testing.T, p *app.Project, from, to string) {
	t.Helper()
	write(t, filepath.Join(p.Dir, to), textOfFile(p, from))
	if err := os.Remove(filepath.Join(p.Dir, from)); err != nil {
		t.Fatal(err)
	}
}

// TestRestoreRun: the run that was at work on a lost session is shown, and is there again once that is restored.
func TestRestoreRun(t *testing.T) {
	for _, dead := range []bool{false, true} {
		p, m := newWorld(t)
		m.Self.PID = 0
		write(t, filepath.Join(p.Dir, planPath), "<task>\n  <name>A</name>\n</task>\n<task>\n  <name>B</name>\n</task>\n")
		bootstrapAt(t, p, planPath, now)
		id := startRun(t, as(p, agentCaller("244", 200)), now).Run.ID
		mark(t, p, 1, planfile.InProgress)
		mark(t, p, 1, planfile.Complete)
		mark(t, p, 2, planfile.InProgress)
		as(p, run.Caller{})
		lose(t, p)
		state := run.StateActive
		if dead {
			delete(m.Processes, 200)
			state = run.StateCrashed
		}
		lost := assessed(t, p, now).Lost
		if len(lost) != 1 {
			t.Fatalf("%+v", lost)
		}
		r := lost[0].Run
		if r == nil || r.ID != id || r.State != state || r.Conversation != "244" || r.PID != 200 || !slices.Equal(r.InProgress, []int{2}) || !r.Started.Equal(now) {
			t.Fatalf("dead %v: %+v", dead, r)
		}
		done, err := restore(t, p, lost[0].ID)
		if err != nil || len(done.Warnings) > 0 {
			t.Fatalf("%+v, %v", done, err)
		}
		rec := assessed(t, p, now)
		if at := rec.AtWork(); dead != (at == nil) || !dead && at.ID != id {
			t.Errorf("dead %v: at work is %+v", dead, at)
		}
		if dead != (len(rec.Crashed) == 1 && rec.Crashed[0].ID == id) {
			t.Errorf("dead %v: %+v crashed", dead, rec.Crashed)
		}
		if last := rec.Last(planPath, 2); last == nil || last.ID != id || len(last.Tasks) != 2 || !last.Tasks[0].Ended.Equal(now) || !last.Tasks[1].Started.Equal(now) {
			t.Errorf("dead %v: task 2 was marked by %+v", dead, last)
		}
		if dead { // its end is reported once
			if began := startRun(t, as(p, agentCaller("new", 100)), now); len(began.Crashed) != 1 || began.Crashed[0].ID != id {
				t.Errorf("%+v", began)
			}
			if rec := assessed(t, p, now); len(rec.Crashed) > 0 {
				t.Errorf("%+v", rec.Crashed)
			}
		}
	}
}

// TestLostAfterTheEnd: once its run has ended, or the session was archived, nobody is said to have been at work on a lost session.
func TestLostAfterTheEnd(t *testing.T) {
	p, m := newWorld(t)
	m.Self.PID = 0
	bootstrap(t, p)
	startRun(t, as(p, agentCaller("244", 200)), now)
	mark(t, p, 1, planfile.InProgress)
	endRun(t, p, run.Paused, now)
	lose(t, as(p, run.Caller{}))
	if lost := assessed(t, p, now).Lost; len(lost) != 1 || lost[0].Run != nil {
		t.Errorf("%+v", lost)
	}

	// If it ends while the session is torn, the records of the runs alone have that.
	p, m = newWorld(t)
	m.Self.PID = 0
	bootstrap(t, p)
	startRun(t, as(p, agentCaller("244", 200)), now)
	mark(t, p, 1, planfile.InProgress)
	write(t, filepath.Join(p.Dir, sessionPath), "")
	if lost := assessed(t, p, now).Lost; len(lost) != 1 || lost[0].Run == nil {
		t.Errorf("%+v", lost)
	}
	endRun(t, p, run.Success, now)
	if lost := assessed(t, as(p, run.Caller{}), now).Lost; len(lost) != 1 || lost[0].Run != nil {
		t.Errorf("%+v", lost)
	}
}
