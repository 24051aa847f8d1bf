package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/run"
)

// TestStatusline: what the host hands over, and what it shows.
func TestStatusline(t *testing.T) {
	p := newPlace(t)
	me := &place{t, t.TempDir(), p.home}
	at := func(dir string) string {
		text, err := json.Marshal(map[string]any{"session_id": "s-1", "workspace": map[string]any{"current_dir": dir}, "model": map[string]any{"id": "m"}})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	look := func(want, input string, env ...string) {
		t.Helper()
		if got := strings.TrimSuffix(me.hook(strings.NewReader(input), env, "statusline"), "\n"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	look("", "")
	look("", at(filepath.Join(p.dir, "..")))
	look("no session on a plan", at(p.dir))
	look("no session on a plan", `{"cwd":`+strings.TrimSuffix(strings.SplitN(at(p.dir), `"current_dir":`, 2)[1], "}"))
	look("no session on a plan", "", "CLAUDE_PROJECT_DIR="+p.dir)
	p.run("bootstrap 01-02")
	look("01-02 ░░░░░░░░ 0/3 1: Add a note", at(p.dir))
	for _, nonsense := range []string{"", "0", "-5", "wide", "99999999999", "8.5", "\x1b[31m"} {
		look("01-02 ░░░░░░░░ 0/3 1: Add a note", at(p.dir), "COLUMNS="+nonsense)
	}
	look("01-02 0/3", at(p.dir), "COLUMNS= 9 ")
	look("0/3", at(p.dir), "COLUMNS=3")

	// In progress: interrupted, unless somebody lives who may be at it.
	agent, kill := p.agent()
	p.run("run start --host claude --id s-1 --pid " + agent)
	p.run("mark 1 complete")
	p.run("mark 2 in-progress")
	look("01-02 ██░░░░░░ 1/3 2: List notes", at(p.dir))
	kill()
	look("01-02 ██░░░░░░ 1/3 ⚠ interrupted, task 2: List notes", at(p.dir))

	p.write(summaryFile, "Done.\n")
	look("01-02 ██░░░░░░ 1/3 ⚠ stale: plan is done", at(p.dir))
	p.write(sessionFile, "Nothing of ours.\n")
	look("⚠ the session file is unreadable", at(p.dir))
	p.write(sessionFile, "")
	p.write(sessionFile+"/x", "x")
	look("", at(p.dir)) // what cannot be read
}

// TestEndStatus: the words of the hosts for an end.
func TestEndStatus(t *testing.T) {
	t.Parallel()
	for reasons, want := range map[string]run.Status{
		"clear":                    run.Cancelled,
		"error":                    run.Failure,
		"abort aborted timeout":    run.Interrupted,
		"exit other logout resume": run.Success,
		"complete completed user_exit prompt_input_exit window_close": run.Success,
	} {
		for _, reason := range append(strings.Fields(reasons), strings.ToUpper(strings.Fields(reasons)[0])) {
			if got, cause := endOf(reason); got != want || (cause == run.CauseCleared) != (want == run.Cancelled) {
				t.Errorf("%s: %s, want %s", reason, got, want)
			}
		}
	}
	if got, _ := endOf(""); got != run.Success {
		t.Errorf("no reason: %s", got)
	}
}

// TestHookPanics: nothing that goes wrong in us is an agent's trouble.
func TestHookPanics(t *testing.T) {
	p := newPlace(t)
	for _, line := range []string{"hook start --host claude", "statusline", "hook end", "hydrate --inline"} {
		var out bytes.Buffer
		a := &program{stdin: unreadableInput{}, stdout: &out, stderr: &out, dir: p.dir, env: p.env(), now: func() time.Time { panic("now") }}
		if line == "hydrate --inline" {
			a.stdin = nil
		}
		if code := a.run(context.Background(), strings.Fields(line)); code != 0 || strings.Contains(out.String(), "panic") {
			t.Errorf("%s: exit code %d, %s", line, code, &out)
		}
	}
}

// unreadableInput is a standard input that cannot be read.
type unreadableInput struct{}

func (unreadableInput) Read([]byte) (int, error) { return 0, os.ErrInvalid }
