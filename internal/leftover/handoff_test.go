package leftover

import (
	"strings"
	"testing"
	"time"
	"unicode"
)

func TestReadHandOff(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 5, 22, 37, 38, 0, time.UTC)
	for name, test := range map[string]struct {
		src  string
		want handOff
	}{
		"HANDOFF.json": {
			`{"version": "1.0", "timestamp": "2026-05-05T22:37:38Z", "phase": "12.5", "phase_dir": ".planning/phases/12.5-x", "plan": 2, "task": 3, "completed_tasks": [], "next_action": "Run\nthe tests"}`,
			handOff{"12.5", "2", "3", ".planning/phases/12.5-x", "", "Run the tests", at},
		},
		"of a role":        {`{"role": "API reviewer", "role_id": "api-reviewer", "session_id": "1f2e"}`, handOff{Role: "API reviewer"}},
		"nothing is known": {`{"timestamp": 5, "phase": null, "plan": [1], "task": {"id": 1}}`, handOff{}},
		"broken JSON":      {`{"phase": "1"`, handOff{}},
		"continue-here": {
			"---\ncontext: phase\nphase: 07.2-talk # now\ntask: \"UAT (05-05)\"\nlast_updated: 2026-05-05 22:37\n---\n<context>\nx\n</context>\n<next_action>\nStart with:\n1. this\n</next_action>\n",
			handOff{Phase: "07.2-talk", Task: "UAT (05-05)", Next: "Start with: 1. this", Written: at.Truncate(time.Minute)},
		},
		"no phase": {"---\nphase: null\nplan: 2\ntask: null\n---\n", handOff{Plan: "2"}},
		"a day":    {"---\nlast_updated: 2026-05-05\n---\n<next_action>go on", handOff{Next: "go on", Written: at.Truncate(24 * time.Hour)}},
		"no time":  {"---\nlast_updated: [timestamp]\n---\n", handOff{}},
		"empty":    {"", handOff{}},
	} {
		if got := readHandOff([]byte(test.src)); got != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}

func TestKeyOf(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{
		"HANDOFF.json": {}, ".continue-here.md": {}, ".continue-here-2.md": {}, "HANDOFF.0a1b.json": {},
		"HANDOFF.latest.reviewer.json": {"reviewer", ""}, ".continue-here.latest.reviewer.md": {"reviewer", ""},
		"HANDOFF.claimed.api.1f2e.json": {"api", "1f2e"}, ".continue-here.claimed.api.1f2e.md": {"api", "1f2e"},
		"HANDOFF.claimed.api.a.b.json": {"api", "a.b"}, "HANDOFF.claimed.json": {}, "HANDOFF.latest.json": {},
	} {
		if role, claimed := keyOf(name); role != want[0] || claimed != want[1] {
			t.Errorf("%s: role %q, claimed by %q, want %q", name, role, claimed, want)
		}
	}
}

// FuzzHandOff checks that what is read of a note is one line each.
func FuzzHandOff(f *testing.F) {
	f.Add([]byte(`{"phase": "1", "plan": 2, "task": "\u2028", "role": "a\u001b[2Jb", "next_action": "x\ny", "timestamp": "2026-05-05 22:37"}`))
	f.Add([]byte("---\nphase: 1\nlast_updated: 2026-05-05\n---\n<next_action>\ngo on\n</next_action>\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		h := readHandOff(src)
		for _, s := range []string{h.Phase, h.Plan, h.Task, h.Dir, h.Role, h.Next} {
			if strings.ContainsFunc(s, unicode.IsControl) {
				t.Fatalf("%q", s)
			}
		}
	})
}
