package run

import (
	"bytes"
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
	procLimit = 64 << 10 // bytes; a process in very many groups has a long status

	// The namespace of clocks that the machine begins with: PROC_TIME_INIT_INO of <linux/proc_ns.h>.
	machineTime = "time:[4026531834]"
)

// table is procfs, where there is one that counts as this process does.
type table struct {
	once sync.Once
	ours bool // see countsAlike
}

// locate adds the start time, the boot and the container.
func (t *table) locate(o *Owner) {
	if is, err := t.find(o.PID); err == nil {
		o.StartTime = is.StartTime
	}
	if text, err := readProc("sys/kernel/random/boot_id"); err == nil {
		o.BootID = strings.TrimSpace(text)
	}
	o.Namespace, _ = os.Readlink(procDir + "/self/ns/pid") // empty: not told
	// Beside the id of our own: homes are shared, and many machines are called localhost. machine-id(5) asks
	// not to show it as it is.
	if text, err := os.ReadFile("/etc/machine-id"); err == nil && len(text) > 0 {
		sum := sha256.Sum256(append([]byte("gsd "), bytes.TrimSpace(text)...))
		o.Machine = "-" + hex.EncodeToString(sum[:4])
	}
	// Start times are given in the clock of whoever asks. Under another clock the same process would seem to be
	// another, so there it counts as in another container.
	if clock, err := os.Readlink(procDir + "/self/ns/time"); err == nil && clock != machineTime {
		o.Namespace += " " + clock
	}
}

// find gives the start time in clock ticks, mostly of 10 ms, since the boot.
func (t *table) find(pid int) (Process, error) {
	t.once.Do(func() { t.ours = countsAlike() })
	if !t.ours {
		return Process{}, ask(pid)
	}
	text, err := readProc(strconv.Itoa(pid) + "/stat")
	if err == nil {
		return parseStat(text)
	}
	// The mount option hidepid keeps other users' processes from sight, as if they were not there.
	hidden := errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)
	if err := ask(pid); !hidden || !errors.Is(err, errNotOurs) {
		return Process{}, err
	}
	return Process{}, nil
}

// parseStat reads /proc/PID/stat, see proc_pid_stat(5). The program's name, its second field, may hold anything,
// also spaces and parentheses.
func parseStat(text string) (Process, error) {
	end := strings.LastIndexByte(text, ')')
	fields := strings.Fields(text[end+1:])
	const first = 3 // the number of the field after the name
	if end < 0 || len(fields) <= 22-first {
		return Process{}, fmt.Errorf("%w: its stat is cut short", errNotTold)
	}
	state, threads, start := fields[3-first], fields[20-first], fields[22-first]
	parent, err := strconv.Atoi(fields[4-first])
	if err != nil {
		return Process{}, fmt.Errorf("%w: %w", errNotTold, err)
	}
	if _, err := strconv.ParseUint(start, 10, 64); err != nil {
		return Process{}, fmt.Errorf("%w: %w", errNotTold, err)
	}
	switch state {
	case "X", "x":
		return Process{}, ErrNoProcess
	case "Z":
		if threads == "0" || threads == "1" {
			return Process{}, ErrNoProcess
		}
		// Only its first thread has ended; the others work on.
	}
	return Process{StartTime: start, Parent: parent}, nil
}

// countsAlike reports whether /proc is a procfs, and of this process's own namespace: in a container that was
// made without a new one the numbers in it are those outside.
func countsAlike() bool {
	var mount unix.Statfs_t
	if err := unix.Statfs(procDir, &mount); err != nil || mount.Type != unix.PROC_SUPER_MAGIC {
		return false
	}
	text, err := readProc("self/status")
	if err != nil {
		return false
	}
	self, shown := strconv.Itoa(os.Getpid()), false
	for line := range strings.Lines(text) {
		switch name, value, _ := strings.Cut(line, ":"); name {
		case "Pid", "NSpid": // NSpid adds one number for every namespace further in
			if strings.TrimSpace(value) != self {
				return false
			}
			shown = true
		}
	}
	return shown
}

// readProc returns a file of /proc whole, or an error.
func readProc(name string) (string, error) {
	f, err := os.Open(procDir + "/" + name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, procLimit))
	if err == nil && len(text) == procLimit {
		err = io.ErrShortBuffer
	}
	return string(text), err
}
