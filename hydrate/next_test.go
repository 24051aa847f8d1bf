package hydrate_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// onePlan is a plan of two tasks, below the lines of a front matter.
func onePlan(front string) string {
	return "---\n" + front + "\n---\n\n<task type=\"auto\">\n  <name>One</name>\n</task>\n<task type=\"auto\">\n  <name>Two</name>\n</task>\n"
}

// projectOf lays out a project and opens it: files below .planning by name; the content of a plan is its front
// matter.
func projectOf(t *testing.T, files map[string]string) *hydrate.Project {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".planning"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if strings.HasSuffix(name, "PLAN.md") {
			text = onePlan(text)
		}
		write(t, filepath.Join(dir, ".planning", filepath.FromSlash(name)), text)
	}
	return reopen(t, dir)
}

// reopen opens a project as the next command does.
func reopen(t *testing.T, dir string) *hydrate.Project {
	t.Helper()
	p, err := hydrate.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// startOn gives a user a session on a plan below .planning, with some of its first tasks complete.
func startOn(t *testing.T, p *hydrate.Project, user, plan string, done int) {
	t.Helper()
	if _, err := p.Bootstrap(t.Context(), hydrate.BootstrapOptions{User: user, Plan: ".planning/" + plan, Now: time.Unix(1e9, 0), Wait: time.Minute}); err != nil {
		t.Fatal(err)
	}
	for n := range done {
		if _, err := p.Mark(t.Context(), hydrate.MarkOptions{User: user, Number: n + 1, Status: planfile.Complete, Wait: time.Minute}); err != nil {
			t.Fatal(err)
		}
	}
}

// commitAll makes a commit of all there is but sessions, n minutes after noon of a day in 2026.
func commitAll(t *testing.T, p *hydrate.Project, n int, subject string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program to make a history with")
	}
	when := time.Date(2026, 3, 6, 12, n, 0, 0, time.UTC).Format(time.RFC3339)
	calls := [][]string{{"add", "-A", "--", ".", ":!.planning/sessions"}, {"commit", "-q", "--allow-empty", "-m", subject}}
	if _, err := os.Stat(filepath.Join(p.Dir, ".git")); err != nil {
		calls = slices.Insert(calls, 0, []string{"init", "-q", "-b", "main"})
	}
	for _, args := range calls {
		cmd := exec.Command("git", args...)
		cmd.Dir = p.Dir
		cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") }),
			"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@x", "GIT_COMMITTER_NAME=A",
			"GIT_COMMITTER_EMAIL=a@x", "GIT_AUTHOR_DATE="+when, "GIT_COMMITTER_DATE="+when)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// nextOf asks for the next plan, and gives the names of the others.
func nextOf(t *testing.T, p *hydrate.Project, user string) (*verdict.Next, string) {
	t.Helper()
	again := reopen(t, p.Dir) // a project is opened for one command
	again.World = p.World
	answer, err := again.Next(user, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var also []string
	for _, ref := range answer.Next.AlsoReady {
		also = append(also, ref.ID)
	}
	return answer.Next, strings.Join(also, " ")
}

// A shallow clone has less to tell, which is nothing to warn of.
func TestNextInAShallowClone(t *testing.T) {
	p := projectOf(t, filesIn("phases/03-a/03-01-PLAN.md phases/03-a/03-02-PLAN.md"))
	commitAll(t, p, 0, "docs: plan")
	commitAll(t, p, 1, "feat(03-01): x")
	old, err := os.ReadFile(filepath.Join(p.Dir, ".git", "refs", "heads", "main"))
	if err != nil {
		t.Fatal(err)
	}
	commitAll(t, p, 2, "feat(03-02): x")
	write(t, filepath.Join(p.Dir, ".git", "shallow"), string(old))
	if n, _ := nextOf(t, p, "ada"); n.ID != "03-02" || len(n.Warnings) > 0 {
		t.Errorf("%+v", n)
	}
}

// A session whose workstream is gone does not hide the others' plans.
func TestNextAfterItsRootIsGone(t *testing.T) {
	p := projectOf(t, map[string]string{"workstreams/old/phases/01-a/01-01-PLAN.md": "", "phases/02-b/02-01-PLAN.md": ""})
	startOn(t, p, "ada", "workstreams/old/phases/01-a/01-01-PLAN.md", 0)
	if err := os.RemoveAll(filepath.Join(p.Dir, ".planning", "workstreams")); err != nil {
		t.Fatal(err)
	}
	if n, _ := nextOf(t, p, "ada"); n.ID != "02-01" {
		t.Errorf("%+v", n)
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
			n, _ := nextOf(t, p, "ada")
			st, err := status.Of(p, status.Options{User: "ada"})
			if err != nil {
				t.Fatal(err)
			}
			if n.Phase != c.want || st.Next.Phase != c.want || st.Next.Plan != n.Plan {
				t.Errorf("next is %q of phase %q, in status %q of phase %q; want phase %q", n.Plan, n.Phase, st.Next.Plan, st.Next.Phase, c.want)
			}
		})
	}
}

func TestNextReadsOnly(t *testing.T) {
	p := projectOf(t, map[string]string{"phases/03-a/03-01-PLAN.md": "", "ROADMAP.md": "### Phase 3: A\n"})
	before := filesOf(t, p)
	nextOf(t, p, "ada")
	if _, err := status.Of(p, status.Options{User: "ada", Timeline: true}); err != nil {
		t.Fatal(err)
	}
	if after := filesOf(t, p); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

// filesOf lists what is in .planning, with each file's content.
func filesOf(t *testing.T, p *hydrate.Project) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(filepath.Join(p.Dir, ".planning"), func(name string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		b.WriteString(name + "\n")
		if e.Type().IsRegular() {
			text, err := os.ReadFile(name)
			b.Write(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
