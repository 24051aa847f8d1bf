package main

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"github.com/gsd-cli/gsd/internal/agent"
)

// A hook has a deadline: after its time-out the host kills it and discards what it printed, so conversations in projects that
// are slow to read would start without a brief. Therefore the work runs in a goroutine, which stores an answer whenever it
// knows more than before. When the time is up, the last one is printed, whatever blocks the work: a disk, a loop, another
// process's lock. Exiting in the middle of a write is as safe as a crash there (package durable).

// runHook executes the command line of a hook by the rules in hook.go, and returns the exit code.
func (a *app) runHook(ctx context.Context, args []string) int {
	name, _ := findFlag(args, "host")
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(a.deadline, agent.Deadline(name, slices.Contains(args[1:min(2, len(args))], "end"))))
	defer cancel()
	out := answerBy(ctx, func(fallback func(answer)) []byte {
		a.fallback = fallback
		if err := a.execute(ctx, args); err != nil { // an incomplete answer is not printed
			return nil
		}
		return []byte(a.output())
	})
	_, err := a.stdout.Write(out) // the host must not see a failure
	if printed := a.printed.Load(); printed != nil {
		(*printed)(err == nil && len(out) > 0)
	}
	return 0
}

// An answer renders what a hook prints. It may be called later, and by another goroutine than the one that stored it.
type answer func() []byte

// answerBy returns what do returns, or if ctx ends first, the last answer that do has stored. After a panic the result is
// empty: the waiting agent has no use for a stack trace.
func answerBy(ctx context.Context, do func(fallback func(answer)) []byte) []byte {
	var left atomic.Pointer[answer]
	done := make(chan []byte, 1)
	go func() {
		done <- calmly(func() []byte { return do(func(next answer) { left.Store(&next) }) })
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
		return calmly(*last)
	}
	return nil
}

// calmly calls a function, and returns nil if that panics.
func calmly(do answer) (out []byte) {
	defer func() {
		if recover() != nil {
			out = nil
		}
	}()
	return do()
}
