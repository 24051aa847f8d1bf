package main

import (
	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/view"
)

func nextCommand(inv *invocation) *cli.Command {
	return answering(inv, &cli.Command{
		Name:  "next",
		Usage: "show which plan comes next, and why",
		Description: `First comes a plan whose tasks are all complete or skipped and that lacks its summary, then one in flight: your session is
on it, or commits name it, as in feat(03-02): …, but it has no summary yet. Where nobody has a session on it, its commits tell how
far it is. Otherwise the next plan is in the active phase, the one with the latest commit of a plan or summary: the plan in the lowest
wave whose depends_on are all done. Without git, the roadmap determines the phase. A plan that somebody else has a session on,
or anybody in another git worktree, comes last. Where no plan is left, a phase may still wait for its verification or its UAT.
Quick tasks without a summary and open debug sessions are listed, too. The command only reads.

Plans of one wave do not need each other. One that is not autonomous has a checkpoint, at which a person is asked.

EXAMPLES
   gsd next
   gsd bootstrap "$(gsd next --json | jq -r .next.plan)"`,
		Action: func(c *cli.Context) error {
			return inv.withProject(c.Context, app.Reads, func(p *app.Project, user string) error {
				n, err := p.Next(user)
				return reply(inv, n, err, onScreen(inv, (*view.Printer).NextAnswer))
			})
		},
	})
}
