package watch

import (
	"io"
	"os"
	"slices"
)

// Keys has Wait end once q is typed at the terminal f. Until Close, and while the process is not stopped, that shows nothing of what is typed;
// Ctrl-C still interrupts. It may be called once. If gsd is in the background, it does nothing.
func (w *Watcher) Keys(f *os.File) {
	restore, err := eachKey(f)
	if err != nil {
		return
	}
	w.restore = restore
	go func() {
		if readsQuit(f) {
			close(w.quit)
		}
	}()
}

// readsQuit reads keys, and reports whether one of them was q; else there is nothing to read any more.
func readsQuit(r io.Reader) bool {
	keys := make([]byte, 64)
	for {
		n, err := r.Read(keys)
		if slices.ContainsFunc(keys[:n], func(key byte) bool { return key == 'q' || key == 'Q' }) {
			return true
		}
		if err != nil {
			return false
		}
	}
}
