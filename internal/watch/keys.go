package watch

import (
	"io"
	"os"
	"slices"
	"time"
)

// Keys has Wait end once q is typed at the terminal f. Until Close, and while the process is not stopped, that shows nothing of what is typed;
// Ctrl-C still interrupts. It may be called once. If gsd is in the background, it does nothing.
func (w *Watcher) Keys(f *os.File) {
	restore, again, err := eachKey(f)
	if err != nil {
		return
	}
	w.restore = restore
	go func() {
		for !readsQuit(f) { // a read in the background fails
			for ok := false; !ok; ok = again() {
				select {
				case <-time.After(foregroundEvery):
				case <-w.closed:
					return
				}
			}
		}
		close(w.quit)
	}()
}

const foregroundEvery = time.Second // how often to look whether gsd is in the foreground again, which nothing tells it

const escape = '\x1b' // begins what a key sends that is not a character, such as F2, whose last byte is Q

// readsQuit reads keys, and reports whether one of them was q; else there is nothing to read any more.
func readsQuit(r io.Reader) bool {
	keys := make([]byte, 64)
	for {
		n, err := r.Read(keys)
		if n > 0 && keys[0] != escape && slices.ContainsFunc(keys[:n], func(key byte) bool { return key == 'q' || key == 'Q' }) {
			return true
		}
		if err != nil {
			return false
		}
	}
}
