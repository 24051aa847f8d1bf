package run

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

const (
	procDir   = "/proc"
	fileLimit = 64 << 10 // bytes; a process in many groups has a long status

	// The initial clock namespace of a machine: PROC_TIME_INIT_INO of <linux/proc_ns.h>.
	machineTime = "time:[4026531834]"
)

// table is procfs, if there is one with this process's PIDs.
type table struct {
	once sync.Once
	ours bool    // see ownPIDs
	self Process // this process; zero if it cannot be read
}

// localMachine returns what is added to our own id: homes are shared, and many machines are called localhost. machine-id(5) asks not to
// disclose it as it is.
func localMachine() string {
	text, err := readFile("/etc/machine-id")
	if err != nil || text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte("gsd " + strings.TrimSpace(text)))
	return "-" + hex.EncodeToString(sum[:4])
}

// locate adds the start time, the boot and the container.
func (t *table) locate(o *Owner) {
	if is, err := t.find(o.PID); err == nil {
		o.StartTime = is.StartTime
	}
	if text, err := readFile(procDir + "/sys/kernel/random/boot_id"); err == nil {
		o.BootID = strings.TrimSpace(text)
	}
	o.Namespace, _ = os.Readlink(procDir + "/self/ns/pid") // empty: unknown
	// Start times are reported in the reader's clock. Under another clock the same process would look like another, so it
	// counts as being in another container.
	if clock, err := os.Readlink(procDir + "/self/ns/time"); err == nil && clock != machineTime {
		o.Namespace += " " + clock
	}
}

// find returns the start time in clock ticks, usually of 10 ms, since the boot.
func (t *table) find(pid int) (Process, error) {
	t.once.Do(func() {
		if t.ours = ownPIDs(); t.ours {
			text, _ := readFile(procDir + "/self/stat")
			t.self, _ = parseStat(text)
		}
	})
	switch {
	case !t.ours:
		return Process{}, ask(pid)
	case pid == os.Getpid() && t.self.StartTime != "": // every command asks for it twice
		return t.self, nil
	}
	text, err := readFile(procDir + "/" + strconv.Itoa(pid) + "/stat")
	if err == nil {
		return parseStat(text)
	}
	// The mount option hidepid hides other users' processes, as if they did not exist.
	hidden := errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)
	if err := ask(pid); !hidden || !errors.Is(err, errNotOurs) {
		return Process{}, err
	}
	return Process{}, nil
}

// parseStat reads /proc/PID/stat, see proc_pid_stat(5). The program's name, its second field, may contain anything,
// even spaces and parentheses.
func parseStat(text string) (Process, error) {
	end := strings.LastIndexByte(text, ')')
	fields := strings.Fields(text[end+1:])
	const first = 3 // the number of the field after the name
	if end < 0 || len(fields) <= 22-first {
		return Process{}, fmt.Errorf("%w: its stat is cut short", errUnknown)
	}
	state, threads, start := fields[3-first], fields[20-first], fields[22-first]
	parent, err := strconv.Atoi(fields[4-first])
	if err != nil {
		return Process{}, fmt.Errorf("%w: %w", errUnknown, err)
	}
	if _, err := strconv.ParseUint(start, 10, 64); err != nil {
		return Process{}, fmt.Errorf("%w: %w", errUnknown, err)
	}
	switch state {
	case "X", "x":
		return Process{}, ErrNoProcess
	case "Z":
		if threads == "0" || threads == "1" {
			return Process{}, ErrNoProcess
		}
		// Only its first thread has ended; the others continue.
	}
	return Process{StartTime: start, Parent: parent}, nil
}

// ownPIDs reports whether /proc is a procfs of this process's own namespace. In a container that was made without a new
// one, its numbers are those outside.
func ownPIDs() bool {
	var mount unix.Statfs_t
	if err := unix.Statfs(procDir, &mount); err != nil || mount.Type != unix.PROC_SUPER_MAGIC {
		return false
	}
	text, err := readFile(procDir + "/self/status")
	if err != nil {
		return false
	}
	self, shown := strconv.Itoa(os.Getpid()), false
	for line := range strings.Lines(text) {
		switch name, value, _ := strings.Cut(line, ":"); name {
		case "Pid", "NSpid": // NSpid has one more number for every inner namespace
			if strings.TrimSpace(value) != self {
				return false
			}
			shown = true
		}
	}
	return shown
}

// readFile returns a whole file of the system. It asks for it directly: os.File would make eight system calls of what three do, and a hook
// reads a file of /proc for each of its ancestors. The kernel
// fills what it is given, so less is the end.
func readFile(name string) (string, error) {
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", &fs.PathError{Op: "open", Path: name, Err: err}
	}
	defer func() { _ = unix.Close(fd) }() // it was only read
	var text []byte
	for part := make([]byte, 4096); len(text) < fileLimit; {
		n, err := unix.Read(fd, part)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return "", &fs.PathError{Op: "read", Path: name, Err: err}
		}
		if text = append(text, part[:n]...); n < len(part) {
			return string(text), nil
		}
	}
	return "", io.ErrShortBuffer
}
