package main

import (
	"context"
	"errors"
	"slices"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/host"
	"github.com/gsd-cli/gsd/internal/view"
)

type briefOptions struct {
	dir       string // the value of -C
	host, pid string // whose hook it is
	inline    bool   // no envelope, for a slash command; no conversation starts
}

// brief prints what an agent needs to know, in its host's envelope. At the start of a conversation it also records the run.
// If its time runs out (hook_run.go), the agent gets what is known by then.
func (a *app) brief(ctx context.Context, o briefOptions) error {
	var in host.Input
	if !o.inline {
		in, _ = a.readInput()
	}
	caller := a.hookCaller(o.host, o.pid, in)
	starts := !o.inline && in.StartsSession() && !caller.Anonymous()
	program := a.callable()
	render := func(blocks []string) []byte {
		const more = "(Shortened. `gsd hydrate` prints all of it.)"
		blocks = view.CallGSD(program, append(slices.Clip(blocks), more))
		return host.Render(o.host, in.Event, blocks[:len(blocks)-1], blocks[len(blocks)-1])
	}
	a.inProject = func() {
		a.fallback(func() []byte {
			return render(view.Unreadable("the hook ran out of time before gsd had read the session", "the project is slow to read, or far too large"))
		})
	}
	var brief []string
	err := a.inHook(ctx, a.startDirs(o.dir, in.CWD), caller, func(p *hydrate.Project, u identity.User) error {
		r, err := a.report(ctx, p, u.Name, starts, func(r *hydrate.Report) {
			a.fallback(func() []byte { return render(view.Brief(r)) })
		})
		if err == nil {
			brief = view.Brief(r)
		}
		return err
	})
	var known *hydrate.Error
	switch {
	case errors.As(err, &known):
		brief = view.Unreadable(known.Text, known.Hint)
	case err != nil:
		brief = view.Unreadable(err.Error(), "")
	}
	if brief != nil {
		a.raw.Write(render(brief))
	}
	return nil
}

// report gathers what a brief says. At each step it hands a shorter report to fallback, which says what is missing.
func (a *app) report(ctx context.Context, p *hydrate.Project, user string, starts bool, fallback func(*hydrate.Report)) (*hydrate.Report, error) {
	const runs = "who is at work, and what was interrupted or lost"
	const evidence = "what the commits since then say, and which plan comes next"
	var r *hydrate.Report
	var busy, err error
	if starts {
		r, busy, err = p.HydrateStarting(ctx, hydrate.StartOptions{User: user, Now: a.now(), Wait: hookWait})
	} else {
		r, err = p.Hydrate(user)
	}
	if err != nil {
		return nil, err
	}
	r.AddText()
	fallback(p.Shortened(r, runs+", "+evidence)) // a copy: r grows
	p.AddRuns(r, a.now())
	if busy != nil && len(r.AtWork) == 0 { // that run started a moment ago
		r.JustStarted = busy.Error()
	}
	fallback(p.Shortened(r, evidence))
	p.KeepCrumb(r, true, a.now())
	if starts {
		p.ShowLost(r.Recovery.Lost, a.now())
	}
	p.AddEvidence(r, a.now())
	return r, nil
}
