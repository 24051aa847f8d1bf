package main

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/internal/view"
	"github.com/gsd-cli/gsd/internal/work"
)

type briefOptions struct {
	dir       string // the value of -C
	host, pid string // whose hook it is
	inline    bool   // no envelope, for a slash command; no conversation starts
	ifDue     bool   // it is a prompt's hook: nothing, unless a brief is due
}

// brief prints what an agent needs to know, in its host's envelope. At the start of a conversation it also records the run.
// If its time runs out (hook_run.go), the agent gets what is known by then.
func (a *app) brief(ctx context.Context, o briefOptions) error {
	began := a.now()
	var in agent.Input
	if !o.inline {
		in, _ = a.readInput()
	}
	caller := a.hookCaller(o.host, o.pid, in)
	starts := !o.inline && !o.ifDue && in.StartsSession() && !caller.Anonymous()
	if o.ifDue && (in.Subagent || !a.world().StateDir.Conversation(caller.Host, caller.Conversation).Due()) {
		return nil
	}
	program := sync.OnceValue(a.callable) // only if there is something to print
	render := func(blocks []string, notice string) []byte {
		const more = "(Shortened. `gsd hydrate` prints all of it.)"
		blocks = view.CallGSD(program(), append(slices.Clip(blocks), more))
		last := len(blocks) - 1
		return agent.Render(o.host, in.Event, blocks[:last], blocks[last], notice)
	}
	// After a compaction, the person has been told at the start of the conversation.
	notice := func(r *hydrate.Report) string {
		if !starts || in.Source == "compact" {
			return ""
		}
		return view.Notice(r)
	}
	a.inProject = func() {
		a.fallback(func() []byte {
			return render(view.Unreadable("the hook ran out of time before gsd had read the session", "the project is slow to read, or far too large"), "")
		})
	}
	var brief []string
	says := ""
	err := a.inHook(ctx, a.startDirs(o.dir, in.CWD), caller, func(p *hydrate.Project, u identity.User) error {
		if (starts || o.ifDue) && !a.takeTurn(ctx, p, in, o.ifDue, began) {
			return nil
		}
		r, err := a.report(ctx, p, u.Name, o.inline, starts, func(r *hydrate.Report) {
			a.fallback(func() []byte { return render(view.Brief(r, began), notice(r)) })
		})
		if err == nil {
			brief, says = view.Brief(r, began), notice(r)
		}
		return err
	})
	var known *hydrate.Error
	switch {
	case o.ifDue && err != nil: // it stays due; the start has said what is wrong, and every prompt would say it again
	case errors.As(err, &known):
		brief = view.Unreadable(known.Text, known.Hint)
	case err != nil:
		brief = view.Unreadable(err.Error(), "")
	}
	if brief != nil {
		a.raw.Write(render(brief, says))
	}
	return nil
}

// twinWait is how long a hook waits for another one of the same event.
const twinWait = 500 * time.Millisecond

// takeTurn reports whether this hook gives its conversation a brief. It does not if another of gsd's hooks has just done so at
// the same event. A brief that the host may drop is due with the next prompt, until it was given with one. That is
// recorded before anything is printed, and removed afterwards: a brief may be given twice, but does not get lost.
func (a *app) takeTurn(ctx context.Context, p *hydrate.Project, in agent.Input, ifDue bool, began time.Time) bool {
	c := p.StateDir.Conversation(p.Caller.Host, p.Caller.Conversation)
	var event []string
	if !ifDue {
		event = []string{in.Event, in.Source, strconv.Itoa(p.Caller.PID)}
	}
	turn := c.Take(ctx, event, began, twinWait)
	switch {
	case turn == nil:
		return false
	case ifDue && !c.Due(): // another hook gave it meanwhile
		turn.Done(false, a.now())
		return false
	}
	again := !ifDue && agent.DropsStart(p.Caller.Host, in.Source)
	if again {
		_ = c.SetDue(true, a.now()) // without it, the agent has what the start prints
	}
	printed := func(ok bool) {
		if ok && !again {
			_ = c.SetDue(false, a.now())
		}
		turn.Done(ok, a.now())
	}
	a.printed.Store(&printed)
	return true
}

// report gathers what a brief says. At each step it hands a shorter report to fallback, which says what is missing. For a slash
// command it only reads, as gsd hydrate does; a hook keeps the breadcrumb, and records what it tells.
func (a *app) report(ctx context.Context, p *hydrate.Project, user string, inline, starts bool, fallback func(*hydrate.Report)) (r *hydrate.Report, err error) {
	if starts {
		r, err = work.HydrateStarting(ctx, p.Project, work.StartOptions{User: user, Now: a.now(), Wait: hookWait})
	} else {
		r, err = p.Hydrate(user)
	}
	if err != nil {
		return nil, err
	}
	p.Gather(r, verdict.TaskText, a.now())
	fallback(p.Shortened(r))
	p.Gather(r, verdict.Unfinished, a.now())
	if !inline {
		p.Commit(r, a.now()) // before the commits are read, which may take longer than a hook has
	}
	fallback(p.Shortened(r))
	p.Gather(r, verdict.Everything, a.now())
	return r, nil
}
