package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
)

type nextOptions struct {
	dir  string
	json bool
}

func (a *app) nextCommand() *cli.Command {
	return a.command(&cli.Command{
		Name:  "next",
		Usage: "tell which plan comes next, and why",
		Description: `A plan in flight comes first: one that your session is on, or that commits name (as feat(03-02): … does)
and that has no summary yet. Then, in the phase where the latest plan or summary was committed, the plans
of the lowest wave whose depends_on are all done. Without git the roadmap tells the phase. Where commits work on
the plan and nobody has a session on it, gsd recover is named, too, which makes one from them. Reads, writes nothing.

EXAMPLES
   gsd next
   gsd bootstrap "$(gsd next --json | jq -r .next.plan)"

` + exitStatusHelp,
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return a.next(c.Context, nextOptions{dir: a.workingDir(c), json: c.Bool("json")})
		},
	})
}

func (a *app) next(ctx context.Context, o nextOptions) error {
	return a.withUser(ctx, o.dir, func(p *hydrate.Project, u identity.User) error {
		n, err := p.Next(u.Name)
		if err != nil {
			return err
		}
		if o.json {
			return a.writeJSON(jsonNextAnswer{
				Schema: schemaNumber, User: u.Name, Next: nextJSON(n), Warnings: warningsJSON(u, n.Warnings...),
			})
		}
		a.printNext(n)
		if n.Session && n.Summary == "" {
			a.printRun("gsd hydrate", "goes on with it")
		} else if n.Plan != "" && n.Summary == "" {
			if n.Begun {
				a.printRun("gsd recover "+planWord(n.Plan, n.ID, n.Ambiguous), "makes its session from those commits")
			}
			a.printRun("gsd bootstrap "+planWord(n.Plan, n.ID, n.Ambiguous), "starts a session on it")
		}
		a.printWarnings(u, n.Warnings...)
		return nil
	})
}

// printNext says which plan comes next and why, and what else could be done.
func (a *app) printNext(n *hydrate.Next) {
	plan, place := line(n.ID), " "+line(n.Plan)
	if plan == "" {
		plan, place = line(n.Plan), ""
	}
	if n.Plan == "" {
		place = ""
	}
	if n.Summary != "" {
		place = " " + line(n.Summary)
	}
	a.printf("%s%s%s\n", a.nextHead(n, plan), place, inBrackets(nextMarks(n)))
	for _, why := range n.Because {
		a.printf("  %s\n", title(why))
	}
	a.printAlso(n)
}

// printAlso says what else could be done.
func (a *app) printAlso(n *hydrate.Next) {
	label := alsoLabel(n)
	for _, p := range n.AlsoReady {
		begun := ""
		if p.Begun {
			begun = a.style.dim("  (commits work on it, and no session: gsd recover)")
		}
		a.printf("%s  %s%s\n", a.style.dim(label), strings.TrimSpace(line(p.ID)+"  "+line(p.Plan)), begun)
		label = strings.Repeat(" ", len(label))
	}
}

// nextMarks is what the plan that comes next says of itself.
func nextMarks(n *hydrate.Next) []string {
	var marks []string
	if n.HasWave && n.Plan != "" {
		marks = append(marks, fmt.Sprintf("wave %d", n.Wave))
	}
	if n.Manual {
		marks = append(marks, "not autonomous")
	}
	if n.Gaps {
		marks = append(marks, "closes gaps")
	}
	return marks
}

// inBrackets lists words behind a text.
func inBrackets(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return "  (" + strings.Join(words, ", ") + ")"
}

// nextHead is the answer in a few words; plan is how the plan is called.
func (a *app) nextHead(n *hydrate.Next, plan string) string {
	switch {
	case n.Summary != "":
		return a.style.bold("next: write the summary of " + plan)
	case n.Plan != "":
		return a.style.bold("next: " + plan)
	case n.Verification != "":
		return a.style.bold("next: finish phase " + fitted(title(n.Phase), longestNumber))
	case n.Phase != "":
		return a.style.bold("next: plan phase " + fitted(title(n.Phase), longestNumber))
	case len(n.AlsoReady) > 0:
		return a.style.bold("no plan is up next")
	}
	return a.style.green("no plan is left to do")
}

// alsoLabel says what the other plans are: without a next one they are those that the roadmap has behind it, unless a phase
// before them is to be verified.
func alsoLabel(n *hydrate.Next) string {
	if n.Plan == "" && n.Verification == "" {
		return "left open"
	}
	return "also ready"
}

// planWord is the word that names a plan on a command line: its id, unless that is another plan's too.
func planWord(plan, id string, ambiguous bool) string {
	if id == "" || ambiguous {
		return quote(plan)
	}
	return quote(id)
}
