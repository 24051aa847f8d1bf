//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// passedOn are the signals that are sent to a program from outside, all of which end one that does not know them.
// What a terminal stops and continues with, and the change of its size, are left to the system: they reach the
// command by themselves, because it stays in the terminal's process group.
var passedOn = [...]os.Signal{
	syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM,
}

// runChild runs the command to its end and passes signals on.
func runChild(cmd *exec.Cmd, mail mailbox) (childEnd, error) {
	var end childEnd
	had := openTerminal(nil)
	if err := start(cmd); err != nil {
		return end, cannotRun(cmd.Args[0], err)
	}
	pass := func(s os.Signal) {
		end.told = end.told || s == syscall.SIGINT || s == syscall.SIGTERM
		_ = cmd.Process.Signal(s) // it may have ended meanwhile
	}
	for early := len(mail); early > 0; early-- { // they came before there was anybody to have them, too
		pass(<-mail)
	}
	waited := make(chan error, 1)
	go func() { waited <- cmd.Wait() }()
	for {
		select {
		case s := <-mail:
			if reachesBoth(s, had) {
				end.told = end.told || s == syscall.SIGINT
				continue // a second one at once means something else to many agents
			}
			pass(s)
		case err := <-waited:
			if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
				return end, cannotRun(cmd.Args[0], err)
			}
			end.code = cmd.ProcessState.ExitCode()
			if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
				told := end.told
				end = endedBy(status.Signal())
				end.told = told
			}
			return end, nil
		}
	}
}

// start starts the command with the dispositions of signals that it would have without gsd, as far as Go's
// runtime lets it: what is ignored here would be ignored there.
func start(cmd *exec.Cmd) error {
	// main ignores it, which signal.Reset does not undo: only what has a handler gets its default back.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	defer signal.Ignore(syscall.SIGPIPE)
	if signal.Ignored(syscall.SIGINT) {
		// A shell's background job, which ignores both; of SIGQUIT the runtime does not keep it.
		signal.Ignore(syscall.SIGQUIT)
	}
	return cmd.Start()
}

// endedBy is the end by a signal.
func endedBy(s os.Signal) childEnd {
	n, _ := s.(syscall.Signal)
	return childEnd{signal: s, code: bySignal + int(n)}
}

// openTerminal reports whether there is a controlling terminal, and asks it something.
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

// reachesBoth reports whether the command gets a signal anyway: one that a key sends to the whole foreground group,
// or the end of a terminal that had been there when the command began. Who sent a signal is not to be learned
// here: SIGINT for gsd alone while its group is in the foreground is taken for the key's. That leaves SIGTERM.
func reachesBoth(s os.Signal, had bool) bool {
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
		return err == nil && leader != os.Getpid() && had && !openTerminal(nil) // its leader has it alone
	}
	return false
}

// killed tells an end by a signal that asks for none, also where a shell in between only says so by its code.
func (e childEnd) killed() bool {
	return e.signal != nil && !e.cancelled() || e.code == bySignal+int(syscall.SIGKILL) || e.code == bySignal+int(syscall.SIGHUP)
}

// cancelled tells an end by SIGINT or SIGTERM in the same way.
func (e childEnd) cancelled() bool {
	return e.code == bySignal+int(syscall.SIGINT) || e.code == bySignal+int(syscall.SIGTERM)
}

// die ends this program as the command ended. Go's runtime dies of few signals, and gives none of the others its
// default back; an exec does, so a shell in this process's place dies of those. It leaves no core: the command
// did. die comes back where there is no shell.
func die(s os.Signal) {
	n, ok := s.(syscall.Signal)
	if !ok {
		return
	}
	switch n {
	case syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL:
		if signal.Ignored(n) { // since before main: it has no effect
			return
		}
		signal.Reset(n)
		if syscall.Kill(os.Getpid(), n) == nil {
			select {} // it is on its way
		}
		return
	}
	signal.Notify(make(chan os.Signal, 1), n) // what has a handler gets its default back, as in start
	name := strings.TrimPrefix(unix.SignalName(n), "SIG")
	if name == "" {
		name = strconv.Itoa(int(n))
	}
	script := "ulimit -c 0; kill -s " + name + " $$; exit " + strconv.Itoa(bySignal+int(n))
	_ = syscall.Exec("/bin/sh", []string{"sh", "-c", script}, nil)
}
