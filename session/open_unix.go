//go:build unix

package session

import "syscall"

// openFlags: the guard is opened by path, after it was found to be a regular
// file. If it is a link or a FIFO by then, the open fails or comes back at once.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
