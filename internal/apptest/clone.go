package apptest

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// A Clone is one of several of a repository, each as if on its own machine.
type Clone struct {
	T    *testing.T
	Dir  string
	Git  string
	Env  []string
	On   int // the plan of the current session; 0 for none
	Name string
	Skew time.Duration // of its clock

	State string // gsd's state directory; empty for one beside Dir
}

// NewClones makes clones of a repository with plans of three tasks each.
func NewClones(t *testing.T, count, plans int) []*Clone {
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
		Write(t, filepath.Join(first, filepath.FromSlash(ClonePlan(n+1))), text)
	}
	run(first, "add", ".")
	run(first, "commit", "-q", "-m", "plans")
	run(first, "push", "-q", "origin", "HEAD:main")
	clones := []*Clone{{T: t, Dir: first, Git: git, Env: env, Name: "clone0"}}
	for n := 1; n < count; n++ {
		name := fmt.Sprint("clone", n)
		run(top, "clone", "-q", "remote.git", name)
		clones = append(clones, &Clone{T: t, Dir: filepath.Join(top, name), Git: git, Env: env, Name: name})
	}
	return clones
}

// ClonePlan is the path of a plan.
func ClonePlan(n int) string { return fmt.Sprintf(".planning/phases/01-a/01-%02d-PLAN.md", n) }

// Now is what its clock shows.
func (c *Clone) Now() time.Time { return time.Now().Add(c.Skew) }

// With opens the project for one command.
func (c *Clone) With(do func(p *app.Project)) {
	c.T.Helper()
	p, err := app.Open(c.Dir)
	if err != nil {
		c.T.Fatal(err)
	}
	defer p.Close()
	p.StateDir, p.Now = session.StateDir(cmp.Or(c.State, c.Dir+".state")), c.Now()
	began := time.Now().Truncate(time.Second) // a file system's clock may be behind
	do(p)
	if c.Skew != 0 {
		c.age(began, filepath.Join(c.Dir, ".planning", "sessions"), string(p.StateDir))
	}
}

// age gives what was written since a time below the directories the time that the clone's clock shows.
func (c *Clone) age(began time.Time, dirs ...string) {
	for _, dir := range dirs {
		_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil
			}
			if info, err := d.Info(); err == nil && !info.ModTime().Before(began) && !info.ModTime().After(time.Now()) {
				return os.Chtimes(name, c.Now(), c.Now())
			}
			return nil
		})
	}
}

// Sync is gsd sync.
func (c *Clone) Sync() (done *team.Synced) {
	c.T.Helper()
	c.With(func(p *app.Project) {
		var err error
		if done, err = team.Sync(c.T.Context(), p.Project, team.SyncOptions{User: "ada", Git: c.Git, Env: c.Env, Wait: time.Second}); err != nil {
			c.T.Fatalf("%s: %v", c.Name, err)
		}
	})
	return done
}

// Bootstrap begins a session on a plan.
func (c *Clone) Bootstrap(plan int) {
	c.T.Helper()
	c.With(func(p *app.Project) {
		if _, err := p.Bootstrap(c.T.Context(), app.BootstrapOptions{User: "ada", Plan: ClonePlan(plan)}); err != nil {
			c.T.Fatalf("%s: %v", c.Name, err)
		}
	})
	c.On = plan
}

// Lose removes what git does not track, as git clean -fdx does.
func (c *Clone) Lose() {
	c.T.Helper()
	if err := os.RemoveAll(filepath.Join(c.Dir, ".planning", "sessions")); err != nil {
		c.T.Fatal(err)
	}
}

// Restore brings the session of the current plan back.
func (c *Clone) Restore() {
	c.T.Helper()
	c.With(func(p *app.Project) {
		lost := LostSessions(c.T, p, c.Now())
		i := slices.IndexFunc(lost, func(l answer.LostSession) bool { return l.Project == p.Dir && l.Plan == ClonePlan(c.On) })
		if i < 0 {
			c.T.Fatalf("%s: no session on plan %d is lost", c.Name, c.On)
		}
		o := app.RestoreOptions{Dir: c.Dir, Limit: project.DefaultLimit}
		if _, err := RestoreByID(c.T.Context(), p.World, lost[i].ID, o); err != nil {
			c.T.Fatalf("%s: %v", c.Name, err)
		}
	})
}

// Mark reports whether the session was changed.
func (c *Clone) Mark(number int, status planfile.Status) (changed bool) {
	c.T.Helper()
	c.With(func(p *app.Project) {
		done, err := p.Mark(c.T.Context(), app.MarkOptions{User: "ada", Number: number, Status: status})
		if err != nil {
			c.T.Fatalf("%s: %v", c.Name, err)
		}
		changed = done.Task.Changed
	})
	return changed
}

// Edit sets a status as an agent does that writes the file itself.
func (c *Clone) Edit(number int, status planfile.Status) (changed bool) {
	c.T.Helper()
	c.With(func(p *app.Project) {
		name := filepath.Join(c.Dir, filepath.FromSlash(p.Session("ada").File()))
		src, err := os.ReadFile(name)
		if err != nil {
			c.T.Fatal(err)
		}
		f := planfile.Parse(src)
		chunks, err := f.SetStatus(status, number)
		if err != nil {
			c.T.Fatal(err)
		}
		if changed = chunks != nil && f.Tasks[number-1].Status != status; changed {
			var text []byte
			for _, chunk := range chunks {
				text = append(text, chunk...)
			}
			Write(c.T, name, string(text))
		}
	})
	return changed
}

// Statuses returns those of the current session.
func (c *Clone) Statuses() (all []planfile.Status) {
	c.T.Helper()
	c.With(func(p *app.Project) {
		r, err := p.Hydrate("ada")
		if err != nil || r.Session == nil {
			c.T.Fatalf("%s: %v, %v", c.Name, r, err)
		}
		_, all = verdict.SharedTasks(r.Session)
	})
	return all
}

// Pair returns two clones with a session on the same plan, of which the first task is complete, and all is synced.
func Pair(t *testing.T) (first, second *Clone) {
	clones := NewClones(t, 2, 1)
	first, second = clones[0], clones[1]
	first.Bootstrap(1)
	first.Mark(1, planfile.Complete)
	first.Sync()
	second.Sync()
	second.Bootstrap(1)
	second.Sync()
	return first, second
}
