package hydrate

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/session"
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

// with opens the project for one command.
func (c *clone) with(do func(p *Project)) {
	c.t.Helper()
	p, err := Open(c.dir)
	if err != nil {
		c.t.Fatal(err)
	}
	defer p.Close()
	p.StateDir = session.StateDir(c.dir + ".state")
	do(p)
}

func (c *clone) sync() (done *Synced) {
	c.t.Helper()
	c.with(func(p *Project) {
		var err error
		if done, err = p.Sync(c.t.Context(), SyncOptions{User: "ada", Git: c.git, Env: c.env, Now: time.Now(), Wait: time.Second}); err != nil {
			c.t.Fatalf("%s: %v", c.name, err)
		}
	})
	return done
}

func (c *clone) bootstrap(plan int) {
	c.t.Helper()
	c.with(func(p *Project) {
		if _, err := p.Bootstrap(c.t.Context(), BootstrapOptions{User: "ada", Plan: clonePlan(plan), Now: time.Now()}); err != nil {
			c.t.Fatalf("%s: %v", c.name, err)
		}
	})
	c.on = plan
}

// mark reports whether the session was changed.
func (c *clone) mark(number int, status planfile.Status) (changed bool) {
	c.t.Helper()
	c.with(func(p *Project) {
		done, err := p.Mark(c.t.Context(), MarkOptions{User: "ada", Number: number, Status: status, Now: time.Now()})
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
	c.with(func(p *Project) {
		name := filepath.Join(c.dir, filepath.FromSlash(p.session("ada").File()))
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
	c.with(func(p *Project) {
		r, err := p.Hydrate("ada")
		if err != nil || r.Session == nil {
			c.t.Fatalf("%s: %v, %v", c.name, r, err)
		}
		_, all = sharedTasks(r.Session)
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
	clones[0].with(func(p *Project) {
		hour := time.Now().Add(-time.Hour)
		if err := os.Chtimes(filepath.Join(p.Dir, filepath.FromSlash(p.session("ada").File())), hour, hour); err != nil {
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

// TestSyncSequences: whatever is marked in whatever clone, and synced in whatever order, in the end the same tasks are complete in
// all clones, and each that was completed last is among them. One that was set back last may be complete all the same: where the
// completion was not known, because the clone had not synced yet, a status that is behind it says nothing.
func TestSyncSequences(t *testing.T) {
	sequences, steps := 3, 20
	if *thorough {
		sequences, steps = 50, 30
	}
	for n := range sequences {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(uint64(n), 16))
			const plans = 2
			clones := newClones(t, 2+n%3, plans)
			var log []string
			last := map[[2]int]planfile.Status{}
			statuses := []planfile.Status{planfile.Complete, planfile.Complete, planfile.Complete, planfile.InProgress, planfile.Pending}
			for range steps {
				c := clones[random.IntN(len(clones))]
				switch what := random.IntN(10); {
				case what < 2 || c.on == 0:
					c.bootstrap(1 + random.IntN(plans))
					log = append(log, fmt.Sprintf("%s bootstrap %d", c.name, c.on))
				case what < 5:
					c.sync()
					log = append(log, c.name+" sync")
				default:
					number, status := 1+random.IntN(3), statuses[random.IntN(len(statuses))]
					set := c.mark
					if what == 9 {
						c.sync() // a file has one time for all its tasks
						set = c.edit
					}
					if set(number, status) {
						last[[2]int{c.on, number}] = status
					}
					if what == 9 {
						c.sync()
					}
					log = append(log, fmt.Sprintf("%s sets %d of %d %s (%d)", c.name, number, c.on, status, what))
				}
			}
			for range 2 {
				for _, c := range clones {
					c.sync()
				}
			}
			everywhere := map[int]planfile.Status{}
			for plan := 1; plan <= plans; plan++ {
				for _, c := range clones {
					if c.on != plan {
						c.bootstrap(plan)
					}
					for i, is := range c.statuses() {
						want := last[[2]int{plan, i + 1}]
						if want == "" {
							want = planfile.Pending
						}
						if first := everywhere[plan*10+i]; first == "" {
							everywhere[plan*10+i] = is
						} else if (is == planfile.Complete) != (first == planfile.Complete) {
							t.Errorf("%s, plan %d, task %d: %s, elsewhere %s\n%s", c.name, plan, i+1, is, first, strings.Join(log, "\n"))
						}
						if is != want && want == planfile.Complete {
							t.Errorf("%s, plan %d, task %d: %s, want %s\n%s", c.name, plan, i+1, is, want, strings.Join(log, "\n"))
						}
					}
				}
			}
		})
	}
}
