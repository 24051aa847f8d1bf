package main

import (
	"errors"
	"fmt"
	"runtime"
	"syscall"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/view"
)

// Exit codes. Every verdict is 0, because a host aborts a command on anything else; hydrate --exit-code
// asks for the other two, and install --check has one of its own. Errors have those of sysexits.h.
const (
	exitNoSession    = 1
	exitStale        = 2
	exitNotInstalled = 1
)

var exitCodes = [...]int{
	hydrate.Usage:        64,
	hydrate.BadData:      65,
	hydrate.MissingInput: 66,
	hydrate.NoProject:    69,
	hydrate.CannotCreate: 73,
	hydrate.IO:           74,
	hydrate.Busy:         75,
	hydrate.Refused:      77,
}

// verdictExit is an exit code that is no error.
type verdictExit int

func (v verdictExit) Error() string { return fmt.Sprintf("exit status %d", int(v)) }

// exitAs is the exit of gsd exec, as its command ended.
func exitAs(end childEnd) error {
	if end.code == 0 && end.signal == nil {
		return nil
	}
	return end
}

func (e childEnd) Error() string { return fmt.Sprintf("exit status %d", e.code) }

// longestError is how much of an error is printed: somebody's path may be longer than anybody reads.
const longestError = 1000

// exit prints an error and gives its code.
func (a *app) exit(err error) int {
	if err == nil {
		return 0
	}
	var verdict verdictExit
	if errors.As(err, &verdict) {
		return int(verdict)
	}
	var child childEnd
	if errors.As(err, &child) {
		if child.signal != nil {
			die(child.signal)
		}
		return child.code
	}
	var start *startError
	if errors.As(err, &start) {
		a.complain("gsd: %s\nhint: %s\n", view.Cut(view.Line(start.text), longestError), view.Cut(view.Line(start.hint), longestError))
		return start.code
	}
	var known *hydrate.Error
	if !errors.As(err, &known) {
		known = &hydrate.Error{Kind: hydrate.Usage, Text: err.Error(), Hint: "gsd --help"}
	}
	a.complain("gsd: %s\n", view.Cut(view.Line(known.Text), longestError))
	if known.Hint != "" {
		a.complain("hint: %s\n", view.Cut(view.Line(known.Hint), longestError))
	}
	return exitCodes[known.Kind]
}

// closedPipe reports whether a write failed because nobody reads any more.
func closedPipe(err error) bool {
	// What Windows says of a pipe whose reader is gone, or is going.
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232)
	return errors.Is(err, syscall.EPIPE) || runtime.GOOS == "windows" && (errors.Is(err, brokenPipe) || errors.Is(err, noData))
}
