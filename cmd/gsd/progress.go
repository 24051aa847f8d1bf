package main

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gsd-cli/gsd/internal/text"
)

const (
	progressAfter = 500 * time.Millisecond // what takes less shows no progress
	progressEvery = 200 * time.Millisecond
)

// A progressLine shows what a command is doing on a line of a terminal, which is empty again once the command prints something. It
// belongs to one goroutine.
type progressLine struct {
	terminal io.Writer
	doing    atomic.Pointer[string]
	quit     chan struct{} // nil while nothing is going on
	drawing  sync.WaitGroup
}

// show says what the command is doing. It costs almost nothing, and may be called often.
func (l *progressLine) show(doing string) {
	l.doing.Store(&doing)
	if l.quit == nil {
		quit := make(chan struct{})
		l.quit = quit
		l.drawing.Go(func() { l.draw(quit) })
	}
}

// hide empties the line, until the next show. Of a nil line, there is nothing to hide.
func (l *progressLine) hide() {
	if l == nil || l.quit == nil {
		return
	}
	close(l.quit)
	l.drawing.Wait()
	l.quit = nil
}

func (l *progressLine) draw(quit <-chan struct{}) {
	next := time.NewTimer(progressAfter)
	defer next.Stop()
	for drawn := false; ; drawn = true {
		select {
		case <-quit:
			if drawn {
				fmt.Fprintf(l.terminal, "\r\x1b[K")
			}
			return
		case <-next.C:
		}
		// What is too wide is cut off: of a text on two lines, only the second could be replaced.
		fmt.Fprintf(l.terminal, "\r\x1b[?7l%s\x1b[K\x1b[?7h", text.Defang(text.Line(*l.doing.Load())))
		next.Reset(progressEvery)
	}
}
