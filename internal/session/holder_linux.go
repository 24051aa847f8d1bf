package session

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// maxLocks is how much of the kernel's list of locks is read, in bytes: about 15,000 locks.
const maxLocks = 1 << 20

// lockedBy asks the kernel which process has locked a file. The answer is unknown if that is in another container, or
// if the file system numbers its files in two ways.
func lockedBy(file fs.FileInfo) Holder {
	is, ok := file.Sys().(*syscall.Stat_t)
	f, err := os.Open("/proc/locks")
	if err != nil || !ok {
		return Holder{}
	}
	defer f.Close()
	pid := lockOwner(f, is.Dev, is.Ino)
	if pid == 0 {
		return Holder{}
	}
	process := filepath.Join("/proc", strconv.Itoa(pid))
	name, _ := os.ReadFile(process + "/comm") // the process may have ended
	h := Holder{PID: pid, Command: printable(string(name))}
	if info, err := os.Stat(process); err == nil {
		if of, ok := info.Sys().(*syscall.Stat_t); ok && int(of.Uid) != os.Geteuid() {
			h.User = "user " + strconv.Itoa(int(of.Uid))
			if u, err := user.LookupId(strconv.Itoa(int(of.Uid))); err == nil {
				h.User = printable(u.Username)
			}
		}
	}
	return h
}

// lockOwner finds the process that has locked a whole file in the lines of /proc/locks (proc_locks(5)), 0 for none:
//
//	1: FLOCK  ADVISORY  WRITE 708 08:02:1311281 0 EOF
//	1: -> FLOCK  ADVISORY  WRITE 709 08:02:1311281 0 EOF    (709 is waiting for it)
func lockOwner(list io.Reader, dev, inode uint64) int {
	file := fmt.Sprintf("%02x:%02x:%d", unix.Major(dev), unix.Minor(dev), inode)
	lines := bufio.NewScanner(io.LimitReader(list, maxLocks))
	for lines.Scan() {
		field := strings.Fields(lines.Text())
		if len(field) < 6 || field[1] != "FLOCK" || field[5] != file {
			continue
		}
		if pid, err := strconv.Atoi(field[4]); err == nil && pid > 0 {
			return pid
		}
	}
	return 0
}

// printable reduces a name to what is safe to show on a terminal or to an agent: one short line of plain ASCII.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return -1
		}
		return r
	}, s)
	if s == "" {
		return "?"
	}
	return s[:min(len(s), 64)]
}
