package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"

	"github.com/gsd-cli/gsd/hydrate"
)

// Exit codes. Every verdict is 0, because a host aborts a command on anything else. Only hydrate --exit-code,
// install --check and doctor return others. Errors have the codes of sysexits.h.
const (
	exitNoSession    = 1
	exitStale        = 2
	exitNotInstalled = 1
	exitNeedsDoing   = 1

	// As in every shell: the program could not be run, it was not found, or it was ended by the signal code-bySignal.
	exitCannotRun = 126
	exitNoCommand = 127
	bySignal      = 128
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

// An exitStatus is an exit code that is not the code of an error: a verdict's, or that of the command that gsd exec ran.
type exitStatus struct {
	code      int
	signal    os.Signal // that ended the command, and ends gsd, too; nil for none
	signalled bool      // the command was sent SIGINT or SIGTERM, by gsd or by the terminal
}

func (e exitStatus) Error() string { return fmt.Sprintf("exit status %d", e.code) }

// exit prints an error and returns its code. A closed pipe is not an error, as in gsd status | head: the reader has read
// enough.
func (g *program) exit(err error) int {
	if err == nil || closedPipe(err) {
		return 0
	}
	var status exitStatus
	var failed *hydrate.Error
	ends := errors.As(err, &status)
	if !errors.As(err, &failed) && !ends {
		failed = &hydrate.Error{Kind: hydrate.Usage, Text: err.Error(), Hint: "gsd --help"}
	}
	if failed != nil {
		g.complain("gsd", failed.Text)
		if failed.Hint != "" {
			g.complain("hint", failed.Hint)
		}
	}
	switch {
	case !ends:
		return exitCodes[failed.Kind]
	case status.signal != nil:
		die(status.signal)
	}
	return status.code
}

// closedPipe reports whether a write failed because nobody is reading.
func closedPipe(err error) bool {
	// The errors of Windows for a pipe whose reader is gone, or is about to go.
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232)
	return errors.Is(err, syscall.EPIPE) || runtime.GOOS == "windows" && (errors.Is(err, brokenPipe) || errors.Is(err, noData))
}
