package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/view"
	"github.com/gsd-cli/gsd/planfile"
)

// statuses are the names of a task's status, as they are shown.
var statuses = []string{string(planfile.Complete), string(planfile.InProgress), string(planfile.Pending), string(planfile.Skipped)}

func markCommand(inv *invocation) *cli.Command {
	var o app.MarkOptions
	return answering(inv, &cli.Command{
		Name:      "mark",
		Usage:     "set a task's status",
		ArgsUsage: "N STATUS",
		Description: `STATUS is complete (or done, completed; gsd done N is the same), in-progress (in_progress, started), pending (todo) or skipped
(skip). Only that attribute of the session file changes, and nothing is written if the task has that status already. A stale
session can be marked, too, with a warning.

A task that is skipped is never the one to resume. The session is complete when every task is complete or skipped, and 'gsd hydrate'
says how many were skipped; the plan is done once it has its summary. Skipping is a decision about the plan, so it is yours: an agent skips
a task only if you ask for that. pending undoes it.

EXAMPLES
   gsd mark 2 in-progress
   gsd mark 2 complete
   gsd mark 3 skipped`,
		Action: func(c *cli.Context) (err error) {
			if o.Number, err = taskNumber(c.Args().Get(0)); err != nil {
				number, swapped := taskNumber(c.Args().Get(1))
				if status, known := planfile.ParseStatus(c.Args().Get(0)); swapped == nil && known == nil {
					return usage(fmt.Sprintf("did you mean `gsd mark %d %s`?", number, status), "mark: the task comes before its status")
				}
				return err
			}
			if o.Status, err = planfile.ParseStatus(c.Args().Get(1)); err != nil {
				return usage(choices(c.Args().Get(1), statuses), "%v", err)
			}
			return mark(c.Context, inv, o)
		},
	})
}

func doneCommand(inv *invocation) *cli.Command {
	o, summary := app.MarkOptions{Status: planfile.Complete}, false
	return answering(inv, &cli.Command{
		Name:      "done",
		Usage:     "mark the task in progress complete, or task N",
		ArgsUsage: "[N]",
		Description: `Without N, it is the task in progress: the one that your own run is working on, else the only one. If several are in progress,
they are named, and the exit status is 64; if another run that may be alive is working on it, that run is named, and the status is
75. If none is in progress, it is the one that 'gsd hydrate' shows, the first that is neither complete nor skipped. A checkpoint,
which the user approves, needs its number: without N, it is named, and the status is 64. With N, it is that task.

With --summary, once all tasks are complete or skipped: write a draft of the plan's summary, …-SUMMARY.draft.md, with the tasks,
their commits and the files that these changed. It closes nothing. What only its author knows is in brackets; once that is
written, the same command makes the draft the summary, and the plan is done. Until then it says what is left to write, changes
nothing, and the exit status is 65. A draft or a summary that exists is never overwritten. Nothing is committed, and STATE.md and the
roadmap stay as they are.

EXAMPLES
   gsd done
   gsd done 2
   gsd done --summary`,
		Flags: []cli.Flag{
			boolFlag(&summary, "summary", "write a draft of the plan's SUMMARY.md, or make it the summary"),
		},
		Action: func(c *cli.Context) (err error) {
			switch {
			case summary && c.NArg() > 0:
				return usage("`gsd done --summary`", "--summary is about the whole plan, not about a task")
			case summary:
				return summarize(c.Context, inv)
			case c.NArg() == 0:
				o.Current = true
			default:
				if o.Number, err = taskNumber(c.Args().First()); err != nil {
					return err
				}
			}
			return mark(c.Context, inv, o)
		},
	})
}

// taskNumber parses a task's number: decimal digits and nothing else.
func taskNumber(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || n == 0 {
		return 0, usage("a whole number from 1; `gsd tasks` lists them", "%q is not a task number", text)
	}
	return int(n), nil
}

func mark(ctx context.Context, inv *invocation, o app.MarkOptions) error {
	return inv.withProject(ctx, app.Writes, func(p *app.Project, user string) error {
		o.User, o.Wait = user, inv.wait()
		m, err := p.Mark(ctx, o)
		if err == nil {
			if inv.json {
				p.Detail(m.Report)
			}
			inv.syncLater(p, false)
		}
		return reply(inv, m, err, (*view.Printer).Marked)
	})
}

func summarize(ctx context.Context, inv *invocation) error {
	return inv.withProject(ctx, app.Writes, func(p *app.Project, user string) error {
		s, err := p.Summarize(ctx, app.SummaryOptions{User: user, Env: inv.env, Wait: inv.wait()})
		if err == nil {
			inv.syncLater(p, false)
		}
		return reply(inv, s, err, (*view.Printer).Summarized)
	})
}
