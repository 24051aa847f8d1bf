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
	render := func(b *brief) []byte {
		return host.Render(o.host, in.Event, b.blocks, "(Shortened. `gsd hydrate` prints all of it.)")
	}
	a.inProject = func() { a.leave(func() []byte { return render(unreadable(deadlineError())) }) }
	var b *brief
	err := a.inHook(ctx, a.startDirs(o.given, in.CWD), claim, func(p *hydrate.Project, u identity.User) error {
		w := briefing{app: a, project: p, user: u, starts: !o.inline && in.StartsSession() && !claim.Anonymous(), render: render}
		b = w.write(ctx)
		return nil
	})
	if err != nil {
		b = unreadable(err)
	}
	if b != nil {
		a.raw.Write(render(b))
	}
	return nil
}

// briefing writes the brief, and leaves a shorter one at each step for when the time is up.
type briefing struct {
	app     *app
	project *hydrate.Project
	user    identity.User
	starts  bool // a conversation begins, and its run
	render  func(*brief) []byte
}

// The steps that a brief may be left without, in their order.
const (
	leftRuns     = "who is at work, and what was interrupted or lost"
	leftEvidence = "what the commits since then say, and which plan comes next"
)

func (w *briefing) write(ctx context.Context) *brief {
	a, p := w.app, w.project
	r, err := p.Hydrate(w.user.Name)
	if err != nil {
		return unreadable(err)
	}
	w.leave(*r, nil, "", leftRuns+", "+leftEvidence)
	recovery := p.Recovery(r, a.now())
	r.Warnings = append(r.Warnings, recovery.Warnings...)
	// What is told of runs is how they stood before this one began: it takes the lease of what died.
	began := ""
	if w.starts {
		_, err := p.StartRun(ctx, hydrate.StartOptions{User: w.user.Name, Now: a.now(), Wait: hookWait})
		var busy *hydrate.Error
		if errors.As(err, &busy) && busy.Kind == hydrate.Busy && !isAtWork(recovery) { // it began in this very moment
			began = "- " + host.Line(busy.Text, longestField)
		}
		// Where nothing can be written, nothing is lost but the record.
	}
	w.leave(*r, recovery, began, leftEvidence)
	r.Warnings = append(r.Warnings, p.Drift(r)...)
	var next *hydrate.Next
	if r.Verdict != hydrate.Resume {
		next = p.NextAfter(r)
		r.Warnings = append(r.Warnings, next.Warnings...)
	}
	b := briefOf(r, recovery, next, warningsJSON(w.user, r.Warnings...))
	b.add(began)
	return b
}

// leave leaves the brief of what is known so far, and says what is missing. The report is a copy: the work goes on with
// its own.
func (w *briefing) leave(r hydrate.Report, recovery *hydrate.Recovery, began, missing string) {
	w.app.leave(func() []byte {
		late := hydrate.Warning{Code: "deadline", Detail: "a hook's time was up before gsd had read all; left out: " + missing}
		b := briefOf(&r, recovery, nil, warningsJSON(w.user, append([]hydrate.Warning{late}, r.Warnings...)...))
		b.add(began)
		return w.render(b)
	})
}

// deadlineError says that not even the session was read in time.
func deadlineError() error {
	return &hydrate.Error{Kind: hydrate.IO, Text: "a hook's time was up before gsd had read the session", Hint: "the project is slow to read, or far too large"}
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
