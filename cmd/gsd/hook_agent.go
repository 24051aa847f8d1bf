package main

import (
	"cmp"
	"context"
	"strings"

	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/project"
)

// agent answers the hooks of an agent that the host's own agent starts. Before that, its prompt gets how far the plan is that it sends the
// agent to carry out: upstream starts an executor that was cut off again from its first task (open-gsd/gsd-core#3754, #4003, #4217). When it
// has started, it reads which session the conversation that started it is on, but not the brief: an agent that only looks around must not
// begin to work on the task. It only reads, and the run stays that of the conversation.
func (h *hook) agent(ctx context.Context) error {
	if in := h.input; strings.EqualFold(in.Event, "SubagentStart") || in.Event == "" && in.Subagent { // Copilot names no event
		return h.agentStarts(ctx)
	}
	d := h.input.Delegation
	if d == nil || d.LooksOn {
		return nil
	}
	in := cmp.Or(h.input.CWD, h.dir)
	return h.inProject(ctx, append(h.startDirs(), project.DispatchDirs(in, d.Prompt)...), func(p *app.Project, user string) error {
		found := p.Dispatched(user, in, d.Prompt)
		if found == nil {
			return errNothingToDo
		}
		found.Isolated, found.Own = d.Isolated, found.Own && !d.Isolated
		by := h.briefer()
		if p.Dir != p.Planning.From && isBelow(p.Dir, p.Planning.From) {
			by.Place.In = p.Dir
		}
		h.raw.Write(agent.RenderDelegation(h.host, d, by.Dispatched(found), by.Shortened()))
		return nil
	})
}

// agentStarts prints which session the conversation is on that started an agent. An agent in a worktree of its own is told of the session
// where the conversation was started.
func (h *hook) agentStarts(ctx context.Context) error {
	return h.inProject(ctx, h.startDirs(), func(p *app.Project, user string) error {
		r, err := p.Hydrate(user)
		if err != nil || r.Verdict != answer.Resume {
			return errNothingToDo
		}
		r.Branches = history.BranchesOf(p.Project, user, r.On)
		by := h.briefer()
		h.raw.Write(agent.Render(h.host, h.input.Event, []string{by.Line(r)}, by.Shortened(), ""))
		return nil
	})
}
