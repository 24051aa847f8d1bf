package team_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// refsAt lists the refs of gsd at the remote of a clone.
func refsAt(c *clone) (refs []string) {
	c.T.Helper()
	return strings.Fields(gitIn(c, remoteOf(c), "", "for-each-ref", "--format=%(refname)", "refs/gsd/users"))
}

// remoteOf returns the directory of the remote of a clone.
func remoteOf(c *clone) string { return filepath.Join(filepath.Dir(c.Dir), "remote.git") }

// gitIn runs git as the user of a clone in a directory, with some input, and returns what it prints.
func gitIn(c *clone, dir, input string, args ...string) string {
	c.T.Helper()
	var out, errs strings.Builder
	cmd := exec.Command(c.Git, args...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, c.Env, strings.NewReader(input), &out, &errs
	if err := cmd.Run(); err != nil {
		c.T.Fatalf("git %q: %v\n%s%s", args, err, &out, &errs)
	}
	return strings.TrimSpace(out.String())
}

// copied copies a directory with new times.
func copied(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

func wantFirst(t *testing.T, want planfile.Status, clones ...*clone) {
	t.Helper()
	for _, c := range clones {
		if is := c.Statuses()[0]; is != want {
			t.Errorf("%s: the first task is %s, want %s", c.Name, is, want)
		}
	}
}

// TestSyncMoved: a clone that was moved, copied, or lost gsd's state undoes nothing that was set back in another one meanwhile, and keeps what was
// marked in it since.
func TestSyncMoved(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many programs")
	}
	tests := map[string]struct {
		do   func(t *testing.T, c *clone) *clone
		refs int
	}{
		"moved": {func(t *testing.T, c *clone) *clone {
			c.State = c.Dir + ".state"
			to := c.Dir + "-moved"
			if err := os.Rename(c.Dir, to); err != nil {
				t.Fatal(err)
			}
			c.Dir = to
			return c
		}, 2},
		"copied": {func(t *testing.T, c *clone) *clone {
			c.State = c.Dir + ".state"
			is := *c
			is.Dir, is.Name = c.Dir+"-copy", "the copy"
			copied(t, c.Dir, is.Dir)
			return &is
		}, 3},
		"copied to another machine": {func(t *testing.T, c *clone) *clone {
			is := *c
			is.Dir, is.Name = c.Dir+"-copy", "the copy"
			copied(t, c.Dir, is.Dir)
			if err := os.Rename(c.Dir, c.Dir+"-out-of-sight"); err != nil {
				t.Fatal(err)
			}
			return &is
		}, 3},
		"without state": {func(t *testing.T, c *clone) *clone {
			if err := os.RemoveAll(c.Dir + ".state"); err != nil {
				t.Fatal(err)
			}
			return c
		}, 2},
		"with nothing but the session": {func(t *testing.T, c *clone) *clone {
			for _, dir := range []string{c.Dir + ".state", filepath.Join(c.Dir, ".git", "gsd")} {
				if err := os.RemoveAll(dir); err != nil {
					t.Fatal(err)
				}
			}
			return c
		}, 3},
		"without state, with a new time": {func(t *testing.T, c *clone) *clone {
			c.With(func(p *app.Project) {
				if err := os.Chtimes(filepath.Join(p.Dir, filepath.FromSlash(p.Session("ada").File())), time.Now(), time.Now()); err != nil {
					t.Fatal(err)
				}
			})
			if err := os.RemoveAll(c.Dir + ".state"); err != nil {
				t.Fatal(err)
			}
			return c
		}, 2},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			laptop, desk := pair(t)
			desk.Mark(1, planfile.Pending)
			desk.Sync()
			laptop.Mark(2, planfile.Complete) // no other clone has heard of it yet
			is := test.do(t, laptop)
			is.Sync()
			desk.Sync()
			wantFirst(t, planfile.Pending, is, desk)
			if s := desk.Statuses()[1]; s != planfile.Complete {
				t.Errorf("the second task is %s, and was completed", s)
			}
			if refs := refsAt(desk); len(refs) != test.refs {
				t.Errorf("%q, want %d", refs, test.refs)
			}
			is.Mark(1, planfile.Complete)
			for range 2 {
				is.Sync()
				desk.Sync()
			}
			wantFirst(t, planfile.Complete, is, desk)
			if is.Sync().Pushed || desk.Sync().Pushed {
				t.Error("it is pushed again, and nothing has changed")
			}
			if name == "copied" { // both go on
				is.Mark(3, planfile.Complete)
				is.Sync()
				laptop.Mark(3, planfile.Skipped)
				for range 2 {
					laptop.Sync()
					is.Sync()
					desk.Sync()
				}
				for _, c := range []*clone{laptop, is, desk} {
					if s := c.Statuses(); s[0] != planfile.Complete || s[1] != planfile.Complete || s[2] != planfile.Skipped {
						t.Errorf("%s: %s", c.Name, s)
					}
				}
			}
		})
	}
}

// TestSyncStateLost: what was marked since the last sync, in a clone that lost gsd's state, is later than what it had shared.
func TestSyncStateLost(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many programs")
	}
	laptop, desk := pair(t)
	desk.Mark(2, planfile.InProgress)
	desk.Sync()
	laptop.Sync()
	laptop.Mark(1, planfile.Pending)
	laptop.Mark(2, planfile.Complete)
	if err := os.RemoveAll(laptop.Dir + ".state"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		laptop.Sync()
		desk.Sync()
	}
	for _, c := range []*clone{laptop, desk} {
		if s := c.Statuses(); s[0] != planfile.Pending || s[1] != planfile.Complete {
			t.Errorf("%s: %s", c.Name, s)
		}
	}
}

// TestSyncMovedUnsynced: what was marked in a clone that was moved before its first sync has the time of the mark.
func TestSyncMovedUnsynced(t *testing.T) {
	clones := newClones(t, 2, 1)
	laptop, desk := clones[0], clones[1]
	desk.Bootstrap(1)
	desk.Mark(1, planfile.InProgress)
	desk.Sync()
	laptop.Bootstrap(1)
	laptop.Mark(1, planfile.Complete)
	laptop.State = laptop.Dir + ".state"
	if err := os.Rename(laptop.Dir, laptop.Dir+"-moved"); err != nil {
		t.Fatal(err)
	}
	laptop.Dir += "-moved"
	laptop.Sync()
	desk.Sync()
	wantFirst(t, planfile.Complete, laptop, desk)
}

// TestSyncDropsNothing: a clock that is a month off, or a pause of a month, costs nobody the only copy of what a clone has shared.
func TestSyncDropsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many programs")
	}
	clones := newClones(t, 4, 2)
	laptop, desk, third, fourth := clones[0], clones[1], clones[2], clones[3]
	laptop.Bootstrap(1)
	laptop.Mark(1, planfile.Complete)
	laptop.Sync()
	desk.Skew = 35 * 24 * time.Hour
	for range 3 {
		if done := desk.Sync(); len(done.Warnings) > 0 {
			t.Errorf("%+v", done.Warnings)
		}
		if len(refsAt(desk)) != 1 {
			t.Fatal("the only copy is gone from the remote")
		}
	}
	desk.Bootstrap(2) // and so it is when its own sessions have the time of its clock
	for range 3 {
		desk.Sync()
	}
	if len(refsAt(desk)) != 2 {
		t.Fatal("the only copy is gone from the remote")
	}
	third.Skew = 80 * 24 * time.Hour
	third.Bootstrap(1)
	third.Sync()
	if len(refsAt(desk)) != 3 {
		t.Fatal("what was just fetched is gone from the remote")
	}
	fourth.Skew = third.Skew
	if fourth.Sync(); len(refsAt(desk)) != 3 {
		t.Fatal("what was just fetched is gone from the remote, though there is a copy of it")
	}
	third.Sync()
	wantFirst(t, planfile.Complete, third)
	if refs := refsAt(desk); len(refs) != 2 { // that of the laptop holds nothing of its own any more, and that of the desk a session
		t.Errorf("%q", refs)
	}
	laptop.Sync()
	desk.Sync()
	third.Sync()
	wantFirst(t, planfile.Complete, laptop, third)
}

// TestSyncCopyEnds: a copy that has ended, or that another clone has, keeps no ref from being needed: it is dropped itself when it is old.
func TestSyncCopyEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many programs")
	}
	clones := newClones(t, 2, 2)
	silent, busy := clones[0], clones[1]
	silent.Bootstrap(1)
	silent.Mark(1, planfile.Complete)
	silent.Sync()
	only := refsAt(silent)[0]
	busy.Sync()
	busy.Bootstrap(1)
	busy.Sync()
	busy.Bootstrap(2)
	for _, days := range []int{0, 10, 20, 31, 32, 33, 62, 63, 64} {
		busy.Skew = time.Duration(days) * 24 * time.Hour
		if busy.Sync(); !slices.Contains(refsAt(busy), only) {
			t.Fatalf("after %d days, the only copy is gone from the remote", days)
		}
	}
}

// TestSyncPartly: the ref of a clone of which a part cannot be read is never dropped, since nobody knows what is in that.
func TestSyncPartly(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many programs")
	}
	clones := newClones(t, 2, 1)
	silent, busy := clones[0], clones[1]
	git := func(in string, args ...string) string {
		t.Helper()
		return gitIn(silent, remoteOf(silent), in, args...)
	}
	silent.Bootstrap(1)
	silent.Sync()
	ref := refsAt(silent)[0]
	odd := git(`[{"worktree":"0123456789ab","tasks":[{"id":"0123456789ab","status":"blocked"}]}]`, "hash-object", "-w", "--stdin")
	tree := git(git("", "ls-tree", ref)+"\n100644 blob "+odd+"\todd.md", "mktree")
	git("", "update-ref", ref, git("", "-c", "user.name=a", "-c", "user.email=a@b.c", "commit-tree", tree, "-m", "newer"))
	busy.Bootstrap(1)
	for _, days := range []int{0, 31, 62, 93} {
		busy.Skew = time.Duration(days) * 24 * time.Hour
		if busy.Sync(); !slices.Contains(refsAt(busy), ref) {
			t.Fatalf("after %d days, the ref is gone", days)
		}
	}
}

// TestSyncNewClone: a new clone where there was one before is another: what was set in that one at a commit that is gone is not done here.
func TestSyncNewClone(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many programs")
	}
	c := newClones(t, 1, 1)[0]
	c.Bootstrap(1)
	gitIn(c, c.Dir, "", "commit", "-q", "--allow-empty", "-m", "work")
	c.Mark(1, planfile.Complete)
	c.Sync()
	if err := os.RemoveAll(c.Dir); err != nil {
		t.Fatal(err)
	}
	gitIn(c, filepath.Dir(c.Dir), "", "clone", "-q", "remote.git", filepath.Base(c.Dir))
	if err := os.RemoveAll(filepath.Join(c.Dir+".state", "crumbs")); err != nil { // the id of the machine stays
		t.Fatal(err)
	}
	c.Sync()
	c.With(func(p *app.Project) {
		plan, err := p.Planning.ReadPlan(clonePlan(1))
		if err != nil {
			t.Fatal(err)
		}
		if away := team.AwayIn(p.Project, "ada", clonePlan(1), plan); len(away) != 3 || away[0] == nil || !away[0].Clone {
			t.Errorf("that it was done elsewhere is not told: %+v", away)
		}
	})
	c.Bootstrap(1)
	c.Sync()
	wantFirst(t, planfile.Pending, c)
	if refs := refsAt(c); len(refs) != 2 {
		t.Errorf("%q", refs)
	}
}

// TestSyncForgotten: what was forgotten does not come back with the next sync, neither from this clone's own ref nor from another that took it over.
func TestSyncForgotten(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many programs")
	}
	for _, name := range []string{"alone", "taken over elsewhere", "while a sync runs"} {
		t.Run(name, func(t *testing.T) {
			others, runs := name == "taken over elsewhere", name == "while a sync runs"
			clones := newClones(t, 2, 1)
			laptop, desk := clones[0], clones[1]
			laptop.Bootstrap(1)
			laptop.Mark(1, planfile.Complete)
			laptop.Sync()
			if others {
				desk.Bootstrap(1)
				desk.Sync()
				wantFirst(t, planfile.Complete, desk)
				desk.Mark(2, planfile.Complete)
				desk.Sync()
			}
			laptop.Lose()
			laptop.With(func(p *app.Project) {
				lost, err := history.Lost(apptest.At(p, laptop.Now()).World)
				if err != nil || len(lost.Lost) != 1 {
					t.Fatal(lost, err)
				}
				known := filepath.Join(p.Planning.GitDir(), verdict.SharedFile(lost.Lost[0].User))
				text, err := os.ReadFile(known)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := history.Forget(apptest.At(p, laptop.Now()).World, lost.Lost[0].ID); err != nil {
					t.Fatal(err)
				}
				if runs { // it keeps what it knew before
					if err := os.WriteFile(known, text, 0o600); err != nil {
						t.Fatal(err)
					}
				}
			})
			laptop.Sync()
			laptop.Bootstrap(1)
			laptop.Sync()
			wantFirst(t, planfile.Pending, laptop)
			if others {
				if is := laptop.Statuses()[1]; is != planfile.Complete {
					t.Errorf("what was marked elsewhere is %s", is)
				}
				wantFirst(t, planfile.Complete, desk)
				laptop.Mark(1, planfile.Complete) // and it may be done again
				laptop.Sync()
				desk.Sync()
				laptop.Sync()
				wantFirst(t, planfile.Complete, laptop, desk)
			}
		})
	}
}

// TestSyncTwoProjects: two projects of one repository share its ref, and leave each other's sessions alone.
func TestSyncTwoProjects(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many programs")
	}
	clones := newClones(t, 2, 1)
	top, desk := clones[0], clones[1]
	below := *top
	below.Dir, below.State = filepath.Join(top.Dir, "sub"), top.Dir+".state"
	copied(t, filepath.Join(top.Dir, ".planning"), filepath.Join(below.Dir, ".planning"))
	top.Bootstrap(1)
	top.Sync()
	below.Bootstrap(1)
	below.Sync()
	below.Mark(1, planfile.Complete)
	for range 2 {
		top.Sync()
		below.Sync()
	}
	if refs := refsAt(top); len(refs) != 1 {
		t.Errorf("%q", refs)
	}
	if done := desk.Sync(); len(done.Sessions) != 1 {
		t.Errorf("of the project at the top: %+v", done.Sessions)
	}
	other := *desk
	other.Dir, other.State = filepath.Join(desk.Dir, "sub"), desk.Dir+".state"
	copied(t, filepath.Join(desk.Dir, ".planning"), filepath.Join(other.Dir, ".planning"))
	if done := other.Sync(); len(done.Sessions) != 1 || done.Sessions[0].Done != 1 {
		t.Errorf("of the one below: %+v", done.Sessions)
	}
}

// TestSyncManyClones: of more clones of a user than are read, those are read in which something was set last, and what is left out is said.
func TestSyncManyClones(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many programs")
	}
	laptop, desk := pair(t)
	ref, bare := laptop.Sync().Ref, filepath.Join(filepath.Dir(laptop.Dir), "remote.git")
	id, err := os.ReadFile(filepath.Join(bare, filepath.FromSlash(ref)))
	if err != nil {
		t.Fatal(err)
	}
	for n := range 250 { // names before and after those of the two
		name := strings.Repeat(string("0123456789abcdef"[n%16]), 9) + "00" + string("0123456789abcdef"[n/16])
		write(t, filepath.Join(bare, filepath.FromSlash(filepath.Dir(ref)), name), string(id))
	}
	desk.Mark(1, planfile.Pending)
	desk.Sync()
	done := laptop.Sync()
	wantFirst(t, planfile.Pending, laptop)
	if !slices.ContainsFunc(done.Warnings, func(w problem.Warning) bool { return w.Code == team.SyncClonesUnread && w.Count > 0 }) {
		t.Errorf("%+v", done.Warnings)
	}
}

// TestSyncOneMachine: two machines with the same home, and the same path, have two clones.
func TestSyncOneMachine(t *testing.T) {
	clones := newClones(t, 2, 1)
	laptop, desk := clones[0], clones[1]
	laptop.Bootstrap(1)
	laptop.Sync()
	text, err := os.ReadFile(filepath.Join(laptop.Dir+".state", "machine"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(desk.Dir+".state", "machine"), string(text))
	swap := func(a, b *clone) { // b is at the path of a
		t.Helper()
		for _, err := range []error{os.Rename(a.Dir, a.Dir+"-there"), os.Rename(b.Dir, a.Dir)} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	swap(laptop, desk)
	desk.State, desk.Dir = desk.Dir+".state", laptop.Dir
	desk.Bootstrap(1)
	desk.Sync()
	if refs := refsAt(desk); len(refs) != 2 {
		t.Errorf("%q", refs)
	}
}

// TestSyncAtOnce: syncs in several worktrees of a clone at once all succeed.
func TestSyncAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many programs")
	}
	c := newClones(t, 1, 3)[0]
	c.State = c.Dir + ".state"
	c.Bootstrap(1)
	c.Sync()
	trees := []*clone{c}
	for n := range 4 {
		tree := *c
		tree.Dir, tree.State, tree.Name = c.Dir+"-tree"+string(rune('0'+n)), c.Dir+".state", "tree"
		gitIn(c, c.Dir, "", "worktree", "add", "-q", "--detach", tree.Dir)
		tree.Bootstrap(1 + n%3)
		trees = append(trees, &tree)
	}
	errs := make(chan error)
	for _, tree := range trees {
		p, err := app.Open(tree.Dir)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		p.StateDir = session.StateDir(c.State)
		go func() {
			for range 3 {
				if _, err := team.Sync(t.Context(), p.Project, team.SyncOptions{User: "ada", Git: c.Git, Env: c.Env, Wait: 20 * time.Second}); err != nil {
					errs <- err
					return
				}
			}
			errs <- nil
		}()
	}
	for range trees {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if refs := refsAt(c); len(refs) != 1 {
		t.Errorf("%q", refs)
	}
}

// TestSyncRefInTheWay: a ref where the directory of a user's refs belongs is said, and removed with all that was shared.
func TestSyncRefInTheWay(t *testing.T) {
	c := newClones(t, 1, 1)[0]
	c.Bootstrap(1)
	ref := c.Sync().Ref
	for _, args := range [][]string{{"update-ref", filepath.Dir(filepath.ToSlash(ref)) + "-1", ref}, {"update-ref", "-d", ref}, {"update-ref", filepath.Dir(ref), filepath.Dir(ref) + "-1"}} {
		gitIn(c, remoteOf(c), "", args...)
	}
	c.With(func(p *app.Project) {
		o := team.SyncOptions{User: "ada", Git: c.Git, Env: c.Env, Wait: time.Second}
		_, err := team.Sync(t.Context(), p.Project, o)
		if is := (*problem.Error)(nil); !errors.As(err, &is) || !strings.HasSuffix(is.Text, filepath.Dir(ref)) || !strings.Contains(is.Hint, "`gsd sync --remove`") {
			t.Errorf("%v", err)
		}
		o.Remove = true
		if _, err := team.Sync(t.Context(), p.Project, o); err != nil {
			t.Fatal(err)
		}
	})
	if done := c.Sync(); !done.Pushed {
		t.Errorf("%+v", done)
	}
}

// TestSyncPrivateArchive: a plan that git ignores is not shared once its session is archived either.
func TestSyncPrivateArchive(t *testing.T) {
	c := newClones(t, 1, 2)[0]
	private := func(pattern string) { write(t, filepath.Join(c.Dir, ".git", "info", "exclude"), pattern) }
	run := func(args ...string) {
		t.Helper()
		gitIn(c, c.Dir, "", args...)
	}
	c.Bootstrap(1)
	c.Mark(1, planfile.Complete)
	c.Sync() // it is not private yet
	run("rm", "-q", "--cached", clonePlan(1))
	private(clonePlan(1) + "\n")
	c.Bootstrap(2)
	c.Sync()
	shared := func() (all []string) {
		c.With(func(p *app.Project) {
			for _, s := range p.SessionsInClones("ada") {
				all = append(all, s.Plan)
			}
		})
		return all
	}
	if is := shared(); len(is) != 1 || strings.Contains(is[0], "01-01") {
		t.Errorf("%q is shared", is)
	}
	run("config", "gsd.sharePrivate", "true")
	c.Env = append(slices.Clone(c.Env), "GIT_CONFIG_COUNT=3", "GIT_CONFIG_KEY_2=gsd.sharePrivate", "GIT_CONFIG_VALUE_2=true")
	c.Sync()
	if is := shared(); len(is) != 2 {
		t.Errorf("%q is shared", is)
	}
}
