package main

import (
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/view"
)

func (a *app) syncCommand() *cli.Command {
	return answering(&cli.Command{
		Name:  "sync",
		Usage: "exchange your sessions with your other clones",
		Description: `Your sessions go on at another machine, through the git remote that the project has. gsd sync pushes the status of each task
of your sessions to a ref of your own there, refs/gsd/users/NAME, and fetches what your other clones have pushed. gsd hydrate
then names the sessions that you have there, and gsd restore PLAN continues one here. If you work on a plan in several clones,
each task gets the status that was set last.

No text of a plan and no name of a task is pushed: only statuses, times, digests, and the names of plans' files, machines and
branches; --dry-run prints all of it. Nothing else in the repository is touched. The remote is that of the branch, origin or
the only one, or git config gsd.remote. A project whose .planning git ignores is only shared after
git config gsd.sharePrivate true.

The plan of your session is claimed: others who share through the remote see in gsd next and gsd status who has it, as of their
last gsd sync. gsd bootstrap of another plan, the plan's summary and gsd run unlock end the claim at the next sync, and so do 72
hours without one (git config gsd.claimTTL). After git config gsd.sync auto, gsd bootstrap claims the plan at once, and a sync in
the background follows marks, at most once a minute, and the end of a conversation.

EXAMPLES
   gsd sync
   gsd sync --dry-run
   gsd sync --remove`,
		Flags: []cli.Flag{
			boolFlag("dry-run", "print what would be pushed, and change nothing"),
			boolFlag("remove", "delete what was pushed, and forget it here"),
			&cli.BoolFlag{Name: "background", Hidden: true},
			waitFlag(),
		},
		Action: func(c *cli.Context) error {
			if err := exclusive(c, "dry-run", "remove"); err != nil {
				return err
			}
			with := a.withWriter
			if c.Bool("dry-run") {
				with = a.withUser
			}
			return with(c, func(p *hydrate.Project, u identity.User) error {
				o := a.syncOptions(u.Name, c.Duration("wait"))
				if c.Bool("background") {
					return p.BackgroundSync(c.Context, o, backgroundWait)
				}
				o.DryRun, o.Remove = c.Bool("dry-run"), c.Bool("remove")
				s, err := p.Sync(c.Context, o)
				if err != nil {
					return err
				}
				return reply(a, c, s, nil, (*view.Printer).Synced)
			})
		},
	})
}

// syncOptions are the options of a sync for a user.
func (a *app) syncOptions(user string, wait time.Duration) hydrate.SyncOptions {
	return hydrate.SyncOptions{User: user, Git: identity.LookGit(a.env.get("PATH")), Env: a.env, Now: a.now(), Wait: wait}
}
