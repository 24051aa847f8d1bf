//go:build linux

package main

import "syscall"

// aboutFiles reports whether the system call that a stopped thread is about to make is not the Go runtime's own
// business (futexes, signals, memory, timers): how many of those there are depends on the machine.
func aboutFiles(thread int) bool {
	var regs syscall.PtraceRegs
	if syscall.PtraceGetRegs(thread, &regs) != nil {
		return false
	}
	switch regs.Orig_rax {
	case syscall.SYS_FUTEX, syscall.SYS_NANOSLEEP, syscall.SYS_CLOCK_NANOSLEEP, syscall.SYS_SCHED_YIELD,
		syscall.SYS_MADVISE, syscall.SYS_MMAP, syscall.SYS_MUNMAP, syscall.SYS_RT_SIGPROCMASK, syscall.SYS_RT_SIGRETURN,
		syscall.SYS_RT_SIGACTION, syscall.SYS_SIGALTSTACK, syscall.SYS_TGKILL, syscall.SYS_GETPID, syscall.SYS_GETTID,
		syscall.SYS_CLONE, syscall.SYS_EPOLL_WAIT, syscall.SYS_EPOLL_PWAIT:
		return false
	}
	return true
}
