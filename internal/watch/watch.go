// Package watch waits until something changes in a directory, the terminal gets another size, or nobody reads the output any more.
package watch

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	burstPause = 60 * time.Millisecond // a burst of changes is over after this long without one
	burstLimit = time.Second           // a burst that does not end is reported after this long
)

// A Watcher watches directories and the terminal.
type Watcher struct {
	files   *fsnotify.Watcher
	resized chan os.Signal
	unread  chan struct{} // closed once nobody reads the output any more
	closed  chan struct{}
}

// New returns a Watcher that watches no directory yet.
func New() (*Watcher, error) {
	files, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("changes: %w", err)
	}
	w := &Watcher{files: files, resized: make(chan os.Signal, 1), unread: make(chan struct{}), closed: make(chan struct{})}
	notifyResize(w.resized)
	return w, nil
}

// Close ends watching.
func (w *Watcher) Close() {
	signal.Stop(w.resized)
	w.files.Close()
	close(w.closed)
}

// Output has Wait end when f is a pipe that nobody reads any more. Else only the next write would show it, and the next change may be a
// week away. It may be called once. On Windows it does nothing, because there only a write shows it.
func (w *Watcher) Output(f *os.File) {
	go func() {
		if awaitUnread(f.Fd(), w.closed) {
			close(w.unread)
		}
	}()
}

// Add watches directories, too. Those that it already watches are ignored, and those that are deleted are dropped. It is an error
// if the first cannot be watched.
func (w *Watcher) Add(dirs []string) error {
	for i, dir := range dirs {
		if err := w.files.Add(dir); err != nil && i == 0 {
			return fmt.Errorf("%s: %w", dir, err)
		}
	}
	return nil
}

// Wait waits for a change and for the end of its burst, or until the time is over. It reports whether the terminal has another
// size, and whether to continue: false if ctx has ended, or if nobody reads the output.
func (w *Watcher) Wait(ctx context.Context, atMost time.Duration) (resized, ok bool) {
	changed := func(after time.Duration) (more, ok bool) {
		select {
		case <-ctx.Done():
			return false, false
		case <-w.unread:
			return false, false
		case <-w.resized:
			resized = true
			return true, true
		case _, ok := <-w.files.Events:
			return true, ok
		case err := <-w.files.Errors: // events were lost, which is a change, too
			return true, err != nil
		case <-time.After(after):
			return false, true
		}
	}
	more, ok := changed(atMost)
	for end := time.Now().Add(burstLimit); more && ok && time.Now().Before(end); {
		more, ok = changed(burstPause)
	}
	return resized, ok
}
