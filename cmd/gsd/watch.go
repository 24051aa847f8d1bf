package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/view"
)

// Times of a watch: programs change files in bursts, which are shown once they are over; a burst without end
// is shown all the same; and ages are kept up to date. A project that is gone is looked for again and again.
const (
	quiet    = 60 * time.Millisecond
	longest  = time.Second
	refresh  = time.Minute
	again    = 200 * time.Millisecond
	patience = 15 // how often in vain before it is told
)

// watchStatus shows the status whenever it is another one, until it is interrupted. On a terminal each takes
// the place of the last; elsewhere they follow one another. Only the first may fail: later a rebase, a stash or
// a program that is writing is in the way for a moment, and the last one stands meanwhile.
func (a *app) watchStatus(ctx context.Context, o statusOptions) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return &hydrate.Error{Kind: hydrate.IO, Text: "cannot watch for changes: " + err.Error(), Hint: "gsd status without --watch", Err: err}
	}
	defer watcher.Close()
	var shown []byte
	for failures := 0; ; {
		text, err := a.look(ctx, watcher, o)
		wait := refresh
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && shown == nil:
			return err
		case err != nil:
			wait = again
			if failures++; failures == patience {
				a.complain("gsd: %s; waiting for it\n", view.Cut(view.Line(err.Error()), longestError))
				shown = []byte{} // so that what comes next is painted over this
			}
		default:
			failures = 0
			if bytes.Equal(text, shown) {
				break
			}
			if err := a.paint(text); err != nil {
				return err
			}
			shown = text
		}
		if !settled(ctx, watcher, wait) {
			return nil
		}
	}
}

// look gives the status, in its format. Watching begins before the files are read: what changes meanwhile is
// shown next.
func (a *app) look(ctx context.Context, watcher *fsnotify.Watcher, o statusOptions) ([]byte, error) {
	defer func() { a.out.Reset(); a.raw.Reset() }()
	err := a.withUser(ctx, o.dir, func(p *hydrate.Project, u identity.User) error {
		if err := watch(watcher, p.WatchDirs()); err != nil {
			return err
		}
		return a.status(p, u, o)
	})
	return []byte(a.output()), err
}

// paint writes one status at once.
func (a *app) paint(text []byte) error {
	if a.style.Bars {
		text = append([]byte("\x1b[H\x1b[2J\x1b[3J"), text...)
	}
	if _, err := a.stdout.Write(text); err != nil {
		return &hydrate.Error{Kind: hydrate.IO, Text: "cannot write the output: " + err.Error(), Hint: "whoever reads it may have gone, or the disk be full", Err: err}
	}
	return nil
}

// watch adds directories to a watcher. Those that it has are no cost, those that are gone it has dropped.
func watch(watcher *fsnotify.Watcher, dirs []string) error {
	for i, dir := range dirs {
		if err := watcher.Add(dir); err != nil && i == 0 {
			return &hydrate.Error{
				Kind: hydrate.IO, Text: fmt.Sprintf("cannot watch %s: %v", dir, err),
				Hint: "gsd status without --watch; on Linux see fs.inotify.max_user_watches", Err: err,
			}
		}
	}
	return nil
}

// settled waits for a change and for the end of the burst that it is a part of, at most for the time given;
// false when it was interrupted.
func settled(ctx context.Context, watcher *fsnotify.Watcher, wait time.Duration) bool {
	changed := func(after time.Duration) (again, ok bool) {
		select {
		case <-ctx.Done():
			return false, false
		case _, ok := <-watcher.Events:
			return true, ok
		case err := <-watcher.Errors: // some change was missed, which is a change too
			return true, err != nil
		case <-time.After(after):
			return false, true
		}
	}
	more, ok := changed(wait)
	for enough := time.Now().Add(longest); more && ok && time.Now().Before(enough); {
		more, ok = changed(quiet)
	}
	return ok
}
