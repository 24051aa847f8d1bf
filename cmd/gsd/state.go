package main

import (
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/mergedriver"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/view"
)

func stateCommand(inv *invocation) *cli.Command {
	var o status.StateOptions
	return answering(inv, &cli.Command{
		Name:  "state",
		Usage: "show the project's position, and update STATE.md",
		Description: `Prints the position, which is derived from the roadmap, the summaries and the commits, and is the same for everyone, and names
the values of STATE.md that differ from it; --json has both.

With --write, the values that differ in the Current Position lines and in the front matter are replaced, each as a whole, and not a
byte more. One that has text of your own, or that would go backwards, is left alone. A missing STATE.md is created, from GSD's
template.

EXAMPLES
   gsd state
   gsd state --write
   gsd state --json | jq .position.percent`,
		Flags: []cli.Flag{
			boolFlag(&o.Write, "write", "create STATE.md, or update what differs in it"),
		},
		Action: func(c *cli.Context) error {
			return inv.withProject(c.Context, app.Access(o.Write), func(p *app.Project, user string) error {
				o.User = user
				s, err := status.StateOf(p, o)
				return reply(inv, s, err, (*view.Printer).State)
			})
		},
	})
}

// stateMerge is the name that arrange gives to gsd state merge. As a subcommand, it would change the help of gsd state.
const stateMerge = "__state_merge"

// exitConflicts is the exit code of gsd state merge if conflicts are left. Any other than that and 0 makes the driver run git merge-file
// instead, also that of a crash.
const exitConflicts = 1

func stateMergeCommand(inv *invocation) *cli.Command {
	return command(&cli.Command{
		Name:      stateMerge,
		HelpName:  "state merge",
		Hidden:    true,
		Usage:     "merge two versions of STATE.md or ROADMAP.md",
		ArgsUsage: "BASE OURS THEIRS PATH [SIZE] [NAME] [NAME] [NAME]",
		Description: `This is git's merge driver for .planning. The values of the position, the check boxes and the rows of progress tables are merged
one by one, and where git says which commits are merged, they are computed from the merged tree. Everything else goes through git
merge-file.

A person sets it up, in each clone with git config merge.gsd.driver and this command, in single quotes:

   ` + mergedriver.Command + `

and for everybody with these lines in .gitattributes, which is committed. Where one of the two is missing, git merges as usual.

   ` + strings.ReplaceAll(strings.TrimSpace(mergedriver.Attributes), "\n", "\n   ") + `

EXIT STATUS
   0 without conflicts, 1 with conflicts; anything else is an error, and OURS is unchanged.`,
		Action: func(c *cli.Context) error {
			args := c.Args()
			o := mergedriver.Options{Dir: inv.dir, Env: inv.env, Base: args.Get(0), Ours: args.Get(1), Theirs: args.Get(2), Path: args.Get(3)}
			if n, err := strconv.Atoi(args.Get(4)); err == nil && n > 0 {
				o.MarkerSize = n
			}
			for i, name := range []*string{&o.BaseName, &o.OurName, &o.TheirName} {
				if word := args.Get(5 + i); !strings.HasPrefix(word, "%") { // before git 2.44 the placeholder itself
					*name = word
				}
			}
			conflicts, err := mergedriver.Merge(c.Context, o)
			if err == nil && conflicts {
				return exit(exitConflicts)
			}
			return err
		},
	})
}
