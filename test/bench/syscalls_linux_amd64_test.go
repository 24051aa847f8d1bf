package bench

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// BenchmarkSystemCalls counts the system calls about files of commands that agents' hosts call at every turn, less those of a Go program
// that does nothing.
func BenchmarkSystemCalls(b *testing.B) {
	p := newSession(b, 3)
	p.run(b, "git", "add", "--all")
	p.run(b, "git", "commit", "--quiet", "--message", "docs(03-01): plan")
	p.gsd(b, "run", "start", "--host", "claude", "--id", "now", "--pid", strconv.Itoa(os.Getpid()))
	p.gsd(b, "mark", "1", "in-progress")
	program := must(b, gsdBinary)
	start := p.contender(b, "gsd hook start", program, "hook", "start", "--host", "claude", "--pid", strconv.Itoa(os.Getpid()))
	start.input = p.writeInput(b, "SessionStart", 1)
	empty := systemCalls(b, p.contender(b, "a Go program that does nothing", must(b, emptyBinary)))

	r := newReport(b, "system calls\tcalls\tbar")
	for _, test := range []struct {
		*contender
		bar int
	}{
		{p.contender(b, "gsd hydrate", program, "hydrate"), 250},
		{p.contender(b, "gsd next", program, "next"), 350},
		{p.contender(b, "gsd mark 1 complete", program, "mark", "1", "complete"), 350},
		{start, 500},
	} {
		calls := systemCalls(b, test.contender) - empty
		b.ReportMetric(float64(calls), strings.ReplaceAll(strings.TrimPrefix(test.name, "gsd "), " ", "-"))
		r.row(test.name, calls, test.bar)
		r.bar(b, test.name+": "+strconv.Itoa(calls)+" system calls", "at most "+strconv.Itoa(test.bar), calls <= test.bar)
	}
	b.ReportMetric(0, "ns/op")
}

// aboutFiles are the system calls that count: those with a path or a descriptor.
var aboutFiles = []uint64{
	unix.SYS_OPENAT, unix.SYS_CLOSE, unix.SYS_READ, unix.SYS_PREAD64, unix.SYS_WRITE, unix.SYS_LSEEK, unix.SYS_GETDENTS64,
	unix.SYS_FSTAT, unix.SYS_NEWFSTATAT, unix.SYS_STATX, unix.SYS_FSTATFS, unix.SYS_STATFS, unix.SYS_READLINKAT, unix.SYS_FACCESSAT, unix.SYS_FACCESSAT2,
	unix.SYS_FCNTL, unix.SYS_EPOLL_CTL, unix.SYS_FLOCK, unix.SYS_FSYNC, unix.SYS_FTRUNCATE, unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHOWN,
	unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT, unix.SYS_UNLINKAT, unix.SYS_MKDIRAT, unix.SYS_UTIMENSAT,
}

// systemCalls runs a program once, called by its name as by agents and hooks, and counts them.
func systemCalls(b *testing.B, c *contender) (calls int) {
	b.Helper()
	runtime.LockOSThread() // only the thread that traces a process may ask about it
	defer runtime.UnlockOSThread()
	process := c.process
	process.Sys = &syscall.SysProcAttr{Ptrace: true}
	if c.input != "" {
		in, err := os.Open(c.input)
		noError(b, err)
		defer in.Close()
		process.Files = slices.Clone(process.Files)
		process.Files[0] = in
	}
	traced, err := os.StartProcess(c.path, append([]string{filepath.Base(c.path)}, c.args()...), &process)
	if errors.Is(err, syscall.EPERM) {
		b.Skip("this process may not trace another")
	}
	noError(b, err)
	within := map[int]bool{} // a system call, by thread
	for options := true; ; options = false {
		var status unix.WaitStatus
		thread, err := unix.Wait4(-1, &status, unix.WALL, nil)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			b.Fatal(err)
		case options:
			noError(b, unix.PtraceSetOptions(thread, unix.PTRACE_O_TRACESYSGOOD|unix.PTRACE_O_TRACECLONE|unix.PTRACE_O_EXITKILL))
		}
		signal := 0
		switch {
		case status.Exited() && thread == traced.Pid:
			if status.ExitStatus() != 0 {
				b.Fatalf("%s: exit status %d", c.name, status.ExitStatus())
			}
			return calls
		case !status.Stopped():
			continue // a thread ended
		case status.StopSignal() == syscall.SIGTRAP|0x80:
			if within[thread] = !within[thread]; within[thread] {
				var registers unix.PtraceRegs
				noError(b, unix.PtraceGetRegs(thread, &registers))
				if slices.Contains(aboutFiles, registers.Orig_rax) {
					calls++
				}
			}
		case status.StopSignal() != syscall.SIGTRAP && status.StopSignal() != syscall.SIGSTOP:
			signal = int(status.StopSignal())
		}
		_ = unix.PtraceSyscall(thread, signal) // the thread may have ended
	}
}
