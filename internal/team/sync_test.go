package team_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// A clone is one of several of a repository, each as if on its own machine.
type clone struct {
	t    *testing.T
	dir  string
	git  string
	env  []string
	on   int // the plan of the current session; 0 for none
	name string
	skew time.Duration // of its clock
}

// newClones makes clones of a repository with plans of three tasks each.
func newClones(t *testing.T, count, plans int) []*clone {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("there is no git")
	}
	top := t.TempDir()
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + top, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_COUNT=2",
		"GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0=Ada", "GIT_CONFIG_KEY_1=user.email", "GIT_CONFIG_VALUE_1=Ada@example.com",
	}
	run := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.Command(git, args...)
		cmd.Dir, cmd.Env = dir, env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	run(top, "init", "-q", "--bare", "-b", "main", "remote.git")
	first := filepath.Join(top, "clone0")
	run(top, "clone", "-q", "remote.git", "clone0")
	for n := range plans {
		text := ""
		for _, task := range []string{"A", "B", "C"} {
			text += fmt.Sprintf("<task type=\"auto\">\n  <name>%s of %d</name>\n</task>\n", task, n+1)
		}
		write(t, filepath.Join(first, filepath.FromSlash(clonePlan(n+1))), text)
	}
	run(first, "add", ".")
	run(first, "commit", "-q", "-m", "plans")
	run(first, "push", "-q", "origin", "HEAD:main")
	clones := []*clone{{t: t, dir: first, git: git, env: env, name: "clone0"}}
	for n := 1; n < count; n++ {
		name := fmt.Sprint("clone", n)
		run(top, "clone", "-q", "remote.git", name)
		clones = append(clones, &clone{t: t, dir: filepath.Join(top, name), git: git, env: env, name: name})
	}
	return clones
}

func clonePlan(n int) string { return fmt.Sprintf(".planning/phases/01-a/01-%02d-PLAN.md", n) }

func (c *clone) now() time.Time { return time.Now().Add(c.skew) }

// with opens the project for one command.
func (c *clone) with(do func(p *hydrate.Project)) {
	c.t.Helper()
	p, err := hydrate.Open(c.dir)
	if err != nil {
		c.t.Fatal(err)
	}
	defer p.Close()
	p.StateDir = session.StateDir(c.dir + ".state")
	began := time.Now().Truncate(time.Second) // a file system's clock may be behind
	do(p)
	if c.skew != 0 {
		c.age(began, filepath.Join(c.dir, ".planning", "sessions"), string(p.StateDir))
	}
}

// age gives what was written since a time below the directories the time that the clone's clock shows.
func (c *clone) age(began time.Time, dirs ...string) {
	for _, dir := range dirs {
		_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil
			}
			if info, err := d.Info(); err == nil && !info.ModTime().Before(began) && !info.ModTime().After(time.Now()) {
				return os.Chtimes(name, c.now(), c.now())
			}
			return nil
		})
	}
}

func (c *clone) sync() (done *team.Synced) {
	c.t.Helper()
	c.with(func(p *hydrate.Project) {
		var err error
		if done, err = team.Sync(c.t.Context(), p.Project, team.SyncOptions{User: "ada", Git: c.git, Env: c.env, Now: c.now(), Wait: time.Second}); err != nil {
			c.t.Fatalf("%s: %v", c.name, err)
		}
	})
	return done
}

func (c *clone) bootstrap(plan int) {
	c.t.Helper()
	c.with(func(p *hydrate.Project) {
		if _, err := p.Bootstrap(c.t.Context(), hydrate.BootstrapOptions{User: "ada", Plan: clonePlan(plan), Now: c.now()}); err != nil {
			c.t.Fatalf("%s: %v", c.name, err)
		}
	})
	c.on = plan
}

// lose removes what git does not track, as git clean -fdx does.
func (c *clone) lose() {
	c.t.Helper()
	if err := os.RemoveAll(filepath.Join(c.dir, ".planning", "sessions")); err != nil {
		c.t.Fatal(err)
	}
}

// restore brings the session of the current plan back.
func (c *clone) restore() {
	c.t.Helper()
	c.with(func(p *hydrate.Project) {
		o := hydrate.RestoreOptions{User: "ada", Plan: clonePlan(c.on), Dir: c.dir, From: hydrate.FromCrumb, Limit: verdict.DefaultLimit, Now: c.now()}
		if _, err := p.Restore(c.t.Context(), o); err != nil {
			c.t.Fatalf("%s: %v", c.name, err)
		}
	})
}

// mark reports whether the session was changed.
func (c *clone) mark(number int, status planfile.Status) (changed bool) {
	c.t.Helper()
	c.with(func(p *hydrate.Project) {
		done, err := p.Mark(c.t.Context(), hydrate.MarkOptions{User: "ada", Number: number, Status: status, Now: c.now()})
		if err != nil {
			c.t.Fatalf("%s: %v", c.name, err)
		}
		changed = done.Task.Changed
	})
	return changed
}

// edit sets a status as an agent does that writes the file itself.
func (c *clone) edit(number int, status planfile.Status) (changed bool) {
	c.t.Helper()
	c.with(func(p *hydrate.Project) {
		name := filepath.Join(c.dir, filepath.FromSlash(p.Session("ada").File()))
		src, err := os.ReadFile(name)
		if err != nil {
			c.t.Fatal(err)
		}
		f := planfile.Parse(src)
		chunks, err := f.SetStatus(status, number)
		if err != nil {
			c.t.Fatal(err)
		}
		if changed = chunks != nil && f.Tasks[number-1].Status != status; changed {
			var text []byte
			for _, chunk := range chunks {
				text = append(text, chunk...)
			}
			write(c.t, name, string(text))
		}
	})
	return changed
}

// statuses returns those of the current session.
func (c *clone) statuses() (all []planfile.Status) {
	c.t.Helper()
	c.with(func(p *hydrate.Project) {
		r, err := p.Hydrate("ada")
		if err != nil || r.Session == nil {
			c.t.Fatalf("%s: %v, %v", c.name, r, err)
		}
		_, all = verdict.SharedTasks(r.Session)
	})
	return all
}

// TestSyncEdit: what an agent wrote into the session file was set when it did so, and not when it was synced.
func TestSyncEdit(t *testing.T) {
	clones := newClones(t, 2, 1)
	for _, c := range clones {
		c.bootstrap(1)
		c.sync()
	}
	clones[0].edit(1, planfile.Complete)
	clones[0].with(func(p *hydrate.Project) {
		hour := time.Now().Add(-time.Hour)
		if err := os.Chtimes(filepath.Join(p.Dir, filepath.FromSlash(p.Session("ada").File())), hour, hour); err != nil {
			t.Fatal(err)
		}
	})
	clones[1].mark(1, planfile.InProgress)
	clones[1].sync()
	clones[0].sync()
	if is := clones[0].statuses()[0]; is != planfile.InProgress {
		t.Errorf("%s, and the mark is later than the edit", is)
	}
}

// TestSyncArchived: what was archived before the first sync is shared, but nobody works on it.
func TestSyncArchived(t *testing.T) {
	clones := newClones(t, 2, 2)
	clones[0].bootstrap(1)
	clones[0].mark(1, planfile.Complete)
	clones[0].bootstrap(2)
	clones[0].sync()
	done := clones[1].sync()
	if len(done.Sessions) != 1 || done.Sessions[0].Plan != clonePlan(2) {
		t.Errorf("%+v", done.Sessions)
	}
	clones[1].bootstrap(1)
	if got := clones[1].statuses(); got[0] != planfile.Complete {
		t.Errorf("its progress is lost: %v", got)
	}
}

// TestSyncSameStatus: a mark of the status that a task has is a mark, too. Without it, what another clone set before would win.
func TestSyncSameStatus(t *testing.T) {
	laptop, desk := pair(t)
	desk.mark(1, planfile.Pending)
	desk.sync()
	if laptop.mark(1, planfile.Complete) {
		t.Error("it was complete, and the file was written")
	}
	for _, c := range []*clone{laptop, desk} {
		c.sync()
	}
	for _, c := range []*clone{laptop, desk} {
		if is := c.statuses()[0]; is != planfile.Complete {
			t.Errorf("%s: %s, and it was marked complete last", c.name, is)
		}
	}
}

// TestSyncRestored: a restored session is as late as the lost one, though a clock was fast.
func TestSyncRestored(t *testing.T) {
	for _, test := range []struct {
		name  string
		skew  time.Duration
		again func(c *clone)
	}{
		{"restored", 5 * time.Minute, (*clone).restore},
		{"begun again", 5 * time.Minute, func(c *clone) { c.bootstrap(1) }},
		{"days", 72 * time.Hour, (*clone).restore},
		{"only what gsd sync knew was lost", time.Hour, func(c *clone) {}},
	} {
		t.Run(test.name, func(t *testing.T) {
			laptop, desk := pair(t)
			laptop.skew = test.skew
			laptop.mark(1, planfile.InProgress)
			laptop.sync()
			desk.sync()
			desk.mark(1, planfile.Complete)
			if test.name == "only what gsd sync knew was lost" {
				if err := os.Remove(filepath.Join(desk.dir, ".planning", "sessions", "ada", session.SharedFile)); err != nil {
					t.Fatal(err)
				}
			} else {
				desk.lose()
			}
			test.again(desk)
			desk.sync()
			laptop.sync()
			for _, c := range []*clone{laptop, desk} {
				if is := c.statuses()[0]; is != planfile.Complete {
					t.Errorf("%s: %s, and it was marked complete last", c.name, is)
				}
			}
		})
	}
}

// TestSyncClockCorrected: the clock of the only clone was days fast.
func TestSyncClockCorrected(t *testing.T) {
	c := newClones(t, 1, 1)[0]
	c.skew = 72 * time.Hour
	c.bootstrap(1)
	c.sync()
	c.mark(1, planfile.InProgress)
	c.sync()
	c.skew = 0
	c.mark(1, planfile.Complete)
	c.lose()
	c.restore()
	c.sync()
	if is := c.statuses()[0]; is != planfile.Complete {
		t.Errorf("%s, and it was marked complete last", is)
	}
}

// TestSyncForgets: what was shared is not in the breadcrumbs either once it was removed.
func TestSyncForgets(t *testing.T) {
	c, _ := pair(t)
	known := func() (n int) {
		c.with(func(p *hydrate.Project) {
			crumbs, err := p.StateDir.CrumbsOf(p.Dir, "ada", "", true)
			if err != nil || len(crumbs.Good) == 0 {
				t.Fatal(crumbs, err)
			}
			for _, its := range crumbs.Good {
				n += len(verdict.KnownBy(&its))
			}
		})
		return n
	}
	if known() == 0 {
		t.Error("the breadcrumb knows nothing")
	}
	c.with(func(p *hydrate.Project) {
		if _, err := team.Sync(t.Context(), p.Project, team.SyncOptions{User: "ada", Git: c.git, Env: c.env, Remove: true, Now: c.now()}); err != nil {
			t.Fatal(err)
		}
	})
	if known() != 0 {
		t.Error("the breadcrumb knows what was removed")
	}
}

// TestSyncBrokenRefs: a ref that the remote cannot send keeps nobody else's from being read, is not asked for again, and costs its
// owner no more than a warning.
func TestSyncBrokenRefs(t *testing.T) {
	clones := newClones(t, 2, 2)
	ada, bob := clones[0], clones[1]
	bob.env = append(slices.Clone(bob.env), "GIT_CONFIG_VALUE_1=bob@example.com")
	bob.bootstrap(1)
	bob.sync()
	ada.bootstrap(2)
	ref := ada.sync().Ref
	bare := filepath.Join(filepath.Dir(ada.dir), "remote.git")
	broken := func(name, message string) {
		t.Helper()
		cmd := exec.Command(ada.git, "-C", bare, "hash-object", "-t", "commit", "-w", "--literally", "--stdin")
		cmd.Env = ada.env
		cmd.Stdin = strings.NewReader("tree " + strings.Repeat("2", 40) + "\nauthor a <a> 0 +0000\ncommitter a <a> 0 +0000\n\n" + message)
		id, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(bare, filepath.FromSlash(name)), string(id))
	}
	for n := range 3 {
		broken(fmt.Sprint("refs/gsd/users/eve", n), fmt.Sprint(n))
	}
	bob.mark(1, planfile.Complete)
	bob.sync()
	fetches := 0
	sync := func() (done *team.Synced) {
		ada.with(func(p *hydrate.Project) {
			fetches = 0
			p.Progress = func(doing string) {
				if strings.Contains(doing, "git fetch") {
					fetches++
				}
			}
			var err error
			if done, err = team.Sync(t.Context(), p.Project, team.SyncOptions{User: "ada", Git: ada.git, Env: ada.env, Now: ada.now(), Wait: time.Second}); err != nil {
				t.Fatal(err)
			}
		})
		return done
	}
	if done := sync(); len(done.Warnings) > 0 {
		t.Error(done.Warnings)
	}
	ada.with(func(p *hydrate.Project) {
		done := 0
		for _, its := range team.LastSeen(p.Project).Everyone() {
			for _, on := range its.Sessions {
				done += on.Done
			}
		}
		if done != 1 {
			t.Errorf("what the others did is not read: %+v", team.LastSeen(p.Project).Everyone())
		}
	})
	if sync(); fetches > 0 {
		t.Errorf("%d fetches, and nothing has changed", fetches)
	}
	broken(ref, "mine")
	if done := sync(); len(done.Warnings) != 1 || !strings.Contains(done.Warnings[0].Detail, "left out") || !done.Pushed {
		t.Errorf("%+v", done)
	}
	if done := sync(); len(done.Warnings) > 0 {
		t.Error(done.Warnings)
	}
}

// pair returns two clones with a session on the same plan, of which the first task is complete, and all is synced.
func pair(t *testing.T) (first, second *clone) {
	clones := newClones(t, 2, 1)
	first, second = clones[0], clones[1]
	first.bootstrap(1)
	first.mark(1, planfile.Complete)
	first.sync()
	second.sync()
	second.bootstrap(1)
	second.sync()
	return first, second
}
