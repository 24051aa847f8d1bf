package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gsd-cli/gsd/internal/child"
)

// watchGuard gives a function that waits until somebody opens the session's guard after this.
func (p *place) watchGuard() (opened func()) {
	p.t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		p.t.Fatal(err)
	}
	events := os.NewFile(uintptr(fd), "inotify")
	p.t.Cleanup(func() { events.Close() })
	name := filepath.Join(p.dir, ".planning", "sessions", "ada-lovelace", ".guard")
	if _, err := unix.InotifyAddWatch(fd, name, unix.IN_OPEN); err != nil {
		p.t.Fatal(err)
	}
	return func() {
		p.t.Helper()
		if err := events.SetReadDeadline(time.Now().Add(time.Minute)); err != nil { // only for one that hangs
			p.t.Fatal(err)
		}
		if _, err := events.Read(make([]byte, 4096)); err != nil {
			p.t.Fatal(err)
		}
	}
}

// A signal that comes before there is a command ends gsd at once, and the command is never started.
func TestExecSignalAtTheStart(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many programs")
	}
	t.Parallel()
	for _, n := range child.Signals {
		if n == syscall.SIGQUIT {
			continue // as the others; it might leave a core
		}
		p := newPlace(t)
		p.run("bootstrap 01-02")
		guard, err := p.session().Lock(t.Context(), time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		opened := p.watchGuard()
		s := p.spawn("env", "PATIENCE=1h", "gsd", "exec", "--", "touch", "started")
		opened()
		s.signal(n.(syscall.Signal))
		got := ended(s.cmd.Wait()) // although the guard is still held
		guard.Unlock()
		if _, err := os.Stat(filepath.Join(p.dir, "started")); got != n.String() || err == nil || s.stderr.Len() > 0 {
			t.Errorf("%v: it ended with %s and said %q; started: %v", n, got, s.stderr.String(), err)
		}
		for _, r := range p.runsOf() {
			if r.Status == "" {
				t.Errorf("%v: an open run is left: %+v", n, r)
			}
		}
	}
}

// A signal that comes when the command has ended does not keep its end from being recorded.
func TestExecSignalAtTheEnd(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	s := p.spawn("env", "PATIENCE=1h", "gsd", "exec", "--", "sh", "-c", "until grep -q members .planning/sessions/*/runs.json; do :; done; echo ready; cat; exit 9")
	s.until("ready")
	guard, err := p.session().Lock(t.Context(), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	opened := p.watchGuard()
	s.in.Close()
	opened()
	for _, n := range child.Signals {
		s.signal(n.(syscall.Signal))
	}
	guard.Unlock()
	if got := ended(s.cmd.Wait()); got != "9" {
		t.Errorf("it ended with %s", got)
	}
	p.wantRun("failure")
}

// terminal runs a program as the leader of a session on a new terminal. in and out are the person's side.
func (p *place) terminal(name string, args ...string) *spawned {
	p.t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		p.t.Skipf("no pseudo-terminal: %v", err)
	}
	p.t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		p.t.Skipf("no pseudo-terminal: %v", err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		p.t.Skipf("no pseudo-terminal: %v", err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		p.t.Skipf("no pseudo-terminal: %v", err)
	}
	defer slave.Close()
	s := &spawned{t: p.t, cmd: p.command(name, args...), in: master, out: bufio.NewReader(master)}
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = slave, slave, slave
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
	})
	return s
}

const (
	ctrlC         = "\x03"
	ctrlD         = "\x04"
	ctrlZ         = "\x1a"
	ctrlBackslash = "\x1c"
)

// stopped stops a process, and comes back when it has stopped.
func (s *spawned) stopped() {
	s.t.Helper()
	s.signal(syscall.SIGSTOP)
	var status syscall.WaitStatus
	for {
		_, err := syscall.Wait4(s.cmd.Process.Pid, &status, syscall.WUNTRACED, nil)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || !status.Stopped() {
			s.t.Fatalf("it did not stop: %v %v", err, status)
		}
		return
	}
}

// fifo makes one. It is open both ways, so that neither side waits for the other or sees an end.
func (p *place) fifo() *os.File {
	p.t.Helper()
	name := filepath.Join(p.t.TempDir(), "fifo")
	if err := unix.Mkfifo(name, 0o666); err != nil {
		p.t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { f.Close() })
	return f
}

// A key's signal reaches the whole foreground group, the command and gsd; gsd does not pass it on. It is stopped
// until the command had it, for two that come together are one.
func TestExecTerminalKeys(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	s := p.terminal("gsd", "exec", "--", p.listener(), "1")
	p.heard(s)
	for _, key := range []struct{ key, signal string }{{ctrlC, "got interrupt"}, {ctrlBackslash, "got quit"}} {
		s.stopped()
		s.say(key.key)
		s.until(key.signal)
		s.signal(syscall.SIGCONT)
		s.signal(syscall.SIGUSR1) // gsd takes it after the key's
		if got := s.until("got user defined signal 1"); strings.Count(got, "got ") != 1 {
			t.Errorf("after %q came also %q", key.signal, got)
		}
	}
	s.say(ctrlD)
	if got := ended(s.cmd.Wait()); got != "0" {
		t.Errorf("it ended with %s", got)
	}
	p.wantRun("cancelled")
}

// In the background of a terminal SIGINT comes for gsd alone, and is passed on.
func TestExecTerminalBackground(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	s := p.terminal("sh", "-c", `set -m; gsd exec -- "$0" 1 stay </dev/null & read line; kill -s INT $!; wait $!; echo "over $?"`, p.listener())
	p.heard(s)
	s.say("\n")
	s.until("got interrupt")
	if err := syscall.Kill(s.child, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	s.until(fmt.Sprintf("over %d", child.BySignal+int(syscall.SIGKILL)))
	p.wantRun("interrupted")
}

// Ctrl-Z stops both, as the shell sees, and fg continues both.
func TestExecTerminalStop(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	// The word to go on does not come by the terminal: the listener may not have stopped yet, and would read it.
	goOn := p.fifo()
	s := p.terminal("sh", "-c", `set -m; gsd exec -- "$0" 1; echo "stopped $?"; read line <"$1"; fg >/dev/null; echo "over $?"`, p.listener(), goOn.Name())
	p.heard(s)
	s.say(ctrlZ)
	if got := s.until("stopped "); !strings.Contains(got, fmt.Sprintf("stopped %d", child.BySignal+int(syscall.SIGTSTP))) {
		t.Errorf("it said %q", got)
	}
	if runs := p.runsOf(); len(runs) != 1 || runs[0].State != "active" { // stopped is not dead
		t.Errorf("runs: %+v", runs)
	}
	if _, err := goOn.WriteString("\n"); err != nil {
		t.Fatal(err)
	}
	s.until("got continued")
	s.say("hello\n")
	s.until("said hello") // and reads the terminal
	s.say(ctrlD)
	s.until("over 0")
	p.wantRun("success")
}

// When the terminal goes, its leader and the foreground group get a signal from the system: the command one.
func TestExecTerminalGone(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	events := p.fifo()
	s := p.terminal("sh", "-c", `trap 'exit' HUP; gsd exec -- "$0" 3 stay 3>"$1"; exit`, p.listener(), events.Name())
	s.out = bufio.NewReader(events)
	var parent int
	if _, err := fmt.Sscanf(s.until("ready"), "ready %d %d", &s.child, &parent); err != nil {
		t.Fatal(err)
	}
	for _, pid := range []int{s.child, parent} {
		defer syscall.Kill(pid, syscall.SIGKILL) // whatever is left of them
	}
	if err := s.cmd.Process.Kill(); err != nil { // the leader's end is that of the terminal for the others
		t.Fatal(err)
	}
	s.until("got hangup")
	if err := syscall.Kill(parent, syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	if got := s.until("got user defined signal 1"); strings.Contains(got, "hangup") {
		t.Errorf("a second time: %q", got)
	}
}
