package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// A watched is a gsd status --watch that runs in a place, and what it shows.
type watched struct {
	t      *testing.T
	cmd    *exec.Cmd
	pipe   io.Closer // what out reads
	out    *bufio.Reader
	stderr *spoken
}

// spoken is what a program says.
type spoken struct {
	lock sync.Mutex
	text []byte
}

func (s *spoken) Write(p []byte) (int, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.text = append(s.text, p...)
	return len(p), nil
}

func (s *spoken) String() string {
	s.lock.Lock()
	defer s.lock.Unlock()
	return string(s.text)
}

// needInterrupt skips a test that must end a watch as Ctrl-C does.
func needInterrupt(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("one process cannot interrupt another there")
	}
}

// watch starts the real main; it is ended with the test at the latest.
func (p *place) watch(args ...string) *watched {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 2*time.Minute) // only for one that hangs
	p.t.Cleanup(cancel)
	w := &watched{
		t: p.t, cmd: exec.CommandContext(ctx, "gsd", append([]string{"status", "--watch"}, args...)...),
		stderr: &spoken{},
	}
	w.cmd.Dir, w.cmd.Env, w.cmd.Stderr = p.dir, p.env(), w.stderr
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		cancel()
		_ = w.cmd.Wait() // an interrupted one has been waited for
	})
	w.pipe, w.out = out, bufio.NewReader(out)
	return w
}

// until reads up to the line that says so. A change may be shown in two steps, so what comes before is ignored.
func (w *watched) until(says string) {
	w.t.Helper()
	for seen := ""; ; {
		line, err := w.out.ReadString('\n')
		if seen += line; err != nil {
			w.t.Fatalf("no %q: %v\n%s%s", says, err, seen, w.stderr)
		}
		if strings.Contains(line, says) {
			return
		}
	}
}

// interrupted sends what Ctrl-C sends, and wants an end without an error or a word.
func (w *watched) interrupted() {
	w.t.Helper()
	w.end()
	if w.stderr.String() != "" {
		w.t.Errorf("it said %s", w.stderr)
	}
}

func (w *watched) end() {
	w.t.Helper()
	if err := w.cmd.Process.Signal(os.Interrupt); err != nil {
		w.t.Fatal(err)
	}
	var rest bytes.Buffer
	if _, err := rest.ReadFrom(w.out); err != nil {
		w.t.Fatal(err)
	}
	if err := w.cmd.Wait(); err != nil {
		w.t.Errorf("%v\n%s", err, w.stderr)
	}
}

func TestWatch(t *testing.T) {
	t.Parallel()
	needInterrupt(t)
	p := newPlace(t)
	p.run("bootstrap 01-02")
	w := p.watch()
	w.until("task 1: Add a note")

	p.run("mark 1 complete") // a file that is replaced
	w.until("task 2: List notes")

	p.write(summaryFile, "Done.\n") // one that is new
	w.until("stale: plan is done")

	p.write(".planning/phases/02-sharing/02-01-PLAN.md", threeTasks) // one in a directory that is new
	w.until("02-01")
	p.write(".planning/phases/02-sharing/02-01-SUMMARY.md", "Done.\n")
	w.until("no plans left")

	p.write(".planning/ROADMAP.md", "# Roadmap: Renamed\n") // one that is written over
	w.until("Renamed")
	w.interrupted()
}

// Each of a watch's objects is a line, for a program that reads them one after another.
func TestWatchJSON(t *testing.T) {
	t.Parallel()
	needInterrupt(t)
	p := newPlace(t)
	w := p.watch("--json")
	line, err := w.out.ReadString('\n')
	if !json.Valid([]byte(line)) || !strings.Contains(line, `"sessions":[]`) {
		t.Fatalf("%s, %v", line, err)
	}
	p.run("bootstrap 01-02")
	w.until(`"token":"1"`)
	w.interrupted()
}

// A reader that has enough ends a watch, as in gsd status --watch --json | head -2, also while nothing changes.
func TestWatchUnread(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("only the next write finds out")
	}
	p := newPlace(t)
	for _, form := range [][]string{{"--json"}, nil} {
		w := p.watch(form...)
		w.until("01-02")
		if err := w.pipe.Close(); err != nil {
			t.Fatal(err)
		}
		if err := w.cmd.Wait(); err != nil || w.stderr.String() != "" {
			t.Errorf("%v: %v %s", form, err, w.stderr)
		}
	}
}

// What takes the project away for a moment, as a rebase or a stash does, does not end a watch; a project that stays away is missed
// aloud, once, and shown again when it is back. What has not changed is not printed again.
func TestWatchAway(t *testing.T) {
	t.Parallel()
	g, out := ada(t, time.Now())
	p := &place{t: t, dir: g.dir}
	var complaints bytes.Buffer
	g.stderr = &complaints
	planning, aside := filepath.Join(p.dir, ".planning"), filepath.Join(p.dir, "aside")
	move := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	w := statusWatch{invocation: &invocation{program: g}}
	wants := func(says string) { // one status that says so, or nothing
		t.Helper()
		out.Reset()
		if err := w.update(t.Context()); err != nil {
			t.Fatal(err)
		}
		if said := out.String(); says == "" && said != "" || !strings.Contains(said, says) || strings.Count(said, "project: ") > 1 {
			t.Errorf("no %q:\n%s%s", says, said, complaints.String())
		}
	}
	wants("next: 01-02")
	wants("")

	move(planning, aside)
	wants("")
	move(aside, planning)
	wants("")
	p.write(summaryFile, "Done.\n")
	wants("next: plan phase 2")
	if said := complaints.String(); said != "" {
		t.Errorf("of a moment, it said %q", said)
	}

	move(planning, aside)
	for range reportedFailures {
		wants("")
	}
	move(aside, planning)
	wants("next: plan phase 2")
	if said := complaints.String(); strings.Count(said, "\n") != 1 || !strings.HasPrefix(said, "gsd: no .planning directory in ") || !strings.HasSuffix(said, "; waiting for it\n") {
		t.Errorf("it said %q", said)
	}

	// The roadmap cannot be read, and can be again.
	p.write(".planning/ROADMAP.md", "")
	p.write(".planning/ROADMAP.md/x", "x")
	out.Reset()
	if err := w.update(t.Context()); err != nil {
		t.Error(err)
	}
	p.write(".planning/ROADMAP.md", "")
	p.write(".planning/ROADMAP.md", "# Roadmap: Back\n")
	wants("Back")
}
