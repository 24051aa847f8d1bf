package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/view"
)

// defaultColumns is how wide a line is where nobody says.
const defaultColumns = 80

func (a *app) statuslineCommand() *cli.Command {
	return inDirectory(&cli.Command{
		Name:   "statusline",
		Hidden: true,
		Usage:  "print one line for a host's status line",
		Description: `Reads the host's JSON from standard input, for the directory, and prints one line: the plan, a bar, how many of its tasks
are complete, the current task, and a warning sign if the session is stale or was interrupted. It is at most as wide as
COLUMNS says, and empty outside a project. The exit status is always 0.

EXAMPLES
   gsd statusline < input.json
   gsd install claude --statusline`,
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return a.statusline(c.Context, c.String("C"))
		},
	})
}

func (a *app) statusline(ctx context.Context, given string) error {
	in := a.readInput()
	return a.inHook(ctx, a.startDirs(given, in.CWD), a.caller(), func(p *hydrate.Project, u identity.User) error {
		r, err := p.Hydrate(u.Name)
		if err != nil {
			return err
		}
		p.CheckInterrupted(r, a.now())
		a.printf("%s\n", view.StatusLine(r, a.columns()))
		return nil
	})
}

// columns is how wide a line may be, as COLUMNS has it: hosts set it, because what they read from is no terminal.
func (a *app) columns() int {
	n, err := strconv.ParseUint(strings.TrimSpace(a.getenv("COLUMNS")), 10, 15)
	if err != nil || n == 0 {
		return defaultColumns
	}
	return int(n)
}
