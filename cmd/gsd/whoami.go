package main

import (
	"context"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
)

type whoamiOptions struct {
	dir  string
	json bool
}

func (a *app) whoamiCommand() *cli.Command {
	return a.command(&cli.Command{
		Name:  "whoami",
		Usage: "tell the user, and where the name came from",
		Description: `The name is what git config user.name answers in this directory, made fit for a directory's name;
without one it is the operating system's user, then the host's name, then "unknown".

EXAMPLES
   gsd whoami
   gsd whoami --json | jq -r .user

` + exitStatusHelp,
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return a.whoami(c.Context, whoamiOptions{dir: a.workingDir(c), json: c.Bool("json")})
		},
	})
}

var sourceNames = map[identity.Source]string{
	identity.SourceGit:      "git's user.name",
	identity.SourceOS:       "the operating system's user",
	identity.SourceHostname: "the host's name",
	identity.SourceDefault:  "nothing else was there",
}

func (a *app) whoami(ctx context.Context, o whoamiOptions) error {
	if _, err := os.Stat(o.dir); err != nil {
		return hydrate.NoDirectory(o.dir, err)
	}
	u := a.user(ctx, o.dir)
	if o.json {
		return a.writeJSON(whoamiJSON(u))
	}
	a.printf("%s (%s: %s)\n", u.Name, sourceNames[u.Source], line(u.Raw))
	a.printWarnings(u)
	return nil
}
