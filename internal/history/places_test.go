package history_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/claim"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/internal/view"
	"github.com/gsd-cli/gsd/planfile"
)

func plan(n int) string { return fmt.Sprintf(".planning/phases/03-api/03-%02d-PLAN.md", n) }

// twoTrees is a world with six plans and a linked worktree.
func twoTrees(t *testing.T) (p, other *app.Project, m *apptest.Machine) {
	t.Helper()
	p, m = newWorld(t)
	m.Self.PID = 0
	for n := range 6 {
		write(t, filepath.Join(p.Dir, plan(n+1)), apptest.TasksOf(fmt.Sprint("A", n), fmt.Sprint("B", n), fmt.Sprint("C", n)))
	}
	commitAll(t, p, 0, "docs: plan")
	dir := filepath.Join(t.TempDir(), "other")
	cmd := exec.Command("git", "worktree", "add", "-q", "--detach", dir)
	cmd.Dir = p.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return p, again(t, p, dir), m
}

// follow moves HEAD here to where it is in another working tree.
func follow(t *testing.T, p, other *app.Project) {
	t.Helper()
	repo, err := gitlog.Find(other.Dir).Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	cmd := exec.Command("git", "reset", "-q", "--hard", repo.Head())
	cmd.Dir = p.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// again opens a project as the next command does, in the same world.
func again(t *testing.T, p *app.Project, dir string) *app.Project {
	t.Helper()
	q := reopen(t, dir)
	q.World = p.World
	return q
}

// on gives a user a session on a plan, with its tasks marked.
func on(t *testing.T, p *app.Project, user string, n int, statuses ...planfile.Status) *app.Bootstrapped {
	t.Helper()
	done, err := p.Bootstrap(t.Context(), app.BootstrapOptions{User: user, Plan: plan(n), TakeOver: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, status := range statuses {
		if _, err := p.Mark(t.Context(), app.MarkOptions{User: user, Number: i + 1, Status: status}); err != nil {
			t.Fatal(err)
		}
	}
	return done
}

const (
	pending    = planfile.Pending
	inProgress = planfile.InProgress
	complete   = planfile.Complete
)

// holder is who keeps ada from a plan.
func holder(p *app.Project, plan string) claim.Holder {
	return history.NewStarter(p.Project, p.Look("ada")).MayStart(plan, claim.Options{}).By
}

// TestClaims: who has taken which plan, and whom a start on it disturbs.
func TestClaims(t *testing.T) {
	p, other, _ := twoTrees(t)
	on(t, p, "ada", 1)
	on(t, p, "bob", 2, complete)
	on(t, p, "cyd", 3, complete, complete, complete)
	on(t, other, "ada", 4)
	on(t, other, "bob", 5)
	look := func(caller run.Caller) (all []string) {
		p := again(t, p, p.Dir)
		p.Caller, p.Now = caller, now
		for n := range 6 {
			held := ""
			if h := holder(p, plan(n+1)); h.User != "" {
				held, _, _ = strings.Cut(answer.HolderWords(h), ": the run")
			}
			for _, w := range history.ClaimWarnings(p.Project, "ada", plan(n+1)) {
				held += " | " + view.WarningText(&w).String()
			}
			all = append(all, strings.ReplaceAll(held, other.Dir, "OTHER"))
		}
		return all
	}
	const too, avoids = " this plan, too", "; `gsd next` avoids such plans"
	want := []string{
		"",
		"bob has been working on 03-02 since 2026-03-04 12:00 UTC, 1 of 3 complete | bob has a session on" + too + " (1 of 3 complete)" + avoids,
		"cyd has carried out 03-03, and its summary is due | cyd has a session on" + too + " (3 of 3 complete)" + avoids,
		" | your session in the worktree OTHER is on" + too + avoids,
		"bob has been working on 03-05 in the worktree OTHER since 2026-03-04 12:00 UTC, 0 of 3 complete | bob has a session in the worktree OTHER on" + too + avoids,
		"",
	}
	if diff := cmp.Diff(want, look(run.Caller{})); diff != "" {
		t.Error(diff)
	}
	agent := apptest.AgentCaller("x", 200)
	apptest.StartRun(t, apptest.As(other, agent), now)
	if diff := cmp.Diff(want, look(agent)); diff != "" {
		t.Errorf("one's own run:\n%s", diff)
	}
	if got := look(run.Caller{})[3]; !strings.HasPrefix(got, "your run in the worktree OTHER is working on 03-04: ") {
		t.Error(got)
	}
}

// TestFormerName: a session under the user's former name is the user's own, unless something speaks against it.
func TestFormerName(t *testing.T) {
	file := func(p *app.Project) string { return filepath.Join(p.Dir, ".planning/sessions/old/current-plan.md") }
	for _, test := range []struct {
		name string
		act  func(t *testing.T, p *app.Project)
		is   bool
	}{
		{"a former name", func(*testing.T, *app.Project) {}, true},
		{"this account did not write it", func(_ *testing.T, p *app.Project) { os.RemoveAll(string(p.StateDir)) }, false},
		{"nobody knows", func(_ *testing.T, p *app.Project) { p.StateDir = "" }, false},
		{"the present name came later", func(t *testing.T, p *app.Project) {
			old := time.Now().Add(-time.Hour)
			os.Chtimes(file(p), old, old)
			on(t, p, "ada", 2)
		}, true},
		{"it has changed since the name did", func(t *testing.T, p *app.Project) {
			on(t, p, "ada", 2)
			later := time.Now().Add(time.Hour)
			os.Chtimes(file(p), later, later)
		}, false},
		{"somebody is at work on it", func(t *testing.T, p *app.Project) {
			apptest.As(p, apptest.AgentCaller("x", 200))
			o := app.MarkOptions{User: "old", Number: 1, Status: complete}
			if _, err := p.StartRun(t.Context(), app.StartRunOptions{User: "old"}); err != nil {
				t.Fatal(err)
			}
			if _, err := p.Mark(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			apptest.As(p, run.Caller{})
		}, false},
		{"it is a container's", func(_ *testing.T, p *app.Project) {
			os.RemoveAll(string(p.StateDir))
			os.Rename(filepath.Dir(file(p)), filepath.Join(p.Dir, ".planning/sessions/root"))
		}, true},
		{"it is corrupt", func(t *testing.T, p *app.Project) { write(t, file(p), "x") }, false},
	} {
		p, _, _ := twoTrees(t)
		on(t, p, "old", 1, complete, inProgress)
		test.act(t, p)
		q := again(t, p, p.Dir)
		if n := len(history.Elsewhere(q.Project, "ada")); (n == 1) != test.is {
			t.Errorf("%s: %d are the user's", test.name, n)
		}
		held, taken := holder(q, plan(1)), history.ClaimWarnings(q.Project, "ada", plan(1))
		if corrupt := test.name == "it is corrupt"; !corrupt && ((held.User == "") != test.is || (len(taken) == 0) != test.is) {
			t.Errorf("%s: held by %+v, %v", test.name, held, taken)
		}
		r, err := q.HydrateAll("ada")
		if err != nil || r.Session == nil && (len(r.Elsewhere) == 1) != test.is {
			t.Errorf("%s: %+v, %v", test.name, r.Elsewhere, err)
		} else if len(r.Elsewhere) == 1 && (action.Line(r.Elsewhere[0].Do.Words()) != "gsd bootstrap 03-01" || !strings.HasSuffix(r.Elsewhere[0].File, "/current-plan.md")) {
			t.Errorf("%s: %+v", test.name, r.Elsewhere)
		}
		done := on(t, q, "ada", 1)
		mine := len(done.From) == 1 && done.From[0].User == "" // taken over, it is carried anyway, as another's
		if got := carried(done); (got == "1 complete, 2 in-progress" && mine) != test.is {
			t.Errorf("%s: carried %q from %+v", test.name, got, done.From)
		}
	}
}

// carried says what was.
func carried(done *app.Bootstrapped) string {
	var words []string
	for _, c := range done.Carried {
		words = append(words, fmt.Sprint(c.Number, " ", c.Status))
	}
	return strings.Join(words, ", ")
}

// TestElsewhere: where a report without a session says that the user has others, and one in a linked worktree what is in the main one.
func TestElsewhere(t *testing.T) {
	p, other, _ := twoTrees(t)
	on(t, p, "ada", 1, complete)
	look := func(in *app.Project) (all []string) {
		r, err := apptest.At(again(t, p, in.Dir), now).HydrateAll("ada")
		if err != nil {
			t.Fatal(err)
		}
		for _, elsewhere := range r.Elsewhere {
			all = append(all, strings.ReplaceAll(fmt.Sprint(action.Line(elsewhere.Do.Words()), " ", elsewhere.Plan, " ", elsewhere.Done, " ", elsewhere.Worktree != ""), p.Dir, "MAIN"))
		}
		return all
	}
	inMain := []string{"gsd hydrate -C MAIN " + plan(1) + " 1 true"}
	if diff := cmp.Diff(inMain, look(other)); diff != "" {
		t.Error(diff)
	}
	main := func(in *app.Project) int {
		q := again(t, p, in.Dir)
		r, err := q.Hydrate("ada")
		if err != nil {
			t.Fatal(err)
		}
		history.AddMain(q.Project, r)
		return len(r.Elsewhere)
	}
	if n := main(other); n != 0 {
		t.Errorf("without a session, %d", n)
	}
	on(t, other, "ada", 2)
	if all := look(other); len(all) > 0 {
		t.Errorf("with a task to resume: %q", all)
	}
	if here, there := main(p), main(other); here != 0 || there != 1 {
		t.Errorf("in the main worktree %d, in the other %d", here, there)
	}
	os.RemoveAll(filepath.Join(other.Dir, ".planning/sessions"))
	for name, want := range map[string][]string{"03-01-SUMMARY.md": nil, "": nil} {
		if name == "" { // its plan is gone
			os.Remove(filepath.Join(p.Dir, plan(1)))
		} else {
			write(t, filepath.Join(p.Dir, filepath.Dir(plan(1)), name), "x")
		}
		if diff := cmp.Diff(want, look(other)); diff != "" {
			t.Errorf("%q:\n%s", name, diff)
		}
		os.Remove(filepath.Join(p.Dir, filepath.Dir(plan(1)), name))
	}
}

// TestProgressElsewhere: what was done in another worktree counts if nothing is known here.
func TestProgressElsewhere(t *testing.T) {
	for _, test := range []struct {
		name string
		act  func(t *testing.T, p, other *app.Project)
		want string
		from string
	}{
		{"its session", func(t *testing.T, _, other *app.Project) {}, "1 complete", "OTHER/.planning/sessions/ada/current-plan.md"},
		{"what is known here counts more", func(t *testing.T, p, _ *app.Project) {
			on(t, p, "ada", 1, pending, complete)
			on(t, p, "ada", 2)
		}, "2 complete", ".planning/sessions/ada/current-plan.20260304120000.stale"},
		{"an archive there", func(t *testing.T, _, other *app.Project) { on(t, other, "ada", 2) }, "1 complete", "OTHER/.planning/sessions/ada/current-plan.20260304120000.stale"},
		{"it was removed", func(t *testing.T, p, other *app.Project) {
			os.RemoveAll(other.Dir)
			os.RemoveAll(filepath.Join(p.Dir, ".git/worktrees"))
		}, "1 complete, 2 in-progress", ""},
		{"it is done there", func(t *testing.T, _, other *app.Project) {
			write(t, filepath.Join(other.Dir, filepath.Dir(plan(1)), "03-01-SUMMARY.md"), "x")
		}, "1 complete", "OTHER/.planning/sessions/ada/current-plan.md"},
		{"what was skipped there", func(t *testing.T, _, other *app.Project) {
			if _, err := other.Mark(t.Context(), app.MarkOptions{User: "ada", Number: 3, Status: planfile.Skipped}); err != nil {
				t.Fatal(err)
			}
		}, "1 complete, 3 skipped", "OTHER/.planning/sessions/ada/current-plan.md"},
		{"what was skipped in an archive there", func(t *testing.T, _, other *app.Project) {
			if _, err := other.Mark(t.Context(), app.MarkOptions{User: "ada", Number: 3, Status: planfile.Skipped}); err != nil {
				t.Fatal(err)
			}
			on(t, other, "ada", 2)
		}, "1 complete, 3 skipped", "OTHER/.planning/sessions/ada/current-plan.20260304120000.stale"},
		{"everything here is known", func(t *testing.T, p, _ *app.Project) {
			on(t, p, "ada", 1, complete, complete, complete)
			on(t, p, "ada", 2)
		}, "1 complete, 2 complete, 3 complete", ".planning/sessions/ada/current-plan.20260304120000.stale"},
	} {
		p, other, _ := twoTrees(t)
		on(t, other, "ada", 1)
		write(t, filepath.Join(other.Dir, "made"), "x")
		commitAll(t, other, 10, "feat: made")
		on(t, other, "ada", 1, complete, inProgress)
		follow(t, p, other)
		test.act(t, p, other)
		done := on(t, again(t, p, p.Dir), "ada", 1)
		from := ""
		if len(done.From) > 0 {
			from = strings.ReplaceAll(done.From[0].Session, other.Dir, "OTHER")
		}
		words := strings.Split(carried(done), ", ")
		if slices.Sort(words); strings.Join(words, ", ") != test.want || from != test.from || len(done.From) == 0 {
			t.Errorf("%s: carried %q from %+v", test.name, words, done.From)
		}
	}
}

// TestLost: why a session is lost, which one is meant, what to do instead of bringing it back, and whether its breadcrumb is still needed.
func TestLost(t *testing.T) {
	type act func(t *testing.T, p, other *app.Project, m *apptest.Machine)
	crumb := func(text string) act {
		return func(t *testing.T, p, _ *app.Project, _ *apptest.Machine) {
			write(t, filepath.Join(string(p.StateDir), "crumbs", apptest.CrumbsOf(t, p)[0].ID+".crumb.json"), text)
		}
	}
	lose := func(then act) act {
		return func(t *testing.T, p, other *app.Project, m *apptest.Machine) {
			apptest.Lose(t, p)
			if then != nil {
				then(t, p, other, m)
			}
		}
	}
	for _, test := range []struct {
		name    string
		act     act
		why     answer.Lost
		gone    bool
		command string
		useless bool // the breadcrumb
	}{
		{"it is there", func(*testing.T, *app.Project, *app.Project, *apptest.Machine) {}, "", false, "", false},
		{"its file is gone", lose(nil), answer.LostFile, false, "gsd restore ID", false},
		{"its plan, too", lose(func(_ *testing.T, p, _ *app.Project, _ *apptest.Machine) {
			os.Remove(filepath.Join(p.Dir, plan(1)))
		}), answer.LostFile, true, "gsd restore --list", false},
		{"its plan has moved", lose(func(t *testing.T, p, _ *app.Project, _ *apptest.Machine) {
			write(t, filepath.Join(p.Dir, ".planning/phases/04-x/04-01-PLAN.md"), textOfFile(p, plan(1)))
			os.Remove(filepath.Join(p.Dir, plan(1)))
		}), answer.LostFile, false, "gsd restore ID", false},
		{"its plan is done", lose(func(t *testing.T, p, _ *app.Project, _ *apptest.Machine) {
			write(t, filepath.Join(p.Dir, filepath.Dir(plan(1)), "03-01-SUMMARY.md"), "x")
		}), "", false, "", true},
		{"another is in its place", lose(func(t *testing.T, p, _ *app.Project, _ *apptest.Machine) { bootstrapAt(t, p, plan(2), now) }), answer.LostPlace, false, "gsd restore ID", false},
		{"a later one on its plan, which is as far", lose(func(t *testing.T, p, _ *app.Project, _ *apptest.Machine) {
			bootstrapAt(t, p, plan(1), now.Add(time.Hour))
			apptest.Mark(t, p, 1, complete)
		}), "", false, "", false},
		{"a later one on its plan, which is not", lose(func(t *testing.T, p, _ *app.Project, _ *apptest.Machine) {
			bootstrapAt(t, p, plan(1), now.Add(time.Hour))
		}), answer.LostPlace, false, "gsd restore ID", false},
		{"a run is at work on that", lose(func(t *testing.T, p, _ *app.Project, _ *apptest.Machine) {
			bootstrapAt(t, p, plan(2), now)
			apptest.StartRun(t, apptest.As(p, apptest.AgentCaller("x", 200)), now)
			apptest.Mark(t, p, 1, planfile.InProgress)
			apptest.As(p, run.Caller{})
		}), answer.LostPlace, false, "gsd run list -C DIR", false},
		{"somebody else has its plan", lose(func(t *testing.T, p, _ *app.Project, _ *apptest.Machine) {
			q := again(t, p, p.Dir)
			q.StateDir = "" // it is not this account's
			on(t, q, "bob", 1)
		}), answer.LostFile, false, "gsd status -C DIR", false},
		{"it is torn", func(t *testing.T, p, _ *app.Project, _ *apptest.Machine) {
			text := textOfFile(p, sessionPath)
			write(t, filepath.Join(p.Dir, sessionPath), text[:strings.LastIndex(text, "<task")])
		}, answer.LostTorn, false, "gsd restore ID", false},
		{"it cannot be read", func(t *testing.T, p, _ *app.Project, _ *apptest.Machine) {
			os.Remove(filepath.Join(p.Dir, sessionPath))
			os.Mkdir(filepath.Join(p.Dir, sessionPath), 0o777)
		}, "", false, "", false},
		{"its project cannot be read", func(t *testing.T, p, _ *app.Project, _ *apptest.Machine) {
			os.Rename(filepath.Join(p.Dir, ".planning"), filepath.Join(p.Dir, "plans"))
			if err := os.Symlink("plans", filepath.Join(p.Dir, ".planning")); err != nil {
				t.Skip(err)
			}
		}, "", false, "", false},
		{"no plans are left", func(_ *testing.T, p, _ *app.Project, _ *apptest.Machine) {
			os.RemoveAll(filepath.Join(p.Dir, ".planning"))
		}, answer.LostPlans, true, "gsd restore --list", false},
		{"no project is left", func(_ *testing.T, p, _ *app.Project, _ *apptest.Machine) { os.RemoveAll(p.Dir) }, answer.LostProject, true, "gsd restore --list", false},
		{"it is archived, and the breadcrumb does not say so", func(t *testing.T, p, _ *app.Project, _ *apptest.Machine) {
			text := textOfFile(p, sessionPath)
			apptest.Lose(t, p)
			write(t, filepath.Join(p.Dir, sessionsPath, "current-plan.20260304120000.stale"), text)
		}, "", false, "", true},
		{"the breadcrumb is damaged", crumb("{"), answer.LostCorrupt, false, "gsd restore ID", false},
	} {
		p, other, m := twoTrees(t)
		on(t, p, "ada", 1, complete)
		id := crumbsOf(t, p)[0].ID
		test.act(t, p, other, m)
		all := slices.DeleteFunc(lostSessions(t, p, now), func(l answer.LostSession) bool { return l.ID != id })
		var why answer.Lost
		gone, command := false, ""
		if len(all) > 0 {
			why, gone, command = all[0].Why, all[0].Gone, strings.NewReplacer(id, "ID", p.Dir, "DIR").Replace(action.Line(all[0].Restore().Words()))
		}
		if why != test.why || gone != test.gone || command != test.command {
			t.Errorf("%s: %q, gone %v, %q", test.name, why, gone, command)
		}
		crumbs, err := p.StateDir.Crumbs("")
		f := history.CrumbClassifier{World: p.World, Budget: durable.NewBudget(project.CommandFiles * project.DefaultLimit)}
		for _, c := range crumbs.Good {
			if c.ID != id {
				continue
			}
			if _, useless := f.Classify(&c); useless != test.useless {
				t.Errorf("%s: useless: %t", test.name, useless)
			}
		}
		if err != nil {
			t.Error(err)
		}
		f.Close()
	}
}

// TestLostHere: which lost session is meant where none is named, or the beginning of an id.
func TestLostHere(t *testing.T) {
	p, _, _ := twoTrees(t)
	here := func() (plan string, kind problem.Kind) {
		lost, err := history.LostHere(p.Project, user)
		if lost != nil {
			plan = lost.Plan
		}
		var e *problem.Error
		if errors.As(err, &e) {
			kind = e.Kind
		}
		return plan, kind
	}
	want := func(plan string, kind problem.Kind) {
		t.Helper()
		if got, is := here(); got != plan || is != kind {
			t.Errorf("%q, %d, want %q", got, is, plan)
		}
	}
	want("", 0)
	on(t, p, user, 1, complete)
	on(t, p, user, 2, complete)
	lose(t, p)
	want(plan(2), 0) // the other had already made way for it
	on(t, p, user, 3, complete)
	lose(t, p)
	want("", problem.MissingInput)
	ids := session.CrumbPrefix(p.Dir, user)
	if _, err := history.LostByID(p.World, ids); err == nil {
		t.Error("an ambiguous id")
	}
	list := lostSessions(t, p, now)
	if history.ShowLost(p.Project, list[:1]); len(list) != 3 || apptest.CrumbsOf(t, p)[0].Shown.IsZero() && apptest.CrumbsOf(t, p)[1].Shown.IsZero() && apptest.CrumbsOf(t, p)[2].Shown.IsZero() {
		t.Errorf("%+v", list)
	}
	if done, err := history.Forget(p.World, list[0].ID); err != nil || done.Forgotten.ID != list[0].ID || len(lostSessions(t, p, now)) != 2 {
		t.Errorf("%+v, %v", done, err)
	}
	_, err := history.Forget(p.World, list[0].ID)
	apptest.WantKind(t, err, problem.MissingInput)
	if _, err := history.Lost(verdict.World{}); err == nil {
		t.Error("without a state directory")
	}
	if w := history.UnreadCrumbs(session.Crumbs{Unread: 1}); len(w) != 1 || w[0].Count != 1 || history.UnreadCrumbs(session.Crumbs{}) != nil {
		t.Errorf("%+v", w)
	}
	if history.IsBegun(&session.Crumb{Tasks: []progress.Task{{Status: "pending"}}}) || !history.IsBegun(&session.Crumb{Tasks: []progress.Task{{Status: "pending"}, {Status: "in-progress"}}}) {
		t.Error("IsBegun")
	}
	p.StateDir = ""
	want("", 0)
}

// TestRemembered: which breadcrumbs count while there is a session, and which are dropped when a new one has all that they have.
func TestRemembered(t *testing.T) {
	archives := func(p *app.Project) {
		names, _ := filepath.Glob(filepath.Join(p.Dir, sessionsPath, "*.stale"))
		for _, name := range names {
			os.Remove(name)
		}
	}
	for _, test := range []struct {
		name   string
		act    func(t *testing.T, p *app.Project)
		lost   int // as gsd hydrate says
		crumbs int
	}{
		{"an archive", func(*testing.T, *app.Project) {}, 0, 2},
		{"an archive was removed", func(_ *testing.T, p *app.Project) { archives(p) }, 0, 2}, // bootstrap will find it
		{"the session, too", func(t *testing.T, p *app.Project) { lose(t, p) }, 2, 2},
		{"the session is torn", func(t *testing.T, p *app.Project) {
			text := textOfFile(p, sessionPath)
			write(t, filepath.Join(p.Dir, sessionPath), text[:strings.LastIndex(text, "<task")])
		}, 1, 2},
		{"the session's plan was moved, and it torn", func(t *testing.T, p *app.Project) {
			text := textOfFile(p, sessionPath)
			write(t, filepath.Join(p.Dir, sessionPath), text[:strings.LastIndex(text, "<task")])
			os.Rename(filepath.Join(p.Dir, plan(2)), filepath.Join(p.Dir, plan(8)))
		}, 1, 2},
		{"begun again with its progress", func(t *testing.T, p *app.Project) {
			lose(t, p)
			on(t, p, user, 1)
		}, 1, 2},
		{"begun afresh", func(t *testing.T, p *app.Project) {
			lose(t, p)
			bootstrapAt(t, p, plan(1), now.Add(time.Hour))
		}, 1, 3},
		{"begun again on a plan that has lost a task", func(t *testing.T, p *app.Project) {
			lose(t, p)
			write(t, filepath.Join(p.Dir, plan(1)), apptest.TasksOf("B0", "C0"))
			on(t, p, user, 1)
		}, 1, 3},
	} {
		p, _, _ := twoTrees(t)
		on(t, p, user, 1, complete)
		if _, err := apptest.At(p, now.Add(time.Minute)).Bootstrap(t.Context(), app.BootstrapOptions{User: user, Plan: plan(2)}); err != nil {
			t.Fatal(err)
		}
		apptest.Mark(t, p, 1, complete)
		test.act(t, p)
		lost := assessed(t, again(t, p, p.Dir), now).Lost
		if crumbs := crumbsOf(t, p); len(lost) != test.lost || len(crumbs) != test.crumbs {
			t.Errorf("%s: %d lost, %d breadcrumbs", test.name, len(lost), len(crumbs))
		}
	}
}

// TestSamePlan: a session is not on a copy of its plan, unless that was moved there, or changed since.
func TestSamePlan(t *testing.T) {
	for _, test := range []struct {
		name string
		act  func(t *testing.T, p *app.Project)
		want string
	}{
		{"a copy", func(*testing.T, *app.Project) {}, ""},
		{"the plan has other tasks", func(t *testing.T, p *app.Project) {
			write(t, filepath.Join(p.Dir, plan(1)), apptest.TasksOf("X"))
		}, "1 complete"},
		{"the plan is gone", func(_ *testing.T, p *app.Project) { os.Remove(filepath.Join(p.Dir, plan(1))) }, "1 complete"},
		{"a plan was inserted", func(t *testing.T, p *app.Project) {
			write(t, filepath.Join(p.Dir, plan(9)), apptest.TasksOf("A0", "B0", "C0", "D0"))
			write(t, filepath.Join(p.Dir, plan(1)), apptest.TasksOf("X"))
		}, "1 complete"},
		{"a plan was inserted, which shares a task", func(t *testing.T, p *app.Project) {
			write(t, filepath.Join(p.Dir, plan(9)), apptest.TasksOf("A0", "B0", "C0", "D0"))
			write(t, filepath.Join(p.Dir, plan(1)), apptest.TasksOf("X", "B0"))
		}, ""},
	} {
		p, _, _ := twoTrees(t)
		on(t, p, user, 1, complete)
		write(t, filepath.Join(p.Dir, plan(9)), textOfFile(p, plan(1)))
		test.act(t, p)
		if got := carried(on(t, again(t, p, p.Dir), user, 9)); got != test.want {
			t.Errorf("%s: carried %q, want %q", test.name, got, test.want)
		}
	}
}

// TestSummarySince: a plan that got its summary after a session began is done, and started again with --again.
func TestSummarySince(t *testing.T) {
	p, _, _ := twoTrees(t)
	on(t, p, user, 1, complete, complete, complete)
	summary := filepath.Join(p.Dir, filepath.Dir(plan(1)), "03-01-SUMMARY.md")
	write(t, summary, "x")
	o := app.BootstrapOptions{User: user, Plan: plan(1), Again: true}
	done, err := again(t, p, p.Dir).Bootstrap(t.Context(), o)
	if err != nil || done.Token != "1" || len(done.Carried) > 0 {
		t.Errorf("begun again: %+v, %v", done, err)
	}
	on(t, again(t, p, p.Dir), user, 2)
	if done, err = again(t, p, p.Dir).Bootstrap(t.Context(), o); err != nil || done.Token != "1" {
		t.Errorf("once more: %+v, %v", done, err)
	}
	if moved := history.MovedTo(p.Project, &session.Crumb{Plan: "gone"}); moved != "" {
		t.Error(moved)
	}
}

// TestTwoUsers: whose session is where does not depend on whose breadcrumb comes first.
func TestTwoUsers(t *testing.T) {
	p, _, _ := twoTrees(t)
	on(t, p, "ada", 1, complete)
	on(t, p, "bob", 2, complete)
	on(t, p, "cyd", 3, complete)
	os.RemoveAll(filepath.Join(p.Dir, ".planning/sessions/bob"))
	if all := lostSessions(t, p, now); len(all) != 1 || all[0].User != "bob" {
		t.Errorf("%+v", all)
	}
}
