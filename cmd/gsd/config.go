package main

import (
	"os"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/settings"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/internal/view"
)

func configCommand(inv *invocation) *cli.Command {
	return answering(inv, &cli.Command{
		Name:  "config",
		Usage: "list all settings, with their values here",
		Description: `Lists every setting that gsd reads, of git's configuration and of the environment: what it is set to here, or what counts
without it, and where that is from. Of a setting in git's configuration, the scope says in which file it is: git config --list
--show-origin names it. The command changes nothing; git config NAME VALUE does, and your shell.

EXAMPLES
   gsd config
   gsd config --json | jq -r '.settings[] | select(.value) | .name'`,
		Action: func(c *cli.Context) error {
			dir := inv.workingDir()
			if _, err := os.Stat(dir); err != nil {
				return verdict.NoDirectory(dir, err)
			}
			all := settings.Find(c.Context, settings.Options{Dir: dir, Env: inv.env, Getenv: inv.env.get, Git: identity.FindGit(inv.env.get("PATH"))})
			return reply(inv, all, nil, func(p *view.Printer, all *settings.Settings) {
				p.Printf("%s", all.Text(p.Style))
				p.Warnings(all.Warnings)
			})
		},
	})
}
