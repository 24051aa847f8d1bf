package main

import (
	"bytes"
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/watch"
)

const (
	refreshEvery     = 10 * time.Second       // how often ages are brought up to date, and whether processes still live: one that is killed changes no file
	retryEvery       = 200 * time.Millisecond // how often to look for a project that is gone
	reportedFailures = 15                     // after how many failures to report that
)

// A statusWatch prints the status whenever it changes. On a terminal, each replaces the previous one.
type statusWatch struct {
	*invocation
	statusOptions
	watcher  *watch.Watcher
	shown    []byte // nil if nothing was, and empty if that has to be replaced
	failures int    // since the status could be read
}

// watchStatus prints the status whenever it changes, until interrupted.
func watchStatus(ctx context.Context, inv *invocation, o statusOptions) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	watcher, err := watch.New()
	if err != nil {
		return cannotWatch(err)
	}
	defer watcher.Close()
	if out, ok := inv.stdout.(*os.File); ok {
		watcher.Output(out)
	}
	w := statusWatch{invocation: inv, statusOptions: o, watcher: watcher}
	for {
		wait, err := w.update(ctx)
		if err != nil {
			return err
		}
		switch resized, ok := watcher.Wait(ctx, wait); {
		case !ok:
			return nil
		case resized && w.shown != nil: // the terminal may have cut or folded its lines
			w.shown = []byte{}
		}
	}
}

// update prints the status if it has changed, and returns how long to wait for a change. Only a failure of the first time is an
// error: later, a rebase, a stash or another program may be in the way for a moment, and the last status stays.
func (w *statusWatch) update(ctx context.Context) (wait time.Duration, err error) {
	err = w.withProject(ctx, reads, func(p *hydrate.Project, user string) error {
		// Watching begins before the files are read: what changes meanwhile is shown next.
		if err := w.watcher.Add(history.WatchDirs(p.Project)); err != nil {
			return cannotWatch(err)
		}
		return showStatus(w.invocation, p, user, w.statusOptions)
	})
	w.progress.Hide()
	status := []byte(w.contents())
	w.output = output{}
	switch {
	case ctx.Err() != nil:
		return 0, nil
	case err != nil && w.shown == nil:
		return 0, err
	case err != nil:
		if w.failures++; w.failures == reportedFailures {
			w.complain(ourError, err.Error()+"; waiting for it")
			w.shown = []byte{} // so that the next status is painted over this
		}
		return retryEvery, nil
	}
	w.failures = 0
	if bytes.Equal(status, w.shown) {
		return refreshEvery, nil
	}
	w.shown = status
	return refreshEvery, w.paint(status)
}

// paint writes one status. On a terminal it takes the place of the one before, and what is too wide is cut off: a line that is
// continued on the next would push the first one off the screen.
func (w *statusWatch) paint(text []byte) error {
	if w.style.Bars {
		text = slices.Concat([]byte("\x1b[H\x1b[2J\x1b[3J\x1b[?7l"), text, []byte("\x1b[?7h"))
	}
	if _, err := w.stdout.Write(text); err != nil {
		return &hydrate.Error{Kind: hydrate.IO, Text: "cannot write the output: " + err.Error(), Hint: "check whether the disk is full", Err: err}
	}
	return nil
}

func cannotWatch(err error) error {
	const hint = "use gsd status without --watch; on Linux, check fs.inotify.max_user_watches"
	return &hydrate.Error{Kind: hydrate.IO, Text: "cannot watch " + err.Error(), Hint: hint, Err: err}
}
