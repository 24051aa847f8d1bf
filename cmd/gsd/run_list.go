package main

import (
	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/view"
)

func (a *app) runListCommand() *cli.Command {
	return answering(&cli.Command{
		Name:  "list",
		Usage: "list who worked on the session, since when, and how it ended",
		Description: `Lists your latest runs in this project, the last one first. The state of a run is active (its process is alive and holds the
lease), idle (alive without it), unknown (it cannot be seen from here), orphaned (its process is gone, and no end was
recorded), finished (in success or failure) or interrupted (in any other way).

EXAMPLES
   gsd run list
   gsd run list --all --json | jq '.runs[] | select(.state == "orphaned")'`,
		Flags: []cli.Flag{boolFlag("all", "list all runs that were ever recorded")},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return a.withUser(c.Context, a.workingDir(c), func(p *hydrate.Project, u identity.User) error {
				list, err := p.RunList(u.Name, c.Bool("all"), a.now())
				if err != nil {
					return err
				}
				if c.Bool("json") {
					return view.JSON(&a.raw, list)
				}
				a.printer().Runs(list)
				return nil
			})
		},
	})
}
