package main

import (
	"context"
	"sync/atomic"
	"time"
)

// A hook has a deadline: after its time-out the host kills it and discards what it printed, so conversations in projects that
// are slow to read would start without a brief. Therefore the work runs in a goroutine, which stores an answer whenever it
// knows more than before. When the time is up, the last one is printed, whatever blocks the work: a disk, a loop, another
// process's lock. Exiting in the middle of a write is as safe as a crash there (package durable).

// A handover is how a hook's work passes on what it knows to the goroutine that prints.
type handover struct {
	fallback func(rendering)               // stores what to print if the time runs out; may be nil
	printed  atomic.Pointer[func(ok bool)] // called once the answer has been printed, or could not be; may be nil
}

func (h *handover) store(a rendering) {
	if h.fallback != nil {
		h.fallback(a)
	}
}

// runHook executes the command line of a hook by the rules in hook.go, and returns the exit code.
func (g *program) runHook(ctx context.Context, args []string, deadline time.Duration) int {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	inv := &invocation{program: g}
	out := answerBy(ctx, func(fallback func(rendering)) []byte {
		inv.late.fallback = fallback
		if err := inv.execute(ctx, args); err != nil { // an incomplete answer is not printed
			return nil
		}
		return []byte(inv.contents())
	})
	_, err := g.stdout.Write(out) // the host must not see a failure
	if printed := inv.late.printed.Load(); printed != nil {
		(*printed)(err == nil && len(out) > 0)
	}
	return 0
}

// A rendering makes what a hook prints. It may be called later, and by another goroutine than the one that stored it.
type rendering func() []byte

// answerBy returns what do returns, or if ctx ends first, the last answer that do has stored. After a panic the result is
// empty: the waiting agent has no use for a stack trace.
func answerBy(ctx context.Context, do func(fallback func(rendering)) []byte) []byte {
	var left atomic.Pointer[rendering]
	done := make(chan []byte, 1)
	go func() {
		done <- recovering(func() []byte { return do(func(next rendering) { left.Store(&next) }) })
	}()
	select {
	case out := <-done:
		if out != nil || ctx.Err() == nil {
			return out
		}
		// It gave up because its time was up.
	case <-ctx.Done():
	}
	if last := left.Load(); last != nil {
		return recovering(*last)
	}
	return nil
}

// recovering calls a function, and returns nil if that panics.
func recovering(do rendering) (out []byte) {
	defer func() {
		if recover() != nil {
			out = nil
		}
	}()
	return do()
}
