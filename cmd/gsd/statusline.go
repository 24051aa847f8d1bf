package main

import (
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/history"
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
			return a.inHook(c.Context, a.startDirs(c.String("C"), in.CWD), a.caller(), func(p *hydrate.Project, u identity.User) error {
				r, err := p.Hydrate(u.Name)
				if err != nil {
					return err
				}
				history.CheckInterrupted(p.Project, r, a.now())
				a.printf("%s\n", view.StatusLine(r, a.columns()))
				return nil
			})
		},
	})
}

// columns is how wide a line may be. Hosts set COLUMNS, because they read from a pipe.
func (a *app) columns() int {
	n, err := strconv.ParseUint(strings.TrimSpace(a.getenv("COLUMNS")), 10, 15)
	if err != nil || n == 0 {
		return 80
	}
	return int(n)
}
