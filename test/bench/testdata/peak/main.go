//go:build unix

// Command peak runs a command and prints its peak resident memory in bytes.
//
// It runs between the test and the program because on Linux a process inherits the peak memory of the one that starts
// it (ru_maxrss includes the memory before exec): started by the test, which holds whole plans, every program would
// look as large as the test.
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
