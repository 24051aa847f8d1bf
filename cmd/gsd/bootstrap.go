package main

import (
	"context"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
)

// guardWait is how long a command waits for somebody else's (docs/design.md, Writing).
const guardWait = 5 * time.Second

func waitFlag() cli.Flag {
	return &cli.DurationFlag{Name: "wait", Value: guardWait, Usage: "wait `DURATION` for another process that is writing"}
}

type bootstrapOptions struct {
	dir, plan                 string
	fresh, carry, force, json bool
	wait                      time.Duration
}

func (a *app) bootstrapCommand() *cli.Command {
	return a.command(&cli.Command{
		Name:      "bootstrap",
		Usage:     "start a session on a plan",
		ArgsUsage: "PLAN [--fresh] [--carry]",
		Description: `PLAN is a path, or an id such as 03-01. A live session on the same plan is kept as it is; one that
gives way is archived beside it as current-plan.YYYYMMDDHHMMSS.stale, never deleted. Where another run may be
at work on it, nothing happens (exit status 75), unless --force.

EXAMPLES
   gsd bootstrap 03-01
   gsd bootstrap .planning/phases/03-api/03-01-PLAN.md
   gsd bootstrap 03-01 --carry           tasks were added or removed: keep what is done
   gsd bootstrap 03-01 --fresh --carry   only the text was edited: take it over, keep what is done
   gsd bootstrap 03-01 --fresh           begin again from task 1

` + exitStatusHelp,
		Flags: []cli.Flag{
			boolFlag("fresh", "also where a live session is on this plan"),
			boolFlag("carry", "take over the status of every task that is still there"),
			boolFlag("force", "also where another run may be at work on the session that gives way"),
			waitFlag(),
		},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 1, 1); err != nil {
				return err
			}
			return a.bootstrap(c.Context, bootstrapOptions{
				dir: a.workingDir(c), plan: c.Args().First(), json: c.Bool("json"),
				fresh: c.Bool("fresh"), carry: c.Bool("carry"), force: c.Bool("force"), wait: c.Duration("wait"),
			})
		},
	})
}

func (a *app) bootstrap(ctx context.Context, o bootstrapOptions) error {
	return a.withWriter(ctx, o.dir, func(p *hydrate.Project, u identity.User) error {
		plan, err := p.ResolvePlan(o.dir, o.plan)
		if err != nil {
			return err
		}
		b, err := p.Bootstrap(ctx, hydrate.BootstrapOptions{
			User: u.Name, Plan: plan, Fresh: o.fresh, Carry: o.carry, Force: o.force, Now: a.now(), Wait: o.wait,
		})
		if err != nil {
			return err
		}
		if o.json {
			return a.writeJSON(bootstrapJSON(b, u))
		}
		a.printBootstrapped(b, o)
		a.printReport(b.Report, nil, &b.Runs)
		a.printReportWarnings(u, b.Report)
		return nil
	})
}

func (a *app) printBootstrapped(b *hydrate.Bootstrapped, o bootstrapOptions) {
	switch {
	case b.Kept && o.carry:
		a.printf("kept the live session on this plan, so there is nothing to carry; --fresh --carry starts a new one\n")
	case b.Kept:
		a.printf("kept the live session on this plan; --fresh starts a new one\n")
	case b.Archived == "":
		a.printf("started a session: %s\n", line(b.Path))
	default:
		was := string(b.Was)
		if b.Was == hydrate.Resume {
			was = "unfinished"
		}
		a.printf("started a session: %s\narchived the %s one: %s\n", line(b.Path), was, line(b.Archived))
	}
	for _, c := range b.Carried {
		from := ""
		if c.From != c.Number {
			from = fmt.Sprintf(" (it was task %d)", c.From)
		}
		if c.Changed {
			from += "; its text has changed: check that it is still so"
		}
		a.printf("carried: task %d %s%s\n", c.Number, c.Status, from)
	}
	for _, l := range b.Left {
		a.printf("not carried: old task %d %s, %s: %s\n", l.From, l.Status, taskTitle(l.Name, l.From), l.Why)
	}
	a.printf("\n")
}
