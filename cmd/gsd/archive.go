package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/view"
)

func archiveCommand(inv *invocation) *cli.Command {
	var o app.ArchiveOptions
	return answering(inv, &cli.Command{
		Name:      "archive",
		Usage:     "archive your session, or a hand-off note",
		ArgsUsage: "[NOTE]",
		Description: `The session is kept next to where it was, as current-plan.YYYYMMDDHHMMSS.stale, and afterwards there is no session.
'gsd bootstrap PLAN' continues it, with the status of every task. Your own run, if there is one, is paused, and a claim
that 'gsd sync' has made for the session ends with the next sync. A session file that cannot be read can be archived, too.

NOTE is the path of a hand-off note, .planning/HANDOFF.json or a .continue-here.md, that you have read: then the note is moved into
your session's directory, and the session stays.

The command fails with exit status 75 if another run may be at work on the session, and with 66 if there is no session, or no such
note.

EXAMPLES
   gsd archive
   gsd archive .planning/HANDOFF.json`,
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return archiveNote(c.Context, inv, c.Args().First())
			}
			return inv.withProject(c.Context, app.Writes, func(p *app.Project, user string) error {
				o.User, o.Wait = user, inv.wait()
				done, err := p.Archive(c.Context, o)
				if err == nil {
					inv.syncLater(p, true)
				}
				return reply(inv, done, err, view.ArchivedSession)
			})
		},
	})
}

func archiveNote(ctx context.Context, inv *invocation, name string) error {
	return inv.withProject(ctx, app.Writes, func(p *app.Project, user string) error {
		done, err := p.ArchiveNote(ctx, user, inv.workingDir(), name, inv.wait())
		return reply(inv, done, err, view.ArchivedNote)
	})
}
