package history_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/view"
)

// A claim on a phase is said while it counts, unless it is of the caller's conversation, or of one that gsd has a run of.
func TestPhaseClaim(t *testing.T) {
	t.Parallel()
	const another = "; both would write one position into STATE.md"
	for _, test := range []struct {
		name, session, phase string
		age                  time.Duration
		conversation         string // the caller's
		before               string // the conversation of a run of the user's
		want                 string
	}{
		{"another session on the phase", `"codex-thread-id-1f2e"`, "3", time.Minute, "", "", "gsd-core's session codex-thread-id-1f2e has claimed phase 3, and renewed that at 2026-03-04 11:59 UTC; it may be at work on it"},
		{"on the phase as written elsewhere", `"x-1f2e"`, "03", time.Minute, "mine", "mine", "gsd-core's session x-1f2e has claimed phase 3, and renewed that at 2026-03-04 11:59 UTC; it may be at work on it"},
		{"on another phase", `"x-1f2e"`, "2.1", time.Minute, "", "", "gsd-core's session x-1f2e has claimed phase 2.1, and renewed that at 2026-03-04 11:59 UTC" + another},
		{"a session without a name", `null`, "3", time.Minute, "mine", "", "a session of gsd-core without a name has claimed phase 3, and renewed that at 2026-03-04 11:59 UTC; it may be at work on it"},
		{"the caller's own", `"claude-code-session-id-mine"`, "3", time.Minute, "mine", "", ""},
		{"the one before a clear", `"claude-code-session-id-before"`, "3", time.Minute, "mine", "before", ""},
		{"one that ends in the same letters", `"claude-code-session-id-xmine"`, "3", time.Minute, "mine", "", "gsd-core's session claude-code-session-id-xmine has claimed phase 3, and renewed that at 2026-03-04 11:59 UTC; it may be at work on it"},
		{"expired", `"x-1f2e"`, "3", 4 * time.Hour, "", "", ""},
	} {
		p := projectOf(t, filesIn("phases/03-a/03-01-PLAN.md"))
		p.StateDir, p.Processes = "", apptest.NewMachine()
		if test.before != "" {
			p.Caller = run.Caller{Host: "claude", Conversation: test.before}
			apptest.StartRun(t, p, now)
		}
		p.Caller = run.Caller{Host: "claude", Conversation: test.conversation}
		text := fmt.Sprintf(`{"phase": %q, "session": %s, "pid": 1, "updated_at": %d}`, test.phase, test.session, now.Add(-test.age).UnixMilli())
		write(t, filepath.Join(p.Dir, ".planning", "milestone.lock"), text)
		got := ""
		for _, w := range history.PhaseClaimWarnings(p.Project, user, ".planning", "3") {
			got += view.WarningText(&w).String()
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestPositionClaim: a claim matters to the position in STATE.md if that has a phase, and another one.
func TestPositionClaim(t *testing.T) {
	t.Parallel()
	p := projectOf(t, filesIn("phases/03-a/03-01-PLAN.md"))
	p.StateDir, p.Processes = "", apptest.NewMachine()
	write(t, filepath.Join(p.Dir, ".planning", "milestone.lock"), fmt.Sprintf(`{"phase": "3", "session": "x-1f2e", "updated_at": %d}`, now.UnixMilli()))
	for phase, want := range map[string]int{"": 0, "3": 0, "03": 0, "2.1": 1} {
		number, _ := planref.ParseNumber(phase)
		if got := history.PositionClaimWarnings(p.Project, user, ".planning", number); len(got) != want {
			t.Errorf("phase %q: %v", phase, got)
		}
	}
}
