package main

import (
	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/view"
)

func (a *app) nextCommand() *cli.Command {
	return answering(&cli.Command{
		Name:  "next",
		Usage: "show which plan comes next, and why",
		Description: `A plan in flight comes first: one that your session is on, or that commits name (as feat(03-02): … does) and that has no
summary yet. Then, in the phase where the latest plan or summary was committed, the plans of the lowest wave whose
depends_on are all done. Without git the roadmap gives the phase. If commits work on the plan and nobody has a session on
it, gsd restore is named, too, which makes one from them. It only reads.

EXAMPLES
   gsd next
   gsd bootstrap "$(gsd next --json | jq -r .next.plan)"`,
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return a.withUser(c.Context, a.workingDir(c), func(p *hydrate.Project, u identity.User) error {
				n, err := p.Next(u.Name)
				if err != nil {
					return err
				}
				if c.Bool("json") {
					return view.JSON(&a.raw, n)
				}
				a.printer().NextAnswer(n)
				return nil
			})
		},
	})
}
