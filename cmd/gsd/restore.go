package main

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/view"
)

func (a *app) restoreCommand() *cli.Command {
	return answering(&cli.Command{
		Name:      "restore",
		Usage:     "bring a lost session back",
		ArgsUsage: "[PLAN|ID]",
		Description: `Rebuilds the session on a plan from what is known of it: from its breadcrumb, a copy of the statuses that gsd keeps outside
of the project, else from the commits that carried out its tasks.

PLAN is a path, or an id such as 03-01; ID is that of a lost session as --list shows it, in any project, or the first four
or more characters of it. Without either it is the session that was lost here, else the plan of the session that is there,
else the next plan.

From git, commits with a scope such as feat(03-01) show which tasks are done, by their order and by the words of the tasks'
names; reverts take back. A task whose commits are certain enough becomes complete, the first other task in-progress if
anything was begun, the rest pending.

A session that is in the way stays, unless --fresh archives it; a plan that has changed is refused, unless --force gives each
status to the task of the same name.

EXAMPLES
   gsd restore
   gsd restore --list
   gsd restore 3f2a
   gsd restore 03-01 --from git --dry-run`,
		Flags: []cli.Flag{
			boolFlag("list", "list the lost sessions of all projects on this machine"),
			&cli.StringFlag{Name: "dismiss", Usage: "forget the lost session `ID`"},
			&cli.StringFlag{Name: "from", Usage: "restore from `SOURCE`: crumb or git (default: crumb where there is one)"},
			boolFlag("dry-run", "print what is known, and write nothing"),
			&cli.Float64Flag{
				Name: "min-confidence", Value: hydrate.DefaultConfidence,
				Usage: "from git: how certain commits must be for a task to count as complete, as `X` from 0 to 1",
			},
			&cli.IntFlag{Name: "commits", Usage: "from git: read the latest `N` commits; 0 for all", Value: hydrate.DefaultCommits},
			boolFlag("fresh", "archive the session that is in the way"),
			boolFlag("force", "also where the plan has changed, or another run may be at work"),
			waitFlag(),
		},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 1); err != nil {
				return err
			}
			o := hydrate.RestoreOptions{
				Dir: a.workingDir(c), Plan: c.Args().First(), From: hydrate.Source(c.String("from")), DryRun: c.Bool("dry-run"),
				MinConfidence: c.Float64("min-confidence"), MaxCommits: c.Int("commits"),
				Fresh: c.Bool("fresh"), Force: c.Bool("force"), Now: a.now(), Wait: c.Duration("wait"),
			}
			list, dismiss := c.Bool("list"), c.String("dismiss")
			switch {
			case list && (dismiss != "" || o.Plan != ""), dismiss != "" && o.Plan != "":
				return usage("gsd restore --list, gsd restore --dismiss ID, gsd restore [PLAN|ID]", "restore: --list, --dismiss and a session can't be used together")
			case o.From != "" && o.From != hydrate.FromCrumb && o.From != hydrate.FromGit:
				return usage("crumb or git", "--from is %q", view.Cut(view.Line(string(o.From)), longestWord))
			case !(o.MinConfidence >= 0 && o.MinConfidence <= 1):
				return usage("a number from 0 to 1, such as 0.8", "--min-confidence is %v", o.MinConfidence)
			case o.MaxCommits < 0:
				return usage("a whole number; 0 for all", "--commits is %d", o.MaxCommits)
			case list:
				return a.listLost(c.Bool("json"))
			case c.IsSet("dismiss"):
				return a.dismiss(dismiss, c.Bool("json"))
			}
			return a.restore(c.Context, o, c.Bool("json"))
		},
	})
}

func (a *app) restore(ctx context.Context, o hydrate.RestoreOptions, json bool) (err error) {
	if o.Limit, err = a.limit(); err != nil {
		return err
	}
	restored, err := hydrate.RestoreByID(ctx, a.world(), o)
	if restored == nil && err == nil {
		with := a.withWriter
		if o.DryRun {
			with = a.withUser
		}
		err = with(ctx, o.Dir, func(p *hydrate.Project, u identity.User) (err error) {
			o.User = u.Name
			restored, err = p.Restore(ctx, o)
			return err
		})
	}
	switch {
	case err != nil:
		return err
	case json:
		return view.JSON(&a.raw, restored)
	}
	a.printer().Restored(restored)
	return nil
}

func (a *app) listLost(json bool) error {
	lost, err := hydrate.Lost(a.world().StateDir, a.now())
	switch {
	case err != nil:
		return err
	case json:
		return view.JSON(&a.raw, lost)
	}
	a.printer().LostSessions(lost)
	return nil
}

func (a *app) dismiss(id string, json bool) error {
	if strings.TrimSpace(id) == "" {
		return usage("gsd restore --list lists them", "restore --dismiss: which one?")
	}
	done, err := hydrate.Dismiss(a.world().StateDir, id, a.now())
	switch {
	case err != nil:
		return err
	case json:
		return view.JSON(&a.raw, done)
	}
	a.printer().Dismissed(done.Dismissed)
	return nil
}
