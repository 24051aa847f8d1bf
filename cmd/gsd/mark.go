package main

import (
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/view"
	"github.com/gsd-cli/gsd/planfile"
)

func (a *app) markCommand() *cli.Command {
	return answering(&cli.Command{
		Name:      "mark",
		Usage:     "set a task's status",
		ArgsUsage: "N STATUS",
		Description: `STATUS is complete (or done, completed; gsd done N is the same), in-progress (in_progress, started) or pending (todo). Only that attribute of the
session file changes, and nothing is written if the task has that status already. A stale session can be marked, too, with a
warning.

EXAMPLES
   gsd mark 2 in-progress
   gsd mark 2 complete`,
		Flags: []cli.Flag{waitFlag()},
		Action: func(c *cli.Context) error {
			n, err := taskNumber(c.Args().Get(0))
			if err != nil {
				return err
			}
			status, err := planfile.ParseStatus(c.Args().Get(1))
			if err != nil {
				return usage("complete, in-progress or pending", "%v", err)
			}
			return a.mark(c, hydrate.MarkOptions{Number: n, Status: status})
		},
	})
}

func (a *app) doneCommand() *cli.Command {
	return answering(&cli.Command{
		Name:      "done",
		Usage:     "mark the task in progress complete, or task N",
		ArgsUsage: "[N]",
		Description: `Without N, it is the task in progress: the one that your own run has in hand, else the only one. If several are in progress,
they are named, and the exit status is 64; if another run that may be alive has it in hand, that run is named, and the status is
75. If none is in progress, it is the one that gsd hydrate shows, the first that is not complete. With N, it is that task.

With --summary, once all tasks are complete: write the skeleton of the plan's summary, with the tasks, their commits and the files
that these changed. The plan is done then. A summary that exists is left alone.

EXAMPLES
   gsd done
   gsd done 2
   gsd done --summary`,
		Flags: []cli.Flag{&cli.BoolFlag{Name: "summary", Usage: "write the skeleton of the plan's SUMMARY.md"}, waitFlag()},
		Action: func(c *cli.Context) (err error) {
			if c.Bool("summary") {
				return a.summarize(c)
			}
			o := hydrate.MarkOptions{Status: planfile.Complete}
			if c.NArg() > 0 {
				if o.Number, err = taskNumber(c.Args().First()); err != nil {
					return err
				}
			}
			return a.mark(c, o)
		},
	})
}

func (a *app) summarize(c *cli.Context) error {
	if c.NArg() > 0 {
		return usage("gsd done --summary", "--summary is about the whole plan, not about a task")
	}
	return a.withWriter(c, func(p *hydrate.Project, u identity.User) error {
		s, err := p.Summarize(c.Context, hydrate.SummaryOptions{User: u.Name, Env: a.env, Now: a.now(), Wait: c.Duration("wait")})
		if err == nil {
			a.syncLater(c.Context, p, u, false)
		}
		return reply(a, c, s, err, (*view.Printer).Summarized)
	})
}

// taskNumber parses a task's number: decimal digits and nothing else.
func taskNumber(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || n == 0 {
		return 0, usage("a whole number from 1; gsd tasks lists them", "%q is not a task number", text)
	}
	return int(n), nil
}

func (a *app) mark(c *cli.Context, o hydrate.MarkOptions) error {
	return a.withWriter(c, func(p *hydrate.Project, u identity.User) error {
		o.User, o.Now, o.Wait = u.Name, a.now(), c.Duration("wait")
		m, err := p.Mark(c.Context, o)
		if err == nil && c.Bool("json") {
			p.Detail(m.Report, a.now())
		}
		if err == nil {
			a.syncLater(c.Context, p, u, false)
		}
		return reply(a, c, m, err, (*view.Printer).Marked)
	})
}
