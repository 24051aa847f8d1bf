package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
)

type stateOptions struct {
	dir                 string
	json, write, dryRun bool
}

func (a *app) stateCommand() *cli.Command {
	return a.command(&cli.Command{
		Name:  "state",
		Usage: "give the position for STATE.md, and bring it up to date",
		Description: `The position comes from the roadmap, the summaries and the commits, and is the same whoever asks. A STATE.md
that is missing is made, in the form of GSD's template. One that is there is left alone, and what it says
otherwise is listed; --write replaces those values in its Current Position lines and its front matter, and no
other byte. A value is replaced as a whole or not at all: one with words of your own, or one that would go
backwards, stays as it is and is listed with the reason.

EXAMPLES
   gsd state
   gsd state --write
   gsd state --json | jq .position.percent

` + exitStatusHelp,
		Flags: []cli.Flag{
			boolFlag("write", "change a STATE.md that is there"),
			boolFlag("dry-run", "write nothing, not even a STATE.md that is missing"),
		},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			if c.Bool("write") && c.Bool("dry-run") {
				return &hydrate.Error{Kind: hydrate.Usage, Text: "--write and --dry-run exclude each other", Hint: "gsd state alone tells what --write would change"}
			}
			return a.state(c.Context, stateOptions{
				dir: a.workingDir(c), json: c.Bool("json"), write: c.Bool("write"), dryRun: c.Bool("dry-run"),
			})
		},
	})
}

func (a *app) state(ctx context.Context, o stateOptions) error {
	with := a.withUser
	if o.write {
		with = a.withWriter
	}
	return with(ctx, o.dir, func(p *hydrate.Project, u identity.User) error {
		s, err := p.State(hydrate.StateOptions{User: u.Name, Write: o.write, DryRun: o.dryRun})
		if err != nil {
			return err
		}
		if o.json {
			return a.writeJSON(stateJSON(s, u))
		}
		a.printState(s)
		a.printWarnings(u, slices.DeleteFunc(slices.Clone(s.Warnings), func(w hydrate.Warning) bool { return isListed(s, w) })...)
		return nil
	})
}

// printState says where the project is, and what STATE.md has of it.
func (a *app) printState(s *hydrate.State) {
	p := s.Position
	if p.Phase != "" {
		name := ""
		if p.PhaseName != "" {
			name = " (" + title(p.PhaseName) + ")"
		}
		a.printf("phase   %s, %d of %d%s\n", title(p.Phase), p.PhaseIndex, p.Phases, name)
	}
	if p.Plan > 0 {
		a.printf("plan    %d of %d\n", p.Plan, p.Plans)
	}
	if s.Status != "" {
		a.printf("status  %s\n", title(s.Status))
	}
	a.printf("done    %d of %s, %d of %s", p.AllDone, count(p.AllPlans, "plan"), p.PhasesDone, count(p.Phases, "phase"))
	if p.Percent >= 0 {
		a.printf(", %d %%", p.Percent)
	}
	a.printf("\n")
	if !s.Activity.When.IsZero() {
		a.printf("last    %s  %s\n", s.Activity.When.Format("2006-01-02"), title(s.Activity.What))
	}
	a.printf("\n")
	switch name := line(s.Path); {
	case s.Missing && s.Written:
		a.printf("%s was missing and has been made\n", name)
	case s.Missing:
		a.printf("%s is missing\n", name)
		a.printRun("gsd state", "makes it")
	case len(s.Edits) == 0 && noPositionLines(s):
		a.printf("%s has no position lines to compare\n", name)
	case len(s.Edits) == 0 && len(s.Left) > 0:
		a.printf("%s has nothing that gsd would change\n", name)
	case len(s.Edits) == 0:
		a.printf("%s is up to date\n", name)
	case s.Written:
		a.printf("%s is changed:\n", name)
	default:
		a.printf("%s is out of date:\n", name)
	}
	for _, e := range s.Edits {
		a.printf("  line %d, %s: %s -> %s\n", e.Line, title(e.Field), inQuotes(e.Old), inQuotes(e.New))
	}
	if len(s.Edits) > 0 && !s.Written {
		a.printRun("gsd state --write", "changes these values and nothing else")
	}
	if len(s.Left) > 0 {
		a.printf("\nnot updated:\n")
	}
	for _, l := range s.Left {
		want := ""
		if l.Want != "" {
			want = ", not " + inQuotes(l.Want)
		}
		a.printf("  line %d, %s: %s%s (%s)\n", l.Line, title(l.Field), inQuotes(l.Value), want, reasons[string(l.Reason)])
	}
}

// reasons say why a value of STATE.md was left alone.
var reasons = map[string]string{
	"words":      "it has words of its own",
	"backwards":  "it would go backwards",
	"milestone":  "the roadmap's current milestone is another",
	"phase":      "it belongs to the phase, which stays",
	"unreadable": "GSD could not read it",
}

// isListed reports whether an entry of the same line says better what a warning says.
func isListed(s *hydrate.State, w hydrate.Warning) bool {
	if w.Code != hydrate.StateDiffers {
		return false
	}
	at := func(line int) bool { return strings.HasPrefix(w.Detail, fmt.Sprintf("%s:%d: ", s.Path, line)) }
	for _, e := range s.Edits {
		if at(e.Line) {
			return true
		}
	}
	for _, l := range s.Left {
		if at(l.Line) {
			return true
		}
	}
	return false
}

// noPositionLines reports whether a warning is about the whole file, and not about its front matter on some line: there
// is no section to compare.
func noPositionLines(s *hydrate.State) bool {
	return slices.ContainsFunc(s.Warnings, func(w hydrate.Warning) bool {
		return w.Code == hydrate.StateBroken && strings.HasPrefix(w.Detail, s.Path+": ")
	})
}

// inQuotes is a value of a file on one line.
func inQuotes(s string) string { return `"` + title(s) + `"` }
