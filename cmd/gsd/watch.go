package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/text"
)

const (
	quiet    = 60 * time.Millisecond  // a burst of changes is over after this long without one
	longest  = time.Second            // a burst that does not end is shown after this long
	refresh  = time.Minute            // how often ages are brought up to date
	again    = 200 * time.Millisecond // how often to look for a project that is gone
	patience = 15                     // after how many failures to report that
)

// watchStatus prints the status whenever it changes, until interrupted. On a terminal, each replaces the previous one. Only a
// failure of the first ends it: later, a rebase, a stash or another program may be in the way for a moment, and the last status
// stays.
func (a *app) watchStatus(c *cli.Context) error {
	ctx, stop := signal.NotifyContext(c.Context, os.Interrupt, syscall.SIGTERM)
	defer stop()
	c.Context = ctx
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return cannotWatch("changes", err)
	}
	defer watcher.Close()
	resized := make(chan os.Signal, 1)
	notifyResize(resized)
	defer signal.Stop(resized)
	var shown []byte
	var waiting *hydrate.Session // the user's own, at a checkpoint
	for failures := 0; ; {
		// Watching begins before the files are read: what changes meanwhile is shown next.
		was := waiting
		err := a.status(c, func(p *hydrate.Project) error { return watch(watcher, p.WatchDirs()) },
			func(st *hydrate.Status) { waiting = waitingIn(st) })
		a.progress.hide()
		painting := []byte(a.output())
		a.out.Reset()
		a.raw.Reset()
		wait := refresh
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && shown == nil:
			return err
		case err != nil:
			wait = again
			if failures++; failures == patience {
				a.complain("gsd", err.Error()+"; waiting for it")
				shown = []byte{} // so that the next status is painted over this
			}
		case bytes.Equal(painting, shown):
			failures = 0
		default:
			if err := a.paint(painting); err != nil {
				return err
			}
			failures, shown = 0, painting
			if c.Bool("notify") && a.style.Bars && waiting != nil && (was == nil || was.Plan != waiting.Plan || was.Resume != waiting.Resume) {
				if _, err := a.stdout.Write([]byte(notification(a.env.get, text.Line(hydrate.PlanName(waiting.Plan))+" waits for you"))); err != nil {
					return nil
				}
			}
		}
		switch isResized, ok := settled(ctx, watcher, resized, wait); {
		case !ok:
			return nil
		case isResized && shown != nil: // the terminal may have cut or folded its lines
			shown = []byte{}
		}
	}
}

// paint writes one status. On a terminal it takes the place of the one before, and what is too wide is cut off: a line that is
// continued on the next would push the first one off the screen.
func (a *app) paint(text []byte) error {
	if a.style.Bars {
		text = slices.Concat([]byte("\x1b[H\x1b[2J\x1b[3J\x1b[?7l"), text, []byte("\x1b[?7h"))
	}
	if _, err := a.stdout.Write(text); err != nil {
		return &hydrate.Error{Kind: hydrate.IO, Text: "cannot write the output: " + err.Error(), Hint: "check whether the disk is full", Err: err}
	}
	return nil
}

// waitingIn returns the user's session that waits for a person at a checkpoint, nil for none.
func waitingIn(st *hydrate.Status) *hydrate.Session {
	for i, its := range st.Sessions {
		if its.Own && its.Checkpoint && its.Machine == "" {
			return &st.Sessions[i]
		}
	}
	return nil
}

// notification returns what a terminal takes for a notification with a text: OSC 9 or 777 where it is known to have that, or else
// the bell.
func notification(getenv func(string) string, text string) string {
	program, term := getenv("TERM_PROGRAM"), getenv("TERM")
	switch {
	case slices.Contains([]string{"iTerm.app", "WezTerm", "ghostty"}, program), strings.HasPrefix(term, "xterm-kitty"), getenv("ConEmuANSI") == "ON":
		return "\x1b]9;gsd: " + text + "\a"
	case strings.HasPrefix(term, "rxvt"):
		return "\x1b]777;notify;gsd;" + text + "\a"
	}
	return "\a"
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

// settled waits for a change and for the end of its burst, or until the time is over. It reports whether the terminal has another
// size, and whether to continue: false if interrupted.
func settled(ctx context.Context, watcher *fsnotify.Watcher, resized <-chan os.Signal, wait time.Duration) (isResized, ok bool) {
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
	for enough := time.Now().Add(longest); more && ok && time.Now().Before(enough); {
		more, ok = changed(quiet)
	}
	return isResized, ok
}
