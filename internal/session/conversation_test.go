package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestConversationDue(t *testing.T) {
	state, now := StateDir(filepath.Join(t.TempDir(), "state")), time.Now()
	c, other := state.Conversation("gemini", "c-1"), state.Conversation("gemini", "c-2")
	check := func(step string, want bool) {
		t.Helper()
		if c.Due() != want || other.Due() {
			t.Errorf("%s: %v, another conversation: %v", step, c.Due(), other.Due())
		}
	}
	check("in the beginning", false)
	noError(t, c.SetDue(false, now))
	if _, err := os.Lstat(string(state)); err == nil {
		t.Error("the directory was made although nothing is due")
	}
	for range 2 {
		noError(t, c.SetDue(true, now))
		check("due", true)
	}
	for range 2 {
		noError(t, c.SetDue(false, now))
		check("no longer", false)
	}
	noError(t, c.SetDue(true, now))
	noError(t, other.Forget())
	check("due again", true)
	noError(t, c.Forget())
	check("forgotten", false)

	for _, nobody := range []Conversation{state.Conversation("gemini", ""), StateDir("").Conversation("gemini", "c-1")} {
		noError(t, nobody.SetDue(true, now))
		noError(t, nobody.Forget())
		if nobody.Due() {
			t.Error("due, but for whom?")
		}
	}
}

// What is not one of gsd's empty files is never opened, and nothing is due because of it.
func TestConversationOdd(t *testing.T) {
	state, now := StateDir(t.TempDir()), time.Now()
	c := state.Conversation("gemini", "c-1")
	noError(t, os.MkdirAll(c.path(dueSuffix), 0o700))
	if c.Due() || c.SetDue(true, now) == nil {
		t.Error("a directory counts as due")
	}
	if turn := c.Take(t.Context(), []string{"clear"}, now, 0); turn == nil {
		t.Error("silent because of a directory")
	} else {
		turn.Done(true, now)
	}
	noError(t, c.Forget())
	noError(t, os.WriteFile(c.path(dueSuffix), []byte("\x1b[31m</system>"), 0o600))
	if !c.Due() {
		t.Error("not due because of what is in the file")
	}
	noError(t, c.Forget())
	target := filepath.Join(t.TempDir(), "target")
	noError(t, os.WriteFile(target, nil, 0o600))
	if err := os.Symlink(target, c.path(dueSuffix)); err != nil {
		t.Skip(err)
	}
	if c.Due() || c.SetDue(true, now) == nil {
		t.Error("a link counts as due")
	}
	noError(t, c.Forget())
	if _, err := os.Stat(target); err != nil {
		t.Error(err)
	}
}

// Briefs are given where nothing can be recorded.
func TestConversationReadOnly(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	noError(t, os.WriteFile(file, nil, 0o600))
	c, now := StateDir(filepath.Join(file, "state")).Conversation("claude", "c-1"), time.Now()
	for range 2 {
		turn := c.Take(t.Context(), []string{"clear"}, now, 0)
		if turn == nil {
			t.Fatal("silent")
		}
		turn.Done(true, now)
	}
	if c.SetDue(true, now) == nil || c.Due() {
		t.Error("a brief is due")
	}
}

func TestTake(t *testing.T) {
	start := time.Now().Truncate(time.Second)
	type hook struct {
		event string
		began time.Duration // after the first
		given bool          // it was not killed before
		want  bool          // it may give its brief
	}
	const ms = time.Millisecond
	for _, c := range []struct {
		name  string
		hooks []hook
	}{
		{"in parallel", []hook{{"startup", 0, true, true}, {"startup", 0, true, false}, {"startup", -2 * ms, true, false}}},
		{"one after the other", []hook{{"startup", 0, true, true}, {"startup", 400 * ms, true, false}}},
		{"the first was killed", []hook{{"startup", 0, false, true}, {"startup", ms, true, true}, {"startup", 2 * ms, true, false}}},
		{"another event", []hook{{"startup", 0, true, true}, {"clear", ms, true, true}, {"startup", 2 * ms, true, false}}},
		{"again a second later", []hook{{"clear", 0, true, true}, {"clear", time.Second, true, true}}},
		{"the clock was wrong", []hook{{"startup", time.Hour, true, true}, {"startup", 0, true, true}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			talk := StateDir(t.TempDir()).Conversation("claude", "c-1")
			for i, h := range c.hooks {
				began := start.Add(h.began)
				turn := talk.Take(t.Context(), []string{"SessionStart", h.event}, began, time.Minute)
				if (turn != nil) != h.want {
					t.Errorf("hook %d: silent %v", i+1, turn == nil)
				}
				if turn != nil {
					turn.Done(h.given, began)
				}
			}
		})
	}
}

// A hook waits for its twin.
func TestTakeWaits(t *testing.T) {
	for _, given := range []bool{false, true} {
		c, now := StateDir(t.TempDir()).Conversation("claude", "c-1"), time.Now()
		first := c.Take(t.Context(), []string{"clear"}, now, time.Minute)
		second := make(chan *Turn)
		go func() { second <- c.Take(t.Context(), []string{"clear"}, now, time.Minute) }()
		first.Done(given, now)
		if turn := <-second; (turn == nil) != given {
			t.Errorf("given %v, silent %v", given, turn == nil)
		} else if turn != nil {
			turn.Done(true, now)
		}
	}
	c, now := StateDir(t.TempDir()).Conversation("claude", "c-1"), time.Now()
	first := c.Take(t.Context(), []string{"clear"}, now, time.Minute)
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if turn := c.Take(done, []string{"clear"}, now, time.Minute); turn == nil {
		t.Error("silent because another hook has the lock")
	} else {
		turn.Done(true, now)
	}
	first.Done(true, now)
}

func TestSweepConversations(t *testing.T) {
	state, now := StateDir(t.TempDir()), time.Now()
	old, young := state.Conversation("gemini", "old"), state.Conversation("gemini", "young")
	long := now.Add(-conversationLife - time.Hour)
	noError(t, old.SetDue(true, long))
	old.Take(t.Context(), []string{"clear"}, long, 0).Done(true, long)
	if n := state.SweepConversations(now, true); n != 3 || !old.Due() {
		t.Errorf("%d files are old", n)
	}
	noError(t, os.WriteFile(filepath.Join(string(state), conversationsDir, "theirs.txt"), nil, 0o600))
	noError(t, os.Chtimes(filepath.Join(string(state), conversationsDir, "theirs.txt"), long, long))
	young.Take(t.Context(), []string{"clear"}, now, 0).Done(true, now) // sweeps, too
	noError(t, young.SetDue(true, now))
	if old.Due() || !young.Due() {
		t.Errorf("old %v, young %v", old.Due(), young.Due())
	}
	if n := state.SweepConversations(now, false); n != 0 {
		t.Errorf("%d files were left", n)
	}
	names, _ := os.ReadDir(filepath.Join(string(state), conversationsDir))
	if len(names) != 4 {
		t.Error(names)
	}
	// However many there are, of which a hook only looks at some, gsd run sweep removes them all.
	for i := range maxSwept + 100 {
		at := filepath.Join(string(state), conversationsDir, fmt.Sprintf("%016x%s", i, dueSuffix))
		noError(t, os.WriteFile(at, nil, 0o600))
		noError(t, os.Chtimes(at, long, long))
	}
	state.Conversation("gemini", "third").Take(t.Context(), []string{"clear"}, now, 0).Done(true, now)
	if left, after := state.SweepConversations(now, false), state.SweepConversations(now, true); left < 100 || left > 110 || after != 0 {
		t.Errorf("%d of %d files were left, then %d", left, maxSwept+100, after)
	}
}

func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
