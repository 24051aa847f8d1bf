//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// watch starts gsd status --watch.
func (p *place) watch(args ...string) *spawned {
	p.t.Helper()
	return p.spawn("gsd", append([]string{"status", "--watch"}, args...)...)
}

// interrupted sends what Ctrl-C sends, and wants an end without an error or a word.
func (s *spawned) interrupted() {
	s.t.Helper()
	s.signal(syscall.SIGINT)
	_, _ = io.Copy(io.Discard, s.out)
	if got := ended(s.cmd.Wait()); got != "0" || s.stderr.Len() > 0 {
		s.t.Errorf("it ended with %s and said %s", got, &s.stderr)
	}
}

func TestWatch(t *testing.T) {
	t.Parallel()
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
	p := newPlace(t)
	for _, form := range [][]string{{"--json"}, nil} {
		w := p.watch(form...)
		w.until("01-02")
		w.pipe.Close()
		if got := ended(w.cmd.Wait()); got != "0" || w.stderr.Len() > 0 {
			t.Errorf("%v: it ended with %s and said %s", form, got, &w.stderr)
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
