package main

import (
	"context"
	"fmt"
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
		Description: `STATUS is complete (done, completed), in-progress (in_progress, started) or pending (todo). Only that attribute changes;
every other byte of the session stays. Nothing is written if the task has that status already. A stale session is
marked too, with a warning.

EXAMPLES
   gsd mark 2 in-progress
   gsd mark 2 complete`,
		Flags: []cli.Flag{waitFlag()},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 2, 2); err != nil {
				return err
			}
			n, err := taskNumber(c.Args().Get(0))
			if err != nil {
				return err
			}
			status, err := planfile.ParseStatus(c.Args().Get(1))
			if err != nil {
				return &hydrate.Error{Kind: hydrate.Usage, Text: err.Error(), Hint: "complete, in-progress or pending", Err: err}
			}
			o := hydrate.MarkOptions{Number: n, Status: status, Wait: c.Duration("wait")}
			return a.mark(c.Context, a.workingDir(c), o, c.Bool("json"))
		},
	})
}

func (a *app) doneCommand() *cli.Command {
	return answering(&cli.Command{
		Name:      "done",
		Usage:     "mark the current task complete, or task N",
		ArgsUsage: "[N]",
		Description: `The current task is the first one that is not complete: the one that gsd hydrate names.

EXAMPLES
   gsd done
   gsd done 2`,
		Flags: []cli.Flag{waitFlag()},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 1); err != nil {
				return err
			}
			o := hydrate.MarkOptions{Status: planfile.Complete, Now: a.now(), Wait: c.Duration("wait")}
			if c.NArg() > 0 {
				n, err := taskNumber(c.Args().First())
				if err != nil {
					return err
				}
				o.Number = n
			}
			return a.mark(c.Context, a.workingDir(c), o, c.Bool("json"))
		},
	})
}

// taskNumber reads a task's number: decimal digits and nothing else.
func taskNumber(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || n == 0 {
		return 0, &hydrate.Error{Kind: hydrate.Usage, Text: fmt.Sprintf("%q is not a task number", text), Hint: "a whole number from 1; gsd tasks lists them", Err: err}
	}
	return int(n), nil
}

func (a *app) mark(ctx context.Context, dir string, o hydrate.MarkOptions, json bool) error {
	return a.withWriter(ctx, dir, func(p *hydrate.Project, u identity.User) error {
		o.User, o.Now = u.Name, a.now()
		m, err := p.Mark(ctx, o)
		if err != nil {
			return err
		}
		if json {
			p.Detail(m.Report, a.now())
			return view.JSON(&a.raw, m)
		}
		a.printer().Marked(m)
		return nil
	})
}
