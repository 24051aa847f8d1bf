package main

import (
	"context"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
)

func (a *app) sweepCommand() *cli.Command {
	return a.command(&cli.Command{
		Name:  "sweep",
		Usage: "put right what died in the middle",
		Description: `Gives runs whose process is gone their end, takes their lease away, forgets conversations that are not safe to
resume, drops breadcrumbs of no more use (also those of lost sessions of which nobody heard for 7 days), and
cleans up after crashed writers. A run that lives is never ended, whatever the clock says; of one that nobody
can look at, --force says that it is over once its time to live is up. The plan's tasks stay as they are,
unless --reset-tasks puts those that a dead run left in progress back to pending.

EXAMPLES
   gsd sweep --dry-run
   gsd sweep --reset-tasks

` + exitStatusHelp,
		Flags: []cli.Flag{
			boolFlag("dry-run", "only tell what would be done"),
			boolFlag("reset-tasks", "put tasks that a dead run left in progress back to pending"),
			boolFlag("force", "also end runs that nobody can look at, once their time is up"),
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
			return a.writeJSON(sweepJSON(s, o, u))
		}
		a.printSwept(s, o)
		a.printWarnings(u, s.Warnings...)
		return nil
	})
}

func (a *app) printSwept(s *hydrate.Swept, o hydrate.SweepOptions) {
	did := func(past, plain string) string {
		if o.DryRun {
			return "would " + plain
		}
		return past
	}
	if s.Nothing() {
		a.printf("nothing to sweep\n")
	}
	for i := range s.Ended {
		a.printf("%s %s\n", did("ended", "end"), line(s.Ended[i].Who()))
	}
	if s.Lease {
		a.printf("%s the lease away\n", did("took", "take"))
	}
	for _, n := range s.Reset {
		a.printf("%s task %d back to pending\n", did("put", "put"), n)
	}
	if s.Forgotten > 0 {
		a.printf("%s %s that no agent may resume\n", did("forgot", "forget"), count(s.Forgotten, "conversation"))
	}
	for i := range s.Dismissed {
		d := &s.Dismissed[i]
		a.printf("%s: %s the lost session %s on %s in %s: nobody asked for it in %d days\n", a.style.yellow("warning"), did("dismissed", "dismiss"),
			line(d.ID), line(hydrate.PlanName(d.Plan)), line(d.Project), hydrate.CrumbLife/(24*time.Hour))
	}
	if s.Crumbs > 0 {
		a.printf("%s %s of no more use\n", did("dropped", "drop"), count(s.Crumbs, "breadcrumb"))
	}
	if s.Temps > 0 {
		a.printf("%s %s of crashed writers\n", did("removed", "remove"), count(s.Temps, "file"))
	}
	if s.Rotated != "" {
		a.printf("%s the long journal away: %s\n", did("put", "put"), line(s.Rotated))
	}
	for i := range s.Spared {
		r := &s.Spared[i]
		a.printf("left %s: nobody here can tell whether it lives\n", line(r.Who()))
		if r.Expired && !o.Force {
			a.printRun("gsd sweep --force", "ends it; its time is up")
		}
	}
}

func (a *app) unlockCommand() *cli.Command {
	return a.command(&cli.Command{
		Name:  "unlock",
		Usage: "take the lease of the session away",
		Description: `For a run that is over, for your own, and for a lease that cannot be read. One that may live keeps it, unless
--force says otherwise; the run itself goes on.

EXAMPLES
   gsd unlock
   gsd unlock --force

` + exitStatusHelp,
		Flags: []cli.Flag{boolFlag("force", "also from a run that may live"), waitFlag()},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return a.withWriter(c.Context, a.workingDir(c), func(p *hydrate.Project, u identity.User) error {
				done, err := p.Unlock(c.Context, u.Name, c.Bool("force"), a.now(), c.Duration("wait"))
				if err != nil {
					return err
				}
				return a.unlocked(done, u, c.Bool("json"))
			})
		},
	})
}

func (a *app) unlocked(done *hydrate.Unlocked, u identity.User, json bool) error {
	if json {
		j := jsonUnlocked{Schema: schemaNumber, Unlocked: !done.Nothing, Warnings: warningsJSON(u, done.Warnings...)}
		if done.From != nil {
			from := runJSON(done.From)
			j.From = &from
		}
		return a.writeJSON(j)
	}
	switch {
	case done.Nothing:
		a.printf("there is no lease\n")
	case done.From == nil:
		a.printf("took the lease away\n")
	default:
		a.printf("took the lease away from %s\n", line(done.From.Who()))
	}
	a.printWarnings(u, done.Warnings...)
	return nil
}
