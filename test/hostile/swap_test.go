//go:build linux

package hostile

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/gsd-cli/gsd/internal/testenv"
)

// swapped are the files and directories that are replaced by a pipe while gsd reads them.
var swapped = []string{
	own, session, records, own + "/.guard", plan, phase, ".planning/phases", ".planning/ROADMAP.md",
	".git/HEAD", ".git/config", ".git/packed-refs", ".git/refs/heads/main", ".git/objects/info/alternates", ".git/objects/pack",
	"~/state/gsd", "~/state/gsd/crumbs",
}

// TestSwaps runs hooks and commands while a file and a pipe replace each other as fast as possible, so that stat may
// see the one and open the other. Opening a pipe without O_NONBLOCK blocks for ever.
func TestSwaps(t *testing.T) {
	for _, name := range swapped {
		t.Run(name, func(t *testing.T) {
			runs := 100
			switch {
			case !testenv.Thorough():
				runs = 4
			case name == ".git/config" || name == ".git/HEAD": // git, which is asked then, blocks until it is killed
				runs = 20
			}
			if !testenv.Thorough() && name != own {
				t.Skip("only with GSD_THOROUGH=1")
			}
			t.Parallel()
			p := newProject(t)
			p.write(".planning/ROADMAP.md", "# Roadmap\n\n- [ ] **Phase 1: A**\n")
			p.history(func(w *importer) {
				w.commit("docs: plan")
				w.file(plan, honestPlan(3))
			})
			head := p.git(nil, "rev-parse", "HEAD") + "\n"
			p.write(".git/refs/heads/main", head)
			p.write(".git/packed-refs", head[:40]+" refs/heads/other\n")
			p.write(".git/objects/info/alternates", "none\n")
			p.gsd("bootstrap", "01-01")
			p.gsd("run", "start", "--host", "claude", "--id", "a")

			at := p.path(name)
			if below, ok := strings.CutPrefix(name, "~/"); ok {
				at = filepath.Join(p.home, below)
			}
			pipe := at + ".other"
			p.ok(syscall.Mkfifo(pipe, 0o666))
			stop, stopped := make(chan struct{}), make(chan struct{})
			defer func() { close(stop); <-stopped }()
			go func() {
				defer close(stopped)
				for {
					select {
					case <-stop:
						return
					default:
					}
					// One that is not there, because gsd has just replaced it, is there again the next time.
					_ = unix.Renameat2(unix.AT_FDCWD, at, unix.AT_FDCWD, pipe, unix.RENAME_EXCHANGE)
				}
			}()
			tried := &trial{project: p, t: t}
			defer tried.report("a pipe and " + name + " change places")
			for n := 0; n < runs && tried.hung == 0; n += 4 {
				tried.start("claude", starts)
				tried.command([]string{"next", "status", "bootstrap 01-01 --dry-run", "whoami"}[n/4%4])
				tried.command([]string{"mark 1 complete", "mark 1 pending", "run start", "run sweep"}[n/4%4])
			}
		})
	}
}
