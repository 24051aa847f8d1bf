package answer

import (
	"testing"
)

// TestJudgeMends: a command where the session's own plan has changed, and none where another plan is to be done.
func TestJudgeMends(t *testing.T) {
	t.Parallel()
	live := Plan{Path: planPath, Exists: true, Tasks: 1}
	edited, more, done, gone, moved, movedAndDone := live, live, live, live, live, live
	edited.Edited = true
	more.Tasks = 2
	done.Tasks, done.Summary = 2, "s"
	gone.Exists = false
	moved.Exists, moved.Moved = false, "q.md"
	movedAndDone.Exists, movedAndDone.Moved, movedAndDone.Summary = false, "q.md", "s"
	for _, test := range []struct {
		plan Plan
		want string
	}{
		{live, ""},
		{edited, "refresh " + planPath},
		{more, "refresh " + planPath},
		{done, ""},
		{gone, ""},
		{moved, "follow q.md"},
		{movedAndDone, ""},
	} {
		r := &Report{Facts: Facts{Session: sessionOf("pending"), Plan: test.plan}}
		r.Judge()
		got := ""
		if r.Fix.Kind != "" {
			got = string(r.Fix.Kind) + " " + r.Fix.Plan
		}
		if got != test.want {
			t.Errorf("%+v: %q, want %q", test.plan, got, test.want)
		}
	}
	advanced := &Report{Facts: Facts{Session: sessionOf("pending"), Plan: more, Roadmap: Roadmap{Advance: Advance{Advanced: true}}}}
	if advanced.Judge(); advanced.Fix.Kind != "" {
		t.Errorf("%+v", advanced.Fix)
	}
}
