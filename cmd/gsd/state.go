package main

import (
	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/view"
)

func (a *app) stateCommand() *cli.Command {
	return answering(&cli.Command{
		Name:  "state",
		Usage: "show the project's position, and update STATE.md",
		Description: `The position is derived from the roadmap, the summaries and the commits, and is the same for everyone. A missing STATE.md is
created from GSD's template. In an existing one, values that differ are only listed, unless --write replaces them: those of
its Current Position lines and of its front matter, and not a byte more. Values are replaced as a whole. One that holds text
of your own, or that would go backwards, is left alone and listed with the reason.

EXAMPLES
   gsd state
   gsd state --write
   gsd state --json | jq .position.percent`,
		Flags: []cli.Flag{
			boolFlag("write", "update an existing STATE.md"),
			boolFlag("dry-run", "write nothing, not even a missing STATE.md"),
		},
		Action: func(c *cli.Context) error {
			if err := exclusive(c, "write", "dry-run"); err != nil {
				return err
			}
			with := a.withUser
			if c.Bool("write") {
				with = a.withWriter
			}
			return with(c, func(p *hydrate.Project, u identity.User) error {
				s, err := p.State(hydrate.StateOptions{User: u.Name, Write: c.Bool("write"), DryRun: c.Bool("dry-run")})
				return reply(a, c, s, err, (*view.Printer).State)
			})
		},
	})
}
