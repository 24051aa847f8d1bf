package main

import (
	"context"
	"os"
	"os/exec"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/child"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/view"
)

func syncCommand(inv *invocation) *cli.Command {
	var dryRun, remove, background bool
	var auto string
	return answering(inv, &cli.Command{
		Name:  "sync",
		Usage: "exchange your sessions with your other clones",
		Description: `Your sessions continue on another machine, through the git remote that the project has. 'gsd sync' pushes the status of each task
of your sessions to a ref of this clone there, refs/gsd/users/NAME/CLONE, and fetches what your other clones have pushed. 'gsd hydrate'
then names the sessions that you have there, and 'gsd bootstrap PLAN' continues one here. If you work on a plan in several clones,
each task gets the status that was set last.

No text of a plan and no name of a task is pushed: only statuses, times, digests, and the names of plans' files, machines and
branches, with the machine the last two directories of the project's path there, such as src/notes; --dry-run prints all of it.
Nothing else in the repository is touched. The remote is that of the branch, origin or the only one, or git config gsd.remote. A
project whose .planning git ignores is only shared after git config gsd.sharePrivate true.

The plan of your session is claimed: others who share through the remote see in 'gsd next' and 'gsd status' who has it, as of their
last 'gsd sync'. 'gsd bootstrap' of another plan, 'gsd archive' and the plan's summary end the claim at the next sync, and
so do 72 hours without one (git config gsd.claimTTL).

After 'gsd sync --auto on', 'gsd bootstrap' claims the plan at once, and a sync in the background follows marks, at most once a minute,
and the end of a conversation. That is for this clone, and for the address that the remote has then: if it changes, syncing stops, and says so.
A person turns it on, not an agent.

git reaches the remote with what you have configured for yourself, in ~/.gitconfig and the environment. Of the repository's own
configuration only the remote's address is used, which has to be a path or a URL of https, http, ssh, git or file.

EXAMPLES
   gsd sync
   gsd sync --dry-run
   gsd sync --auto on
   gsd sync --remove`,
		Flags: []cli.Flag{
			boolFlag(&dryRun, "dry-run", "print what would be pushed, and change nothing"),
			boolFlag(&remove, "remove", "delete what your clones have pushed, and forget it here"),
			&cli.StringFlag{Name: "auto", Usage: "turn automatic sync of this clone `on` or off", Destination: &auto},
			&cli.BoolFlag{Name: "background", Hidden: true, Destination: &background},
		},
		Action: func(c *cli.Context) error {
			if err := exclusive(c, "dry-run", "remove", "auto"); err != nil {
				return err
			}
			if c.IsSet("auto") {
				return setAuto(c.Context, inv, auto)
			}
			return inv.withProject(c.Context, app.Access(!dryRun), func(p *app.Project, user string) error {
				o := inv.syncOptions(user)
				if background {
					return team.BackgroundSync(c.Context, p.Project, o, backgroundWait)
				}
				o.DryRun, o.Remove = dryRun, remove
				s, err := team.Sync(c.Context, p.Project, o)
				return reply(inv, s, err, (*view.Printer).Synced)
			})
		},
	})
}

// backgroundWait is how long a sync in the background waits for another one.
const backgroundWait = 10 * time.Second

// syncOptions are the options of a sync for a user.
func (g *program) syncOptions(user string) team.SyncOptions {
	return g.given().SyncOptions(user, g.wait())
}

// setAuto turns background sync on or off. What comes with a repository cannot turn it on, nor can an agent, which may have read there
// that it should: a person sees the address first.
func setAuto(ctx context.Context, inv *invocation, value string) error {
	const on, off = "on", "off"
	if value != on && value != off {
		return usage(choices(value, []string{on, off}), "--auto needs on or off")
	}
	if host := agent.Detect(inv.env.get).Host; host != "" && value == on {
		return &problem.Error{
			Kind: problem.Refused, Text: "background sync is for a person to turn on, and " + host + " runs this command",
			Hint: "in a terminal of your own: `gsd sync --auto on`",
		}
	}
	return inv.withProject(ctx, app.Writes, func(p *app.Project, user string) error {
		s, err := team.SetAuto(ctx, p.Project, inv.syncOptions(user), value == on)
		return reply(inv, s, err, (*view.Printer).Synced)
	})
}

// syncLater starts gsd sync in the background if one is due; last means that nothing may follow which would start another. The
// process has a session of its own and none of our files, so that nobody waits for it.
func (g *program) syncLater(p *app.Project, last bool) {
	if !team.SyncDue(p.Project, last) {
		return
	}
	program, err := os.Executable()
	if err != nil {
		return
	}
	cmd := exec.Command(program, "sync", "--background", "-C", p.Dir)
	cmd.Args[0] = "gsd"
	cmd.Dir, cmd.Env = p.Dir, g.env
	child.Detach(cmd)
	if cmd.Start() == nil {
		_ = cmd.Process.Release() // it continues without this process
	}
}
