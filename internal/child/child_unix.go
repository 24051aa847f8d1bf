//go:build unix

package child

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Signals are the signals that are sent to a program from outside, and end it by default. Those for stopping, continuing and
// the size of the terminal reach the command anyway, because it stays in the terminal's process group.
var Signals = [...]os.Signal{
	syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM,
}

// Detach lets a program continue when the terminal, or the program that started this one, ends.
func Detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// Run runs the command to its end and passes signals on. It calls alive at once and at every tick.
func Run(cmd *exec.Cmd, mail Mailbox, tick <-chan time.Time, alive func()) (End, error) {
	var end End
	hadTerminal := openTerminal(nil)
	if err := start(cmd); err != nil {
		return end, err
	}
	defer repeat(tick, alive)()
	pass := func(s os.Signal) {
		end.Signalled = end.Signalled || s == syscall.SIGINT || s == syscall.SIGTERM
		_ = cmd.Process.Signal(s) // it may have ended meanwhile
	}
	for early := len(mail); early > 0; early-- { // they came before there was a process to receive them
		pass(<-mail)
	}
	waited := make(chan error, 1)
	go func() { waited <- cmd.Wait() }()
	for {
		select {
		case s := <-mail:
			if reachesBoth(s, hadTerminal) {
				end.Signalled = end.Signalled || s == syscall.SIGINT
				continue // to many agents a second one means something else
			}
			pass(s)
		case err := <-waited:
			if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
				return end, err
			}
			end.Code = cmd.ProcessState.ExitCode()
			if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
				signalled := end.Signalled
				end = EndedBy(status.Signal())
				end.Signalled = signalled
			}
			return end, nil
		}
	}
}

// start starts the command with the signal dispositions that it would have without gsd, as far as Go's runtime allows: a
// child inherits what its parent ignores.
func start(cmd *exec.Cmd) error {
	// main ignores SIGPIPE, and signal.Reset does not undo that: exec restores the default only for a signal with a handler.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	defer signal.Ignore(syscall.SIGPIPE)
	if signal.Ignored(syscall.SIGINT) {
		// A shell's background job: it ignores both, but the runtime has forgotten that for SIGQUIT.
		signal.Ignore(syscall.SIGQUIT)
	}
	return cmd.Start()
}

// EndedBy is the end by a signal, success for nil.
func EndedBy(s os.Signal) End {
	n, ok := s.(syscall.Signal)
	if !ok {
		return End{}
	}
	return End{Signal: s, Code: BySignal + int(n)}
}

// openTerminal reports whether there is a controlling terminal, and calls ask with it.
func openTerminal(ask func(fd int)) bool {
	tty, err := os.OpenFile("/dev/tty", os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer tty.Close()
	if ask != nil {
		ask(int(tty.Fd()))
	}
	return true
}

// reachesBoth reports whether the command receives a signal anyway: one that a key sends to the whole foreground group, or the
// end of the terminal, which the command had when it started. The sender of a signal is unknown: SIGINT for gsd alone, while its
// group is in the foreground, is taken for the key's. SIGTERM is always passed on.
func reachesBoth(s os.Signal, hadTerminal bool) bool {
	switch s {
	case syscall.SIGINT, syscall.SIGQUIT:
		foreground := false
		openTerminal(func(fd int) {
			group, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP)
			foreground = err == nil && group == syscall.Getpgrp()
		})
		return foreground
	case syscall.SIGHUP:
		leader, err := unix.Getsid(0)
		return err == nil && leader != os.Getpid() && hadTerminal && !openTerminal(nil) // its leader has it alone
	}
	return false
}

// Killed reports whether a signal ended the command that does not ask it to end; the code says so for a shell in between.
func (e End) Killed() bool {
	return e.Signal != nil && !e.Cancelled() || e.Code == BySignal+int(syscall.SIGKILL) || e.Code == BySignal+int(syscall.SIGHUP)
}

// Cancelled reports whether SIGINT or SIGTERM ended the command, in the same way.
func (e End) Cancelled() bool {
	return e.Code == BySignal+int(syscall.SIGINT) || e.Code == BySignal+int(syscall.SIGTERM)
}

// Die ends this program by the signal that ended the command. Go's runtime can only die of a few signals, and does not restore
// the default of the others. An exec does, so for those a shell takes this process's place and dies. It leaves no core, as the
// command has left one. Die returns if there is no shell.
func Die(s os.Signal) {
	n, ok := s.(syscall.Signal)
	if !ok {
		return
	}
	switch n {
	case syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL:
		if signal.Ignored(n) { // since before main: the signal has no effect
			return
		}
		signal.Reset(n)
		if syscall.Kill(os.Getpid(), n) == nil {
			select {} // it is on its way
		}
		return
	}
	signal.Notify(make(chan os.Signal, 1), n) // so that exec restores the default, as in start
	name := strings.TrimPrefix(unix.SignalName(n), "SIG")
	if name == "" {
		name = strconv.Itoa(int(n))
	}
	script := "ulimit -c 0; kill -s " + name + " $$; exit " + strconv.Itoa(BySignal+int(n))
	_ = syscall.Exec("/bin/sh", []string{"sh", "-c", script}, nil)
}
