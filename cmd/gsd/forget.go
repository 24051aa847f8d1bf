package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/view"
)

func forgetCommand(inv *invocation) *cli.Command {
	return answering(inv, &cli.Command{
		Name:      "forget",
		Usage:     "forget a lost session for good",
		ArgsUsage: "ID",
		Description: `The breadcrumb of the session is deleted, and with it the statuses of its tasks: nothing brings them back. ID is that of a lost
session of any project, as shown by 'gsd restore --list', or the beginning of it. A breadcrumb that cannot be read has one, too.
Without this command, one is forgotten 7 days after gsd has first shown that its session is lost.

EXAMPLES
   gsd restore --list
   gsd forget 3f2a`,
		Action: func(c *cli.Context) error {
			id := c.Args().First()
			if strings.TrimSpace(id) == "" {
				return usage("`gsd restore --list` lists the lost sessions", "forget: an ID is needed")
			}
			done, err := history.Forget(inv.world(), id)
			return reply(inv, done, err, (*view.Printer).Forgotten)
		},
	})
}
