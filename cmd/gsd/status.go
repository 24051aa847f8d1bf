package main

import (
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/page"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/view"
)

// formats are the values of --format.
var formats = []string{"text", "json", "html"}

// statusOptions are the flags of gsd status.
type statusOptions struct {
	format     string
	all, watch bool
}

func statusCommand(inv *invocation) *cli.Command {
	var o statusOptions
	return answering(inv, &cli.Command{
		Name:  "status",
		Usage: "show phases and plans, the position, everyone's sessions and runs",
		Description: `The overview for people. A plan is done if it has a summary. A phase without a directory has only the plans that the roadmap
calls done; what counts nowhere is listed as not counted, with the reason. The sessions of other git worktrees of the repository
are listed below their directory. The command changes nothing in the project.

With --watch, the tasks of your plan are listed, and those of everybody else at work. In a small terminal what is finished is cut
first, and the task that you are on last. Typing q quits.

EXAMPLES
   gsd status
   gsd status --watch
   gsd status --format html > status.html
   gsd status --json | jq '.sessions[] | select(.verdict == "stale") | .user'`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Usage: "print `FORMAT`: text, json, or html for a page with a timeline", DefaultText: "text", Destination: &o.format},
			boolFlag(&o.all, "all", "in text, list the phases of every milestone and the plans of every phase"),
			boolFlag(&o.watch, "watch", "print it again whenever something changes, with your plan's tasks; q quits"),
		},
		Action: func(c *cli.Context) error {
			switch {
			case inv.json && o.format != "" && o.format != "json":
				return usage("use one of them", "--json and --format %s can't be used together", o.format)
			case o.format != "" && !slices.Contains(formats, o.format):
				return usage(choices(o.format, formats), "no format %q", o.format)
			}
			inv.json = inv.json || o.format == "json"
			if o.watch {
				return watchStatus(c.Context, inv, o)
			}
			return inv.withProject(c.Context, app.Reads, func(p *app.Project, user string) error {
				return showStatus(inv, p, user, o)
			})
		},
	})
}

// showStatus prints the status.
func showStatus(inv *invocation, p *app.Project, user string, o statusOptions) error {
	html := o.format == "html"
	st, err := status.Of(p, status.Options{User: user, Timeline: html, Tasks: html || o.watch})
	switch {
	case err != nil:
		return err
	case html:
		return page.Write(&inv.raw, st, inv.now())
	}
	return reply(inv, st, nil, func(printer *view.Printer, st *status.Status) {
		if o.watch {
			_, printer.Rows = inv.room(inv.stdout)
			printer.Listed = true
		}
		printer.Status(st, o.all)
	})
}
