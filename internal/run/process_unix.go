//go:build unix

package run

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// errNotOurs means that the process exists and is another user's.
var errNotOurs = errors.New("another user's process")

// ask checks for a process by a signal that is not sent. That only shows whether the PID is in use, perhaps by a later
// process, so it never returns nil: [ErrNoProcess], errNotOurs or errUnknown.
func ask(pid int) error {
	switch err := unix.Kill(pid, 0); {
	case err == nil:
		return errUnknown
	case errors.Is(err, unix.ESRCH):
		return ErrNoProcess
	case errors.Is(err, unix.EPERM):
		return errNotOurs
	default:
		return fmt.Errorf("%w: %w", errUnknown, err)
	}
}
