package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/view"
)

func bootstrapCommand(inv *invocation) *cli.Command {
	var o app.BootstrapOptions
	var dryRun bool
	return answering(inv, &cli.Command{
		Name:      "bootstrap",
		Usage:     "start or continue a session on a plan",
		ArgsUsage: "[PLAN]",
		Description: `PLAN is a path, the name of a plan's file, an id such as 03-01, or the number of a phase, which stands for its next plan.
Without PLAN, it is the plan that 'gsd next' names. Both skip plans that somebody else is working on.

A valid session on the plan is kept as it is. Otherwise a new one is started, and the session that it replaces is archived next to
it as current-plan.YYYYMMDDHHMMSS.stale, never deleted.

The new session has the status of every task that an earlier session on the plan has: the current one, an archived one, a lost
one or one under a former user name, also if the plan was edited or moved since. Of your sessions in other git worktrees, complete
and skipped tasks count. A task that none of them has set is complete if commits, as feat(03-01): …, certainly carried it out; they
are named, so that you can verify that.

The command fails with exit status 75 if another run may be active on that session, or if somebody is working on the plan: another
user with an unfinished session on it, here, in another worktree or in another clone ('gsd sync'), or your own run in another
worktree. 'gsd help takeover' says how to take a plan over.

A plan that has a summary is done: it is refused with exit status 77, unless --again is given.

EXAMPLES
   gsd bootstrap
   gsd bootstrap 03-01
   gsd bootstrap .planning/phases/03-api/03-01-PLAN.md
   gsd bootstrap 03-01 --dry-run         show what would be carried over
   gsd bootstrap 03-01 --fresh           start over from task 1
   gsd bootstrap 03-01 --again           do a plan again that has a summary`,
		Flags: []cli.Flag{
			boolFlag(&o.Fresh, "fresh", "start over, ignoring earlier progress"),
			boolFlag(&o.Again, "again", "start a session even if the plan has a summary, starting over if all tasks were done"),
			boolFlag(&dryRun, "dry-run", "print what is known of the plan's progress, and write nothing"),
		},
		Action: func(c *cli.Context) error {
			return inv.withProject(c.Context, app.Writes, func(p *app.Project, user string) (err error) {
				if c.Args().Present() {
					if o.Plan, err = p.ResolveStart(user, inv.workingDir(), c.Args().First()); err != nil {
						return err
					}
				}
				if dryRun {
					o.User = user
					f, err := p.PreviewBootstrap(o)
					return reply(inv, f, err, (*view.Printer).Preview)
				}
				return bootstrap(c.Context, inv, p, user, o)
			})
		},
	})
}

func takeOverCommand(inv *invocation) *cli.Command {
	o := app.BootstrapOptions{TakeOver: true}
	return answering(inv, &cli.Command{
		Name:      "takeover",
		Usage:     "take over a plan that somebody else is working on",
		ArgsUsage: "PLAN",
		Description: `Does what 'gsd bootstrap PLAN' refuses with exit status 75: it starts or continues your session on a plan that somebody else
is working on, with their progress, or replaces a session that another run may be working on. Ask them first.

The run loses the session's lease, so that yours can have it, and continues without it; 'gsd run end' ends one. At the next 'gsd sync' the
claim on the plan is yours, and its former owner sees that. PLAN is as for 'gsd bootstrap'.

An agent must ask the person it works for first, and cannot run this in a host that never asks. Hosts know the command by its first
word.

EXAMPLES
   gsd takeover 03-01
   gsd takeover 03-01 --again            one that has a summary`,
		Flags: []cli.Flag{boolFlag(&o.Again, "again", "even if the plan has a summary, starting over if all tasks were done")},
		Action: func(c *cli.Context) error {
			const ask = "ask those working on the plan, and the person you work for"
			switch host := agent.Detect(inv.env.get).Host; {
			case host != "" && agent.AsksNothing(host):
				return usage(ask, "%s runs commands without asking: only a person in a terminal can take a plan over", host)
			case host != "" && inv.first != "takeover": // no rule that has a host ask would match
				return usage(ask, "in an agent, takeover comes first: `gsd takeover PLAN`, then flags")
			}
			return inv.withProject(c.Context, app.Writes, func(p *app.Project, user string) (err error) {
				if o.Plan, err = p.ResolveStart(user, inv.workingDir(), c.Args().First()); err != nil {
					return err
				}
				return bootstrap(c.Context, inv, p, user, o)
			})
		},
	})
}

// bootstrap starts or continues a session.
func bootstrap(ctx context.Context, inv *invocation, p *app.Project, user string, o app.BootstrapOptions) error {
	o.User, o.Wait = user, inv.wait()
	p.ClaimsFirst(&o, inv.syncOptions(user))
	b, err := p.Bootstrap(ctx, o)
	if err == nil && o.Claim != nil {
		inv.syncLater(p, true)
	}
	return reply(inv, b, err, onScreen(inv, (*view.Printer).Bootstrapped))
}
