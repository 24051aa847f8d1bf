// Package watch waits for the next look at something: until it is time, the terminal gets another size, somebody types q, or nobody reads
// the output any more.
package watch

import (
	"context"
	"os"
	"os/signal"
	"time"
)

// A Watcher knows of the terminal and of the output.
type Watcher struct {
	resized chan os.Signal
	unread  chan struct{} // closed once nobody reads the output any more
	quit    chan struct{} // closed once somebody types q
	closed  chan struct{}
	restore func() // makes the terminal as it was; nil if nothing of it was changed
}

// New returns a Watcher that knows of no output yet.
func New() *Watcher {
	w := &Watcher{resized: make(chan os.Signal, 1), unread: make(chan struct{}), quit: make(chan struct{}), closed: make(chan struct{})}
	notifyResize(w.resized)
	return w
}

// Close ends watching.
func (w *Watcher) Close() {
	signal.Stop(w.resized)
	close(w.closed)
	if w.restore != nil {
		w.restore()
	}
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

// Wait waits for a tick, or until the terminal has another size, which it reports. It reports whether to continue: not if ctx has
// ended, if somebody has typed q, or if nobody reads the output.
func (w *Watcher) Wait(ctx context.Context, tick <-chan time.Time) (resized, ok bool) {
	select {
	case <-ctx.Done():
		return false, false
	case <-w.quit:
		return false, false
	case <-w.unread:
		return false, false
	case <-w.resized:
		return true, true
	case <-tick:
		return false, true
	}
}
