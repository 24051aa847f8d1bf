package hydrate

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/roadmap"
)

// reported is a report in a few words.
func reported(r *Report) string {
	words := []string{string(r.Verdict), r.Token, r.On, fmt.Sprintf("%d/%d", r.Done, r.Total)}
	if r.Resume != nil {
		words = append(words, fmt.Sprintf("progress %d", r.Resume.Progress))
		if r.Resume.Interrupted {
			words = append(words, "interrupted")
		}
	}
	if r.Next != nil {
		words = append(words, "next "+r.Next.ID)
	}
	for _, run := range r.AtWork {
		words = append(words, "at work "+run.Host)
	}
	if r.Run != nil {
		words = append(words, "latest "+string(r.Run.State))
	}
	if r.Recovery != nil {
		words = append(words, shown(r.Recovery, nil)...)
	}
	for _, w := range r.Warnings {
		words = append(words, "warning "+w.Code)
	}
	return strings.Join(words, "; ")
}

// TestHydrateAll: what is told beside each verdict; and what an agent's brief has, which names the next plan to who has no
// session, too.
func TestHydrateAll(t *testing.T) {
	const summary, secondPlan = ".planning/phases/03-api/03-01-SUMMARY.md", ".planning/phases/03-api/03-02-PLAN.md"
	for _, test := range []struct {
		name        string
		do          func(t *testing.T, p *Project)
		want, brief string // brief is empty where it is the same
	}{
		{name: "resume", do: func(*testing.T, *Project) {}, want: "resume; 1; " + planPath + "; 0/3; progress 0; warning its-name"},
		{
			name: "interrupted", do: func(t *testing.T, p *Project) { mark(t, p, 2, planfile.InProgress); mark(t, p, 1, planfile.Complete) },
			want: "resume; 2; " + planPath + "; 1/3; progress 2; interrupted; warning its-name",
		},
		{
			name: "at work oneself", do: func(t *testing.T, p *Project) {
				startRun(t, p.as(agent("a", 200)), now)
				mark(t, p, 1, planfile.InProgress)
			},
			want: "resume; 1; " + planPath + "; 0/3; progress 3; latest active; warning its-name",
		},
		{
			name: "another at work", do: func(t *testing.T, p *Project) {
				startRun(t, p.as(agent("a", 200)), now)
				mark(t, p, 1, planfile.InProgress)
				p.as(agent("b", 100))
			},
			want: "resume; 1; " + planPath + "; 0/3; progress 4; at work claude; latest active; warning its-name",
		},
		{
			name: "complete", do: func(t *testing.T, p *Project) {
				for n := range 3 {
					mark(t, p, n+1, planfile.Complete)
				}
			},
			want: "complete; ALL_COMPLETE; " + planPath + "; 3/3; next 03-01; warning its-name",
		},
		{
			name: "stale", do: func(t *testing.T, p *Project) {
				write(t, filepath.Join(p.Dir, filepath.FromSlash(summary)), "Done.\n")
			},
			want: "stale; STALE; " + planPath + "; 0/3; next 03-02; warning its-name",
		},
		{
			name: "lost", do: func(t *testing.T, p *Project) { lose(t, p) },
			want:  "none; NO_SESSION; ; 0/0; lost: " + LostFile + "; warning its-name",
			brief: "none; NO_SESSION; ; 0/0; next 03-01; lost: " + LostFile + "; warning its-name",
		},
		{
			name: "corrupt, and commits work on a plan", do: func(t *testing.T, p *Project) {
				write(t, filepath.Join(p.Dir, filepath.FromSlash(sessionPath)), "Nothing of ours.\n")
				commits(t, p, "", false, "feat(03-02): begin")
			},
			want:  "corrupt; NO_SESSION; ; 0/1; lost: " + LostPlace + "; plan 03-02 " + secondPlan + "; warning its-name",
			brief: "corrupt; NO_SESSION; ; 0/1; next 03-02; lost: " + LostPlace + "; warning its-name",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, _ := newWorld(t)
			p.UserWarnings = []Warning{{"its-name", "x"}}
			write(t, filepath.Join(p.Dir, filepath.FromSlash(secondPlan)), "<task type=\"auto\">\n  <name>D</name>\n</task>\n")
			bootstrapAt(t, p, planPath, now)
			test.do(t, p)
			r, err := p.HydrateAll(user, now)
			if err != nil {
				t.Fatal(err)
			}
			if got := reported(r); got != test.want {
				t.Errorf("%s\nwant %s", got, test.want)
			}
			if r, err = p.Hydrate(user); err != nil {
				t.Fatal(err)
			}
			p.AddRuns(r, now)
			p.AddEvidence(r)
			if !r.Recovery.Any() {
				r.Recovery = nil
			}
			want := test.brief
			if want == "" {
				want = test.want
			}
			if got := reported(r); got != want {
				t.Errorf("the brief: %s\nwant %s", got, want)
			}
		})
	}
}

// TestJudgeMends: a command where the session's own plan has changed, and none where another plan is to be done.
func TestJudgeMends(t *testing.T) {
	t.Parallel()
	live := Plan{Path: planPath, Exists: true, Tasks: 1, Digest: "sha256:aa"}
	edited, more, done, gone, moved, movedAndDone := live, live, live, live, live, live
	edited.Digest = "sha256:bb"
	more.Tasks = 2
	done.Tasks, done.Summary = 2, "s"
	gone.Exists = false
	moved.Exists, moved.Moved = false, "q.md"
	movedAndDone.Exists, movedAndDone.Moved, movedAndDone.Summary = false, "q.md", "s"
	for _, test := range []struct {
		plan Plan
		want string
	}{
		{live, ""},
		{edited, "gsd bootstrap " + planPath + " --fresh --carry (copies the new text and keeps what is done)"},
		{more, "gsd bootstrap " + planPath + " --carry (copies the new tasks and keeps what is done)"},
		{done, ""},
		{gone, ""},
		{moved, "gsd bootstrap q.md --carry (continues with the plan at its new path)"},
		{movedAndDone, ""},
	} {
		r := &Report{Facts: Facts{Session: sessionOf("pending"), Plan: test.plan}}
		r.judge()
		got := ""
		if r.Mend != nil {
			got = strings.Join(r.Mend.Words, " ") + " (" + r.Mend.Does + ")"
		}
		if got != test.want {
			t.Errorf("%+v: %q, want %q", test.plan, got, test.want)
		}
	}
	advanced := &Report{Facts: Facts{Session: sessionOf("pending"), Plan: more, Roadmap: Roadmap{Advance: roadmap.Advance{Advanced: true}}}}
	if advanced.judge(); advanced.Mend != nil {
		t.Errorf("%+v", advanced.Mend)
	}
}

// TestDetail: what JSON has beside the verdict, and that it is there once.
func TestDetail(t *testing.T) {
	p, _ := newWorld(t)
	write(t, filepath.Join(p.Dir, filepath.FromSlash(planPath)), "<task type=\"tdd\">\n<name>A</name>\n<done>d</done>\n<verify></verify>\n<files>x</files>\n"+
		"<verify>v</verify>\n<files>y</files>\n<action>a</action>\n<precondition>c</precondition>\n</task>\n<task>\n<name>B</name>\n</task>\n")
	bootstrapAt(t, p, planPath, now)
	done := mark(t, p, 1, planfile.InProgress)
	if n := done.Resume; n.Interrupted || n.Says != nil || done.Tasks != nil {
		t.Errorf("a mark took its time: %+v, %v", n, done.Tasks)
	}
	for range 2 {
		p.Detail(done.Report, now)
	}
	n := done.Resume
	if got := fmt.Sprintln(n.Number, n.Name, n.Interrupted, n.Files, n.Precondition, n.Verify, n.Done, n.Type, n.Line, n.Says); got != "1 A true x\ny c v d tdd 6 "+
		"[{files x} {files y} {precondition c} {verify } {verify v} {done d}]\n" {
		t.Error(got)
	}
	if got := fmt.Sprint(done.Tasks); got != "[{1 A tdd in-progress 6} {2 B  pending 16}]" {
		t.Error(got)
	}
	late := p.Shortened(done.Report, "the rest")
	n.Progress, done.Warnings = InOthers, []Warning{{"later", "x"}}
	if late.Resume.Progress == InOthers || len(late.Warnings) != 1 || late.Warnings[0].Code != "deadline" || !strings.HasSuffix(late.Warnings[0].Detail, "left out: the rest") {
		t.Errorf("%+v, %v", late.Resume, late.Warnings)
	}
	write(t, filepath.Join(p.Dir, filepath.FromSlash(sessionPath)), "Nothing of ours.\n")
	corrupt, err := p.Hydrate(user)
	if err != nil {
		t.Fatal(err)
	}
	p.Detail(corrupt, now)
	if got := fmt.Sprint(corrupt.Tasks, corrupt.Warnings); got != "[] [{session-corrupt it has no Plan: header}]" {
		t.Error(got)
	}
}

// TestWarningsOnce: what is said of the user's name comes first, and nothing twice.
func TestWarningsOnce(t *testing.T) {
	t.Parallel()
	a, b, c := Warning{"a", "1"}, Warning{"a", "2"}, Warning{"b", "1"}
	p := &Project{UserWarnings: []Warning{b, b}}
	if got, want := p.warnings([]Warning{a, b}, nil, []Warning{c, a}), []Warning{b, a, c}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestTasks: those of a session and of a plan, all or one.
func TestTasks(t *testing.T) {
	p, _ := newWorld(t)
	_, err := p.Tasks(TasksOptions{User: user})
	wantKind(t, err, MissingInput)
	_, err = p.Tasks(TasksOptions{Plan: "09-09"})
	wantKind(t, err, MissingInput)
	bootstrapAt(t, p, planPath, now)
	p.UserWarnings = []Warning{{"its-name", "x"}}
	for _, test := range []struct {
		o    TasksOptions
		want string
	}{
		{TasksOptions{User: user}, "&{" + planPath + " task [{{1 A auto pending 6}  []} {{2 B auto pending 9}  []} {{3 C auto pending 12}  []}] " + sessionPath + " true [{its-name x}]}"},
		{TasksOptions{Dir: p.Dir, Plan: "03-01"}, "&{" + planPath + " task [{{1 A auto  1}  []} {{2 B auto  4}  []} {{3 C auto  7}  []}] " + planPath + " false []}"},
		{
			TasksOptions{Dir: p.Dir, Plan: "03-01", Number: 2},
			"&{" + planPath + " task [{{2 B auto  4} <task type=\"auto\">\n  <name>B</name>\n</task> [{name B}]}] " + planPath + " false []}",
		},
	} {
		list, err := p.Tasks(test.o)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(list); got != test.want {
			t.Errorf("%+v: %q\nwant %q", test.o, got, test.want)
		}
	}
	_, err = p.Tasks(TasksOptions{User: user, Number: 4})
	wantKind(t, err, MissingInput)
	write(t, filepath.Join(p.Dir, filepath.FromSlash(sessionPath)), "Nothing of ours.\n")
	_, err = p.Tasks(TasksOptions{User: user})
	wantKind(t, err, BadData)
}

// TestWhatToRecover: which plan is meant, and the command that a dry run leads to.
func TestWhatToRecover(t *testing.T) {
	t.Parallel()
	p := kilnProject(t, kiln)
	commits(t, p, "", false, "feat(03-01): dig the deep hollow")
	o := RestoreOptions{User: user, Dir: p.Dir, From: FromGit, MinConfidence: DefaultConfidence, MaxCommits: DefaultCommits, DryRun: true, Now: now}
	want := func(words string) {
		t.Helper()
		r, err := p.Restore(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if r.Make != nil {
			got = strings.Join(r.Make.Words, " ")
		}
		if got != words {
			t.Errorf("%q, want %q", got, words)
		}
	}
	want("gsd restore " + kilnPlan + " --from git") // the next one
	o.Fresh, o.MinConfidence, o.MaxCommits = true, 0.5, 9
	want("gsd restore " + kilnPlan + " --from git --min-confidence 0.5 --commits 9 --fresh")
	o.Fresh, o.MinConfidence, o.MaxCommits = false, DefaultConfidence, DefaultCommits
	const other = ".planning/phases/03-fire/03-02-PLAN.md"
	write(t, filepath.Join(p.Dir, filepath.FromSlash(other)), kiln)
	bootstrapAt(t, p, other, now)
	want("") // the session's, on which there is no commit
	o.Plan = "03-01"
	want("gsd restore " + kilnPlan + " --from git --fresh")
	for _, summary := range []string{"03-01", "03-02"} {
		write(t, filepath.Join(p.Dir, ".planning/phases/03-fire", summary+"-SUMMARY.md"), "Done.\n")
	}
	want("") // it is done
	finished := newProject(t)
	write(t, filepath.Join(finished.Dir, ".planning/phases/03-api/03-01-SUMMARY.md"), "Done.\n")
	_, err := finished.Restore(t.Context(), RestoreOptions{User: user, From: FromGit, DryRun: true})
	wantKind(t, err, MissingInput)
}
