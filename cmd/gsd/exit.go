package main

import (
	"errors"
	"fmt"
	"runtime"
	"syscall"

	"github.com/gsd-cli/gsd/internal/child"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/view"
)

// Exit codes. Every verdict is 0, because a host aborts a command on anything else. Only hydrate --exit-code,
// install --check and doctor return others. Errors have the codes of sysexits.h.
const (
	exitNoSession    = 1
	exitStale        = 2
	exitNotInstalled = 1
	exitNeedsDoing   = 1

	// As in every shell: the program could not be run, or it was not found.
	exitCannotRun = 126
	exitNoCommand = 127
)

// An exitStatus is an exit code that is not the code of an error: a verdict's, or that of the program that gsd exec ran.
type exitStatus struct{ child.End }

func (e exitStatus) Error() string { return fmt.Sprintf("exit status %d", e.Code) }

// exit is the exitStatus with a code.
func exit(code int) error { return exitStatus{child.End{Code: code}} }

// end prints an error and returns its code. A closed pipe is not an error, as in gsd status | head:
// the reader has read enough.
func end(err error, tell func(view.Failed)) int {
	if err == nil || closedPipe(err) {
		return 0
	}
	var status exitStatus
	var failed *problem.Error
	ends := errors.As(err, &status)
	if !errors.As(err, &failed) && !ends {
		failed = &problem.Error{Kind: problem.Usage, Text: err.Error(), Hint: "`gsd --help`"}
	}
	if failed != nil {
		tell(view.Fail(failed))
	}
	switch {
	case !ends:
		return view.ExitCodes[failed.Kind]
	case status.Signal != nil:
		child.Die(status.Signal)
	}
	return status.Code
}

// closedPipe reports whether a write failed because nobody is reading.
func closedPipe(err error) bool {
	// The errors of Windows for a pipe whose reader is gone, or is about to go.
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232)
	return errors.Is(err, syscall.EPIPE) || runtime.GOOS == "windows" && (errors.Is(err, brokenPipe) || errors.Is(err, noData))
}
