// Package terminal shows on a terminal what a command is doing.
package terminal

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

// A Progress shows what a command is doing on a line of a terminal, which is empty again once the command prints something. It
// belongs to one goroutine.
type Progress struct {
	Terminal io.Writer
	doing    atomic.Pointer[string]
	quit     chan struct{} // nil while nothing is going on
	drawing  sync.WaitGroup
}

// Show says what the command is doing. It costs almost nothing, and may be called often.
func (p *Progress) Show(doing string) {
	p.doing.Store(&doing)
	if p.quit == nil {
		quit := make(chan struct{})
		p.quit = quit
		p.drawing.Go(func() { p.draw(quit) })
	}
}

// Hide empties the line, until the next Show. Of a nil line, there is nothing to hide.
func (p *Progress) Hide() {
	if p == nil || p.quit == nil {
		return
	}
	close(p.quit)
	p.drawing.Wait()
	p.quit = nil
}

func (p *Progress) draw(quit <-chan struct{}) {
	next := time.NewTimer(progressAfter)
	defer next.Stop()
	for drawn := false; ; drawn = true {
		select {
		case <-quit:
			if drawn {
				fmt.Fprintf(p.Terminal, "\r\x1b[K")
			}
			return
		case <-next.C:
		}
		// What is too wide is cut off: of a text on two lines, only the second could be replaced.
		fmt.Fprintf(p.Terminal, "\r\x1b[?7l%s\x1b[K\x1b[?7h", text.Defang(text.Line(*p.doing.Load())))
		next.Reset(progressEvery)
	}
}
