package main

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// controlC is the exit code of a program that Ctrl-C ended: STATUS_CONTROL_C_EXIT.
const controlC = 0xC000013A

// passedOn are the console's events as Go names them: Ctrl-C and Ctrl-Break, and the end of the console, of the session or of
// Windows, which leaves a few seconds to record the run's end.
var passedOn = [...]os.Signal{os.Interrupt, syscall.SIGTERM}

// runChild runs the command to its end, and calls started once there is a process. The console sends its events to the
// command as well as to us, so there is nothing to pass on.
func runChild(cmd *exec.Cmd, mail mailbox, started func()) (exitStatus, error) {
	err := cmd.Start()
	if err == nil {
		started()
		err = cmd.Wait()
	}
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		return exitStatus{}, cannotRun(cmd.Args[0], err)
	}
	return exitStatus{code: cmd.ProcessState.ExitCode(), signalled: len(mail) > 0}, nil
}

// endedBy is the end by a console's event, success for nil.
func endedBy(s os.Signal) exitStatus {
	if s == nil {
		return exitStatus{}
	}
	code := uint32(controlC)
	return exitStatus{signal: s, code: int(code)}
}

// killed is unknown: a process that ends another one chooses its exit code.
func (e exitStatus) killed() bool { return false }

func (e exitStatus) cancelled() bool { return uint32(e.code) == controlC }

func die(os.Signal) {}
