package main

import (
	"os"
	"os/exec"
	"syscall"
)

// detach lets a program continue when the console, or the program that started this one, ends.
func detach(cmd *exec.Cmd) {
	const detachedProcess = 0x8
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: detachedProcess | syscall.CREATE_NEW_PROCESS_GROUP}
}

// notifyResize does nothing: a Windows console says that by no signal.
func notifyResize(chan<- os.Signal) {}
