//go:build unix

package run

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// errNotOurs: the process is there, and another user's.
var errNotOurs = errors.New("another user's process")

// ask asks for a process by a signal that is not sent. It says no more than whether one has the PID, which a
// later one may have by now, so it never returns nil: [ErrNoProcess], errNotOurs or errNotTold.
func ask(pid int) error {
	switch err := unix.Kill(pid, 0); {
	case err == nil:
		return errNotTold
	case errors.Is(err, unix.ESRCH):
		return ErrNoProcess
	case errors.Is(err, unix.EPERM):
		return errNotOurs
	default:
		return fmt.Errorf("%w: %w", errNotTold, err)
	}
}
