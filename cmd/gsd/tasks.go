package main

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/host"
	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/planfile"
)

type tasksOptions struct {
	dir, plan string // plan is empty for the session
	number    int    // 0 for all
	json      bool
}

func (a *app) tasksCommand() *cli.Command {
	return a.command(&cli.Command{
		Name:      "tasks",
		Usage:     "list the tasks of the session or of any plan, or show one whole",
		ArgsUsage: "[PLAN] [N]",
		Description: `Tags are shown as ‹name›, unless they are HTML's or type arguments: the plan itself, and --json, have them to the letter.

EXAMPLES
   gsd tasks                the session's tasks
   gsd tasks 2              the session's task 2, whole
   gsd tasks 03-01          a plan's tasks
   gsd tasks 03-01 2        its task 2, whole

` + exitStatusHelp,
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 2); err != nil {
				return err
			}
			o := tasksOptions{dir: a.workingDir(c), json: c.Bool("json")}
			words := c.Args().Slice()
			if len(words) > 0 && (len(words) == 2 || !isTaskNumber(words[0])) {
				o.plan, words = words[0], words[1:]
			}
			if len(words) > 0 {
				n, err := taskNumber(words[0])
				if err != nil {
					return err
				}
				o.number = n
			}
			return a.tasks(c.Context, o)
		},
	})
}

// isTaskNumber tells a word that means a task where it could also be a plan: 4 is a task, 04 a plan's id.
func isTaskNumber(s string) bool {
	return strings.Trim(s, "0123456789") == "" && (len(s) == 1 || !strings.HasPrefix(s, "0"))
}

func (a *app) tasks(ctx context.Context, o tasksOptions) error {
	if o.plan == "" {
		return a.withUser(ctx, o.dir, func(p *hydrate.Project, u identity.User) error {
			list, err := p.SessionTasks(u.Name)
			if err != nil {
				return err
			}
			if err = a.printList(list, o); err == nil && !o.json {
				a.printWarnings(u)
			}
			return err
		})
	}
	p, err := a.open(o.dir)
	if err != nil {
		return err
	}
	defer p.Close() // it was only read through
	place, err := p.ResolvePlan(o.dir, o.plan)
	if err != nil {
		return err
	}
	list, err := p.PlanTasks(place)
	if err != nil {
		return err
	}
	return a.printList(list, o)
}

func (a *app) printList(list *hydrate.TaskList, o tasksOptions) error {
	if o.number > 0 {
		if _, err := list.File.Task(o.number); err != nil {
			return &hydrate.Error{Kind: hydrate.MissingInput, Text: line(list.Path) + " has " + err.Error(), Hint: "gsd tasks lists them", Err: err}
		}
	}
	switch {
	case o.json:
		return a.writeJSON(tasksJSON(list, o.number))
	case o.number > 0:
		a.printTask(list.File, o.number)
	default:
		a.printTasks(list)
	}
	return nil
}

func (a *app) printTasks(list *hydrate.TaskList) {
	a.printf("%s: %s\n", line(list.Path), count(len(list.File.Tasks), "task"))
	width, typeWidth := len(number(len(list.File.Tasks))), 0
	for _, t := range list.File.Tasks {
		typeWidth = max(typeWidth, len(line(t.Type)))
	}
	typeWidth = min(typeWidth, len("checkpoint:human-action"))
	for _, t := range list.File.Tasks {
		status := ""
		if list.Session {
			status = a.statusWord(t.Status)
		}
		a.printf("%*d  %s%-*s  %s\n", width, t.Number, status, typeWidth, line(t.Type), taskTitle(list.File.Name(t.Number), t.Number))
	}
}

// statusWord is a status in a column of its own.
func (a *app) statusWord(s planfile.Status) string {
	text := line(string(s))
	if text == "" {
		text = "?"
	}
	padded := text + strings.Repeat(" ", max(0, len("in-progress")-len(text))) + "  "
	switch s {
	case planfile.Complete:
		return a.style.green(padded)
	case planfile.InProgress:
		return a.style.yellow(padded)
	}
	return padded
}

func (a *app) printTask(f *planfile.File, n int) {
	source, err := f.Source(n)
	if err != nil {
		return // tasks has looked
	}
	a.printf("%s", host.Clean(string(source)))
	if !strings.HasSuffix(string(source), "\n") {
		a.printf("\n")
	}
}
