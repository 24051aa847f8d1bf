package main

import (
	"errors"
	"os"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/doctor"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/view"
)

func doctorCommand(inv *invocation) *cli.Command {
	var o doctor.Options
	return answering(inv, &cli.Command{
		Name:  "doctor",
		Usage: "find what is wrong, and say what fixes it",
		Description: `Prints what needs doing, each with a command for a POSIX shell if there is one that is safe to obey, else with what a person can
do. Such a command changes nothing outside of .planning, this repository's git configuration, gsd's own directories and its
entries in the settings of agents, and takes nothing from anybody. A note is worth knowing, and needs nothing. 'gsd doctor' itself
changes nothing.

It looks at git, your name, the gsd that a shell finds, the hooks of your agents, the plans that are still to be carried out, your
session, its runs and what was lost; the last line lists it. Outside of a project, only what does not depend on one is checked.

With --plans, only the plans are checked: whether each can be read, has a task and an id of its own, whether what it depends on exists and
comes in an earlier wave, and whether its front matter and tags are closed. Nothing depends on the user then, so that it
can run in CI. Each line begins with FILE:LINE:.

EXAMPLES
   gsd doctor
   gsd doctor --plans
   gsd doctor --json | jq -r '.findings[].code'

EXIT STATUS
   1 if something needs doing.`,
		Flags: []cli.Flag{boolFlag(&o.PlansOnly, "plans", "check the plans alone, for CI")},
		Action: func(c *cli.Context) error {
			dir := inv.workingDir()
			p, err := inv.open(dir)
			var failed *problem.Error
			switch {
			case err == nil:
				defer p.Close() // it was only read through
			case o.PlansOnly || !errors.As(err, &failed) || failed.Kind != problem.NoProject:
				return err
			}
			o.NoProject = failed
			if !o.PlansOnly {
				o.User, o.Git, o.Env = inv.given().WhoIs(c.Context, p, dir), identity.FindGit(inv.env.get("PATH")), inv.env
				o.Hidden = identity.SystemWorld(inv.env).Hidden()
				o.Program, _ = os.Executable()
				o.Version, o.StateDir = "gsd version "+version(), inv.world().StateDir
				o.Hosts = inv.hosts()
				if p != nil {
					o.Hosts.Project = p.Planning.Seen()
				}
				o.Hosts.Show = display(o.Hosts)
				o.InLogin = sync.OnceValue(func() string { return inv.self().InLogin(c.Context, inv.env.get("SHELL")) })
			}
			d := doctor.Examine(c.Context, p, o)
			err = reply(inv, d, nil, (*view.Printer).Diagnosis)
			if err == nil && len(d.Findings) > 0 {
				return exit(exitNeedsDoing)
			}
			return err
		},
	})
}
