package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
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

// newTerminal returns the two ends of a terminal: what a person types and sees, and what a program has.
func newTerminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	t.Cleanup(func() { person.Close() })
	fd := int(person.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = errors.Join(unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0), unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}))
	}
	if err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return person, program
}

// terminal runs a program as the leader of a session on a new terminal. in and out are the person's side.
func (p *place) terminal(name string, args ...string) *spawned {
	p.t.Helper()
	person, program := newTerminal(p.t)
	defer program.Close()
	s := &spawned{t: p.t, cmd: p.command(name, args...), in: person, out: bufio.NewReader(person)}
	s.cmd.Env = append(s.cmd.Env, "TERM=xterm")
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = program, program, program
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

// At a terminal q ends a watch, and however it ends, the terminal is as it was.
func TestWatchKeys(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	settings := func(terminal *os.File) *unix.Termios {
		is, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
		if err != nil {
			t.Fatal(err)
		}
		return is
	}
	fresh, _ := newTerminal(t)
	for _, test := range []struct {
		typed  string
		signal syscall.Signal // sent in place of a key
		ended  string
	}{
		{typed: "xyq", ended: "0"},
		{typed: "Q", ended: "0"},
		{typed: ctrlC, ended: "0"},
		{typed: ctrlZ + "q", ended: "0"},
		{signal: unix.SIGTERM, ended: "0"},
		{typed: ctrlBackslash, ended: "2"},
		{signal: unix.SIGHUP, ended: "hangup"},
	} {
		s := p.terminal("gsd", "status", "--watch")
		if seen := s.until("next: 01-02"); !strings.Contains(seen, "tasks of 01-02") {
			t.Errorf("no tasks:\n%s", seen)
		}
		if s.say(test.typed); test.typed == "" {
			s.signal(test.signal)
		}
		_, _ = io.Copy(io.Discard, s.out) // up to its end: a terminal takes so much and no more
		if got := ended(s.cmd.Wait()); got != test.ended {
			t.Errorf("%q %v: it ended with %s", test.typed, test.signal, got)
		}
		if was, is := settings(fresh), settings(s.in); !reflect.DeepEqual(was, is) {
			t.Errorf("%q %v: the terminal was %+v and is %+v", test.typed, test.signal, was, is)
		}
	}
}

// A watch that was stopped continues in the background, where it leaves alone what is typed, and q ends it in the foreground.
func TestWatchInBackground(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	s := p.terminal("sh", "-mc", "gsd status --watch; bg; echo in the background; read line; fg")
	s.until("next: 01-02")
	s.say(ctrlZ)
	s.until("in the background")
	p.run("mark 1 complete")
	s.until("1/2") // of its tasks
	s.say("\nq")
	if got := ended(s.cmd.Wait()); got != "0" {
		t.Errorf("it ended with %s", got)
	}
}
