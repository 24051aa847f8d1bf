package main

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/view"
)

// starts reports whether a conversation starts, so that its run has to be recorded.
func (h *hook) starts() bool {
	return !h.inline && !h.ifDue && h.input.StartsSession() && !h.caller.Anonymous()
}

// notice returns what the person has to know. After a compaction, that was said at the start of the conversation.
func (h *hook) notice(r *answer.Report) string {
	if !h.starts() || h.input.Source == "compact" {
		return ""
	}
	return view.Notice(r)
}

// brief prints what an agent needs to know, in its host's envelope. At the start of a conversation it also records the run.
// If its time runs out (hook_run.go), the agent gets what is known by then.
func (h *hook) brief(ctx context.Context) error {
	if h.ifDue && h.input.Subagent {
		return nil
	}
	if h.ifDue && !h.world().StateDir.Conversation(h.caller.Host, h.caller.Conversation).Due() {
		return h.prompted(ctx)
	}
	briefer := sync.OnceValue(h.briefer) // only if there is something to print
	render := func(blocks []string, notice string) []byte {
		return agent.Render(h.host, h.input.Event, blocks, briefer().Shortened(), notice)
	}
	found := false
	h.found = func() {
		found = true
		h.late.store(func() []byte {
			return render(briefer().Unreadable("the hook ran out of time before gsd had read the session", "the project is slow to read, or far too large"), "")
		})
	}
	var brief []string
	notice := ""
	err := h.inProject(ctx, h.startDirs(), func(p *app.Project, user string) error {
		if (h.starts() || h.ifDue) && !h.claimTurn(ctx) {
			return nil
		}
		r, err := h.report(ctx, p, user, func(r *answer.Report) {
			h.late.store(func() []byte { return render(briefer().Report(r, ""), h.notice(r)) })
		})
		if err == nil {
			h.told = planTold(r)
			brief, notice = briefer().Report(r, h.startedBelow(p)), h.notice(r)
		}
		return err
	})
	var known *problem.Error
	switch {
	case h.ifDue && err != nil: // it stays due; the start has said what is wrong, and every prompt would say it again
	case errors.As(err, &known):
		brief = briefer().Unreadable(known.Text, known.Hint, known.Do...)
	case err != nil:
		brief = briefer().Unreadable(err.Error(), "")
	case !found && !h.ifDue:
		if names := h.projectsBelow(); names != nil && (!h.starts() || h.claimTurn(ctx)) {
			brief = briefer().Below(names)
		}
	}
	if brief != nil {
		h.raw.Write(render(brief, notice))
	}
	return nil
}

// projectsBelow lists the projects below the directory in which the conversation starts, if that has none itself and is the top of a repository;
// they are not another person's. From anywhere else, such as a home directory, they are not what the conversation is about.
func (h *hook) projectsBelow() (names []string) {
	dirs := h.startDirs()
	if len(dirs) == 0 || !project.HoldsRepository(dirs[0]) || agent.Borrows(h.caller.Host, h.env.get, h.caller.Conversation) {
		return nil
	}
	if p, err := h.given().Find(dirs[0], h.world()); err == nil { // it is another person's
		p.Close() // it was only looked for
		return nil
	}
	for _, name := range project.ProjectsBelow(dirs[0]) {
		p, err := h.given().Find(filepath.Join(dirs[0], filepath.FromSlash(name)), h.world())
		if err != nil {
			continue
		}
		if !p.Foreign() {
			names = append(names, name)
		}
		p.Close() // it was only looked for
	}
	return names
}

// briefer makes briefs for the agent of the hook.
func (h *hook) briefer() *view.Briefer {
	at := h.at()
	at.Program = h.selfIn(h.host).Name()
	return &view.Briefer{At: h.began, Place: at}
}

// twinWait is how long a hook waits for another one of the same event.
const twinWait = 500 * time.Millisecond

// claimTurn reports whether this hook gives its conversation a brief. It does not if another of gsd's hooks has just done so at
// the same event. A brief that the host may drop is due with the next prompt, until it was given with one. That is
// recorded before anything is printed, and removed afterwards: a brief may be given twice, but does not get lost.
func (h *hook) claimTurn(ctx context.Context) bool {
	c := h.world().StateDir.Conversation(h.caller.Host, h.caller.Conversation)
	var event []string
	if !h.ifDue {
		event = []string{h.input.Event, h.input.Source, strconv.Itoa(h.caller.PID)}
	}
	turn := c.Take(ctx, event, h.began, twinWait)
	switch {
	case turn == nil:
		return false
	case h.ifDue && !c.Due(): // another hook gave it meanwhile
		turn.Done(false, h.now())
		return false
	}
	dropped := !h.ifDue && agent.DropsStart(h.caller.Host, h.input.Source)
	if dropped {
		_ = c.SetDue(true, h.now()) // without it, the agent has what the start prints
	}
	printed := func(ok bool) {
		if ok && !dropped {
			_ = c.SetDue(false, h.now())
			if h.told != "" {
				turn.Tells(h.told, h.now())
			}
		}
		turn.Done(ok, h.now())
	}
	h.late.printed.Store(&printed)
	return true
}

// planTold returns the plan of which a brief on a report says how far it is; "" for none.
func planTold(r *answer.Report) string {
	switch {
	case r.Resume != nil:
		return r.On
	case r.Next != nil && r.Next.Progress != nil:
		return r.Next.Plan
	}
	return ""
}

// report gathers what a brief says. At each step it hands a shorter report to fallback, which says what is missing. For a slash
// command it only reads, as gsd hydrate does; a hook keeps the breadcrumb, and records what it tells.
func (h *hook) report(ctx context.Context, p *app.Project, user string, fallback func(*answer.Report)) (r *answer.Report, err error) {
	if h.starts() {
		r, err = p.HydrateStarting(ctx, app.StartRunOptions{User: user, Wait: hookWait})
	} else {
		r, err = p.Hydrate(user)
	}
	if err != nil {
		return nil, err
	}
	p.Gather(r, answer.TaskText)
	fallback(p.Shortened(r))
	p.Gather(r, answer.Unfinished)
	if !h.inline {
		p.Record(r) // before what may take longer than a hook has
	}
	fallback(p.Shortened(r))
	p.Gather(r, answer.Everything)
	return r, nil
}
