package main

import (
	"os"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/settings"
	"github.com/gsd-cli/gsd/internal/view"
)

func configCommand(inv *invocation) *cli.Command {
	return answering(inv, &cli.Command{
		Name:  "config",
		Usage: "list all settings, with their values here",
		Description: `Lists every setting that gsd reads from git's configuration and from the environment, with its value here, or the default if
it is not set, and where that is from. For git it is the scope of the file that has it: system, global, local or worktree. Nothing
is changed: use git config NAME VALUE, or set the variable in your shell.

EXAMPLES
   gsd config
   gsd config --json | jq -r '.settings[] | select(.value) | .name'`,
		Action: func(c *cli.Context) error {
			dir := inv.workingDir()
			if _, err := os.Stat(dir); err != nil {
				return project.NoDirectory(dir, err)
			}
			all := settings.Find(c.Context, settings.Options{Dir: dir, Env: inv.env, Getenv: inv.env.get, Git: identity.FindGit(inv.env.get("PATH"))})
			return reply(inv, all, nil, view.Settings)
		},
	})
}
