package main

import (
	"bytes"
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/watch"
)

const (
	lookEvery        = time.Second
	reportedFailures = 3 // after how many failures to report that
)

// A statusWatch looks at the status again and again, and prints it whenever it has changed. On a terminal, each replaces the previous one.
type statusWatch struct {
	*invocation
	statusOptions
	shown    []byte // nil if nothing was, and empty if that has to be replaced
	failures int    // since the status could be read
}

// watchStatus prints the status whenever it changes, until q is typed, or until interrupted.
func watchStatus(ctx context.Context, inv *invocation, o statusOptions) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	watcher := watch.New()
	defer watcher.Close()
	if out, ok := inv.stdout.(*os.File); ok {
		watcher.Output(out)
	}
	if inv.keys != nil {
		watcher.Keys(inv.keys)
	}
	inv.lines = true
	w := statusWatch{invocation: inv, statusOptions: o}
	for {
		if err := w.update(ctx); err != nil {
			return err
		}
		switch resized, ok := watcher.Wait(ctx, tick.C); {
		case !ok:
			return nil
		case resized && w.shown != nil: // the terminal may have cut or folded its lines
			w.shown = []byte{}
		}
	}
}

// update prints the status if it has changed. Only a failure of the first time is an error: later, a rebase, a stash or another program
// may be in the way for a moment, and the last status stays.
func (w *statusWatch) update(ctx context.Context) error {
	err := w.withProject(ctx, app.Reads, func(p *app.Project, user string) error {
		return showStatus(w.invocation, p, user, w.statusOptions)
	})
	w.progress.Hide()
	status := []byte(w.contents())
	w.output = output{}
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil && w.shown == nil:
		return err
	case err != nil:
		if w.failures++; w.failures == reportedFailures {
			w.complain(ourError, err.Error()+"; waiting for it")
			w.shown = []byte{} // so that the next status is painted over this
		}
		return nil
	}
	w.failures = 0
	if bytes.Equal(status, w.shown) {
		return nil
	}
	w.shown = status
	return w.paint(status)
}

// paint writes one status. On a terminal it takes the place of the one before, and what is too wide is cut off: a line that is
// continued on the next would push the first one off the screen.
func (w *statusWatch) paint(text []byte) error {
	if w.style.Bars {
		text = slices.Concat([]byte("\x1b[H\x1b[2J\x1b[3J\x1b[?7l"), text, []byte("\x1b[?7h"))
	}
	if _, err := w.stdout.Write(text); err != nil {
		return &problem.Error{Kind: problem.IO, Text: "cannot write the output: " + err.Error(), Hint: "check whether the disk is full", Err: err}
	}
	return nil
}
