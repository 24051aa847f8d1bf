package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/agent"
)

// TestAnswerBy: what is done in time is printed; when the time is up, what was left last.
func TestAnswerBy(t *testing.T) {
	text := func(s string) rendering { return func() []byte { return []byte(s) } }
	for _, c := range []struct {
		name string
		do   func(fallback func(rendering), timeUp func()) []byte
		want string
	}{
		{"done", func(fallback func(rendering), _ func()) []byte { fallback(text("half")); return []byte("whole") }, "whole"},
		{"nothing to say", func(fallback func(rendering), _ func()) []byte { fallback(text("half")); return nil }, ""},
		{"a panic", func(fallback func(rendering), _ func()) []byte { fallback(text("half")); panic("no") }, ""},
		{"it gives up", func(fallback func(rendering), timeUp func()) []byte { fallback(text("half")); timeUp(); return nil }, "half"},
		{"it hangs", func(fallback func(rendering), timeUp func()) []byte {
			fallback(text("first"))
			fallback(text("second"))
			timeUp()
			select {}
		}, "second"},
		{"it hangs before it knows anything", func(_ func(rendering), timeUp func()) []byte { timeUp(); select {} }, ""},
	} {
		ctx, timeUp := context.WithCancel(context.Background())
		got := answerBy(ctx, func(fallback func(rendering)) []byte { return c.do(fallback, timeUp) })
		if string(got) != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		timeUp()
	}
}

// TestDeadlines: a hook ends before its host's own time-out, of which our settings and plugins have the shortest.
func TestDeadlines(t *testing.T) {
	for _, name := range agent.Names() {
		for _, ends := range []bool{false, true} {
			want := 2 * time.Second
			switch {
			case ends && name == agent.Claude:
				want = 1200 * time.Millisecond
			case ends && name == agent.OpenCode:
				want = 800 * time.Millisecond
			}
			if d := agent.Deadline(name, ends); d != want {
				t.Errorf("%s, ends %v: %v", name, ends, d)
			}
		}
	}
}

// TestBriefInSteps: whenever the time is up, the agent reads what is known by then, and what is missing. The run is
// recorded before git is asked anything, which is what takes long.
func TestBriefInSteps(t *testing.T) {
	p := newPlace(t)
	p.run("bootstrap 01-02")
	p.run("mark 1 in-progress")
	var out bytes.Buffer
	var steps []rendering
	inv := &invocation{program: &program{
		stdin:  strings.NewReader(`{"session_id":"a","hook_event_name":"SessionStart","source":"startup"}`),
		stdout: &out, stderr: &out, dir: p.dir, now: time.Now, env: p.env(),
	}}
	inv.late.fallback = func(step rendering) { steps = append(steps, step) }
	if err := inv.execute(context.Background(), []string{"hook", "start", "--host", agent.Claude}); err != nil {
		t.Fatal(err)
	}
	const late, resume = "the hook ran out of time", "- resume at task 1: Add a note"
	want := [][2][]string{ // what it says, and what it must not say
		{{late + " before gsd had read the session"}, {resume}},
		{{late + "; left out: who is at work", "which plan comes next", resume, "- it is in progress;"}, {"interrupted: it was"}},
		{{late + "; left out: what is not committed", resume, "and no agent is known to be working on it"}, {"who is at work, and"}},
	}
	if len(steps) != len(want) {
		t.Fatalf("%d steps", len(steps))
	}
	for i, step := range steps {
		text, err := textIn(agent.Claude, "SessionStart", string(step()))
		if err != nil {
			t.Fatal(err)
		}
		for _, says := range want[i][0] {
			if !strings.Contains(text, says) {
				t.Errorf("step %d does not say %q:\n%s", i, says, text)
			}
		}
		for _, says := range want[i][1] {
			if strings.Contains(text, says) {
				t.Errorf("step %d says %q:\n%s", i, says, text)
			}
		}
	}
	if text := inv.contents(); strings.Contains(text, late) || !strings.Contains(text, resume) {
		t.Errorf("in time:\n%s", text)
	}
}

// TestHookEndsInTime: a host that leaves its hook's input open is waited for, but not beyond the deadline.
func TestHookEndsInTime(t *testing.T) {
	p := newPlace(t)
	p.run("bootstrap 01-02")
	held, writer := io.Pipe()
	defer writer.Close()
	var out bytes.Buffer
	a := &program{stdin: held, stdout: &out, stderr: &out, dir: p.dir, now: time.Now, env: p.env()}
	if code := a.runHook(context.Background(), []string{"hook", "start", "--host", agent.Claude}, time.Millisecond); code != 0 || out.Len() > 0 {
		t.Errorf("exit code %d, and it waited for more: %s", code, &out)
	}
}
