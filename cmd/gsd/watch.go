package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/terminal"
	"github.com/gsd-cli/gsd/internal/text"
)

const (
	burstPause       = 60 * time.Millisecond  // a burst of changes is over after this long without one
	burstLimit       = time.Second            // a burst that does not end is shown after this long
	refreshEvery     = time.Minute            // how often ages are brought up to date
	retryEvery       = 200 * time.Millisecond // how often to look for a project that is gone
	reportedFailures = 15                     // after how many failures to report that
)

// A statusWatch prints the status whenever it changes. On a terminal, each replaces the previous one.
type statusWatch struct {
	*invocation
	statusOptions
	watcher  *fsnotify.Watcher
	stop     func()           // ends it
	shown    []byte           // nil if nothing was, and empty if that has to be replaced
	waiting  *hydrate.Session // the user's own, at a checkpoint
	failures int              // since the status could be read
}

// watchStatus prints the status whenever it changes, until interrupted.
func watchStatus(ctx context.Context, inv *invocation, o statusOptions) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return cannotWatch("changes", err)
	}
	defer watcher.Close()
	resized := make(chan os.Signal, 1)
	terminal.NotifyResize(resized)
	defer signal.Stop(resized)
	w := statusWatch{invocation: inv, statusOptions: o, watcher: watcher, stop: stop}
	for {
		wait, err := w.update(ctx)
		if err != nil {
			return err
		}
		switch isResized, ok := awaitChange(ctx, watcher, resized, wait); {
		case !ok:
			return nil
		case isResized && w.shown != nil: // the terminal may have cut or folded its lines
			w.shown = []byte{}
		}
	}
}

// update prints the status if it has changed, and returns how long to wait for a change. Only a failure of the first time is an
// error: later, a rebase, a stash or another program may be in the way for a moment, and the last status stays.
func (w *statusWatch) update(ctx context.Context) (wait time.Duration, err error) {
	previous := w.waiting
	err = w.withProject(ctx, reads, func(p *hydrate.Project, user string) error {
		// Watching begins before the files are read: what changes meanwhile is shown next.
		if err := watch(w.watcher, p.WatchDirs()); err != nil {
			return err
		}
		st, err := showStatus(w.invocation, p, user, w.statusOptions)
		if st != nil {
			w.waiting = waitingIn(st)
		}
		return err
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
			w.complain("gsd", err.Error()+"; waiting for it")
			w.shown = []byte{} // so that the next status is painted over this
		}
		return retryEvery, nil
	}
	w.failures = 0
	if bytes.Equal(status, w.shown) {
		return refreshEvery, nil
	}
	w.shown = status
	if err := w.paint(status); err != nil {
		return 0, err
	}
	w.ring(previous)
	return refreshEvery, nil
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

// ring notifies the user of a session that waits, unless it is where the previous one waited.
func (w *statusWatch) ring(previous *hydrate.Session) {
	at := w.waiting
	if !w.notify || !w.style.Bars || at == nil || previous != nil && previous.Plan == at.Plan && previous.Resume == at.Resume {
		return
	}
	if _, err := io.WriteString(w.stdout, terminal.Notification(w.env.get, text.Line(hydrate.PlanName(at.Plan))+" waits for you")); err != nil {
		w.stop()
	}
}

// waitingIn returns the user's session that waits for a person at a checkpoint, nil for none.
func waitingIn(st *hydrate.Status) *hydrate.Session {
	for i, s := range st.Sessions {
		if s.Own && s.Checkpoint && s.Machine == "" {
			return &st.Sessions[i]
		}
	}
	return nil
}

// watch adds directories to a watcher, which ignores directories that it already has, and drops those that are deleted.
func watch(watcher *fsnotify.Watcher, dirs []string) error {
	for i, dir := range dirs {
		if err := watcher.Add(dir); err != nil && i == 0 {
			return cannotWatch(dir, err)
		}
	}
	return nil
}

func cannotWatch(what string, err error) error {
	return &hydrate.Error{
		Kind: hydrate.IO, Text: fmt.Sprintf("cannot watch %s: %v", what, err),
		Hint: "use gsd status without --watch; on Linux, check fs.inotify.max_user_watches", Err: err,
	}
}

// awaitChange waits for a change and for the end of its burst, or until the time is over. It reports whether the terminal has another
// size, and whether to continue: false if interrupted.
func awaitChange(ctx context.Context, watcher *fsnotify.Watcher, resized <-chan os.Signal, wait time.Duration) (isResized, ok bool) {
	changed := func(after time.Duration) (again, ok bool) {
		select {
		case <-ctx.Done():
			return false, false
		case <-resized:
			isResized = true
			return true, true
		case _, ok := <-watcher.Events:
			return true, ok
		case err := <-watcher.Errors: // events were lost, which is a change, too
			return true, err != nil
		case <-time.After(after):
			return false, true
		}
	}
	more, ok := changed(wait)
	for enough := time.Now().Add(burstLimit); more && ok && time.Now().Before(enough); {
		more, ok = changed(burstPause)
	}
	return isResized, ok
}
