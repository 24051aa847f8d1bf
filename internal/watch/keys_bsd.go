//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package watch

import "golang.org/x/sys/unix"

const getTerminal, setTerminal = unix.TIOCGETA, unix.TIOCSETA
