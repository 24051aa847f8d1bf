package main

import (
	"os"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/view"
)

func whoamiCommand(inv *invocation) *cli.Command {
	porcelain := false
	return answering(inv, &cli.Command{
		Name:  "whoami",
		Usage: "show the user, and where the name comes from",
		Description: `The name is the answer of git config user.name in this directory, reduced to lower-case ASCII letters, digits and hyphens.
Without one it is, in an agent's shell, the user of the run that its host's hook has recorded, because some hosts hide git's configuration
from their agents; else the operating system's user, then the host name, then "unknown".

EXAMPLES
   gsd whoami
   gsd whoami --porcelain
   gsd whoami --json | jq -r .source`,
		Flags: []cli.Flag{boolFlag(&porcelain, "porcelain", "print the name and nothing else")},
		Action: func(c *cli.Context) error {
			if err := exclusive(c, "json", "porcelain"); err != nil {
				return err
			}
			dir := inv.workingDir()
			if _, err := os.Stat(dir); err != nil {
				return project.NoDirectory(dir, err)
			}
			p, err := inv.open(dir)
			if err == nil {
				defer p.Close() // it was only read through
			}
			u := inv.given().WhoIs(c.Context, p, dir)
			if porcelain {
				inv.plain().Printf("%s\n", u.Name)
				return nil
			}
			return reply(inv, u, nil, (*view.Printer).User)
		},
	})
}
