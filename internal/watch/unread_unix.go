//go:build unix

package watch

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// askAgain is how long one call of poll waits at most, because not every system ends it once the pipe is closed.
const askAgain = time.Second

// awaitUnread waits until nobody can read what is written to fd, and returns true, or until closed is closed, and returns false.
func awaitUnread(fd uintptr, closed <-chan struct{}) bool {
	for {
		asked := []unix.PollFd{{Fd: int32(fd)}} // for nothing but errors
		switch n, err := unix.Poll(asked, int(askAgain/time.Millisecond)); {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return false
		case n > 0:
			return asked[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
		}
		select {
		case <-closed:
			return false
		default:
		}
	}
}
