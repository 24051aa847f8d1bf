package main

import (
	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/view"
)

func archiveCommand(inv *invocation) *cli.Command {
	var o hydrate.ArchiveOptions
	return answering(inv, &cli.Command{
		Name:  "archive",
		Usage: "archive your session, without starting another",
		Description: `The session is kept next to where it was, as current-plan.YYYYMMDDHHMMSS.stale, and there is none any more: gsd hydrate says
so. gsd bootstrap PLAN takes it up again, with the status of every task. Your own run, if there is one, is paused, and a claim
that gsd sync has made for the session ends with the next sync. A session file that cannot be read can be archived, too.

The command fails with exit status 75 if another run may be at work on the session, and with 66 if there is no session.

EXAMPLES
   gsd archive`,
		Action: func(c *cli.Context) error {
			return inv.withProject(c.Context, writes, func(p *hydrate.Project, user string) error {
				o.User, o.Now, o.Wait = user, inv.now(), inv.wait()
				done, err := p.Archive(c.Context, o)
				if err == nil {
					inv.syncLater(p, true)
				}
				return reply(inv, done, err, view.PutAway)
			})
		},
	})
}
