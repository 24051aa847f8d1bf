//go:build unix

// Command peak runs a command and prints the most memory that it had resident, in bytes.
//
// It stands between because Linux hands the peak of whoever starts a process on to that process
// (ru_maxrss keeps the memory from before exec): started by the test, which holds whole plans, every
// program would look as large as the test.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

func main() {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		println(err.Error())
		os.Exit(1)
	}
	most := int64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" { // there it is bytes already
		most <<= 10
	}
	fmt.Println(most)
}
