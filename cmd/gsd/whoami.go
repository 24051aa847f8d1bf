package main

import (
	"os"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/view"
)

func (a *app) whoamiCommand() *cli.Command {
	return answering(&cli.Command{
		Name:  "whoami",
		Usage: "show the user, and where the name comes from",
		Description: `The name is what git config user.name answers in this directory, reduced to what a directory's name may hold; without one it
is the operating system's user, then the host's name, then "unknown".

EXAMPLES
   gsd whoami
   gsd whoami --porcelain
   gsd whoami --json | jq -r .source`,
		Flags: []cli.Flag{boolFlag("porcelain", "print the name and nothing else")},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			dir := a.workingDir(c)
			if _, err := os.Stat(dir); err != nil {
				return hydrate.NoDirectory(dir, err)
			}
			u := a.whoIs(c.Context, dir)
			switch {
			case c.Bool("json") && c.Bool("porcelain"):
				return usage("use one of them", "--json and --porcelain can't be used together")
			case c.Bool("json"):
				return view.JSON(&a.raw, u)
			case c.Bool("porcelain"):
				a.printf("%s\n", u.Name)
				return nil
			}
			a.printer().User(u)
			return nil
		},
	})
}
