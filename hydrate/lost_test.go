package hydrate_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/internal/work"
	"github.com/gsd-cli/gsd/planfile"
)

const secondPlan = ".planning/phases/03-api/03-02-PLAN.md"

func crumbsOf(t *testing.T, p *hydrate.Project) []session.Crumb {
	t.Helper()
	all, err := p.StateDir.Crumbs("")
	if err != nil || len(all.Bad) > 0 {
		t.Fatal(all, err)
	}
	return all.Good
}

func statuses(c session.Crumb) string {
	var words []string
	for _, t := range c.Tasks {
		words = append(words, t.Name+" "+t.Status)
	}
	return strings.Join(words, ", ")
}

func mark(t *testing.T, p *hydrate.Project, number int, status planfile.Status) *hydrate.Marked {
	t.Helper()
	done, err := p.Mark(t.Context(), hydrate.MarkOptions{User: user, Number: number, Status: status, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func bootstrapAt(t *testing.T, p *hydrate.Project, plan string, at time.Time) *hydrate.Bootstrapped {
	t.Helper()
	done, err := p.Bootstrap(t.Context(), hydrate.BootstrapOptions{User: user, Plan: plan, Fresh: true, Now: at})
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// lose is git clean -fdx.
func lose(t *testing.T, p *hydrate.Project) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(p.Dir, ".planning/sessions")); err != nil {
		t.Fatal(err)
	}
}

func lostSessions(t *testing.T, p *hydrate.Project, at time.Time) []verdict.LostSession {
	t.Helper()
	list, err := history.Lost(p.World, at)
	if err != nil {
		t.Fatal(err)
	}
	return list.Lost
}

// TestCrumbFollowsTheSession: every change of a session is in its crumb, and a new session has its own.
// all is in it that bringing the session back takes.
func TestCrumbFollowsTheSession(t *testing.T) {
	p, _ := newWorld(t)
	write(t, filepath.Join(p.Dir, secondPlan), "<task type=\"auto\">\n  <name>X</name>\n</task>\n")
	bootstrapAt(t, p, planPath, now)
	only := func(want string, current int) session.Crumb {
		t.Helper()
		all := crumbsOf(t, p)
		if len(all) != 1 || statuses(all[0]) != want || all[0].Current != current {
			t.Fatalf("%+v, want %q at %d", all, want, current)
		}
		return all[0]
	}
	first := only("A pending, B pending, C pending", 1)
	if first.Project != p.Dir || first.User != user || first.Plan != planPath || !strings.HasPrefix(first.Digest, "sha256:") || first.Started != now.Format(time.RFC3339) || first.Run != "" {
		t.Errorf("%+v", first)
	}
	mark(t, p, 1, planfile.Complete)
	only("A complete, B pending, C pending", 2)
	run := startRun(t, as(p, agentCaller("c", 200)), now).Run.ID
	mark(t, p, 2, planfile.InProgress)
	if c := only("A complete, B in-progress, C pending", 2); c.Run != run || c.ID != first.ID {
		t.Errorf("%+v, want run %s", c, run)
	}
	if _, err := resetTasks(t, p); err != nil {
		t.Fatal(err)
	}
	only("A complete, B pending, C pending", 2)

	// A session on another plan takes its place: it is archived, and its crumb stays until its plan is done.
	bootstrapAt(t, p, secondPlan, now.Add(time.Minute))
	both := crumbsOf(t, p)
	if len(both) != 2 || len(lostSessions(t, p, now)) > 0 {
		t.Fatalf("%+v", both)
	}
	if at := slices.IndexFunc(both, func(c session.Crumb) bool { return c.ID == first.ID }); at < 0 || both[at].Archive == "" || both[1-at].Plan != secondPlan {
		t.Errorf("%+v", both)
	}
	summary := filepath.Join(p.Dir, ".planning/phases/03-api/03-01-SUMMARY.md")
	write(t, summary, "Done.\n")
	if done := sweep(t, p, work.SweepOptions{}); done.Crumbs != 1 {
		t.Errorf("%+v", done)
	}
	// The same plan, later: another session.
	bootstrapAt(t, p, secondPlan, now.Add(time.Hour))
	second := only("X pending", 1)

	// The file is lost, and the session begun anew: the old crumb is the only copy of what was done.
	mark(t, p, 1, planfile.Complete)
	lose(t, p)
	bootstrapAt(t, p, secondPlan, now.Add(2*time.Hour))
	mark(t, p, 1, planfile.InProgress)
	all := crumbsOf(t, p)
	if len(all) != 2 {
		t.Fatalf("%+v", all)
	}
	old := all[slices.IndexFunc(all, func(c session.Crumb) bool { return c.ID == second.ID })]
	if statuses(old) != "X complete" || old.Current != 0 {
		t.Errorf("%+v", old)
	}
	lost := lostSessions(t, p, now)
	if len(lost) != 1 || lost[0].ID != second.ID || lost[0].Why != verdict.LostPlace || lost[0].Done != 1 {
		t.Errorf("%+v", lost)
	}
	if rec := assessed(t, p, now); len(rec.Lost) != 1 || rec.Lost[0].ID != second.ID || rec.Lost[0].Why != verdict.LostPlace {
		t.Errorf("%+v", rec.Lost)
	}
}

func restore(t *testing.T, p *hydrate.Project, id string, force bool) (*hydrate.Restored, error) {
	t.Helper()
	return restoreByID(t.Context(), p.World, id, hydrate.RestoreOptions{Limit: verdict.DefaultLimit, Force: force, Now: now.Add(time.Hour)})
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
		if len(lost) != 1 || lost[0].Why != verdict.LostFile || lost[0].Done != 1 || lost[0].Expired {
			t.Fatalf("%+v", lost)
		}
		if rec := assessed(t, p, now); len(rec.Lost) != 1 || rec.Lost[0].ID != lost[0].ID {
			t.Errorf("%+v", rec)
		}
		done, err := restore(t, p, lost[0].ID[:14], false)
		if err != nil || done.Report.Verdict != hydrate.Resume || done.Report.Token != "2" || done.Archived != "" || len(done.Left) > 0 || done.Project != p.Dir {
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
		_, err = restore(t, p, lost[0].ID, false)
		wantKind(t, err, hydrate.MissingInput)
	}
}

// TestRestoreChangedPlan: what the plan has become decides what goes back to where.
// It never says that it is done where nothing was.
func TestRestoreChangedPlan(t *testing.T) {
	task := func(names ...string) string {
		var b strings.Builder
		for _, name := range names {
			b.WriteString("<task type=\"auto\">\n  <name>" + name + "</name>\n</task>\n")
		}
		return b.String()
	}
	for _, test := range []struct {
		name   string
		change func(t *testing.T, p *hydrate.Project)
		kind   hydrate.Kind
		plan   string
		want   string // the crumb's statuses afterwards
		left   []string
	}{
		{"as it was", func(*testing.T, *hydrate.Project) {}, 0, planPath, "A complete, B in-progress, C pending", nil},
		{"its text was edited", func(t *testing.T, p *hydrate.Project) {
			write(t, filepath.Join(p.Dir, planPath), strings.ReplaceAll(task("A", "B", "C"), "</task>", "  more\n</task>"))
		}, 0, planPath, "A complete, B in-progress, C pending", nil},
		{"moved", func(t *testing.T, p *hydrate.Project) {
			move(t, p, planPath, ".planning/milestones/v1-phases/03-api/03-01-PLAN.md")
		}, 0, ".planning/milestones/v1-phases/03-api/03-01-PLAN.md", "A complete, B in-progress, C pending", nil},
		{"gone", func(t *testing.T, p *hydrate.Project) { os.Remove(filepath.Join(p.Dir, planPath)) }, hydrate.MissingInput, "", "", nil},
		{"another task first", func(t *testing.T, p *hydrate.Project) {
			write(t, filepath.Join(p.Dir, planPath), task("Z", "A", "B", "C"))
		}, 0, planPath, "Z pending, A complete, B in-progress, C pending", nil},
		{"one more at the end", func(t *testing.T, p *hydrate.Project) {
			write(t, filepath.Join(p.Dir, planPath), task("A", "B", "C", "D"))
		}, 0, planPath, "A complete, B in-progress, C pending, D pending", nil},
		{"one fewer at the end", func(t *testing.T, p *hydrate.Project) { write(t, filepath.Join(p.Dir, planPath), task("A", "B")) }, 0, planPath, "A complete, B in-progress", nil},
		{"other order", func(t *testing.T, p *hydrate.Project) { write(t, filepath.Join(p.Dir, planPath), task("B", "A", "C")) }, 0, planPath, "B in-progress, A complete, C pending", nil},
		{"one went", func(t *testing.T, p *hydrate.Project) { write(t, filepath.Join(p.Dir, planPath), task("B", "C")) }, 0, planPath, "B in-progress, C pending", []string{"A"}},
		{"one came twice", func(t *testing.T, p *hydrate.Project) {
			write(t, filepath.Join(p.Dir, planPath), task("A", "B", "B", "C"))
		}, 0, planPath, "A complete, B in-progress, B pending, C pending", nil},
		{"empty", func(t *testing.T, p *hydrate.Project) { write(t, filepath.Join(p.Dir, planPath), "") }, hydrate.BadData, "", "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, _ := newWorld(t)
			bootstrapAt(t, p, planPath, now)
			mark(t, p, 1, planfile.Complete)
			mark(t, p, 2, planfile.InProgress)
			lose(t, p)
			id := lostSessions(t, p, now)[0].ID
			test.change(t, p)
			done, err := restore(t, p, id, false)
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

func move(t *testing.T, p *hydrate.Project, from, to string) {
	t.Helper()
	write(t, filepath.Join(p.Dir, to), textOfFile(p, from))
	if err := os.Remove(filepath.Join(p.Dir, from)); err != nil {
		t.Fatal(err)
	}
}

// restoreByID restores the lost session of an id, as gsd restore ID does.
func restoreByID(ctx context.Context, w hydrate.World, id string, o hydrate.RestoreOptions) (*hydrate.Restored, error) {
	o.Plan = id
	done, err := hydrate.RestoreByID(ctx, w, o)
	if err == nil && done == nil {
		err = project.Fail(hydrate.MissingInput, "gsd restore --list", "no lost session %q", id)
	}
	return done, err
}

// TestLostNewestFirst: whoever lost several sessions wants the last one, and a brief names only a few.
func TestLostNewestFirst(t *testing.T) {
	p, _ := newWorld(t)
	var want []string
	for i := range 8 {
		plan := fmt.Sprintf(".planning/phases/03-api/03-%02d-PLAN.md", 10+i)
		write(t, filepath.Join(p.Dir, plan), "<task type=\"auto\">\n  <name>X</name>\n</task>\n")
		at := now.Add(time.Duration(i*5%8) * time.Hour)
		bootstrapAt(t, p, plan, at)
		lose(t, p)
		want = append(want, at.Format(time.RFC3339))
	}
	slices.Sort(want)
	slices.Reverse(want)
	for _, lost := range [][]verdict.LostSession{lostSessions(t, p, now), assessed(t, p, now).Lost} {
		var got []string
		for _, l := range lost {
			got = append(got, l.Updated.Format(time.RFC3339))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
