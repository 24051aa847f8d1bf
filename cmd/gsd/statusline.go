package main

import (
	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/view"
)

func statuslineCommand(inv *invocation) *cli.Command {
	return inDirectory(inv, &cli.Command{
		Name:   "statusline",
		Hidden: true,
		Usage:  "print one line for a host's status line",
		Description: `Takes the directory from the host's JSON on standard input, and prints one line: the plan, a bar, how many tasks are
complete, the current task, and a warning sign if the session is stale, or if a task was interrupted, was paused, or was in progress
when its conversation was cleared or replaced. The line is at most COLUMNS wide, and empty outside a project. The exit status is
always 0.

EXAMPLES
   gsd statusline < input.json
   gsd install claude --statusline`,
		Action: func(c *cli.Context) error {
			h := newHook(inv, hookOptions{})
			h.caller = inv.env.caller()
			return h.inProject(c.Context, h.startDirs(), func(p *app.Project, user string) error {
				r, err := p.Hydrate(user)
				if err != nil {
					return err
				}
				history.CheckStates(p.Project, r)
				inv.plain().Printf("%s\n", view.StatusLine(r, inv.env.columns()))
				return nil
			})
		},
	})
}
