package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/planfile"
)

type markOptions struct {
	dir    string
	number int
	status planfile.Status
	json   bool
	wait   time.Duration
}

func (a *app) markCommand() *cli.Command {
	return a.command(&cli.Command{
		Name:      "mark",
		Usage:     "set one task's status",
		ArgsUsage: "N STATUS",
		Description: `STATUS is complete (done, completed), in-progress (in_progress, started) or pending (todo). Only
that attribute changes; every other byte of the session stays. Nothing is written where the status
is that already. A stale session is marked too, with a warning.

EXAMPLES
   gsd mark 2 in-progress
   gsd mark 2 complete

` + exitStatusHelp,
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
			return a.mark(c.Context, markOptions{
				dir: a.workingDir(c), number: n, status: status, json: c.Bool("json"), wait: c.Duration("wait"),
			})
		},
	})
}

// taskNumber reads a task's number: decimal digits and nothing else.
func taskNumber(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || n == 0 {
		return 0, &hydrate.Error{Kind: hydrate.Usage, Text: fmt.Sprintf("%q is no task number", text), Hint: "a whole number from 1; gsd tasks lists them", Err: err}
	}
	return int(n), nil
}

func (a *app) mark(ctx context.Context, o markOptions) error {
	return a.withWriter(ctx, o.dir, func(p *hydrate.Project, u identity.User) error {
		m, err := p.Mark(ctx, hydrate.MarkOptions{User: u.Name, Number: o.number, Status: o.status, Now: a.now(), Wait: o.wait})
		if err != nil {
			return err
		}
		if o.json {
			return a.writeJSON(markJSON(m, u, p.Interrupted(m.Report, a.now())))
		}
		a.printMarked(m)
		a.printReportWarnings(u, m.Report)
		return nil
	})
}

func (a *app) printMarked(m *hydrate.Marked) {
	status := m.Session.Tasks[m.Number-1].Status
	already := ""
	if !m.Changed {
		already = "already "
	}
	a.printf("task %d of %d is %s%s: %s\n", m.Number, len(m.Session.Tasks), already, status, taskTitle(m.Name, m.Number))
	switch m.Verdict {
	case hydrate.Resume:
		if m.Resume != m.Number {
			a.printf("next: task %d: %s\n", m.Resume, taskTitle(m.Session.Name(m.Resume), m.Resume))
		}
	case hydrate.Finished:
		a.printFinished(m.Report)
	case hydrate.Stale:
		for _, s := range m.Stale {
			a.printf("%s: the session is stale, %s: %s\n", a.style.yellow("warning"), s.Reason, line(s.Detail))
		}
	}
}
