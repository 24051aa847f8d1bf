package session

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/durable"
)

// TestIgnoreFaults fails at every step of the first write: git never sees a session, and sees nothing of gsd's after the next write.
func TestIgnoreFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("kills at every step")
	}
	program, err := exec.LookPath("git")
	if err != nil {
		t.Skip("there is no git")
	}
	failed := errors.New("killed")
	for n, steps := 1, 1; steps >= n; n++ {
		project, d := newProject(t)
		git := func(args ...string) string {
			cmd := exec.Command(program, args...)
			cmd.Dir, cmd.Env = project, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + project, "GIT_CONFIG_NOSYSTEM=1"}
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("git %q: %v\n%s", args, err, out)
			}
			return string(out)
		}
		git("init", "-q", "--template=", ".")
		seen := func() string {
			return git("ls-files", "--others", "--exclude-standard", "--", ".planning/"+sessionsDir)
		}
		steps = 0
		killed := d
		killed.Writer.Before = func(durable.Step) error {
			if steps++; steps >= n {
				return failed
			}
			return nil
		}
		if g, err := killed.Lock(context.Background(), 0); err == nil {
			if _, was, err := g.Read(limit); err == nil || errors.Is(err, fs.ErrNotExist) {
				_ = g.Write(chunks(next), was)
			}
			g.Unlock()
		}
		if seen := seen(); strings.Contains(seen, fileName) {
			t.Errorf("after %d steps, git sees %q", n, seen)
		}
		lock(t, d).Unlock()
		if seen := seen(); seen != "" {
			t.Errorf("after %d steps and another write, git sees %q", n, seen)
		}
	}
}
