package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/gsd-cli/gsd/internal/planref"
)

func TestReadPhaseClaim(t *testing.T) {
	t.Parallel()
	at := time.UnixMilli(1_770_000_000_000).UTC()
	for name, test := range map[string]struct {
		src  string
		want PhaseClaim
	}{
		"as upstream writes it":      {`{"phase": "03", "session": "codex-thread-id-1f2e", "pid": 4711, "updated_at": 1770000000000}`, PhaseClaim{"3", "codex-thread-id-1f2e", at}},
		"without a session":          {`{"phase": "2.1", "session": null, "pid": 1, "updated_at": 1770000000000}`, PhaseClaim{"2.1", "", at}},
		"a session of another type":  {`{"phase": "3", "session": ["x"], "updated_at": 1770000000000}`, PhaseClaim{"3", "", at}},
		"a time of another type":     {`{"phase": "3", "updated_at": "2026-02-02T02:40:00Z"}`, PhaseClaim{Phase: "3"}},
		"a time before all":          {`{"phase": "3", "updated_at": -5}`, PhaseClaim{Phase: "3"}},
		"a time after all":           {`{"phase": "3", "updated_at": 1e300}`, PhaseClaim{Phase: "3"}},
		"a session on several lines": {`{"phase": "3", "session": "a\u001b[2J\nb"}`, PhaseClaim{Phase: "3", Session: "a[2J b"}},
		"a number":                   {`{"phase": 3}`, PhaseClaim{}},
		"no phase":                   {`{"phase": " ", "updated_at": 1770000000000}`, PhaseClaim{}},
		"words":                      {`{"phase": "the third", "updated_at": 1770000000000}`, PhaseClaim{}},
		"half-written":               {`{"phase": "3", "sess`, PhaseClaim{}},
		"something else":             {`["3"]`, PhaseClaim{}},
		"empty":                      {``, PhaseClaim{}},
	} {
		got, ok := ReadPhaseClaim([]byte(test.src))
		got.Session = strings.Join(strings.FieldsFunc(got.Session, unicode.IsSpace), " ")
		if got != test.want || ok != (test.want != PhaseClaim{}) {
			t.Errorf("%s: %+v, %v, want %+v", name, got, ok, test.want)
		}
	}
}

// A claim counts for four hours, as upstream has it, and not because a clock is wrong.
func TestPhaseClaimCounts(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 6, 12, 0, 0, 0, time.UTC)
	for age, want := range map[time.Duration]bool{
		0: true, 4*time.Hour - time.Second: true, 4 * time.Hour: false, -5 * time.Minute: true, -6 * time.Minute: false, 1e6 * time.Hour: false,
	} {
		if c := (PhaseClaim{Renewed: now.Add(-age)}); c.Counts(now) != want {
			t.Errorf("after %v it counts: %v", age, !want)
		}
	}
	if c := (PhaseClaim{}); c.Counts(now) {
		t.Error("one without a time counts")
	}
}

// The claim of the caller's own session is nobody else's, and a link is not read.
func TestPhaseClaimOf(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(1_770_000_000_000)
	dir := t.TempDir()
	at := filepath.Join(dir, planref.Planning, phaseClaimFile)
	text := []byte(`{"phase": "3", "session": "tmux-pane-7", "updated_at": 1770000000000}`)
	if err := os.Mkdir(filepath.Dir(at), 0o777); err != nil {
		t.Fatal(err)
	}
	claimOf := func(key string) *PhaseClaim {
		p, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		p.Allow(DefaultLimit, CommandFiles)
		p.SessionKey = key
		return p.PhaseClaim(planref.Planning, now)
	}
	if c := claimOf(""); c != nil {
		t.Errorf("without a file: %+v", c)
	}
	if err := os.WriteFile(at, text, 0o666); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]bool{"": true, "tmux-pane-8": true, "tmux-pane-7": false} {
		if c := claimOf(key); (c != nil) != want {
			t.Errorf("for %q: %+v", key, c)
		}
	}
	if err := os.Rename(at, filepath.Join(dir, planref.Planning, "elsewhere")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("elsewhere", at); err != nil {
		t.Skip(err)
	}
	if c := claimOf(""); c != nil {
		t.Errorf("through a link: %+v", c)
	}
}

func TestSessionKeyOf(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		env  map[string]string
		want string
	}{
		{nil, ""},
		{map[string]string{"CLAUDE_CODE_SESSION_ID": "1f2e-33"}, "claude-code-session-id-1f2e-33"},
		{map[string]string{"CLAUDE_CODE_SESSION_ID": "1f2e", "GSD_SESSION_KEY": " my key/2 "}, "gsd-session-key-my_key_2"},
		{map[string]string{"CODEX_THREAD_ID": "///", "TMUX_PANE": "%7"}, "tmux-pane-7"},
		{map[string]string{"TTY": "/dev/pts/3"}, "tty-pts_3"},
		{map[string]string{"WT_SESSION": strings.Repeat("x", 200)}, "wt-session-" + strings.Repeat("x", 160)},
	} {
		if got := SessionKeyOf(func(name string) string { return test.env[name] }); got != test.want {
			t.Errorf("%v: %q, want %q", test.env, got, test.want)
		}
	}
}

func FuzzPhaseClaim(f *testing.F) {
	f.Add([]byte(`{"phase": "03", "session": "x", "updated_at": 1770000000000}`))
	f.Add([]byte(`{"phase": "\u2028", "session": {}, "updated_at": 1e999}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		c, ok := ReadPhaseClaim(src)
		if !ok && c != (PhaseClaim{}) || strings.ContainsFunc(c.Phase+c.Session, unicode.IsControl) {
			t.Fatalf("%+v, %v", c, ok)
		}
		if y := c.Renewed.Year(); y > 9999 {
			t.Fatalf("in the year %d", y) // JSON cannot state it
		}
	})
}

func TestIsToken(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key, token string
		want       bool
	}{
		{"claude-code-session-id-1f2e", "1f2e", true},
		{"gsd-session-key-worker", "worker", true},
		{"gsd-session-key-reviewer-worker", "worker", false},
		{"gsd-session-key-", "", false},
		{"", "", false},
	} {
		if got := IsToken(c.key, c.token); got != c.want {
			t.Errorf("IsToken(%q, %q) = %t", c.key, c.token, got)
		}
	}
}
