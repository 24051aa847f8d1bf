package child

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// controlC is the exit code of a program that Ctrl-C ended: STATUS_CONTROL_C_EXIT.
const controlC = 0xC000013A

// Signals are the console's events as Go names them: Ctrl-C and Ctrl-Break, and the end of the console, of the session or of
// Windows, which leaves a few seconds to record the run's end.
var Signals = [...]os.Signal{os.Interrupt, syscall.SIGTERM}

// Detach lets a program continue when the console, or the program that started this one, ends.
func Detach(cmd *exec.Cmd) {
	const detachedProcess = 0x8
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: detachedProcess | syscall.CREATE_NEW_PROCESS_GROUP}
}

// Run runs the command to its end, and calls alive at once and at every tick. The console sends its events to the
// command as well as to us, so there is nothing to pass on.
func Run(cmd *exec.Cmd, mail Mailbox, tick <-chan time.Time, alive func()) (End, error) {
	err := cmd.Start()
	if err == nil {
		stop := repeat(tick, alive)
		err = cmd.Wait()
		stop()
	}
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		return End{}, err
	}
	return End{Code: cmd.ProcessState.ExitCode(), Signalled: len(mail) > 0}, nil
}

// EndedBy is the end by a console's event, success for nil.
func EndedBy(s os.Signal) End {
	if s == nil {
		return End{}
	}
	code := uint32(controlC)
	return End{Signal: s, Code: int(code)}
}

// Killed is unknown: a process that ends another one chooses its exit code.
func (e End) Killed() bool { return false }

func (e End) Cancelled() bool { return uint32(e.Code) == controlC }

func Die(os.Signal) {}
