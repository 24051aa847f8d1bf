package history_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/claim"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/history"
)

// gitDo runs git in a directory.
func gitDo(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

// TestBranchesOf: what is said of an executor's worktree on a plan of three tasks, and what may be done about it.
func TestBranchesOf(t *testing.T) {
	t.Parallel()
	const forward = "2/3 [1 2] 2 then 3 ff"
	lock := func(reason string) func(t *testing.T, p, other *app.Project) {
		return func(t *testing.T, p, other *app.Project) {
			gitDo(t, p.Dir, "worktree", "lock", "--reason", reason, other.Dir)
		}
	}
	leave := func(t *testing.T, p, other *app.Project) { // a file of the third task
		tasks := strings.Replace(apptest.TasksOf("A0", "B0", "C0"), "C0</name>", "C0</name>\n  <files>d.go</files>", 1)
		write(t, filepath.Join(p.Dir, plan(1)), tasks)
		write(t, filepath.Join(other.Dir, "d.go"), "x")
	}
	for _, c := range []struct {
		name string
		do   func(t *testing.T, p, other *app.Project)
		want string // "done/all tasks commits [then N] [ff] [summary] [alive pid] [left] [bring]"
		held bool
	}{
		{"nobody knows its agent", func(*testing.T, *app.Project, *app.Project) {}, forward + " bring", false},
		{"its agent lives", lock("claude agent agent-a1 (pid 200)"), forward + " alive 200", true},
		{"it is of this very process", lock("claude agent agent-a1 (pid 100)"), forward + " alive 100 bring", false},
		{"its agent is dead", lock("claude agent agent-a1 (pid 201)"), forward + " bring", false},
		{"somebody locked it", lock("on a stick"), forward + " bring", false},
		{"a number that is none", lock("(pid 99999999999999999999)"), forward + " bring", false},
		{"a run is at work there", func(t *testing.T, p, other *app.Project) {
			on(t, other, user, 2)
			apptest.StartRun(t, apptest.As(other, apptest.AgentCaller("x", 200)), now)
		}, forward + " alive 0", true},
		{"it has not committed all", leave, forward + " left [d.go] bring", false},
		{"nor has one that lives", func(t *testing.T, p, other *app.Project) {
			leave(t, p, other)
			lock("claude agent agent-a1 (pid 200)")(t, p, other)
		}, forward + " alive 200", true},
		{"it was removed", func(t *testing.T, p, other *app.Project) {
			gitDo(t, p.Dir, "worktree", "remove", "--force", other.Dir)
		}, forward + " bring", false},
		{"it was deleted", func(t *testing.T, p, other *app.Project) { os.RemoveAll(other.Dir) }, forward + " bring", false},
		{"HEAD has gone on", func(t *testing.T, p, other *app.Project) {
			write(t, filepath.Join(p.Dir, "x"), "x")
			commitAll(t, p, 30, "docs: more")
		}, "2/3 [1 2] 2 then 3", false},
		{"the first is here, too", func(t *testing.T, p, other *app.Project) {
			write(t, filepath.Join(p.Dir, "mine"), "x")
			commitAll(t, p, 30, "feat(03-01): A0")
		}, "2/3 [2] 1 then 3", false},
		{"both were squashed", func(t *testing.T, p, other *app.Project) {
			gitDo(t, p.Dir, "merge", "-q", "--squash", "worktree-agent-1")
			commitAll(t, p, 30, "Deliver it (#3)")
		}, "", false},
		{"both were picked", func(t *testing.T, p, other *app.Project) {
			write(t, filepath.Join(p.Dir, "x"), "x")
			commitAll(t, p, 30, "docs: more")
			gitDo(t, p.Dir, "-c", "user.name=x", "-c", "user.email=x@x", "cherry-pick", "worktree-agent-1~1", "worktree-agent-1")
		}, "", false},
		{"it is merged", func(t *testing.T, p, other *app.Project) {
			gitDo(t, p.Dir, "merge", "-q", "--ff-only", "worktree-agent-1")
		}, "", false},
		{"the plan's summary is there", func(t *testing.T, p, other *app.Project) {
			write(t, filepath.Join(other.Dir, strings.Replace(plan(1), "PLAN", "SUMMARY", 1)), "x")
			commitAll(t, other, 30, "docs(03-01): complete plan")
		}, "2/3 [1 2] 2 ff summary bring", false},
		{"the plan's summary is here", func(t *testing.T, p, other *app.Project) {
			write(t, filepath.Join(p.Dir, strings.Replace(plan(1), "PLAN", "SUMMARY", 1)), "x")
		}, "", false},
		{"a file of it was changed here", func(t *testing.T, p, other *app.Project) { write(t, filepath.Join(p.Dir, "b"), "mine") }, forward, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, other, _ := twoTrees(t)
			p.Now = now
			gitDo(t, other.Dir, "checkout", "-q", "-b", "worktree-agent-1")
			for i, name := range []string{"b", "c"} {
				write(t, filepath.Join(other.Dir, name), "x")
				commitAll(t, other, 10*(i+1), fmt.Sprint("feat(03-01): ", []string{"A0", "B0"}[i]))
			}
			m := apptest.NewMachine()
			p.Processes, other.Processes = m, m
			c.do(t, p, other)
			p = again(t, p, p.Dir)
			got := ""
			for _, b := range history.BranchesOf(p.Project, "ada", plan(1)) {
				got += fmt.Sprintf("%d/%d %v %d", b.Done, b.Total, b.Tasks, len(b.Commits))
				if b.Next > 0 {
					got += fmt.Sprint(" then ", b.Next)
				}
				if b.FastForward {
					got += " ff"
				}
				if b.Summary != "" {
					got += " summary"
				}
				if b.Alive {
					got += fmt.Sprint(" alive ", b.PID)
				}
				if len(b.Uncommitted) > 0 {
					got += fmt.Sprint(" left ", b.Uncommitted)
				}
				if b.Bring.Kind != "" {
					got += " bring"
				}
				if want := (action.Action{Kind: action.Merge, ID: "worktree-agent-1"}); b.Bring.Kind != "" && b.Bring != want || b.Name != "worktree-agent-1" {
					t.Errorf("%+v", b)
				}
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			s := history.StarterOf(apptest.At(p, now).Project, user)
			may := s.MayStart(plan(1), claim.Options{})
			if (may.Decision == claim.Held) != c.held {
				t.Errorf("held: %v by %+v", may.Decision, may.By)
			}
			if by := may.By; c.held && (by.Dir != other.Dir || by.Settled != 2 || by.Tasks != 3 || by.User != user) {
				t.Errorf("%+v", by)
			}
			if other := history.BranchesOf(p.Project, "ada", plan(2)); other != nil {
				t.Errorf("of another plan: %+v", other)
			}
		})
	}
}

// TestBranchesNameless: where no subject of a branch names a plan, it is work on one if it has carried out a task.
func TestBranchesNameless(t *testing.T) {
	t.Parallel()
	p, _ := newWorld(t)
	write(t, filepath.Join(p.Dir, plan(1)), "<task type=\"auto\">\n<name>Task 1: Dig the deep hollow</name>\n<files>pit.go</files>\n</task>\n"+
		"<task type=\"auto\">\n<name>Task 2: Lay the grate</name>\n<files>grate.go</files>\n</task>\n")
	write(t, filepath.Join(p.Dir, plan(2)), apptest.TasksOf("Raise the chimney"))
	commitAll(t, p, 0, "docs(03): create phase plan")
	const main = "main"
	gitDo(t, p.Dir, "branch", "-M", main)
	for i, b := range []struct{ name, subject, file string }{
		{"other", "feat: paint the door", "door.go"}, {"named", "feat(03-02): dig the deep hollow", "pit.go"}, {"mine", "feat: dig the deep hollow", "pit.go"},
	} {
		gitDo(t, p.Dir, "checkout", "-q", "-b", b.name, main)
		write(t, filepath.Join(p.Dir, b.file), "x")
		commitAll(t, p, i+1, b.subject)
	}
	gitDo(t, p.Dir, "checkout", "-q", main)
	p = again(t, p, p.Dir)
	for n, want := range map[int]string{1: "mine [1]", 2: "named [1]"} {
		var got []string
		for _, b := range history.BranchesOf(p.Project, "ada", plan(n)) {
			got = append(got, fmt.Sprint(b.Name, " ", b.Tasks))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("of plan %d: %q, want %q", n, got, want)
		}
	}
}

// TestNextAfter: a task that is marked here as over is not next with a branch, either.
func TestNextAfter(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		next, skipped int
		there         []int
		want          int
	}{{1, 1, []int{2}, 3}, {1, 0, []int{2}, 1}, {3, 3, []int{1, 2}, 0}, {0, 1, nil, 0}} {
		was := []evidence.Branch{{Next: test.next, Tasks: test.there}}
		got := history.NextAfter(was, 3, func(n int) bool { return n == test.skipped })
		if got[0].Next != test.want || was[0].Next != test.next {
			t.Errorf("%+v: %d, of %d", test, got[0].Next, was[0].Next)
		}
	}
}
