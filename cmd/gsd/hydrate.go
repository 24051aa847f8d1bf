package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/view"
)

type hydrateOptions struct {
	dir                       string
	json, porcelain, exitCode bool
}

func (a *app) hydrateCommand() *cli.Command {
	return answering(&cli.Command{
		Name:  "hydrate",
		Usage: "show where you left off: whether the session is valid, and the next task",
		Description: `The verdict is one of resume, complete, stale, none and corrupt (the session file is unreadable; it is kept). If the session
is stale or complete, the next plan is named, as gsd next does. First comes what was left unfinished, if anything was: runs
that died, tasks that they left in progress, lost sessions, other work that was begun. If commits work on a plan and nobody
has a session on it, gsd restore is named, which makes one from them; if the commits since the session was begun contradict
its tasks, that is a warning (drift). It only reads.

EXAMPLES
   gsd hydrate
   gsd hydrate --json | jq .resume.number
   test "$(gsd hydrate --porcelain)" != NO_SESSION || gsd bootstrap 03-01`,
		Flags: []cli.Flag{
			boolFlag("porcelain", "print one word: NO_SESSION, STALE, ALL_COMPLETE or the task's number"),
			boolFlag("exit-code", "exit with 1 for NO_SESSION and 2 for STALE"),
			boolFlag("inline", "print the Markdown that hooks hand to an agent, for a slash command"),
		},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			for _, pair := range [...][2]string{{"json", "porcelain"}, {"inline", "json"}, {"inline", "porcelain"}, {"inline", "exit-code"}} {
				if c.Bool(pair[0]) && c.Bool(pair[1]) {
					return usage("use one of them", "--%s and --%s can't be used together", pair[0], pair[1])
				}
			}
			if c.Bool("inline") {
				return a.brief(c.Context, briefOptions{dir: c.String("C"), inline: true})
			}
			return a.hydrate(c.Context, hydrateOptions{
				dir: a.workingDir(c), json: c.Bool("json"), porcelain: c.Bool("porcelain"), exitCode: c.Bool("exit-code"),
			})
		},
	})
}

func (a *app) hydrate(ctx context.Context, o hydrateOptions) error {
	return a.withUser(ctx, o.dir, func(p *hydrate.Project, u identity.User) error {
		if o.porcelain {
			r, err := p.Hydrate(u.Name)
			if err != nil {
				return err
			}
			a.printf("%s\n", r.Token)
			return exitFor(r, o)
		}
		r, err := p.HydrateAll(u.Name, a.now())
		if err != nil {
			return err
		}
		if o.json {
			p.Detail(r, a.now())
			if err := view.JSON(&a.raw, r); err != nil {
				return err
			}
		} else {
			a.printer().Report(r)
		}
		return exitFor(r, o)
	})
}

// exitFor is the exit code of a verdict, if somebody asked for it.
func exitFor(r *hydrate.Report, o hydrateOptions) error {
	if !o.exitCode {
		return nil
	}
	switch r.Token {
	case "NO_SESSION":
		return verdictExit(exitNoSession)
	case "STALE":
		return verdictExit(exitStale)
	}
	return nil
}
