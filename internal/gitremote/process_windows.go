package gitremote

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

// alone keeps git from opening a console.
func alone(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true} }

// killAll kills git, and what it has started as far as taskkill finds it.
func killAll(p *os.Process) error {
	taskkill := filepath.Join(os.Getenv("SystemRoot"), "System32", "taskkill.exe")
	_ = exec.Command(taskkill, "/T", "/F", "/PID", strconv.Itoa(p.Pid)).Run()
	return p.Kill()
}
