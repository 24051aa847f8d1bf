package main

import (
	"context"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
)

func (a *app) orphansCommand() *cli.Command {
	return a.command(&cli.Command{
		Name:      "orphans",
		Usage:     "list sessions that were lost, in all projects of this machine",
		ArgsUsage: "[dismiss ID]",
		Description: `gsd leaves a breadcrumb outside of the project whenever a session changes. One whose session is not there any
more is an orphan: the file was cleaned away, or its project was. dismiss drops a breadcrumb; ID may be the
beginning of one. gsd sweep drops those of which nobody heard for 7 days.

EXAMPLES
   gsd orphans
   gsd restore 3f2a
   gsd orphans dismiss 3f2a

` + exitStatusHelp,
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 2); err != nil {
				return err
			}
			switch {
			case c.NArg() == 0:
				return a.orphans(c.Bool("json"))
			case c.Args().First() != "dismiss":
				return usage("gsd orphans, gsd orphans dismiss ID", "orphans: %q is not dismiss", cut(line(c.Args().First()), longestWord))
			case c.NArg() == 1:
				return usage("gsd orphans lists them", "orphans dismiss: which one?")
			}
			return a.dismiss(c.Args().Get(1), c.Bool("json"))
		},
	})
}

func (a *app) orphans(json bool) error {
	found, warnings, err := hydrate.Orphans(a.world().StateDir, a.now())
	if err != nil {
		return err
	}
	if json {
		return a.writeJSON(jsonOrphans{Schema: schemaNumber, Orphans: orphansJSON(found)})
	}
	if len(found) == 0 {
		a.printf("no session is lost\n")
	}
	for i := range found {
		a.printOrphan(&found[i])
	}
	a.printWarnings(identity.User{}, warnings...)
	return nil
}

func (a *app) printOrphan(o *hydrate.Orphan) {
	if o.Corrupt != "" {
		a.printf("%s  %s: %s\n", a.style.bold(line(o.ID)), o.Why, line(o.Corrupt))
		a.printRun("gsd orphans dismiss "+quote(o.ID), "drops it")
		return
	}
	a.printf("%s  %s of %s, %d of %s complete, %s\n", a.style.bold(line(o.ID)), line(hydrate.PlanName(o.Plan)), line(o.User),
		o.Done, count(len(o.Tasks), "task"), a.seen(o))
	a.printf("  project  %s\n", line(o.Project))
	a.printf("  plan     %s\n", line(o.Plan))
	if o.Current > 0 && o.Current <= len(o.Tasks) {
		a.printf("  at       task %d: %s\n", o.Current, taskTitle(o.Tasks[o.Current-1].Name, o.Current))
	}
	a.printf("  lost     %s\n", a.style.yellow(o.Why))
	if o.Why != hydrate.LostProject && o.Why != hydrate.LostPlans {
		a.printf("  look     ls %s; git -C %s log -3\n", quote(filepath.Join(o.Project, ".planning", "sessions", o.User)), quote(o.Project))
		a.printRun("gsd restore "+quote(o.ID), "brings it back")
	}
	a.printRun("gsd orphans dismiss "+quote(o.ID), "drops it for good")
}

// seen says when a lost session was last changed.
func (a *app) seen(o *hydrate.Orphan) string {
	text := "last changed " + a.when(o.Updated)
	if o.Expired {
		text += "; gsd sweep drops it"
	}
	return text
}

func (a *app) dismiss(id string, json bool) error {
	o, err := hydrate.Dismiss(a.world().StateDir, id, a.now())
	if err != nil {
		return err
	}
	if json {
		return a.writeJSON(jsonDismissed{Schema: schemaNumber, Dismissed: orphansJSON([]hydrate.Orphan{*o})[0]})
	}
	a.printf("dismissed %s\n", line(o.ID))
	return nil
}

func (a *app) restoreCommand() *cli.Command {
	return a.command(&cli.Command{
		Name:      "restore",
		Usage:     "bring a lost session back",
		ArgsUsage: "[ID]",
		Description: `Makes the session anew from its plan, with the statuses that its breadcrumb remembers. ID is what gsd orphans
shows, or the beginning of it; without it, the one that was lost here. Where the plan has other tasks by now, or another session is in its place, it
refuses; --force gives each status to the task of the same name, and archives what is in the way.

EXAMPLES
   gsd restore
   gsd restore 3f2a

` + exitStatusHelp,
		Flags: []cli.Flag{boolFlag("force", "also where the plan changed, or another session is in its place"), waitFlag()},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 1); err != nil {
				return err
			}
			return a.restore(c.Context, a.workingDir(c), hydrate.RestoreOptions{
				ID: c.Args().First(), Force: c.Bool("force"), Now: a.now(), Wait: c.Duration("wait"),
			}, c.Bool("json"))
		},
	})
}

func (a *app) restore(ctx context.Context, dir string, o hydrate.RestoreOptions, json bool) error {
	limit, err := a.limit()
	if err != nil {
		return err
	}
	o.Limit = limit
	if o.ID == "" {
		err := a.withWriter(ctx, dir, func(p *hydrate.Project, u identity.User) (err error) {
			o.ID, err = p.LostSession(u.Name, o.Now)
			return err
		})
		if err != nil {
			return err
		}
	}
	r, err := hydrate.Restore(ctx, a.world(), o)
	if err != nil {
		return err
	}
	u := identity.User{Name: r.User} // whose session it was, whoever asks
	if json {
		return a.writeJSON(restoreJSON(r, u))
	}
	a.printf("restored %s in %s\n", line(r.Path), line(r.Project))
	if r.Archived != "" {
		a.printf("the session that was there is archived: %s\n", line(r.Archived))
	}
	for _, l := range r.Left {
		a.printf("%s: task %d, %s, was %s: %s\n", a.style.yellow("not restored"), l.From, taskTitle(l.Name, l.From), l.Status, l.Why)
	}
	a.printf("\n")
	a.printReport(r.Report, nil, &r.Runs)
	a.printReportWarnings(u, r.Report)
	return nil
}
