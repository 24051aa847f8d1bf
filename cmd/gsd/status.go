package main

import (
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/view"
)

// formats are what --format takes.
var formats = []string{"text", "json", "html"}

type statusOptions struct {
	dir        string
	format     string // one of formats; empty for text
	all, watch bool
}

func (a *app) statusCommand() *cli.Command {
	return answering(&cli.Command{
		Name:  "status",
		Usage: "show phases and plans, the position, everyone's sessions and runs",
		Description: `The overview for people. Phases and plans are counted by the summaries that are there; a phase without a directory is counted
as the roadmap says. It only reads.

EXAMPLES
   gsd status
   gsd status --watch
   gsd status --format html > status.html
   gsd status --json | jq '.sessions[] | select(.verdict == "stale") | .user'`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Usage: "print `FORMAT`: text, json, or html for one page with a timeline", DefaultText: "text"},
			boolFlag("all", "in text, list the phases of every milestone and the plans of every phase"),
			boolFlag("watch", "show it again whenever something changes, until interrupted"),
		},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			o := statusOptions{dir: a.workingDir(c), format: c.String("format"), all: c.Bool("all"), watch: c.Bool("watch")}
			if c.Bool("json") {
				if o.format != "" && o.format != "json" {
					return usage("use one of them", "--json and --format %s can't be used together", o.format)
				}
				o.format = "json"
			}
			if o.format != "" && !slices.Contains(formats, o.format) {
				return usage("text, json or html", "no format %q", o.format)
			}
			if o.watch {
				return a.watchStatus(c.Context, o)
			}
			return a.withUser(c.Context, o.dir, func(p *hydrate.Project, u identity.User) error { return a.status(p, u, o) })
		},
	})
}

func (a *app) status(p *hydrate.Project, u identity.User, o statusOptions) error {
	st, err := p.Status(hydrate.StatusOptions{User: u.Name, Now: a.now(), Timeline: o.format == "html"})
	if err != nil {
		return err
	}
	switch o.format {
	case "json":
		return view.JSON(&a.raw, st)
	case "html":
		return view.Page(&a.raw, st, a.now())
	}
	a.printer().Status(st, o.all)
	return nil
}
