package main

import (
	"bufio"
	"bytes"
	"context"
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
	over   <-chan struct{} // it hangs, and was ended
}

// spoken is what a program says, and tells when it has said something.
type spoken struct {
	lock sync.Mutex
	text []byte
	some chan struct{} // closed once there is anything
}

func (s *spoken) Write(p []byte) (int, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if len(s.text) == 0 {
		close(s.some)
	}
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
		stderr: &spoken{some: make(chan struct{})}, over: ctx.Done(),
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

// until reads up to the line that says so. A change may be shown in two steps, so what is before is passed over.
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

// Each of a watch's objects stands by itself, for a program that reads them one after another.
func TestWatchJSON(t *testing.T) {
	t.Parallel()
	needInterrupt(t)
	p := newPlace(t)
	w := p.watch("--json")
	w.until(`"sessions": []`)
	w.until("}")
	p.run("bootstrap 01-02")
	w.until(`"user": "ada-lovelace"`)
	w.until(`"token": "1"`)
	w.interrupted()
}

// Whoever has read enough ends a watch, as in gsd status --watch --json | head -2, also while nothing changes.
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

// What takes the project away for a moment, as a rebase or a stash does, does not end a watch; nor does it go
// blind by it.
func TestWatchAway(t *testing.T) {
	if testing.Short() {
		t.Skip("waits until nothing happens")
	}
	t.Parallel()
	needInterrupt(t)
	const moment = 500 * time.Millisecond
	p := newPlace(t)
	planning, aside := filepath.Join(p.dir, ".planning"), filepath.Join(p.dir, "aside")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	w := p.watch()
	w.until("next: 01-02")

	must(os.Rename(planning, aside)) // the same directories come back
	time.Sleep(moment)
	must(os.Rename(aside, planning))
	p.write(summaryFile, "Done.\n")
	w.until("next: plan phase 2")

	must(os.CopyFS(aside, os.DirFS(planning))) // others do, at once and after a moment
	must(os.RemoveAll(planning))
	must(os.Rename(aside, planning))
	time.Sleep(moment)
	p.write(".planning/phases/02-sharing/02-01-PLAN.md", threeTasks)
	w.until("next: 02-01")
	must(os.CopyFS(aside, os.DirFS(planning)))
	must(os.RemoveAll(planning))
	time.Sleep(moment)
	must(os.Rename(aside, planning))
	p.write(".planning/ROADMAP.md", "# Roadmap: Renamed\n")
	w.until("Renamed")

	// For a moment the roadmap cannot be read.
	must(os.Remove(filepath.Join(planning, "ROADMAP.md")))
	must(os.Mkdir(filepath.Join(planning, "ROADMAP.md"), 0o755))
	time.Sleep(moment)
	must(os.Remove(filepath.Join(planning, "ROADMAP.md")))
	p.write(".planning/ROADMAP.md", "# Roadmap: Back\n")
	w.until("Back")
	w.interrupted()
}

// A project that stays away is missed aloud, once, and shown again when it is back.
func TestWatchGone(t *testing.T) {
	t.Parallel()
	needInterrupt(t)
	if testing.Short() {
		t.Skip("it waits for gsd to lose its patience, which takes seconds")
	}
	p := newPlace(t)
	planning, aside := filepath.Join(p.dir, ".planning"), filepath.Join(p.dir, "aside")
	w := p.watch()
	w.until("next: 01-02")
	if err := os.Rename(planning, aside); err != nil {
		t.Fatal(err)
	}
	select {
	case <-w.stderr.some:
	case <-w.over:
		t.Fatal("it says nothing")
	}
	if err := os.Rename(aside, planning); err != nil {
		t.Fatal(err)
	}
	w.until("next: 01-02")
	w.end()
	if said := w.stderr.String(); strings.Count(said, "\n") != 1 || !strings.HasPrefix(said, "gsd: no .planning directory in ") || !strings.HasSuffix(said, "; waiting for it\n") {
		t.Errorf("it said %q", said)
	}
}

// Where git's own directory is not in the project: in a linked worktree, and below the top of a repository. The
// branch lies deeper than others.
func TestWatchCommitElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many programs")
	}
	t.Parallel()
	needInterrupt(t)
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	for _, logs := range []string{"true", "false"} {
		p := newPlace(t)
		p.git("init", "-q", "-b", "main")
		p.git("config", "core.logAllRefUpdates", logs)
		p.git("add", ".planning")
		p.git("commit", "-q", "-m", "docs: plan")

		linked := *p
		linked.dir = filepath.Join(t.TempDir(), "linked")
		p.git("worktree", "add", "-q", "-b", "feature/deep/branch", linked.dir)
		w := linked.watch()
		w.until("ready")
		linked.git("commit", "-q", "--allow-empty", "-m", "feat(01-02): add")
		w.until("in flight")
		w.interrupted()

		below := *p
		below.dir = filepath.Join(p.dir, "apps", "notes")
		if err := os.CopyFS(below.dir, os.DirFS(linked.dir)); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(below.dir, ".git")); err != nil {
			t.Fatal(err)
		}
		below.git("add", ".planning")
		below.git("commit", "-q", "-m", "docs: the same elsewhere")
		w = below.watch()
		w.until("ready")
		below.git("commit", "-q", "--allow-empty", "-m", "feat(01-02): add")
		w.until("in flight")
		w.interrupted()
	}
}
