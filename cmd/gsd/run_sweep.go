package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/view"
)

func (a *app) runSweepCommand() *cli.Command {
	return answering(&cli.Command{
		Name:  "sweep",
		Usage: "clean up after crashed runs",
		Description: `Records the end of runs whose process is gone, drops their lease, forgets conversations that are not safe to resume, mends
a damaged journal, removes what crashed writers left, and drops breadcrumbs that are no longer needed (also those of
sessions that were lost more than 7 days ago). A run that is alive is never ended, whatever the clock says; of one that
cannot be seen from here, --force says that it is over once its time to live is. The plan's tasks stay as they are, unless
--reset-tasks sets those that a dead run left in progress back to pending.

EXAMPLES
   gsd run sweep --dry-run
   gsd run sweep --reset-tasks`,
		Flags: []cli.Flag{
			boolFlag("dry-run", "print what would be done, and do nothing"),
			boolFlag("reset-tasks", "set tasks that a dead run left in progress back to pending"),
			boolFlag("force", "also end runs that cannot be seen from here, once their time to live is over"),
			waitFlag(),
		},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			o := hydrate.SweepOptions{DryRun: c.Bool("dry-run"), ResetTasks: c.Bool("reset-tasks"), Force: c.Bool("force"), Now: a.now(), Wait: c.Duration("wait")}
			return a.sweep(c.Context, a.workingDir(c), o, c.Bool("json"))
		},
	})
}

func (a *app) sweep(ctx context.Context, dir string, o hydrate.SweepOptions, json bool) error {
	with := a.withWriter
	if o.DryRun {
		with = a.withUser
	}
	return with(ctx, dir, func(p *hydrate.Project, u identity.User) error {
		o.User = u.Name
		s, err := p.Sweep(ctx, o)
		if err != nil {
			return err
		}
		if json {
			return view.JSON(&a.raw, s)
		}
		a.printer().Swept(s)
		return nil
	})
}

func (a *app) runUnlockCommand() *cli.Command {
	return answering(&cli.Command{
		Name:  "unlock",
		Usage: "drop the lease of the session",
		Description: `For a run that is over, for your own, and for a lease that cannot be read. A run that may be alive keeps it, unless --force
says otherwise; the run itself goes on.

EXAMPLES
   gsd run unlock
   gsd run unlock --force`,
		Flags: []cli.Flag{boolFlag("force", "also if the run may be alive"), waitFlag()},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return a.withWriter(c.Context, a.workingDir(c), func(p *hydrate.Project, u identity.User) error {
				done, err := p.Unlock(c.Context, u.Name, c.Bool("force"), a.now(), c.Duration("wait"))
				if err != nil {
					return err
				}
				if c.Bool("json") {
					return view.JSON(&a.raw, done)
				}
				a.printer().Unlocked(done)
				return nil
			})
		},
	})
}
