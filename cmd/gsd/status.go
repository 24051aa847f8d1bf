package main

import (
	"bytes"
	"runtime"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/view"
)

// formats are the values of --format.
var formats = []string{"text", "json", "html"}

func (a *app) statusCommand() *cli.Command {
	return answering(&cli.Command{
		Name:  "status",
		Usage: "show phases and plans, the position, everyone's sessions and runs",
		Description: `The overview for people. A plan is done if it has a summary; a phase without a directory has the plans that the roadmap gives
it. The sessions of other git worktrees of the repository are listed below their directory. The command changes
nothing in the project.

EXAMPLES
   gsd status
   gsd status --watch --notify
   gsd status --format html > status.html
   gsd status --format html --open
   gsd status --json | jq '.sessions[] | select(.verdict == "stale") | .user'`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Usage: "print `FORMAT`: text, json, or html for a page with a timeline", DefaultText: "text"},
			boolFlag("all", "in text, list the phases of every milestone and the plans of every phase"),
			boolFlag("open", "show the html page in the browser instead of printing it"),
			boolFlag("watch", "print it again whenever something changes, until interrupted"),
			boolFlag("notify", "with --watch, on a terminal: ring or notify when your session begins to wait for you at a checkpoint"),
		},
		Action: func(c *cli.Context) error {
			format := c.String("format")
			switch {
			case c.Bool("json") && format != "" && format != "json":
				return usage("use one of them", "--json and --format %s can't be used together", format)
			case format != "" && !slices.Contains(formats, format):
				return usage("text, json or html", "no format %q", format)
			case c.Bool("open") && format != "html":
				return usage("gsd status --format html --open", "--open is for --format html")
			case c.Bool("notify") && !c.Bool("watch"):
				return usage("gsd status --watch --notify", "--notify is for --watch")
			case c.Bool("watch") && c.Bool("open"):
				return exclusive(c, "watch", "open")
			case c.Bool("watch"):
				return a.watchStatus(c)
			}
			return a.status(c, nil, nil)
		},
	})
}

// status prints the status. If found is not nil, it is called with the project before anything is read, and read with what was.
func (a *app) status(c *cli.Context, found func(*hydrate.Project) error, read func(*status.Status)) error {
	format := c.String("format")
	if c.Bool("json") {
		format = "json"
	}
	return a.withUser(c, func(p *hydrate.Project, u identity.User) error {
		if found != nil {
			if err := found(p); err != nil {
				return err
			}
		}
		st, err := status.Of(p, status.Options{User: u.Name, Now: a.now(), Timeline: format == "html"})
		if err != nil {
			return err
		}
		if read != nil {
			read(st)
		}
		switch format {
		case "json":
			return view.JSON(&a.raw, st)
		case "html":
			if c.Bool("open") {
				var page bytes.Buffer
				if err := view.Page(&page, st, a.now()); err != nil {
					return err
				}
				return a.openPage(runtime.GOOS, page.Bytes())
			}
			return view.Page(&a.raw, st, a.now())
		}
		printer := a.printer()
		if c.Bool("watch") && a.rows != nil {
			printer.Rows = a.rows() // the terminal may have been resized
		}
		printer.Status(st, c.Bool("all"))
		return nil
	})
}
