package session

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
)

// holderFile names who holds the guard, for the message to whoever waits in vain. It is beside the guard and not in
// it, because a locked file cannot be read on Windows. It is a hint: written without sync, and never trusted for
// anything but that message. Where the kernel says which process has the lock (holder_linux.go), a hint that names
// another one counts for nothing.
const (
	holderFile  = ".guard.holder"
	holderLimit = 4 << 10 // bytes
)

// A Holder is the process that has a guard. Its zero value means that nobody said so.
type Holder struct {
	PID     int       `json:"pid"`
	Command string    `json:"command"` // the program's name, without a path
	Host    string    `json:"host"`
	Since   time.Time `json:"since"` // UTC, RFC 3339; zero where nobody said
	User    string    `json:"-"`     // whose process it is, as far as the kernel says, where it is not this user's
}

// A BusyError means that somebody else held the guard for as long as the caller would wait.
type BusyError struct {
	Session string // the directory, relative to the project
	Holder  Holder
}

func (e *BusyError) Error() string {
	h := e.Holder
	if h.PID == 0 {
		return e.Session + " is in use by another process"
	}
	of, since := "", ""
	if h.User != "" {
		of = " of " + h.User
	}
	if !h.Since.IsZero() {
		since = " since " + h.Since.Format(time.RFC3339)
	}
	return fmt.Sprintf("%s is in use by %s (pid %d%s on %s)%s", e.Session, h.Command, h.PID, of, h.Host, since)
}

// signIn says that this process holds the guard. A failure is not reported: the lock is held all the same, and a disk
// that takes no hint will tell the writer itself.
func (g *Guard) signIn(now time.Time) {
	host, _ := os.Hostname()
	text, err := json.Marshal(Holder{
		PID:     os.Getpid(),
		Command: filepath.Base(os.Args[0]),
		Host:    host,
		Since:   now.UTC().Truncate(time.Second),
	})
	if err != nil {
		return
	}
	// Removed and made anew, so that a link in its place is never followed.
	g.signOut()
	f, err := g.dir.OpenFile(holderFile, os.O_WRONLY|os.O_CREATE|os.O_EXCL, filePerm)
	if err != nil {
		return
	}
	durable.Inherit(f, g.dir)
	_, _ = f.Write(append(text, '\n')) // a hint; without it the holder is unknown
	f.Close()
}

// signOut removes the hint while the guard is still held: afterwards it might be somebody else's.
func (g *Guard) signOut() { g.dir.Remove(holderFile) }

// holder is who holds the guard: the process that the kernel names, else the one that says so itself.
func (g *Guard) holder() Holder {
	stated := readHolder(g.dir)
	guard, err := g.dir.Lstat(guardFile)
	if err != nil {
		return stated
	}
	is := lockedBy(guard)
	return is.or(stated)
}

// or adds what a process stated of itself to what the kernel says of it.
func (h Holder) or(stated Holder) Holder {
	switch {
	case h.PID == 0:
		return stated
	case h.PID == stated.PID:
		stated.User = h.User
		return stated
	}
	return h
}

// readHolder returns who says to hold the guard in dir.
func readHolder(dir *os.Root) Holder {
	text, _, err := durable.Read(dir, holderFile, holderLimit)
	if err != nil {
		return Holder{}
	}
	var h Holder
	if json.Unmarshal(text, &h) != nil || h.PID <= 0 {
		return Holder{}
	}
	h.Command = printable(h.Command)
	h.Host = printable(h.Host)
	return h
}

// printable cuts text from a file down to what can be shown on a terminal or
// to an agent: one short line of plain ASCII.
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
