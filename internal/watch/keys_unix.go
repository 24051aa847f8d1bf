//go:build unix

package watch

import (
	"errors"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// eachKey has the terminal f pass on each key when it is typed, without showing it. restore makes it as it was, and so does each signal that
// ends or stops the process, except those that the caller handles. In the background a read fails in place of stopping the process; again
// reports whether it is in the foreground again, where keys are passed on again.
func eachKey(f *os.File) (restore func(), again func() bool, err error) {
	fd := int(f.Fd())
	was, err := unix.IoctlGetTermios(fd, getTerminal)
	if err != nil {
		return nil, nil, err
	}
	keys := *was
	keys.Lflag &^= unix.ICANON | unix.ECHO
	keys.Cc[unix.VMIN], keys.Cc[unix.VTIME] = 1, 0
	set := func(to *unix.Termios) error {
		if !inForeground(fd) { // it would be stopped
			return errBackground
		}
		return unix.IoctlSetTermios(fd, setTerminal, to)
	}
	if err := set(&keys); err != nil {
		return nil, nil, err
	}
	signal.Ignore(unix.SIGTTIN)
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	for _, s := range []os.Signal{unix.SIGHUP, unix.SIGQUIT, unix.SIGTSTP, unix.SIGCONT} {
		if !signal.Ignored(s) && (s != unix.SIGTSTP || hasShell()) {
			signal.Notify(signals, s)
		}
	}
	go func() {
		defer close(done)
		for s := range signals {
			switch s {
			case unix.SIGCONT:
				_ = set(&keys) // in the background it stays as the shell has it
			case unix.SIGTSTP:
				_ = set(was)
				_ = unix.Kill(unix.Getpid(), unix.SIGSTOP)
			default:
				_ = set(was)
				signal.Reset(s)
				_ = unix.Kill(unix.Getpid(), s.(syscall.Signal))
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
		<-done
		_ = set(was)
	}, func() bool { return set(&keys) == nil }, nil
}

var errBackground = errors.New("not in the foreground of its terminal")

// inForeground reports whether what is typed at a terminal is for this process.
func inForeground(fd int) bool {
	group, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP)
	own, failed := unix.Getpgid(0)
	return err == nil && failed == nil && group == own
}

// hasShell reports whether there is a shell that continues the process once it is stopped: one with jobs starts each in a group of its own.
// Where gsd is all that a terminal was opened for, the system does not let Ctrl-Z stop it, and neither does gsd.
func hasShell() bool {
	group, err := unix.Getpgid(0)
	session, failed := unix.Getsid(0)
	return err == nil && failed == nil && group != session
}
