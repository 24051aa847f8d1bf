package main

import (
	"path/filepath"
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
		Description: `Rebuilds a session from its breadcrumb, a copy of the statuses that gsd keeps outside the project, or else from the commits
that carried out its tasks. A session in another clone, as the last gsd sync knows it, continues here.

PLAN is a path, or an id such as 03-01. ID is that of a lost session of any project, as shown by --list, or at least its
first four characters. The default is the session that was lost here, else the plan of the current session, else the next
plan.

From git, commits with a scope such as feat(03-01) show which tasks are done. They are matched to tasks by their order and by
the words of the tasks' names; reverted commits do not count. A task whose match is certain enough is complete. The first
other task is in-progress if any work was started, and the rest are pending.

A session in the place of a lost one is archived; from git, a valid one is kept, unless --fresh archives it. If the plan has
changed, each status goes to the task with the same name, and what does not fit is listed. A lost session can be restored for
at least 7 days after gsd has first shown that it is lost.

--dismiss ID forgets a lost session for good, with the statuses of its tasks; it also removes a breadcrumb that cannot be read.
A hand-off note, .planning/HANDOFF.json or a .continue-here.md, is not restored but read; --dismiss NOTE then moves it into your
session directory.

EXAMPLES
   gsd restore
   gsd restore --list
   gsd restore 3f2a
   gsd restore 03-01 --from git --dry-run`,
		Flags: []cli.Flag{
			boolFlag("list", "list the lost sessions of all projects on this machine"),
			&cli.StringFlag{Name: "dismiss", Usage: "forget the lost session `ID` for good, or put away the hand-off note with that path"},
			&cli.StringFlag{Name: "from", Usage: "restore from `SOURCE`: crumb, remote or git (default: the first that there is)"},
			boolFlag("dry-run", "print what is known, and write nothing"),
			&cli.Float64Flag{
				Name: "min-confidence", Value: hydrate.DefaultConfidence,
				Usage: "from git: how certain a match must be to make a task complete, as `X` from 0 to 1",
			},
			&cli.IntFlag{Name: "commits", Usage: "from git: search the latest `N` commits; 0 for all", Value: hydrate.DefaultCommits},
			boolFlag("fresh", "from git: archive a valid session"),
			boolFlag("force", "restore even if another run may be active, or somebody else has the plan in hand"),
			waitFlag(),
		},
		Action: func(c *cli.Context) error {
			o := hydrate.RestoreOptions{
				Dir: a.workingDir(c), Plan: c.Args().First(), From: hydrate.Source(c.String("from")), DryRun: c.Bool("dry-run"),
				MinConfidence: c.Float64("min-confidence"), MaxCommits: c.Int("commits"),
				Fresh: c.Bool("fresh"), Force: c.Bool("force"), Now: a.now(), Wait: c.Duration("wait"),
			}
			list, dismiss := c.Bool("list"), c.IsSet("dismiss")
			switch {
			case list && dismiss, (list || dismiss) && o.Plan != "":
				return usage("gsd restore --list, gsd restore --dismiss ID, gsd restore [PLAN|ID]",
					"restore: --list, --dismiss and a session can't be used together")
			case o.From != "" && o.From != hydrate.FromCrumb && o.From != hydrate.FromGit && o.From != hydrate.FromRemote:
				return usage("crumb, remote or git", "--from is %s", quoted(string(o.From)))
			case !(o.MinConfidence >= 0 && o.MinConfidence <= 1):
				return usage("a number from 0 to 1, such as 0.8", "--min-confidence is %v", o.MinConfidence)
			case o.MaxCommits < 0:
				return usage("a whole number; 0 for all", "--commits is %d", o.MaxCommits)
			case list:
				lost, err := hydrate.Lost(a.world(), o.Now)
				return reply(a, c, lost, err, (*view.Printer).LostSessions)
			case dismiss:
				return a.dismiss(c, c.String("dismiss"))
			}
			return a.restore(c, o)
		},
	})
}

func (a *app) restore(c *cli.Context, o hydrate.RestoreOptions) (err error) {
	if o.Limit, err = a.env.limit(); err != nil {
		return err
	}
	restored, err := hydrate.RestoreByID(c.Context, a.world(), o)
	if restored != nil { // it may be another's, in another project
		restored.Others = a.user(c.Context, restored.Project).Name != restored.User
		if in, err := filepath.Rel(restored.Project, o.Dir); err != nil || in == ".." || strings.HasPrefix(in, ".."+string(filepath.Separator)) {
			a.in = restored.Project
		}
	}
	if restored == nil && err == nil {
		with := a.withWriter
		if o.DryRun {
			with = a.withUser
		}
		err = with(c, func(p *hydrate.Project, u identity.User) (err error) {
			o.User = u.Name
			restored, err = p.Restore(c.Context, o)
			return err
		})
	}
	return reply(a, c, restored, err, (*view.Printer).Restored)
}

func (a *app) dismiss(c *cli.Context, id string) error {
	switch {
	case strings.TrimSpace(id) == "":
		return usage("gsd restore --list lists the lost sessions", "restore: --dismiss needs an ID")
	case hydrate.IsNote(id):
		return a.withWriter(c, func(p *hydrate.Project, u identity.User) error {
			done, err := p.DismissNote(c.Context, u.Name, a.workingDir(c), id, a.now(), c.Duration("wait"))
			return reply(a, c, done, err, (*view.Printer).Dismissed)
		})
	}
	done, err := hydrate.Dismiss(a.world().StateDir, id, a.now())
	return reply(a, c, done, err, (*view.Printer).Dismissed)
}
