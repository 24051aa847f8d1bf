package main

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// controlC is how a program ends that Ctrl-C ended: STATUS_CONTROL_C_EXIT.
const controlC = 0xC000013A

// passedOn are the console's events as Go calls them: Ctrl-C and Ctrl-Break, and the end of the console, of the
// session or of Windows, after which there are some seconds to record the run's end.
var passedOn = [...]os.Signal{os.Interrupt, syscall.SIGTERM}

// runChild runs the command to its end. The console sends its events to the command as well as to us, so there
// is nothing to pass on.
func runChild(cmd *exec.Cmd, mail mailbox) (childEnd, error) {
	err := cmd.Run()
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		return childEnd{}, cannotRun(cmd.Args[0], err)
	}
	return childEnd{code: cmd.ProcessState.ExitCode(), told: len(mail) > 0}, nil
}

// endedBy is the end by a console's event.
func endedBy(s os.Signal) childEnd {
	code := uint32(controlC)
	return childEnd{signal: s, code: int(code)}
}

// killed tells nothing: a process that another one ends has whatever exit code that one likes.
func (e childEnd) killed() bool { return false }

func (e childEnd) cancelled() bool { return uint32(e.code) == controlC }

func die(os.Signal) {}
