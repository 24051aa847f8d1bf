package session

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/durable"
)

// A former is a project whose sessions an earlier version of gsd hid from git with one file for all users.
type former struct {
	t       *testing.T
	project string
	d       Dir
}

func newFormer(t *testing.T) former {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("there is no git")
	}
	project, d := newProject(t)
	f := former{t, project, d}
	f.git(git, "init", "-q", "--template=", ".")
	for name, text := range map[string]string{
		".gitignore": ignoreAll, "user/.guard": "", "user/" + fileName: old, "ada/" + fileName: old, // ada's is the shell script's
		"bob/current-plan.20260101000000.stale": old, "notes/todo": "mine", "1234.json": "{}",
	} {
		f.write(name, text)
	}
	return f
}

func (f former) write(name, text string) {
	f.t.Helper()
	name = filepath.Join(f.project, sessionsDir, filepath.FromSlash(name))
	wantNone(f.t, os.MkdirAll(filepath.Dir(name), 0o755))
	wantNone(f.t, os.WriteFile(name, []byte(text), 0o644))
}

func (f former) git(program string, args ...string) string {
	f.t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = f.project, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + f.project, "GIT_CONFIG_NOSYSTEM=1"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		f.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// seen returns the files below the sessions' directory that git would add.
func (f former) seen() string {
	out := f.git("git", "ls-files", "--others", "--exclude-standard", "--", sessionsDir)
	return strings.ReplaceAll(strings.TrimSpace(out), sessionsDir+"/", "")
}

func (f former) has(name string) bool {
	_, err := os.Lstat(filepath.Join(f.project, sessionsDir, name))
	return err == nil
}

// TestSharedIgnoreMoves: the next write takes away the ignore file of an earlier version, git sees what is not ours, and still no
// session.
func TestSharedIgnoreMoves(t *testing.T) {
	f := newFormer(t)
	lock(t, f.d).Unlock()
	if seen := f.seen(); seen != "1234.json\nnotes/todo" {
		t.Errorf("git sees %q", seen)
	}
	wantFile(t, f.project, f.d.join(IgnoreFile), ignoreAll)
	wantFile(t, f.project, sessionsDir+"/ada/"+IgnoreFile, ignoreAll)
	if f.has(IgnoreFile) || f.has("notes/"+IgnoreFile) {
		t.Error("the shared one is still there, or a directory that is not ours has one")
	}
}

// TestSharedIgnoreStays: a file that is somebody's, or that git tracks, and one without which a session would be seen.
func TestSharedIgnoreStays(t *testing.T) {
	for name, change := range map[string]func(former){
		"changed":   func(f former) { f.write(IgnoreFile, "*\n!*.json\n") },
		"no end":    func(f former) { f.write(IgnoreFile, "*") },
		"tracked":   func(f former) { f.git("git", "add", "-f", sessionsDir+"/"+IgnoreFile) },
		"tracked 4": func(f former) { f.git("git", "-c", "index.version=4", "add", "-f", sessionsDir+"/"+IgnoreFile) },
		"a link": func(f former) {
			wantNone(f.t, os.Symlink("ada", filepath.Join(f.project, sessionsDir, "grace")))
		},
		"not hidden": func(f former) { f.write("ada/"+IgnoreFile, "# mine\n") },
		"is a link": func(f former) {
			f.write("hidden", ignoreAll)
			name := filepath.Join(f.project, sessionsDir, IgnoreFile)
			wantNone(f.t, errors.Join(os.Remove(name), os.Symlink("hidden", name)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFormer(t)
			f.d.MayTrack = func(string) bool { return strings.HasPrefix(name, "tracked") }
			change(f)
			lock(t, f.d).Unlock()
			if !f.has(IgnoreFile) {
				t.Error("it is gone")
			}
			if name == "is a link" { // which git does not read
				return
			}
			for seen := range strings.SplitSeq(f.seen(), "\n") {
				if strings.HasSuffix(seen, fileName) || strings.HasSuffix(seen, ".stale") {
					t.Errorf("git sees %s", seen)
				}
			}
		})
	}
}

// TestSharedIgnoreFaults fails at every step of the first write and of one that takes the shared file away: git never sees a session,
// and sees nothing of gsd's after the next write.
func TestSharedIgnoreFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("kills at every step")
	}
	failed := errors.New("killed")
	for _, first := range []bool{true, false} {
		for n := 1; ; n++ {
			f := newFormer(t)
			if first {
				wantNone(t, os.RemoveAll(filepath.Join(f.project, sessionsDir)))
			}
			steps := 0
			d := f.d
			d.Writer.Before = func(durable.Step) error {
				if steps++; steps >= n {
					return failed
				}
				return nil
			}
			if g, err := d.Lock(context.Background(), 0); err == nil {
				if _, was, err := g.Read(limit); err == nil || errors.Is(err, fs.ErrNotExist) {
					_ = g.Write(chunks(next), was)
				}
				g.Unlock()
			}
			if seen := f.seen(); strings.Contains(seen, fileName) {
				t.Errorf("after %d steps, git sees %q", n, seen)
			}
			lock(t, f.d).Unlock()
			if seen := f.seen(); seen != "1234.json\nnotes/todo" && (seen != "" || !first) {
				t.Errorf("after %d steps and another write, git sees %q", n, seen)
			}
			if steps < n {
				break
			}
		}
	}
}
