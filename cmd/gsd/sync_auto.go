package main

import (
	"context"
	"os"
	"os/exec"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/team"
)

// syncLater starts gsd sync in the background if one is due; last means that nothing may follow which would start another. The
// process has a session of its own and none of our files, so that nobody waits for it.
func (a *app) syncLater(ctx context.Context, p *hydrate.Project, u identity.User, last bool) {
	if !team.SyncDue(ctx, p.Project, a.syncOptions(u.Name, 0), last) {
		return
	}
	program, err := os.Executable()
	if err != nil {
		return
	}
	cmd := exec.Command(program, "sync", "--background", "-C", p.Dir)
	cmd.Args[0] = "gsd"
	cmd.Dir, cmd.Env = p.Dir, a.env
	detach(cmd)
	if cmd.Start() == nil {
		_ = cmd.Process.Release() // it continues without this process
	}
}

// backgroundWait is how long a sync in the background waits for another one.
const backgroundWait = 10 * time.Second
