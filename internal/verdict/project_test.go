package verdict_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/internal/view"
	"github.com/gsd-cli/gsd/planfile"
)

// aPlan is a plan of tasks, NAME or NAME:TEXT each.
func aPlan(tasks string) string {
	var b strings.Builder
	for _, task := range strings.Fields(tasks) {
		name, text, _ := strings.Cut(task, ":")
		b.WriteString("<task type=\"auto\">\n<name>" + name + "</name>\n" + text + "\n</task>\n")
	}
	return b.String()
}

// TestJudgeOnDisk: what became of the plan of a session, and of the roadmap.
func TestJudgeOnDisk(t *testing.T) {
	const dir = ".planning/phases/03-api/"
	type files = map[string]string // "" removes one
	for _, test := range []struct {
		name string
		then files
		want string
	}{
		{"nothing has changed", nil, "resume"},
		{"another text", files{planPath: aPlan("A:x B:y C:other")}, "resume plan-edited"},
		{"only other white space", files{planPath: strings.ReplaceAll(aPlan("A:x B:y C:z"), "x\n", "x \n")}, "resume plan-edited"},
		{"one more task", files{planPath: aPlan("A:x B:y C:z D:w")}, "stale task-count"},
		{"empty", files{planPath: " "}, "resume plan-unreadable"},
		{"gone", files{planPath: ""}, "stale plan-missing"},
		{"moved", files{planPath: "", ".planning/phases/04-x/04-01-PLAN.md": aPlan("A:x B:y C:z")}, "stale plan-missing .planning/phases/04-x/04-01-PLAN.md"},
		{"renamed, with its id and one of its tasks", files{planPath: "", dir + "03-01-new-PLAN.md": aPlan("A:x D E F")}, "stale plan-missing " + dir + "03-01-new-PLAN.md"},
		{"another id, and two of its three tasks", files{planPath: "", dir + "03-07-PLAN.md": aPlan("A:x B:y D")}, "stale plan-missing " + dir + "03-07-PLAN.md"},
		{"another id, and one of its tasks", files{planPath: "", dir + "03-07-PLAN.md": aPlan("A:x E D")}, "stale plan-missing"},
		{"another id, and no text of its tasks", files{planPath: "", dir + "03-07-PLAN.md": aPlan("A:1 B:2 C:3")}, "stale plan-missing"},
		{"two that are as much like it", files{planPath: "", dir + "03-07-PLAN.md": aPlan("A:x B:y D"), dir + "03-08-PLAN.md": aPlan("A:x B:y E")}, "stale plan-missing"},
		{"one of two is more like it", files{planPath: "", dir + "03-07-PLAN.md": aPlan("A:x B:y D"), dir + "03-08-PLAN.md": aPlan("A:x B:y C:z D")}, "stale plan-missing " + dir + "03-08-PLAN.md"},
		{"a summary", files{dir + "03-01-SUMMARY.md": "done"}, "stale plan-completed"},
		{"archived with its summary", files{planPath: "", ".planning/milestones/v1-phases/03-api/03-01-PLAN.md": aPlan("A:x B:y C:z"), ".planning/milestones/v1-phases/03-api/03-01-SUMMARY.md": "x"}, "stale plan-missing plan-completed .planning/milestones/v1-phases/03-api/03-01-PLAN.md"},
		{"the roadmap moved on", files{".planning/ROADMAP.md": "- [x] Phase 3: A\n\n| Phase | Status |\n|---|---|\n| 4. B | In progress |\n"}, "stale phase-advanced"},
		{"the roadmap is binary", files{".planning/ROADMAP.md": "\xff\xfe#\x00 \x00A\x00\n\x00"}, "resume roadmap-unreadable"},
	} {
		p, _ := newWorld(t)
		write(t, filepath.Join(p.Dir, planPath), aPlan("A:x B:y C:z"))
		write(t, filepath.Join(p.Dir, ".planning/ROADMAP.md"), "- [ ] Phase 3: A\n- [ ] Phase 4: B\n")
		bootstrapAt(t, p, planPath, now)
		for name, text := range test.then {
			if write(t, filepath.Join(p.Dir, name), text); text == "" {
				os.Remove(filepath.Join(p.Dir, name))
			}
		}
		r, err := reopen(t, p.Dir).Hydrate(user)
		if err != nil {
			t.Fatal(err)
		}
		words := []string{string(r.Verdict)}
		for _, s := range r.Stale {
			words = append(words, string(s.Reason))
		}
		for _, w := range r.Warnings {
			words = append(words, w.Code)
		}
		if r.Plan.Moved != "" {
			words = append(words, r.Plan.Moved)
		}
		if got := strings.Join(words, " "); got != test.want || r.Summary != dir+"03-01-SUMMARY.md" {
			t.Errorf("%s: %s, want %s; the summary goes to %s", test.name, got, test.want, r.Summary)
		}
	}
}

// TestAgain: a summary that was there when the session began does not end it, until it is another.
func TestAgain(t *testing.T) {
	p, _ := newWorld(t)
	summary := filepath.Join(p.Dir, ".planning/phases/03-api/03-01-SUMMARY.md")
	write(t, summary, "old")
	if _, err := p.Bootstrap(t.Context(), app.BootstrapOptions{User: user, Plan: planPath, Again: true}); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]answer.Verdict{"old": answer.Resume, "new": answer.Stale} {
		write(t, summary, text)
		if r, err := reopen(t, p.Dir).Hydrate(user); err != nil || r.Verdict != want {
			t.Errorf("%s: %v, %v", text, r.Verdict, err)
		}
	}
}

// TestWorkedOn: commits since the session began outweigh a roadmap that has moved on.
func TestWorkedOn(t *testing.T) {
	for began, want := range map[time.Time]answer.Verdict{now: answer.Resume, now.Add(1000 * time.Hour): answer.Stale} {
		p, _ := newWorld(t)
		roadmap := filepath.Join(p.Dir, ".planning/ROADMAP.md")
		write(t, roadmap, "- [ ] Phase 3: A\n- [ ] Phase 4: B\n")
		bootstrapAt(t, p, planPath, began)
		commitAll(t, p, 0, "docs: plan")
		commitAll(t, p, 1, "feat(03-01): A")
		write(t, roadmap, "- [x] Phase 3: A\n\n| Phase | Status |\n|---|---|\n| 4. B | In progress |\n")
		r, err := reopen(t, p.Dir).Hydrate(user)
		if err != nil || r.Verdict != want {
			t.Errorf("began %v: %v %+v, %v", began, r.Verdict, r.Roadmap, err)
		}
		if want == answer.Resume && (len(r.Warnings) != 1 || r.Warnings[0].Code != string(answer.PhaseAdvanced)) {
			t.Error(r.Warnings)
		}
	}
}

// The facts about a plan that the rules go by.
func TestPlanFacts(t *testing.T) {
	t.Parallel()
	file := planfile.Parse([]byte("---\ntype: tdd\n---\n<task type=\"auto\" tdd=\"true\">\n<name>One</name>\n<files>a.go, `b/c.go`\n d.go</files>\n</task>\n<task type=\"checkpoint:decision\">\n<name>Two</name>\n</task>\n"))
	want := evidence.Plan{
		Path: planPath, Root: ".planning", ID: "03-01",
		Tasks: []evidence.Task{{Number: 1, Name: "One", Files: []string{"a.go", "b/c.go", "d.go"}, Type: "auto", TDD: true}, {Number: 2, Name: "Two", Type: "checkpoint:decision"}},
	}
	if diff := cmp.Diff(want, verdict.PlanFacts(planPath, file, true)); diff != "" {
		t.Error(diff)
	}
	want.Tasks[0].Files = nil
	if diff := cmp.Diff(want, verdict.PlanFacts(planPath, file, false)); diff != "" {
		t.Error(diff)
	}
	long := planfile.Parse([]byte(strings.Repeat("<task><files>"+strings.Repeat("x ", 600)+"</files></task>\n", 3)))
	facts := verdict.PlanFacts(planPath, long, true)
	if a, b, c := len(facts.Tasks[0].Files), len(facts.Tasks[1].Files), len(facts.Tasks[2].Files); a != 600 || b != 400 || c != 0 {
		t.Errorf("%d, %d and %d files", a, b, c)
	}
}

// TestRunList lists the latest runs and all that are open, and says what could not be read.
func TestRunList(t *testing.T) {
	p, _ := newWorld(t)
	bootstrap(t, p)
	const at = `"2026-01-01T00:00:00Z"`
	var runs []string
	for i := range 25 {
		end := `,"end":{"status":"failure","cause":"user","at":` + at + `}`
		if i == 2 {
			end = ""
		}
		runs = append(runs, fmt.Sprintf(`{"id":"r%02d","token":"t","host":"h","owner":{"host_name":"far"},"started":%s,"seen":%s,"ttl":1%s}`, i, at, at, end))
	}
	file := filepath.Join(p.Dir, p.Session(user).RunsFile())
	write(t, file, `{"runs":[`+strings.Join(runs, ",")+`]}`)
	list, err := p.RunList(user)
	if err != nil || len(list.Runs) != 25 || list.Runs[0].ID != "r24" || list.Runs[22].Status != "" || len(list.Warnings) > 0 {
		t.Errorf("%+v, %v", list, err)
	}
	startRun(t, as(p, agentCaller("a", 200)), now) // the latest 20 of those that have ended stay
	if list, err = p.RunList(user); err != nil || len(list.Runs) != 22 || list.Runs[21].ID != "r02" || list.Runs[20].ID != "r05" {
		t.Errorf("%+v, %v", list, err)
	}
	write(t, file, "{")
	if list, err := p.RunList(user); err != nil || len(list.Runs) > 0 || len(list.Warnings) != 1 || list.Warnings[0].Code != answer.RunsDamaged {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestShared: under which name a plan is shared, and what is known of it.
func TestShared(t *testing.T) {
	p := projectOf(t, filesIn("phases/03-a/03-01-PLAN.md"))
	for plan, want := range map[string]string{".planning/phases/03-a/03-01-PLAN.md": "phases/03-a/03-01-PLAN.md", "phases/x": "", ".planning/../x": ""} {
		name, ok := p.SharedPlan(plan)
		if ok != (want != "") || ok && (name != want || p.PlanOfShared(name) != plan) {
			t.Errorf("%s: %q, %v", plan, name, ok)
		}
	}
	for _, name := range []string{"a/.planning/phases/03-a/03-01-PLAN.md", "sessions/ada/x.md", "phases/03-a/03-01-SUMMARY.md"} {
		if got := p.PlanOfShared(name); got != "" {
			t.Errorf("%s is %s", name, got)
		}
	}
	commitAll(t, p, 0, "docs: plan")
	sub := filepath.Join(p.Dir, "sub")
	write(t, filepath.Join(sub, ".planning/phases/03-a/03-01-PLAN.md"), aPlan("A"))
	below := reopen(t, sub)
	name, ok := below.SharedPlan(".planning/phases/03-a/03-01-PLAN.md")
	if !ok || name != "sub/.planning/phases/03-a/03-01-PLAN.md" || below.PlanOfShared(name) != ".planning/phases/03-a/03-01-PLAN.md" || below.PlanOfShared("phases/03-a/03-01-PLAN.md") != "" {
		t.Errorf("%s, %v", name, ok)
	}
	write(t, filepath.Join(p.Planning.GitDir(), verdict.SharedFile("ada")), "damaged")
	if clones := p.Clones("ada"); len(clones) > 0 {
		t.Errorf("%+v", clones)
	}
	s := planfile.Parse([]byte("<!-- Plan: .planning/phases/03-a/03-01-PLAN.md -->\n\n<task status=\"odd\"><name>A</name></task>\n"))
	if ids, statuses := verdict.SharedTasks(s); len(ids) != 1 || statuses[0] != planfile.Pending {
		t.Errorf("%q %q", ids, statuses)
	}
}

// TestBreadcrumbs: whether a session has one that is as new as it, and what is said if it cannot have.
func TestBreadcrumbs(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(p *app.Project, crumb, file string)
		want   string // the beginning of a warning
		writes bool
		kept   string // the code of the warning of one that was to be written
	}{
		{"it has one", func(*app.Project, string, string) {}, "", false, ""},
		{"it has none", func(_ *app.Project, crumb, _ string) { os.Remove(crumb) }, "", true, ""},
		{"there is nowhere for one", func(p *app.Project, _, _ string) { p.StateDir = "" }, "there is no directory for breadcrumbs, so", false, answer.CrumbInProject},
		{"none can be written", func(p *app.Project, crumb, _ string) {
			os.RemoveAll(filepath.Dir(crumb))
			os.WriteFile(filepath.Dir(crumb), nil, 0o666)
		}, "there is no breadcrumb, so", false, answer.CrumbInProject},
		{"none can be written anywhere", func(p *app.Project, crumb, file string) {
			os.RemoveAll(filepath.Dir(crumb))
			os.WriteFile(filepath.Dir(crumb), nil, 0o666)
			os.WriteFile(filepath.Join(filepath.Dir(file), "crumbs"), nil, 0o666)
		}, "there is no breadcrumb, so", false, answer.CrumbMissing},
		{"it is older", func(_ *app.Project, crumb, _ string) {
			os.Chtimes(crumb, now, now)
		}, "", true, ""},
		{"the session is torn", func(_ *app.Project, crumb, file string) {
			text, _ := os.ReadFile(file)
			os.WriteFile(file, text[:strings.LastIndex(string(text), "<task")], 0o666)
			os.Chtimes(crumb, now, now)
		}, "", false, ""},
		{"the session is corrupt", func(_ *app.Project, crumb, file string) {
			os.WriteFile(file, nil, 0o666)
			os.Remove(crumb)
		}, "", false, ""},
	} {
		p, _ := newWorld(t)
		bootstrapAt(t, p, planPath, now)
		file, dir := filepath.Join(p.Dir, ".planning/sessions/ada/current-plan.md"), string(p.StateDir)
		crumb := filepath.Join(dir, "crumbs", crumbsOf(t, p)[0].ID+".crumb.json")
		if _, err := os.Stat(crumb); err != nil {
			t.Fatal(err)
		}
		test.change(p, crumb, file)
		was, _ := os.Stat(crumb)
		r, err := p.Hydrate(user)
		if err != nil {
			t.Fatal(err)
		}
		p.CheckCrumb(r)
		checked := r.Warnings
		r.Warnings = nil
		p.KeepCrumb(r)
		is, _ := os.Stat(crumb)
		wrote := is != nil && (was == nil || !was.ModTime().Equal(is.ModTime()))
		said := ""
		for _, w := range checked {
			if w.Code == answer.CrumbMissing || w.Code == answer.CrumbOlder {
				said = view.WarningText(&w).String()
			}
		}
		kept := ""
		if len(r.Warnings) > 0 {
			kept = r.Warnings[0].Code
		}
		if wrote != test.writes || (said == "") != (test.want == "") || !strings.HasPrefix(said, test.want) || kept != test.kept {
			t.Errorf("%s: wrote %v, %q, %v", test.name, wrote, said, r.Warnings)
		}
	}
}

// TestLargeSession: with very many tasks, a breadcrumb has only their statuses.
func TestLargeSession(t *testing.T) {
	for n, named := range map[int]bool{session.MaxNamedTasks: true, session.MaxNamedTasks + 1: false} {
		p, _ := newWorld(t)
		write(t, filepath.Join(p.Dir, planPath), strings.Repeat("<task><name>A</name></task>\n", n))
		bootstrapAt(t, p, planPath, now)
		if c := crumbsOf(t, p)[0]; len(c.Tasks) != n || (c.Tasks[0].Name != "") != named || c.Current != 1 {
			t.Errorf("%d tasks: %d, the first is %+v, current %d", n, len(c.Tasks), c.Tasks[0], c.Current)
		}
	}
}

// TestChange: what is written under the guard is small enough, is tried again if an editor was faster, and fails with an Error.
func TestChange(t *testing.T) {
	p, _ := newWorld(t)
	bootstrap(t, p)
	p.Planning.Limit = 4
	if err := p.CheckSize("x", [][]byte{[]byte("12"), []byte("34")}); err != nil {
		t.Error(err)
	}
	wantKind(t, p.CheckSize("x", [][]byte{[]byte("12"), []byte("345")}), problem.Refused)
	err := p.Change(t.Context(), user, 0, func(l *verdict.Locked) error {
		if l.Report.Unread == nil || l.Report.Session != nil || l.Report.Path == "" {
			t.Errorf("too large: %+v", l)
		}
		return errors.New("why")
	})
	wantKind(t, err, problem.IO)
	p.Planning.Limit = project.DefaultLimit
	own := problem.Fail(problem.Usage, "h", "t")
	for _, err := range []error{
		p.Change(t.Context(), user, 0, func(*verdict.Locked) error { return own }),
		p.WithRuns(t.Context(), user, 0, func(*verdict.RunChange) error { return own }),
	} {
		if err != own {
			t.Error(err)
		}
	}
	wantKind(t, p.WithRuns(t.Context(), user, 0, func(*verdict.RunChange) error { return errors.New("x") }), problem.IO)
	wantKind(t, p.Change(t.Context(), user, 0, func(*verdict.Locked) error {
		if err := p.WithRuns(t.Context(), user, 0, func(*verdict.RunChange) error { return nil }); verdictKind(err) != problem.Busy {
			t.Errorf("the guard is taken twice: %v", err)
		}
		return p.Change(t.Context(), user, 0, func(*verdict.Locked) error { return nil })
	}), problem.Busy)
	if p.HasDirectory("nobody") || !p.HasDirectory(user) {
		t.Error("HasDirectory")
	}
}

func verdictKind(err error) problem.Kind {
	if e, ok := err.(*problem.Error); ok {
		return e.Kind
	}
	return 0
}

// TestRenew: who has the lease after somebody has marked a task.
func TestRenew(t *testing.T) {
	for _, test := range []struct {
		name   string
		act    func(p *app.Project) // before the mark by the conversation a
		holder string
		warned bool
	}{
		{"its own", func(*app.Project) {}, "a", false},
		{"nobody's", func(p *app.Project) { _ = freeLease(p.Dir) }, "a", false},
		{"another's, who lives", func(p *app.Project) {
			as(p, agentCaller("b", 100))
			hydrateStarting(t, p)
			_ = freeLease(p.Dir)
			startRun(t, p, now)
		}, "b", true},
	} {
		p, m := newWorld(t)
		m.Self.PID = 0
		bootstrap(t, p)
		ids := map[string]string{startRun(t, as(p, agentCaller("a", 200)), now).Run.ID: "a"}
		test.act(p)
		done := mark(t, as(p, agentCaller("a", 200)), 1, planfile.Complete)
		name := ids[holder(p).ID]
		if name == "" {
			name = "b"
		}
		warned := len(done.Warnings) > 0 && done.Warnings[0].Code == answer.LeaseElsewhere
		if name != test.holder || warned != test.warned {
			t.Errorf("%s: held by %s, %v", test.name, name, done.Warnings)
		}
	}
	p, _ := newWorld(t)
	if run := p.InUseBy(&answer.Report{User: user}); run != nil {
		t.Error(run)
	}
}

// Files in the directory of the sessions are nobody's, whatever they are called, and so are directories in which nothing is gsd's.
func TestUsersOnly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const seeds = "<!-- Session: ada -->\n<!-- Plan: .planning/phases/01-a/01-01-PLAN.md -->\n"
	for name, text := range map[string]string{
		"ada/current-plan.md": seeds, "bob/.guard": "", "cyd/runs.json": "{}", "eve/current-plan.md": "# Notes", "dan/x": "", "lock": "", "4fd1e2a0": "", "worker.json": "",
	} {
		at := filepath.Join(dir, ".planning", "sessions", filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o777), os.WriteFile(at, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	p, err := verdict.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	if got := p.Users(); !slices.Equal(got, []string{"ada", "bob", "cyd"}) {
		t.Errorf("%q", got)
	}
}
