package main

import (
	"os"
	"os/exec"
	"syscall"
)

// detach lets a program go on when the console, or whoever started us, ends.
func detach(cmd *exec.Cmd) {
	const detachedProcess = 0x8
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: detachedProcess | syscall.CREATE_NEW_PROCESS_GROUP}
}

// notifyResize does nothing: a Windows console says that by no signal.
func notifyResize(chan<- os.Signal) {}
