package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/view"
)

func restoreCommand(inv *invocation) *cli.Command {
	var o app.RestoreOptions
	var list bool
	return answering(inv, &cli.Command{
		Name:      "restore",
		Usage:     "bring a lost session back",
		ArgsUsage: "[ID]",
		Description: `Rebuilds a session that was lost from its breadcrumb, a copy of the statuses that gsd keeps outside the project. ID is that of
a lost session of any project, as shown by --list, or at least its first four characters. The default is the session that was
lost here. The run that was at work on it is restored, too: active if its process lives, else crashed. To continue a plan of
which no session was lost, start one: 'gsd bootstrap PLAN' carries over all that is known of its progress, from former sessions, from
other worktrees and clones, and from commits.

A session in the place of the lost one is archived. If the plan has changed, each status goes to the task with the same name, and
what does not fit is listed. A lost session can be restored for at least 7 days after gsd has first shown that it is lost.

'gsd forget ID' forgets one for good.

EXAMPLES
   gsd restore
   gsd restore --list
   gsd restore 3f2a`,
		Flags: []cli.Flag{
			boolFlag(&list, "list", "list the lost sessions of all projects on this machine, the last changed first"),
			boolFlag(&o.DryRun, "dry-run", "print what is known, and write nothing"),
		},
		Action: func(c *cli.Context) error {
			o.Dir, o.ID, o.Wait = inv.workingDir(), c.Args().First(), inv.wait()
			switch {
			case list && o.ID != "":
				return usage("`gsd restore --list`, or `gsd restore [ID]`", "restore: --list and a session can't be used together")
			case list:
				return listLost(inv)
			}
			return restore(c.Context, inv, o)
		},
	})
}

func listLost(inv *invocation) error {
	lost, err := history.Lost(inv.world())
	return reply(inv, lost, err, (*view.Printer).LostSessions)
}

func restore(ctx context.Context, inv *invocation, o app.RestoreOptions) (err error) {
	var restored *app.Restored
	if o.ID == "" {
		err = inv.withProject(ctx, app.Access(!o.DryRun), func(p *app.Project, user string) (err error) {
			o.User = user
			restored, err = p.RestoreHere(ctx, o)
			return err
		})
	} else if restored, err = inv.given().RestoreByID(ctx, inv.world(), o); err == nil && restored.IsAway(o.Dir) {
		inv.in = restored.Project
	}
	return reply(inv, restored, err, onScreen(inv, (*view.Printer).Restored))
}
