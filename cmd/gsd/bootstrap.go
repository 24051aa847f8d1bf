package main

import (
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/view"
)

func waitFlag() cli.Flag {
	return &cli.DurationFlag{Name: "wait", Value: 5 * time.Second, Usage: "wait at most `DURATION` for another process that is writing"}
}

func (a *app) bootstrapCommand() *cli.Command {
	return answering(&cli.Command{
		Name:      "bootstrap",
		Usage:     "start a session on a plan",
		ArgsUsage: "PLAN",
		Description: `PLAN is a path, or an id such as 03-01. A valid session on the same plan is kept as it is. Any other session is archived
next to the new one as current-plan.YYYYMMDDHHMMSS.stale, never deleted. If another run may be active on it, the command
fails with exit status 75, unless --force is given.

EXAMPLES
   gsd bootstrap 03-01
   gsd bootstrap .planning/phases/03-api/03-01-PLAN.md
   gsd bootstrap 03-01 --carry           tasks were added or removed: keep what is done
   gsd bootstrap 03-01 --fresh --carry   only the text was edited: copy it, keep what is done
   gsd bootstrap 03-01 --fresh           start again from task 1`,
		Flags: []cli.Flag{
			boolFlag("fresh", "start a new session even if there is a valid one on this plan"),
			boolFlag("carry", "keep the status of every task that still exists"),
			boolFlag("force", "replace a session even if another run may be active on it"),
			waitFlag(),
		},
		Action: func(c *cli.Context) error {
			return a.withWriter(c, func(p *hydrate.Project, u identity.User) error {
				plan, err := p.ResolvePlan(a.workingDir(c), c.Args().First())
				if err != nil {
					return err
				}
				b, err := p.Bootstrap(c.Context, hydrate.BootstrapOptions{
					User: u.Name, Plan: plan, Now: a.now(),
					Fresh: c.Bool("fresh"), Carry: c.Bool("carry"), Force: c.Bool("force"), Wait: c.Duration("wait"),
				})
				return reply(a, c, b, err, (*view.Printer).Bootstrapped)
			})
		},
	})
}
