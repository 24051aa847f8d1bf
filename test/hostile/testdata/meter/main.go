//go:build linux

// Command meter runs a command, under a limit of address space if one is given, and says on file descriptor 3, as JSON,
// how it ended and what it cost.
//
//	meter [-space BYTES] [-time DURATION] [-uid N -gid N] [-umask OCTAL] [-calls] COMMAND [ARGUMENT…]
//
// It runs between the test and the program because on Linux a process inherits the peak memory of the one that starts
// it (ru_maxrss includes the memory before exec): started by the test, every program would look as large as the test.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// usage is what a command cost.
type usage struct {
	Exit    int   // its exit status, -1 where a signal ended it
	Hung    bool  // it was ended because its time was up (timeIsUp)
	Wall    int64 // nanoseconds
	CPU     int64 // nanoseconds, user and system, its children's included
	Peak    int64 // the most memory that was resident, in bytes
	Read    int64 // bytes that read calls gave it, whatever they were read from, its children's included
	Reads   int64 // how many read calls
	Calls   int64 // how many system calls that are about files, where they were counted
	Problem string
}

func main() {
	runtime.LockOSThread() // ptrace goes by thread, and so does what a child inherits
	space := flag.Uint64("space", 0, "the address space of the command, in bytes; 0 for no limit")
	most := flag.Duration("time", time.Minute, "after this much work or idling the command is ended")
	uid := flag.Int("uid", -1, "the user to run it as")
	gid := flag.Int("gid", -1, "the group to run it as")
	umask := flag.String("umask", "", "the umask to run it with")
	calls := flag.Bool("calls", false, "count its system calls, which makes it many times slower")
	flag.Parse()
	u, err := run(flag.Args(), *space, *most, *uid, *gid, *umask, *calls)
	if err != nil {
		u.Problem = err.Error()
	}
	out := os.NewFile(3, "report")
	if err := json.NewEncoder(out).Encode(u); err != nil {
		fmt.Fprintln(os.Stderr, "meter:", err)
		os.Exit(1)
	}
}

func run(args []string, space uint64, most time.Duration, uid, gid int, umask string, calls bool) (u usage, err error) {
	path, err := exec.LookPath(args[0])
	if err != nil {
		return u, err
	}
	if umask != "" {
		n, err := strconv.ParseUint(umask, 8, 9)
		if err != nil {
			return u, err
		}
		syscall.Umask(int(n))
	}
	attr := &os.ProcAttr{
		Files: []*os.File{os.Stdin, os.Stdout, os.Stderr},
		// A group of its own, so that what it leaves behind (a git that waits for a FIFO) can be ended with it.
		Sys: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL, Ptrace: calls},
	}
	if uid >= 0 {
		attr.Sys.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	if space > 0 {
		// What sets the limit must itself fit into it, and a Go program that was started without one does not.
		args = append([]string{"/bin/sh", "-c", `ulimit -v "$0" && exec "$@"`, strconv.FormatUint(space>>10, 10), path}, args[1:]...)
		path = args[0]
	}
	begin := time.Now()
	process, err := os.StartProcess(path, args, attr)
	if err != nil {
		return u, err
	}
	pid := process.Pid
	ended := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for !timeIsUp(pid, begin, most) {
			select {
			case <-ended:
				return
			case <-time.After(time.Second):
			}
		}
		u.Hung = true
		_ = syscall.Kill(pid, syscall.SIGQUIT) // a Go program then says where it was
		select {
		case <-ended:
		case <-time.After(2 * time.Second):
			_ = syscall.Kill(-pid, syscall.SIGKILL)
		}
	}()
	if calls {
		u.Calls, err = count(pid)
	} else {
		// It is waited for without being reaped: /proc then still has its counters.
		for {
			err = unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
			if !errors.Is(err, syscall.EINTR) {
				break
			}
		}
		if err == nil {
			err = u.readIO(pid)
		}
	}
	u.Wall = time.Since(begin).Nanoseconds()
	close(ended)
	<-watched
	if calls { // already reaped
		return u, err
	}
	_ = syscall.Kill(-pid, syscall.SIGKILL) // what it left behind
	state, err2 := process.Wait()
	if err2 != nil {
		return u, errors.Join(err, err2)
	}
	rusage := state.SysUsage().(*syscall.Rusage)
	u.Exit = state.ExitCode()
	u.CPU = rusage.Utime.Nano() + rusage.Stime.Nano()
	u.Peak = rusage.Maxrss << 10
	return u, err
}

// timeIsUp reports whether a process works for longer than most, or began that long ago and mostly waits. The clock alone
// does not tell: on a machine that is busy with something else, a process may get a fifth of a processor.
func timeIsUp(pid int, begin time.Time, most time.Duration) bool {
	clock := time.Since(begin)
	return clock > most && (clock > 20*most || cpuOf(pid) > most || cpuOf(pid) < clock/20)
}

// cpuOf returns how long a process has worked, with its children that have ended.
func cpuOf(pid int) time.Duration {
	text, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	_, after, _ := strings.Cut(string(text), ") ") // the program's name may hold anything
	var ticks int64
	for i, field := range strings.Fields(after) {
		if i >= 11 && i < 15 { // utime, stime, cutime and cstime of proc_pid_stat(5)
			n, _ := strconv.ParseInt(field, 10, 64)
			ticks += n
		}
	}
	return time.Duration(ticks) * (time.Second / 100) // USER_HZ
}

// readIO reads the counters of a process that has ended and was not waited for.
func (u *usage) readIO(pid int) error {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "io"))
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		n, _ := strconv.ParseInt(value, 10, 64)
		switch name {
		case "rchar":
			u.Read = n
		case "syscr":
			u.Reads = n
		}
	}
	return err
}

// count follows a process and its threads from one system call to the next, until it has ended, and counts those that
// are about files.
func count(pid int) (n int64, err error) {
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil {
		return 0, err
	}
	const sysgood = 0x80
	if err := syscall.PtraceSetOptions(pid, unix.PTRACE_O_TRACESYSGOOD|unix.PTRACE_O_TRACECLONE|unix.PTRACE_O_TRACEFORK|
		unix.PTRACE_O_TRACEVFORK|unix.PTRACE_O_EXITKILL); err != nil {
		return 0, err
	}
	entering := map[int]bool{}
	if err := syscall.PtraceSyscall(pid, 0); err != nil {
		return 0, err
	}
	for {
		at, err := syscall.Wait4(-1, &status, syscall.WALL, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.ECHILD):
			return n, nil
		case err != nil:
			return n, err
		case status.Exited() || status.Signaled():
			if at == pid {
				return n, nil
			}
			continue
		case !status.Stopped():
			continue
		}
		signal := 0
		switch s := status.StopSignal(); {
		case s == syscall.SIGTRAP|sysgood:
			if entering[at] = !entering[at]; entering[at] {
				if aboutFiles(at) {
					n++
				}
			}
		case s == syscall.SIGTRAP, s == syscall.SIGSTOP: // an event, or a new thread
		default:
			signal = int(s)
		}
		_ = syscall.PtraceSyscall(at, signal) // it may have been killed since
	}
}
