//go:build unix

package session

import "syscall"

// openFlags make the open fail, or return at once, if the guard is a link or a FIFO by now: the library that locks
// opens it by path, after it was found to be a regular file.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
