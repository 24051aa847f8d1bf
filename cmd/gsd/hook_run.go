package main

import (
	"cmp"
	"context"
	"sync/atomic"

	"github.com/gsd-cli/gsd/internal/host"
)

// A hook has a deadline: past its host's own time-out the host kills it and throws away what it printed, so that a
// conversation would begin without a word wherever a project is slow to read. So the work is done beside the clock. It
// leaves an answer whenever it knows more than before, and when the time is up the last one is printed, whatever the
// work hangs on: a disk, a loop, somebody else's lock. Ending in the middle of a write is as safe as a crash there
// (package durable).

// runHook carries out the command line of a hook by the laws in hook.go, and gives the exit code.
func (a *app) runHook(ctx context.Context, args []string) int {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(a.deadline, host.Deadline(flagValue(args, "host"), args[0] == "hook")))
	defer cancel()
	answer := answerBy(ctx, func(leave func(answer)) []byte {
		a.leave = leave
		if err := a.execute(ctx, args); err != nil { // half an answer is none
			return nil
		}
		return []byte(a.output())
	})
	_, _ = a.stdout.Write(answer) // the host does not want to know
	return 0
}

// An answer makes what a hook prints. It is called by another goroutine than the one that left it, at any later time.
type answer func() []byte

// answerBy gives what do returns. Where it panics, the answer is empty: the agent that waits for us has no use for our
// trouble. When ctx ends first, it is what do has left last.
func answerBy(ctx context.Context, do func(leave func(answer)) []byte) []byte {
	var left atomic.Pointer[answer]
	done := make(chan []byte, 1)
	go func() {
		var out []byte
		defer func() {
			if recover() != nil {
				out = nil
			}
			done <- out
		}()
		out = do(func(next answer) { left.Store(&next) })
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
		return last.make()
	}
	return nil
}

// make makes the answer; where that panics, it is empty.
func (a answer) make() (out []byte) {
	defer func() {
		if recover() != nil {
			out = nil
		}
	}()
	return a()
}
