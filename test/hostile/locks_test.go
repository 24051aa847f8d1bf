//go:build linux

package hostile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gsd-cli/gsd/internal/testenv"
)

// TestGuardIsPrivate checks that only the user may open the guard, because a user who may open it may hold it and so block
// all marks.
func TestGuardIsPrivate(t *testing.T) {
	p := newProject(t)
	p.gsd("bootstrap", "01-01")
	p.gsd("mark", "1", "complete")
	info := must[os.FileInfo](t)(os.Stat(p.path(own + "/.guard")))
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		t.Errorf("the guard can be opened by others: %v", mode)
	}
}

// TestGuardIsHeld checks that the process that holds the guard is named, and that no hook fails.
func TestGuardIsHeld(t *testing.T) {
	testenv.OnlyThorough(t)
	p := newProject(t)
	p.gsd("bootstrap", "01-01")
	f := must[*os.File](t)(os.Open(p.path(own + "/.guard")))
	defer f.Close()
	p.ok(syscall.Flock(int(f.Fd()), syscall.LOCK_EX))
	u := p.run(manner{most: patience}, "mark", "1", "complete")
	if u.Exit != 75 || !bytes.Contains(u.errs.text, fmt.Appendf(nil, "pid %d", os.Getpid())) {
		t.Errorf("exit %d, want 75 and the process %d named: %s", u.Exit, os.Getpid(), u.errs.text)
	}
	tried := &trial{project: p, t: t}
	tried.start("claude", starts)
	tried.hook("hook end --host claude", ends)
}

const group = 4242 // that nobody is in but those who are put into it

// needsRoot skips a test that needs several users.
func needsRoot(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can run gsd as other users")
	}
}

// as runs gsd as another user of the group, who has a home and a name of his own.
func (p *project) as(uid int, umask string, args ...string) usage {
	p.t.Helper()
	home := filepath.Join(filepath.Dir(p.home), fmt.Sprintf("home%d", uid))
	p.write(filepath.Join(home, ".gitconfig"), strings.ReplaceAll(gitConfig, user, fmt.Sprintf("user%d", uid)))
	p.ok(filepath.WalkDir(home, func(name string, _ os.DirEntry, err error) error {
		if err == nil {
			err = os.Chown(name, uid, group)
		}
		return err
	}))
	env := []string{"HOME=" + home, "XDG_STATE_HOME=" + filepath.Join(home, "state"), "XDG_CONFIG_HOME=" + filepath.Join(home, "config")}
	return p.run(manner{most: patience, uid: uid, gid: group, umask: umask, env: env}, args...)
}

// open makes the project accessible to other users: temporary directories are for one user.
func (p *project) open() {
	p.t.Helper()
	for dir := p.dir; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		p.ok(os.Chmod(dir, 0o755))
	}
}

// give makes a user of the group the owner of everything in the project.
func (p *project) give(uid int, mode os.FileMode) {
	p.t.Helper()
	p.ok(filepath.WalkDir(p.dir, func(name string, entry os.DirEntry, err error) error {
		if err == nil {
			err = os.Lchown(name, uid, group)
		}
		if err == nil && entry.IsDir() {
			err = os.Chmod(name, mode)
		}
		return err
	}))
}

// TestGroupProject checks a group's project, whose directories have the setgid bit and whose first user has a umask of
// 077: the others can still have sessions.
func TestGroupProject(t *testing.T) {
	needsRoot(t)
	p := newProject(t)
	p.open()
	p.give(2001, 0o2775|os.ModeSetgid)
	p.remove(".git") // whose it is matters to git, and is not what is tried here
	for _, uid := range []int{2001, 2002} {
		for _, line := range []string{"bootstrap 01-01", "run start", "mark 1 complete", "hydrate"} {
			if u := p.as(uid, "077", strings.Fields(line)...); u.Exit != 0 {
				t.Errorf("user %d: gsd %s: exit %d: %s", uid, line, u.Exit, u.errs.text)
			}
		}
	}
}

// TestRootWasHere checks that if root runs gsd once in somebody's project, under that user's name, the user is not
// locked out.
func TestRootWasHere(t *testing.T) {
	needsRoot(t)
	const run = "run start --host claude --id r\nrun end --host claude --id r --status success"
	for _, lines := range []string{run, "bootstrap 01-01\n" + run + "\nmark 1 complete", "run sweep"} {
		for _, before := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, session before %v", strings.Fields(lines)[0], before), func(t *testing.T) {
				p := newProject(t)
				p.open()
				p.give(2001, 0o755)
				p.remove(".git")
				if before {
					if u := p.as(2001, "022", "bootstrap", "01-01"); u.Exit != 0 {
						t.Fatalf("exit %d: %s", u.Exit, u.errs.text)
					}
				}
				p.write(filepath.Join(p.home, ".gitconfig"), strings.ReplaceAll(gitConfig, user, "user2001"))
				for _, line := range splitLines(lines) {
					if u := p.run(manner{umask: "022"}, strings.Fields(line)...); u.Exit != 0 {
						t.Logf("root: gsd %s: exit %d: %s", line, u.Exit, u.errs.text)
					}
				}
				for _, line := range []string{"bootstrap 01-01", "run start --host claude --id x", "mark 2 complete", "run end --host claude --id x --status success", "run sweep"} {
					if u := p.as(2001, "022", strings.Fields(line)...); u.Exit != 0 {
						t.Errorf("gsd %s: exit %d: %s", line, u.Exit, u.errs.text)
					}
				}
			})
		}
	}
}

// TestLargeSession checks that bootstrap --fresh archives a session that is too large to be read.
func TestLargeSession(t *testing.T) {
	for _, size := range []int64{17 << 20, huge} {
		p := newProject(t)
		p.sparse(session, honestSession(3, "pending"), size)
		tried := &trial{project: p, t: t}
		tried.start("claude", starts)
		if u := tried.command("bootstrap 01-01 --fresh"); u.Exit != 0 {
			t.Errorf("exit %d: %s", u.Exit, u.errs.text)
		}
		kept := must[[]string](t)(filepath.Glob(p.path(own + "/current-plan.*.stale")))
		if len(kept) != 1 || must[os.FileInfo](t)(os.Stat(kept[0])).Size() != size {
			t.Errorf("the archives are %q", kept)
		}
		tried.command("mark 1 complete")
	}
}

// TestUnknownUser checks that if git cannot determine the user, commands that write fail rather than use another name.
func TestUnknownUser(t *testing.T) {
	configurations := map[string]func(p *project){
		"a pipe": func(p *project) { p.ok(syscall.Mkfifo(p.path(".git/config"), 0o666)) },
		"one that includes it": func(p *project) {
			p.write(".git/config", "[include]\n\tpath = pipe\n")
			p.ok(syscall.Mkfifo(p.path(".git/pipe"), 0o666))
		},
		"one that is torn":         func(p *project) { p.write(".git/config", "[user\n\tname = eve\n") },
		"one that includes itself": func(p *project) { p.write(".git/config", "[include]\n\tpath = config\n") },
	}
	for name, put := range configurations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !testenv.Thorough() && name != "a pipe" {
				t.Skip("only with GSD_THOROUGH=1")
			}
			p := newProject(t)
			p.gsd("bootstrap", "01-01")
			p.remove(".git/config")
			put(p)
			before := p.tree(".planning/sessions")
			tried := &trial{project: p, t: t}
			for _, line := range []string{"run start", "run start --host claude --id x", "mark 1 complete", "bootstrap 01-01", "bootstrap 01-01 --fresh", "run sweep", "run end --status success"} {
				if u := tried.command(line); u.Exit == 0 {
					t.Errorf("gsd %s went on, though nobody knows for whom: %s", line, u.out.text)
				}
			}
			tried.start("claude", starts)
			tried.hook("hook end --host claude", ends)
			tried.hook("statusline", starts)
			for _, line := range []string{"hydrate", "next", "status", "whoami"} {
				tried.command(line)
			}
			if after := p.tree(".planning/sessions"); after != before {
				t.Errorf("the sessions were\n%s and are\n%s", before, after)
			}
		})
	}
}

// tree lists the files below a directory with their sizes.
func (p *project) tree(name string) string {
	p.t.Helper()
	var text strings.Builder
	p.ok(filepath.WalkDir(p.path(name), func(name string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil && !entry.IsDir() {
			fmt.Fprintf(&text, "%s %d\n", strings.TrimPrefix(name, p.dir), info.Size())
		}
		return err
	}))
	return text.String()
}
