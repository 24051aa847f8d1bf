//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/child"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
)

const listenerName = "listener"

// The test program is the listener, too, where it goes by that name. TestMain's commands are in another file, and
// a test that is one leaves TestMain's directory behind where it is killed.
func init() {
	if filepath.Base(os.Args[0]) == listenerName {
		listen()
	}
}

// listen is a program: it says which signals it gets, and what it reads, on the descriptor that it is given, until
// its standard input ends; with "stay" it stays. With "die" it dies of SIGINT, although it was started to ignore it.
func listen() {
	if len(os.Args) > 2 && os.Args[2] == "die" {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGINT) // exec gives it its default back
		_ = syscall.Exec("/bin/sh", []string{"sh", "-c", "kill -s INT $$; echo alive"}, nil)
		os.Exit(1)
	}
	fd, _ := strconv.Atoi(os.Args[1])
	out := os.NewFile(uintptr(fd), "out")
	got := make(chan os.Signal, 64)
	for _, s := range append([]os.Signal{syscall.SIGCONT}, child.Signals[:]...) {
		if !signal.Ignored(s) {
			signal.Notify(got, s)
		}
	}
	signal.Ignore(syscall.SIGTTOU)
	lines := make(chan string)
	go func() {
		in := bufio.NewScanner(os.Stdin)
		for in.Scan() {
			lines <- in.Text()
		}
		close(lines)
	}()
	fmt.Fprintf(out, "ready %d %d\n", os.Getpid(), os.Getppid())
	for {
		select {
		case s := <-got:
			fmt.Fprintf(out, "got %v\n", s)
		case text, more := <-lines:
			switch {
			case more:
				fmt.Fprintf(out, "said %s\n", text)
			case len(os.Args) > 2: // it is not ended by that
				lines = nil
			default:
				os.Exit(0)
			}
		}
	}
}

// listener gives the file of the program.
func (p *place) listener() string {
	p.t.Helper()
	self, err := os.Executable()
	name := filepath.Join(p.t.TempDir(), listenerName)
	if err = errors.Join(err, os.Symlink(self, name)); err != nil {
		p.t.Fatal(err)
	}
	return name
}

// A spawned is a program that runs in a place.
type spawned struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     *os.File
	pipe   *os.File // what out reads
	out    *bufio.Reader
	stderr bytes.Buffer
	child  int // the listener's process
}

// command prepares a program without a terminal, so that a key's signal is not mistaken for the test's.
func (p *place) command(name string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(p.t.Context(), 2*time.Minute) // only for one that hangs
	p.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = p.dir, p.env()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd
}

func (p *place) spawn(name string, args ...string) *spawned {
	p.t.Helper()
	s := &spawned{t: p.t, cmd: p.command(name, args...)}
	theirIn, in, err := os.Pipe()
	out, theirOut, err2 := os.Pipe()
	if err := errors.Join(err, err2); err != nil {
		p.t.Fatal(err)
	}
	s.in, s.pipe, s.out = in, out, bufio.NewReader(out)
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = theirIn, theirOut, &s.stderr
	s.cmd.WaitDelay = 10 * time.Second // only for a listener that hangs with our standard error
	if err := s.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	theirIn.Close()
	theirOut.Close()
	p.t.Cleanup(func() {
		in.Close()
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
		out.Close()
	})
	return s
}

// listens spawns gsd exec with a listener, which is there then.
func (p *place) listens(flags ...string) *spawned {
	p.t.Helper()
	return p.heard(p.spawn("gsd", append(append([]string{"exec"}, flags...), "--", p.listener(), "1")...))
}

func (p *place) heard(s *spawned) *spawned {
	p.t.Helper()
	var parent int
	text := s.until("ready ")
	if _, err := fmt.Sscanf(text[strings.LastIndex(text, "ready "):], "ready %d %d", &s.child, &parent); err != nil {
		p.t.Fatal(err)
	}
	return s
}

// until reads up to the line that has a text in it, and gives all that it read.
func (s *spawned) until(says string) string {
	s.t.Helper()
	for seen := ""; ; {
		line, err := s.out.ReadString('\n')
		if seen += line; strings.Contains(line, says) {
			return seen
		}
		if err != nil {
			s.t.Fatalf("no %q: %v\n%s", says, err, seen)
		}
	}
}

func (s *spawned) say(text string) {
	s.t.Helper()
	if _, err := s.in.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

func (s *spawned) signal(n syscall.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(n); err != nil {
		s.t.Fatal(err)
	}
}

// end closes the standard input, and gives how the program ended, as ended does.
func (s *spawned) end() string {
	s.in.Close()
	return ended(s.cmd.Wait())
}

// ended says how a program ended.
func ended(err error) string {
	exit, ok := errors.AsType[*exec.ExitError](err)
	switch {
	case err == nil:
		return "0"
	case !ok:
		return err.Error()
	}
	if status := exit.Sys().(syscall.WaitStatus); status.Signaled() {
		return status.Signal().String()
	}
	return strconv.Itoa(exit.ExitCode())
}

// holder is the record of the run that has the lease; the zero record for none.
func (p *place) holder() (record run.Record) {
	if records, _ := run.Read(p.session().WithFile, nil).Records(); records.Holder != "" {
		record = *records.Find(records.Holder)
	}
	return record
}

// joined waits until the record of the run lists the listener beside gsd exec.
func (p *place) joined(s *spawned) {
	p.t.Helper()
	for p.t.Context().Err() == nil {
		if slices.ContainsFunc(p.holder().Members, func(m run.Member) bool { return m.PID == s.child }) {
			return
		}
	}
}

// runsOf gives the runs of a place, the last one first.
func (p *place) runsOf() []jsonRun {
	p.t.Helper()
	var runs jsonRuns
	if err := json.Unmarshal(p.run("run list --json"), &runs); err != nil {
		p.t.Fatal(err)
	}
	return runs.Runs
}

// wantRun wants exactly one run, which ended like that.
func (p *place) wantRun(status string) {
	p.t.Helper()
	runs := p.runsOf()
	if len(runs) != 1 {
		p.t.Fatalf("%d runs", len(runs))
	}
	if got := runs[0].Status; got != status {
		p.t.Errorf("the run ended in %q, want %q", got, status)
	}
}

func (p *place) root() *os.Root {
	p.t.Helper()
	root, err := os.OpenRoot(p.dir)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { root.Close() })
	return root
}

func (p *place) session() session.Dir { return session.At(p.root(), planref.Planning, "ada-lovelace") }

func TestExecStatus(t *testing.T) {
	t.Parallel()
	for i, tc := range []struct{ script, ended, status string }{
		{"exit 0", "0", "success"},
		{"exit 3", "3", "failure"},
		{"exit 75", "75", "failure"}, // not taken for our own
		{"exit 255", "255", "failure"},
		{"exit 130", "130", "cancelled"}, // a shell whose program was
		{"exit 143", "143", "cancelled"},
		{"exit 137", "137", "interrupted"},
		{"exit 129", "129", "interrupted"},
		{"kill -s INT $$", "interrupt", "cancelled"},
		{"kill -s TERM $$", "terminated", "cancelled"},
		{"kill -s KILL $$", "killed", "interrupted"},
		{"kill -s HUP $$", "hangup", "interrupted"},
		{"kill -s USR1 $$", "user defined signal 1", "interrupted"},
		{"kill -s USR2 $$", "user defined signal 2", "interrupted"},
		{"kill -s ALRM $$", "alarm clock", "interrupted"},
		{"kill -s PIPE $$", "broken pipe", "interrupted"}, // which main ignores
		{"ulimit -c 0; kill -s QUIT $$", "quit", "interrupted"},
		{"ulimit -c 0; kill -s SEGV $$", "segmentation fault", "interrupted"},
		{"ulimit -c 0; kill -s ABRT $$", "aborted", "interrupted"},
	} {
		if testing.Short() && i%4 > 0 {
			continue
		}
		t.Run(tc.script, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.run("bootstrap 01-02")
			out, err := p.command("gsd", "exec", "--", "sh", "-c", tc.script).CombinedOutput()
			if got := strings.TrimSuffix(ended(err), " (core dumped)"); got != tc.ended || len(out) != 0 {
				t.Errorf("it ended with %s and said %q, want %s", got, out, tc.ended)
			}
			p.wantRun(tc.status)
		})
	}
}

// gsd mark renews the lease in the command, and is warned in another run.
func TestExecMark(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	const file = ".planning/sessions/ada-lovelace/runs.json"
	out, err := p.command("gsd", "exec", "--", "sh", "-c", "cat "+file+" >before && gsd mark 1 in-progress && cat "+file+" >after").CombinedOutput()
	if err != nil || bytes.Contains(out, []byte("warning")) {
		t.Errorf("%v, %s", err, out)
	}
	var before, after struct {
		Holder string
		Runs   []run.Record
	}
	for name, l := range map[string]any{"before": &before, "after": &after} {
		text, err := os.ReadFile(filepath.Join(p.dir, name))
		if err = errors.Join(err, json.Unmarshal(text, l)); err != nil {
			t.Fatal(err)
		}
	}
	if was, is := before.Runs[0], after.Runs[0]; !is.Seen.After(was.Seen) || is.Owner != was.Owner || is.ID != was.ID || after.Holder != is.ID {
		t.Errorf("the records were %+v, and are %+v", before, after)
	}

	s := p.listens()
	cmd := p.command("gsd", "mark", "1", "complete")
	cmd.Env = append(cmd.Env, "GSD_RUN=another")
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("also at work on 01-02 now: ")) {
		t.Errorf("%v, %s", err, out)
	}
	s.end()
}

// Where another run is at work the command is not started.
func TestExecBusy(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	s := p.listens()
	second := func(flags ...string) (string, []byte) {
		out, err := p.command("gsd", append(append([]string{"exec"}, flags...), "--", "touch", "started")...).CombinedOutput()
		return ended(err), out
	}
	code, out := second()
	if _, err := os.Stat(filepath.Join(p.dir, "started")); code != "75" || err == nil || !bytes.Contains(out, []byte("the session is in use by listener (pid "+strconv.Itoa(s.cmd.Process.Pid))) {
		t.Errorf("it ended with %s and said %q; started: %v", code, out, err)
	}
	if got := s.end(); got != "0" {
		t.Errorf("the first one ended with %s", got)
	}
	if code, out := second(); code != "0" || len(out) > 0 {
		t.Errorf("afterwards it ended with %s and said %q", code, out)
	}
}

// A signal for gsd alone is the command's, once each.
func TestExecSignals(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	s := p.listens()
	for range 2 {
		for _, n := range child.Signals {
			s.signal(n.(syscall.Signal))
			if got := s.until("got "); got != fmt.Sprintf("got %v\n", n) {
				t.Errorf("for %v it %s", n, got)
			}
		}
	}
	s.say("enough\n")
	if got := s.until("said "); got != "said enough\n" {
		t.Errorf("in the end: %q", got)
	}
	if got := s.end(); got != "0" {
		t.Errorf("it ended with %s", got)
	}
	p.wantRun("cancelled") // it was told to end, and did so in its own way
}

// What gsd was started to ignore, the command ignores, and gsd too.
func TestExecIgnored(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ trapped, sent, want string }{
		{"HUP", "HUP", "alive\n"},       // nohup
		{"INT QUIT", "INT", "alive\n"},  // a background job
		{"INT QUIT", "QUIT", "alive\n"}, // Go's runtime forgets it
		{"HUP", "INT", ""},
	} {
		t.Run(tc.sent+" of "+tc.trapped, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.run("bootstrap 01-02")
			script := fmt.Sprintf(`ulimit -c 0; trap '' %s; exec gsd exec -- sh -c 'kill -s %s $PPID; kill -s %[2]s $$; echo alive'`, tc.trapped, tc.sent)
			out, err := p.command("sh", "-c", script).CombinedOutput()
			if string(out) != tc.want || tc.want != "" && err != nil {
				t.Errorf("%v, %q", err, out)
			}
		})
	}
}

// A command that a signal ends although gsd was started to ignore it: gsd cannot end by it, and does not hang.
func TestExecDiesOfIgnored(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	out, err := p.command("sh", "-c", "trap '' INT; exec gsd exec -- "+p.listener()+" 1 die").CombinedOutput()
	if got := ended(err); got != "130" || len(out) > 0 {
		t.Errorf("it ended with %s and said %q", got, out)
	}
	p.wantRun("cancelled")
}

// A process that the command leaves behind is not waited for.
func TestExecDaemon(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	s := p.spawn("gsd", "exec", "--", "sh", "-c", "exec 3<&0; "+p.listener()+" 1 <&3 2>/dev/null & exit 5")
	if got := ended(s.cmd.Wait()); got != "5" {
		t.Errorf("it ended with %s", got)
	}
	p.wantRun("failure")
	s.until("ready") // it lives, and has the streams
	s.say("hello\n")
	s.until("said hello")
}

// If only gsd exec is killed, its command continues the run, as a member of it; once that is dead, too, the run is a
// crashed run, which hydrate finds.
func TestExecKilled(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	s := p.listens()
	p.joined(s)
	s.signal(syscall.SIGKILL)
	// Its standard error is the listener's, too, so Wait would wait for both.
	if _, err := s.cmd.Process.Wait(); err != nil {
		t.Fatal(err)
	}
	p.run("mark 1 in-progress")
	hydrate := func() (crashed []jsonRun) {
		t.Helper()
		var report struct {
			Recovery *struct{ Crashed []jsonRun }
		}
		if err := json.Unmarshal(p.run("hydrate --json"), &report); err != nil {
			t.Fatal(err)
		}
		if report.Recovery != nil {
			crashed = report.Recovery.Crashed
		}
		return crashed
	}
	if crashed := hydrate(); len(crashed) > 0 {
		t.Errorf("while the command lives: %+v", crashed)
	}
	if out := p.run("run sweep --reset-tasks"); !strings.Contains(string(out), "nothing to sweep") {
		t.Errorf("while the command lives: %s", out)
	}
	out, err := p.command("gsd", "exec", "--", "true").CombinedOutput()
	if got := ended(err); got != "75" {
		t.Errorf("while the command lives, another one ended with %s and said %s", got, out)
	}
	s.say("still here\n")
	s.until("said still here")
	s.in.Close()
	if _, err := s.out.ReadString('\n'); err == nil { // the end of the command
		t.Error("it says more")
	}
	processes := run.NewSystem(nil)
	for t.Context().Err() == nil { // some of its threads end later than the one that said so
		if _, err := processes.Find(s.child); errors.Is(err, run.ErrNoProcess) {
			break
		}
	}
	if crashed := hydrate(); len(crashed) != 1 {
		t.Errorf("once the command is dead: %+v", crashed)
	}
	if out, err := p.command("gsd", "exec", "--", "true").CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "gsd: crashed ") || bytes.Count(out, []byte("\n")) != 1 {
		t.Errorf("the next one: %v, %s", err, out)
	}
	if out, err := p.command("gsd", "exec", "--", "true").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("the one after that: %v, %s", err, out)
	}
	if runs := p.runsOf(); len(runs) != 3 || runs[0].State != "success" || runs[1].State != "success" || runs[2].State != "crashed" {
		t.Errorf("runs: %+v", runs)
	}
}

// Where the guard is somebody else's at the end, the command's exit status stays, and hydrate finds the run.
func TestExecBusyAtTheEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for a deadline")
	}
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	s := p.spawn("env", "PATIENCE=10ms", "gsd", "exec", "--", "sh", "-c", "echo ready; cat; exit 9")
	s.until("ready")
	guard, err := p.session().Lock(t.Context(), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	got := s.end()
	guard.Unlock()
	if said := s.stderr.String(); got != "9" || !strings.HasPrefix(said, "gsd: the end of the run was not recorded: ") || strings.Count(said, "\n") != 1 {
		t.Errorf("it ended with %s and said %q", got, said)
	}
	if runs := p.runsOf(); len(runs) != 1 || runs[0].State != "crashed" {
		t.Errorf("runs: %+v", runs)
	}
}
