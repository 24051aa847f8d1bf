package main

import (
	"errors"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/leftover"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/view"
)

// hydrateOptions are the flags of gsd hydrate.
type hydrateOptions struct {
	porcelain, exitCode, inline bool
}

func hydrateCommand(inv *invocation) *cli.Command {
	var o hydrateOptions
	return answering(inv, &cli.Command{
		Name:  "hydrate",
		Usage: "show where you left off: the session's state and the next task",
		Description: `Anything left unfinished comes first: crashed or failed runs, tasks that runs left in progress, lost sessions,
hand-off notes, open work items, quick tasks and debug sessions. Then comes the verdict on your session:

   resume    the session is valid: continue with the task shown
   complete  all tasks are complete or skipped
   stale     the plan moved, is done or has a different number of tasks, or the project is past its phase
   none      there is no session
   corrupt   the session file is unreadable; it is left in place

Unless there is a task to resume, the next plan is shown as by 'gsd next'. Without a session, those that you have in other git
worktrees of the repository, or under a former user name, are named with the command that continues each. For a task that nobody has
marked, commits show how far it is, and the answer says so; the warning drift names a commit that seems to have carried out a task in
progress. The command changes nothing in the project.

EXAMPLES
   gsd hydrate
   gsd hydrate --json | jq .resume.number
   test "$(gsd hydrate --porcelain)" != NO_SESSION || gsd bootstrap 03-01`,
		Flags: []cli.Flag{
			boolFlag(&o.porcelain, "porcelain", "print one word: NO_SESSION, STALE, ALL_COMPLETE or the task's number"),
			boolFlag(&o.exitCode, "exit-code", "exit with 1 for NO_SESSION and 2 for STALE"),
			boolFlag(&o.inline, "inline", "print the Markdown that agents get from hooks, for a slash command"),
		},
		Action: func(c *cli.Context) error {
			if err := errors.Join(exclusive(c, "inline", "json", "porcelain"), exclusive(c, "inline", "exit-code")); err != nil {
				return err
			}
			if o.inline {
				return newHook(inv, hookOptions{inline: true}).brief(c.Context)
			}
			err := inv.withProject(c.Context, app.Reads, func(p *app.Project, user string) error { return showSession(inv, p, user, o) })
			return hintingAtItems(err, inv.workingDir())
		},
	})
}

// hintingAtItems adds to the error for a directory that is in no project which work items of HAIOS were started there: HAIOS has no plans
// below .planning/.
func hintingAtItems(err error, dir string) error {
	failed, ok := errors.AsType[*problem.Error](err)
	if !ok || failed.Kind != problem.NoProject {
		return err
	}
	var says []string
	items, left := leftover.ItemsOutside(dir)
	if len(items) > 0 {
		says = append(says, "started here: "+view.WorkItems(items))
	}
	if left > 0 {
		says = append(says, view.ItemsUnread(left))
	}
	if says == nil {
		return err
	}
	return failed.Hinting(strings.Join(says, "; "))
}

func showSession(inv *invocation, p *app.Project, user string, o hydrateOptions) error {
	var r *answer.Report
	var err error
	if o.porcelain {
		if r, err = p.Hydrate(user); err == nil {
			inv.plain().Printf("%s\n", r.Token)
		}
	} else {
		if r, err = p.HydrateAll(user); err == nil && inv.json {
			p.Detail(r)
		}
		err = reply(inv, r, err, onScreen(inv, (*view.Printer).Report))
	}
	switch {
	case err != nil || !o.exitCode:
		return err
	case r.Token == "NO_SESSION":
		return exit(exitNoSession)
	case r.Token == "STALE":
		return exit(exitStale)
	}
	return nil
}
