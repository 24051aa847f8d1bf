package main

import (
	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/view"
)

func (a *app) stateCommand() *cli.Command {
	return answering(&cli.Command{
		Name:  "state",
		Usage: "print the position for STATE.md, and update it",
		Description: `The position comes from the roadmap, the summaries and the commits, and is the same whoever asks. A missing STATE.md is made,
in the form of GSD's template. One that is there is left alone, and the values in it that differ are listed; --write
replaces them in its Current Position lines and its front matter, and no other byte. A value is replaced as a whole or not
at all: one with words of your own, or one that would go backwards, stays as it is and is listed with the reason.

EXAMPLES
   gsd state
   gsd state --write
   gsd state --json | jq .position.percent`,
		Flags: []cli.Flag{
			boolFlag("write", "update a STATE.md that is there"),
			boolFlag("dry-run", "write nothing, not even a missing STATE.md"),
		},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			o := hydrate.StateOptions{Write: c.Bool("write"), DryRun: c.Bool("dry-run")}
			if o.Write && o.DryRun {
				return usage("gsd state alone shows what --write would change", "--write and --dry-run can't be used together")
			}
			return a.state(c, o)
		},
	})
}

func (a *app) state(c *cli.Context, o hydrate.StateOptions) error {
	with := a.withUser
	if o.Write {
		with = a.withWriter
	}
	return with(c.Context, a.workingDir(c), func(p *hydrate.Project, u identity.User) error {
		o.User = u.Name
		s, err := p.State(o)
		if err != nil {
			return err
		}
		if c.Bool("json") {
			return view.JSON(&a.raw, s)
		}
		a.printer().State(s)
		return nil
	})
}
