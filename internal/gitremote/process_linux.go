package gitremote

import (
	"os"
	"os/exec"
	"syscall"
)

// alone makes git the leader of a session of its own, which has no terminal to ask questions at, and which ends with us.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// killAll kills git and what it has started.
func killAll(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }
