package main

import (
	"context"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/view"
)

// guardWait is how long a command waits for somebody else's (docs/design.md, Writing).
const guardWait = 5 * time.Second

func waitFlag() cli.Flag {
	return &cli.DurationFlag{Name: "wait", Value: guardWait, Usage: "wait `DURATION` for another process that is writing"}
}

func (a *app) bootstrapCommand() *cli.Command {
	return answering(&cli.Command{
		Name:      "bootstrap",
		Usage:     "start a session on a plan",
		ArgsUsage: "PLAN [--fresh] [--carry]",
		Description: `PLAN is a path, or an id such as 03-01. A live session on the same plan is kept as it is; one that gives way is archived
beside it as current-plan.YYYYMMDDHHMMSS.stale, never deleted. While another run may be at work on it, nothing happens
(exit status 75), unless --force.

EXAMPLES
   gsd bootstrap 03-01
   gsd bootstrap .planning/phases/03-api/03-01-PLAN.md
   gsd bootstrap 03-01 --carry           tasks were added or removed: keep what is done
   gsd bootstrap 03-01 --fresh --carry   only the text was edited: take it over, keep what is done
   gsd bootstrap 03-01 --fresh           start again from task 1`,
		Flags: []cli.Flag{
			boolFlag("fresh", "also if a live session is on this plan"),
			boolFlag("carry", "keep the status of every task that is still there"),
			boolFlag("force", "also while another run may be at work on the session that gives way"),
			waitFlag(),
		},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 1, 1); err != nil {
				return err
			}
			o := hydrate.BootstrapOptions{
				Plan: c.Args().First(), Fresh: c.Bool("fresh"), Carry: c.Bool("carry"), Force: c.Bool("force"), Wait: c.Duration("wait"),
			}
			return a.bootstrap(c.Context, a.workingDir(c), o, c.Bool("json"))
		},
	})
}

func (a *app) bootstrap(ctx context.Context, dir string, o hydrate.BootstrapOptions, json bool) error {
	return a.withWriter(ctx, dir, func(p *hydrate.Project, u identity.User) (err error) {
		if o.Plan, err = p.ResolvePlan(dir, o.Plan); err != nil {
			return err
		}
		o.User, o.Now = u.Name, a.now()
		b, err := p.Bootstrap(ctx, o)
		if err != nil {
			return err
		}
		if json {
			return view.JSON(&a.raw, b)
		}
		a.printer().Bootstrapped(b)
		return nil
	})
}
