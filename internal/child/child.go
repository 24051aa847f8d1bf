// Package child starts other programs: one in the place of gsd, which has the same standard streams and gets the signals that are
// sent to gsd, or those that continue without gsd.
package child

import (
	"context"
	"os"
	"os/signal"
	"time"
)

// BySignal is the exit code of a program that a signal ended, minus the signal, as in every shell.
const BySignal = 128

// An End is how a program ended.
type End struct {
	Code      int       // its exit code
	Signal    os.Signal // that ended it; nil for none
	Signalled bool      // it was sent SIGINT or SIGTERM, by gsd or by the terminal
}

// A Mailbox receives the signals that are sent to this program, from before the start of the run is recorded until after its
// end is. None of them may end gsd in between.
type Mailbox chan os.Signal

// OpenMailbox starts to receive signals; signal.Stop ends it.
func OpenMailbox() Mailbox {
	m := make(Mailbox, 64) // package signal drops what does not fit
	for _, s := range Signals {
		if !signal.Ignored(s) { // what gsd was started to ignore stays ignored, for the command, too (nohup)
			signal.Notify(m, s)
		}
	}
	return m
}

// Interrupts calls do, whose context a signal cancels, and returns that signal; nil for none.
func (m Mailbox) Interrupts(ctx context.Context, do func(context.Context)) os.Signal {
	ctx, cancel := context.WithCancel(ctx)
	got := make(chan os.Signal, 1)
	go func() {
		defer cancel()
		select {
		case s := <-m:
			got <- s
		case <-ctx.Done():
			close(got)
		}
	}()
	do(ctx)
	cancel()
	return <-got
}

// repeat calls do at once, because the program may outlive this process, and at every tick. The function that it
// returns stops this, and waits for a call in progress.
func repeat(tick <-chan time.Time, do func()) (stop func()) {
	done, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		do()
		for {
			select {
			case <-done:
				return
			case <-tick:
				do()
			}
		}
	}()
	return func() { close(done); <-over }
}
