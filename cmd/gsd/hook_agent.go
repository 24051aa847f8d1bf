package main

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/view"
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
	if d == nil || d.ReadOnly {
		return nil
	}
	return h.dispatched(ctx, d.Prompt, func(p *app.Project, found *app.Dispatched) {
		found.Isolated, found.Own = d.Isolated, found.Own && !d.Isolated
		by := h.brieferOn(p)
		h.raw.Write(agent.RenderDelegation(h.host, d, by.Dispatched(found), by.Shortened()))
	})
}

// dispatched calls tell with the project and what is known of the plan that a prompt sends its reader to carry out, if it does and something is.
func (h *hook) dispatched(ctx context.Context, prompt string, tell func(p *app.Project, found *app.Dispatched)) error {
	in := cmp.Or(h.input.CWD, h.dir)
	return h.inProject(ctx, append(h.startDirs(), project.DispatchDirs(in, prompt)...), func(p *app.Project, user string) error {
		found := p.Dispatched(user, in, prompt)
		if found == nil {
			return errNothingToDo
		}
		tell(p, found)
		return nil
	})
}

// brieferOn is briefer for a plan of a project that may be below the agent's directory.
func (h *hook) brieferOn(p *app.Project) *view.Briefer {
	by := h.briefer()
	if p.Dir != p.Planning.From && isBelow(p.Dir, p.Planning.From) {
		by.Place.In = p.Dir
	}
	return by
}

// agentStarts prints which session the conversation is on that started an agent. An agent in a worktree of its own hears of the session
// where the conversation was started.
//
// An executor does not: its prompt, which had what is known of its plan, may be about another plan than the session. Where no hook saw the prompt,
// as of agents that Claude's tool Workflow starts (2.1.332), it reads what is known of the plan that its worktree is about.
func (h *hook) agentStarts(ctx context.Context) error {
	if h.input.Executes {
		return h.executorStarts(ctx)
	}
	return h.inProject(ctx, h.startDirs(), func(p *app.Project, user string) error {
		r, err := p.Hydrate(user)
		if err != nil || r.Verdict != answer.Resume {
			return errNothingToDo
		}
		r.Branches = history.BranchesOf(p.Project, user, r.On)
		h.printFor([]string{h.briefer().Line(r)})
		return nil
	})
}

// printFor prints blocks for the agent that the hook is about.
func (h *hook) printFor(blocks []string) {
	h.raw.Write(agent.Render(h.host, h.input.Event, blocks, h.briefer().Shortened(), ""))
}

func (h *hook) executorStarts(ctx context.Context) error {
	plan := ""
	at, err := filepath.EvalSymlinks(cmp.Or(h.input.CWD, h.dir))
	if err != nil {
		return nil
	}
	err = h.inProject(ctx, h.dirs(h.startedIn()), func(p *app.Project, _ string) error {
		plan = p.Planning.PlanOn(at)
		return nil
	})
	if err != nil || plan == "" {
		return err
	}
	return h.inProject(ctx, h.dirs([]string{at}), func(p *app.Project, user string) error {
		if found := p.DispatchedTo(user, plan); found != nil {
			found.Worktree = true
			h.printFor(h.briefer().Dispatched(found))
		}
		return nil
	})
}

// prompted prints how far the plan is that a prompt sends the conversation to carry out, unless it knows. The start of a conversation does not
// know its prompt, and speaks of the project's next plan; upstream starts executors so, by codex exec.
func (h *hook) prompted(ctx context.Context) error {
	if agent.PromptsAgents(h.host) { // whose prompt has it already
		return nil
	}
	if _, ok := planref.ParseDispatch(h.input.Prompt); !ok {
		return nil
	}
	return h.dispatched(ctx, h.input.Prompt, func(p *app.Project, found *app.Dispatched) {
		c := h.world().StateDir.Conversation(h.caller.Host, h.caller.Conversation)
		if c.Told(found.Plan) {
			return
		}
		turn := c.Take(ctx, session.Of(found.Plan), h.began, twinWait)
		if turn == nil {
			return
		}
		printed := func(ok bool) { turn.Done(ok, h.now()) }
		h.late.printed.Store(&printed)
		h.printFor(h.brieferOn(p).Dispatched(found))
	})
}
