package main

import (
	"context"
	"errors"

	"github.com/gsd-cli/gsd/host"
	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
)

// hydrateFor prints the brief for an agent: in its host's envelope, or bare (--inline). At the start of a conversation
// it records the run, too. The laws of hooks are in hook.go.
func (a *app) hydrateFor(ctx context.Context, o hydrateOptions) error {
	var in host.Input
	if !o.inline {
		in = a.readInput()
	}
	claim := a.hookClaim(o.host, o.pid, in)
	var b *brief
	err := a.inHook(ctx, a.startDirs(o.given, in.CWD), claim, func(p *hydrate.Project, u identity.User) error {
		b = a.briefing(ctx, p, u, !o.inline && in.StartsSession() && !claim.Anonymous())
		return nil
	})
	if err != nil {
		b = unreadable(err)
	}
	if b != nil {
		a.out.Write(host.Render(o.host, in.Event, b.blocks, "(Shortened. `gsd hydrate` prints all of it.)"))
	}
	return nil
}

// briefing makes the brief. What is told of runs is how they stood before this one began: it takes the lease of what
// died.
func (a *app) briefing(ctx context.Context, p *hydrate.Project, u identity.User, starts bool) *brief {
	r, err := p.Hydrate(u.Name)
	if err != nil {
		return unreadable(err)
	}
	recovery, next := a.lookAround(p, r)
	if next != nil {
		r.Warnings = append(r.Warnings, next.Warnings...)
	}
	b := briefOf(r, recovery, next, warningsJSON(u, r.Warnings...))
	if starts {
		_, err := p.StartRun(ctx, hydrate.StartOptions{User: u.Name, Now: a.now(), Wait: hookWait})
		var busy *hydrate.Error
		if errors.As(err, &busy) && busy.Kind == hydrate.Busy && !isAtWork(recovery) { // it began in this very moment
			b.add("- " + host.Line(busy.Text, longestField))
		}
		// Where nothing can be written, nothing is lost but the record.
	}
	return b
}

// unreadable says that there is a project, and why gsd cannot tell where it stands.
func unreadable(err error) *brief {
	text, hint := err.Error(), ""
	var known *hydrate.Error
	if errors.As(err, &known) {
		text, hint = known.Text, known.Hint
	}
	lines := []string{"## gsd: the session cannot be read", "", "- " + host.Line(text, longestField)}
	if hint != "" {
		lines = append(lines, "- "+host.Line(hint, longestField))
	}
	b := &brief{}
	b.add(append(lines, "- `gsd hydrate` tells it again.")...)
	return b
}
