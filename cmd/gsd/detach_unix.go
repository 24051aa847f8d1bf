//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// detach lets a program go on when the terminal, or whoever started us, ends.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
