package main

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/view"
)

func (a *app) tasksCommand() *cli.Command {
	return answering(&cli.Command{
		Name:      "tasks",
		Usage:     "list the tasks of the session or of a plan, or show one whole",
		ArgsUsage: "[PLAN] [N]",
		Description: `Tags are shown as ‹name›, unless they are HTML's or type arguments: the plan itself and --json have them as they are.

EXAMPLES
   gsd tasks                the session's tasks
   gsd tasks 2              the session's task 2, whole
   gsd tasks 03-01          a plan's tasks
   gsd tasks 03-01 2        its task 2, whole`,
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 2); err != nil {
				return err
			}
			o := hydrate.TasksOptions{Dir: a.workingDir(c)}
			words := c.Args().Slice()
			if len(words) > 0 && (len(words) == 2 || !isTaskNumber(words[0])) {
				o.Plan, words = words[0], words[1:]
			}
			if len(words) > 0 {
				n, err := taskNumber(words[0])
				if err != nil {
					return err
				}
				o.Number = n
			}
			return a.tasks(c.Context, o, c.Bool("json"))
		},
	})
}

// isTaskNumber reports whether s means a task where it could also be a plan: 4 is a task, 04 a plan's id.
func isTaskNumber(s string) bool {
	return strings.Trim(s, "0123456789") == "" && (len(s) == 1 || !strings.HasPrefix(s, "0"))
}

func (a *app) tasks(ctx context.Context, o hydrate.TasksOptions, json bool) error {
	list := func(p *hydrate.Project) error {
		list, err := p.Tasks(o)
		switch {
		case err != nil:
			return err
		case json:
			return view.JSON(&a.raw, list)
		}
		a.printer().Tasks(list)
		return nil
	}
	if o.Plan == "" {
		return a.withUser(ctx, o.Dir, func(p *hydrate.Project, u identity.User) error {
			o.User = u.Name
			return list(p)
		})
	}
	p, err := a.open(o.Dir)
	if err != nil {
		return err
	}
	defer p.Close() // it was only read through
	return list(p)
}
