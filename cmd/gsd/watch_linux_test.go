package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// newTerminal returns the two ends of a terminal: what a person types and sees, and what a program has.
func newTerminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	person = os.NewFile(uintptr(fd), "ptmx")
	t.Cleanup(func() { person.Close() })
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close() })
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}); err != nil {
		t.Fatal(err)
	}
	return person, program
}

// readUntil returns what a person sees, up to some words.
func readUntil(t *testing.T, person *os.File, words string) string {
	t.Helper()
	var seen bytes.Buffer
	for piece := make([]byte, 4096); !strings.Contains(seen.String(), words); {
		n, err := person.Read(piece)
		if err != nil {
			t.Fatalf("no %q, %v:\n%s", words, err, &seen)
		}
		seen.Write(piece[:n])
	}
	return seen.String()
}

// TestWatchKeys: at a terminal q ends a watch, and however it ends, the terminal is as it was.
func TestWatchKeys(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	for _, test := range []struct {
		typed  string
		signal syscall.Signal // sent in place of a key
		killed bool           // what was sent kills it
	}{
		{typed: "xyq"}, {typed: "Q"}, {typed: "\x03"}, {typed: "\x1aq"}, {signal: unix.SIGTERM}, {typed: "\x1c", killed: true}, {signal: unix.SIGHUP, killed: true},
	} {
		t.Run(fmt.Sprintf("%q %d", test.typed, test.signal), func(t *testing.T) {
			t.Parallel()
			person, terminal := newTerminal(t)
			before, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // only for one that hangs
			defer cancel()
			cmd := exec.CommandContext(ctx, "gsd", "status", "--watch")
			cmd.Dir, cmd.Env = p.dir, append(p.env(), "TERM=xterm")
			cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, terminal, terminal
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			seen := readUntil(t, person, "next: 01-02")
			if !strings.Contains(seen, "tasks of 01-02") {
				t.Errorf("no tasks:\n%s", seen)
			}
			if test.typed == "" {
				err = cmd.Process.Signal(test.signal)
			} else {
				_, err = person.WriteString(test.typed)
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); (err != nil) != test.killed {
				t.Errorf("it ended with %v:\n%s", err, seen)
			}
			if after, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS); err != nil || !reflect.DeepEqual(before, after) {
				t.Errorf("the terminal was %+v and is %+v, %v", before, after, err)
			}
		})
	}
}

// TestWatchInBackground: a watch that was stopped continues in the background, where it leaves alone what is typed, and q ends it in the
// foreground.
func TestWatchInBackground(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	person, terminal := newTerminal(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // only for one that hangs
	defer cancel()
	context.AfterFunc(ctx, func() { _ = terminal.Close() })
	cmd := exec.CommandContext(ctx, "sh", "-mc", "gsd status --watch; bg; echo in the background; read line; fg")
	cmd.Dir, cmd.Env = p.dir, append(p.env(), "TERM=xterm")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, terminal, terminal
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	readUntil(t, person, "next: 01-02")
	if _, err := person.WriteString("\x1a"); err != nil {
		t.Fatal(err)
	}
	readUntil(t, person, "in the background")
	p.run("mark 1 complete")
	readUntil(t, person, "1/2") // of its tasks
	if _, err := person.WriteString("\nq"); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
