package main

import (
	"context"
	"errors"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/host"
	"github.com/gsd-cli/gsd/internal/view"
)

// briefOptions says whose brief is printed.
type briefOptions struct {
	dir       string // -C as it was given
	host, pid string // whose hook it is
	inline    bool   // without a host's envelope, for a slash command; no conversation begins
}

// brief prints what an agent has to know, in its host's envelope. At the start of a conversation it also records the run. The
// rules of hooks are in hook.go.
func (a *app) brief(ctx context.Context, o briefOptions) error {
	var in host.Input
	if !o.inline {
		in = a.readInput()
	}
	claim := a.hookClaim(o.host, o.pid, in)
	render := func(blocks []string) []byte {
		return host.Render(o.host, in.Event, blocks, "(Shortened. `gsd hydrate` prints all of it.)")
	}
	a.inProject = func() { a.leave(func() []byte { return render(unreadable(deadlineError())) }) }
	var brief []string
	err := a.inHook(ctx, a.startDirs(o.dir, in.CWD), claim, func(p *hydrate.Project, u identity.User) error {
		w := briefing{app: a, project: p, user: u, starts: !o.inline && in.StartsSession() && !claim.Anonymous(), render: render}
		r, err := w.write(ctx)
		if err == nil {
			brief = view.Brief(r)
		}
		return err
	})
	if err != nil {
		brief = unreadable(err)
	}
	if brief != nil {
		a.raw.Write(render(brief))
	}
	return nil
}

// briefing gathers what the brief says, and leaves a shorter one at each step for when the time is up.
type briefing struct {
	app     *app
	project *hydrate.Project
	user    identity.User
	starts  bool // a conversation begins, and its run
	render  func([]string) []byte
}

// The steps that a brief may be left without, in their order.
const (
	leftRuns     = "who is at work, and what was interrupted or lost"
	leftEvidence = "what the commits since then say, and which plan comes next"
)

func (w *briefing) write(ctx context.Context) (*hydrate.Report, error) {
	a, p := w.app, w.project
	var r *hydrate.Report
	var busy, err error
	if w.starts {
		r, busy, err = p.HydrateStarting(ctx, hydrate.StartOptions{User: w.user.Name, Now: a.now(), Wait: hookWait})
	} else {
		r, err = p.Hydrate(w.user.Name)
	}
	if err != nil {
		return nil, err
	}
	r.AddText()
	w.leave(r, leftRuns+", "+leftEvidence)
	p.AddRuns(r, a.now())
	if busy != nil && len(r.AtWork) == 0 { // it began in this very moment
		r.JustBegan = busy.Error()
	}
	w.leave(r, leftEvidence)
	p.AddEvidence(r)
	return r, nil
}

// leave leaves the brief of what is known so far, and says what is missing.
func (w *briefing) leave(r *hydrate.Report, missing string) {
	late := w.project.Shortened(r, missing) // a copy: the work goes on with its own
	w.app.leave(func() []byte { return w.render(view.Brief(late)) })
}

// deadlineError says that not even the session was read in time.
func deadlineError() error {
	return &hydrate.Error{Kind: hydrate.IO, Text: "a hook's time was up before gsd had read the session", Hint: "the project is slow to read, or far too large"}
}

// unreadable is the brief of a project whose session gsd cannot read.
func unreadable(err error) []string {
	var known *hydrate.Error
	if errors.As(err, &known) {
		return view.Unreadable(known.Text, known.Hint)
	}
	return view.Unreadable(err.Error(), "")
}
