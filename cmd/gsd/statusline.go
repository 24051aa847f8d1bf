package main

import (
	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/view"
)

func (a *app) statuslineCommand() *cli.Command {
	return inDirectory(&cli.Command{
		Name:   "statusline",
		Hidden: true,
		Usage:  "print one line for a host's status line",
		Description: `Takes the directory from the host's JSON on standard input, and prints one line: the plan, a bar, how many tasks are
complete, the current task, and a warning sign if the session is stale or was interrupted. The line is at most COLUMNS wide,
and empty outside a project. The exit status is always 0.

EXAMPLES
   gsd statusline < input.json
   gsd install claude --statusline`,
		Action: func(c *cli.Context) error {
			in, _ := a.readInput()
			return a.inHook(c.Context, a.startDirs(c.String("C"), in.CWD), a.env.caller(), func(p *hydrate.Project, u identity.User) error {
				r, err := p.Hydrate(u.Name)
				if err != nil {
					return err
				}
				p.CheckInterrupted(r, a.now())
				a.printf("%s\n", view.StatusLine(r, a.env.columns()))
				return nil
			})
		},
	})
}
