package status_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/overview"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/planfile"
)

// TestWorkstreamCount: another workstream has the count that its own status has.
func TestWorkstreamCount(t *testing.T) {
	p := projectOf(t, map[string]string{
		"workstreams/api/phases/01-a/01-01-PLAN.md": "wave: 1", "workstreams/api/phases/01-a/01-02-SUMMARY.md": "", "workstreams/api/phases/00-idea/00-01-PLAN.md": "wave: 1",
		"workstreams/api/phases/01-b/01-01-PLAN.md": "wave: 1", "phases/01-x/01-01-PLAN.md": "wave: 1",
	})
	st, err := status.Of(p, status.Options{User: "ada"})
	if err != nil {
		t.Fatal(err)
	}
	if len(st.Workstreams) != 1 || st.Workstreams[0].Done != 1 || st.Workstreams[0].Total != 2 {
		t.Errorf("%+v", st.Workstreams)
	}
}

// TestLinkedWorkstream: a link to a workstream is another name of it, to be chosen by, and no other workstream.
func TestLinkedWorkstream(t *testing.T) {
	p := projectOf(t, map[string]string{"workstreams/api/phases/01-a/01-01-PLAN.md": "wave: 1"})
	if err := os.Symlink("api", filepath.Join(p.Dir, ".planning", "workstreams", "current")); err != nil {
		t.Skip("no links here:", err)
	}
	for _, name := range []string{"", "api", "current"} {
		p := reopen(t, p.Dir)
		p.Planning.Workstream = name
		if err := p.Choose("ada"); err != nil || p.Base() != ".planning/workstreams/api" {
			t.Fatal(p.Base(), err)
		}
		st := statusOf(t, p, "ada")
		if st.Next.ID != "01-01" || st.Next.Ambiguous || len(st.Warnings) > 0 {
			t.Errorf("%q: next %+v, warnings %+v", name, st.Next, st.Warnings)
		}
	}
}

// gsd next and gsd status name the same plan.
func TestNextIsStatusNext(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string // the phase
	}{
		{name: "plain", files: map[string]string{"phases/03-a/03-01-PLAN.md": ""}, want: "3"},
		{
			name: "archived phases that the roadmap does not tick",
			files: map[string]string{
				"ROADMAP.md": "## v1.0 Old\n### Phase 1: A\n## v1.1 New\n### Phase 2: B\n", "milestones/v1.0-phases/01-a/01-01-PLAN.md": "",
				"milestones/v1.0-phases/01-a/01-01-SUMMARY.md": "",
			},
			want: "2",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := projectOf(t, c.files)
			answer, err := reopen(t, p.Dir).Next("ada")
			if err != nil {
				t.Fatal(err)
			}
			n, st := answer.Next, statusOf(t, p, "ada")
			if n.Phase != c.want || st.Next.Phase != c.want || st.Next.Plan != n.Plan {
				t.Errorf("next is %q of phase %q, in status %q of phase %q; want phase %q", n.Plan, n.Phase, st.Next.Plan, st.Next.Phase, c.want)
			}
		})
	}
}

func TestNextReadsOnly(t *testing.T) {
	p := projectOf(t, map[string]string{"phases/03-a/03-01-PLAN.md": "", "ROADMAP.md": "### Phase 3: A\n"})
	before := takePicture(t, p.Dir)
	if _, err := reopen(t, p.Dir).Next("ada"); err != nil {
		t.Fatal(err)
	}
	if _, err := status.Of(p, status.Options{User: "ada", Timeline: true}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, takePicture(t, p.Dir)); diff != "" {
		t.Error(diff)
	}
}

func statusOf(t *testing.T, p *app.Project, user string) *status.Status {
	t.Helper()
	st, err := status.Of(p, status.Options{User: user})
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func TestStatusWaiting(t *testing.T) {
	p := projectOf(t, map[string]string{"phases/03-a/03-01-PLAN.md": "", "phases/03-a/03-02-PLAN.md": "depends_on: [03-01]\n"})
	st, err := status.Of(p, status.Options{User: "ada"})
	if err != nil {
		t.Fatal(err)
	}
	if plans := st.Phases[0].Plans; plans[0].WaitsFor != nil || !slices.Equal(plans[1].WaitsFor, []string{"03-01"}) {
		t.Errorf("%+v", plans)
	}
}

// TestStatusMarked: the tasks that runs have marked are there for the page, which shows the timeline, the last one first, and for nobody
// else.
func TestStatusMarked(t *testing.T) {
	p, _ := newWorld(t)
	startOn(t, p, "ada", "phases/03-api/03-01-PLAN.md", 0)
	as(p, run.Caller{Host: "claude", Conversation: "c1", PID: 200})
	if _, err := p.StartRun(t.Context(), app.StartRunOptions{User: "ada"}); err != nil {
		t.Fatal(err)
	}
	for n := range 2 {
		if _, err := apptest.At(p, p.Now.Add(time.Minute)).Mark(t.Context(), app.MarkOptions{User: "ada", Number: n + 1, Status: planfile.InProgress}); err != nil {
			t.Fatal(err)
		}
	}
	for _, timeline := range []bool{false, true} {
		st, err := status.Of(p, status.Options{User: "ada", Timeline: timeline})
		if err != nil {
			t.Fatal(err)
		}
		if len(st.Runs) != 1 || (len(st.Marked) == 2) != timeline || timeline && st.Marked[0].Number != 2 {
			t.Errorf("with the timeline %v: %d runs, %+v", timeline, len(st.Runs), st.Marked)
		}
	}
}

// TestStatusCountsCommits: what commits show of somebody's session counts for its plan as in its row.
func TestStatusCountsCommits(t *testing.T) {
	p := projectOf(t, filesIn("phases/01-a/01-01-PLAN.md"))
	commitAll(t, p, 0, "docs: plan")
	startOn(t, p, "bob", "phases/01-a/01-01-PLAN.md", 0)
	commitAll(t, p, 1, "feat(01-01): one")
	commitAll(t, p, 2, "feat(01-01): two")
	st, err := status.Of(p, status.Options{User: "ada"})
	if err != nil || len(st.Sessions) != 1 {
		t.Fatalf("%+v, %v", st, err)
	}
	if plan := st.Phases[0].Plans[0]; plan.Status != overview.PlanDue || st.Sessions[0].Done != 2 {
		t.Errorf("%+v; %+v", plan, st.Sessions[0])
	}
}

// TestStatusOfEverybody: sessions, runs, lost sessions and other work of all users, here and in another worktree.
func TestStatusOfEverybody(t *testing.T) {
	p, m := newWorld(t)
	m.Self.PID = 0
	at := func(name string) string { return filepath.Join(p.Dir, ".planning", name) }
	for _, name := range strings.Fields("phases/01-a/01-01 phases/01-a/01-02 phases/02-b/02-01 phases/1-again/01-07 workstreams/web/phases/01-w/01-01 workstreams/web/phases/01-w/01-02 quick/1-fix/1") {
		write(t, at(name+"-PLAN.md"), onePlan(""))
	}
	write(t, at("workstreams/web/phases/01-w/01-01-SUMMARY.md"), "x")
	if err := os.MkdirAll(at("workstreams/empty/phases"), 0o777); err != nil {
		t.Fatal(err)
	}
	commitAll(t, p, 0, "docs: plan")
	commitAll(t, p, 1, "feat(02-01): x")
	commitAll(t, p, 2, "feat(01-02): y")
	other := filepath.Join(t.TempDir(), "other")
	cmd := exec.Command("git", "worktree", "add", "-q", "--detach", other)
	cmd.Dir = p.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	there := reopen(t, other)
	there.World = p.World
	startOn(t, there, "ada", "phases/01-a/01-01-PLAN.md", 1)
	startOn(t, there, "bob", "phases/1-again/01-07-PLAN.md", 0)
	startOn(t, p, "bob", "phases/01-a/01-02-PLAN.md", 0)
	startOn(t, p, "ada", "phases/03-api/03-01-PLAN.md", 0)
	for _, o := range []struct {
		user string
		pid  int
	}{{"ada", 200}, {"bob", 100}} {
		as(p, run.Caller{Host: "claude", Conversation: o.user, PID: o.pid})
		if _, err := p.StartRun(t.Context(), app.StartRunOptions{User: o.user}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Mark(t.Context(), app.MarkOptions{User: "bob", Number: 1, Status: planfile.InProgress}); err != nil {
		t.Fatal(err)
	}
	delete(m.Processes, 100) // so bob's task is interrupted
	write(t, at("phases/05-late/05-01-PLAN.md"), onePlan(""))
	startOn(t, p, "cyd", "phases/05-late/05-01-PLAN.md", 1)
	os.RemoveAll(at("sessions/cyd"))
	startOn(t, p, "dot", "workstreams/web/phases/01-w/01-02-PLAN.md", 1)
	write(t, at("sessions/dan/current-plan.md"), "corrupt")
	write(t, at("sessions/dan/.guard"), "")
	if err := os.MkdirAll(at("sessions/eve/current-plan.md"), 0o777); err != nil {
		t.Fatal(err)
	}
	look := func(user string) (sessions, rest []string) {
		q := reopen(t, p.Dir)
		q.World = p.World
		as(q, run.Caller{})
		st, err := status.Of(q, status.Options{User: user, Timeline: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range st.Sessions {
			sessions = append(sessions, fmt.Sprint(s.User, " ", s.Verdict, " ", s.ID, " ", s.Own, " ", s.Resume != nil && s.Resume.Interrupted, " ", s.Worktree == other))
		}
		for _, r := range st.Runs {
			rest = append(rest, fmt.Sprint(r.User, " runs, mine ", r.Mine))
		}
		for _, w := range st.Warnings {
			rest = append(rest, w.Code)
		}
		for _, w := range st.Incomplete {
			rest = append(rest, fmt.Sprint(w.Kind, " ", w.ID))
		}
		for _, w := range st.Workstreams {
			rest = append(rest, fmt.Sprint(w.Name, " ", w.Done, "/", w.Total))
		}
		for _, span := range st.Timeline {
			rest = append(rest, fmt.Sprint(span.ID, " ", span.Phase, " ", span.Commits, " ", span.Done))
		}
		return sessions, append(rest, fmt.Sprint("lost ", st.Lost), st.Project, st.Latest.What, st.Next.ID)
	}
	title := filepath.Base(p.Dir)
	sessions, rest := look("ada")
	if diff := cmp.Diff([]string{
		"ada resume 03-01 true false false", "bob resume 01-02 false true false", "dan corrupt  false false false",
		"dot resume 01-02 false false false", // in a workstream
		"ada resume 01-01 true false true", "bob resume 01-07 false false true",
	}, sessions); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{
		"ada runs, mine true", "bob runs, mine false", answer.SessionUnreadable, status.PhaseRepeated, "plan 02-01", "empty 0/0", "web 1/2",
		"02-01 2 1 false", "01-02 1 1 false", "lost 0", title, "feat(01-02): y", "03-01",
	}, rest); diff != "" {
		t.Error(diff)
	}
	sessions, rest = look("cyd")
	if diff := cmp.Diff([]string{
		"ada resume 03-01 false false false", "bob resume 01-02 false true false", "dan corrupt  false false false",
		"dot resume 01-02 false false false",
		"ada resume 01-01 false false true", "bob resume 01-07 false false true",
	}, sessions); diff != "" {
		t.Error(diff)
	}
	if !slices.Contains(rest, "lost 1") || !slices.Contains(rest, "ada runs, mine false") {
		t.Error(rest)
	}
}

// TestBrokenHistory: a history that cannot be read is a warning.
func TestBrokenHistory(t *testing.T) {
	p := projectOf(t, filesIn("phases/01-a/01-01-PLAN.md"))
	commitAll(t, p, 0, "docs: plan")
	write(t, filepath.Join(p.Dir, ".git/HEAD"), "nonsense\n")
	st, err := status.Of(reopen(t, p.Dir), status.Options{User: "ada", Timeline: true})
	if err != nil || len(st.Warnings) != 1 || len(st.Timeline) > 0 {
		t.Errorf("%+v, %v", st, err)
	}
}
