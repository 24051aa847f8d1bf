package main

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/view"
)

func tasksCommand(inv *invocation) *cli.Command {
	return answering(inv, &cli.Command{
		Name:      "tasks",
		Usage:     "list the tasks of the session or of a plan, or show one in full",
		ArgsUsage: "[PLAN] [N]",
		Description: `For a plan, the tasks have the statuses with which 'gsd bootstrap PLAN' would begin.

One task is shown as 'gsd hydrate' shows the task to resume. Tags in its text other than HTML's are shown as ‹name›; the
plan itself and --json have them unchanged.

EXAMPLES
   gsd tasks                the session's tasks
   gsd tasks 2              the session's task 2, in full
   gsd tasks 03-01          a plan's tasks
   gsd tasks 03-01 2        its task 2, in full`,
		Action: func(c *cli.Context) (err error) {
			o := app.TasksOptions{Dir: inv.workingDir()}
			words := c.Args().Slice()
			if len(words) > 0 && (len(words) == 2 || !isTaskNumber(words[0])) {
				o.Plan, words = words[0], words[1:]
			}
			if len(words) > 0 {
				if o.Number, err = taskNumber(words[0]); err != nil {
					return err
				}
			}
			return listTasks(c.Context, inv, o)
		},
	})
}

// listTasks lists the tasks of a plan, or without one those of the user's session.
func listTasks(ctx context.Context, inv *invocation, o app.TasksOptions) error {
	return inv.withProject(ctx, app.Reads, func(p *app.Project, user string) error {
		o.User = user
		list, err := p.Tasks(o)
		return reply(inv, list, err, (*view.Printer).Tasks)
	})
}

// isTaskNumber reports whether s, which could also be a plan, is a task's number: 4 is a task, 04 a plan's id.
func isTaskNumber(s string) bool {
	return strings.Trim(s, "0123456789") == "" && (len(s) == 1 || !strings.HasPrefix(s, "0"))
}
